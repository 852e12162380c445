"""What all tests share: the search path, and the driver, chosen before anything can load one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Appended, not put first: an installed fastpaths must win over the source folder.
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

# FASTPATHS_TEST_DRIVER=nvidia runs the behavioural tests on a GPU; child processes follow suit.
os.environ["BENCH_DRIVER"] = os.environ.get("FASTPATHS_TEST_DRIVER") or "null"

import benchmarks  # noqa: E402, F401 (loads the driver)
