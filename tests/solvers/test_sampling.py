"""Sampled regrets are right on average; the same seed draws the same."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games

from regretless.core.errors import BadParameter, TooLarge, Unsuitable
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.games._state import CHANCE, TERMINAL
from regretless.kernels import mccfr
from regretless.kernels.sampling import mixed
from regretless.runs.evaluating import exploitability
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


FORMS = [
    sequence_form("kuhn"),
    sequence_form("prisoners_dilemma"),
    public_form("leduc:ranks=2,cap=1,suits_distinct=true"),  # names of suits share decision points
]


@pytest.mark.parametrize("baseline", BASELINES)
@pytest.mark.parametrize("method", SAMPLERS)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.spec)
def test_sampled_regrets_are_unbiased(form, method, baseline):
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


@pytest.mark.parametrize("method", SAMPLERS)
def test_both_forms_draw_and_learn_the_same(method):
    forms = [sequence_form("leduc"), public_form("leduc")]  # whose suits have no names
    one, other = (solver(method, form, seed=8) for form in forms)
    one.step(300)
    other.step(300)
    plex, found = other.form.treeplexes, other.behaviour()
    for player, mine in enumerate(one.form.treeplexes):
        for label, sequences in zip(mine.labels, mine.sequences, strict=True):
            same = plex[player].sequences[plex[player].point(label)]
            np.testing.assert_allclose(
                found[same + other.form.plex.roots[player]],
                one.behaviour()[sequences + one.form.plex.roots[player]],
            )


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


@pytest.mark.parametrize("game", ["leduc"])  # its chance moves between decisions too
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
    with pytest.raises(Unsuitable, match=r"two-player games: .* 3 players; .*chance-sampling"):
        solver("external-sampling", sequence_form(load("kuhn:players=3")))
    with pytest.raises(Unsuitable, match="built from a game; methods for any form: cfr"):
        solver("external-sampling", replace(sequence_form("kuhn"), game=None))
    with pytest.raises(TooLarge, match="without a game tree: public-chance-sampling, cfr"):
        solver("external-sampling", public_form("rhode_island"))
    with pytest.raises(BadParameter, match="baseline=2"):
        solver("chance-sampling:baseline=2", sequence_form(load("kuhn")))
    with pytest.raises(BadParameter, match="explore=0"):
        solver("outcome-sampling:explore=0", sequence_form(load("kuhn")))
    with pytest.raises(TooLarge):
        solve("rhode_island", method="external-sampling", iterations=1)


class SlowSampler:
    """The three methods as their papers write them: recursions over states, dictionaries."""

    def __init__(self, game, counter, *, explore=0.6, rate=0.0):
        self.game, self.explore, self.rate = game, explore, rate
        self.counter = int(counter)
        self.regret, self.sums = defaultdict(float), defaultdict(float)
        self.path, self.baselines = (), defaultdict(float)  # of paths and players

    def draw(self):
        self.counter = (self.counter + 0x9E3779B97F4A7C15) % 2**64
        return (int(mixed(np.uint64(self.counter))) >> 11) / 2**53

    def pick(self, weights, u):
        sums = np.cumsum(weights)
        return next((a for a, upper in enumerate(sums) if u < upper), len(weights) - 1)

    def policy(self, state):
        key, count = (state.player, state.view(state.player)), len(state.actions)
        kept = [max(self.regret[key, a], 0) for a in range(count)]
        total = sum(kept)
        return key, [k / total if total > 0 else 1 / count for k in kept]

    def iterate(self, method):
        for player in range(self.game.players):
            self.waiting = []
            getattr(self, method)(self.game.root, player, 1, 1, 1)
            for key, more in self.waiting:
                self.regret[key] += more

    def learn(self, key, values, chosen, weight):
        mean = np.dot(chosen, values)
        self.waiting += [((key, a), weight * (v - mean)) for a, v in enumerate(values)]
        return mean

    def average(self, key, chosen, weight):
        for a, p in enumerate(chosen):
            self.sums[key, a] += weight * p

    def below(self, method, state, a, *given):
        above, self.path = self.path, (*self.path, a)
        found = method(state.child(a), *given)
        self.path = above
        return found

    def estimates(self, player, a, q, count, found):
        """Of all actions, if `a` was drawn with probability q: Schmid et al. 2019, equation 9."""
        keys = [((*self.path, k), player) for k in range(count)]
        values = [self.baselines[key] for key in keys]
        surprise = found - values[a]
        self.baselines[keys[a]] += self.rate * surprise
        values[a] += surprise / q
        return values

    def external(self, state, player, *unused):
        if state.player == TERMINAL:
            return state.payoff[player]
        if state.player == CHANCE:
            key, chosen = None, state.chances
        else:
            key, chosen = self.policy(state)
        count = len(chosen)
        if state.player == player:
            values = [self.below(self.external, state, a, player) for a in range(count)]
            return self.learn(key, values, chosen, 1)
        if key:
            self.average(key, chosen, 1)
        a = self.pick(chosen, self.draw())
        found = self.below(self.external, state, a, player)
        return np.dot(chosen, self.estimates(player, a, chosen[a], count, found))

    def outcome(self, state, player, mine, others, weight):
        if state.player == TERMINAL:
            return state.payoff[player]
        u = self.draw()
        if state.player == CHANCE:
            key, chosen = None, state.chances
        else:
            key, chosen = self.policy(state)
        count = len(chosen)
        if state.player != player:
            a = self.pick(chosen, u)
            others = others * chosen[a] if key else others
            found = self.below(self.outcome, state, a, player, mine, others, weight)
            return np.dot(chosen, self.estimates(player, a, chosen[a], count, found))
        q = [self.explore / count + (1 - self.explore) * p for p in chosen]
        if u < self.explore:
            a = int(u / self.explore * count)
        else:
            a = self.pick(chosen, (u - self.explore) / (1 - self.explore))
        reached = (mine * chosen[a], others, weight / q[a])
        found = self.below(self.outcome, state, a, player, *reached)
        self.average(key, chosen, mine * weight / others)
        return self.learn(key, self.estimates(player, a, q[a], count, found), chosen, weight)

    def chance(self, state, player, mine, others, *unused):
        if state.player == TERMINAL:
            return state.payoff[player]
        if state.player == CHANCE:
            a = self.pick(state.chances, self.draw())
            found = self.below(self.chance, state, a, player, mine, others)
            p, count = state.chances[a], len(state.chances)
            return np.dot(state.chances, self.estimates(player, a, p, count, found))
        key, chosen = self.policy(state)
        own = state.player == player
        values = []
        for a, p in enumerate(chosen):
            if p == 0 == (others if own else mine):
                values.append(0.0)  # nobody learns below: it is not even drawn
                continue
            reached = (mine * p, others) if own else (mine, others * p)
            values.append(self.below(self.chance, state, a, player, *reached))
        if not own:
            return np.dot(chosen, values)
        self.average(key, chosen, mine)
        return self.learn(key, values, chosen, others)


@pytest.mark.parametrize("rate", [0.0, 0.25])
@pytest.mark.parametrize("method", ["external", "outcome", "chance"])
@settings(max_examples=15, deadline=None)
@given(game=random_games(players=(2, 2)), seed=st.integers(0, 99))
def test_kernels_agree_with_the_slow_recursions(method, rate, game, seed):
    form = sequence_form(game)
    fast = solver(f"{method}-sampling:baseline={rate}", form, seed=seed)
    counter = np.random.default_rng(seed).integers(2**64, dtype=np.uint64)
    slow = SlowSampler(game, counter, rate=rate)
    # Chance draws once for a chance move here and there, also where nobody goes: a few suffice.
    for _ in range(1 if method == "chance" else 6):
        slow.iterate(method)
        fast.step()
    assert_same(fast, slow)


def keys_by_slot(running):
    """[slot] the key of an action in the dictionaries of the slow sampler."""
    form, found = running.form, {}
    for player, plex in enumerate(form.treeplexes):
        for label, sequences in zip(plex.labels, plex.sequences, strict=True):
            for a, s in enumerate(sequences + form.plex.roots[player]):
                found[int(s)] = ((player, label), a)
    return [found[int(s)] for s in running._places]


def assert_same(fast, slow):
    for slot, key in enumerate(keys_by_slot(fast)):
        assert fast.learned.regret[slot] == pytest.approx(slow.regret[key], abs=1e-9)
        assert fast.learned.sums[slot] == pytest.approx(slow.sums[key], abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(game=random_games(players=(2, 2)), seed=st.integers(0, 999))
def test_chance_sampling_skips_what_neither_player_reaches(game, seed):
    """From policies with many zeros, for one traverser."""
    fast = solver("chance-sampling", sequence_form(game))
    rng = np.random.default_rng(seed)
    slow, learned = SlowSampler(game, seed), fast.learned
    learned.regret[:] = rng.integers(-1, 2, learned.regret.size)
    for slot, key in enumerate(keys_by_slot(fast)):
        slow.regret[key] = float(learned.regret[slot])
    for first, end in zip(fast.slots[:-1], fast.slots[1:], strict=True):
        mccfr._match(learned, first, end - first)
    fast.counter[0] = seed
    slow.waiting = []
    found = mccfr.chance(fast.tree, learned, fast.draw, 0)
    assert found == pytest.approx(slow.chance(game.root, 0, 1, 1), abs=1e-9)
    for key, more in slow.waiting:
        slow.regret[key] += more
    assert_same(fast, slow)
    assert int(fast.counter[0]) == slow.counter


def test_rounding_draws_no_action_of_probability_zero():
    policy = np.array([0.0, 0.5, 0.5 - 1e-9, 0.0])  # sums fall short of 1
    assert mccfr._choose(policy, 0, 4, 1 - 1e-12) == 2
    assert mccfr._choose(policy, 0, 4, 0.0) == 1
    for explore in (0.3, 0.6, 0.7, 1.0):
        for count in range(1, 8):
            below = np.nextafter(explore, 0)
            assert mccfr._explored(np.ones(count) / count, 0, count, explore, below) == count - 1


def test_slots_and_sequences_name_the_same_actions():
    form = sequence_form(load("leduc"))
    running = solver("external-sampling", form)
    slots = running.slots
    at = 0
    for player, plex in enumerate(form.treeplexes):
        for sequences in plex.sequences:
            found = running._places[slots[at] : slots[at + 1]]
            assert np.array_equal(found, sequences + form.plex.roots[player])
            at += 1
