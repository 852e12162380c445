"""The JSON file that an instrument's verb leaves: its results beside where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

SCHEMA = 1


class Result(Protocol):
    """Anything that can say itself as JSON data."""

    def as_json(self) -> dict[str, Any]:
        """Return JSON data."""
        ...


def write_results(
    path: Path, instrument: str, results: Sequence[Result], skipped: Sequence[dict[str, str]]
) -> None:
    """Write the results, what was not measured and why, and the provenance of it all."""
    from .. import provenance
    from ..record import write_json

    document = {
        "schema": SCHEMA,
        "instrument": instrument,
        "provenance": provenance.collect(),
        "results": [result.as_json() for result in results],
        "skipped": list(skipped),
    }
    write_json(path, document)
