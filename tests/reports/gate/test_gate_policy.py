"""`policy.toml`: promises, accepted exceptions, and policies that cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reports.documents import UnreadableError
from reports.gate.policy_file import read_policy

PROMISE = """
[[promise]]
operation = "event.create"
figure = "ratio"
against = "cupy"
limit = 0.5
reason = "the request"
"""
EXACT = """
[[promise]]
operation = "event.create"
figure = "instructions"
limit = {limit}
reason = "the layer"
"""
ACCEPTED = """
[[accepted]]
operation = "event.create"
kind = "{kind}"
{up_to}
until = {until}
reason = "the new check is worth it"
"""


def accepted(kind: str, up_to: float | None = None, until: str = "2027-01-31") -> str:
    size = "" if up_to is None else f"up_to = {up_to}"
    return ACCEPTED.format(kind=kind, up_to=size, until=until)


def messages(gate: Any) -> str:
    return "\n".join(finding["message"] for finding in gate.verdict["findings"])


def test_a_kept_promise_is_counted_and_a_broken_one_fails_when_repeated(gate: Any) -> None:
    gate.policy += PROMISE
    gate.others = [gate.against("event.create", 171.0, "cupy 14.2.0", 800.0)]
    assert gate.run() == 0
    assert gate.verdict["promises"] == {"kept": 1}
    gate.others = [gate.against("event.create", 500.0, "cupy 14.2.0", 800.0)]
    assert gate.run() == 2
    assert gate.findings() == [("undecided", "unconfirmed", "event.create")]
    gate.others *= 2
    assert gate.run() == 1
    assert "the promise event.create <= 0.5 x cupy is not kept" in messages(gate)
    assert gate.verdict["findings"][0]["reason"] == "the request"
    gate.others[1] = gate.against("event.create", 171.0, "cupy 14.2.0", 800.0)
    assert gate.run() == 0


def test_a_promise_made_on_another_driver_is_not_checked_here(gate: Any) -> None:
    gate.policy += PROMISE + 'driver = "null"\n'
    gate.others = [gate.against("event.create", 500.0, "cupy 14.2.0", 800.0)] * 2
    assert gate.run() == 0
    assert gate.verdict["promises"] == {"not checked": 1}


def test_base_does_not_keep_heads_promises(gate: Any) -> None:
    gate.policy += PROMISE
    other = gate.against("event.create", 500.0, "cupy 14.2.0", 800.0)
    other["a"]["label"] = "base"
    gate.others = [other] * 2
    assert gate.run() == 0
    assert gate.verdict["promises"] == {"not checked": 1}


def test_a_promise_in_instructions_needs_no_repetition(gate: Any) -> None:
    gate.policy += EXACT.format(limit=400)
    assert gate.run() == 0
    gate.policy = gate.policy.replace("limit = 400", "limit = 300")
    assert gate.run() == 1
    assert "event.create <= 300 instructions is not kept: 380 instructions" in messages(gate)


def test_an_accepted_slow_down_passes_until_its_day_and_up_to_its_size(gate: Any) -> None:
    gate.counts["head"]["event.create"] += 40
    gate.policy += accepted("slower", 0.15)
    assert gate.run() == 0
    assert gate.findings() == [("note", "slower", "event.create")]
    assert "accepted until 2027-01-31: the new check is worth it" in messages(gate)
    assert gate.run(today="2027-01-31") == 0
    assert gate.run(today="2027-02-01") == 1
    assert "its exception ended on 2027-01-31" in messages(gate)
    gate.counts["head"]["event.create"] += 40
    assert gate.run() == 1
    assert "more than the 0.15 that is accepted" in messages(gate)


@pytest.mark.parametrize("kind", ["calls", "missing"])
def test_other_findings_can_be_accepted_too(gate: Any, kind: str) -> None:
    if kind == "calls":
        gate.calls["head"]["event.create"].append("cuEventQuery")
    else:
        gate.remove("head", "event.create", "unsupported", "dropped")
    assert gate.run() == 1
    gate.policy += accepted(kind)
    assert gate.run() == 0
    assert {finding[:2] for finding in gate.findings()} == {("note", kind)}


def test_a_broken_promise_can_be_accepted_up_to_a_figure(gate: Any) -> None:
    gate.policy += EXACT.format(limit=300) + accepted("promise", 390)
    assert gate.run() == 0
    gate.counts["base"]["event.create"] = gate.counts["head"]["event.create"] = 500.0
    assert gate.run() == 1


def test_an_exception_for_one_operation_does_not_cover_another(gate: Any) -> None:
    gate.counts["head"]["stream.create"] += 40
    gate.policy += accepted("slower", 9)
    assert gate.run() == 1


def test_an_exception_that_ended_and_covers_nothing_is_named(gate: Any) -> None:
    gate.policy += accepted("slower", 0.1, until="2026-11-01")
    assert gate.run() == 0
    assert gate.findings() == [("warn", "exception", "event.create")]


def test_a_limit_of_its_own_goes_before_that_of_all(gate: Any) -> None:
    gate.counts["head"]["event.create"] += 40
    gate.policy += """
