"""`python -m reports readme`: the table between README.md's markers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reports.__main__ import main

BEFORE = "# Title\n\nProse | with a pipe.\n\n"
MARKERS = "<!-- table:begin -->\nold\n<!-- table:end -->"
AFTER = "\n\n## More\n"


@pytest.fixture
def page(room: Any, times: Any) -> Path:
    room.run(times, "gpu")
    room.duet({"event.create": (171.0, 782.0)}, "fastpaths 0.1.0", "cuda.core 1.2.2", "core")
    room.duet({"event.create": (171.0, 157.0)}, "fastpaths 0.1.0", "floor", "floor")
    path: Path = room.write("README.md", BEFORE + MARKERS + AFTER)
    return path


def readme(page: Path, *arguments: str) -> int:
    return main(["readme", *arguments, "--room", str(page.parent), "--page", str(page)])


def row(page: Path, operation: str) -> list[str]:
    line = next(line for line in page.read_text().splitlines() if f"`{operation}`" in line)
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_fills_the_table_and_leaves_the_rest_alone(page: Path) -> None:
    assert readme(page) == 0
    text = page.read_text()
    assert text.startswith(BEFORE)
    assert text.endswith(AFTER)
    assert "old" not in text
    cells = row(page, "event.create")
    assert cells[1:5] == ["791", "790", "179", "158"]
    assert cells[5:] == ["–", "0.22 [0.22, 0.22]", "+14.0 [+13.1, +14.9]"]  # noqa: RUF001
    assert row(page, "import")[1:5] == ["361 ms", "355 ms", "1.63 ms", "[1]"]
    assert "[1] unsupported: there is no such call" in text
    assert "torch" not in text.split("\n- ")[0]
    for told in ("NVIDIA H200", "580.159.04", "core.json", "3 samples"):
        assert told in text


def test_check_tells_a_stale_table_and_does_not_touch_it(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert readme(page, "--check") == 1
    assert "old" in page.read_text()
    assert "is stale; run `python -m reports readme`" in capsys.readouterr().err
    assert readme(page) == 0
    assert readme(page, "--check") == 0
    assert readme(page) == 0
    assert page.read_text().count("table:begin") == 1


def test_a_duet_of_another_version_is_not_shown_beside_this_run(page: Path, room: Any) -> None:
    for path in page.parent.glob("duets/*/core.json"):
        path.unlink()
    room.duet({"event.create": (171.0, 4857.0)}, "fastpaths 0.1.0", "cuda.core 0.3.0", "old")
    assert readme(page) == 0
    assert row(page, "event.create")[6] == "–"  # noqa: RUF001


def test_different_driver_calls_are_marked(page: Path, room: Any, times: Any) -> None:
    traces = room.record(times)["traces"]
    traces["event.create"]["cuda.core"] = ["cuCtxGetCurrent", *traces["event.create"]["floor"]]
    room.run(times, "gpu", traces=traces)
    assert readme(page) == 0
    assert row(page, "event.create")[6].endswith("≠")
    assert "cuda.core: also cuCtxGetCurrent" in page.read_text()


@pytest.mark.parametrize(
    "text",
    [
        "no markers",
        "<!-- table:begin -->",
        "<!-- table:end --><!-- table:begin -->",
        MARKERS + MARKERS,
    ],
)
def test_missing_markers_are_one_sentence_and_the_page_is_kept(
    page: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    page.write_text(text)
    assert readme(page) == 2
    assert "needs the line <!-- table:begin --> once" in capsys.readouterr().err
    assert page.read_text() == text


def test_a_run_on_the_null_driver_is_not_shown(
    page: Path, room: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in page.parent.glob("runs/*/*.json"):
        path.unlink()
    null = {"kind": "null", "version": "13.0", "release": None}
    room.run(times, "null", machine="null-driver", driver=null, gpu=None)
    assert readme(page) == 2
    assert "no run of fastpaths on a GPU" in capsys.readouterr().err
