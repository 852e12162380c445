"""Duets in Markdown: one table per pair of libraries, and what they were measured on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reports import figures
from reports.duets import Duet, Interval
from reports.likeness import Likeness, Traces, likeness
from reports.pages import escaped, table

HEAD = ["operation", "A, ns", "B, ns", "A / B", "A - B, ns", "rounds", "noise"]
CAPTION = (
    "Two processes took turns on one core; the empty loop is off on both sides. In brackets, the"
    " interval of the ratio and of the difference."
)


def ratio(duet: Duet) -> str:
    """The net ratio with its interval; the gross one, and so marked, where there is no net one."""
    if duet.net_ratio is None or duet.net_interval is None:
        return f"{_with_interval(duet.ratio, duet.interval, figures.fine)} (loop included)"
    return _with_interval(duet.net_ratio, duet.net_interval, figures.fine)


def difference(duet: Duet) -> str:
    """The difference in ns with its interval."""
    return _with_interval(duet.difference, duet.difference_interval, figures.signed)


def _with_interval(value: float, interval: Interval, write: figures.Writer) -> str:
    return f"{write(value)} [{write(interval[0])}, {write(interval[1])}]"


def _row(duet: Duet, traces: Traces) -> list[str]:
    sign = likeness(traces, duet.operation, duet.a.library, duet.b.library)
    return [
        f"`{duet.operation}`{sign.value if sign is Likeness.DIFFERENT else ''}",
        figures.significant(duet.a.net_ns),
        figures.significant(duet.b.net_ns),
        ratio(duet),
        difference(duet),
        str(duet.rounds),
        f"{duet.noise:.1%}",
    ]


def tables(duets: Iterable[Duet], traces: Traces) -> list[str]:
    """The lines of one table per pair, the pairs in order of first mention."""
    pairs: dict[tuple[str, str], list[Duet]] = {}
    for duet in duets:
        pairs.setdefault((duet.a.name, duet.b.name), []).append(duet)
    lines: list[str] = []
    for (a, b), played in pairs.items():
        lines += [f"**A = {escaped(a)}, B = {escaped(b)}**", ""]
        lines += [*table(HEAD, [_row(duet, traces) for duet in played]), ""]
    return lines


def sources(duets: Sequence[Duet]) -> list[str]:
    """One line per file: hardware, driver, versions, commit, date, confidence."""
    lines = {}
    for duet in duets:
        origin = duet.source
        versions = dict(sorted({**duet.a.versions, **duet.b.versions}.items()))
        told = ", ".join(f"{name} {version}" for name, version in versions.items()) or "C loops"
        commit = f"commit {origin.commit[:8]}" if origin.commit else "no commit"
        commit += " with uncommitted changes" if origin.dirty else ""
        lines[origin.path.name] = (
            f"{origin.path.name}: {origin.gpu or 'no GPU'}; {origin.driver}; {origin.cpu}; Python"
            f" {duet.a.python}; {told}; {commit}; {origin.date};"
            f" intervals of {duet.confidence:.0%} confidence"
        )
    return list(lines.values())


def summary(duets: Sequence[Duet]) -> str:
    """One line for all of them: how many files, of which commits and days."""
    origins = {duet.source.path.name: duet.source for duet in duets}
    commits = sorted({origin.commit[:8] for origin in origins.values() if origin.commit})
    days = sorted({origin.date[:10] for origin in origins.values()})
    confidence = ", ".join(sorted({f"{duet.confidence:.0%}" for duet in duets}))
    return (
        f"duets: {', '.join(sorted(origins))}; commit {', '.join(commits) or 'unknown'};"
        f" {' to '.join(dict.fromkeys([days[0], days[-1]]))}; intervals of {confidence} confidence"
    )
