"""What this machine can and cannot measure, and what to do about each "cannot"."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from . import probes


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes
    ----------
    subject : str
        What was looked at.
    ok : bool
        Whether it serves.
    found : str
        What was found, in one phrase.
    matters : str
        Which measurement depends on it.
    remedy : str
        What to do if it does not serve; empty if it does.
    """

    subject: str
    ok: bool
    found: str
    matters: str
    remedy: str = ""


def examine() -> list[Finding]:
    """Look at everything; nothing is installed, initialised or changed."""
    return [Finding(*probe()) for probe in probes.ALL]


def main(argv: Sequence[str]) -> int:
    """Run the verb ``doctor``: 0 if something can be measured, 2 if nothing can."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks doctor", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(argv)
    findings = examine()
    able = can_measure(findings)
    if options.json:
        document = {"schema": 1, "able": able, "findings": [asdict(one) for one in findings]}
        print(json.dumps(document, indent=1))
    else:
        print(report(findings))
        if not able:
            print("doctor: nothing can be measured yet: run `make bench`", file=sys.stderr)
    return 0 if able else 2


def can_measure(findings: Sequence[Finding]) -> bool:
    """Return whether there is a driver and at least one library to measure."""
    served = {one.subject for one in findings if one.ok}
    return "driver" in served and bool(served & {"cuda.core", "CuPy", "fastpaths"})


def report(findings: Sequence[Finding]) -> str:
    """Return the findings as text: one line each, and one more for what to do."""
    width = max(len(one.subject) for one in findings)
    lines = []
    for one in findings:
        mark = "ok    " if one.ok else "cannot"
        lines.append(f"{mark} {one.subject:<{width}}  {one.found} ({one.matters})")
        if one.remedy:
            lines.append(f"{'':6} {'':<{width}}  -> {one.remedy}")
    return "\n".join(lines)
