"""What a count found: instructions per operation, by shared object and function."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .callgrind_output import Dump

DRIVER = "libcuda.so.1"
_LEAST = 0.05  # a function that a thousand operations enter less than once or twice

Functions = dict[str, dict[str, float]]


@dataclass(frozen=True)
class CountResult:
    """Instructions of one operation on one side, the mean of `times` repetitions.

    Attributes
    ----------
    operation, library, label, origin : str
        What was counted.
    instructions : float
        Per operation, loop included.
    empty : float
        Of one turn of the empty loop.
    net : float
        Without the empty loop.
    driver : float
        What the driver calls take of it, with all that they call: on the null driver this is no
        part of what the operation costs.
    objects : dict of str to float
        Own instructions by shared object.
    functions : dict of str to dict
        Own instructions by shared object and function. Functions of stripped objects are one.
    times : int
        Repetitions that the figures are the mean of.
    """

    operation: str
    library: str
    label: str
    origin: str
    instructions: float
    empty: float
    net: float
    driver: float
    objects: dict[str, float]
    functions: Functions
    times: int
    identity: dict[str, Any]

    @property
    def without_driver(self) -> float:
        """The net count without the driver calls."""
        return self.net - self.driver

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        data = asdict(self)
        identity = data.pop("identity")
        return {**data, "without_driver": self.without_driver, **identity}


@dataclass(frozen=True)
class PerOperation:
    """The difference of two loops of one body, per repetition."""

    instructions: float
    driver: float
    functions: Functions

    @property
    def objects(self) -> dict[str, float]:
        """Instructions by shared object, most first."""
        totals = {name: sum(parts.values()) for name, parts in self.functions.items()}
        return dict(sorted(totals.items(), key=lambda item: -item[1]))


def per_operation(few: Dump, many: Dump, times: int) -> PerOperation:
    """Subtract the shorter loop from the longer and divide by the `times` they differ in.

    What surrounds both loops, the calls that switch the counting included, cancels.
    """
    own = Counter(many.own)
    own.subtract(few.own)
    functions: Functions = {}
    for (name, function), instructions in own.most_common():
        if abs(share := instructions / times) >= _LEAST:
            functions.setdefault(name, {})[function] = round(share, 3)
    return PerOperation(
        instructions=(many.total - few.total) / times,
        driver=(many.entered[DRIVER] - few.entered[DRIVER]) / times,
        functions=functions,
    )


def growth(
    base: Mapping[str, Mapping[str, float]], head: Mapping[str, Mapping[str, float]]
) -> list[tuple[str, str, float]]:
    """Return (object, function, instructions more in head), what changed most first."""
    change: Counter[tuple[str, str]] = Counter()
    for functions, sign in ((head, 1), (base, -1)):
        for name, parts in functions.items():
            for function, instructions in parts.items():
                change[name, function] += sign * instructions  # type: ignore[assignment]
    ordered = sorted(change.items(), key=lambda item: -abs(item[1]))
    return [(*place, float(by)) for place, by in ordered if abs(by) >= _LEAST]
