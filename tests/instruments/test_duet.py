import json
import os
import sys

import pytest

from benchmarks.instruments import duet as verb
from benchmarks.instruments import play
from benchmarks.instruments.duet import Duet, Limits, duet
from benchmarks.instruments.side import InstrumentError, NotOfferedError

SHORT = Limits(seconds=0.6, width=0.01)


def test_same_code_on_both_sides_is_not_accused(toy):
    with Duet(toy("Plain"), toy("Plain")) as both:
        results = [both.measure("spin", SHORT) for _ in range(5)]
    # The middle one of five: the machine that runs the tests may be busy.
    assert 0.97 < sorted(r.ratio for r in results)[2] < 1.03


def test_an_extra_call_is_seen_whichever_side_has_it(toy):
    slower_first = duet(toy("Slower"), toy("Plain"), "call", SHORT)
    slower_last = duet(toy("Plain"), toy("Slower"), "call", SHORT)
    assert slower_first.interval[0] > 1.1
    assert slower_last.interval[1] < 0.95
    assert slower_first.difference_ns_interval[0] > 0 > slower_last.difference_ns_interval[1]


def test_ten_times_slower_is_measured_as_that(toy):
    result = duet(toy("Slower"), toy("Plain"), "crawl", SHORT)
    assert 4 < result.net_ratio < 12
    assert result.a.operations_per_slice < result.b.operations_per_slice


def test_the_empty_loop_is_measured_and_taken_off(toy):
    result = duet(toy("Plain"), toy("Plain"), "spin", SHORT)
    assert 0 < result.a.empty_ns < result.a.ns
    assert result.a.net_ns == pytest.approx(result.a.ns - result.a.empty_ns, rel=0.1)


def test_it_stops_when_the_interval_is_narrow_or_the_time_is_up(toy):
    wide = duet(toy("Plain"), toy("Plain"), "spin", Limits(width=0.5, seconds=20))
    assert wide.stopped == "narrow"
    assert wide.seconds < 10
    hopeless = duet(toy("Plain"), toy("Plain"), "spin", Limits(width=1e-9, seconds=0.2))
    assert hopeless.stopped == "time limit"


def test_the_slices_are_kept_in_order(toy):
    result = duet(toy("Plain"), toy("Plain"), "spin", SHORT)
    assert len(result.a.slices) == len(result.b.slices) == 2 * result.rounds


def test_a_worker_that_dies_is_named_with_its_signal_and_the_next_operation_works(toy):
    with Duet(toy("Plain"), toy("Plain")) as both:
        with pytest.raises(InstrumentError, match=r"worker A \(Plain\) died with SIGKILL"):
            both.measure("crash", SHORT)
        assert both.measure("spin", SHORT).rounds


def test_a_worker_that_hangs_is_given_up_and_ended(toy, monkeypatch):
    monkeypatch.setattr(play, "_PREPARE_TIMEOUT", 1.0)
    both = Duet(toy("Plain"), toy("Plain"))
    with pytest.raises(InstrumentError, match=r"worker A \(Plain\) did not answer within 1 s"):
        both.measure("hang", SHORT)


def test_a_failure_in_the_middle_is_told_with_the_librarys_words(toy):
    with pytest.raises(InstrumentError, match=r"worker B .*RuntimeError: the toy is broken"):
        duet(toy("Patient"), toy("Plain"), "fail_later", Limits(seconds=20, width=1e-9))


def test_what_a_side_does_not_offer_is_told_apart_from_failure(toy):
    with pytest.raises(NotOfferedError, match="toys have no such operation"):
        duet(toy("Plain"), toy("Plain"), "absent")
    with pytest.raises(NotOfferedError, match="toy is not installed: install it"):
        duet(toy("Plain"), toy("Unavailable"), "spin")


def test_an_interpreter_that_is_missing_is_one_sentence(toy):
    with pytest.raises(InstrumentError, match=r"worker B \(Plain\) .*/nowhere/python"):
        duet(toy("Plain"), toy("Plain", python="/nowhere/python"), "spin")


class TestVerb:
    def run(self, monkeypatch, *arguments):
        toys = os.path.join(os.path.dirname(__file__), os.pardir, "toys")
        monkeypatch.setenv("PYTHONPATH", toys)
        return verb.main([*arguments])

    def test_writes_results_with_their_provenance(self, monkeypatch, tmp_path, capsys):
        file = tmp_path / "made" / "duet.json"
        names = ("instrument_toys:Plain", "instrument_toys:Slower")
        arguments = ("spin,absent", *names, "--json", str(file), "--time-limit", "0.5")
        assert self.run(monkeypatch, *arguments) == 2  # one was asked for and is missing
        document = json.loads(file.read_text())
        assert document["instrument"] == "duet"
        assert document["provenance"]["python"] == sys.version.split()[0]
        assert [r["operation"] for r in document["results"]] == ["spin"]
        assert document["results"][0]["driver"]["kind"] in ("null", "nvidia")
        assert document["skipped"][0]["operation"] == "absent"
        assert "spin: instrument_toys:Plain / instrument_toys:Slower" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--core", "4096"], "core 4096 is not one of those allowed"),
            (["--time-limit", "0"], "must be positive"),
            (["--slice", "0"], "at least one operation"),
            (["--rev-a", "no-such-revision"], "unknown revision 'no-such-revision'"),
            (["--rev-a", "no-such.whl"], "no-such.whl cannot be read"),
        ],
    )
    def test_refuses_in_one_sentence(self, monkeypatch, capsys, arguments, words):
        assert self.run(monkeypatch, "event.create", "fastpaths", "fastpaths", *arguments) == 2
        errors = capsys.readouterr().err
        assert words in errors
        assert errors.startswith("duet: ")
        assert len(errors.splitlines()) == 1
