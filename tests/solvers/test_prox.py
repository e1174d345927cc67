"""Prox steps, projections and regret matching over treeplexes, against slow and obvious ways."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games

from regretless.core.errors import BadParameter
from regretless.forms.form import behaviour_of, own, plan_of, size, uniform
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.games._normal_form import zero_sum_game
from regretless.kernels.matching import match
from regretless.kernels.prox import _relative
from regretless.kernels.treeplex import best_response
from regretless.solvers._catalog import solver
from regretless.solvers._nearest import Nearest
from regretless.solvers._prox import UNIFORM, Dilated, kroer_weights
from regretless.solvers._solver import Iterate

DISTANCES = [(kind, weights) for kind in ("entropy", "euclidean") for weights in ("hoda", "kroer")]


def random_inner_behaviour(form, rng):
    return behaviour_of(form, 0.05 + rng.random(size(form)))


def nearest_mixture(v):
    """Projection onto the simplex by sorting (Held, Wolfe & Crowder 1974)."""
    falling = np.sort(v)[::-1]
    thresholds = (np.cumsum(falling) - 1) / np.arange(1, v.size + 1)
    return np.maximum(v - thresholds[np.flatnonzero(falling > thresholds)[-1]], 0)


def slow_step(form, player, dilated, mu, gradient, centre):
    """Decision point by decision point, the deepest first."""
    plex, entropy = form.treeplexes[player], dilated.prox.kind == 0
    first_point = form.plex.blocks[form.plex.ranges[player], 3] if plex.labels else 0
    q = gradient[own(form, player)].copy()
    behaviour = np.ones(plex.size)
    for point in reversed(range(len(plex.labels))):
        mine = plex.sequences[point]
        weights = dilated.prox.weights  # none: all are 1
        scale = mu * (weights[first_point + point] if weights.size else 1.0)
        c = centre[own(form, player)][mine]
        if entropy:
            b = c * np.exp((q[mine] - q[mine].max()) / scale)
            b /= b.sum()
            apart = sum(x * np.log(x / y) for x, y in zip(b, c, strict=True) if x > 0)
        else:
            b = nearest_mixture(c + q[mine] / scale)
            apart = 0.5 * np.sum((b - c) ** 2)
        behaviour[mine] = b
        q[plex.parents[point]] += b @ q[mine] - scale * apart
    return q[0], behaviour


@pytest.mark.parametrize(("kind", "weights"), DISTANCES)
@settings(max_examples=25, deadline=None)
@given(random_games(players=(2, 2)), st.integers(0, 99), st.sampled_from([0.01, 0.3, 5.0]))
def test_a_prox_step_is_made_point_by_point(kind, weights, game, seed, mu):
    form = sequence_form(game)
    rng = np.random.default_rng(seed)
    dilated = Dilated(form, kind, weights)
    gradient, centre = rng.normal(size=size(form)), random_inner_behaviour(form, rng)
    for player in range(2):
        for given_centre, as_given in ((centre, centre), (UNIFORM, uniform(form))):
            found = np.full(size(form), np.nan)
            value = dilated.step(player, mu, gradient, given_centre, found)
            slow_value, slow = slow_step(form, player, dilated, mu, gradient, as_given)
            assert value == pytest.approx(slow_value, abs=1e-9)
            np.testing.assert_allclose(found[own(form, player)], slow, atol=1e-9)


@pytest.mark.parametrize(("kind", "weights"), DISTANCES)
@settings(max_examples=25, deadline=None)
@given(random_games(players=(2, 2)), st.integers(0, 99))
def test_no_plan_is_better_than_where_a_prox_step_leads(kind, weights, game, seed):
    form = sequence_form(game)
    rng = np.random.default_rng(seed)
    dilated = Dilated(form, kind, weights)
    gradient, centre = rng.normal(size=size(form)), random_inner_behaviour(form, rng)
    found, mu = centre.copy(), 0.5
    for player in range(2):
        mine = own(form, player)
        value = dilated.step(player, mu, gradient, centre, found)

        def worth(behaviour, player=player, mine=mine):
            plan = plan_of(form, behaviour)
            away = dilated.distance(player, plan, behaviour, centre)
            return plan[mine] @ gradient[mine] - mu * away

        assert worth(found) == pytest.approx(value, abs=1e-9)
        for _ in range(5):
            assert worth(random_inner_behaviour(form, rng)) <= value + 1e-9


@settings(max_examples=25, deadline=None)
@given(random_games(players=(2, 2)), st.integers(0, 99))
def test_a_step_may_write_over_its_centre(game, seed):
    form = sequence_form(game)
    rng = np.random.default_rng(seed)
    gradient, centre = rng.normal(size=size(form)), random_inner_behaviour(form, rng)
    for kind, weights in DISTANCES:
        dilated = Dilated(form, kind, weights)
        apart, over = np.ones(size(form)), centre.copy()
        for player in range(2):
            dilated.step(player, 0.3, gradient, centre, apart)
            dilated.step(player, 0.3, gradient, over, over)
        assert np.array_equal(apart, over)


def test_tiny_smoothing_is_a_best_response_and_loses_nothing_to_rounding():
    form = sequence_form(load("kuhn"))
    gradient = np.random.default_rng(3).normal(size=size(form))
    for kind, weights in DISTANCES:
        dilated = Dilated(form, kind, weights)
        smoothed, best = np.ones(size(form)), np.ones(size(form))
        for player in range(2):
            near = dilated.respond(player, 1e-16, gradient, smoothed)
            assert near == pytest.approx(dilated.best(player, gradient, best), abs=1e-12)
        np.testing.assert_allclose(smoothed, best, atol=1e-12)


@pytest.mark.parametrize("actions", [2, 3, 4, 8])
def test_projections_drop_as_many_actions_as_they_must(actions):
    """Values that grow geometrically: every pass of Michelot's method drops only some of them."""
    names = [[str(k) for k in range(actions)]] * 2
    payoffs = np.eye(actions).tolist()
    form = sequence_form(zero_sum_game("matrix", payoffs, names, "one for each"))
    dilated, gradient = Dilated(form, "euclidean", "hoda"), np.zeros(size(form))
    values = 0.1 * 2.0 ** np.arange(actions)
    for order in (values, values[::-1], np.random.default_rng(1).permutation(values)):
        gradient[1 : actions + 1] = order
        behaviour = np.empty(size(form))
        dilated.respond(0, 1.0, gradient, behaviour)
        wanted = nearest_mixture(1 / actions + order)
        np.testing.assert_allclose(behaviour[1 : actions + 1], wanted, atol=1e-12)


