"""The ledger of upstream releases and the data file it is made from."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from benchmarks.releases import data, index, ledger

RELEASES = [
    data.Release(
        "1.0.0", "2025-01-01T00:00:00Z", {"cuda-core": "1.0.0", "cuda-bindings": "12.8.0"}
    ),
    data.Release(
        "1.1.0", "2025-06-01T12:30:00Z", {"cuda-core": "1.1.0", "cuda-bindings": "12.9.0"}
    ),
]


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_committed_data_has_every_release_from_the_first() -> None:
    versions = [release.version for release in data.read()["cuda-core"]]
    assert versions[:3] == ["0.1.1", "0.2.0", "0.3.0"]
    assert len(versions) >= 19


def test_a_ledger_has_a_tagged_commit_per_release(tmp_path: Path) -> None:
    hashes = ledger.build("cuda-core", RELEASES, tmp_path / "ledger")
    log = git(tmp_path / "ledger", "log", "--reverse", "--format=%H %aI %s").splitlines()
    assert log == [
        f"{hashes['1.0.0']} 2025-01-01T00:00:00+00:00 cuda-core 1.0.0",
        f"{hashes['1.1.0']} 2025-06-01T12:30:00+00:00 cuda-core 1.1.0",
    ]
    assert git(tmp_path / "ledger", "tag").split() == ["1.0.0", "1.1.0"]
    assert git(tmp_path / "ledger", "show", "1.1.0:requirements.txt").split() == [
        "cuda-bindings==12.9.0",
        "cuda-core==1.1.0",
    ]


def test_hashes_depend_on_nothing_but_the_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ledger.build("cuda-core", RELEASES, tmp_path / "one")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "someone else")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2001-01-01T00:00:00Z")
    config = tmp_path / "gitconfig"
    config.write_text("[init]\n\tdefaultBranch = other\n[commit]\n\tgpgsign = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    assert ledger.build("cuda-core", RELEASES, tmp_path / "two") == first


def test_a_new_release_leaves_the_older_hashes_alone(tmp_path: Path) -> None:
    before = ledger.build("cuda-core", RELEASES[:1], tmp_path / "ledger")
    after = ledger.build("cuda-core", RELEASES, tmp_path / "ledger")
    assert after["1.0.0"] == before["1.0.0"]
    assert [path.name for path in tmp_path.iterdir()] == ["ledger"]


def test_the_data_file_survives_being_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "releases.json"
    data.write(data.read(), path)
    assert path.read_text() == data.FILE.read_text()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ({"version": "1.0", "date": "yesterday", "pins": {"cuda-core": "1.0"}}, "date"),
        ({"version": "1.0", "date": "2025-01-01T00:00:00Z", "pins": {"cuda-core": "2.0"}}, "hold"),
        ({"version": "1", "date": "2025-01-01T00:00:00Z", "pins": {"cuda-core": ">=1"}}, "exact"),
        ("1.0", "not an object"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: object, complaint: str) -> None:
    path = tmp_path / "releases.json"
    path.write_text(json.dumps({"cuda-core": [line]}))
    with pytest.raises(data.ReleaseDataError, match=rf"cuda-core\[0\].*{complaint}"):
        data.read(path)


def test_a_truncated_data_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "releases.json"
    path.write_text(data.FILE.read_text()[:500])
    with pytest.raises(data.ReleaseDataError, match="cannot be read"):
        data.read(path)


def test_a_release_that_the_data_lacks_is_proposed_with_the_pins_of_its_day() -> None:
    rows = {
        "cuda-core": [("2025-01-01T00:00:00Z", "1.0.0"), ("2025-06-01T00:00:00Z", "1.1.0")],
        "cuda-bindings": [
            ("2025-02-01T00:00:00Z", "12.9.9"),
            ("2025-05-01T00:00:00Z", "12.9.10"),
            ("2025-05-01T00:00:00Z", "13.0.0"),
            ("2025-07-01T00:00:00Z", "12.9.11"),
        ],
        "cupy": [],
    }
    (found,) = index.missing(RELEASES[:1], "cuda-core", rows)
    assert (found.version, found.pins["cuda-bindings"]) == ("1.1.0", "12.9.10")
    assert index.missing(RELEASES, "cuda-core", rows) == []


def test_an_index_that_cannot_be_reached_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    with pytest.raises(index.IndexUnavailableError, match="check the network"):
        index.published("cuda-core")
