"""The doctor's probes: each looks at one thing and never raises.

A probe returns subject, whether it serves, what was found, what depends on it, and what to do.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from . import driver, provenance
from .search_path import ROOT

Probe = tuple[str, bool, str, str, str]

_VALGRIND_HEADER = Path("/usr/include/valgrind/callgrind.h")
_PTRACE_SCOPE = Path("/proc/sys/kernel/yama/ptrace_scope")
_GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
_CAPABILITY_PTRACE = 19
_INSTALL_PROFILERS = ".venv/bin/python -m pip install --group pyproject.toml:profile"


def look_at_driver() -> Probe:
    """Which driver will be measured on."""
    matters = "everything"
    try:
        found = driver.current()
    except RuntimeError as error:
        return "driver", False, "none", matters, str(error)
    if found.kind == "null":
        what = f"the null driver, CUDA {found.cuda}: host overhead alone"
    else:
        what = f"NVIDIA {found.release or 'of unknown release'}, CUDA {found.cuda}"
    return "driver", True, what, matters, ""


def look_at_gpu() -> Probe:
    """Whether there is a GPU, whatever driver was chosen."""
    matters = "figures of real driver calls"
    name = provenance.gpu()
    if name is None or not driver.has_nvidia_gpu():
        remedy = "none is needed; for figures of a GPU use a machine with an NVIDIA driver"
        return "GPU", False, "none", matters, remedy
    return "GPU", True, name, matters, ""


def look_at_python() -> Probe:
    """Whether this is the Python that was prepared, where there is one."""
    matters = "everything below is about this one"
    found = f"{platform.python_version()}, {sys.executable}"
    prepared = ROOT / ".venv"
    if (prepared / "bin" / "python").exists() and Path(sys.prefix).resolve() != prepared:
        remedy = "`make doctor` asks the prepared one: .venv/bin/python -m benchmarks doctor"
        return "Python", False, f"{found}, not the prepared one", matters, remedy
    return "Python", True, found, matters, ""


def _package(subject: str, names: tuple[str, ...], matters: str, remedy: str) -> Probe:
    for name in names:
        try:
            return subject, True, f"{name} {metadata.version(name)}", matters, ""
        except metadata.PackageNotFoundError:
            continue
    return subject, False, "not installed", matters, remedy


def look_at_cuda_core() -> Probe:
    """The version of cuda.core."""
    return _package("cuda.core", ("cuda-core",), "its column", "run `make bench`")


def look_at_bindings() -> Probe:
    """The version of cuda.bindings."""
    return _package("cuda.bindings", ("cuda-bindings",), "cuda.core's speed", "run `make bench`")


def look_at_cupy() -> Probe:
    """The version of CuPy, and whether it is the stub build."""
    names = ("cupy-cuda13x", "cupy-cuda12x", "cupy")
    subject, ok, found, matters, remedy = _package("CuPy", names, "its column", "run `make bench`")
    if found.startswith("cupy "):
        found += ", built from source: without a GPU, its official stub, which calls no driver"
    return subject, ok, found, matters, remedy


def look_at_torch() -> Probe:
    """The version of PyTorch, which is optional."""
    return _package(
        "PyTorch",
        ("torch",),
        "an optional column",
        ".venv/bin/python -m pip install torch, if wanted",
    )


def look_at_fastpaths() -> Probe:
    """The version of fastpaths."""
    return _package("fastpaths", ("fastpaths",), "its column", "run `make build`")


def look_at_asv() -> Probe:
    """The version of asv."""
    return _package("asv", ("asv",), "`run` and the pages", "run `make bench`")


def look_at_compiler() -> Probe:
    """Whether there is a C compiler."""
    named = shlex.split(os.environ.get("CC") or "") or ["cc"]
    found = next(filter(None, map(shutil.which, (named[0], "cc", "gcc", "clang"))), None)
    remedy = "" if found else "install gcc (Debian and Ubuntu: apt install gcc)"
    version = _first_line([found, "--version"]) if found else None
    return "C compiler", found is not None, version or "none", "building anything", remedy


def look_at_headers() -> Probe:
    """Whether Python's C headers are there."""
    there = Path(sysconfig.get_paths()["include"], "Python.h").exists()
    version = platform.python_version()
    remedy = "" if there else "install them (Debian and Ubuntu: apt install python3-dev)"
    found = f"of Python {version}" if there else f"none of Python {version}"
    return "Python headers", there, found, "building fastpaths", remedy


