"""Commands that take long, run so that a user always sees what is going on."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

HEARTBEAT = 8.0
_POLL = 0.2
_GRACE = 5.0
_NETWORK = re.compile(
    r"NewConnectionError|Name or service not known|name resolution|Network is unreachable"
    r"|Connection refused|ConnectTimeout|No matching distribution found|Max retries exceeded"
)


class SetUpError(Exception):
    """The set-up cannot go on; the message is one sentence that says what to do."""


def say(text: str) -> None:
    """Print one line at once."""
    print(f"prepare: {text}", flush=True)


def run(
    what: str,
    command: Sequence[str],
    log: Path,
    environment: Mapping[str, str] | None = None,
    heartbeat: float = HEARTBEAT,
) -> None:
    """Run a command with its output in a log file, and say every few seconds that it runs.

    Parameters
    ----------
    what : str
        What the command does, for the user.
    command : sequence of str
        The command.
    log : pathlib.Path
        Where its output goes.
    environment : mapping of str to str, optional
        Additional environment variables.
    heartbeat : float
        Seconds between two signs of life.

    Raises
    ------
    SetUpError
        If the command cannot be started or fails, with the end of its output.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    say(what)
    begin = said = time.monotonic()
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
            )
        except OSError as error:
            raise SetUpError(f"{what}: {command[0]} cannot be run ({error.strerror})") from error
        try:
            while process.poll() is None:
                time.sleep(_POLL)
                if time.monotonic() - said >= heartbeat:
                    said = time.monotonic()
                    say(f"  still at it after {said - begin:.0f} s: {what}")
        except BaseException:
            _stop(process)
            raise
    if process.returncode:
        raise SetUpError(_explain(what, log))


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Interrupt a command and its children, so that they can tidy up, and kill what stays."""
    try:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(_GRACE)
    except (OSError, subprocess.TimeoutExpired):
        pass
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _explain(what: str, log: Path) -> str:
    text = log.read_text(errors="replace")
    tail = "\n".join(text.strip().splitlines()[-12:])
    print(tail, file=sys.stderr, flush=True)
    if _NETWORK.search(text):
        return (
            f"{what} failed because the package index cannot be reached or lacks the package:"
            f" check the network and pip's settings, then run make again (log: {log})"
        )
    return f"{what} failed, its last lines are above: see {log}, then run make again"
