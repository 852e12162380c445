"""The table of driver calls is read strictly, and the header written from it is complete."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FASTPATHS = Path(__file__).resolve().parents[2] / "fastpaths"
GOOD = "cuEventDestroy | cuEventDestroy_v2 | 4000 | fastpaths, floor | (CUevent hEvent)"


def test_a_row(reader: ModuleType) -> None:
    (row,) = reader.parse(f"# a comment\n\n{GOOD}\n")
    assert row == (
        "cuEventDestroy",
        "cuEventDestroy_v2",
        4000,
        {"fastpaths", "floor"},
        "(CUevent hEvent)",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cuInit | cuInit | 2000 | floor", "line 1: expected five columns, got 4"),
        (f"{GOOD} | more", "line 1: expected five columns, got 6"),
        (GOOD.replace("floor", "ceiling"), "line 1: an unknown user"),
        (GOOD.replace("4000", "4.0"), "line 1: an unknown user, version"),
        (GOOD.replace("(CUevent hEvent)", "CUevent hEvent"), "line 1: .*parameter list"),
        (f"{GOOD}\n{GOOD}", "line 2: cuEventDestroy_v2 is listed twice"),
    ],
)
def test_bad_rows(reader: ModuleType, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        reader.parse(text)


def test_symbols_belong_to_their_names(rows: list[Any]) -> None:
    for row in rows:
        suffix = row.symbol.removeprefix(row.name)
        parts = [part for part in suffix.split("_") if part]
        assert all(part == "ptsz" or part[1:].isdigit() for part in parts), row.symbol
        assert ("ptsz" in parts) == ("ptsz" in row.users), row.symbol


def test_the_header_has_every_row(tmp_path: Path, rows: list[Any]) -> None:
    header = tmp_path / "null_calls.h"
    generator = FASTPATHS / "nulldriver" / "generate_exports.py"
    table = FASTPATHS / "driver_api.txt"
    subprocess.run([sys.executable, generator, table, header], check=True, timeout=60)
    text = header.read_text(encoding="utf-8")
    for row in rows:
        assert f"CUresult {row.symbol}{row.parameters};" in text
        assert f'ROW("{row.name}", {row.symbol}, {row.version}, ' in text
