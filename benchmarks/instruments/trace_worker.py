"""The process that traces one library: each operation once, warmed up, with the calls recorded."""

from __future__ import annotations

import sys
from typing import Any

from .call_recorder import plain_name, recorder
from .once import answer_once
from .worker import explain, identity, load_adapter, quiet_memory

_WARM_UP = 3


def trace_here(request: dict[str, Any]) -> dict[str, Any]:
    """Trace the requested operations of the requested library in this process."""
    adapter = load_adapter(request["library"])
    reply: dict[str, Any] = {"calls": {}, "failures": {}, "identity": identity(adapter)}
    try:
        records = recorder()
    except RuntimeError as error:
        reply["note"] = f"not observable: {error}"
        return reply
    for operation in request["operations"]:
        try:
            loop = adapter.body(operation).loop()
            loop(_WARM_UP)
            quiet_memory()
            reply["calls"][operation] = [plain_name(c) for c in records.record(loop)]
        except Exception as error:
            reply["failures"][operation] = explain(error)
    if reply["calls"] and not records.saw_library():
        reply["calls"].clear()
        reply["note"] = "not observable: this build never calls the driver, as CuPy's stub build"
    return reply


def main(arguments: list[str]) -> int:
    """Answer one request."""
    return answer_once(trace_here)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
