"""Duet results: ratios of two sides that took turns on one core, as the instrument wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from reports.documents import Fields, UnreadableError, finite
from reports.origin import Origin, read_instrument, read_versions

Interval = tuple[float, float]


@dataclass(frozen=True)
class Side:
    """One side: what it was, and ns per operation with and without the empty loop."""

    library: str
    label: str
    origin: str
    versions: Mapping[str, str]
    python: str
    ns: float
    empty_ns: float
    net_ns: float
    slices: tuple[float, ...]

    @property
    def version(self) -> str | None:
        """The version of the library itself."""
        return next(iter(self.versions.values()), None)

    @property
    def name(self) -> str:
        """Library and version, in the words of a report."""
        return f"{self.library} {self.version}" if self.version else self.library


@dataclass(frozen=True)
class Duet:
    """A over B, and A minus B; "net" is without the empty loop on either side.

    `net_ratio` is None where B costs no more than the empty loop.
    """

    source: Origin
    operation: str
    a: Side
    b: Side
    ratio: float
    interval: Interval
    confidence: float
    net_ratio: float | None
    net_interval: Interval | None
    difference: float
    difference_interval: Interval
    noise: float
    rounds: int

    def inverted(self) -> Duet:
        """The same with the sides exchanged."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            ratio=1 / self.ratio,
            interval=_inverse(self.interval),
            net_ratio=1 / self.net_ratio if self.net_ratio else None,
            net_interval=(
                _inverse(self.net_interval)
                if self.net_interval and self.net_interval[0] > 0
                else None
            ),
            difference=-self.difference,
            difference_interval=(-self.difference_interval[1], -self.difference_interval[0]),
        )


def _inverse(interval: Interval) -> Interval:
    return 1 / interval[1], 1 / interval[0]


def _interval(fields: Fields, key: str) -> Interval:
    ends = [finite(end) for end in fields.items(key)]
    if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[0] > ends[1]:
        raise UnreadableError(f"{fields.where}: {key!r} is not an interval of two numbers")
    return ends[0], ends[1]


def _side(fields: Fields) -> Side:
    slices = [finite(value) for value in fields.items("slices")]
    return Side(
        library=fields.text("library"),
        label=fields.text("label"),
        origin=fields.text("origin"),
        versions=read_versions(fields),
        python=fields.text("python"),
        ns=fields.number("ns"),
        empty_ns=fields.number("empty_ns"),
        net_ns=fields.number("net_ns"),
        slices=tuple(value for value in slices if value is not None),
    )


def _duet(fields: Fields, source: Origin) -> Duet:
    ratio, interval = fields.number("ratio"), _interval(fields, "interval")
    if ratio <= 0 or interval[0] <= 0:
        raise UnreadableError(f"{fields.where}: the ratio is not positive")
    net = fields.data.get("net_ratio") is not None
    return Duet(
        source=source,
        operation=fields.text("operation"),
        a=_side(fields.table("a")),
        b=_side(fields.table("b")),
        ratio=ratio,
        interval=interval,
        confidence=fields.number("confidence"),
        net_ratio=fields.number("net_ratio") if net else None,
        net_interval=_interval(fields, "net_ratio_interval") if net else None,
        difference=fields.number("difference_ns"),
        difference_interval=_interval(fields, "difference_ns_interval"),
        noise=fields.number("noise"),
        rounds=fields.count("rounds"),
    )


def read_duets(path: Path) -> list[Duet]:
    """The results in one duet file; `UnreadableError` names the first field that is wrong."""
    fields, source = read_instrument(path, "duet")
    return [_duet(entry, source) for entry in fields.tables("results")]


def read_folder(folder: Path) -> tuple[list[Duet], list[str]]:
    """Every readable duet of a folder, oldest first, and a sentence for each broken file."""
    duets: list[Duet] = []
    problems: list[str] = []
    for path in sorted(folder.glob("*.json")):
        try:
            duets += read_duets(path)
        except UnreadableError as error:
            problems.append(str(error))
    return sorted(duets, key=lambda duet: (duet.source.date, duet.source.path.name)), problems


def newest(duets: Iterable[Duet]) -> list[Duet]:
    """Of the duets of one operation and pair of versions, the last; in order of first mention."""
    found: dict[tuple[str, str, str], Duet] = {}
    for duet in duets:
        found[duet.operation, duet.a.name, duet.b.name] = duet
    return list(found.values())


def against(
    duets: Iterable[Duet], operation: str, a: str, b: str, versions: Mapping[str, str]
) -> Duet | None:
    """The last duet of two libraries, turned so that `a` is over `b`.

    `versions` names the version that is meant, for each library where that matters.
    """
    found = None
    for duet in duets:
        if duet.operation != operation or any(
            versions.get(side.library, side.version) != side.version for side in (duet.a, duet.b)
        ):
            continue
        if (duet.a.library, duet.b.library) == (a, b):
            found = duet
        elif (duet.a.library, duet.b.library) == (b, a):
            found = duet.inverted()
    return found
