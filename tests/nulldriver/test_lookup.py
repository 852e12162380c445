"""From names and versions to functions, by both versions of cuGetProcAddress."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SUCCESS, INVALID_VALUE, NOT_FOUND = 0, 1, 500
FOUND, SYMBOL_NOT_FOUND, VERSION_NOT_SUFFICIENT = 0, 1, 2
LEGACY, PER_THREAD = 1, 2


def ask(null: Any, name: str, version: int, flags: int = 0) -> tuple[int, int | None, int]:
    found, status = ctypes.c_void_p(77), ctypes.c_int(77)
    places = ctypes.byref(found), version, flags, ctypes.byref(status)
    code = null.calls.cuGetProcAddress_v2(name.encode(), *places)
    return code, found.value, status.value


def ask_first(null: Any, name: str, version: int, flags: int = 0) -> tuple[int, int | None]:
    found = ctypes.c_void_p(77)
    code = null.calls.cuGetProcAddress(name.encode(), ctypes.byref(found), version, flags)
    return code, found.value


def address(null: Any, symbol: str) -> int | None:
    return ctypes.cast(getattr(null.calls, symbol), ctypes.c_void_p).value


def expected(rows: list[Any], name: str, version: int, per_thread: bool) -> str | None:
    named = [row for row in rows if row.name == name and row.version <= version]
    twins = [row for row in named if "ptsz" in row.users]
    plain = [row for row in named if "ptsz" not in row.users]
    chosen = twins if per_thread and twins else plain
    return max(chosen, key=lambda row: row.version).symbol if chosen else None


@pytest.mark.parametrize("driver", [12000, 12080, 13000, 13050])
@pytest.mark.parametrize("flags", [0, LEGACY, PER_THREAD])
def test_every_row_from_its_version_on(null: Any, rows: list[Any], driver: int, flags: int) -> None:
    null.control.set_driver_version(driver)
    for row in rows:
        for version in {row.version, row.version - 1, row.version + 10, driver, 1000}:
            if version > driver:
                continue
            symbol = expected(rows, row.name, version, flags == PER_THREAD)
            code, found, status = ask(null, row.name, version, flags)
            first_code, first_found = ask_first(null, row.name, version, flags)
            assert code == SUCCESS
            if symbol is None:
                assert (found, status) == (None, VERSION_NOT_SUFFICIENT)
                assert (first_code, first_found) == (NOT_FOUND, None)
            else:
                assert (found, status) == (address(null, symbol), FOUND), (row.name, version)
                assert (first_code, first_found) == (SUCCESS, found)


def test_a_version_later_than_the_drivers(null: Any) -> None:
    null.control.set_driver_version(12040)
    assert ask(null, "cuInit", 12040)[2] == FOUND
    assert ask(null, "cuInit", 12050)[0] == INVALID_VALUE
    assert ask_first(null, "cuInit", 12050)[0] == INVALID_VALUE


def test_an_old_driver_lacks_later_calls(python: Any) -> None:
    names = "b'cuStreamGetDevice', b'cuCtxGetDevice', b'cuEventElapsedTime'"
    code = (
        f"for name in ({names}):\n"
        "    found, status = ctypes.c_void_p(), ctypes.c_int()\n"
        "    places = ctypes.byref(found), 12000, ctypes.c_uint64(0), ctypes.byref(status)\n"
        "    cuda.cuGetProcAddress_v2(name, *places)\n"
        "    answers.append([bool(found.value), status.value])\n"
        "version = ctypes.c_int(); cuda.cuDriverGetVersion(ctypes.byref(version))\n"
        "print(json.dumps([version.value, answers]))"
    )
    version, answers = python("answers = []\n" + code, NULLCUDA_DRIVER_VERSION="12000")
    assert version == 12000
    assert answers == [[False, VERSION_NOT_SUFFICIENT], [True, FOUND], [True, FOUND]]


@pytest.mark.parametrize("name", ["cuNothing", "", "cuEventDestroy_v2", "cuStreamQuery_ptsz"])
def test_only_unsuffixed_names_are_known(null: Any, name: str) -> None:
    assert ask(null, name, 13000) == (SUCCESS, None, SYMBOL_NOT_FOUND)
    assert ask_first(null, name, 13000) == (NOT_FOUND, None)


def test_no_place_for_the_status(null: Any) -> None:
    found = ctypes.c_void_p()
    place = ctypes.byref(found)
    assert null.calls.cuGetProcAddress_v2(b"cuInit", place, 12000, 0, None) == SUCCESS
    assert found.value == address(null, "cuInit")
    assert null.calls.cuGetProcAddress_v2(b"cuNothing", place, 12000, 0, None) == SUCCESS
    assert found.value is None


def test_bad_arguments(null: Any) -> None:
    place = ctypes.byref(ctypes.c_void_p())
    assert null.calls.cuGetProcAddress_v2(None, place, 12000, 0, None) == INVALID_VALUE
    assert null.calls.cuGetProcAddress_v2(b"cuInit", None, 12000, 0, None) == INVALID_VALUE
    assert null.calls.cuGetProcAddress_v2(b"cuInit", place, 12000, 4, None) == INVALID_VALUE
    assert null.calls.cuGetProcAddress(b"cuInit", place, 12000, 4) == INVALID_VALUE


def test_another_driver_in_the_process_does_not_answer(library: Path, tmp_path: Path) -> None:
    copy = tmp_path / "libcuda.so.1"
    shutil.copyfile(library, copy)
    code = (
        "import ctypes, sys\n"
        "first = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)\n"
        "own, found = ctypes.CDLL(sys.argv[2], mode=ctypes.RTLD_GLOBAL), ctypes.c_void_p()\n"
        "place = ctypes.byref(found), 12000, ctypes.c_uint64(0)\n"
        "own.cuGetProcAddress(b'cuInit', *place)\n"
        "addresses = [ctypes.cast(d.cuInit, ctypes.c_void_p).value for d in (first, own)]\n"
        "print(addresses.index(found.value))"
    )
    command = [sys.executable, "-c", code, library, copy]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "1\n"


def test_before_initialisation(null: Any) -> None:
    assert ask(null, "cuInit", 12000)[2] == FOUND
    assert null.control.init_count() == 0
