"""The two worker processes of a duet, and the conversation with them."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import IO, Any

from .duet_worker import PEER_GONE
from .side import InstrumentError, Side, failure_of, fixed_layout

MODULE = "benchmarks.instruments.duet_worker"


class Pair:
    """Two workers that pass a turn to each other; a context manager that ends both.

    Parameters
    ----------
    a, b : Side
        The two sides. `a` leads every round.
    start_timeout : float
        Seconds a worker may take to import its library and start the driver.
    """

    def __init__(self, a: Side, b: Side, *, start_timeout: float = 120.0) -> None:
        """Start both workers and wait until they are ready."""
        self.sides = (a, b)
        self._processes: list[subprocess.Popen[bytes]] = []
        self._commands: list[int] = []
        self._replies: list[int] = []
        self._errors: list[IO[bytes]] = []
        self._buffers = [b"", b""]
        try:
            self._start()
            self.identities: list[dict[str, Any]] = self._collect((0, 1), start_timeout, "starting")
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        turns = [os.pipe(), os.pipe()]  # A reads the first and writes the second
        try:
            for index, side in enumerate(self.sides):
                command_read, command_write = os.pipe()
                reply_read, reply_write = os.pipe()
                turn_in, turn_out = turns[index][0], turns[1 - index][1]
                inherited = (command_read, reply_write, turn_in, turn_out)
                arguments = [side.library, str(os.getpid()), "AB"[index], *map(str, inherited)]
                stderr = tempfile.TemporaryFile()  # noqa: SIM115 (close() closes it)
                self._errors.append(stderr)
                self._commands.append(command_write)
                self._replies.append(reply_read)
                try:
                    self._processes.append(
                        subprocess.Popen(
                            [*fixed_layout(), *side.command(MODULE, arguments)],
                            env=side.environment(),
                            pass_fds=inherited,
                            stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL,
                            stderr=stderr,
                        )
                    )
                except OSError as error:
                    raise InstrumentError(f"{self._called(index)} cannot start: {error}") from error
                finally:
                    os.close(command_read)
                    os.close(reply_write)
        finally:
            for end in (*turns[0], *turns[1]):
                os.close(end)

    def ask(self, commands: Mapping[int, dict[str, Any]], timeout: float) -> list[dict[str, Any]]:
        """Send each worker named (0 is A, 1 is B) its command and return the replies in order."""
        for index, command in commands.items():
            line = json.dumps(command).encode() + b"\n"
            with contextlib.suppress(BrokenPipeError):  # told apart by the missing reply
                os.write(self._commands[index], line)
        what = {str(command.get("operation", command["do"])) for command in commands.values()}
        return self._collect(list(commands), timeout, ", ".join(sorted(what)))

    def _collect(self, who: Sequence[int], timeout: float, what: str) -> list[dict[str, Any]]:
        deadline = time.monotonic() + timeout
        replies: dict[int, dict[str, Any]] = {}
        with selectors.DefaultSelector() as selector:
            for index in who:
                selector.register(self._replies[index], selectors.EVENT_READ, index)
            while len(replies) < len(who):
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready:
                    late = [self._called(i) for i in who if i not in replies]
                    raise InstrumentError(
                        f"{' and '.join(late)} did not answer within {timeout:g} s ({what})"
                    )
                for key, _ in ready:
                    index = key.data
                    chunk = os.read(self._replies[index], 1 << 16)
                    if not chunk:
                        raise InstrumentError(f"{self._obituary()} ({what})")
                    self._buffers[index] += chunk
                    if self._buffers[index].endswith(b"\n"):
                        replies[index] = json.loads(self._buffers[index])
                        self._buffers[index] = b""
                        selector.unregister(key.fd)
                        self._check(index, replies[index])
        return [replies[index] for index in who]

    def _check(self, index: int, reply: dict[str, Any]) -> None:
        if "error" in reply:
            raise failure_of(self._called(index), reply["error"])

    def _called(self, index: int) -> str:
        return f"worker {'AB'[index]} ({self.sides[index].name})"

    def _obituary(self) -> str:
        """Say which worker died of itself, and how; the other one only lost its peer."""
        codes: list[int | None] = []
        for process in self._processes:
            try:
                codes.append(process.wait(1.0))
            except subprocess.TimeoutExpired:
                codes.append(None)
        for index, code in enumerate(codes):
            if code is not None and code != PEER_GONE:
                how = f"exit status {code}" if code >= 0 else signal.Signals(-code).name
                return f"{self._called(index)} died with {how}{self._last_words(index)}"
        return "a worker closed its reply pipe"

    def _last_words(self, index: int) -> str:
        self._errors[index].seek(0)
        lines = self._errors[index].read().decode(errors="replace").strip().splitlines()
        return f": {lines[-1]}" if lines else ""

    def close(self) -> None:
        """End both workers; safe to call twice."""
        for descriptor in (*self._commands, *self._replies):
            os.close(descriptor)
        for process in self._processes:
            process.kill()
            process.wait()
        for stderr in self._errors:
            stderr.close()
        self._commands, self._replies, self._processes, self._errors = [], [], [], []

    def __enter__(self) -> Pair:
        """Return the pair."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End both workers."""
        self.close()
