"""``python -m benchmarks VERB``: a line per verb, the work is elsewhere."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

VERBS = {
    "run": ("run", "measure this commit: every operation on every library"),
    "doctor": ("doctor", "say what this machine can measure, and what to do about the rest"),
    "duet": ("instruments.duet", "the ratio of two libraries or builds, taking turns on one core"),
    "count": ("instruments.count", "instructions per operation, under callgrind"),
    "compare": ("base_and_head", "measure two revisions of fastpaths for the gate"),
    "trace": ("instruments.trace", "the driver calls that one operation makes, in order"),
}


def usage() -> str:
    """Return one line per verb."""
    lines = [f"  {verb:<8} {summary}" for verb, (_, summary) in VERBS.items()]
    return "\n".join(["usage: python -m benchmarks VERB [--help]", "", *lines])


def main(argv: Sequence[str]) -> int:
    """Run one verb and return its exit status; 2 if there is no such verb."""
    if not argv or argv[0] in ("-h", "--help"):
        print(usage())
        return 0 if argv else 2
    if argv[0] not in VERBS:
        known = ", ".join(VERBS)
        print(f"benchmarks: unknown verb {argv[0]!r}; choose one of {known}", file=sys.stderr)
        return 2
    module = importlib.import_module(f".{VERBS[argv[0]][0]}", __package__)
    status: int = module.main(list(argv[1:]))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
