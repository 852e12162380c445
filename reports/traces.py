"""Driver calls of operations, as the trace instrument wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reports.documents import Fields, UnreadableError, tidy
from reports.origin import Origin, read_instrument, read_versions
from reports.runs import Calls


@dataclass(frozen=True)
class Trace:
    """The driver calls of one operation, in order.

    `side` is the library's name, or what the build of it was called.
    """

    source: Origin
    operation: str
    side: str
    calls: Calls
    versions: Mapping[str, str]

    def is_of(self, library: str) -> bool:
        """Is it a trace of a library, whatever its build is called?"""
        return self.side == library or next(iter(self.versions), None) == library


def _trace(fields: Fields, source: Origin) -> Trace:
    calls = fields.items("calls")
    if not all(isinstance(call, str) for call in calls):
        raise UnreadableError(f"{fields.where}: 'calls' is not a list of driver calls")
    return Trace(
        source=source,
        operation=fields.text("operation"),
        side=fields.text("library"),
        calls=tuple(map(tidy, calls)),
        versions=read_versions(fields),
    )


def read_traces(path: Path) -> list[Trace]:
    """The results in one trace file; `UnreadableError` names the first field that is wrong."""
    fields, source = read_instrument(path, "trace")
    return [_trace(entry, source) for entry in fields.tables("results")]
