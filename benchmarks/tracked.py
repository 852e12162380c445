"""Suites whose figures an instrument makes: asv stores them, and draws a history that cannot drift.

An instrument measures all operations of a library in one go, so asv's ``setup_cache`` calls it once
for all classes of a module. What cannot be measured is a reason in place of a figure, and the
benchmark is skipped with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from .operations import LOOPED, OPERATIONS, Operation

Figures = dict[str, dict[str, float | str]]
"""Library, then operation, to the figure or to the reason why there is none."""


class Tracked:
    """One operation; asv hands each method what the module's ``setup_cache`` returned."""

    params: ClassVar[list[list[str]]]
    param_names: ClassVar[list[str]] = ["library"]
    version: ClassVar[str] = "1"
    timeout: ClassVar[float] = 60.0

    operation: ClassVar[Operation]

    def setup(self, figures: Figures, library: str) -> None:
        """Skip what has no figure, with the reason."""
        figure = figures[library][self.operation.name]
        if isinstance(figure, str):
            raise NotImplementedError(figure)


def tracked(base: type[Tracked], track: str, summary: str, module: str) -> dict[str, type[Tracked]]:
    """Return a class for each looped operation, by class name.

    Parameters
    ----------
    base : type
        The class with the module's ``setup_cache``, parameters and unit.
    track : str
        Name of the benchmark method, which asv wants to begin with ``track_``.
    summary : str
        What the figure is.
    module : str
        The module that asv is to find the classes in.
    """
    found = {}
    for operation in map(OPERATIONS.__getitem__, LOOPED):
        words = operation.name.replace(".", "_").split("_")
        name = "".join(word.title() for word in words)
        members: dict[str, Any] = {
            "__doc__": f"{summary}: {operation.summary}",
            "__module__": module,
            "operation": operation,
            track: _tracking(),
        }
        found[name] = type(name, (base,), members)
    return found


def _tracking() -> Callable[[Tracked, Figures, str], float | str]:
    def track(self: Tracked, figures: Figures, library: str) -> float | str:
        return figures[library][self.operation.name]

    return track
