"""One process at a time."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from . import steps

_POLL = 0.2


@contextmanager
def alone(path: Path, reason: str) -> Iterator[None]:
    """Hold a lock that the kernel drops whatever becomes of this process.

    Parameters
    ----------
    path : pathlib.Path
        The lock's file, in a folder that is made if need be.
    reason : str
        What another process does while it holds the lock, for the user who waits.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        said = -steps.HEARTBEAT
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() - said >= steps.HEARTBEAT:
                    said = time.monotonic()
                    steps.say(f"{reason}: waiting for it")
                time.sleep(_POLL)
        yield
