"""What the first run on a GPU had to show: each promise is met, missed, open or not measured."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from reports import first_promises
from reports.documents import Fields


def duet(a: str, b: str, ratio: tuple[float, float, float], ns: tuple[float, float, float]) -> Any:
    return SimpleNamespace(
        operation="event.create",
        a=SimpleNamespace(library=a),
        b=SimpleNamespace(library=b),
        net_ratio=ratio[1],
        net_interval=(ratio[0], ratio[2]),
        difference=ns[1],
        difference_interval=(ns[0], ns[2]),
    )


def verdict(promise: dict[str, Any], *duets: Any) -> str:
    seed = Fields("seed", {"promise": [{"operation": "event.create", **promise}]})
    return first_promises.lines(seed, duets)[-1].split("|")[-2].strip()


@pytest.mark.parametrize(
    ("ratio", "expected"),
    [
        ((0.2, 0.25, 0.3), "met"),
        ((1.1, 1.2, 1.3), "**missed**"),
        ((0.9, 1.0, 1.1), "undecided: the limit is within the interval"),
    ],
)
def test_a_ratio_is_judged_by_its_interval(ratio: Any, expected: str) -> None:
    found = duet("fastpaths", "cupy", ratio, (0, 0, 0))
    assert verdict({"against": "cupy", "below": 1.0}, found) == expected


@pytest.mark.parametrize(
    ("ns", "expected"), [((20, 25, 30), "met"), ((110, 113, 120), "**missed**")]
)
def test_a_difference_is_judged_in_ns(ns: Any, expected: str) -> None:
    found = duet("fastpaths", "floor", (1, 1, 1), ns)
    assert verdict({"against": "floor", "above": 60}, found) == expected


def test_another_pair_does_not_count() -> None:
    found = duet("cuda.core", "floor", (1, 1, 1), (0, 0, 0))
    assert verdict({"against": "floor", "above": 60}, found) == "not measured"
