"""`python -m reports first-light`: the request's figures beside ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reports.__main__ import main
from reports.duets import against, newest, read_folder
from reports.seed import read_seed

ROOT = Path(__file__).resolve().parents[2]
OLD_LIBRARIES = {
    "cuda.core": {
        "version": "0.3.0", "origin": "index", "requires": {"cuda-bindings": "12.9.0"},
    },
}  # fmt: skip
OLD = {
    "device.current": {"cuda.core": 395.0},
    "event.create": {"cuda.core": 4857.0},
    "stream.create": {"cuda.core": 10365.0},
}


@pytest.fixture
def lit(room: Any, times: Any) -> Any:
    """A room with both runs and two duets."""
    room.run(times, "now")
    room.run(OLD, "then", libraries=OLD_LIBRARIES, date="2026-12-01T07:00:00+00:00")
    now = {"device.current": (22.0, 178.0), "event.create": (171.0, 782.0)}
    room.duet(now, "fastpaths 0.1.0", "cuda.core 1.2.2", "now")
    room.duet({"event.create": (4849.0, 782.0)}, "cuda.core 0.3.0", "cuda.core 1.2.2", "releases")
    return room


def first_light(room: Any, *arguments: str) -> int:
    return main(["first-light", *arguments, "--room", str(room.room)])


def row(page: str, start: str) -> list[str]:
    line = next(line for line in page.splitlines() if line.startswith(f"| {start}"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_sets_the_six_timings_beside_both_runs(lit: Any) -> None:
    assert first_light(lit) == 0
    page = (lit.room / "first-light.md").read_text()
    assert row(page, "`cp.cuda.Device()`")[1:3] == ["68.8", "–"]  # noqa: RUF001
    device = row(page, "`Device()`")
    assert device[1] == "569"
    assert device[2].startswith("395 [387, ")
    assert device[3].startswith("186 [182, ")
    assert row(page, "Device: cuda.core / CuPy")[1:] == ["8.26", "3.69", "1.74"]
    assert row(page, "Event: cuda.core / CuPy")[1:] == ["8.00", "6.15", "1.00"]
    assert row(page, "Stream: floor")[3].startswith("3950")
    assert row(page, "`dev.create_event()`")[1] == "4590"
    assert "int(ctx)" in page
    assert "42.9 %" in page
    for told in ("0.3.0 (cuda-bindings 12.9.0)", "1.2.2 (cuda-bindings 12.9.10)", "580.159.04"):
        assert told in page


def test_shows_the_duets_with_intervals_and_their_sources(lit: Any) -> None:
    assert first_light(lit) == 0
    page = (lit.room / "first-light.md").read_text()
    assert "**A = fastpaths 0.1.0, B = cuda.core 1.2.2**" in page
    assert "**A = cuda.core 0.3.0, B = cuda.core 1.2.2**" in page
    assert "| `event.create` | 171 | 782 | 0.22 [0.22, 0.22] | -611 [-615, -607] | 400" in page
    assert "now.json: NVIDIA H200; NVIDIA driver 580.159.04" in page


def test_check_says_whether_the_data_has_moved_on(
    lit: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert first_light(lit, "--check") == 1
    assert not (lit.room / "first-light.md").exists()
    assert first_light(lit) == 0
    assert first_light(lit, "--check") == 0
    written = (lit.room / "first-light.md").read_text()
    times["event.create"]["cuda.core"] = 700.0
    lit.run(times, "newer", date="2026-12-03T00:00:00+00:00")
    assert first_light(lit, "--check") == 1
    assert "is stale; run `python -m reports first-light`" in capsys.readouterr().err
    assert (lit.room / "first-light.md").read_text() == written


def test_a_missing_run_is_one_sentence_that_says_how_to_make_it(
    room: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    room.run(times, "now")
    assert first_light(room) == 2
    assert "cuda-core==0.3.0 and cuda-bindings==12.9.0" in capsys.readouterr().err
    room.run(OLD, "then", libraries=OLD_LIBRARIES, machine="other")
    assert first_light(room) == 2
    assert "no run of machine other with today's cuda.core" in capsys.readouterr().err


def test_results_of_the_null_driver_do_not_stand_for_a_gpu(
    lit: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    null = {"kind": "null", "version": "13.0", "release": None}
    for path in lit.room.glob("runs/*/*.json"):
        path.unlink()
    lit.run(times, "now", machine="null-driver-x", driver=null, gpu=None)
    lit.run(OLD, "then", machine="null-driver-x", driver=null, gpu=None, libraries=OLD_LIBRARIES)
    assert first_light(lit) == 2
    assert first_light(lit, "--machine", "null-driver-x") == 0
    assert "There is no duet of machine null-driver-x" in (lit.room / "first-light.md").read_text()


def test_a_broken_duet_file_is_named_and_the_page_is_made_from_the_others(
    lit: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = lit.write("duets/nvidia-h200/cut.json", '{"schema": 1, "instrument": "duet"')
    assert first_light(lit) == 1
    assert str(cut) in capsys.readouterr().err
    assert "A = fastpaths" in (lit.room / "first-light.md").read_text()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("ratio", 0), ("ratio", None), ("interval", [1.2, 0.9]), ("interval", [1]),
        ("net_ratio_interval", None), ("difference_ns", float("nan")), ("a", {}), ("rounds", -1),
    ],
)  # fmt: skip
def test_a_duet_that_breaks_the_schema_names_the_field(room: Any, key: str, value: object) -> None:
    path = room.duet({"event.create": (1.0, 2.0)}, "fastpaths 0.1.0", "floor", "x")
    text = path.read_text()
    duets, problems = read_folder(path.parent)
    assert (len(duets), problems) == (1, [])
    document = json.loads(text)
    document["results"][0][key] = value
    path.write_text(json.dumps(document))
    duets, problems = read_folder(path.parent)
    assert duets == []
    (problem,) = problems
    assert str(path) in problem


def test_the_last_duet_wins_and_can_be_turned_round(room: Any) -> None:
    pair = ("fastpaths 0.1.0", "cuda.core 1.2.2")
    room.duet({"event.create": (200.0, 800.0)}, *pair, "a")
    later = {**room_provenance(room), "date": "2026-12-05T00:00:00+00:00"}
    path = room.duet({"event.create": (100.0, 800.0)}, *pair, "b", provenance=later)
    room.duet({"event.create": (100.0, 5000.0)}, "fastpaths 0.1.0", "cuda.core 0.3.0", "c")
    duets, _ = read_folder(path.parent)
    assert [(d.b.name, d.a.net_ns) for d in newest(duets)] == [
        ("cuda.core 1.2.2", 100.0),
        ("cuda.core 0.3.0", 100.0),
    ]
    versions = {"cuda.core": "1.2.2"}
    turned = against(duets, "event.create", "cuda.core", "fastpaths", versions)
    assert turned is not None
    assert turned.net_ratio == pytest.approx(8.0)
    assert turned.net_interval is not None
    assert turned.net_interval[0] < 8.0 < turned.net_interval[1]
    assert turned.difference == pytest.approx(700.0)
    assert turned.difference_interval[0] < 700.0 < turned.difference_interval[1]
    assert against(duets, "event.create", "cupy", "fastpaths", versions) is None


def room_provenance(room: Any) -> Any:
    path = room.duet({"event.create": (1.0, 1.0)}, "floor", "floor", "scrap", machine="scrap")
    return json.loads(path.read_text())["provenance"]


def test_the_request_in_the_seed_is_the_request_of_the_page() -> None:
    seed = read_seed()
    assert [round(figure.ns) for figure in seed.timings] == [69, 569, 1004, 5299, 394, 3153]
    assert sum(percent for _, percent in seed.shares) == pytest.approx(82.1)
    assert all(figure.reason or figure.operation for figure in seed.breakdown)


def test_every_operation_of_the_seed_is_catalogued() -> None:
    from benchmarks.operations import OPERATIONS

    seed = read_seed()
    named = {figure.operation for figure in [*seed.timings, *seed.breakdown]} - {None}
    assert named <= set(OPERATIONS)
