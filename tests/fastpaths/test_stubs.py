"""The stubs say what the built modules are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import fastpaths

HERE = Path(__file__).parent
PACKAGE = Path(fastpaths.__file__).parent


def stubtest(tmp_path: Path, place: Path) -> subprocess.CompletedProcess[str]:
    script = Path(sys.executable).parent / "stubtest"
    allowed = HERE / "stubtest-allowlist.txt"
    options = ["--allowlist", str(allowed), "--ignore-unused-allowlist", "--ignore-disjoint-bases"]
    return subprocess.run(
        [str(script), "fastpaths", *options],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(place), "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.timeout(300)
def test_stubs_agree_with_the_modules(tmp_path: Path) -> None:
    # By a link, because mypy refuses to be pointed at site-packages.
    place = tmp_path / "place"
    place.mkdir()
    (place / "fastpaths").symlink_to(PACKAGE)
    done = stubtest(tmp_path, place)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").exists()
