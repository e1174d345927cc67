"""Steps of first-order methods on matrix games, as their papers write them."""

import numpy as np
import pytest

from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.games._normal_form import zero_sum_game
from regretless.solvers._catalog import solver

SIZE = 5
PLAYERS = (0, 1)


def matrix(seed):
    wins = np.random.default_rng(seed).uniform(-1, 1, (SIZE, SIZE))
    names = [[str(k) for k in range(SIZE)]] * 2
    return sequence_form(zero_sum_game("matrix", wins.tolist(), names, "random")), wins


def nearest_mixture(v):
    """Projection onto the simplex by sorting (Held, Wolfe & Crowder 1974)."""
    falling = np.sort(v)[::-1]
    thresholds = (np.cumsum(falling) - 1) / np.arange(1, v.size + 1)
    return np.maximum(v - thresholds[np.flatnonzero(falling > thresholds)[-1]], 0)


def near(vectors):
    return np.array([nearest_mixture(v) for v in vectors])


def mixtures(running, vector):
    """[player, action] without the empty sequences."""
    return np.array([vector[running.own(player)][1:] for player in PLAYERS])


def earned(wins, z):
    """What every action of both players earns."""
    return np.array([wins @ z[1], -(wins.T @ z[0])])


def apart(one, other):
    """The Euclidean distance of prox steps, of both players."""
    return 0.5 * np.sum((one - other) ** 2)


def test_iterated_smoothing_is_nesterovs_method_with_restarts():
    """Gilpin, Peña & Sandholm 2012: the subroutine with two sequences, and what surrounds it."""
    form, wins = matrix(9)
    running = solver("iterated-smoothing", form)

    def gap(z):
        return sum(worth.max() for worth in earned(wins, z))

    z = np.full((2, SIZE), 1 / SIZE)
    rounds, goal = 0, np.inf
    for _ in range(80):
        if gap(z) < goal:
            origin, w, k, pushed = z.copy(), z.copy(), 0, np.zeros((2, SIZE))
            rounds, goal = rounds + 1, gap(z) / np.e
            corners = sum(max(0.5 * np.sum((e - c) ** 2) for e in np.eye(SIZE)) for c in origin)
            eta = goal / (2 * corners)
        running.step(1)
        norm = running.numbers[3]
        u = 2 / (k + 2) * w + k / (k + 2) * z
        answer = near(origin + earned(wins, u) / eta)
        # The gradient of the smoothed gap: what z meets is the other's answer.
        gradient = earned(wins, answer)
        z = near(u + eta / norm * gradient)
        pushed += (k + 1) / 2 * gradient
        w = near(origin + eta / norm * pushed)
        k += 1
        if gap(z) >= goal:
            np.testing.assert_allclose(mixtures(running, running.leading), w, atol=1e-9)
        np.testing.assert_allclose(mixtures(running, running.plan), z, atol=1e-9)
    assert rounds >= 3
    assert running.details()["rounds"] in (rounds, rounds + 1)
    assert np.sqrt(norm) == pytest.approx(1.02 * np.linalg.norm(wins, 2), rel=0.01)


def test_the_result_of_iterated_smoothing_is_the_best_plan_so_far():
    form, wins = matrix(3)
    running = solver("iterated-smoothing", form)
    gaps = []
    for _ in range(300):
        running.step(1)
        gaps.append(sum(w.max() for w in earned(wins, mixtures(running, running.plan))))
        best = sum(w.max() for w in earned(wins, mixtures(running, running.average)))
        assert best == pytest.approx(min(gaps), abs=1e-12)
        assert running.details()["gap"] == pytest.approx(min(gaps), abs=1e-12)
    assert gaps != sorted(gaps, reverse=True)


def test_iterated_smoothing_rests_at_an_equilibrium():
    running = solver("iterated-smoothing", sequence_form(load("matching_pennies")))
    running.step(3)
    for plan in (running.plan, running.average):
        np.testing.assert_array_equal(mixtures(running, plan), 0.5)


def test_mirror_prox_looks_ahead_from_the_same_centre():
    """Nemirovski 2004: both prox steps start at z; η is halved until the inequality holds."""
    form, wins = matrix(4)
    running = solver("mirror-prox", form)
    halved = 0
    for _ in range(60):
        z, eta = mixtures(running, running.centre), float(running.numbers[0])
        running.step(1)
        g = earned(wins, z)
        eta = 1.1 * (eta or 1 / np.abs(g).max())
        while True:
            w = near(z + eta * g)
            there = earned(wins, w)
            after = near(z + eta * there)
            if eta * np.sum((there - g) * (after - w)) <= apart(after, w) + apart(w, z):
                break
            eta, halved = eta / 2, halved + 1
        assert running.numbers[0] == pytest.approx(eta)
        np.testing.assert_allclose(mixtures(running, running.last), w, atol=1e-9)
        np.testing.assert_allclose(mixtures(running, running.centre), after, atol=1e-9)
    assert halved > 3


