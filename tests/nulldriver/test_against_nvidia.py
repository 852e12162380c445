"""The null driver returns what NVIDIA's driver returned to the same stories of calls.

``nvidia-580.159.json`` is the output of ``python tests/nulldriver/stories libcuda.so.1`` with
driver 580.159.04 (CUDA 13.0) and one H200.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "nvidia-580.159.json"


def told_by(driver: str | Path) -> Any:
    environment = {key: text for key, text in os.environ.items() if not key.startswith("NULLCUDA_")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", HERE / "stories", driver],
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_null_driver_answers_as_nvidias(library: Path) -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert len(recorded) > 50
    assert told_by(library) == recorded


@pytest.mark.gpu
@pytest.mark.skipif(
    not Path("/proc/driver/nvidia/version").exists(), reason="this machine has no NVIDIA driver"
)
def test_this_machines_nvidia_driver_answers_as_recorded() -> None:
    assert told_by("libcuda.so.1") == json.loads(RECORDED.read_text(encoding="utf-8"))
