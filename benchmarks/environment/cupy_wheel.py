"""Which CuPy this machine gets: the stock wheel with a GPU, its official stub build without.

The stock wheel's runtime needs NVIDIA's driver. CuPy's own switch ``CUPY_INSTALL_USE_STUB``
compiles its host code against a runtime that does nothing; that takes minutes, so the wheel is
kept outside the checkout.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import sys
import zipfile
from pathlib import Path

from . import checks, lock, steps

VERSION = "14.2.0"


def has_gpu() -> bool:
    """Return whether there is a device file of NVIDIA's driver, or of the one in WSL."""
    return any(Path("/dev").glob("nvidia[0-9]*")) or Path("/dev/dxg").exists()


def driver_version() -> int | None:
    """Return the CUDA version of NVIDIA's driver, or None without a GPU."""
    if os.environ.get("BENCH_DRIVER") == "null" or not has_gpu():
        return None
    version = ctypes.c_int(0)
    try:
        code = ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
    except (OSError, AttributeError):
        return None
    return None if code else version.value


def stock_requirement(version: int) -> str:
    """Return the stock wheel for a driver.

    Raises
    ------
    steps.SetUpError
        If the driver is too old for any.
    """
    if version < 12000:
        raise steps.SetUpError(
            f"the NVIDIA driver supports CUDA {version // 1000} and CuPy {VERSION} needs 12:"
            " update the driver, or set BENCH_DRIVER=null"
        )
    return f"cupy-cuda{13 if version >= 13000 else 12}x=={VERSION}"


def cache_folder() -> Path:
    """Return the folder of built wheels, outside the checkout."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "fastpaths-bench" / "wheels"


def cached_stub(folder: Path) -> Path | None:
    """Return the stub wheel for this Python and machine, if it was built before and is whole."""
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    name = f"cupy-{VERSION}-{version}-{version}{sys.abiflags}-*_{platform.machine()}.whl"
    return next(filter(zipfile.is_zipfile, sorted(folder.glob(name))), None)


def stub_wheel(python: Path, logs: Path) -> Path:
    """Return the stub wheel, building it first if need be.

    Raises
    ------
    steps.SetUpError
        If there is no C++ compiler, the build fails, or the cache cannot be written to.
    """
    folder = cache_folder()
    if found := cached_stub(folder):
        return found
    checks.check_cxx_compiler()
    try:
        with lock.alone(folder / ".lock", "another make builds CuPy"):
            return cached_stub(folder) or _build_stub(python, folder, logs)
    except OSError as error:
        raise steps.SetUpError(
            f"{folder} cannot be written to ({error.strerror}): make it writable or set"
            " XDG_CACHE_HOME"
        ) from error


def _build_stub(python: Path, folder: Path, logs: Path) -> Path:
    """Build in a folder beside the cached wheels and move the wheel only once it is whole."""
    scratch = folder / ".building"
    shutil.rmtree(scratch, ignore_errors=True)  # of a build that was killed
    temporary = scratch / "tmp"
    temporary.mkdir(parents=True)
    command = [str(python), "-m", "pip", "wheel", "--no-deps", "--no-binary", "cupy"]
    try:
        steps.run(
            f"building CuPy {VERSION} with its official stub switch, once (about 8 minutes on 2"
            " cores)",
            [*command, "-w", str(scratch), f"cupy=={VERSION}"],
            logs / "cupy.log",
            {"CUPY_INSTALL_USE_STUB": "1", "TMPDIR": str(temporary), "PIP_NO_INPUT": "1"},
        )
        (built,) = scratch.glob("*.whl")
        return built.replace(folder / built.name)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
