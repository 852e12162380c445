"""One side of a measurement: a library in an interpreter, and how its worker is started."""

from __future__ import annotations

import functools
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HASH_SEED = "0"
_BOOT = Path(__file__).with_name("boot.py")


Failure = dict[str, str]
"""What stands in place of a result: its ``status`` and the ``reason``.

The status is "unsupported" (the library has no such operation), "missing" (it is not installed),
"unknown" (no such operation or library), "failed" or, of driver calls, "unobserved".
"""

NOT_OFFERED = ("unsupported", "missing")


class InstrumentError(RuntimeError):
    """A measurement that could not be made; the message says which side and why."""

    def __init__(self, message: str, status: str = "failed") -> None:
        super().__init__(message)
        self.status = status

    @property
    def failure(self) -> Failure:
        """What stands in place of the result."""
        return {"status": self.status, "reason": str(self)}


class NotOfferedError(InstrumentError):
    """An operation that this side does not offer, or a library that is not installed."""


def failure_of(name: str, failure: Failure) -> InstrumentError:
    """Return the exception that a worker's failure is on this side of the pipe."""
    kind = InstrumentError if failure["status"] == "failed" else NotOfferedError
    return kind(f"{name}: {failure['reason']}", failure["status"])


@dataclass(frozen=True)
class Side:
    """A library as one interpreter sees it.

    Parameters
    ----------
    library : str
        A name of the catalogue (``cuda.core``, ``fastpaths``, ``floor``, ...), or
        ``module:attribute`` for an adapter of one's own.
    python : str, optional
        The interpreter, when not this one.
    pythonpath : str, optional
        Directories searched before all others, separated like ``PYTHONPATH``. Two builds of one
        library are two sides that differ here.
    label : str, optional
        What reports call this side; the library's name unless given.
    origin : str
        Where the library comes from: "installed", or the revision or wheel it was built from.
    """

    library: str
    python: str | None = None
    pythonpath: str | None = None
    label: str | None = None
    origin: str = "installed"

    @property
    def name(self) -> str:
        """What reports call this side."""
        return self.label or self.library

    def command(self, module: str, arguments: Sequence[str]) -> list[str]:
        """Return the command line that runs ``main(arguments)`` of a worker module."""
        interpreter = self.python or sys.executable
        return [interpreter, str(_BOOT), module, self.pythonpath or "", *arguments]

    def environment(self, base: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the worker's environment: `base` (this process's) with a fixed hash seed."""
        variables = dict(os.environ if base is None else base)
        variables["PYTHONHASHSEED"] = HASH_SEED
        paths = [self.pythonpath, variables.get("PYTHONPATH")]
        if any(paths):
            variables["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        return variables


@functools.cache
def fixed_layout() -> tuple[str, ...]:
    """Return the command prefix that turns address randomisation off, or () where forbidden."""
    setarch = shutil.which("setarch")
    if setarch is None:
        return ()
    prefix = (setarch, platform.machine(), "-R")
    probe = subprocess.run([*prefix, "true"], capture_output=True, check=False)
    return prefix if probe.returncode == 0 else ()
