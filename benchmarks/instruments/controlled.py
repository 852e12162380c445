"""A process whose instruction count depends on nothing but the code: valgrind and its conditions.

Other projects report counts that move with address-space layout, with glibc's choice of string
routines by processor, with the hash seed, and with the length of arguments and environment. All
of these are held still here, and stored with the result.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from .callgrind_output import OPTIONS
from .side import HASH_SEED, InstrumentError, Side, fixed_layout

GLIBC_TUNABLES = {
    "x86_64": (
        "glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-AVX512BW,-AVX512VL,-BMI1,-BMI2,-ERMS,-FSRM,-LZCNT,"
        "-MOVBE,-RTM,-SSE4_1,-SSE4_2,-SSSE3"
        ":glibc.cpu.x86_data_cache_size=32768:glibc.cpu.x86_shared_cache_size=1048576"
        ":glibc.cpu.x86_non_temporal_threshold=786432"
        ":glibc.cpu.x86_rep_movsb_threshold=2048:glibc.cpu.x86_rep_stosb_threshold=2048"
    ),
    "aarch64": "glibc.cpu.name=generic",
}
"""The same routines of glibc on every processor of an architecture."""

_KEPT = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "PYTHONPATH", "TMPDIR")
_PADDING = "RULER_PADDING"
_BLOCK = 4096
_TOLD = re.compile(r"valgrind-(\S+)")


class NoValgrindError(InstrumentError):
    """valgrind cannot be run here; the message says what to install."""


def valgrind_version() -> str:
    """Return valgrind's version.

    Raises
    ------
    NoValgrindError
        If there is no valgrind that runs.
    """
    program = shutil.which("valgrind")
    if program is None:
        raise NoValgrindError(
            "valgrind is not installed: install the package `valgrind` to count instructions"
        )
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    told = _TOLD.match(done.stdout)
    if told is None:
        raise NoValgrindError(f"valgrind does not run ({done.stderr.strip()}): reinstall it")
    return told.group(1)


def callgrind(out_file: Path) -> list[str]:
    """Return the command prefix that counts what a client request switches on."""
    return [
        "valgrind",
        "-q",
        "--tool=callgrind",
        "--instr-atstart=no",
        f"--callgrind-out-file={out_file}",
        *OPTIONS,
    ]


def environment(side: Side, command: Sequence[str]) -> dict[str, str]:
    """Return the few variables a worker needs; with the command they fill whole blocks."""
    variables = {name: os.environ[name] for name in _KEPT if name in os.environ}
    variables |= {
        "BENCH_DRIVER": "null",
        "GLIBC_TUNABLES": GLIBC_TUNABLES.get(platform.machine(), ""),
        "PYTHONDONTWRITEBYTECODE": "1",
        _PADDING: "",
    }
    variables = side.environment(variables)
    variables[_PADDING] = "=" * (-_size(variables, command) % _BLOCK)
    return variables


def _size(variables: Mapping[str, str], command: Sequence[str]) -> int:
    """Return the bytes that arguments and environment take on the stack, ends included."""
    entries = [f"{name}={value}" for name, value in variables.items()]
    return sum(len(os.fsencode(entry)) + 1 for entry in [*entries, *command])


def conditions() -> dict[str, str | bool]:
    """Return what was held still, for the result."""
    return {
        "valgrind": valgrind_version(),
        "architecture": platform.machine(),
        "hash_seed": HASH_SEED,
        "glibc_tunables": GLIBC_TUNABLES.get(platform.machine(), ""),
        "address_randomisation": not fixed_layout(),
        "driver": "null",
    }
