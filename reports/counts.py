"""Instruction counts, as the instrument wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from reports.documents import Fields, UnreadableError, tidy
from reports.origin import Origin, read_instrument, read_versions

Functions = Mapping[tuple[str, str], float]


@dataclass(frozen=True)
class Count:
    """Instructions of one operation of one library.

    `without_driver` leaves out the empty loop and what the null driver's calls take; `functions`
    are own instructions by shared object and function.
    """

    source: Origin
    operation: str
    library: str
    label: str
    instructions: float
    empty: float
    without_driver: float
    functions: Functions
    times: int
    versions: Mapping[str, str]
    python: str
    conditions: Mapping[str, str]

    @property
    def version(self) -> str | None:
        """The version of the library itself."""
        return next(iter(self.versions.values()), None)


def _functions(fields: Fields) -> dict[tuple[str, str], float]:
    return {
        (name, tidy(function)): parts.number(function)
        for name, parts in fields.entries("functions")
        for function in parts.data
    }


def _count(fields: Fields, source: Origin) -> Count:
    return Count(
        source=source,
        operation=fields.text("operation"),
        library=fields.text("library"),
        label=fields.text("label"),
        instructions=fields.number("instructions"),
        empty=fields.number("empty"),
        without_driver=fields.number("without_driver"),
        functions=_functions(fields),
        times=fields.count("times"),
        versions=read_versions(fields),
        python=fields.text("python"),
        conditions={
            tidy(name): tidy(str(value)) for name, value in fields.table("conditions").data.items()
        },
    )


def read_counts(path: Path) -> list[Count]:
    """The results in one count file; `UnreadableError` names the first field that is wrong."""
    fields, source = read_instrument(path, "count")
    return [_count(entry, source) for entry in fields.tables("results")]


def read_folders(folder: Path) -> tuple[list[Count], list[str]]:
    """Every readable count below a folder, oldest first, and a sentence for each broken file."""
    counts: list[Count] = []
    problems: list[str] = []
    for path in sorted(folder.glob("*/*.json")):
        try:
            counts += read_counts(path)
        except UnreadableError as error:
            problems.append(str(error))
    return sorted(counts, key=lambda count: (count.source.date, count.source.path.name)), problems


def last(
    counts: Iterable[Count], operation: str, library: str, version: str | None = None
) -> Count | None:
    """The last count of a library, of one version if that is given."""
    found = None
    for count in counts:
        if (count.operation, count.library) == (operation, library) and (
            version is None or count.version == version
        ):
            found = count
    return found


def growth(base: Functions, head: Functions) -> list[tuple[str, str, float]]:
    """Object, function and instructions more in head, what changed most first."""
    places = {*base, *head}
    changes = [(*place, head.get(place, 0.0) - base.get(place, 0.0)) for place in places]
    return sorted((c for c in changes if c[2]), key=lambda c: (-abs(c[2]), c[0], c[1]))
