"""Adapters with known costs, known driver calls and known faults, for the instruments' tests."""

from __future__ import annotations

import ctypes
import os
import time
from types import SimpleNamespace


def _statement(source, **names):
    from benchmarks.statement import Statement

    return Statement(source, names)


class Box:
    """Something whose attribute an operation can look up."""

    value = 1


class Plain:
    """Operations of a few dozen nanoseconds."""

    library = "toy"

    def body(self, operation):
        if operation == "absent":
            raise NotImplementedError("toys have no such operation")
        return getattr(self, operation)()

    def empty(self):
        return _statement("pass")

    def versions(self):
        return {"toy": "1.0"}

    def spin(self):
        return _statement("spin(steps)", spin=_spin, steps=range(20))

    def crawl(self):
        return self.spin()

    def call(self):
        return _statement("step()", step=_step)

    def look_up(self):
        return _statement("box.value", box=Box())

    def crash(self):
        return _statement("os.kill(os.getpid(), 9)", os=os)

    def hang(self):
        return SimpleNamespace(loop=lambda: lambda n: time.sleep(60))

    def fail_later(self):
        """Fail in the slices, after the calibration."""
        end = time.monotonic() + 0.5

        def loop(n):
            if time.monotonic() > end:
                raise RuntimeError("the toy is broken")
            time.sleep(n * 1e-6)

        return SimpleNamespace(loop=lambda: loop)


class Patient(Plain):
    """Does not fail where `Plain` does."""

    def fail_later(self):
        return SimpleNamespace(loop=lambda: lambda n: time.sleep(n * 1e-6))


class Slower(Plain):
    """The same operations with a planted extra."""

    def crawl(self):
        return _statement("spin(steps)", spin=_spin, steps=range(200))

    def spin(self):
        return _statement("spin(steps)", spin=_spin, steps=range(22))

    def call(self):
        return _statement("step(); step()", step=_step)

    def look_up(self):
        return _statement("box.value; box.value", box=Box())


class DriverCaller(Plain):
    """Operations with known driver calls."""

    def __init__(self):
        driver = ctypes.CDLL("libcuda.so.1")
        device = ctypes.c_int()
        self.names = {"driver": driver, "device": ctypes.byref(device)}
        driver.cuInit(0)

    def two_calls(self):
        return _statement("driver.cuDeviceGet(device, 0)\ndriver.cuInit(0)", **self.names)

    def first_time_more(self):
        """Make a call more the first time, as a library does that sets something up."""
        source = "if setups:\n    setups.pop()(0)\ndriver.cuInit(0)"
        return _statement(source, setups=[self.names["driver"].cuInit], **self.names)

    def no_call(self):
        return _statement("pass")

    def broken(self):
        def loop(n):
            raise RuntimeError("the toy is broken")

        return SimpleNamespace(loop=lambda: loop)


class Stub(Plain):
    """An adapter whose library is built without a driver."""


class Unavailable:
    """An adapter whose library is not installed."""

    def __init__(self):
        raise NotImplementedError("toy is not installed: install it")


def _spin(steps):
    for _ in steps:
        pass


def _step():
    pass
