"""Fixtures of fastpaths' tests: the null driver's controls, and a ledger that must balance."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fastpaths
from benchmarks import driver

ROOT = Path(__file__).resolve().parents[2]
ON_GPU = os.environ.get("FASTPATHS_TEST_DRIVER") == "nvidia"

# What a fresh process begins with: the same driver, and fastpaths from the same place.
PREAMBLE = f"""\
import sys
sys.path[:] = {[entry for entry in sys.path if entry]!r}
from benchmarks import driver
null = driver.control()
import fastpaths
from fastpaths import *
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On a GPU, skip what asks the null driver for something."""
    if not ON_GPU:
        return
    reason = pytest.mark.skip(reason="needs the null driver's controls")
    for item in items:
        if {"null", "fresh"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(reason)


@pytest.fixture
def null() -> Any:
    """The null driver's controls."""
    controls = driver.control()
    yield controls
    controls.clear_injections()


@pytest.fixture(autouse=True)
def _ledger_balances() -> Iterator[None]:
    """Every test ends with as many streams, events and contexts as it began with."""
    device = fastpaths.Device(0)
    device.set_current()
    if ON_GPU:
        yield
        return
    gc.collect()
    before = driver.control().live()
    yield
    gc.collect()
    device.set_current()
    assert driver.control().live() == before


@pytest.fixture
def device() -> fastpaths.Device:
    """Device 0, current."""
    return fastpaths.Device(0)


@pytest.fixture
def stream(device: fastpaths.Device) -> Iterator[fastpaths.Stream]:
    """A stream of device 0."""
    stream = device.create_stream()
    yield stream
    stream.close()


@pytest.fixture(scope="session")
def core() -> Any:
    """cuda.core, which keeps the primary context retained once it has used it."""
    module = pytest.importorskip("cuda.core", reason="cuda.core is the other side")
    if not hasattr(module, "Device"):
        pytest.skip("this cuda.core has no Device at its top")
    module.Device(0).set_current()
    return module


Fresh = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def fresh() -> Fresh:
    """Run code in a fresh process on the null driver; it must end well and write no errors."""

    def run(code: str, devices: int = 1, check: bool = True, **variables: str) -> Any:
        done = subprocess.run(
            [sys.executable, "-c", PREAMBLE + textwrap.dedent(code)],
            env={**os.environ, "NULLCUDA_DEVICES": str(devices), **variables},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if check:
            assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
        return done

    return run
