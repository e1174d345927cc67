"""Curves of winnings per hand."""

from math import sqrt
from statistics import mean, stdev

import numpy as np
import pytest

import regretless as rl
from regretless.play import win_rates
from regretless.play.win_rates import Course, WinRates, ahead


@pytest.mark.parametrize("ways", [{}, {"rotate": False}, {"duplicate": True}])
@pytest.mark.parametrize(("game", "players"), [("kuhn", 2), ("kuhn:players=3", 3)])
def test_points_are_means_and_intervals_of_the_hands_so_far(game, players, ways, monkeypatch):
    monkeypatch.setattr(win_rates, "MOST", 16)
    rules = rl.rules_of(game)
    agents = [rl.agent("random", game, seed=seat) for seat in range(players)]
    names = [f"p{seat}" for seat in range(players)]
    options = {"hands": 150, "seed": 1, "names": names, **ways}
    hands = list(rl.play_match(rules, agents, **options))
    rates = WinRates(players, **ways)
    for hand in hands:
        rates.add(hand)
    course = rates.course()
    assert 8 <= len(course.hands) <= 16
    assert np.ptp(np.diff(course.hands)) == 0
    times = players if ways.get("duplicate") else 1
    for row, count in enumerate(course.hands.astype(int)):
        for seat, name in enumerate(names):
            won = [hand.payoffs[hand.names.index(name)] for hand in hands[:count]]
            deals = [sum(won[at : at + times]) for at in range(0, count, times)]
            assert course.means[row, seat] == pytest.approx(mean(won))
            half = 1.959964 * stdev(deals) / sqrt(len(deals)) / times
            assert course.halves[row, seat] == pytest.approx(half, rel=1e-5)


def test_ahead_is_the_last_time_that_the_interval_leaves_zero():
    hands, halves = np.array([10.0, 20, 30, 40]), np.full((4, 1), 0.5)
    for means, expected in (
        ([1, 0.2, 1, 1], 30),
        ([1, 1, 1, 1], 10),
        ([1, 1, 1, 0.4], None),
        ([0, 0, 0, 1], 40),
    ):
        assert ahead(Course(hands, np.array(means, float)[:, None], halves), 0) == expected
    unknown = Course(hands, np.ones((4, 1)), np.array([[np.nan], [0.5], [0.5], [0.5]]))
    assert ahead(unknown, 0) == 20


def test_a_match_draws_its_curve(tmp_path):
    match = rl.Match(game="kuhn", agents=("random", "always-call"), hands=100)
    log = tmp_path / "m.log"
    result = match.run(log=log)
    result.plot(tmp_path / "m.png")
    assert (tmp_path / "m.png").stat().st_size > 5000
    again = match.run(log=log, resume=True)
    for mine, theirs in zip(result.rates.course(), again.rates.course(), strict=True):
        np.testing.assert_array_equal(mine, theirs)