@pytest.mark.parametrize(
    ("d", "error"), [(9e-5, 1e-11), (1e-6, 1e-11), (1.1e-4, 1e-6), (0.5, 1e-12)]
)
def test_relative_entropy_of_near_mixtures_is_not_rounding(d, error):
    for sign in (1, -1):
        with localcontext() as exact:
            exact.prec = 50
            x = Decimal(sign * d)
            wanted = (1 + x) * (1 + x).ln() - x
        assert _relative(sign * d) == pytest.approx(float(wanted), rel=error, abs=0)


def test_with_entropy_no_action_is_lost_forever():
    form = sequence_form(load("matching_pennies"))
    dilated, mine = Dilated(form, "entropy", "hoda"), slice(1, 3)
    gradient, behaviour = np.zeros(size(form)), uniform(form)
    gradient[mine] = 0, 1000
    dilated.step(0, 1.0, gradient, behaviour, behaviour)
    assert 0 < behaviour[1] < 1e-40  # exp(-1000) is 0
    pure = behaviour.copy()
    pure[mine] = 0, 1
    for centre in (behaviour.copy(), pure):
        gradient[mine] = 500, 0
        dilated.step(0, 1.0, gradient, centre, behaviour)
        np.testing.assert_allclose(behaviour[mine], [1, 0], atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(random_games(players=(2, 2)))
def test_weights_of_kroer_follow_the_recursion(game):
    form = sequence_form(game)
    found = kroer_weights(form.plex)
    at = 0
    for plex in form.treeplexes:

        def alpha(point, plex=plex):
            below = [
                sum(2 * alpha(k) for k in range(len(plex.labels)) if plex.parents[k] == s)
                for s in plex.sequences[point]
            ]
            return 1 + max(below)

        for point in range(len(plex.labels)):
            factor = 1 if plex.parents[point] == 0 else 2
            assert found[at + point] == factor * alpha(point)
        at += len(plex.labels)


@settings(max_examples=40, deadline=None)
@given(random_games(players=(2, 2)), st.integers(0, 99), st.sampled_from([0.1, 1.0, 30.0]))
def test_the_nearest_plan_has_no_better_one_in_any_direction(game, seed, spread):
    """x is nearest to c exactly if no plan lies further along c - x than x itself."""
    form = sequence_form(game)
    target = spread * np.random.default_rng(seed).normal(size=size(form))
    plan = np.empty(size(form))
    Nearest(form)(target, plan)
    np.testing.assert_allclose(plan_of(form, behaviour_of(form, plan)), plan, atol=1e-9)
    for player in range(2):
        mine = own(form, player)
        along = target - plan
        here = plan[mine] @ along[mine]
        farthest = best_response(form.plex, player, along.copy(), np.empty(size(form)))
        assert farthest <= here + 1e-9 * spread


def test_a_plan_is_its_own_nearest():
    form = sequence_form(load("leduc"))
    plan = plan_of(form, random_inner_behaviour(form, np.random.default_rng(1)))
    found = np.empty(size(form))
    Nearest(form)(plan, found)
    np.testing.assert_allclose(found, plan, atol=1e-12)


@pytest.mark.parametrize("floor", [0.0, -np.inf])
def test_matching_is_what_the_regret_minimisers_do(floor):
    """CFR+ and CFR, with simultaneous updates, made of gradients and matching."""
    form = sequence_form(load("leduc"))
    twin = solver(f"{'cfr+' if floor == 0 else 'cfr'}:simultaneous=true", form)
    behaviour, regret = uniform(form), np.zeros(size(form))
    gradient, work = np.empty(size(form)), np.empty((2, size(form)))
    for _ in range(4):
        plan = plan_of(form, behaviour)
        for player in range(2):
            form.gradient(player, plan, gradient)
            match(form.plex, player, regret, behaviour, gradient, work, floor)
    twin.step(4)
    np.testing.assert_allclose(behaviour, twin.behaviour(Iterate.CURRENT), atol=1e-9)


def test_unknown_distances_are_refused():
    form = sequence_form(load("kuhn"))
    with pytest.raises(BadParameter, match="must be entropy or euclidean"):
        Dilated(form, "manhattan", "hoda")
    with pytest.raises(BadParameter, match="must be hoda or kroer"):
        Dilated(form, "entropy", "heavy")


# Best responses are left out: rounding decides their ties.
METHODS = ["egt", "mirror-prox", "optimistic-mirror-descent", "iterated-smoothing"]


@pytest.mark.parametrize("method", METHODS)
def test_public_and_explicit_forms_lead_to_the_same_plans(method):
    public = public_form("leduc")
    pair = [solver(method, form) for form in (public, public.expanded())]
    for running in pair:
        running.step(8)
    one, two = (plan_of(s.form, s.behaviour()) for s in pair)
    np.testing.assert_allclose(one, two, atol=1e-9)
