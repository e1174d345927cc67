"""Sampled regrets are right on average; the same seed draws the same."""

import numpy as np
import pytest

from regretless.core.errors import BadParameter, TooLarge, Unsuitable
from regretless.evaluation.exploitability import exploitability
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.forms.tree import first_slots
from regretless.games._catalog import load
from regretless.runs.solve import solve
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

SAMPLERS = ["external-sampling", "outcome-sampling", "chance-sampling"]
BASELINES = ["", ":baseline=0.2"]
SAMPLES = 20_000


def counterfactual_regrets(form, behaviour, player):
    """Of every sequence of the player: what its action earns more than the behaviour, times the
    others' reach; from the full gradient."""
    found = np.zeros(size(form))
    form.gradient(player, plan_of(form, behaviour), found)
    q, plex = found[own(form, player)], form.treeplexes[player]
    mine = behaviour[own(form, player)]
    regrets = np.zeros(plex.size)
    for point in reversed(range(len(plex.labels))):
        at = plex.sequences[point]
        value = mine[at] @ q[at]
        regrets[at] = q[at] - value
        q[plex.parents[point]] += value
    return regrets


def with_policy(running, behaviour):
    """Play this, without any regrets or averages so far."""
    learned = running.learned
    learned.policy[:] = behaviour[running._places]
    learned.regret[:] = 0
    learned.sums[:] = 0


@pytest.mark.parametrize("baseline", BASELINES)
@pytest.mark.parametrize("method", SAMPLERS)
@pytest.mark.parametrize("game", ["kuhn", "prisoners_dilemma"])
def test_sampled_regrets_are_unbiased(game, method, baseline):
    form = sequence_form(load(game))
    running = solver(method + baseline, form, seed=11)
    rng = np.random.default_rng(5)
    behaviour = behaviour_of(form, 0.1 + rng.random(size(form)))
    drawn = np.empty((SAMPLES, size(form)))
    drawn[:, form.plex.roots[:-1]] = 0
    for k in range(SAMPLES):
        with_policy(running, behaviour)
        running.step()
        drawn[k, running._places] = running.learned.regret
    # The second player learns after the first has changed its policy, so look at the first.
    mine = own(form, 0)
    mean = drawn[:, mine].mean(axis=0)
    error = drawn[:, mine].std(axis=0) / np.sqrt(SAMPLES)
    exact = counterfactual_regrets(form, behaviour, 0)
    assert np.all(np.abs(mean - exact) <= 5 * error + 1e-12)
    assert np.abs(exact).max() > 0.01


@pytest.mark.parametrize("method", ["outcome-sampling", "chance-sampling"])
def test_sampled_averages_are_weighted_by_the_own_reach(method):
    """The weight of a decision point in the average must not depend on what others play."""
    form = sequence_form(load("kuhn"))
    rng = np.random.default_rng(6)
    one, two = (behaviour_of(form, 0.1 + rng.random(size(form))) for _ in range(2))
    mine = own(form, 0)
    two[mine] = one[mine]  # another opponent
    found = []
    for behaviour in (one, two):
        running = solver(method, form, seed=3)
        sums = np.zeros(size(form))
        for _ in range(SAMPLES):
            with_policy(running, behaviour)
            running.step()
            sums[running._places] += running.learned.sums / SAMPLES
        found.append(sums[mine])
    np.testing.assert_allclose(found[0], found[1], rtol=0.15, atol=0.02)


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
@pytest.mark.parametrize("method", SAMPLERS)
def test_baselines_take_variance_away(game, method):
    """Where policies stand still, guesses become right and estimates steady."""
    form = sequence_form(load(game))
    spread = []
    for baseline in ("", ":baseline=0.1"):
        running = solver(method + baseline, form, seed=2)
        behaviour = running.behaviour()
        drawn = np.zeros((4000, running.learned.regret.size))
        for k in range(4000):
            with_policy(running, behaviour)
            running.step()
            drawn[k] = running.learned.regret
        spread.append(drawn[2000:].std(axis=0).mean())
    assert spread[1] < 0.9 * spread[0]


@pytest.mark.parametrize("baseline", BASELINES)
@pytest.mark.parametrize("method", SAMPLERS)
def test_the_same_seed_makes_the_same_bytes(method, baseline):
    form = sequence_form(load("leduc"))
    runs = [solver(method + baseline, form, seed=seed) for seed in (1, 1, 2)]
    runs[0].step(500)
    for part in (1, 99, 400):
        runs[1].step(part)
    runs[2].step(500)
    one, same, other = (running.state() for running in runs)
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one["regret"], other["regret"])


def test_a_run_may_be_resumed(tmp_path):
    path = tmp_path / "run.safetensors"
    whole = solve("kuhn", method="external-sampling", iterations=3000, seed=4)
    solve("kuhn", method="external-sampling", iterations=1000, seed=4, out=path)
    resumed = solve(resume=path, iterations=3000)
    assert np.array_equal(whole.strategy.behaviour, resumed.strategy.behaviour)


@pytest.mark.parametrize("method", ["outcome-sampling", "chance-sampling"])
def test_three_players_can_be_sampled(method):
    form = sequence_form(load("kuhn:players=3"))
    running = solver(method, form)
    running.step(20_000)
    assert exploitability(Strategy(form, running.behaviour())) < 0.2


def test_what_cannot_be_sampled_is_refused():
    with pytest.raises(Unsuitable, match=r"two players: kuhn:players=3 has 3; chance-sampling"):
        solver("external-sampling", sequence_form(load("kuhn:players=3")))
    with pytest.raises(Unsuitable, match=r"needs a sequence form .* cfr\+, dcfr"):
        solver("external-sampling", public_form("leduc"))
    with pytest.raises(BadParameter, match="baseline=2"):
        solver("chance-sampling:baseline=2", sequence_form(load("kuhn")))
    with pytest.raises(BadParameter, match="explore=0"):
        solver("outcome-sampling:explore=0", sequence_form(load("kuhn")))
    with pytest.raises(TooLarge):
        solve("rhode_island", method="external-sampling", iterations=1)


def test_slots_and_sequences_name_the_same_actions():
    form = sequence_form(load("leduc"))
    running = solver("external-sampling", form)
    slots = first_slots(running.game.form)
    at = 0
    for player, plex in enumerate(form.treeplexes):
        for sequences in plex.sequences:
            found = running._places[slots[at] : slots[at + 1]]
            assert np.array_equal(found, sequences + form.plex.roots[player])
            at += 1
