"""Where a result comes from: everything that can change a figure and is not the code measured."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import Any

from . import driver
from .search_path import ROOT

DISTRIBUTIONS = (
    "cuda-core",
    "cuda-bindings",
    "cupy",
    "cupy-cuda12x",
    "cupy-cuda13x",
    "fastpaths",
    "numpy",
    "torch",
    "asv",
    "asv_runner",
    "Cython",
)
_GOVERNOR = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
_GPUS = Path("/proc/driver/nvidia/gpus")
_NVIDIA_SMI = ("nvidia-smi", "--query-gpu=name", "--format=csv,noheader")


def collect() -> dict[str, Any]:
    """Return the provenance of results measured by this process, as JSON data.

    Raises
    ------
    benchmarks.driver.DriverError
        If there is no driver to measure on.
    """
    current = driver.current()
    commit, dirty = revision()
    return {
        "commit": commit,
        "dirty": dirty,
        "date": now(),
        "driver": {"kind": current.kind, "version": current.cuda, "release": current.release},
        "gpu": gpu() if current.kind == "nvidia" else None,
        "cpu": cpu(),
        "cores": len(os.sched_getaffinity(0)),
        "governor": read_line(_GOVERNOR),
        "python": platform.python_version(),
        "libc": " ".join(platform.libc_ver()),
        "kernel": f"{platform.system()} {platform.release()}",
        "libraries": libraries(),
    }


def now() -> str:
    """Return the time in UTC, to the second, in ISO 8601."""
    return datetime.now(timezone.utc).replace(microsecond=0).isoformat()


def revision() -> tuple[str | None, bool]:
    """Return the commit of the working tree and whether the tree differs from it."""
    commit = _git("rev-parse", "HEAD")
    return commit, commit is None or bool(
        _git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!reports")
    )


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def cpu() -> str:
    """Return the CPU model."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def gpu() -> str | None:
    """Return the name of the first GPU, as NVIDIA's driver gives it."""
    for information in sorted(_GPUS.glob("*/information")):
        for line in information.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "Model" and value.strip():
                return value.strip()
    try:
        done = subprocess.run(_NVIDIA_SMI, capture_output=True, text=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return None
    return next(iter(done.stdout.splitlines()), "").strip() or None


def read_line(path: Path) -> str | None:
    """Return the first line of a file, or None if it cannot be read."""
    try:
        return path.read_text().splitlines()[0].strip()
    except (OSError, IndexError):
        return None


def libraries() -> dict[str, dict[str, str]]:
    """Return version and origin of every installed package that a result may depend on."""
    found = {}
    for name in DISTRIBUTIONS:
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        found[name] = {"version": distribution.version, "origin": _origin(distribution)}
    return found


def _origin(distribution: metadata.Distribution) -> str:
    """Return how a package came here: ``index``, ``editable`` or ``local``."""
    try:
        record = json.loads(distribution.read_text("direct_url.json") or "{}")
    except ValueError:
        return "unknown"
    if record.get("dir_info", {}).get("editable"):
        return "editable"
    return "local" if record else "index"
