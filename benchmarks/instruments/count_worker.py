"""The process under valgrind: every operation's loop, with a dump after each."""

from __future__ import annotations

import ctypes
import sys
from typing import TYPE_CHECKING, Any

from .once import answer_once
from .worker import explain, identity, load_adapter, quiet_memory

if TYPE_CHECKING:
    from ..statement import Loop

EMPTY = "(empty loop)"
_REHEARSAL = "rehearsal"
_REHEARSALS = 20
_WARM_UP = 25


class Requests:
    """Callgrind's client requests, through the helper library ``rulerctl``."""

    def __init__(self, library: str) -> None:
        """Load the helper.

        Raises
        ------
        RuntimeError
            If this process does not run under valgrind.
        """
        helper = ctypes.PyDLL(library)
        self.start, self.stop = helper.rulerctl_start, helper.rulerctl_stop
        self.dump = helper.rulerctl_dump
        if not helper.rulerctl_under_valgrind():
            raise RuntimeError("this process does not run under valgrind")


def dump_name(operation: str, times: int) -> str:
    """Return the name of the dump of a loop."""
    return f"{operation} x {times}"


def count_here(request: dict[str, Any]) -> dict[str, Any]:
    """Loop over the requested operations and have callgrind dump after each loop."""
    requests = Requests(request["rulerctl"])
    adapter = load_adapter(request["library"])
    loops = {EMPTY: adapter.empty().loop()}
    failures = {}
    for operation in request["operations"]:
        try:
            loops[operation] = adapter.body(operation).loop()
            for _ in range(_REHEARSALS):
                loops[operation](_WARM_UP)
        except Exception as error:
            loops.pop(operation, None)
            failures[operation] = explain(error)
    few, many = request["times"]
    quiet_memory()
    for _ in range(_REHEARSALS):  # the interpreter specialises code that has run often enough
        _loop_and_dump(requests, loops[EMPTY], _REHEARSAL, (1, 1, 1))
    requests.start()
    _loop_and_dump(requests, loops[EMPTY], _REHEARSAL, (few, few, many))
    for operation, loop in loops.items():
        _loop_and_dump(requests, loop, operation, (few, few, many))
    requests.stop()
    return {"failures": failures, "counted": list(loops), "identity": identity(adapter)}


def _loop_and_dump(
    requests: Requests, loop: Loop, operation: str, repetitions: tuple[int, int, int]
) -> None:
    """Loop three times with a dump after each: the first pays for new code and is overwritten."""
    dump = requests.dump
    for times, name in [(times, dump_name(operation, times).encode()) for times in repetitions]:
        loop(times)
        dump(name)


def main(arguments: list[str]) -> int:
    """Answer one request."""
    return answer_once(count_here)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
