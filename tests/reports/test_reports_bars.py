"""`python -m reports bars`: what fastpaths promises, and whether it keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.__main__ import main
from reports.bars import Bar, Found, Results, find, read_bars, verdict
from reports.documents import UnreadableError
from reports.duets import Duet, Side, read_folder

VERSIONS = {"cupy": "14.2.0", "cuda.core": "1.2.2"}
PAGE = "# Bars\n\nIdeas.\n\n<!-- bars:begin -->\nold\n<!-- bars:end -->\n\nMore ideas.\n"


def bar(operation: str, kind: str, against: str | None, limit: float, **more: Any) -> Bar:
    waiting, records = more.get("waiting"), more.get("records", 0)
    return Bar(operation, kind, against, waiting, records, limit, "asked", "because")


def results_of(room: Any, machine: str = "nvidia-h200") -> Results:
    duets, problems = read_folder(room.room / "duets" / machine)
    assert problems == []
    return Results(duets, [], None, VERSIONS)


@pytest.fixture
def page(room: Any, times: Any) -> Path:
    room.run(times)
    room.duet({"device.current": (22.0, 100.0)}, "fastpaths 0.1.0", "cupy 14.2.0", "cupy")
    room.duet({"event.create": (171.0, 140.0)}, "fastpaths 0.1.0", "floor", "floor")
    room.count(
        {
            "event.create": {"fastpaths 0.1.0": 480.0, "cuda.core 1.2.2": 4200.0},
            "device.current": {"fastpaths 0.1.0": 300.0},
        }
    )
    path: Path = room.write("fastpaths.md", PAGE)
    return path


def bars(page: Path, *arguments: str) -> int:
    return main(["bars", *arguments, "--room", str(page.parent)])


def row(page: Path, operation: str, against: str, limit: str) -> list[str]:
    for line in page.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[:3] == [f"`{operation}`", against, limit]:
            return cells[3:5]
    raise AssertionError(f"no row {operation}, {against}, {limit}")


def test_every_bar_has_a_figure_and_a_verdict_and_the_prose_is_kept(page: Path) -> None:
    assert bars(page) == 0
    text = page.read_text()
    assert text.startswith("# Bars\n\nIdeas.")
    assert text.endswith("More ideas.\n")
    assert "\nold\n" not in text
    assert row(page, "device.current", "cupy", "0.25 x") == ["0.22 [0.22, 0.22]", "met"]
    figure, said = row(page, "event.create", "floor", "+25 ns")
    assert (figure, said) == ("+31.0 [+30.1, +31.9]", "**missed**")
    assert row(page, "event.create", "–", "400") == ["380", "met"]  # noqa: RUF001
    assert row(page, "event.create", "cuda.core", "0.12 x") == ["0.093", "met"]
    assert row(page, "device.current", "–", "150") == ["200", "**missed**"]  # noqa: RUF001
    assert row(page, "import", "–", "3 ms") == ["1.63 [1.60, 1.71]", "met"]  # noqa: RUF001
    said = row(page, "device.current", "floor", "+15 ns")[1]
    assert said == "not measured: no duet of fastpaths and floor"
    assert "4 met, 2 missed" in text
    assert "valgrind 3.19.0" in text


def test_check_tells_stale_from_fresh(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bars(page, "--check") == 1
    assert "stale" in capsys.readouterr().err
    assert page.read_text() == PAGE
    assert bars(page) == 0
    assert bars(page, "--check") == 0


def test_counts_alone_are_enough_for_a_page_that_says_what_it_lacks(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in page.parent.glob("runs/*/*.json"):
        path.unlink()
    assert bars(page) == 1
    assert "no run of fastpaths on a GPU" in capsys.readouterr().err
    assert row(page, "event.create", "–", "400")[1] == "met"  # noqa: RUF001
    for path in page.parent.glob("counts/*/*.json"):
        path.unlink()
    assert bars(page) == 2


def test_options_are_held_against_the_same_process_without_them(room: Any) -> None:
    both = {"event.create": (170.0, 800.0), "event.create_dict": (205.0, 1700.0)}
    room.duet(both, "fastpaths 0.1.0", "cuda.core 1.2.2", "core")
    room.duet({"event.create": (300.0, 150.0)}, "fastpaths 0.1.0", "floor", "zz")
    found = find(bar("event.create_dict", "above", "event.create", 40), results_of(room))
    assert isinstance(found, Found)
    assert found.value == pytest.approx(35.0)
    assert found.interval is not None
    assert found.interval[0] < 35.0 < found.interval[1]


@given(
    wait=st.floats(1, 1e4), a=st.floats(1, 1e4), b=st.floats(1, 1e4), spread=st.floats(0.001, 0.1)
)
def test_the_wait_for_the_gpu_is_taken_off_both_sides(
    wait: float, a: float, b: float, spread: float
) -> None:
    duet = made(a + wait, b + wait, spread)
    floor = made(wait, wait, spread, operation="call.wait", side="floor")
    found = find(
        bar("call.scope", "ratio", "cupy", 1, waiting="call.wait"),
        Results([duet, floor], [], None, VERSIONS),
    )
    assert isinstance(found, Found)
    assert found.value == pytest.approx(a / b, rel=1e-6, abs=1e-6 * (a + wait) / b)
    assert found.interval is not None
    assert found.interval[0] <= found.value <= found.interval[1]


def test_the_records_before_the_wait_are_not_part_of_it() -> None:
    duet = made(700.0, 600.0, 0.01)
    wait = made(500.0, 500.0, 0.01, operation="call.wait", side="floor")
    record = made(50.0, 50.0, 0.01, operation="event.record", side="floor")
    scope = bar("call.scope", "ratio", "cupy", 1, waiting="call.wait", records=2)
    found = find(scope, Results([duet, wait, record], [], None, VERSIONS))
    assert isinstance(found, Found)
    assert found.value == pytest.approx((700 - 400) / (600 - 400))
    assert "event.record" in str(find(scope, Results([duet, wait], [], None, VERSIONS)))


def made(a: float, b: float, spread: float, operation: str = "call.scope", side: str = "") -> Any:
    def one(library: str, version: str, net: float) -> Side:
        return Side(library, library, "", {"x": version}, "3.11.7", net + 8, 8.0, net, (net,))

    ratio = a / b
    ends = (ratio * (1 - spread), ratio * (1 + spread))
    sides = one(side or "fastpaths", "0.1.0", a), one(side or "cupy", "14.2.0", b)
    source: Any = None
    return Duet(
        source, operation, *sides, ratio, ends, 0.99, ratio, ends, a - b, (a - b, a - b), 0.0, 9
    )


@given(limit=st.floats(0.01, 10), low=st.floats(0.01, 10), more=st.floats(0, 10))
def test_a_larger_figure_is_never_met_where_a_smaller_one_was_missed(
    limit: float, low: float, more: float
) -> None:
    one = bar("event.create", "ratio", "cupy", limit)
    smaller, larger = verdict(one, Found(low)), verdict(one, Found(low + more))
    assert (smaller, larger) != ("missed", "met")


def test_an_interval_over_the_limit_is_told() -> None:
    one = bar("event.create", "ratio", "cupy", 0.25)
    assert verdict(one, Found(0.24, (0.23, 0.26))) == "met, within its interval"
    assert verdict(one, Found(0.26, (0.24, 0.27))) == "missed, within its interval"
    assert verdict(one, Found(0.24, (0.23, 0.25))) == "met"
    assert verdict(one, Found(0.26, (0.2501, 0.27))) == "missed"
    assert verdict(one, "no duet") == "not measured: no duet"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("limit = -1", "limit -1"),
        ('limit = "low"', "'limit'"),
        ('figure = "speed"', "'speed'"),
        ("maximum = 3", "'maximum'"),
        ('reason = "unknown"', "'unknown'"),
        ('waiting = "call.wait"', "'waiting'"),
        ("records = 2", "'records'"),
    ],
)
def test_a_bar_that_cannot_be_is_named(tmp_path: Path, line: str, named: str) -> None:
    good = {"operation": '"event.create"', "figure": '"above"', "against": '"floor"'}
    good |= {"limit": "3", "reason": '"asked"'}
    key, _, value = line.partition(" = ")
    body = "\n".join(f"{name} = {text}" for name, text in {**good, key: value}.items())
    path = tmp_path / "bars.toml"
    path.write_text(f'[versions]\ncupy = "14.2.0"\n[reasons]\nasked = "x"\n[[bar]]\n{body}\n')
    with pytest.raises(UnreadableError, match=named):
        read_bars(path)


def test_the_bars_of_the_repository_can_be_read_and_are_all_different() -> None:
    found, versions = read_bars()
    assert set(versions) == {"cupy", "cuda.core"}
    assert len({(one.operation, one.kind, one.against) for one in found}) == len(found) == 38
