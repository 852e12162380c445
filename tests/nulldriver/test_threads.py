"""Threads that share everything find no race, no wild pointer and no lost object."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

STRESS = Path(__file__).with_name("stress.c")
SANITIZERS = {
    "none": [],
    "thread": ["-fsanitize=thread"],
    "address and undefined": ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
}


@pytest.mark.parametrize("sanitizer", SANITIZERS)
def test_stress(compiler: list[str], compile_c: Any, tmp_path: Path, sanitizer: str) -> None:
    flags = SANITIZERS[sanitizer]
    if flags:
        probe = tmp_path / "probe.c"
        probe.write_text("int main(void) { return 0; }\n")
        command = [*compiler, *flags, "-o", tmp_path / "probe", probe]
        tried = subprocess.run(command, capture_output=True, check=False)
        if tried.returncode != 0:
            pytest.skip(f"the C compiler has no {sanitizer} sanitizer")
    program = compile_c(f"stress_{sanitizer.split()[0]}", "-O1", "-g", *flags, STRESS)
    # The thread sanitizer knows only address-space layouts that are not random.
    layout = ["setarch", platform.machine(), "-R"] if sanitizer == "thread" else []
    done = subprocess.run(
        [*layout, program], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]


def test_one_destroy_of_many_wins(null: Any) -> None:
    null.start()
    events = [null.event() for _ in range(50)]
    barrier = threading.Barrier(8)
    codes: list[int] = []

    def destroy() -> None:
        for event in events:
            barrier.wait(30)
            codes.append(null.calls.cuEventDestroy_v2(event))

    threads = [threading.Thread(target=destroy) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [codes.count(0), codes.count(400)] == [50, 350]
    assert null.control.live()["events"] == 0


def test_a_slow_initialisation_and_many_threads(null: Any) -> None:
    null.control.inject_delay("cuInit", 200_000_000)
    barrier = threading.Barrier(8)
    found = []

    def begin() -> None:
        barrier.wait(30)
        codes = [null.calls.cuInit(0)]
        found.append((*codes, null.calls.cuDeviceGetCount(ctypes.byref(ctypes.c_int()))))

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [(0, 0)] * 8
