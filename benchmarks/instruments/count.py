"""Instructions per operation under callgrind, on the null driver: a figure without noise.

One valgrind process counts all operations of a library. Counting is switched on by client request
around the loops, so start-up is not paid for; each operation is looped twice, and the difference
of the two counts is what the additional repetitions took.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .builds import named_side
from .callgrind_output import Dump, read_dumps
from .controlled import NoValgrindError, callgrind, conditions, environment, valgrind_version
from .count_result import CountResult, per_operation
from .count_worker import EMPTY, dump_name
from .once import ask_once
from .results_file import write_results
from .side import NOT_OFFERED, Failure, InstrumentError, Side

WORKER = "benchmarks.instruments.count_worker"
TIMES = (100, 1100)
_TIMEOUT = 600.0
_ARCHITECTURES = ("x86_64", "aarch64")


@dataclass(frozen=True)
class Counts:
    """The counts of one side.

    Attributes
    ----------
    results : dict of str to CountResult
        By operation.
    failures : dict of str to Failure
        Operation to what stands in place of its count.
    """

    results: dict[str, CountResult]
    failures: dict[str, Failure]


def count(side: Side | str, operations: Sequence[str], times: tuple[int, int] = TIMES) -> Counts:
    """Count the instructions of operations of one side, in one valgrind process.

    Parameters
    ----------
    side : Side or str
        A side, or the name of a library of this interpreter.
    operations : sequence of str
        Catalogued operations that are looped.
    times : tuple of int
        Repetitions of the shorter and of the longer loop.

    Raises
    ------
    NoValgrindError
        There is no valgrind.
    NotOfferedError
        The side's library is not installed.
    InstrumentError
        The process failed; the message says why.
    """
    side = Side(side) if isinstance(side, str) else side
    valgrind_version()
    if platform.machine() not in _ARCHITECTURES:
        raise NoValgrindError(f"counting on {platform.machine()} is not supported: use x86_64")
    request = {
        "operations": list(operations),
        "times": times,
        "rulerctl": str(_helper()),
    }
    with tempfile.TemporaryDirectory(prefix="count-") as folder:
        out_file = Path(folder) / "counted"
        reply = ask_once(
            side,
            WORKER,
            request,
            timeout=_TIMEOUT,
            prefix=callgrind(out_file),
            environment=environment(side, side.command(WORKER, [])),
        )
        try:
            dumps = read_dumps(out_file)
        except ValueError as error:
            raise InstrumentError(f"{side.name}: {error}") from error
    return Counts(_results(side, reply, dumps, times), reply["failures"])


def _helper() -> Path:
    """Return the library with callgrind's client requests, which is built beside the floor."""
    from .. import ruler

    helper = ruler.floor().with_name("librulerctl.so")
    if not helper.exists():
        raise ruler.RulerMissingError(f"{helper} is missing: run `make build`")
    return helper


def _results(
    side: Side, reply: dict[str, Any], dumps: dict[str, Dump], times: tuple[int, int]
) -> dict[str, CountResult]:
    few, many = times

    def figures(name: str) -> Any:
        try:
            return per_operation(
                dumps[dump_name(name, few)], dumps[dump_name(name, many)], many - few
            )
        except KeyError as error:
            raise InstrumentError(f"{side.name}: callgrind left no dump of {error}") from error

    empty = figures(EMPTY).instructions
    results = {}
    for operation in reply["counted"]:
        if operation == EMPTY:
            continue
        found = figures(operation)
        results[operation] = CountResult(
            operation=operation,
            library=side.library,
            label=side.name,
            origin=side.origin,
            instructions=found.instructions,
            empty=empty,
            net=found.instructions - empty,
            driver=found.driver,
            objects=found.objects,
            functions=found.functions,
            times=many - few,
            identity={**reply["identity"], "conditions": conditions()},
        )
    return results


def describe(result: CountResult, functions: int = 0) -> str:
    """Return the lines that the terminal shows of a result."""
    lines = [
        f"{result.operation}, {result.label}: {result.instructions:.1f} instructions"
        f" ({result.empty:.1f} of them the empty loop; driver calls {result.driver:.1f},"
        f" the rest {result.without_driver:.1f})"
    ]
    parts = ", ".join(f"{name} {share:.1f}" for name, share in result.objects.items())
    lines.append(f"  by object: {parts}")
    places = [
        (share, name, function)
        for name, shares in result.functions.items()
        for function, share in shares.items()
    ]
    for share, name, function in sorted(places, reverse=True)[:functions]:
        lines.append(f"  {share:9.1f}  {function}  [{name}]")
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """Run the verb ``count``: 0 counted, 2 something failed or nothing was counted."""
    from ..adapters import LIBRARIES
    from ..operations import LOOPED

    arguments = _parser().parse_args(argv)
    names = arguments.operation or list(LOOPED)
    if unknown := [name for name in names if name not in LOOPED]:
        print(f"count: no operation {unknown[0]!r}; there are {', '.join(LOOPED)}", file=sys.stderr)
        return 2
    libraries = arguments.library or [name for name in LIBRARIES if name != "torch"]
    results: list[CountResult] = []
    skipped: list[dict[str, str]] = []
    status = 0
    try:
        for library in libraries:
            print(f"count: {library} under callgrind", file=sys.stderr, flush=True)
            try:
                side = named_side(library, arguments.python)
                if arguments.pythonpath:
                    side = replace(side, pythonpath=arguments.pythonpath)
                found = count(side, names)
            except NoValgrindError:
                raise
            except InstrumentError as error:
                print(f"count: {error}", file=sys.stderr)
                found = Counts({}, dict.fromkeys(names, error.failure))
            for result in found.results.values():
                print(describe(result, arguments.functions), flush=True)
            results += found.results.values()
            for name, failure in found.failures.items():
                skipped.append({"operation": name, "library": library, **failure})
                if failure["status"] not in NOT_OFFERED:
                    print(f"count: {library}, {name}: {failure['reason']}", file=sys.stderr)
                    status = 2
    except NoValgrindError as error:
        print(f"count: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("count: interrupted; what was counted so far is kept", file=sys.stderr)
        status = 2
    if arguments.json:
        write_results(arguments.json, "count", results, skipped)
    return status if results else 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks count", description=__doc__)
    parser.add_argument("operation", nargs="*", help="operations; all of them unless given")
    parser.add_argument(
        "--library",
        action="append",
        metavar="L",
        help="these sides alone: a library, fastpaths@REVISION, or fastpaths@WHEEL",
    )
    parser.add_argument("--python", metavar="PATH", help="another interpreter")
    parser.add_argument("--pythonpath", metavar="PATH", help="searched before all")
    parser.add_argument(
        "--functions", type=int, default=0, metavar="N", help="show the N largest functions"
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser
