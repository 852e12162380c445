"""The figures of the request, read from ``seed.toml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reports.documents import Fields, read_toml
from reports.runs import ROOM

NS_PER_MILLION_SECONDS = 1e3


@dataclass(frozen=True)
class Figure:
    """One timing of the request; without an `operation` there is a `reason` why ours has none."""

    statement: str
    ns: float
    library: str | None
    operation: str | None
    object: str | None = None
    note: str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Seed:
    """The request's figures; `shares` are per cent of ``Event._init`` by line."""

    title: str
    url: str
    date: str
    machines: str
    versions: Mapping[str, str]
    timings: Sequence[Figure]
    breakdown: Sequence[Figure]
    shares: Sequence[tuple[str, float]]


def _figure(fields: Fields) -> Figure:
    if "seconds_per_million" in fields.data:
        ns = fields.number("seconds_per_million") * NS_PER_MILLION_SECONDS
    else:
        ns = fields.number("ns")
    operation = fields.optional_text("operation")
    return Figure(
        statement=fields.text("statement"),
        ns=ns,
        library=fields.text("library") if operation else None,
        operation=operation,
        object=fields.optional_text("object"),
        note=fields.optional_text("note"),
        reason=None if operation else fields.text("reason"),
    )


SEED = ROOM / "seed.toml"


def read_seed(path: Path = SEED) -> Seed:
    """Read the figures; `UnreadableError` names the first entry that is wrong."""
    fields = read_toml(path)
    versions = fields.table("versions")
    return Seed(
        title=fields.text("title"),
        url=fields.text("url"),
        date=fields.text("date"),
        machines=fields.text("machines"),
        versions={name: versions.text(name) for name in versions.data},
        timings=[_figure(entry) for entry in fields.tables("timing")],
        breakdown=[_figure(entry) for entry in fields.tables("breakdown")],
        shares=[(entry.text("line"), entry.number("percent")) for entry in fields.tables("share")],
    )