[[limit]]
instrument = "count"
operation = "event.create"
warn = { absolute = 20, relative = 0.0 }
fail = { absolute = 50, relative = 0.0 }
reason = "this one moves"
"""
    assert gate.run() == 0
    assert gate.findings() == [("warn", "slower", "event.create")]


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('library = "fastpaths"', "", "library"),
        ('library = "fastpaths"', 'library = "fastpaths"\nlimits = 3', "'limits' is unknown"),
        ("fail = { absolute = 12,", "fail = { absolute = -12,", "below zero"),
        ("fail = { absolute = 12,", "fail = { absolute = nan,", "not a finite number"),
        ("fail = { absolute = 12,", "fail = { absolute = 1,", "'warn' lies above 'fail'"),
        ("fail = { absolute = 12,", "fail = { at = 12,", "'at' is unknown"),
        ("warn = { absolute = 1, relative = 0.02 }", "warn = { absolute = 1, relative = 0 }",
         "no duet can hold"),
        ('reason = "counts are exact"', "", "'reason'"),
        ('reason = "counts are exact"', 'reason = " "', "say why"),
        ('instrument = "duet"', 'instrument = "dust"', "'dust' is none of count, duet"),
        ('instrument = "duet"', 'instrument = "count"', "two limits"),
        ('operation = "*"', 'operation = "event.create"', 'operation = "*"'),
        ('added = "fail"', 'added = "never"', "'never'"),
        ("[calls]", "[cells]", "'cells'"),
        ("library", "library = = 3", "not TOML"),
    ],
)  # fmt: skip
def test_a_policy_that_cannot_be_ends_with_2_and_one_sentence(
    gate: Any, capsys: pytest.CaptureFixture[str], old: str, new: str, named: str
) -> None:
    assert old in gate.policy
    gate.policy = gate.policy.replace(old, new, 1)
    assert gate.run() == 2
    err = capsys.readouterr().err
    assert named in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        (PROMISE.replace("0.5", "0"), "no figure can meet"),
        (PROMISE.replace("0.5", "-1"), "no figure can meet"),
        (PROMISE.replace('"ratio"', '"instructions"'), "'against' does not fit"),
        (PROMISE.replace('against = "cupy"', ""), "'against' does not fit"),
        (PROMISE + 'driver = "amd"', "'amd'"),
        (accepted("slower"), "needs 'up_to'"),
        (accepted("calls", 2), "has no 'up_to'"),
        (accepted("slower", -1), "accepts nothing"),
        (accepted("slower", 0.1, until='"soon"'), "not a date"),
        (accepted("slower", 0.1, until="2027-01-31T00:00:00"), "not a date"),
        (accepted("luck"), "'luck'"),
        (PROMISE.replace("event.create", "event.craete"), "unknown operation, 'event.craete'"),
    ],
)
def test_an_entry_that_cannot_be_ends_with_2_and_one_sentence(
    gate: Any, capsys: pytest.CaptureFixture[str], entry: str, named: str
) -> None:
    gate.policy += entry
    assert gate.run() == 2
    err = capsys.readouterr().err
    assert named in err
    assert err.count("\n") == 1


def test_the_policy_of_the_repository_can_be_read_and_names_catalogued_operations() -> None:
    from benchmarks.operations import OPERATIONS

    policy = read_policy(Path(__file__).resolve().parents[3] / "reports" / "policy.toml")
    assert policy.library == "fastpaths"
    assert set(policy.operations()) <= set(OPERATIONS)
    assert policy.promises
    for instrument in ("count", "duet"):
        limit = policy.limit(instrument, "event.create")
        assert limit.fail.above(100) > limit.warn.above(100) > 0


def test_a_missing_policy_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"policy\.toml"):
        read_policy(tmp_path / "policy.toml")
