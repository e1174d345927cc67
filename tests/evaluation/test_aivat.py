"""Corrected payoffs have the mean of plain ones, exactly, and a smaller variance."""

from itertools import chain, combinations

import numpy as np
import pytest
from brute_force import end_probabilities, joined, random_strategy
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games

import regretless as rl
from regretless.core.errors import BadInput, BadParameter, WrongGame
from regretless.evaluation.aivat import (
    _profile,
    _trails,
    aivat,
    corrected_payoffs,
    corrections,
    expected_at_nodes,
)
from regretless.evaluation.statistics import estimate, standard_error
from regretless.forms.tree import game_tree
from regretless.kernels import sampling


def subsets(players):
    everybody = range(1, players + 1)
    return chain.from_iterable(combinations(everybody, n) for n in range(players + 1))


def means(tree, known, actual, corrected):
    """Expected corrected and plain payoffs when the unknown play `actual`."""
    profile = [known.get(p + 1, actual) for p in range(tree.form.players)]
    probability = end_probabilities(tree.form, joined(tree.form, profile))
    return probability @ corrected, probability @ tree.form.payoffs


@pytest.mark.parametrize("spec", ["kuhn", "kuhn:players=3", "leduc:ranks=2", "liars_dice:faces=2"])
@pytest.mark.parametrize("pure", [0.0, 0.4])
def test_mean_is_untouched(spec, pure):
    tree = game_tree(spec)
    actual, baseline = (random_strategy(tree.form, seed) for seed in (1, 2))
    for seats in subsets(tree.form.players):
        known = {p: random_strategy(tree.form, 10 + p, pure=pure) for p in seats}
        found = corrected_payoffs(tree, known, baseline=baseline)
        corrected, plain = means(tree, known, actual, found.corrected)
        assert np.abs(corrected - plain).max() < 1e-10


@given(random_games(), st.integers(0, 999))
@settings(max_examples=40, deadline=None)
def test_mean_is_untouched_whatever_the_values(game, seed):
    tree = game_tree(game)
    rng = np.random.default_rng(seed)
    values = 100 * rng.standard_normal((len(tree.parents), tree.form.players))
    actual = random_strategy(tree.form, seed + 1)
    for seats in subsets(tree.form.players):
        known = {p: random_strategy(tree.form, seed + 10 + p, pure=0.3) for p in seats}
        unknown = [p for p in range(tree.form.players) if p + 1 not in known]
        trails = _trails(tree, unknown, _profile(tree, known, actual))
        corrected, plain = means(tree, known, actual, corrections(tree, trails, values))
        assert np.abs(corrected - plain).max() < 1e-10


def test_no_noise_is_left_where_everything_is_known():
    tree = game_tree("kuhn:players=3")
    known = {p: random_strategy(tree.form, p) for p in (1, 2, 3)}
    found = corrected_payoffs(tree, known)
    profile = joined(tree.form, [known[p] for p in (1, 2, 3)])
    assert np.allclose(found.corrected, rl.expected_values(profile), atol=1e-12)


def test_values_of_nodes():
    tree = game_tree("leduc")
    strategy = random_strategy(tree.form, 3)
    values = expected_at_nodes(tree, strategy.behaviour)
    assert values[0] == pytest.approx(rl.expected_values(strategy))


def played(tree, strategies, hands, seed=0):
    choices = np.stack([tree.running_sums(s.behaviour) for s in strategies])
    ends = np.empty(hands, dtype=np.int64)
    seating = np.arange(len(strategies), dtype=np.int32)
    sampling.play_terminals(tree.tree, choices, seating, seed, 0, ends)
    return ends


def test_error_falls_threefold_on_leduc():
    tree = game_tree("leduc")
    solved = rl.solve(tree.form, iterations=1000).strategy
    weaker = rl.solve(tree.form, method="cfr", iterations=50).strategy
    ends = played(tree, [solved, weaker], 20_000)
    exact = rl.expected_values(joined(tree.form, [solved, weaker]))
    for known in ({1: solved}, {2: weaker}):
        for position, found in enumerate(aivat(tree, ends, known)):
            assert found.gain > 3
            assert abs(found.mean - exact[position]) < 4 * found.standard_error
            assert abs(found.plain_mean - exact[position]) < 4 * found.plain_standard_error
            assert found.hands == 20_000
            assert found.half_width == pytest.approx(1.96 * found.standard_error, rel=1e-4)


def test_standard_errors_tell_the_truth():
    """Means of many short matches scatter as their standard errors say."""
    tree = game_tree("leduc:ranks=2")
    strategies = [random_strategy(tree.form, seed) for seed in (1, 2)]
    found = corrected_payoffs(tree, {1: strategies[0]})
    matches = found.of(played(tree, strategies, 200_000))[0][:, 0].reshape(200, 1000)
    claimed = np.mean([standard_error(match) for match in matches])
    assert np.std(matches.mean(axis=1)) == pytest.approx(claimed, rel=0.15)


def test_strata_are_no_noise():
    strata = np.arange(100) % 2
    samples = 5.0 * strata
    assert standard_error(samples, strata) == 0.0
    assert standard_error(samples) > 0.2
    single = np.array([0, 1, 1])
    assert standard_error(np.array([0.0, 1.0, 2.0]), single) == pytest.approx(1 / np.sqrt(3))
    assert estimate(samples, samples, strata).gain == 1.0


def test_public_strategies_are_taken_too():
    strategy = rl.solve("leduc", form="public", iterations=10).strategy
    tree = game_tree("leduc")
    found = corrected_payoffs(tree, {1: strategy})
    corrected, plain = means(
        tree,
        {1: rl.solve(tree.form, method="dcfr", iterations=10).strategy},
        random_strategy(tree.form, 0),
        found.corrected,
    )
    assert corrected == pytest.approx(plain, abs=1e-6)


def test_aivat_bad_input():
    tree = game_tree("kuhn")
    never = rl.Strategy(tree.form, random_strategy(tree.form, 0).behaviour.copy())
    point = tree.form.find(0, "A:")
    never.behaviour[point.sequences] = [1.0, 0.0]
    bets = np.flatnonzero(tree.form.sequences[:, 0] == point.sequences[1])
    with pytest.raises(BadInput, match=r"hand 0: .* never does"):
        aivat(tree, [bets[0], bets[0]], {1: never})
    with pytest.raises(BadInput, match="must be 0 to 29"):
        aivat(tree, [0, 30], {})
    with pytest.raises(BadInput, match="1 hands"):
        aivat(tree, [0], {})
    with pytest.raises(BadParameter, match="position=3"):
        aivat(tree, [0, 1], {3: never})
    with pytest.raises(WrongGame):
        aivat(tree, [0, 1], {1: rl.Strategy.uniform(rl.sequence_form("leduc"))})


def test_rounding_is_no_variance():
    samples = np.full(10, 0.1)
    assert samples.cumsum()[-1] != 1  # so the mean is not exactly 0.1
    assert standard_error(samples) == 0.0


def test_a_given_baseline_is_used():
    form = rl.forms.form_of("kuhn", kind="sequence")
    known, other = rl.Strategy.uniform(form), rl.best_response(rl.Strategy.uniform(form), 2)[1]
    usual = corrected_payoffs("kuhn", {1: known}).corrected
    assert np.array_equal(usual, corrected_payoffs("kuhn", {1: known}, baseline=known).corrected)
    assert (
        np.abs(usual - corrected_payoffs("kuhn", {1: known}, baseline=other).corrected).max() > 0.1
    )
