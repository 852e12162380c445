import json
import os

import pytest

from benchmarks.instruments import count as verb
from benchmarks.instruments.callgrind_output import Dump
from benchmarks.instruments.controlled import NoValgrindError, environment
from benchmarks.instruments.count import count
from benchmarks.instruments.count_result import growth, per_operation
from benchmarks.instruments.side import InstrumentError, NotOfferedError

OPERATIONS = ["look_up", "call", "spin"]


@pytest.mark.usefixtures("valgrind")
class TestUnderValgrind:
    def test_two_counts_are_the_same_to_the_instruction(self, toy):
        first, second = (count(toy("Plain"), OPERATIONS).results for _ in range(2))
        for operation in OPERATIONS:
            assert first[operation].instructions == second[operation].instructions
            assert first[operation].functions == second[operation].functions

    def test_an_extra_look_up_or_call_is_seen_and_placed(self, toy):
        plain, slower = (count(toy(name), OPERATIONS).results for name in ("Plain", "Slower"))
        for operation in OPERATIONS:
            base, head = plain[operation], slower[operation]
            assert head.net > base.net + 5
            grown = growth(base.functions, head.functions)
            assert sum(by for _, _, by in grown) == pytest.approx(head.net - base.net, abs=1)

    def test_the_empty_loop_is_counted_beside_it(self, toy):
        result = count(toy("Plain"), ["look_up"]).results["look_up"]
        assert 0 < result.empty < result.instructions
        assert result.net == pytest.approx(result.instructions - result.empty)
        assert sum(result.objects.values()) == pytest.approx(result.instructions, abs=1)

    def test_driver_calls_are_told_apart(self):
        results = count("floor", ["event.create", "device.current"]).results
        for result in results.values():
            assert 0 < result.driver < result.net
            assert result.without_driver < 60
            assert result.identity["conditions"]["valgrind"]

    def test_failures_leave_the_other_operations(self, toy):
        counts = count(toy("DriverCaller"), ["broken", "absent", "no_call"])
        assert counts.failures["broken"] == {
            "status": "failed",
            "reason": "RuntimeError: the toy is broken",
        }
        assert counts.failures["absent"]["status"] == "unsupported"
        assert counts.results["no_call"].net == pytest.approx(0, abs=0.1)

    def test_a_side_that_cannot_be_counted_says_why(self, toy):
        with pytest.raises(NotOfferedError, match="toy is not installed"):
            count(toy("Unavailable"), ["look_up"])
        with pytest.raises(InstrumentError, match="died with SIGKILL"):
            count(toy("Plain"), ["crash"])

    def test_the_verb_writes_counts_with_their_conditions(self, tmp_path, capsys):
        file = tmp_path / "count.json"
        arguments = ["event.query", "helpers.handle_return", "--library", "floor"]
        assert verb.main([*arguments, "--json", str(file), "--functions", "3"]) == 0
        document = json.loads(file.read_text())
        result = document["results"][0]
        assert (result["operation"], result["library"]) == ("event.query", "floor")
        assert result["functions"]["libcuda.so.1"]["cuEventQuery"] > 0
        assert result["conditions"]["hash_seed"] == "0"
        assert document["provenance"]["cpu"]
        assert document["skipped"][0]["operation"] == "helpers.handle_return"
        assert "event.query, floor:" in capsys.readouterr().out


def test_without_valgrind_the_verb_says_what_to_install(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert verb.main(["event.create", "--library", "floor"]) == 2
    assert "valgrind is not installed: install the package `valgrind`" in capsys.readouterr().err
    with pytest.raises(NoValgrindError):
        count("floor", ["event.create"])


def test_an_unknown_operation_is_refused(capsys):
    assert verb.main(["event.creat"]) == 2
    assert "no operation 'event.creat'" in capsys.readouterr().err


def test_arguments_and_environment_always_take_whole_blocks(toy, monkeypatch):
    sizes = set()
    for path in ("/a", "/a/much/longer/path/to/the/interpreter"):
        command = [path, "boot.py", "module"]
        variables = environment(toy("Plain"), command)
        entries = [*command, *(f"{name}={value}" for name, value in variables.items())]
        sizes.add(sum(len(os.fsencode(entry)) + 1 for entry in entries))
        monkeypatch.setenv("SOMETHING_ELSE", "which is not handed on")
        assert "SOMETHING_ELSE" not in environment(toy("Plain"), command)
    assert sizes == {4096}


def test_what_surrounds_both_loops_cancels():
    few, many = Dump(), Dump()
    few.own.update({("a.so", "f"): 50 + 10 * 7, ("b.so", "g"): 33, ("libcuda.so.1", "h"): 10 * 4})
    many.own.update({("a.so", "f"): 50 + 30 * 7, ("b.so", "g"): 33, ("libcuda.so.1", "h"): 30 * 4})
    few.entered["libcuda.so.1"], many.entered["libcuda.so.1"] = 10 * 6, 30 * 6
    found = per_operation(few, many, 20)
    assert found.instructions == 11
    assert found.driver == 6
    assert found.functions == {"a.so": {"f": 7}, "libcuda.so.1": {"h": 4}}
    assert found.objects == {"a.so": 7, "libcuda.so.1": 4}


def test_growth_names_the_functions_that_changed_largest_first():
    base = {"a.so": {"f": 10.0, "g": 5.0, "same": 3.0}}
    head = {"a.so": {"f": 12.0, "same": 3.0}, "b.so": {"new": 7.0}}
    assert growth(base, head) == [("b.so", "new", 7.0), ("a.so", "g", -5.0), ("a.so", "f", 2.0)]