def look_at_valgrind() -> Probe:
    """Whether valgrind and its header are there."""
    path = shutil.which("valgrind")
    if path is None:
        remedy = "install it (Debian and Ubuntu: apt install valgrind)"
        return "valgrind", False, "not installed", "count", remedy
    if not _VALGRIND_HEADER.exists():
        found = f"{_first_line([path, '--version'])}, without its headers"
        return "valgrind", True, found, "count; the headers are not needed", ""
    return "valgrind", True, _first_line([path, "--version"]) or "there", "count", ""


def look_at_setarch() -> Probe:
    """Whether address randomisation can be turned off for a child."""
    matters = "count and duet: equal layout of both sides"
    path = shutil.which("setarch")
    command = [path or "setarch", platform.machine(), "-R", "true"]
    if path and _succeeds(command):
        return "setarch -R", True, "works", matters, ""
    remedy = "install util-linux, or allow the personality system call in this container"
    return "setarch -R", False, "does not work", matters, remedy


def look_at_ptrace() -> Probe:
    """Whether py-spy may look into another process of this user."""
    matters = "py-spy"
    if os.geteuid() == 0 or _has_capability(_CAPABILITY_PTRACE):
        return "ptrace", True, "allowed to this user", matters, ""
    scope = provenance.read_line(_PTRACE_SCOPE)
    if scope in (None, "0"):
        return "ptrace", True, f"ptrace_scope is {scope or 'not restricted'}", matters, ""
    if scope == "1":
        return "ptrace", True, "allowed on child processes, which is enough", matters, ""
    remedy = "as root: sysctl kernel.yama.ptrace_scope=1"
    return "ptrace", False, f"ptrace_scope is {scope}", matters, remedy


def look_at_py_spy() -> Probe:
    """The version of py-spy."""
    return _package("py-spy", ("py-spy",), "profiles by samples", _INSTALL_PROFILERS)


def look_at_line_profiler() -> Probe:
    """The version of line_profiler."""
    names = ("line_profiler", "line-profiler")
    return _package("line_profiler", names, "profiles by line", _INSTALL_PROFILERS)


def look_at_governor() -> Probe:
    """Whether the CPU keeps one speed."""
    matters = "how far two runs can be compared"
    governor = provenance.read_line(_GOVERNOR)
    if governor is None:
        remedy = "a virtual machine hides it: trust ratios from duets, not times of two runs"
        return "CPU governor", False, "not visible", matters, remedy
    if governor == "performance":
        return "CPU governor", True, governor, matters, ""
    remedy = "as root: cpupower frequency-set -g performance; or trust duets alone"
    return "CPU governor", False, governor, matters, remedy


def look_at_cores() -> Probe:
    """How many cores this process may use."""
    allowed = len(os.sched_getaffinity(0))
    found = f"{allowed} of {os.cpu_count()} may be used; {provenance.cpu()}"
    remedy = "" if allowed > 1 else "one core serves the measured and everything else: expect noise"
    return "cores", allowed > 1, found, "pinning the measured process", remedy


def _first_line(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return next(iter((done.stdout or done.stderr).splitlines()), None)


def _succeeds(command: list[str]) -> bool:
    try:
        done = subprocess.run(command, capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _has_capability(number: int) -> bool:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return False
    sets = (line.split()[1] for line in lines if line.startswith("CapEff:"))
    return any(int(mask, 16) >> number & 1 for mask in sets)


ALL: tuple[Callable[[], Probe], ...] = (
    look_at_python,
    look_at_driver,
    look_at_gpu,
    look_at_cuda_core,
    look_at_bindings,
    look_at_cupy,
    look_at_torch,
    look_at_fastpaths,
    look_at_asv,
    look_at_compiler,
    look_at_headers,
    look_at_valgrind,
    look_at_setarch,
    look_at_ptrace,
    look_at_py_spy,
    look_at_line_profiler,
    look_at_governor,
    look_at_cores,
)

if sys.platform != "linux":
    ALL = (look_at_python, look_at_driver, look_at_compiler)
