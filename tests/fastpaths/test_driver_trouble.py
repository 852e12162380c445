"""No driver, a broken one, an old one, one that refuses; and an import that needs none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

# A driver of CUDA 11.2 with one device, which lacks nearly everything.
POOR_DRIVER = """
int cuInit(unsigned int flags) { return 0; }
int cuDriverGetVersion(int *version) { *version = 11020; return 0; }
int cuCtxGetCurrent(void **context) { *context = 0; return 0; }
int cuDeviceGetCount(int *count) { *count = 1; return 0; }
int cuDeviceGetName(char *name, int size, int device) { name[0] = 'P'; name[1] = 0; return 0; }
"""
Bare = Callable[..., str]


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    """Run code where no driver was loaded and libcuda.so.1 is first looked for in a folder."""

    def run(code: str, libraries: Path = tmp_path) -> str:
        begin = f"import sys; sys.path[:] = {[entry for entry in sys.path if entry]!r}\n"
        done = subprocess.run(
            [sys.executable, "-c", begin + code],
            env={**os.environ, "LD_LIBRARY_PATH": str(libraries)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


SAY = """
from fastpaths import *
def say(use):
    try:
        print("no error:", use())
    except DriverUnavailableError as error:
        assert isinstance(error, CUDAError) and isinstance(error, RuntimeError)
        assert error.code is None and error.call == str(error).partition(":")[0]
        print(error)
"""


def test_importing_loads_no_driver_and_no_package(bare: Bare) -> None:
    said = bare(
        "before = set(sys.modules)\n"
        "import fastpaths\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(n for n in new - set(sys.stdlib_module_names) if 'cython' not in n))\n"
        "print(sorted(new & {'dataclasses', 'ctypes', 'inspect', 'typing', 'multiprocessing'}))\n"
        "print('libcuda' in open('/proc/self/maps').read())"
    )
    assert said.splitlines() == ["['fastpaths']", "[]", "False"]


@pytest.mark.parametrize("content", [b"", b"no library at all\n" * 100])
@pytest.mark.parametrize(
    "use",
    ["Device()", "Device(0)", "Device.get_all_devices()", "LEGACY_DEFAULT_STREAM.sync()",
     "Stream.from_handle(8).record()"],
)  # fmt: skip
def test_a_driver_that_cannot_be_loaded(
    bare: Bare, tmp_path: Path, content: bytes, use: str
) -> None:
    (tmp_path / "libcuda.so.1").write_bytes(content)
    said = bare(f"{SAY}\nsay(lambda: {use})\nsay(lambda: {use})").splitlines()
    assert len(said) == 2
    for line in said:
        assert "the NVIDIA driver library libcuda.so.1 could not be loaded" in line
        assert "install an NVIDIA driver" in line
        assert str(tmp_path) in line


@pytest.fixture
def poor(tmp_path: Path) -> Path:
    compiler = os.environ.get("CC", "cc").split()
    if shutil.which(compiler[0]) is None:
        pytest.skip("needs a C compiler")
    source = tmp_path / "poor.c"
    source.write_text(POOR_DRIVER)
    command = [*compiler, "-shared", "-fPIC", "-o", tmp_path / "libcuda.so.1", source]
    subprocess.run(command, check=True, timeout=60)
    return tmp_path


@pytest.mark.parametrize(
    ("use", "call", "version"),
    [
        ("Device().uuid", "cuDeviceGetUuid", "11.4"),
        ("Device().pci_bus_id", "cuDeviceGetPCIBusId", "4.1"),
        ("Device().properties.warp_size", "cuDeviceGetAttribute", "2.0"),
        ("Device(0).set_current()", "cuDevicePrimaryCtxRetain", "7.0"),
        ("LEGACY_DEFAULT_STREAM.sync()", "cuStreamSynchronize", "2.0"),
    ],
)
def test_a_call_that_the_driver_lacks_is_named(
    bare: Bare, poor: Path, use: str, call: str, version: str
) -> None:
    said = bare(f"{SAY}\nprint(Device(), Device(0).name)\nsay(lambda: {use})").splitlines()
    assert said == [
        "<Device 0 (P)> P",
        f"{call}: the installed driver has no such function: it needs a driver for CUDA {version}"
        " or newer, this one is for 11.2",
    ]


@pytest.mark.parametrize("version", ["9000", "11000", "11030", "12000"])
def test_older_drivers_do_all_that_is_needed(fresh, version: str) -> None:
    fresh(
        """
        device = Device(0)
        device.set_current()
        stream = device.create_stream(options={"priority": -1})
        start, end = (device.create_event({"timing_enabled": True}) for _ in range(2))
        stream.record(start)
        stream.record(end).sync()
        assert end - start >= 0 and len(device.uuid) == 36 and device.properties.warp_size == 32
        assert device.create_event({"ipc_enabled": True}).ipc_descriptor != None
        """,
        NULLCUDA_DRIVER_VERSION=version,
    )


def test_no_device_is_said_by_name(fresh) -> None:
    fresh(
        """
        for use in (Device, Device.get_all_devices, lambda: Device(0)):
            try:
                use()
            except CUDAError as error:
                assert (error.code, error.call) == (100, "cuInit"), error
                assert "CUDA_ERROR_NO_DEVICE" in str(error)
            else:
                raise AssertionError("no error")
        """,
        devices=0,
    )


@pytest.mark.parametrize("code", [100, 802, 803, 999])
def test_initialising_is_tried_again_after_it_failed(fresh, code: int) -> None:
    fresh(
        f"""
        null.inject_error("cuInit", {code})
        try:
            Device()
        except CUDAError as error:
            assert (error.code, error.call) == ({code}, "cuInit"), (error.code, error.call)
        else:
            raise AssertionError("no error")
        Device(0).set_current()
        assert Device() is Device(0)
        """
    )