@pytest.mark.parametrize("given", [0.0, 0.3])
def test_optimistic_mirror_descent_predicts_the_last_gradient(given):
    """Rakhlin & Sridharan 2013: play a step along the prediction, then move by what came."""
    form, wins = matrix(6)
    running = solver(f"optimistic-mirror-descent:step={given}", form)
    z = w = np.full((2, SIZE), 1 / SIZE)
    predicted, weighed, total, halved = np.zeros((2, SIZE)), np.zeros((2, SIZE)), 0.0, 0
    for k in range(60):
        g = earned(wins, w)
        if k == 0:
            eta = given or 4 / np.abs(g).max()
        after = near(z + eta * g)
        bound = apart(after, w) + apart(w, z)
        too_long = not given and eta * np.sum((g - predicted) * (after - w)) > bound
        if too_long:
            weighed, total, halved = np.zeros((2, SIZE)), 0.0, halved + 1
        weighed, total = weighed + eta * w, total + eta
        z, predicted = after, g
        eta = eta / 2 if too_long else eta
        w = near(z + eta * predicted)
        running.step(1)
        np.testing.assert_allclose(mixtures(running, running.average), weighed / total, atol=1e-9)
        np.testing.assert_allclose(mixtures(running, running.centre), z, atol=1e-9)
        np.testing.assert_allclose(mixtures(running, running.played), w, atol=1e-9)
    assert (halved > 0) == (not given)


@pytest.mark.parametrize("plus", [True, False])
def test_cfr_br_learns_against_best_responses(plus):
    """Johanson et al. 2012, on a matrix: regret matching of one side, a best reply of the other."""
    form, wins = matrix(7)
    running = solver(f"cfr-br:plus={str(plus).lower()}", form)
    regret, x = np.zeros((2, SIZE)), np.full((2, SIZE), 1 / SIZE)
    total, weighed = 0.0, np.zeros((2, SIZE))
    for t in range(1, 40):
        weight = t if plus else 1.0
        total, weighed = total + weight, weighed + weight * x
        replies = np.eye(SIZE)[earned(wins, x).argmax(axis=1)]
        q = earned(wins, replies)
        regret += q - np.sum(x * q, axis=1, keepdims=True)
        regret = np.maximum(regret, 0) if plus else regret
        kept = np.maximum(regret, 0)
        sums = kept.sum(axis=1, keepdims=True)
        x = np.where(sums > 0, kept / np.where(sums > 0, sums, 1), 1 / SIZE)
        running.step(1)
        np.testing.assert_allclose(mixtures(running, running.average), weighed / total, atol=1e-9)
        np.testing.assert_allclose(mixtures(running, running.played), x, atol=1e-9)


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
def test_restricted_nash_responses_meet_the_model_with_probability_p(p):
    """Johanson, Zinkevich & Bowling 2007, solved by CFR+: the responder first, then the rival."""
    form, wins = matrix(8)
    running = solver(f"restricted-nash:p={p}", form)
    model = np.full((2, SIZE), 1 / SIZE)
    x, y = model.copy(), model.copy()
    regret, rival_regret = np.zeros((2, SIZE)), np.zeros((2, SIZE))
    total, weighed = 0.0, np.zeros((2, SIZE))

    def matched(regret, played, q):
        regret = np.maximum(regret + q - np.sum(played * q, axis=1, keepdims=True), 0)
        sums = regret.sum(axis=1, keepdims=True)
        return regret, np.where(sums > 0, regret / np.where(sums > 0, sums, 1), 1 / SIZE)

    for t in range(1, 40):
        total, weighed = total + t, weighed + t * x
        regret, x = matched(regret, x, earned(wins, p * model + (1 - p) * y))
        rival_regret, y = matched(rival_regret, y, earned(wins, x))
        running.step(1)
        np.testing.assert_allclose(mixtures(running, running.average), weighed / total, atol=1e-9)
        np.testing.assert_allclose(mixtures(running, running.rival), y, atol=1e-9)
    # By definition: best against the mix, minus what the response is sure of in the same game.
    told, average = running.details(), mixtures(running, running.average)
    rival = mixtures(running, running.rival_average)
    pays = (wins, -wins.T)
    for i in PLAYERS:
        against = average[i] @ pays[i] @ model[1 - i]
        sure = (average[i] @ pays[i]).min()
        best = (pays[i] @ (p * model[1 - i] + (1 - p) * rival[1 - i])).max()
        assert told["against_model"][i] == pytest.approx(against, abs=1e-9)
        assert told["at_worst"][i] == pytest.approx(sure, abs=1e-9)
        gap = best - (p * against + (1 - p) * sure)
        assert told["restricted_gap"][i] == pytest.approx(gap, abs=1e-9)


@pytest.mark.parametrize("method", ["egt", "egt:balance=false", "egt:prox=entropy"])
def test_smoothing_stops_shrinking_where_rounding_begins(method):
    """The uniform strategies are the equilibrium, so that every step succeeds."""
    running = solver(method, sequence_form(load("matching_pennies")))
    running.step(1)
    first = running.mu.max()
    running.step(400)
    assert 1e-15 * first < running.mu.min() <= running.mu.max() < 1e-13 * first
    np.testing.assert_array_equal(mixtures(running, running.average), 0.5)
