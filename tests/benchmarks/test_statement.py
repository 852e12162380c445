"""What the loops do, and that they do it exactly n times."""

from __future__ import annotations

import ctypes
import traceback

import pytest

from benchmarks.statement import EMPTY, DriverCallError, NativeLoop, Statement


@pytest.mark.parametrize("n", [0, 1, 7, 1000])
def test_a_statement_runs_n_times(n: int) -> None:
    seen: list[int] = []
    Statement("seen.append(1)\nseen.append(2)", {"seen": seen}).loop()(n)
    assert seen == [1, 2] * n


def test_the_empty_loop_does_nothing() -> None:
    assert EMPTY.loop()(1000) is None


def test_names_are_fast_locals() -> None:
    loop = Statement("thing", {"thing": object()}).loop()
    assert "thing" in loop.__code__.co_varnames  # type: ignore[attr-defined]
    assert not loop.__code__.co_freevars  # type: ignore[attr-defined]


def test_a_failing_statement_shows_its_source() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        Statement("1 / zero", {"zero": 0}).loop()(1)
    assert "1 / zero" in "".join(traceback.format_exception(caught.value))


def test_a_source_that_is_no_python_is_refused_before_anything_runs() -> None:
    with pytest.raises(SyntaxError):
        Statement("device.").loop()


def test_a_native_loop_reports_the_driver_code() -> None:
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_ulong)(lambda n: 3 if n else 0)
    loop = NativeLoop(function, "floor_event_create").loop()
    loop(0)
    with pytest.raises(DriverCallError, match=r"floor_event_create.*3"):
        loop(1)
