"""What must hold of every verdict, whatever was measured."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from reports.counts import Count
from reports.duets import Duet, Side
from reports.gate import by_count, by_duet, by_trace
from reports.gate.decide import decide
from reports.gate.findings import Level, Revision
from reports.gate.measured import Document, Measured
from reports.gate.measured import Side as Half
from reports.gate.policy import Accepted, Limit, Policy, Threshold
from reports.origin import Origin
from reports.runs import Driver

TODAY = date(2026, 12, 1)
ORIGIN = Origin(
    Path("x.json"), "2026-12-01", "a" * 40, False, Driver("null", "13.0", None), None, "cpu",
    "3.11.7", "glibc", "Linux", {},
)  # fmt: skip
COUNT_LIMIT = Limit("count", "*", Threshold(2, 0.002), Threshold(12, 0.01), "exact")
DUET_LIMIT = Limit("duet", "*", Threshold(2, 0.02), Threshold(5, 0.03), "not exact")
CALLS = {"added": Level.FAIL, "removed": Level.WARN, "reordered": Level.WARN}
POLICY = Policy("fastpaths", [COUNT_LIMIT, DUET_LIMIT], CALLS, "calls", [], [])
amounts = st.floats(1, 1e5)


def count(instructions: float, functions: dict[tuple[str, str], float] | None = None) -> Count:
    return Count(
        ORIGIN, "event.create", "fastpaths", "fastpaths", instructions, 0.0, instructions,
        functions or {}, 1000, {"fastpaths": "0.1.0"}, "3.11.7", {},
    )  # fmt: skip


def duet(head: float, base: float, spread: float) -> Duet:
    def side(label: str, net: float) -> Side:
        versions = {"fastpaths": "0.1.0"}
        return Side("fastpaths", label, "", versions, "3.11.7", net + 8, 8.0, net, ())

    ratio, change = (head + 8) / (base + 8), head - base
    interval = (ratio * (1 - spread), ratio * (1 + spread))
    return Duet(
        ORIGIN, "event.create", side("head", head), side("base", base), ratio, interval, 0.99,
        ratio, interval, change, (change - 1, change + 1), 0.01, 100,
    )  # fmt: skip


def measured(base: Count, head: Count, duets: list[Duet]) -> Measured:
    def half(found: Count) -> Half:
        return Half(Revision("x"), None, [found], Document(ORIGIN, {}))

    return Measured(half(base), half(head), duets)


@given(base=amounts, change=st.floats(-1e4, 1e4), more=st.floats(0, 1e4))
def test_more_instructions_never_weigh_less(base: float, change: float, more: float) -> None:
    one = by_count.level_of(change, base, COUNT_LIMIT)
    assert by_count.level_of(change + more, base, COUNT_LIMIT) >= one


@given(base=amounts, head=amounts, more=st.floats(0, 1e4), spread=st.floats(0, 0.2))
def test_more_time_never_weighs_less(base: float, head: float, more: float, spread: float) -> None:
    one = by_duet.level_of(duet(head, base, spread), DUET_LIMIT)
    assert by_duet.level_of(duet(head + more, base, spread), DUET_LIMIT) >= one


@given(base=amounts, head=amounts, spread=st.floats(0.001, 0.2), wider=st.floats(0, 0.5))
def test_a_wider_interval_never_accuses_more(
    base: float, head: float, spread: float, wider: float
) -> None:
    narrow = by_duet.level_of(duet(head, base, spread), DUET_LIMIT)
    assert by_duet.level_of(duet(head, base, spread + wider), DUET_LIMIT) <= narrow


@given(
    base=amounts,
    head=amounts,
    net=amounts,
    spread=st.floats(0.001, 0.05),
    repetitions=st.integers(0, 3),
)
def test_the_same_on_both_sides_is_never_worse_and_a_repetition_never_adds_guilt(
    base: float, head: float, net: float, spread: float, repetitions: int
) -> None:
    same = decide(measured(count(base), count(base), [duet(net, net, spread)]), POLICY, TODAY)
    assert same.word != "worse"
    slow = duet(net * 1.5 + 20, net, spread)
    played = [slow] * (1 + repetitions)
    verdict = decide(measured(count(base), count(base), played), POLICY, TODAY)
    cleared = decide(
        measured(count(base), count(base), [*played, duet(net, net, spread)]), POLICY, TODAY
    )
    assert verdict.word == ("undecided" if repetitions == 0 else "worse")
    assert cleared.word == "pass"


@given(base=amounts, more=st.floats(0, 1e4), up_to=st.floats(0.001, 10))
def test_an_exception_never_makes_a_verdict_worse(base: float, more: float, up_to: float) -> None:
    found = measured(count(base), count(base + more), [])
    one = Accepted("event.create", "slower", "count", None, up_to, date(2027, 1, 1), "known")
    plain = decide(found, POLICY, TODAY)
    lenient = decide(found, replace(POLICY, accepted=[one]), TODAY)
    assert lenient.exit_status <= plain.exit_status
    if more / base > up_to:
        assert lenient.exit_status == plain.exit_status


names = st.dictionaries(
    st.tuples(st.just("_event.cpython-311-x86_64-linux-gnu.so"), st.sampled_from("abcdefgh")),
    st.floats(0, 500),
    max_size=8,
)


@given(base=names, planted=st.floats(1, 400), called=st.floats(1, 4000))
def test_the_function_that_grew_is_named_before_what_it_calls(
    base: Any, planted: float, called: float
) -> None:
    name = "__pyx_pw_9fastpaths_7_device_6Device_9create_event"
    place = "_device.cpython-311-x86_64-linux-gnu.so"
    head = {**base, (place, name): planted, ("libpython3.11.so.1.0", "siphash13"): called}
    first, second, *_ = by_count.grown(count(1000.0, base), count(1000.0 + planted, head))
    assert (first.function, first.instructions) == (
        "fastpaths._device.Device.create_event",
        planted,
    )
    assert (second.function, second.instructions) == ("siphash13", called)


calls = st.lists(
    st.sampled_from(["cuEventCreate", "cuEventDestroy", "cuCtxGetCurrent"]), max_size=6
)


@given(base=calls, head=calls)
def test_driver_calls_are_alike_exactly_when_nothing_is_found(base: Any, head: Any) -> None:
    change = by_trace.change_of(tuple(base), tuple(head))
    assert (change is None) == (base == head)
    assert (change == "reordered") == (base != head and sorted(base) == sorted(head))
    back = by_trace.change_of(tuple(head), tuple(base))
    assert (change == "removed") <= (back == "added")


@settings(max_examples=50)
@given(base=amounts, head=amounts, ratio=st.floats(0.2, 5), spread=st.floats(0, 0.3))
def test_the_exit_status_is_the_worst_finding(
    base: float, head: float, ratio: float, spread: float
) -> None:
    duets = [duet(ratio * 200, 200, spread)] * 2
    verdict = decide(measured(count(base), count(head), duets), POLICY, TODAY)
    worst = max((finding.level for finding in verdict.findings), default=Level.NOTE)
    assert verdict.exit_status == {Level.FAIL: 1, Level.UNDECIDED: 2}.get(worst, 0)
    assert verdict.rows[0].level == worst
