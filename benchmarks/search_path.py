"""Which ``fastpaths`` an import finds: the installed build, not the source folder beside it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def installed_first() -> None:
    """Move the repository root to the end of ``sys.path``.

    ``python -m benchmarks`` puts it first, where the source folder ``fastpaths``, which has no
    compiled modules, would hide the installed package.
    """
    ours = [entry for entry in sys.path if Path(entry or ".").resolve() == ROOT]
    if ours:
        sys.path[:] = [entry for entry in sys.path if entry not in ours] + [str(ROOT)]
