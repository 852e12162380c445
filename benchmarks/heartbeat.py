"""A sign of life while something long says nothing."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

SILENCE = 8.0


class _Watched:
    """A text stream that remembers when it was last written to."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.last = time.monotonic()

    def write(self, text: str) -> int:
        self.last = time.monotonic()
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def heartbeat(what: str, silence: float = SILENCE) -> Iterator[None]:
    """Print a line whenever standard output has been silent for a while.

    Parameters
    ----------
    what : str
        What is going on.
    silence : float
        Seconds of silence that are long enough.
    """
    real, watched = sys.stdout, _Watched(sys.stdout)
    begin, done = time.monotonic(), threading.Event()

    def watch() -> None:
        while not done.wait(silence / 8):
            if time.monotonic() - watched.last >= silence:
                watched.write(f"\n{what}: still at it after {time.monotonic() - begin:.0f} s\n")
                real.flush()

    sys.stdout = cast(TextIO, watched)
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        sys.stdout = real
