"""`python -m reports publish` on a small repository, with asv itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reports.__main__ import main

pytest.importorskip("asv", reason="asv is not installed")

TIME = "event.EventTime.time_create"
OTHER = "event.EventTime.time_query"
NAMES = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
NAMES |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}


class Site:
    """A repository with three commits on main, one on another branch, and results to publish."""

    def __init__(self, root: Path, builder: Any) -> None:
        self.root, self.builder = root, builder
        self.git("init", "-q", "-b", "main", ".")
        self.commits = [self.commit(word) for word in ("one", "two", "three")]
        self.git("checkout", "-q", "-b", "side")
        self.elsewhere = self.commit("side")
        self.git("checkout", "-q", "main")
        config = {"version": 1, "project": "toy", "repo": ".", "branches": ["main"]}
        config |= {"benchmark_dir": "suites", "results_dir": "reports/results"}
        config |= {"html_dir": "reports/html", "env_dir": ".asv/env"}
        (root / "asv.conf.json").write_text(json.dumps(config))
        self.benchmarks: dict[str, Any] = {"version": 2}
        for name in (TIME, OTHER):
            self.benchmarks[name] = {
                "name": name, "param_names": ["library"], "params": [["'cupy'", "'floor'"]],
                "type": "time", "unit": "seconds", "version": "1", "code": "", "timeout": 60,
            }  # fmt: skip
        self.write_benchmarks()
        self.results = root / "reports/results/toy"
        self.results.mkdir(parents=True)
        (self.results / "machine.json").write_text('{"machine": "toy", "version": 1}')

    def git(self, *arguments: str) -> str:
        environment = {**os.environ, "HOME": str(self.root), **NAMES}
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.root, env=environment, capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    def commit(self, word: str) -> str:
        self.git("commit", "-q", "--allow-empty", "-m", word)
        return self.git("rev-parse", "HEAD")

    def write_benchmarks(self) -> None:
        path = self.root / "reports/results/benchmarks.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.benchmarks))

    def add(self, commit: str, **changes: Any) -> Path:
        times = {name: {"cupy": 2.0, "floor": 1.0} for name in ("event.create", "event.query")}
        params = {"machine": "toy", "python": "3.11"}
        document = self.builder.asv(times, commit_hash=commit, params=params, **changes)
        path = self.results / f"{commit[:8]}-env.json"
        path.write_text(json.dumps(document))
        return path

    def publish(self) -> int:
        return main(["publish", "--root", str(self.root)])

    def points(self) -> int:
        graphs = self.root / "reports/html/graphs"
        found = (p for p in graphs.rglob("*.json") if "summary" not in (p.stem, p.parent.name))
        return sum(len(json.loads(path.read_text())) for path in found)


@pytest.fixture
def site(tmp_path: Path, room: Any) -> Site:
    root = tmp_path / "repository"
    root.mkdir()
    return Site(root, room)


def test_every_result_on_the_branch_is_published_and_nothing_is_named(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    for commit in site.commits:
        site.add(commit)
    assert site.publish() == 0
    assert site.points() == 3 * 2
    out = capfd.readouterr().out
    assert "left out" not in out
    assert "Detecting steps" in out


def test_what_is_left_out_is_named_with_the_reason_and_the_rest_is_published(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    site.add(site.commits[0])
    site.add(site.elsewhere)
    site.add("f" * 40)
    outdated = site.add(site.commits[1])
    outdated.write_text(outdated.read_text().replace('"1", 1796', '"0", 1796', 1))
    del site.benchmarks[OTHER]
    site.write_benchmarks()
    assert site.publish() == 0
    assert site.points() == 1
    out = capfd.readouterr().out
    for sentence in (
        f"its commit {site.elsewhere[:8]} is on no branch that asv.conf.json lists (main)",
        "its commit ffffffff is not in this clone",
        f"{site.commits[1][:8]}-env.json of toy: 1 benchmarks are left out, their version has",
        f"{site.commits[0][:8]}-env.json of toy: 1 benchmarks are left out, they no longer exist",
        OTHER,
    ):
        assert sentence in out


def test_a_tagged_commit_off_the_branches_is_published(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    site.git("tag", "v1", site.elsewhere)
    site.add(site.elsewhere)
    assert site.publish() == 0
    assert site.points() == 2
    assert "left out" not in capfd.readouterr().out


@pytest.mark.parametrize("damage", ["truncated", "no machine.json"])
def test_a_damaged_file_is_named_and_ends_with_1(
    site: Site, capfd: pytest.CaptureFixture[str], damage: str
) -> None:
    site.add(site.commits[0])
    path = site.add(site.commits[1])
    if damage == "truncated":
        path.write_text(path.read_text()[:300])
    else:
        other = site.results.parent / "nameless"
        other.mkdir()
        path = path.rename(other / path.name)
    assert site.publish() == 1
    assert site.points() == 2
    assert f"{path.name} is left out" in capfd.readouterr().err


def test_a_failure_of_asv_leaves_the_old_pages(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    site.add(site.commits[0])
    assert site.publish() == 0
    site.benchmarks[TIME]["params"] = "broken"
    site.write_benchmarks()
    assert site.publish() == 2
    assert site.points() == 2
    assert (site.root / "reports/html/index.json").exists()
    assert list((site.root / "build").iterdir()) == []
    assert "the pages are as they were" in capfd.readouterr().err


def test_a_clone_without_the_branch_shows_the_history_that_is_checked_out(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    site.add(site.commits[0])
    site.git("checkout", "-q", "--detach")
    site.git("branch", "-q", "-D", "main")
    assert site.publish() == 0
    assert site.points() == 2
    assert "has no branch main" in capfd.readouterr().out


def test_no_results_and_no_asv_are_one_clear_sentence_each(
    site: Site, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert site.publish() == 2
    assert "run `make bench` first" in capfd.readouterr().err
    site.add(site.commits[0])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert site.publish() == 2
    assert f"asv is not installed for {sys.executable}" in capfd.readouterr().err
    assert not (site.root / "reports/html").exists()
