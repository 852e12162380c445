"""How numbers are written: times with three significant digits, ratios with two decimals."""

from __future__ import annotations

import math

NOTHING = "–"  # noqa: RUF001 - an en dash is the usual sign for an empty cell


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
