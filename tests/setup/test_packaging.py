"""The wheel holds all that users need and no more; the sdist holds all that builds need."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 1_000_000
SCRIPTS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def build(kind: str, source: Path, target: Path) -> Path:
    """Build without isolation, so that no index is needed."""
    command = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        "-x",
        f"--{kind}",
        "-o",
        str(target),
    ]
    done = subprocess.run(
        [*command, str(source)],
        env={**os.environ, "PATH": SCRIPTS},
        cwd=target,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return next(target.glob("*.whl" if kind == "wheel" else "*.tar.gz"))


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    clone = tmp_path_factory.mktemp("clone") / "source"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    return clone


@pytest.fixture(scope="module")
def sdist(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An sdist of the last commit: meson packs what git has."""
    return build("sdist", clone, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made from the sdist alone: what is missing there would be missing here."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    return build("wheel", source, tmp_path_factory.mktemp("wheel"))


@pytest.mark.timeout(300)
def test_the_wheel_has_every_part(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    modules = {path.stem for path in (ROOT / "fastpaths").glob("*.pyx")}
    built = {name.split("/")[1].split(".")[0] for name in names if name.endswith(".so")}
    stubs = {f"fastpaths/{path.name}" for path in (ROOT / "fastpaths").glob("*.pyi")}
    assert modules <= built
    assert stubs <= set(names)
    assert {
        "fastpaths/__init__.py",
        "fastpaths/nulldriver/__init__.py",
        "fastpaths/nulldriver/libcuda.so.1",
    } <= set(names)


@pytest.mark.timeout(300)
def test_the_wheel_is_small_and_holds_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert wheel.stat().st_size < MOST_BYTES
    assert {name.split("/")[0].split("-")[0] for name in names} == {"fastpaths"}
    assert not [name for name in names if name.endswith((".c", ".pyx", ".txt"))]


@pytest.mark.timeout(300)
def test_the_wheel_works_alone(wheel: Path, tmp_path: Path) -> None:
    """Unpacked away from the sources, on the null driver that it brings along."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r});"
        "import fastpaths; from fastpaths import nulldriver;"
        "null = nulldriver.load(devices=2);"
        "device = fastpaths.Device(1); device.set_current();"
        "event = device.create_stream().record(); event.sync();"
        "print(fastpaths.__file__, device, null.live()['events'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.split()[1:] == ["<Device", "1", "(Null", "Device)>", "1"], done.stderr
    assert done.stdout.startswith(str(tmp_path))


@pytest.mark.timeout(300)
def test_the_sdist_has_every_file_that_git_has(clone: Path, sdist: Path) -> None:
    """Builds, tests and benchmarks can be run from it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=clone, capture_output=True, text=True, check=True
    )
    with tarfile.open(sdist) as archive:
        packed = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    tracked = set(filter(None, listed.stdout.split("\0")))
    assert "fastpaths/driver_api.txt" in tracked
    assert tracked - packed == set()
