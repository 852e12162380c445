"""Driver calls on a real GPU, through the callback API of NVIDIA's CUPTI (``libcupti.so``).

Reference: CUPTI documentation, "CUPTI Callback API": `cuptiSubscribe`, `cuptiEnableDomain` and
`cuptiGetCallbackName`, and the structure `CUpti_CallbackData` in ``cupti_callbacks.h``.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..statement import Loop

_DRIVER_API = 1  # CUPTI_CB_DOMAIN_DRIVER_API
_ENTER = 0  # CUPTI_API_ENTER
_WHEEL_FOLDERS = ("nvidia/cu*/lib", "nvidia/cuda_cupti/lib")
_TOOLKIT_FOLDERS = ("cuda*/extras/CUPTI/lib64", "cuda*/lib64", "cuda*/lib")

_Callback = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.POINTER(ctypes.c_int)
)


class Cupti:
    """Records driver calls; one subscriber a process, which is all that CUPTI allows."""

    def __init__(self, driver_version: int) -> None:
        """Subscribe to the driver's calls.

        Raises
        ------
        RuntimeError
            If there is no CUPTI, or it refuses; the message says what to do.
        """
        self._library = _load(driver_version // 1000)
        self._seen: list[int] = []
        self._callback = _Callback(self._on_call)  # CUPTI keeps no reference to it
        self._subscriber = ctypes.c_void_p()
        self._ask("cuptiSubscribe", ctypes.byref(self._subscriber), self._callback, None)

    def record(self, loop: Loop) -> Sequence[str]:
        """Perform an operation once and return the driver calls it made, in order."""
        self._seen.clear()
        self._ask("cuptiEnableDomain", ctypes.c_uint32(1), self._subscriber, _DRIVER_API)
        try:
            loop(1)
        finally:
            self._ask("cuptiEnableDomain", ctypes.c_uint32(0), self._subscriber, _DRIVER_API)
        return [self._name(call) for call in self._seen]

    def saw_library(self) -> bool:
        """Return True: there is no other driver on this machine that a library could use."""
        return True

    def _on_call(self, _data: object, _domain: int, call: int, site: Sequence[int]) -> None:
        if site[0] == _ENTER:  # the first field of CUpti_CallbackData
            self._seen.append(call)

    def _name(self, call: int) -> str:
        name = ctypes.c_char_p()
        self._ask("cuptiGetCallbackName", _DRIVER_API, ctypes.c_uint32(call), ctypes.byref(name))
        return (name.value or b"").decode()

    def _ask(self, function: str, *arguments: object) -> None:
        if code := getattr(self._library, function)(*arguments):
            raise RuntimeError(
                f"{function} failed with CUptiResult {code}: end other profilers of this process,"
                " or install the CUPTI of the driver's CUDA version"
            )


def _candidates() -> Iterator[Path]:
    for entry in sys.path:
        for folder in _WHEEL_FOLDERS:
            yield from Path(entry or ".").glob(f"{folder}/libcupti.so*")
    for folder in _TOOLKIT_FOLDERS:
        yield from Path("/usr/local").glob(f"{folder}/libcupti.so*")


def _load(major: int) -> ctypes.CDLL:
    """Load the first CUPTI of the driver's CUDA version, or of another that loads."""
    found = list(dict.fromkeys(path.resolve() for path in _candidates()))
    best = sorted(found, key=lambda path: not _is_of(path, major))
    for name in (*map(str, best), f"libcupti.so.{major}", "libcupti.so"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    package = f"nvidia-cuda-cupti-cu{major}" if major < 13 else "nvidia-cuda-cupti"
    raise RuntimeError(f"no libcupti.so was found: `pip install {package}`")


def _is_of(path: Path, major: int) -> bool:
    """Tell whether a library is of a CUDA version: ``libcupti.so.13.0``, ``libcupti.so.2025.3``.

    Files before CUDA 13 may carry the year of their release in place of the version.
    """
    return (
        f"cuda-{major}" in str(path) or f"/cu{major}/" in str(path) or f".so.{major}" in path.name
    )
