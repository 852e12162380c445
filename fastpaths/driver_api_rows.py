"""The reader of ``driver_api.txt``, for the generators and the tests."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

USERS = frozenset({"fastpaths", "floor", "libraries", "ptsz"})


class Row(NamedTuple):
    """One driver function under one symbol.

    Attributes
    ----------
    name : str
        What ``cuGetProcAddress`` is asked for.
    symbol : str
        What the library exports.
    version : int
        The CUDA version from which the symbol answers to the name: 1000 x major + 10 x minor.
    users : frozenset of str
        Who calls it.
    parameters : str
        The C parameter list, in brackets.
    """

    name: str
    symbol: str
    version: int
    users: frozenset[str]
    parameters: str


def parse(text: str) -> list[Row]:
    """Return the rows of a text.

    Raises
    ------
    ValueError
        If a row has not five columns, an unknown user or no version, or repeats a symbol.
    """
    rows: dict[str, Row] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split(" | ")]
        if len(columns) != 5:
            raise ValueError(f"line {number}: expected five columns, got {len(columns)}: {line}")
        name, symbol, version, users, parameters = columns
        marks = frozenset(users.replace(",", " ").split())
        if not marks <= USERS or not version.isdigit() or not parameters.startswith("("):
            raise ValueError(f"line {number}: an unknown user, version or parameter list: {line}")
        if symbol in rows:
            raise ValueError(f"line {number}: {symbol} is listed twice")
        rows[symbol] = Row(name, symbol, int(version), marks, parameters)
    return list(rows.values())


def read(path: Path | None = None) -> list[Row]:
    """Return the rows of ``driver_api.txt``, or of another file of its form."""
    path = path or Path(__file__).with_name("driver_api.txt")
    return parse(path.read_text(encoding="utf-8"))
