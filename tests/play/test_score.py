"""Scores from payoffs alone: sums, means and intervals, sample by sample."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.play import score as module
from regretless.play.match import arrangements
from regretless.play.records import Hand
from regretless.play.score import Score

PAYOFFS = st.lists(st.integers(-40, 40), min_size=3, max_size=3)


@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("players", [2, 3])
@given(payoffs=st.lists(PAYOFFS, min_size=2, max_size=40), pending=st.integers(1, 5))
def test_the_hands_of_a_deal_are_one_sample(players, duplicate, payoffs, pending):
    """Also if hands are added to the sums a few at a time, which ends between two seatings."""
    seats = arrangements(players, duplicate=duplicate)
    times = players if duplicate else 1
    score, won = Score(players, duplicate=duplicate), np.zeros((len(payoffs), players))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PENDING", pending)
        for number, paid in enumerate(payoffs):
            score.add(Hand(number, "", "", tuple(map(float, paid[:players])), ("a",) * players))
            won[number, list(seats[number % len(seats)])] = paid[:players]
        assert score.totals() == pytest.approx(won.sum(axis=0))
        samples = won[: len(won) // times * times].reshape(-1, times, players).mean(axis=1)
        assert score.samples == len(samples)
        if len(samples) < 2:
            assert score.intervals() == [None] * players
            return
        assert score.means() == pytest.approx(samples.mean(axis=0))
        error = samples.std(axis=0, ddof=1) / len(samples) ** 0.5
        assert score.intervals() == pytest.approx(1.959963984540054 * error, abs=1e-9)
