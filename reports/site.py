"""asv's pages in ``reports/html``: made beside the old ones, which stay when that fails."""

from __future__ import annotations

import argparse
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reports.documents import ReportError, read_json
from reports.left_out import existing_branches, left_out
from reports.results import result_files
from reports.runs import ROOM

CONFIG = "asv.conf.json"
PATHS = ("repo", "results_dir", "html_dir", "env_dir", "benchmark_dir")
HERE = "HEAD"


def load_config(root: Path) -> dict[str, Any]:
    """The repository's asv configuration with absolute paths.

    Raises
    ------
    UnreadableError
        The file is missing, broken, or names no branch or no repository.
    """
    fields = read_json(root / CONFIG)
    config = dict(fields.data)
    for key in PATHS:
        config[key] = str(root / fields.text(key))
    config["branches"] = [str(name) for name in fields.items("branches")]
    return config


@contextmanager
def scratch(root: Path) -> Iterator[Path]:
    """A folder on the file system of the repository that is gone afterwards."""
    place = root / "build"
    try:
        place.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="publish-", dir=place) as name:
            yield Path(name)
    except PermissionError as error:
        raise ReportError(f"{place}: cannot be written to; make it writable") from error


def put_in_place(made: Path, html: Path, aside: Path) -> None:
    """Exchange the old pages for the new ones; the old ones come back if that fails."""
    try:
        html.parent.mkdir(parents=True, exist_ok=True)
        if html.exists():
            html.replace(aside)
        try:
            made.replace(html)
        except OSError:
            if aside.exists():
                aside.replace(html)
            raise
    except OSError as error:
        raise ReportError(
            f"{html}: cannot be replaced ({error.strerror}); make {html.parent} writable"
        ) from error


def run_asv(config: dict[str, Any], folder: Path) -> Path:
    """Have asv write its pages into a folder, its progress shown; the folder of the pages.

    Raises
    ------
    ReportError
        asv is not installed, or it failed.
    """
    if importlib.util.find_spec("asv") is None:
        raise ReportError(
            f"asv is not installed for {sys.executable}; run `make bench`, or `make publish` after"
            " it"
        )
    made = folder / "html"
    path = folder / CONFIG
    path.write_text(json.dumps({**config, "html_dir": str(made)}), encoding="utf-8")
    command = [sys.executable, "-m", "asv", "--config", str(path), "publish", "--no-pull"]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, check=False)
    if done.returncode or not (made / "index.json").exists():
        raise ReportError(
            f"asv publish failed with status {done.returncode}: its output above says why; the"
            " pages are as they were"
        )
    shutil.copymode(folder.parent, made)
    return made


def publish(root: Path) -> int:
    """Write the pages of a repository and name what they leave out; the exit status."""
    config = load_config(root)
    results, html = Path(config["results_dir"]), Path(config["html_dir"])
    if not result_files(results):
        raise ReportError(f"there are no results below {results}; run `make bench` first")
    branches = existing_branches(root, config["branches"])
    if not branches:
        names = ", ".join(config["branches"])
        print(
            f"publish: this clone has no branch {names}: showing the history of the commit that is"
            " checked out",
            flush=True,
        )
        branches = [HERE]
    told = left_out(root, results, branches)
    with scratch(root) as folder:
        made = run_asv({**config, "branches": branches}, folder)
        put_in_place(made, html, folder / "old")
    for item in told:
        print(f"publish: {item.sentence}", file=sys.stderr if item.broken else sys.stdout)
    print(f"publish: {html / 'index.html'}; `make preview` serves it")
    return 1 if any(item.broken for item in told) else 0


def main(argv: list[str]) -> int:
    """``python -m reports publish``: 0 published, 1 a damaged file was named, 2 not published."""
    parser = argparse.ArgumentParser(prog="python -m reports publish", description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOM.parent, help=argparse.SUPPRESS)
    return publish(parser.parse_args(argv).root.resolve())
