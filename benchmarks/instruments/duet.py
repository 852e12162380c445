"""Paired time: two processes on one core take turns, so that drift hits both sides alike.

The ratio of neighbouring slices says far more than two separate runs can (Bulej et al., "Duet
Benchmarking: Improving Measurement Accuracy in the Cloud", ICPE 2020). A round is four slices,
A B B A, of a few hundred microseconds at most; each slice is timed by its own process around its
own loop, next to a slice of the empty loop. Rounds go on until the interval is narrow enough or
the time is up.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from .builds import named_side
from .duet_result import DuetResult
from .play import Duet, Limits, duet
from .results_file import write_results
from .side import NOT_OFFERED, InstrumentError, Side

__all__ = ["Duet", "DuetResult", "Limits", "Side", "describe", "duet", "main"]

_SIDE_OPTIONS = ("rev", "python", "pythonpath", "label")


def main(argv: list[str]) -> int:
    """Run the verb ``duet``: exit status 0 when measured, 2 when there is nothing to trust."""
    arguments = _parser().parse_args(argv)
    try:
        names, limits = _operations(arguments), _limits(arguments)
    except ValueError as error:
        print(f"duet: {error}", file=sys.stderr)
        return 2
    try:
        a, b = _side(arguments, "a"), _side(arguments, "b")
    except InstrumentError as error:
        print(f"duet: {error}", file=sys.stderr)
        return 2
    results: list[DuetResult] = []
    skipped: list[dict[str, str]] = []
    status = 0
    try:
        with Duet(a, b) as both:
            for name in names:
                try:
                    results.append(both.measure(name, limits))
                    print(describe(results[-1]), flush=True)
                except InstrumentError as error:
                    print(f"{name}: not measured: {error}", file=sys.stderr)
                    skipped.append({"operation": name, **error.failure})
                    if not (arguments.all and error.status in NOT_OFFERED):
                        status = 2
    except KeyboardInterrupt:
        print("duet: interrupted; what was measured so far is kept", file=sys.stderr)
        status = 2
    if arguments.json:
        write_results(arguments.json, "duet", results, skipped)
    return status if results else 2


def describe(result: DuetResult) -> str:
    """Return the one line that the terminal shows of a result."""
    low, high = result.interval
    net = "" if result.net_ratio is None else f", net {result.net_ratio:.3f}"
    return (
        f"{result.operation}: {result.a.label} / {result.b.label} = {result.ratio:.3f} "
        f"[{low:.3f}, {high:.3f}]{net}; net {result.a.net_ns:.1f} and {result.b.net_ns:.1f} ns, "
        f"difference {result.difference_ns:+.1f} ns; noise {result.noise:.1%}, "
        f"{result.rounds} rounds in {result.seconds:.1f} s ({result.stopped})"
    )


def _side(arguments: argparse.Namespace, letter: str) -> Side:
    given = {name: getattr(arguments, f"{name}_{letter}") for name in _SIDE_OPTIONS}
    name = getattr(arguments, letter)
    if given["rev"]:
        name = f"{name.partition('@')[0]}@{given['rev']}"
    side = named_side(name, given["python"])
    changes = {key: given[key] for key in ("pythonpath", "label") if given[key]}
    return replace(side, **changes)


def _operations(arguments: argparse.Namespace) -> list[str]:
    from ..operations import OPERATIONS

    if arguments.all:
        if arguments.operation is not None:
            raise ValueError("give operations or --all, not both")
        return [name for name, entry in OPERATIONS.items() if entry.unit == "ns"]
    return str(arguments.operation).split(",")


def _limits(arguments: argparse.Namespace) -> Limits:
    allowed = sorted(os.sched_getaffinity(0))
    if arguments.core is not None and arguments.core not in allowed:
        raise ValueError(f"core {arguments.core} is not one of those allowed: {allowed}")
    if arguments.width <= 0 or arguments.time_limit <= 0:
        raise ValueError("--width and --time-limit must be positive")
    if arguments.slice is not None and arguments.slice < 1:
        raise ValueError("--slice must be at least one operation")
    return Limits(
        width=arguments.width,
        seconds=arguments.time_limit,
        confidence=arguments.confidence,
        operations=arguments.slice,
        core=arguments.core,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks duet", description="Paired time of two libraries or builds."
    )
    parser.add_argument("operation", nargs="?", help="a name, or several separated by commas")
    parser.add_argument("a", help="side A: a library, or fastpaths@REVISION, or fastpaths@WHEEL")
    parser.add_argument("b", help="side B")
    parser.add_argument("--all", action="store_true", help="every operation of the catalogue")
    for side in ("a", "b"):
        parser.add_argument(
            f"--rev-{side}", metavar="REV", help="fastpaths at this revision, or this wheel"
        )
        parser.add_argument(f"--python-{side}", metavar="PATH", help="interpreter of this side")
        parser.add_argument(f"--pythonpath-{side}", metavar="PATH", help="searched before all")
        parser.add_argument(f"--label-{side}", metavar="NAME", help="what reports call this side")
    limits = Limits()
    parser.add_argument("--time-limit", type=float, default=limits.seconds, metavar="S")
    parser.add_argument("--width", type=float, default=limits.width, metavar="SHARE")
    parser.add_argument("--confidence", type=float, default=limits.confidence)
    parser.add_argument("--slice", type=int, metavar="N", help="operations per slice")
    parser.add_argument("--core", type=int, help="the core both sides share")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser
