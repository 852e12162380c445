"""Where an instrument's figures come from: the head of the JSON files that instruments leave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reports.documents import Fields, UnreadableError, read_json, tidy
from reports.runs import Driver, read_driver

SCHEMA = 1


@dataclass(frozen=True)
class Origin:
    """What can change a figure and is not the code that is measured."""

    path: Path
    date: str
    commit: str | None
    dirty: bool
    driver: Driver
    gpu: str | None
    cpu: str
    python: str
    libc: str
    kernel: str
    libraries: Mapping[str, str]


def read_instrument(path: Path, instrument: str) -> tuple[Fields, Origin]:
    """The document that ``python -m benchmarks INSTRUMENT --json`` left, and its provenance.

    Raises
    ------
    UnreadableError
        The file is broken, or another instrument's.
    """
    fields = read_json(path)
    if fields.data.get("schema") != SCHEMA or fields.data.get("instrument") != instrument:
        raise UnreadableError(f"{path}: is not a {instrument} file of schema {SCHEMA}")
    head = fields.table("provenance")
    return fields, Origin(
        path=path,
        date=head.text("date"),
        commit=head.optional_text("commit"),
        dirty=head.flag("dirty"),
        driver=read_driver(head),
        gpu=head.optional_text("gpu"),
        cpu=head.text("cpu"),
        python=head.text("python"),
        libc=head.text("libc"),
        kernel=head.text("kernel"),
        libraries={name: entry.text("version") for name, entry in head.entries("libraries")},
    )


def read_skipped(fields: Fields) -> dict[tuple[str, str | None], str]:
    """Operation and library (None where both sides are meant) to ``status: reason``."""
    return {
        (entry.text("operation"), entry.optional_text("library")): (
            f"{entry.text('status')}: {entry.text('reason')}"
        )
        for entry in fields.tables("skipped")
    }


def read_versions(fields: Fields) -> dict[str, str]:
    """The ``versions`` of a side: package to version, the measured library's own package first."""
    versions = fields.table("versions")
    return {tidy(name): versions.text(name) for name in versions.data}
