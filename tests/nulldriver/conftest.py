"""A private copy of the null driver for its own tests, so that no other test uses it too."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "fastpaths" / "nulldriver"
SUCCESS = 0


def load_module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        f"null_tests_{path.parent.name}_{path.stem}", path
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def compiler() -> list[str]:
    return os.environ.get("CC", "cc").split()


@pytest.fixture(scope="session")
def compile_c(compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a compiler of the null driver's sources together with others."""
    folder = tmp_path_factory.mktemp("null_driver_build")
    header = [SOURCES / "generate_exports.py", ROOT / "fastpaths" / "driver_api.txt"]
    subprocess.run([sys.executable, *header, folder / "null_calls.h"], check=True, timeout=60)

    def build(output: str, *arguments: str | Path) -> Path:
        """Compile; a compiler's refusal is an AssertionError with its words."""
        sources = sorted(SOURCES.glob("*.c"))
        strict = ["-std=gnu11", "-Wall", "-Wextra", "-fPIC", "-fvisibility=hidden"]
        command = [*compiler, *strict, f"-I{SOURCES}", f"-I{folder}", "-o", folder / output]
        done = subprocess.run(
            [*command, *sources, *arguments, "-lpthread", "-ldl"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return folder / output

    return build


@pytest.fixture(scope="session")
def library(compile_c: Any) -> Path:
    """Return the path of the built library; one that is older than its sources does not count."""
    sources = [*SOURCES.glob("*.[ch]"), *SOURCES.glob("g*.py"), *SOURCES.parent.glob("driver_api*")]
    newest = max(path.stat().st_mtime for path in sources)
    installed = Path(sysconfig.get_path("platlib")) / "fastpaths" / "nulldriver"
    found = [*sorted((ROOT / "build" / "ruler").rglob("libcuda.so.1")), installed / "libcuda.so.1"]
    for path in found:
        if path.exists() and path.stat().st_mtime >= newest:
            return path
    return compile_c("libcuda.so.1", "-O2", "-shared", "-Wl,-soname,libcuda.so.1")


@pytest.fixture
def python(library: Path) -> Any:
    """Return a runner of code in a new process, where ``null`` is the loaded null driver."""
    module = str(SOURCES / "__init__.py")
    beginning = (
        "import ctypes, importlib.util, json, os, sys\n"
        f"spec = importlib.util.spec_from_file_location('control', {module!r})\n"
        "control = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(control)\n"
        f"null = control.load({str(library)!r})\n"
        "cuda = ctypes.CDLL('libcuda.so.1')\n"
    )

    def run(code: str, **environment: str) -> Any:
        clean = {key: text for key, text in os.environ.items() if not key.startswith("NULLCUDA_")}
        done = subprocess.run(
            [sys.executable, "-c", beginning + code],
            env={**clean, **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="session")
def control() -> ModuleType:
    return load_module(SOURCES / "__init__.py")


@pytest.fixture(scope="session")
def reader() -> ModuleType:
    return load_module(ROOT / "fastpaths" / "driver_api_rows.py")


@pytest.fixture(scope="session")
def rows(reader: ModuleType) -> list[Any]:
    return reader.read()


def c_type(parameter: str) -> Any:
    kind = re.sub(r"\w+$", "", parameter).strip()
    if kind.startswith("CUipcEventHandle") and "*" not in kind:
        return ctypes.c_char * 64
    scalars = {
        "unsigned int": ctypes.c_uint,
        "int": ctypes.c_int,
        "CUdevice": ctypes.c_int,
        "CUresult": ctypes.c_int,
        "cuuint64_t": ctypes.c_uint64,
    }
    return scalars.get(kind, ctypes.c_char_p if kind == "const char *" else ctypes.c_void_p)


class IpcHandle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]


class Calls:
    """The driver's calls by exported symbol, with checked argument types; they return CUresults."""

    def __init__(self, loaded: ctypes.CDLL, rows: list[Any]) -> None:
        for row in rows:
            call = getattr(loaded, row.symbol)
            parameters = row.parameters.strip("()")
            call.argtypes = [
                IpcHandle if issubclass(c_type(text), ctypes.Array) else c_type(text)
                for text in parameters.split(", ")
                if text != "void"
            ]
            setattr(self, row.symbol, call)


class Null:
    """A private null driver: its calls, its control object, and short ways to make objects."""

    def __init__(self, calls: Calls, control: Any) -> None:
        self.calls = calls
        self.control = control

    def out(self, symbol: str, kind: Any, *arguments: Any) -> Any:
        """Call a function whose first argument is an output, and return that."""
        value = kind()
        assert getattr(self.calls, symbol)(ctypes.byref(value), *arguments) == SUCCESS, symbol
        return value.value

    def start(self, device: int = 0) -> int:
        """Initialise, make a device's primary context current and return it."""
        assert self.calls.cuInit(0) == SUCCESS
        context = self.out("cuDevicePrimaryCtxRetain", ctypes.c_void_p, device)
        assert self.calls.cuCtxSetCurrent(context) == SUCCESS
        return int(context)

    def event(self, flags: int = 0) -> int:
        return int(self.out("cuEventCreate", ctypes.c_void_p, flags))

    def stream(self, flags: int = 1, priority: int = 0) -> int:
        return int(self.out("cuStreamCreateWithPriority", ctypes.c_void_p, flags, priority))


@pytest.fixture(scope="session")
def private_null(
    library: Path, control: ModuleType, rows: list[Any], tmp_path_factory: pytest.TempPathFactory
) -> Null:
    # Under its own name, the copy would answer what the rest of the process asks of a driver.
    copy = tmp_path_factory.mktemp("null_driver") / "libnull.so.1"
    copy.write_bytes(library.read_bytes().replace(b"libcuda.so.1\0", b"libnull.so.1\0"))
    loaded = ctypes.CDLL(str(copy))
    return Null(Calls(loaded, rows), control.NullDriver(loaded))


@pytest.fixture
def null(private_null: Null) -> Iterator[Null]:
    """Return a null driver with one device that nobody has initialised."""
    private_null.control.reset()
    private_null.control.set_device_count(1)
    private_null.control.set_driver_version(13000)
    yield private_null
    private_null.control.log_stop()
    private_null.control.reset()
