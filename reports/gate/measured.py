"""What was measured for the gate: a folder of the instruments' files, and how it is laid out.

``counts-base.json``  ``counts-head.json``
    ``python -m benchmarks count --json``: the measured library on either side; head's file holds
    the libraries of the policy's promises too.
``traces-base.json``  ``traces-head.json``
    ``python -m benchmarks trace --json``, likewise.
``duets.json``  ``duets-*.json``
    ``python -m benchmarks duet --json`` files, in this order. Head against base: both sides
    are the measured library, labelled ``head`` and ``base``. Head against another library: that
    library on one side, the measured one, not labelled ``base``, on the other. The first result of
    a pair is the measurement; every further one, of whichever file, is a repetition for suspects.
``gate.json``
    ``schema`` 1; ``operations``: the names of the catalogue; ``base`` and ``head``, each with
    ``name``, ``commit``, ``dirty`` and ``failure`` (null, or why that side could not be built or
    found); ``interrupted``: whether measuring ended early. Optional.

Base and head may also be two folders, with ``counts.json`` and ``traces.json`` in each and the
duets in head's, or two files of one instrument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from reports.counts import Count, read_counts
from reports.documents import Fields, ReportError, UnreadableError, read_json, tidy
from reports.duets import Duet, read_duets
from reports.gate.findings import Revision
from reports.origin import Origin, read_instrument, read_skipped
from reports.traces import Trace, read_traces

BASE, HEAD = "base", "head"
MANIFEST = "gate.json"

T = TypeVar("T", Count, Trace)


@dataclass(frozen=True)
class Document:
    """One instrument's file of one side: results by operation, reasons by operation."""

    origin: Origin
    skipped: Mapping[str, str]


@dataclass(frozen=True)
class Side:
    """What one revision yielded; a file that is not there is None."""

    revision: Revision
    failure: str | None = None
    counts: Sequence[Count] = ()
    counted: Document | None = None
    traces: Sequence[Trace] = ()
    traced: Document | None = None


@dataclass(frozen=True)
class Measured:
    """Both sides, the duets between them, and the catalogue if it is known."""

    base: Side
    head: Side
    duets: Sequence[Duet] = ()
    skipped_duets: Mapping[str, str] = field(default_factory=dict)
    operations: Sequence[str] | None = None
    interrupted: bool = False

    @property
    def origins(self) -> list[Origin]:
        """Where all of it comes from."""
        documents = (side for s in (self.base, self.head) for side in (s.counted, s.traced) if side)
        return [document.origin for document in documents] + [duet.source for duet in self.duets]


def _document(path: Path, instrument: str, library: str) -> Document:
    fields, origin = read_instrument(path, instrument)
    return Document(origin, _reasons(fields, library))


def _reasons(fields: Fields, library: str) -> dict[str, str]:
    """Reasons for the measured library, whose builds are called by its name and something more."""
    return {
        operation: reason
        for (operation, side), reason in read_skipped(fields).items()
        if side in (None, BASE, HEAD) or side.startswith(library)
    }


def _find(folder: Path, instrument: str, side: str) -> Path | None:
    """The file of one instrument; a path that is a file is that of its own instrument."""
    if folder.is_file():
        return folder if read_json(folder).data.get("instrument") == instrument else None
    for name in (f"{instrument}s-{side}.json", f"{instrument}s.json"):
        if (folder / name).is_file():
            return folder / name
    return None


def _read(
    folder: Path, instrument: str, side: str, library: str, read: Callable[[Path], list[T]]
) -> tuple[list[T], Document | None]:
    path = _find(folder, instrument, side)
    if path is None:
        return [], None
    return read(path), _document(path, instrument, library)


def _manifest(folders: Iterable[Path]) -> Fields | None:
    for folder in folders:
        if (folder / MANIFEST).is_file():
            fields = read_json(folder / MANIFEST)
            if fields.data.get("schema") != 1:
                raise UnreadableError(f"{fields.where}: is not of schema 1")
            return fields
    return None


def _side(folder: Path, side: str, library: str, manifest: Fields | None) -> Side:
    counts, counted = _read(folder, "count", side, library, read_counts)
    traces, traced = _read(folder, "trace", side, library, read_traces)
    mine = [count.label for count in counts if count.library == library]
    revision, failure = Revision(mine[0] if mine else side), None
    if manifest is not None and side in manifest.data:
        told = manifest.table(side)
        failure = told.optional_text("failure")
        revision = Revision(
            told.text("name"), told.optional_text("commit"), bool(told.data.get("dirty"))
        )
    return Side(revision, failure, counts, counted, traces, traced)


def _duet_files(base: Path, head: Path) -> list[Path]:
    found: dict[Path, None] = {}
    for place in (base, head):
        if place.is_dir():
            files = sorted(place.glob("duets*.json"), key=lambda path: path.stem)
            found.update(dict.fromkeys(files))
        elif read_json(place).data.get("instrument") == "duet":
            found[place] = None
    return list(found)


def read_measured(base: Path, head: Path, library: str) -> Measured:
    """Read everything that was measured of the two sides.

    Raises
    ------
    ReportError
        A path does not exist, or there is nothing in it.
    UnreadableError
        A file is broken; the message names it.
    """
    for path in (base, head):
        if not path.exists():
            raise ReportError(f"{path} does not exist: measure first (`make gate BASE=<revision>`)")
    manifest = _manifest(path for path in dict.fromkeys((head, base)) if path.is_dir())
    files = _duet_files(base, head)
    skipped: dict[str, str] = {}
    for path in files:
        skipped |= _document(path, "duet", library).skipped
    names = None
    if manifest is not None and "operations" in manifest.data:
        names = [tidy(str(name)) for name in manifest.items("operations")]
    measured = Measured(
        base=_side(base, BASE, library, manifest),
        head=_side(head, HEAD, library, manifest),
        duets=[duet for path in files for duet in read_duets(path)],
        skipped_duets=skipped,
        operations=names,
        interrupted=bool(manifest and manifest.data.get("interrupted")),
    )
    if manifest is None and not measured.origins:
        raise ReportError(
            f"there is nothing to compare in {head}: it holds no counts-head.json, traces-head.json"
            " or duets.json; measure first (`make gate BASE=<revision>`)"
        )
    return measured
