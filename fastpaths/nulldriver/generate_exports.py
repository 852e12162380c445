"""Write the list of calls that the null driver knows, from ``driver_api.txt``.

Run by the build: ``generate_exports.py driver_api.txt null_calls.h``.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def _rows_module() -> ModuleType:
    path = Path(__file__).resolve().parent.parent / "driver_api_rows.py"
    spec = importlib.util.spec_from_file_location("driver_api_rows", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def header(text: str) -> str:
    """Return the header: a prototype per symbol and an X-macro over all rows."""
    rows = _rows_module().parse(text)
    prototypes = [f"CUresult {row.symbol}{row.parameters};" for row in rows]
    calls = [
        f'    ROW("{row.name}", {row.symbol}, {row.version}, {int("ptsz" in row.users)})'
        for row in rows
    ]
    return "\n".join([*prototypes, "#define NULL_CALLS(ROW) \\", " \\\n".join(calls), ""])


def main(arguments: list[str]) -> None:
    """Read the rows and write the header."""
    source, target = map(Path, arguments)
    target.write_text(header(source.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
