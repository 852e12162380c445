"""How often the duet is wrong: same code on both sides, and a slow-down planted in the driver.

``python -m benchmarks.instruments.trials OPERATION LIBRARY --runs 200`` plays the library against
itself, in fresh processes each time, and says how many runs would accuse it. With ``--delay
FUNCTION=NS`` the null driver takes that much longer in one function on side A, with ``--extra
STATEMENT`` side A does a little more Python, and it says how many runs find it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from ..statement import Statement
from .play import Limits, duet
from .side import InstrumentError, Side
from .worker import load_adapter

if TYPE_CHECKING:
    from ..adapters import Adapter

PLANTED = "RULER_PLANTED"
MARGINS = (0.0, 0.01, 0.02, 0.03)
"""How far the near end of the interval must be above 1 for a run to say "slower"."""

Ratio = tuple[float, float, float]


class Padded:
    """An adapter with a statement more in every operation."""

    def __init__(self) -> None:
        """Load the adapter and the statement that `PLANTED` names."""
        library, self._extra = os.environ[PLANTED].split("=", 1)
        self._adapter = load_adapter(library)

    def body(self, operation: str) -> Statement:
        """Return the operation with the statement after it."""
        body = self._adapter.body(operation)
        if not isinstance(body, Statement):
            raise NotImplementedError("a statement cannot be added to a C loop")
        return Statement(f"{body.source}\n{self._extra}", body.names)

    def __getattr__(self, name: str) -> Any:
        """Do everything else as the adapter does it."""
        return getattr(self._adapter, name)


def delayed() -> Adapter:
    """Return the adapter that `PLANTED` names, with a driver function made slower."""
    from .. import driver

    library, function, nanoseconds = os.environ[PLANTED].split("=")
    adapter = load_adapter(library)
    control = driver.control()
    if control is None:
        raise RuntimeError("delays are planted in the null driver: set BENCH_DRIVER=null")
    control.inject_delay(function, int(nanoseconds))
    return adapter


def play(operation: str, a: Side, b: Side, runs: int, limits: Limits) -> list[Ratio]:
    """Return ratio and interval of many duets, each with fresh workers."""
    found = []
    for run in range(runs):
        result = duet(a, b, operation, limits)
        found.append((result.ratio, *result.interval))
        print(f"\r{run + 1} of {runs}: {result.ratio:.3f}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def slower(found: Sequence[Ratio], margin: float) -> int:
    """Return how many runs say that A is slower than B by more than a margin."""
    return sum(low > 1 + margin for _, low, _ in found)


def accused(found: Sequence[Ratio], margin: float) -> int:
    """Return how many runs say that either side is slower by more than a margin."""
    return sum(low > 1 + margin or high < 1 - margin for _, low, high in found)


def main(argv: Sequence[str]) -> int:
    """Play, and print how many runs said what; status 2 if a run failed."""
    arguments = _parser().parse_args(argv)
    library = arguments.library
    a = b = Side(library)
    plant = arguments.delay or arguments.extra
    if plant:
        os.environ[PLANTED] = f"{library}={plant}"
        maker = "delayed" if arguments.delay else "Padded"
        a = Side(f"benchmarks.instruments.trials:{maker}", label="planted")
    limits = Limits(seconds=arguments.time_limit, width=arguments.width)
    try:
        found = play(arguments.operation, a, b, arguments.runs, limits)
    except InstrumentError as error:
        print(f"trials: {error}", file=sys.stderr)
        return 2
    ratios = sorted(ratio for ratio, _, _ in found)
    what = f"planted {plant}" if plant else "same code"
    print(
        f"{arguments.operation}, {library}, {what}: {len(found)} runs, ratio {median(ratios):.4f}"
        f" (least {ratios[0]:.4f}, most {ratios[-1]:.4f})"
    )
    for margin in MARGINS:
        count = slower(found, margin) if plant else accused(found, margin)
        word = "found slower" if plant else "accused"
        print(f"  {word} by more than {margin:.0%}: {count} of {len(found)}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"what": what, "runs": found}) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    limits = Limits()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.instruments.trials")
    parser.add_argument("operation")
    parser.add_argument("library")
    parser.add_argument("--runs", type=int, default=200)
    planted = parser.add_mutually_exclusive_group()
    planted.add_argument("--delay", metavar="FUNCTION=NS", help="a delay in the null driver")
    planted.add_argument("--extra", metavar="STATEMENT", help="Python after every operation")
    parser.add_argument("--time-limit", type=float, default=limits.seconds, metavar="S")
    parser.add_argument("--width", type=float, default=limits.width, metavar="SHARE")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
