"""``python -m reports gate``: read, decide, show."""

from __future__ import annotations

import argparse
import json
import os
from datetime import date
from pathlib import Path

from reports.documents import ReportError, write_atomically
from reports.gate.decide import decide
from reports.gate.findings import Verdict
from reports.gate.measured import read_measured
from reports.gate.policy_file import read_policy
from reports.gate.show_github import github
from reports.gate.show_json import as_json
from reports.gate.show_junit import junit
from reports.gate.show_markdown import markdown
from reports.gate.show_terminal import terminal
from reports.gate.suspects import suspects
from reports.runs import ROOM

FOLDER = ROOM.parent / "build" / "gate"
SUMMARY = "GITHUB_STEP_SUMMARY"


def main(argv: list[str]) -> int:
    """Run the verb: 0 pass, 1 worse, 2 nothing trustworthy speaks for a pass."""
    options = _parser().parse_args(argv)
    policy = read_policy(options.policy)
    measured = read_measured(options.base, options.head or options.base, policy.library)
    verdict = decide(measured, policy, options.today)
    print(terminal(verdict))
    _write(verdict, options)
    if options.suspects:
        found = [vars(suspect) for suspect in suspects(measured, policy)]
        write_atomically(options.suspects, json.dumps(found, indent=1) + "\n")
    if options.github:
        _tell_github(verdict)
    return verdict.exit_status


def _write(verdict: Verdict, options: argparse.Namespace) -> None:
    for path, show in (
        (options.json, as_json),
        (options.markdown, markdown),
        (options.junit, junit),
    ):
        if path:
            write_atomically(path, show(verdict))


def _tell_github(verdict: Verdict) -> None:
    print(github(verdict))
    summary = os.environ.get(SUMMARY)
    if not summary:
        return
    try:
        with Path(summary).open("a", encoding="utf-8") as stream:
            stream.write(markdown(verdict))
    except OSError as error:
        raise ReportError(
            f"{SUMMARY} is {summary}, which cannot be written to ({error.strerror})"
        ) from error


def _day(text: str) -> date:
    return date.fromisoformat(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m reports gate",
        description="Did head become worse than base? Exit status 0 no, 1 yes, 2 nobody can say.",
    )
    parser.add_argument(
        "--base", type=Path, default=FOLDER, metavar="PATH",
        help="what was measured: a folder, or one instrument's file (default: build/gate)",
    )  # fmt: skip
    parser.add_argument(
        "--head", type=Path, metavar="PATH", help="the same of head (default: the folder of base)"
    )
    parser.add_argument("--policy", type=Path, default=ROOM / "policy.toml", metavar="FILE")
    parser.add_argument("--json", type=Path, metavar="FILE", help="see verdict.schema.json")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    parser.add_argument("--junit", type=Path, metavar="FILE")
    parser.add_argument(
        "--github", action="store_true", help=f"annotations, and Markdown into ${SUMMARY}"
    )
    parser.add_argument(
        "--suspects", type=Path, metavar="FILE", help="write which duets must be played again"
    )
    parser.add_argument("--today", type=_day, default=date.today(), help=argparse.SUPPRESS)
    return parser
