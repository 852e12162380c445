"""Pages that are made from committed data: written, or compared with what stands there."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from reports.documents import ReportError, read_text, write_atomically


def escaped(text: str) -> str:
    """Text that cannot break a Markdown table or begin an HTML tag."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], words: Sequence[str] = ()
) -> list[str]:
    """The lines of a Markdown table; figures are set to the right, first column and `words` not."""
    rule = ["---" if name in (head[0], *words) else "---:" for name in head]
    return [f"| {' | '.join(row)} |" for row in (head, rule, *rows)]


def replace_between(path: Path, name: str, content: str) -> str:
    """The text of a page with `content` between its markers ``name:begin`` and ``name:end``.

    Raises
    ------
    ReportError
        A marker is missing, or there are two, or they are in the wrong order.
    """
    text = read_text(path)
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise ReportError(
            f"{path}: needs the line {begin} once and, below it, the line {end} once; put them"
            " where the table belongs"
        )
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    return f"{before}{begin}\n{content.strip()}\n{end}{after}"


def deliver(path: Path, text: str, *, check: bool, verb: str) -> int:
    """Write the page, or with `check` only say whether it is what would be written.

    Returns
    -------
    int
        0, or 1 when the page was checked and is stale.
    """
    current = read_text(path) if path.exists() else None
    if current == text:
        print(f"{verb}: {path} is up to date")
        return 0
    if check:
        print(
            f"{verb}: {path} is stale; run `python -m reports {verb}` and commit it",
            file=sys.stderr,
        )
        return 1
    write_atomically(path, text)
    print(f"{verb}: {path} is written")
    return 0
