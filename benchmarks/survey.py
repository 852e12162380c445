"""Which operations each library can do here: asked once per run, each library in its own process.

asv stores no reason for a skip. The survey does, and it tells a library that lacks an operation
from one that fails to do it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from . import adapters
from .operations import IMPORT, OPERATIONS
from .search_path import ROOT

EXPECTED, UNSUPPORTED, MISSING, FAILED = "expected", "unsupported", "missing", "failed"
_TIMEOUT = 120.0
_WARM_UP = 3


def survey(library: str) -> dict[str, Any]:
    """Try every operation of a library in a fresh process.

    Returns
    -------
    dict
        ``cells``: one ``{operation, library, status, reason}`` per catalogued operation, where
        status is ``expected``, ``unsupported``, ``missing`` (an optional library that is not
        installed) or ``failed``; ``versions``: the packages the library depends on.
    """
    command = [sys.executable, "-m", f"{__package__}.survey", library]
    try:
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        return _nothing(library, FAILED, f"no answer within {_TIMEOUT:.0f} s")
    if done.returncode == 0:
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return answer
    words = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return _nothing(library, FAILED, words[-1])


def _nothing(library: str, status: str, reason: str) -> dict[str, Any]:
    cells = [_cell(operation, library, status, reason) for operation in OPERATIONS]
    return {"cells": cells, "versions": {}}


def _cell(operation: str, library: str, status: str, reason: str | None) -> dict[str, str | None]:
    return {"operation": operation, "library": library, "status": status, "reason": reason}


def _try(adapter: adapters.Adapter, operation: str) -> dict[str, str | None]:
    if reason := adapter.unsupported(operation):
        return _cell(operation, adapter.library, UNSUPPORTED, reason)
    if operation == IMPORT:
        return _cell(operation, adapter.library, EXPECTED, None)
    try:
        adapter.body(operation).loop()(_WARM_UP)
    except NotImplementedError as error:
        return _cell(operation, adapter.library, UNSUPPORTED, str(error))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        return _cell(operation, adapter.library, FAILED, reason)
    return _cell(operation, adapter.library, EXPECTED, None)


def survey_here(library: str) -> dict[str, Any]:
    """Try every operation of a library in this process."""
    try:
        adapter = adapters.load(library)
    except adapters.MissingLibraryError as error:
        status = MISSING if library in adapters.OPTIONAL else FAILED
        return _nothing(library, status, str(error))
    cells = [_try(adapter, operation) for operation in OPERATIONS]
    return {"cells": cells, "versions": adapter.versions()}


def main(argv: Sequence[str]) -> int:
    """Print the survey of one library as a line of JSON."""
    print(json.dumps(survey_here(argv[0])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
