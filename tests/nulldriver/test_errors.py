"""Names and descriptions of every CUresult."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

SUCCESS, INVALID_VALUE = 0, 1


def text(null: Any, symbol: str, code: int) -> tuple[int, str | None]:
    place = ctypes.c_char_p(b"untouched")
    result = getattr(null.calls, symbol)(code, ctypes.byref(place))
    return result, None if place.value is None else place.value.decode()


def test_all_that_cuda_bindings_knows(null: Any) -> None:
    driver = pytest.importorskip("cuda.bindings.driver")
    members = list(driver.CUresult)
    assert len(members) > 90
    for member in members:
        assert text(null, "cuGetErrorName", member.value) == (SUCCESS, member.name)
        code, words = text(null, "cuGetErrorString", member.value)
        assert code == SUCCESS
        assert words


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (0, "CUDA_SUCCESS"),
        (2, "CUDA_ERROR_OUT_OF_MEMORY"),
        (46, "CUDA_ERROR_DEVICE_UNAVAILABLE"),
        (999, "CUDA_ERROR_UNKNOWN"),
    ],
)
def test_some_names(null: Any, code: int, name: str) -> None:
    assert text(null, "cuGetErrorName", code) == (SUCCESS, name)


def test_descriptions_are_words(null: Any) -> None:
    assert text(null, "cuGetErrorString", 2) == (SUCCESS, "out of memory")


@pytest.mark.parametrize("code", [-1, 9, 12345, 2**31 - 1])
@pytest.mark.parametrize("symbol", ["cuGetErrorName", "cuGetErrorString"])
def test_unknown_codes(null: Any, symbol: str, code: int) -> None:
    assert text(null, symbol, code) == (INVALID_VALUE, None)
