"""One of the two processes of a duet: runs slices when it is its turn, and sleeps otherwise.

Commands and replies are JSON lines on two inherited pipes; the turn is a single byte that the
two workers pass to each other on two more, so that a batch of slices needs nobody else.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from ..statement import EMPTY, Body, Loop
from .worker import die_with_parent, explain, identity, load_adapter, quiet_memory

if TYPE_CHECKING:
    from ..adapters import Adapter

PEER_GONE = 3
_CALIBRATION_NS = 300_000
_CALIBRATIONS = 5
_WHO = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)
_MOST_OPERATIONS = 100_000


class Worker:
    """The state of one side: its adapter and the loops of the operation in hand."""

    def __init__(self, adapter: Adapter, turn_in: int, turn_out: int, leads: bool) -> None:
        """Serve `adapter`; the two turn pipes lead from and to the other worker."""
        self.adapter = adapter
        self.turn_in = turn_in
        self.turn_out = turn_out
        self.leads = leads
        self.body: Body = EMPTY
        self.loop: Loop = _nothing
        self.empty: Loop = adapter.empty().loop()
        self.slices: list[int] = []
        self.empties: list[int] = []
        self.interrupted: list[bool] = []

    def prepare(self, operation: str, core: int | None) -> dict[str, Any]:
        """Set an operation up, pin this thread, and return the operation's rough cost in ns."""
        self.body = self.adapter.body(operation)
        self.loop = self.body.loop()
        if core is not None:
            os.sched_setaffinity(0, {core})
        quiet_memory()
        return {"ns": _rough_cost(self.loop)}

    def batch(self, rounds: int, operations: int) -> dict[str, Any]:
        """Play `rounds` rounds of A B B A and return this side's slice times in ns.

        A slice during which the kernel gave the core to another process is marked as interrupted.
        Where code lies in memory can make it several per cent faster or slower, for as long as it
        lies there; every batch therefore compiles its loop anew, which draws another place
        (Curtsinger and Berger, "Stabilizer", ASPLOS 2013).
        """
        self.slices, self.empties, self.interrupted = [], [], []
        self.loop = self.body.loop()
        for _ in range(rounds):
            if self.leads:
                self._slice(operations)
                os.write(self.turn_out, b"t")
                self._await_turn()
                self._slice(operations)
            else:
                self._await_turn()
                self._slice(operations)
                self._slice(operations)
                os.write(self.turn_out, b"t")
        return {
            "slices": self.slices,
            "empties": self.empties,
            "interrupted": self.interrupted,
        }

    def _slice(self, operations: int) -> None:
        loop, empty = self.loop, self.empty
        loop(operations // 16 + 1)  # the other side has just had the caches
        before = resource.getrusage(_WHO).ru_nivcsw
        begin = perf_counter_ns()
        empty(operations)
        middle = perf_counter_ns()
        loop(operations)
        end = perf_counter_ns()
        self.interrupted.append(resource.getrusage(_WHO).ru_nivcsw != before)
        self.empties.append(middle - begin)
        self.slices.append(end - middle)

    def _await_turn(self) -> None:
        if not os.read(self.turn_in, 1):
            os._exit(PEER_GONE)


def _nothing(_: int) -> None:
    return


def _rough_cost(loop: Loop) -> float:
    loop(1)
    operations = 1
    while _elapsed(loop, operations) < _CALIBRATION_NS and operations < _MOST_OPERATIONS:
        operations *= 2
    least = min(_elapsed(loop, operations) for _ in range(_CALIBRATIONS))
    return max(least / operations, 0.1)


def _elapsed(loop: Loop, operations: int) -> int:
    begin = perf_counter_ns()
    loop(operations)
    return perf_counter_ns() - begin


def main(arguments: list[str]) -> int:
    """Serve one side until the command pipe closes."""
    library, parent, leads, *pipes = arguments
    commands, replies, turn_in, turn_out = map(int, pipes)
    die_with_parent(int(parent))

    def reply(message: dict[str, Any]) -> None:
        os.write(replies, json.dumps(message).encode() + b"\n")

    try:
        adapter = load_adapter(library)
        worker = Worker(adapter, turn_in, turn_out, leads == "A")
        reply(identity(adapter))
    except Exception as error:
        reply({"error": explain(error)})
        return 1
    with os.fdopen(commands) as lines:
        for line in lines:
            command = json.loads(line)
            try:
                reply(getattr(worker, command.pop("do"))(**command))
            except Exception as error:
                reply({"error": explain(error)})
                if "operations" in command:  # the peer waits for a turn that will not come
                    return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
