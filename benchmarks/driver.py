"""Which driver is measured on: NVIDIA's, or the null driver of the working tree.

The choice must be made before anything loads ``libcuda.so.1``, because the first library of that
name in a process answers every later ``dlopen``. Choosing calls no driver function, so importing
the suites initialises nothing; a driver that cannot be used is reported when something is to be
measured, not when it is chosen.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from . import ruler

VARIABLE = "BENCH_DRIVER"
CHOICES = ("auto", "null", "nvidia")
OLDEST_VERSION = 12000
_SONAME = "libcuda.so.1"
_RELEASE_FILE = Path("/proc/driver/nvidia/version")

Kind = Literal["null", "nvidia"]


class DriverError(RuntimeError):
    """There is no driver to measure on; the message says what to do."""


@dataclass(frozen=True)
class Driver:
    """A driver.

    Attributes
    ----------
    kind : {"null", "nvidia"}
        Results of the two never mix.
    version : int
        The CUDA version it supports: 1000 x major + 10 x minor.
    release : str or None
        The release of NVIDIA's driver, such as ``580.159.03``.
    """

    kind: Kind
    version: int
    release: str | None

    @property
    def cuda(self) -> str:
        """The version as people write it: ``13.0``."""
        return f"{self.version // 1000}.{self.version % 1000 // 10}"


@dataclass
class _Chosen:
    kind: Kind
    library: ctypes.CDLL | None = None
    problem: str | None = None


_chosen: _Chosen | None = None
_control: Any = None


def has_nvidia_gpu() -> bool:
    """Return whether this machine has an NVIDIA GPU and a driver library that loads."""
    nodes = list(Path("/dev").glob("nvidia[0-9]*"))
    if not nodes and not Path("/dev/dxg").exists():
        return False
    try:
        ctypes.CDLL(_SONAME)
    except OSError:
        return False
    return True


def choose() -> None:
    """Load the driver that :data:`VARIABLE` asks for; the first choice of a process stands."""
    global _chosen
    if _chosen is None:
        _chosen = _choose(os.environ.get(VARIABLE) or "auto")


def _choose(wanted: str) -> _Chosen:
    if wanted not in CHOICES:
        problem = f"{VARIABLE} is {wanted!r}; set it to one of {', '.join(CHOICES)}, or unset it"
        return _Chosen("null", problem=problem)
    if wanted == "nvidia" or (wanted == "auto" and has_nvidia_gpu()):
        return _load("nvidia", _SONAME)
    try:
        path = ruler.null_driver()
    except RuntimeError as error:
        return _Chosen("null", problem=str(error))
    if other := _loaded_driver(path):
        problem = f"{other} was loaded before `benchmarks` was imported: import it first"
        return _Chosen("null", problem=problem)
    return _load("null", str(path))


def _load(kind: Kind, name: str) -> _Chosen:
    try:
        return _Chosen(kind, library=ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL))
    except OSError as error:
        remedy = "install NVIDIA's driver" if kind == "nvidia" else "run `make build`"
        return _Chosen(kind, problem=f"the driver cannot be loaded ({error}): {remedy}")


def _loaded_driver(ours: Path) -> str | None:
    """Return the path of a driver library in this process that is not the one at `ours`."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return None
    paths = {line.split(None, 5)[-1] for line in lines if "/libcuda.so" in line}
    return next((path for path in sorted(paths) if Path(path) != ours.resolve()), None)


def _library() -> ctypes.CDLL:
    choose()
    assert _chosen is not None
    if _chosen.library is None:
        raise DriverError(_chosen.problem)
    return _chosen.library


def current() -> Driver:
    """Return the driver that this process measures on.

    Calls ``cuDriverGetVersion``, which needs no ``cuInit``.

    Raises
    ------
    DriverError
        If none could be loaded, or it is older than CUDA 12.0.
    """
    library = _library()
    assert _chosen is not None
    version = ctypes.c_int(0)
    if code := library.cuDriverGetVersion(ctypes.byref(version)):
        raise DriverError(f"cuDriverGetVersion failed with CUresult {code}: reinstall the driver")
    found = Driver(_chosen.kind, version.value, _release() if _chosen.kind == "nvidia" else None)
    if found.version < OLDEST_VERSION:
        raise DriverError(
            f"the driver supports CUDA {found.cuda} and these libraries need 12.0 or newer:"
            f" update the driver, or set {VARIABLE}=null to measure without the GPU"
        )
    return found


def path() -> str:
    """Return what a child process hands to ``dlopen`` to get the same driver.

    Raises
    ------
    DriverError
        If none could be loaded.
    """
    return str(_library()._name)


def _release() -> str | None:
    try:
        words = _RELEASE_FILE.read_text().splitlines()[0].split()
    except (OSError, IndexError):
        return None
    return next((word for word in words if word[:1].isdigit() and "." in word), None)


def control() -> Any:
    """Return the null driver's controls (call log, ledger, injection), or None on NVIDIA's.

    Raises
    ------
    DriverError
        If the null driver could not be loaded.
    """
    global _control
    _library()
    assert _chosen is not None
    if _chosen.kind == "nvidia":
        return None
    if _control is None:
        spec = importlib.util.spec_from_file_location("benchmarks_null_driver", ruler.control())
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        _control = module.load(ruler.null_driver())
    return _control
