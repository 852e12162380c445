"""Write the C list and the Cython declarations of the driver calls that fastpaths makes.

Run by the build: ``generate_driver_table.py driver_api.txt driver_calls.h driver_calls.pxi``.
The rows of driver_api.txt are the single source of every declaration.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

from driver_api_rows import parse

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
        return f"ROW({', '.join(map(str, [*self, self.arguments]))})"


def read_calls(text: str) -> list[Call]:
    """Return the rows used by fastpaths.

    Raises
    ------
    ValueError
        If two rows of one name are marked: a table has one field a name.
    """
    calls: dict[str, Call] = {}
    for row in parse(text):
        if "fastpaths" not in row.users:
            continue
        if row.name in calls:
            raise ValueError(f"fastpaths already uses {calls[row.name].symbol} as {row.name}")
        calls[row.name] = Call(row.name, row.symbol, row.version, row.parameters)
    return list(calls.values())


def c_list(name: str, calls: list[Call]) -> str:
    """Return an X-macro over calls."""
    return f"#define {name}(ROW) \\\n" + " \\\n".join(f"    {call.row}" for call in calls) + "\n"


def header(calls: list[Call]) -> str:
    """Return driver_calls.h."""
    always = [call for call in calls if call.name in ALWAYS_CALLABLE]
    return (
        c_list("FASTPATHS_DRIVER_CALLS", calls) + "\n" + c_list("FASTPATHS_ALWAYS_CALLABLE", always)
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
