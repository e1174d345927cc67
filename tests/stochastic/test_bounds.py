"""Abstractions with bounds: regret is within the bound, errors are what they say, programs are
smallest."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import assert_drawn

import regretless as rl
from regretless.core.errors import BadInput, BadParameter
from regretless.stochastic.abstraction import StandIn, StochasticAbstraction, half_range, identity
from regretless.stochastic.game import Stage
from regretless.stochastic.induction import evaluate_profile, regrets, solve_stochastic
from regretless.stochastic.level_game import random_stochastic_game, stochastic_game
from regretless.stochastic.levels import abstract_stochastic
from regretless.studies import bounds as study

WAYS = {name: {"by": by, "first": first} for name, (by, first) in study.WAYS.items()}


def random_map(rng, level):
    """Any map of a level: representatives, kept actions, and maps onto them."""
    kept = rng.choice(len(level), size=rng.integers(1, len(level) + 1), replace=False)
    own = {}
    for r in kept:
        maps = []
        for count in level[r].shape:
            some = rng.choice(count, size=rng.integers(1, count + 1), replace=False)
            made = rng.choice(some, size=count)
            made[some] = some
            maps.append(made)
        own[int(r)] = StandIn(int(r), tuple(maps))
    found = []
    for s in range(len(level)):
        r = own[s].representative if s in own else int(rng.choice(kept))
        maps = own[s].actions if s in own else [rng.permutation(m) for m in own[r].actions]
        found.append(StandIn(r, tuple(maps)))
    return tuple(found)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 9999), st.booleans())
def test_no_regret_and_no_value_is_beyond_its_bound(seed, zero_sum):
    """Whatever the map; and at every level, with what is left of the game from there on."""
    rng = np.random.default_rng(seed)
    levels = int(rng.integers(1, 4))
    game = random_stochastic_game(
        rng, levels=levels, states=3, actions=2, kinds=2, noise=0.3, zero_sum=zero_sum
    )
    made = StochasticAbstraction(game, tuple(random_map(rng, level) for level in game.levels))
    found = solve_stochastic(made.abstract)
    profile = made.lift(found)
    gains, values = regrets(game, profile), evaluate_profile(game, profile)
    for first in range(levels):
        rest = StochasticAbstraction(type(game)(game.levels[first:]), made.maps[first:])
        assert (gains[first].max(axis=1) <= rest.bound + 1e-9).all()
        assert (rest.bound <= rest.published + 1e-9).all()
        kept = sorted({own.representative for own in made.maps[first]})
        inside = [kept.index(own.representative) for own in made.maps[first]]
        apart = np.abs(values[first] - found.values[first][:, inside]).max(axis=1)
        assert (apart <= rest.differences + 1e-9).all()


def test_the_bound_is_computed_as_it_says():
    """By hand: two levels, one state above two that are merged."""
    moves = [[{"a": 1}], [{"b": 1}]]
    game = stochastic_game(
        [
            {"start": Stage([[0.0], [0.5]], moves)},
            {"a": Stage([[1.0, 3.0]]), "b": Stage([[1.25, 2.75]])},
        ]
    )
    one, two = np.array([0]), np.array([0, 1])
    lower = (StandIn(0, (one, two)), StandIn(0, (one, two)))
    states = StochasticAbstraction(game, (identity(game.levels[0]), lower))
    assert states.errors.tolist() == [[0, 0], [0.25, 0.25]]
    assert states.bound.tolist() == [1, 1]  # 2 (f_1 + f_2), both 0.25
    assert states.published.tolist() == [1, 1]  # 2 · 2 · f_2
    assert states.abstract.levels[0][0].chances.tolist() == [[[1.0]], [[1.0]]]
    actions = ((StandIn(0, (np.array([0, 0]), one)),), identity(game.levels[1]))
    rows = StochasticAbstraction(game, actions)
    # Payoffs differ by 0.5, chances by 2; values below range over 2, at most 3.
    assert rows.errors.tolist() == [[2.5, 2.5], [0, 0]]
    assert rows.bound.tolist() == [5, 5]
    assert rows.published.tolist() == [4 * (0.5 + 3 * 2)] * 2


def test_the_published_bound_adds_the_largest_payoffs_of_all_levels_below():
    to_c = [[{"c": 1}]]
    game = stochastic_game(
        [
            {"start": Stage([[0.0], [0.0]], [[{"a": 1}], [{"b": 1}]])},
            {"a": Stage([[1.0]], to_c), "b": Stage([[1.0]], to_c)},
            {"c": Stage([[2.0]])},
        ]
    )
    merged = (StandIn(0, (np.array([0, 0]), np.array([0]))),)
    made = StochasticAbstraction(game, (merged, *map(identity, game.levels[1:])))
    assert made.published.tolist() == [2 * 3 * (1 + 2) * 2] * 2


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 999), st.sampled_from(sorted(WAYS)), st.floats(0, 6), st.booleans())
def test_makers_keep_to_the_bound(seed, way, allowed, zero_sum):
    rng = np.random.default_rng(seed)
    game = random_stochastic_game(
        rng, levels=2, states=3, actions=2, kinds=2, noise=0.1, zero_sum=zero_sum
    )
    made = abstract_stochastic(game, allowed, **WAYS[way])
    assert (made.bound <= allowed + 1e-9).all()
    gains = regrets(game, made.lift(solve_stochastic(made.abstract)))[0]
    assert gains.max() <= allowed + 1e-9


@pytest.mark.parametrize("way", WAYS)
def test_what_is_equal_is_merged_without_regret(way):
    rng = np.random.default_rng(5)
    game = random_stochastic_game(rng, levels=3, states=4, actions=4, kinds=2, noise=0.0)
    made = abstract_stochastic(game, 0.0, **WAYS[way]).abstract
    assert (made.size, made.actions) == (6, 24)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 999), st.floats(0.1, 2))
def test_the_program_is_smallest_and_greedy_is_not_smaller(seed, allowed):
    """One state: all pairs of maps are tried."""
    rng = np.random.default_rng(seed)
    game = random_stochastic_game(rng, levels=1, states=1, actions=3)
    best = 6
    for rows, columns in product(product(range(3), repeat=3), repeat=2):
        maps = np.array(rows), np.array(columns)
        if all((own[own] == own).all() for own in maps):
            made = StochasticAbstraction(game, ((StandIn(0, maps),),))
            if made.bound.max() <= allowed:
                best = min(best, len(set(rows)) + len(set(columns)))
    assert abstract_stochastic(game, allowed).abstract.actions == best
    assert abstract_stochastic(game, allowed, by="greedy").abstract.actions >= best


def two_levels(apart):
    """A start, and two states below it that differ by so much."""
    moves = [[{"hot": 1}, {"cold": 1}], [{"cold": 1}, {"hot": 1}]]
    below = {"hot": Stage([[3, -2], [-3, 2]]), "cold": Stage([[3 - apart, -2], [-3, 2]])}
    return stochastic_game([{"start": Stage([[9, -9], [-9, 9]], moves)}, below])


def test_levels_share_the_bound():
    """The last of two levels gets half of it, and its errors count four times."""
    assert abstract_stochastic(two_levels(0.1), 0.81).abstract.size == 2
    assert abstract_stochastic(two_levels(0.1), 0.79).abstract.size == 3


def test_ranges_of_values_add_up_over_levels():
    game = two_levels(0.5)
    whole = [identity(level) for level in game.levels]
    last = half_range(game.levels[1], whole[1], np.zeros(2))
    assert last.tolist() == [3, 3]
    assert half_range(game.levels[0], whole[0], last).tolist() == [12, 12]


def test_actions_are_merged_only_if_that_fits_all_states_of_a_class():
    game = stochastic_game([{"a": Stage([[0.0], [0.1]]), "b": Stage([[0.0], [0.3]])}])
    made = abstract_stochastic(game, 0.4, by="greedy", first="states")
    assert (made.abstract.size, made.abstract.actions) == (1, 3)
    assert made.bound.max() == pytest.approx(0.4)


def test_states_merge_whatever_their_actions_are_called():
    """Only the program sees that rows are exchanged; greedy goes by names."""
    game = stochastic_game(
        [{"a": Stage([[1, 2], [3, 5]]), "b": Stage([[3, 5], [1, 2]]), "c": Stage([[9, 9]])}]
    )
    assert abstract_stochastic(game, 0.0).abstract.size == 2
    assert abstract_stochastic(game, 0.0, by="greedy").abstract.size == 3
    named = [
        {
            "a": Stage([[1, 2], [3, 5]], actions=(("up", "down"), ("l", "r"))),
            "b": Stage([[3, 5], [1, 2]], actions=(("down", "up"), ("l", "r"))),
        }
    ]
    assert abstract_stochastic(stochastic_game(named), 0.0, by="greedy").abstract.size == 1


def test_bad_input():
    game = study.attacker_and_defender()
    for bound in (-1, float("nan"), float("inf"), "x"):
        with pytest.raises(BadParameter, match="bound"):
            rl.stochastic.abstract_stochastic(game, bound)
    with pytest.raises(BadParameter, match="by=magic: must be greedy or integer-program"):
        rl.stochastic.abstract_stochastic(game, 1, by="magic")
    with pytest.raises(BadParameter, match="first"):
        rl.stochastic.abstract_stochastic(game, 1, by="greedy", first="both")
    every = np.array([0, 1, 2])
    two = stochastic_game([{"a": Stage(np.eye(3)), "b": Stage(np.eye(3))}])
    maps = (StandIn(0, (every, every)), StandIn(0, (every * 0, every)))
    with pytest.raises(BadInput, match="actions must map onto the kept ones"):
        StochasticAbstraction(two, (maps,))
    with pytest.raises(BadInput, match="its representative does not represent itself"):
        StochasticAbstraction(two, ((StandIn(1, (every, every)), StandIn(0, (every, every))),))


def test_the_example_of_the_slides_is_not_monotonic():
    table = study._example()
    whole, finer, coarser = table.rows
    assert whole[3:5] == pytest.approx((0, 0))
    assert (finer[1], finer[2]) == ("A", "A 1")
    assert finer[3] == pytest.approx(1)  # the attacker gets 2 from B, 1 from what it does
    assert (coarser[1], coarser[2]) == ("Between", "Between 1")
    assert coarser[3:5] == pytest.approx((0, 0))
    assert all(row[5] >= row[3] for row in table.rows)


def test_the_study_on_one_game(tmp_path, monkeypatch):
    from regretless.core.progress import nobody

    monkeypatch.setattr(study, "BOUNDS", (0.5, 4.0))
    runs = list(study._runs(nobody, games=1))
    assert len(runs) == 2 * len(study.WAYS)
    assert all(run.measured <= run.bound + 1e-9 <= run.allowed + 2e-9 for run in runs)
    table = study._random(runs)
    assert all(row[6] == 0 for row in table.rows)
    assert len(study._monotonic(runs).rows) == len(study.WAYS)
    study._picture(runs, tmp_path / "bounds.png")
    assert_drawn(tmp_path / "bounds.png")
