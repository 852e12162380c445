"""The name that this machine's results are filed under; it tells a GPU from the null driver."""

from __future__ import annotations

import os
import platform
import re

from . import driver, provenance


def name() -> str:
    """Return ``nvidia-<gpu>`` or ``null-driver-<cpu>``.

    Raises
    ------
    benchmarks.driver.DriverError
        If there is no driver to measure on.
    """
    if driver.current().kind == "nvidia":
        return f"nvidia-{_slug((provenance.gpu() or 'gpu').removeprefix('NVIDIA '))}"
    return f"null-driver-{_slug(provenance.cpu())}"


def _slug(text: str) -> str:
    words = re.sub(r"\((R|TM)\)|@.*|\bCPU\b|\bProcessor\b", " ", text)
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-") or "unknown"


def information() -> dict[str, str]:
    """Return what asv keeps about a machine, and the GPU and driver beside it."""
    current = driver.current()
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return {
        "machine": name(),
        "os": f"{platform.system()} {platform.release()}",
        "arch": platform.machine(),
        "cpu": provenance.cpu(),
        "num_cpu": str(os.cpu_count()),
        "ram": str(pages * size // 1024),
        "gpu": (provenance.gpu() or "unknown") if current.kind == "nvidia" else "none",
        "driver": current.release or f"null driver, CUDA {current.cuda}",
    }
