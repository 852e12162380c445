"""Driver calls of operations, as the trace instrument wrote them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reports.documents import Fields, UnreadableError, tidy
from reports.origin import Origin, read_instrument
from reports.runs import Calls


@dataclass(frozen=True)
class Trace:
    """The driver calls of one operation of one library, in order."""

    source: Origin
    operation: str
    library: str
    calls: Calls
    python: str


def _trace(fields: Fields, source: Origin) -> Trace:
    calls = fields.items("calls")
    if not all(isinstance(call, str) for call in calls):
        raise UnreadableError(f"{fields.where}: 'calls' is not a list of driver calls")
    return Trace(
        source=source,
        operation=fields.text("operation"),
        library=fields.text("library").partition("@")[0],
        calls=tuple(map(tidy, calls)),
        python=fields.text("python"),
    )


def read_traces(path: Path) -> list[Trace]:
    """The results in one trace file; `UnreadableError` names the first field that is wrong."""
    fields, source = read_instrument(path, "trace")
    return [_trace(entry, source) for entry in fields.tables("results")]
