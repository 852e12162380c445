import json

import pytest

from benchmarks import driver
from benchmarks.instruments import trace as verb
from benchmarks.instruments.call_recorder import plain_name
from benchmarks.instruments.trace import in_words, like_for_like, trace
from benchmarks.operations import LOOPED


def test_the_floor_makes_the_driver_calls_that_its_source_says():
    traces = trace("floor", ["device.current", "event.create", "event.record_new"])
    assert traces.calls == {
        "device.current": ["cuCtxGetDevice"],
        "event.create": ["cuEventCreate", "cuEventDestroy"],
        "event.record_new": ["cuEventCreate", "cuEventRecord", "cuEventDestroy"],
    }
    assert traces.note is None
    assert traces.identity["driver"]["kind"] == driver.current().kind


def test_one_operation_is_traced_in_order_and_without_its_set_up(toy):
    traces = trace(toy("DriverCaller"), ["two_calls", "first_time_more", "no_call"])
    assert traces.calls == {
        "two_calls": ["cuDeviceGet", "cuInit"],
        "first_time_more": ["cuInit"],
        "no_call": [],
    }


def test_a_failing_operation_leaves_the_others(toy):
    traces = trace(toy("DriverCaller"), ["broken", "absent", "two_calls"])
    assert traces.calls["broken"] is None
    assert traces.failures["broken"]["status"] == "failed"
    assert traces.failures["broken"]["reason"] == "RuntimeError: the toy is broken"
    assert traces.failures["absent"]["status"] == "unsupported"
    assert traces.calls["two_calls"]


def test_a_stub_build_is_not_observable_rather_than_free_of_calls(toy):
    traces = trace(toy("Stub"), ["spin"])
    assert traces.calls == {"spin": None}
    assert traces.failures["spin"]["status"] == "unobserved"
    assert "never calls the driver" in traces.note


@pytest.mark.parametrize(
    ("name", "operation", "words"),
    [
        ("Unavailable", "two_calls", "toy is not installed: install it"),
        ("Plain", "crash", "the worker died with SIGKILL"),
    ],
)
def test_a_side_that_cannot_be_traced_says_why(toy, name, operation, words):
    traces = trace(toy(name), [operation])
    assert traces.calls == {operation: None}
    assert words in traces.note


def test_like_for_like_is_the_same_calls_in_the_same_order():
    assert like_for_like(["a", "b"], ["a", "b"]) is True
    assert like_for_like(["a", "b"], ["b", "a"]) is False
    assert like_for_like(["a"], ["a", "a"]) is False
    assert like_for_like(None, ["a"]) is None


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("cuEventCreate", "cuEventCreate"),
        ("cuEventDestroy_v2", "cuEventDestroy"),
        ("cuEventRecord_ptsz", "cuEventRecord"),
        ("cuMemcpyAsync_v2_ptsz", "cuMemcpyAsync"),
        ("cuGetProcAddress_v2", "cuGetProcAddress"),
    ],
)
def test_names_are_compared_without_their_suffixes(symbol, name):
    assert plain_name(symbol) == name


def test_repeated_calls_are_counted_in_words():
    assert in_words(["a", "a", "b", "a"]) == "a (2), b, a"
    assert in_words([]) == "no driver call"


def test_the_verb_writes_calls_counts_and_provenance(tmp_path, capsys):
    file = tmp_path / "trace.json"
    arguments = ["call.scope", "helpers.handle_return", "--library", "floor", "--json", str(file)]
    assert verb.main(arguments) == 0
    document = json.loads(file.read_text())
    row = document["results"][0]
    assert (row["operation"], row["library"]) == ("call.scope", "floor")
    assert row["counts"]["cuEventRecord"] == 2
    assert document["provenance"]["driver"]["kind"] == driver.current().kind
    assert document["skipped"][0]["operation"] == "helpers.handle_return"
    assert "cuEventRecord (2)" in capsys.readouterr().out


def test_the_verb_refuses_an_unknown_operation_and_an_unknown_library(capsys):
    assert verb.main(["event.creat"]) == 2
    assert f"there are {LOOPED[0]}" in capsys.readouterr().err
    assert verb.main(["event.create", "--library", "cuda.cor"]) == 2
    assert "unknown library 'cuda.cor'" in capsys.readouterr().err
