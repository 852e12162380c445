"""Which CuPy a machine gets, and that its build leaves a whole wheel or nothing."""

from __future__ import annotations

import platform
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from benchmarks.environment import cupy_wheel, steps

TAG = f"cp{sys.version_info[0]}{sys.version_info[1]}"
NAME = f"cupy-{cupy_wheel.VERSION}-{TAG}-{TAG}{sys.abiflags}-linux_{platform.machine()}.whl"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = cupy_wheel.cache_folder()
    assert folder.is_relative_to(tmp_path)
    return folder


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """A wheel, as the build would make it."""
    wheel = tmp_path / "ready.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("cupy/__init__.py", "")
    return wheel


def builder(tmp_path: Path, then: str) -> Path:
    """Return a Python whose pip is a shell line; ``$target`` is the folder for the wheel."""
    python = tmp_path / "python"
    python.write_text(
        "#!/bin/sh\n"
        f'echo "stub=$CUPY_INSTALL_USE_STUB $*" >> "{tmp_path}/calls"\n'
        'while [ "$1" != -w ]; do shift; done; target=$2\n'
        f"{then}\n"
    )
    python.chmod(0o755)
    return python


def test_it_is_built_once_with_the_stub_switch(cache: Path, ready: Path, tmp_path: Path) -> None:
    python = builder(tmp_path, f'cp "{ready}" "$target/{NAME}"')
    for _ in range(2):
        wheel = cupy_wheel.stub_wheel(python, tmp_path / "logs")
        assert wheel == cache / NAME
        assert zipfile.is_zipfile(wheel)
    (call,) = (tmp_path / "calls").read_text().splitlines()
    assert call.startswith("stub=1 -m pip wheel --no-deps --no-binary cupy -w ")
    assert call.endswith(f" cupy=={cupy_wheel.VERSION}")
    assert {path.name for path in cache.iterdir()} == {NAME, ".lock"}


def test_two_at_once_build_it_once(cache: Path, ready: Path, tmp_path: Path) -> None:
    python = builder(tmp_path, f'sleep 0.5; cp "{ready}" "$target/{NAME}"')
    threads = [
        threading.Thread(target=cupy_wheel.stub_wheel, args=(python, tmp_path / f"logs{i}"))
        for i in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len((tmp_path / "calls").read_text().splitlines()) == 1
    assert (cache / NAME).exists()


def test_a_failed_build_leaves_nothing(cache: Path, tmp_path: Path) -> None:
    python = builder(tmp_path, f'echo half > "$target/{NAME}"; exit 1')
    with pytest.raises(steps.SetUpError, match=r"building CuPy .* failed"):
        cupy_wheel.stub_wheel(python, tmp_path / "logs")
    assert {path.name for path in cache.iterdir()} == {".lock"}


def test_what_a_killed_build_left_is_cleared_away(cache: Path, ready: Path, tmp_path: Path) -> None:
    left = cache / ".building"
    left.mkdir(parents=True)
    (left / "cupy-half.whl").write_text("half")
    python = builder(tmp_path, f'cp "{ready}" "$target/{NAME}"')
    assert cupy_wheel.stub_wheel(python, tmp_path / "logs") == cache / NAME
    assert not left.exists()


def test_a_damaged_wheel_is_built_anew(cache: Path, ready: Path, tmp_path: Path) -> None:
    cache.mkdir(parents=True)
    (cache / NAME).write_bytes(b"cut off")
    python = builder(tmp_path, f'cp "{ready}" "$target/{NAME}"')
    assert zipfile.is_zipfile(cupy_wheel.stub_wheel(python, tmp_path / "logs"))


@pytest.mark.parametrize("other", [f"{TAG}-{TAG}-linux_other", "cp39-cp39-linux_x86_64"])
def test_a_wheel_for_another_python_or_machine_is_not_taken(cache: Path, other: str) -> None:
    cache.mkdir(parents=True)
    zipfile.ZipFile(cache / f"cupy-{cupy_wheel.VERSION}-{other}.whl", "w").close()
    assert cupy_wheel.cached_stub(cache) is None


def test_a_cache_that_cannot_be_written_to_is_named(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    with pytest.raises(steps.SetUpError, match=r"cannot be written to .*set XDG_CACHE_HOME"):
        cupy_wheel.stub_wheel(Path(sys.executable), tmp_path / "logs")


@pytest.mark.parametrize(
    ("version", "requirement"), [(12020, "cupy-cuda12x"), (13000, "cupy-cuda13x")]
)
def test_a_gpu_gets_the_stock_wheel(version: int, requirement: str) -> None:
    assert cupy_wheel.stock_requirement(version) == f"{requirement}=={cupy_wheel.VERSION}"


def test_a_too_old_driver_gets_no_cupy() -> None:
    with pytest.raises(steps.SetUpError, match=r"CUDA 11 .*update the driver"):
        cupy_wheel.stock_requirement(11080)


def test_the_version_is_asked_of_the_driver_unless_the_null_driver_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The tests have a driver loaded under that name; only the device file is pretended."""
    monkeypatch.setattr(cupy_wheel, "has_gpu", lambda: True)
    monkeypatch.setenv("BENCH_DRIVER", "auto")
    version = cupy_wheel.driver_version()
    assert version is not None
    assert version >= 12000
    monkeypatch.setenv("BENCH_DRIVER", "null")
    assert cupy_wheel.driver_version() is None
