"""How numbers are written: times with three significant digits, ratios with two decimals."""

from __future__ import annotations

import math
from collections.abc import Callable

NOTHING = "–"  # noqa: RUF001 - an en dash is the usual sign for an empty cell

Writer = Callable[[float], str]


def significant(value: float) -> str:
    """Three significant digits, never in exponent form: 12.9, 186, 10400."""
    if value == 0 or not math.isfinite(value):
        return NOTHING
    decimals = 2 - math.floor(math.log10(abs(value)))
    rounded = round(value, decimals)
    decimals = 2 - math.floor(math.log10(abs(rounded)))
    return f"{rounded:.{max(decimals, 0)}f}"


def time(value: float | None, unit: str) -> str:
    """A time; nanoseconds are the tables' own unit and are not repeated."""
    if value is None:
        return NOTHING
    return significant(value) if unit == "ns" else f"{significant(value)} {unit}"


def decimal(value: float | None) -> str:
    """A ratio."""
    if value is None:
        return NOTHING
    return "<0.01" if 0 < value < 0.005 else f"{value:.2f}"


def span(counts: list[int]) -> str:
    """How many samples: ``10``, or ``5 to 12`` when cells differ."""
    if not counts:
        return "no"
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low} to {high}"


def fine(value: float) -> str:
    """A ratio whose digits matter below a tenth: 12.90, 0.25, 0.015."""
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3f}"


def signed(value: float) -> str:
    """A difference: its sign, and three significant digits but no more than one decimal."""
    if abs(value) < 0.05:
        return "0"
    return (
        f"{value:+.1f}"
        if abs(value) < 100
        else f"{'-' if value < 0 else '+'}{significant(abs(value))}"
    )
