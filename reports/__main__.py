"""``python -m reports VERB``: a line per verb, the work is elsewhere."""

from __future__ import annotations

import importlib
import sys

from reports.documents import ReportError

VERBS = {
    "table": (
        "reports.scoreboard:main",
        "operation x library: ns, ratio to CuPy, ratio to the floor",
    ),
    "first-light": (
        "reports.first_light:main",
        "write first-light.md: the seed's figures, then and now",
    ),
    "readme": (
        "reports.readme:main",
        "refresh README.md's table (--check: only say if it is stale)",
    ),
    "gate": (
        "reports.gate.command:main",
        "did head become worse than base? 0 no, 1 yes, 2 nobody can say",
    ),
    "bars": (
        "reports.fastpaths_bars:main",
        "refresh fastpaths.md's tables: every bar, its figure and verdict",
    ),
    "publish": (
        "reports.site:main",
        "make asv's pages in reports/html and name what they leave out",
    ),
}


def usage() -> str:
    """One line per verb."""
    lines = [f"  {verb:<12} {summary}" for verb, (_, summary) in VERBS.items()]
    return "\n".join(["usage: python -m reports VERB [--help]", "", *lines])


def main(argv: list[str]) -> int:
    """Run one verb.

    Returns
    -------
    int
        0 all is well, 1 something is missing or unreadable and was named, 2 nothing to report.
    """
    if not argv or argv[0] in ("-h", "--help"):
        print(usage())
        return 0 if argv else 2
    if argv[0] not in VERBS:
        print(
            f"reports: unknown verb {argv[0]!r}; choose one of {', '.join(VERBS)}", file=sys.stderr
        )
        return 2
    module, function = VERBS[argv[0]][0].split(":")
    try:
        status = getattr(importlib.import_module(module), function)(argv[1:])
    except ReportError as error:
        print(f"reports: {error}", file=sys.stderr)
        return 2
    return int(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
