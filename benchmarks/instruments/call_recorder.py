"""What an operation asks the driver to do: the null driver's log says it, or CUPTI."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ..statement import Loop

_SUFFIXES = re.compile(r"(_v\d+)?(_ptsz|_ptds)?$")


class Recorder(Protocol):
    """Records the public driver calls of one operation, by exported or by plain name."""

    def record(self, loop: Loop) -> Sequence[str]:
        """Perform an operation once and return the driver calls it made, in order."""

    def saw_library(self) -> bool:
        """Return whether the library has used this driver at all; without that, no call is seen."""


class NullDriverLog:
    """The call log of the null driver."""

    def __init__(self, control: Any) -> None:
        """Use the controls that `benchmarks.driver.control` returned."""
        self._control = control

    def record(self, loop: Loop) -> Sequence[str]:
        """Perform an operation once and return the driver calls it made, in order."""
        self._control.log_start()
        try:
            loop(1)
        finally:
            calls: list[str] = self._control.log_stop()
        return calls

    def saw_library(self) -> bool:
        """Return whether anything in this process has initialised the null driver."""
        return bool(self._control.init_count())


def plain_name(symbol: str) -> str:
    """Return a driver function's name without its version and default-stream suffix.

    >>> plain_name("cuEventRecord_ptsz"), plain_name("cuStreamDestroy_v2")
    ('cuEventRecord', 'cuStreamDestroy')
    """
    return _SUFFIXES.sub("", symbol)


def recorder() -> Recorder:
    """Return the recorder of the driver in use.

    Raises
    ------
    RuntimeError
        If NVIDIA's driver is in use and there is no CUPTI; the message says what to install.
    """
    from .. import driver

    control = driver.control()
    if control is not None:
        return NullDriverLog(control)
    from .cupti import Cupti

    return Cupti(driver.current().version)
