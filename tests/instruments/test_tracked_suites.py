import pytest

from benchmarks import driver, floor_ratio, instructions
from benchmarks.adapters import OPTIONAL
from benchmarks.instruments.duet import Limits
from benchmarks.operations import LOOPED
from benchmarks.tracked import Tracked

MODULES = (instructions, floor_ratio)


def suites(module):
    return [
        member
        for name, member in vars(module).items()
        if isinstance(member, type) and issubclass(member, Tracked) and not name.startswith("_")
        if member is not Tracked
    ]


@pytest.mark.parametrize("module", MODULES)
def test_every_looped_operation_has_a_suite(module):
    assert [suite.operation.name for suite in suites(module)] == list(LOOPED)
    for suite in suites(module):
        assert suite.version == "1"
        assert not OPTIONAL & set(suite.params[0])


def test_a_reason_is_a_skip_and_a_figure_is_handed_on():
    suite = instructions.EventCreate()
    figures = {"floor": {"event.create": 123.0}, "cupy": {"event.create": "not installed"}}
    suite.setup(figures, "floor")
    assert suite.track_instructions(figures, "floor") == 123.0
    with pytest.raises(NotImplementedError, match="not installed"):
        suite.setup(figures, "cupy")


@pytest.mark.usefixtures("valgrind")
def test_one_count_serves_every_suite_of_a_library(monkeypatch):
    monkeypatch.setattr(instructions, "_COUNTED", ["floor"])
    figures = instructions.EventCreate().setup_cache()["floor"]
    assert set(figures) == set(LOOPED)
    assert figures["event.record_new"] > figures["event.create"] > figures["device.current"] > 0
    assert isinstance(figures["helpers.handle_return"], str)


def test_without_valgrind_every_suite_is_skipped_with_the_reason(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(instructions, "_COUNTED", ["floor"])
    figures = instructions.EventCreate().setup_cache()
    with pytest.raises(NotImplementedError, match="valgrind is not installed"):
        instructions.EventSync().setup(figures, "floor")


def test_nothing_is_counted_on_a_gpu(monkeypatch):
    real = driver.Driver("nvidia", 13000, "580.1")
    monkeypatch.setattr(driver, "current", lambda: real)
    with pytest.raises(NotImplementedError, match="set BENCH_DRIVER=null"):
        instructions.EventSync().setup(instructions.EventSync().setup_cache(), "floor")


def test_the_ratio_of_the_floor_to_itself_is_one(monkeypatch):
    monkeypatch.setattr(floor_ratio, "_ABOVE", ["floor", "cupid"])
    monkeypatch.setattr(floor_ratio, "_LIMITS", Limits(width=0.05, seconds=0.1))
    figures = floor_ratio.EventCreate().setup_cache()
    assert figures["floor"]["event.create"] == pytest.approx(1, abs=0.1)
    assert "unknown library 'cupid'" in figures["cupid"]["event.create"]
