import pytest

from benchmarks.instruments import play
from benchmarks.instruments.duet_result import Rounds
from benchmarks.instruments.resampling import median_interval
from benchmarks.instruments.side import InstrumentError, Side


def reply(slices, interrupted=()):
    return {
        "slices": slices,
        "empties": [10] * len(slices),
        "interrupted": [place in interrupted for place in range(len(slices))],
    }


def test_a_round_is_the_mean_of_a_sides_two_slices_per_operation():
    rounds = Rounds([10, 20])
    rounds.add(reply([100, 120, 200, 220]), reply([200, 240, 400, 400]))
    assert rounds.gross == ([11, 21], [11, 20])
    assert rounds.net == ([10, 20], [10.5, 19.5])
    assert rounds.ratios == [1, 21 / 20]
    assert rounds.differences() == [-0.5, 0.5]


def test_a_round_that_was_interrupted_on_either_side_is_left_out_on_both():
    rounds = Rounds([1, 1])
    rounds.add(
        reply([10, 10, 20, 9999, 30, 30, 40, 40], interrupted={3}),
        reply([10, 10, 20, 20, 30, 30, 9999, 40], interrupted={6}),
    )
    assert rounds.ratios == [1, 1]
    assert rounds.slices == ([10, 10, 30, 30], [10, 10, 30, 30])
    assert rounds.interrupted() == 0.5


class Interrupted:
    """A pair of workers on a core that always has something else to do."""

    sides = (Side("a"), Side("b"))
    identities = ()

    def ask(self, commands, timeout):
        if commands.get(0, {}).get("do") == "batch":
            return [reply([9, 9], interrupted={0})] * 2
        return [{"ns": 100.0}]


def test_a_machine_that_leaves_no_whole_round_is_an_error_rather_than_a_ratio():
    with pytest.raises(InstrumentError, match=r"0 of .* without interruption in .* 32 are needed"):
        play._play(Interrupted(), "event.create", play.Limits(seconds=0.01))


def test_few_samples_give_a_wide_interval_and_not_an_empty_one():
    low, high = median_interval([1.0, 5.0, 2.0, 4.0, 3.0])
    assert low <= 2
    assert high >= 4
