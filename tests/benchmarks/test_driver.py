"""Which driver a process measures on, and that choosing it initialises nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def python(code: str, cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "BENCH_DRIVER"}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_null_driver_answers_what_is_loaded_later() -> None:
    code = (
        "import benchmarks, ctypes; from benchmarks import driver;"
        "later = ctypes.CDLL('libcuda.so.1');"
        "print(driver.current().kind, hasattr(later, 'nullcuda_init_count'))"
    )
    done = python(code, BENCH_DRIVER="null")
    assert done.stdout.split() == ["null", "True"], done.stderr


def test_importing_the_harness_never_calls_cuinit() -> None:
    code = (
        "from benchmarks import driver, device, stream, event, call, helpers, imports;"
        "print(driver.control().init_count())"
    )
    done = python(code, BENCH_DRIVER="null")
    assert done.stdout.strip() == "0", done.stderr


def test_a_wrong_choice_is_said_when_something_is_measured_not_at_import() -> None:
    assert python("import benchmarks", BENCH_DRIVER="amd").returncode == 0
    done = python("from benchmarks import driver; driver.current()", BENCH_DRIVER="amd")
    assert done.stderr.splitlines()[-1].endswith(
        "BENCH_DRIVER is 'amd'; set it to one of auto, null, nvidia, or unset it"
    )


def test_a_driver_that_was_loaded_before_is_not_measured_unawares(tmp_path: Path) -> None:
    other = tmp_path / "libcuda.so.1"
    source = tmp_path / "other.c"
    source.write_text("int cuDriverGetVersion(int *v) { *v = 12000; return 0; }\n")
    command = ["cc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", str(other), str(source)]
    subprocess.run(command, check=True)
    code = (
        f"import ctypes; ctypes.CDLL({str(other)!r});"
        "from benchmarks import driver; driver.current()"
    )
    done = python(code, BENCH_DRIVER="null")
    assert "was loaded before `benchmarks` was imported" in done.stderr


def test_a_too_old_driver_is_refused_with_what_to_do() -> None:
    done = python(
        "from benchmarks import driver; driver.current()",
        BENCH_DRIVER="null",
        NULLCUDA_DRIVER_VERSION="11080",
    )
    assert "supports CUDA 11.8" in done.stderr
    assert "update the driver" in done.stderr


@pytest.mark.skipif(
    bool(list(Path("/dev").glob("nvidia[0-9]*"))), reason="this machine has an NVIDIA GPU"
)
def test_auto_is_the_null_driver_without_a_gpu() -> None:
    done = python("from benchmarks import driver; print(driver.current().kind)")
    assert done.stdout.strip() == "null", done.stderr
