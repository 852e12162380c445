"""Write the C list and the Cython declarations of the driver calls that fastpaths makes.

Run by the build: ``generate_driver_table.py driver_api.txt driver_calls.h driver_calls.pxi``.
The rows of driver_api.txt are the single source of every declaration.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

# Callable before cuInit: they describe why it failed.
ALWAYS_CALLABLE = ("cuInit", "cuGetErrorName", "cuGetErrorString", "cuDriverGetVersion")


class Call(NamedTuple):
    """One driver function that fastpaths calls."""

    name: str
    symbol: str
    version: int
    parameters: str

    @property
    def arguments(self) -> str:
        """The parameter names as an argument list."""
        inner = self.parameters.strip()[1:-1]
        if inner.strip() == "void":
            return "()"
        names = re.findall(r"(\w+)\s*(?:,|$)", inner)
        return f"({', '.join(names)})"

    @property
    def row(self) -> str:
        """The row of the C list."""
        return f"ROW({self.name}, {self.symbol}, {self.version}, {self.parameters}, {self.arguments})"


def read_calls(text: str) -> list[Call]:
    """Return the rows used by fastpaths.

    Raises
    ------
    ValueError
        If a row has not five columns, or two rows of one name are marked: a table has one field
        a name.
    """
    calls: dict[str, Call] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split(" | ")]
        if len(columns) != 5:
            raise ValueError(f"line {number}: expected five columns, got {len(columns)}: {line}")
        name, symbol, version, users, parameters = columns
        if "fastpaths" not in users.replace(",", " ").split():
            continue
        if name in calls:
            raise ValueError(f"line {number}: fastpaths already uses {calls[name].symbol} as {name}")
        calls[name] = Call(name, symbol, int(version), parameters)
    return list(calls.values())


def c_list(name: str, calls: list[Call]) -> str:
    """Return an X-macro over calls."""
    return f"#define {name}(ROW) \\\n" + " \\\n".join(f"    {call.row}" for call in calls) + "\n"


def header(calls: list[Call]) -> str:
    """Return driver_calls.h."""
    always = [call for call in calls if call.name in ALWAYS_CALLABLE]
    return (
        c_list("FASTPATHS_DRIVER_CALLS", calls)
        + "\n"
        + c_list("FASTPATHS_ALWAYS_CALLABLE", always)
    )


def declarations(calls: list[Call]) -> str:
    """Return driver_calls.pxi."""
    lines = ['cdef extern from "driver_table.h" nogil:']
    for call in calls:
        parameters = "()" if call.arguments == "()" else call.parameters
        lines.append(f"    CUresult {call.name}{parameters} noexcept")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    """Read the rows and write both files."""
    source, c_file, cython_file = map(Path, arguments)
    calls = read_calls(source.read_text())
    c_file.write_text(header(calls))
    cython_file.write_text(declarations(calls))


if __name__ == "__main__":
    main(sys.argv[1:])
