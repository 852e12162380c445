from benchmarks.instruments import trials
from benchmarks.instruments.play import Limits
from benchmarks.instruments.side import Side

FOUND = [(1.05, 1.04, 1.06), (1.0, 0.99, 1.01), (0.96, 0.95, 0.97), (1.02, 1.005, 1.03)]


def test_a_run_accuses_only_when_the_near_end_clears_the_margin():
    assert trials.slower(FOUND, 0.0) == 2
    assert trials.slower(FOUND, 0.03) == 1
    assert trials.accused(FOUND, 0.0) == 3
    assert trials.accused(FOUND, 0.03) == 1


def test_a_planted_delay_and_a_planted_statement_are_found(toy, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", toy("Plain").pythonpath)
    limits = Limits(seconds=0.3, width=0.05)
    for maker, plant in (("delayed", "cuInit=200000"), ("Padded", "len(())")):
        monkeypatch.setenv(trials.PLANTED, f"instrument_toys:DriverCaller={plant}")
        planted = Side(f"benchmarks.instruments.trials:{maker}")
        plain = Side("instrument_toys:DriverCaller")
        # Most of them, not all: the machine that runs the tests may be busy.
        found = trials.play("two_calls", planted, plain, 5, limits)
        assert trials.slower(found, 0.01) >= 3


def test_a_failing_run_is_told(capsys):
    assert trials.main(["event.create", "cuda.cor", "--runs", "1"]) == 2
    assert "unknown library 'cuda.cor'" in capsys.readouterr().err
