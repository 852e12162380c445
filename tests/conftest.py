"""What all tests share: the search path, and the driver, chosen before anything can load one."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# Appended, not put first: an installed fastpaths must win over the source folder.
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

# FASTPATHS_TEST_DRIVER=nvidia runs the behavioural tests on a GPU; child processes follow suit.
os.environ["BENCH_DRIVER"] = os.environ.get("FASTPATHS_TEST_DRIVER") or "null"

import benchmarks  # noqa: E402, F401 (loads the driver)

SILENCE = 8.0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Say which test is running, once it has been running for a while."""
    reporter = item.config.pluginmanager.get_plugin("terminalreporter")
    begin, done = time.monotonic(), threading.Event()

    def watch() -> None:
        while not done.wait(SILENCE):
            if reporter is not None:
                waited = time.monotonic() - begin
                reporter.write_line(f" {item.nodeid}: still at it after {waited:.0f} s")

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        return (yield)
    finally:
        done.set()
        thread.join()
