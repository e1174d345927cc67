"""Every kernel agrees with its slow twin, on random games."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games
from random_rules import random_poker
from slow_twins import (
    SlowRegretMinimiser,
    action_values,
    add_regrets,
    as_table,
    best_response_value,
    expected_values,
    gradient,
    match_regrets,
    softmax,
)

from regretless.evaluation.exploitability import best_response, evaluate
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.public import public_form, terminal_kinds
from regretless.forms.sequence import sequence_form
from regretless.kernels import hedge, regret_matching
from regretless.kernels.learner import Decisions
from regretless.solvers._catalog import method_class, method_names, solver
from regretless.solvers._regret_minimiser import RegretMinimiser
from regretless.strategy.strategy import Strategy

ITERATIVE = [
    m
    for m in method_names()
    if issubclass(method_class(m), RegretMinimiser) and method_class(m).needed_form() != "public"
]


def random_behaviour(form, seed):
    rng = np.random.default_rng(seed)
    plan = rng.random(size(form)) * (rng.random(size(form)) > 0.3)
    return behaviour_of(form, plan)


@settings(max_examples=60, deadline=None)
@given(random_games(), st.integers(0, 99))
def test_gradient_is_the_sum_over_terminals(game, seed):
    form = sequence_form(game)
    plan = plan_of(form, random_behaviour(form, seed))
    for player in range(form.players):
        found = np.full(size(form), np.nan)
        form.gradient(player, plan, found)
        slow = np.zeros(size(form))
        for sequences, chance, payoffs in zip(
            form.sequences, form.chance, form.payoffs, strict=True
        ):
            others = np.prod([plan[s] for i, s in enumerate(sequences) if i != player])
            slow[sequences[player]] += chance * payoffs[player] * others
        mine = own(form, player)
        np.testing.assert_allclose(found[mine], slow[mine], atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(random_games(), st.integers(0, 99))
def test_evaluation_agrees_with_a_walk_over_states(game, seed):
    form = sequence_form(game)
    behaviour = random_behaviour(form, seed)
    table = as_table(Strategy(form, behaviour))
    found = evaluate(Strategy(form, behaviour))
    slow = expected_values(game.root, table, game.players)
    assert found.values == pytest.approx(slow, abs=1e-12)
    for player in range(game.players):
        value = best_response_value(game.root, table, player)
        assert found.best_responses[player] == pytest.approx(value, abs=1e-12)
        assert found.epsilon[player] >= 0
        best, answer = best_response(Strategy(form, behaviour), player + 1)
        assert best == pytest.approx(value, abs=1e-12)
        assert evaluate(answer).values[player] == pytest.approx(value, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(random_games(), st.integers(0, 99))
def test_plans_and_behaviours_are_two_ways_to_say_the_same(game, seed):
    form = sequence_form(game)
    behaviour = random_behaviour(form, seed)
    plan = plan_of(form, behaviour)
    np.testing.assert_allclose(plan_of(form, behaviour_of(form, plan)), plan, atol=1e-14)
    for player, plex in enumerate(form.treeplexes):
        start = np.eye(1, len(plex.labels) + 1).ravel()
        constraints = plex.constraints @ plan[own(form, player)]
        np.testing.assert_allclose(constraints, start, atol=1e-12)


@pytest.mark.parametrize("method", ITERATIVE)
@pytest.mark.parametrize("simultaneous", [False, True])
@settings(max_examples=12, deadline=None)
@given(game=random_games())
def test_every_variant_agrees_with_the_slow_recursion(method, simultaneous, game):
    form = sequence_form(game)
    fast = solver(f"{method}:simultaneous={simultaneous}".lower(), form)
    slow = SlowRegretMinimiser(
        game,
        positive=lambda t: float(fast.positive(np.float64(t))),
        negative=lambda t: float(fast.negative(np.float64(t))),
        prediction=fast.prediction,
        average=lambda t: float(fast.average(np.float64(t))),
        simultaneous=simultaneous,
    )
    for _ in range(5):
        slow.iterate()
    fast.step(5)
    table = as_table(Strategy(form, fast.behaviour()))
    for key, probabilities in slow.average_table().items():
        assert table[key] == pytest.approx(probabilities, abs=1e-9), key


@settings(max_examples=40, deadline=None)
@given(random_poker(), st.integers(0, 99), st.data())
def test_terminals_of_a_public_tree_pay_what_a_walk_over_states_finds(game, seed, data):
    """Sorted, matrix and joint: every pair of hands, by the rules of the game alone."""
    kinds = terminal_kinds(game.rules)
    if game.root.deck.weights:
        kinds = tuple(kind for kind in kinds if kind != "joint")
    form = public_form(
        game, terminal=data.draw(st.sampled_from(kinds)), isomorphic=False, runouts=False
    )
    behaviour = random_behaviour(form, seed)
    table = as_table(Strategy(form, behaviour))
    plan = plan_of(form, behaviour)
    for player in range(form.players):
        found = np.full(size(form), np.nan)
        form.gradient(player, plan, found)
        slow = gradient(game, table, player)
        mine = found[own(form, player)]
        for point in form.points(player):
            for action, sequence in enumerate(point.sequences):
                assert mine[sequence] == pytest.approx(
                    slow.pop((point.label, action), 0.0), abs=1e-12
                )
        assert mine[0] == pytest.approx(slow.pop(None, 0.0), abs=1e-12)
        assert not slow


@settings(max_examples=40, deadline=None)
@given(random_poker(), st.integers(0, 99))
def test_looks_at_a_public_tree_agree_with_a_walk_over_states(game, seed):
    """Values, best responses, and what every action earns."""
    form = public_form(game, isomorphic=False)
    behaviour = random_behaviour(form, seed)
    table = as_table(Strategy(form, behaviour))
    values = expected_values(game.root, table, game.players)
    for player in range(form.players):
        value, best = form.respond(player, behaviour)
        assert value == pytest.approx(values[player], abs=1e-12)
        slow = best_response_value(game.root, table, player)
        assert best == pytest.approx(slow, abs=1e-12)
        earned = form.action_values(player, behaviour)[own(form, player)]
        assert earned[0] == pytest.approx(values[player], abs=1e-12)
        slow_values = action_values(game, table, player)
        for point in form.points(player):
            for action, sequence in enumerate(point.sequences):
                wanted = slow_values[point.label, action]
                assert earned[sequence] == pytest.approx(wanted, abs=1e-12)


LANES = st.tuples(st.integers(1, 5), st.integers(1, 4), st.integers(0, 10**6))
NUMBERS = st.sampled_from([0.0, 0.5, 1.0, 2.0])


def lanes_of(vector, base, actions, lanes):
    """[lane][action] of a block."""
    return vector[base : base + actions * lanes].reshape(actions, lanes).T


def random_block(lanes, actions, seed):
    """A memory with a block in its midst: regrets with ties and zeros; values; where it is."""
    rng = np.random.default_rng(seed)
    base, at = int(rng.integers(0, 4)), int(rng.integers(0, 4))
    count = base + actions * lanes + 3
    choices = np.array([-2.0, -1e-16, 0.0, 1e-16, 0.5, 0.5, 3.0])
    return base, at, rng.choice(choices, count), rng.normal(size=at + actions * lanes + 2)


@settings(max_examples=80, deadline=None)
@given(LANES, NUMBERS, NUMBERS, st.sampled_from([0.0, 1.0, 0.5]))
def test_regret_matching_agrees_lane_by_lane(shape, positive, negative, prediction):
    lanes, actions, seed = shape
    base, at, regret, q = random_block(lanes, actions, seed)
    where = Decisions(base, actions, lanes, at)
    rng = np.random.default_rng(seed + 1)
    wanted = rng.choice(regret, regret.size) if prediction else np.empty(0)
    memory = regret_matching.Regrets(regret.copy(), wanted.copy(), np.zeros(regret.size))
    given_weights = np.array([positive, negative, prediction, 0.25])
    first = regret_matching.RegretMatching(1.0, 1.0, 0.0, 0.0, 1e-14)
    learner = regret_matching.tuned(first, given_weights)
    assert tuple(learner) == (positive, negative, prediction, 0.25, 1e-14)
    out, value = np.full(q.size, np.nan), rng.normal(size=lanes)
    regret_matching.play(learner, memory, where, out)
    at_once, reach = np.full(q.size, np.nan), rng.random((1 + actions) * lanes + 2)
    before, below = reach.copy(), lanes + 1
    regret_matching.proceed(learner, memory, where, at_once, reach, 0, below)
    assert at_once == pytest.approx(out, abs=1e-15, nan_ok=True)
    for lane, after in enumerate(lanes_of(reach, below, actions, lanes)):
        chosen = lanes_of(out, at, actions, lanes)[lane]
        assert after == pytest.approx(before[lane] * chosen, abs=1e-15)
    outside = np.r_[0:below, below + actions * lanes : reach.size]
    assert np.array_equal(reach[outside], before[outside])
    regret_matching.observe(learner, memory, where, q, value)
    source = wanted if prediction else regret
    for lane in range(lanes):
        chosen = match_regrets(lanes_of(source, base, actions, lanes)[lane], 1e-14)
        assert lanes_of(out, at, actions, lanes)[lane] == pytest.approx(chosen, abs=1e-15)
        after, predicted = add_regrets(
            lanes_of(regret, base, actions, lanes)[lane],
            lanes_of(q, at, actions, lanes)[lane],
            value[lane],
            positive=positive,
            negative=negative,
            prediction=prediction,
        )
        kept = lanes_of(memory.regret, base, actions, lanes)[lane]
        assert kept == pytest.approx(after, abs=1e-12)
        if prediction:
            told = lanes_of(memory.predicted, base, actions, lanes)[lane]
            assert told == pytest.approx(predicted, abs=1e-12)
    outside = np.r_[0:base, base + actions * lanes : regret.size]
    assert np.array_equal(memory.regret[outside], regret[outside])
    assert np.isnan(np.delete(out, np.s_[at : at + actions * lanes])).all()


@settings(max_examples=80, deadline=None)
@given(LANES, st.sampled_from([0.1, 1.0, 400.0]))
def test_hedge_agrees_lane_by_lane(shape, rate):
    lanes, actions, seed = shape
    base, at, gain, q = random_block(lanes, actions, seed)
    where = Decisions(base, actions, lanes, at)
    gain *= 300.0  # exponentials of the largest would overflow
    memory = hedge.Gains(gain.copy(), np.zeros(gain.size))
    learner = hedge.tuned(hedge.Hedge(0.0, 0.0), np.array([rate, 0.5]))
    assert tuple(learner) == (rate, 0.5)
    out, value = np.full(q.size, np.nan), np.random.default_rng(seed).normal(size=lanes)
    hedge.play(learner, memory, where, out)
    hedge.observe(learner, memory, where, q, value)
    for lane in range(lanes):
        chosen = softmax(lanes_of(gain, base, actions, lanes)[lane].tolist())
        assert lanes_of(out, at, actions, lanes)[lane] == pytest.approx(chosen, abs=1e-14)
        more = rate * (lanes_of(q, at, actions, lanes)[lane] - value[lane])
        after = lanes_of(gain, base, actions, lanes)[lane] + more
        kept = lanes_of(memory.gain, base, actions, lanes)[lane]
        assert kept == pytest.approx(after, abs=1e-9)
    outside = np.r_[0:base, base + actions * lanes : gain.size]
    assert np.array_equal(memory.gain[outside], gain[outside])
