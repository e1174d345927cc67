"""Tournaments: places, the order of players, grids; certificates against a slow twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.core.errors import BadParameter
from regretless.stochastic.algorithms import pi_fp
from regretless.stochastic.certificate import certified
from regretless.stochastic.layers import layer_game, layers
from regretless.stochastic.tournament import (
    Blinds,
    TournamentRules,
    around,
    seated,
    tournament,
)
from regretless.stochastic.values import uniform_profile
from tests.jam_fold_twin import small_showdowns

PRIZES = (50.0, 30.0, 20.0)


FLAT = (Blinds(1, 2),)


def rules(chips=6.0, players=3, levels=FLAT, **more):
    return TournamentRules(PRIZES[:players], chips, players, levels, **more)


def small(**changes):
    return tournament(rules(**changes), 1.0, small_showdowns())


def test_players_move_on_by_one():
    assert seated([3, 2, 1]) == [1, 2, 0]
    assert seated([0, 2, 4]) == [2, 1]  # the big blind acts first and is next on the button
    assert seated([2, 0, 4]) == [2, 0]
    assert seated([2, 4, 0]) == [1, 0]
    assert seated([3, 3]) == [1, 0]


def test_prizes_go_by_stacks_before_the_hand():
    three = rules()
    assert three.paid([3, 2, 1], [6, 0, 0]).tolist() == [50, 30, 20]
    assert three.paid([1, 2, 3], [0, 6, 0]).tolist() == [20, 50, 30]
    assert three.paid([2, 2, 2], [0, 0, 6]).tolist() == [25, 25, 50]
    assert three.paid([1, 2, 3], [0, 3, 3]).tolist() == [20, 0, 0]
    assert three.paid([1, 2, 3], [1, 2, 3]).tolist() == [0, 0, 0]
    assert TournamentRules((10.0,), 6, 3, (Blinds(1, 2),)).places == (10, 0, 0)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 50), min_size=2, max_size=4).filter(lambda s: sum(s) > 0))
def test_corners_have_the_mean_of_what_is_between_them(parts):
    total = sum(parts)
    stacks = np.array(parts) * (12 / total)
    corners = list(around(stacks, 1.0))
    chances = np.array([chance for chance, _ in corners])
    units = np.array([corner for _, corner in corners])
    assert chances.min() > 0
    assert chances.sum() == pytest.approx(1)
    assert np.allclose(chances @ units, stacks)
    assert (units >= 0).all()
    assert (units.sum(axis=1) == 12).all()
    assert (abs(units - stacks) < 1 + 1e-9).all()
    assert (units[:, np.array(parts) == 0] == 0).all()


def solved(game, iterations=40, regret=1e-5):
    values, profile = game.chip_values.copy(), uniform_profile(game)
    for layer in layers(game):
        inner = layer_game(game, layer, values)
        seats = np.concatenate([np.arange(game.seats[s], game.seats[s + 1]) for s in layer])
        running = pi_fp.Method(
            inner,
            regret=regret,
            recency=4,
            values=values[seats],
            profile=[profile[s] for s in layer],
        )
        for _ in range(iterations):
            running.step()
            if running.change < 1e-6:
                break
        values[seats] = running.values
        for s, plan in zip(layer, running.profile, strict=True):
            profile[s] = plan
    return values, profile


def test_heads_up_states_come_first():
    game = small()
    first, second = layers(game)
    assert {game.states[s].stage.players for s in first} == {2}
    assert {game.states[s].stage.players for s in second} == {3}
    assert len(game.states) == 5 + 10


def test_an_equilibrium_and_its_values():
    game = small()
    values, profile = solved(game)
    found = certified(game, profile)
    assert found.epsilon < 0.01
    assert np.allclose(found.values, values, atol=1e-4)
    for s, (_, units) in enumerate(game.keys):
        mine = slice(game.seats[s], game.seats[s + 1])
        total = 100 if len(units) == 3 else 80
        assert found.values[mine].sum() == pytest.approx(total)
        assert (found.values[mine] <= 50).all()
    # with equal stacks and the button on each in turn, everybody has the same expectation
    s = game.numbers[0, (2, 2, 2)]
    equal = found.values[game.seats[s] : game.seats[s + 1]]
    assert equal.mean() == pytest.approx(100 / 3)
    assert not np.allclose(equal, 100 / 3)  # a position is worth something


def test_levels_that_are_equal_are_one_level():
    one = small(chips=5.0)
    two = small(chips=5.0, levels=(Blinds(1, 2), Blinds(1, 2)), hands=3.0)
    values, _ = solved(one)
    twice, profile = solved(two)
    assert certified(two, profile).epsilon < 0.01
    for s, (_, units) in enumerate(one.keys):
        for level in (0, 1):
            t = two.numbers[level, units]
            assert np.allclose(
                values[one.seats[s] : one.seats[s + 1]],
                twice[two.seats[t] : two.seats[t + 1]],
                atol=0.02,
            )


def test_blinds_that_go_up_matter():
    levels = (Blinds(0.5, 1), Blinds(1.5, 3))
    game = small(levels=levels, hands=2.0)
    state = game.states[game.numbers[0, (2, 2, 2)]]
    row = state.moves[0].toarray()[0]
    assert sorted(row[row > 0].tolist()) == [0.25, 0.25, 0.25, 0.25]  # corners × levels
    last = game.states[game.numbers[1, (2, 2, 2)]].moves
    seats = np.flatnonzero(last.toarray().sum(axis=0))
    owners = np.searchsorted(game.seats, seats, side="right") - 1
    assert {game.keys[owner][0] for owner in owners} == {1}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prizes": (30.0, 50.0)}, "descending"),
        ({"prizes": (1.0,) * 4}, "4 prizes for 3 players"),
        ({"levels": ()}, "one level or more"),
        ({"players": 10}, "players"),
        ({"hands": 0.5}, "hands per level"),
    ],
)
def test_bad_rules_are_refused(change, message):
    parts = {"prizes": PRIZES, "chips": 6.0, "players": 3, "levels": (Blinds(1, 2),)}
    with pytest.raises(BadParameter, match=message):
        TournamentRules(**{**parts, **change})


@pytest.mark.parametrize("unit", [0, 4, 3.5, 6])
def test_bad_units_are_refused(unit):
    with pytest.raises(BadParameter, match="must be a multiple"):
        tournament(rules(), unit, small_showdowns())
