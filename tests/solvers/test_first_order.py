"""First-order methods: the promises of their papers, and what the relatives promise."""

import numpy as np
import pytest

from regretless.core.errors import BadFile, BadParameter
from regretless.evaluation.exploitability import best_response, evaluate
from regretless.forms.form import plan_of, size
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.games._normal_form import zero_sum_game
from regretless.runs.solve import solve
from regretless.solvers._catalog import solver
from regretless.solvers._solver import Iterate
from regretless.strategy.strategy import Strategy

EGT = ["egt", "egt:prox=entropy", "egt:weights=kroer", "egt:prox=entropy,weights=kroer"]


def nash_conv(running, which=Iterate.AVERAGE):
    return evaluate(Strategy(running.form, running.behaviour(which))).nash_conv


def random_matrix(size, seed):
    wins = np.random.default_rng(seed).uniform(-1, 1, (size, size))
    names = [[str(k) for k in range(size)]] * 2
    return sequence_form(zero_sum_game("matrix", wins.tolist(), names, "random"))


def largest_distance(running, player):
    """Of a plan from the uniform one: the farthest plan is pure."""
    form, dilated = running.form, running.dilated
    worth = np.zeros(size(form))
    for first, actions, lanes, point in form.plex.blocks:
        apart = np.log(actions) if dilated.prox.kind == 0 else 0.5 * (1 - 1 / actions)
        every = dilated.prox.weights  # none: all are 1
        weights = every[point : point + lanes] if every.size else np.ones(lanes)
        worth[first : first + actions * lanes] = np.tile(weights * apart, actions)
    return dilated.best(player, worth, np.empty(size(form)))


@pytest.mark.parametrize("heuristics", ["", "aggressive=false", "balance=false"])
@pytest.mark.parametrize("method", EGT)
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_the_excessive_gap_holds_and_bounds_the_gap(game, method, heuristics):
    form = sequence_form(load(game))
    more = ("," if ":" in method else ":") + heuristics if heuristics else ""
    running = solver(method + more, form)
    farthest = [largest_distance(running, player) for player in (0, 1)]
    for _ in range(5):
        running.step(12)
        earned, spent = np.empty(size(form)), np.empty(size(form))
        plan = plan_of(form, running.behaviour())
        for player in (0, 1):
            form.gradient(player, plan, earned)
        np.testing.assert_allclose(earned, running.earned, atol=1e-12)
        smoothed = [running.dilated.respond(i, running.mu[i], earned, spent) for i in (0, 1)]
        assert sum(smoothed) <= 1e-12
        assert nash_conv(running) <= running.mu @ farthest + 1e-12


@pytest.mark.parametrize("method", [*EGT, "mirror-prox", "mirror-prox:prox=entropy"])
def test_the_gap_falls_like_one_over_the_iterations(method):
    running = solver(method, sequence_form(load("kuhn:ranks=4")))
    running.step(100)
    early = nash_conv(running)
    running.step(900)
    assert nash_conv(running) < early / 4
    assert nash_conv(running) < 2e-3


def answers(running):
    """Smoothed best responses to what the solver holds, and the sum of their values."""
    spent = running.answer.copy()
    values = [running.dilated.respond(i, running.mu[i], running.earned, spent) for i in (0, 1)]
    return spent, sum(values)


@pytest.mark.parametrize("method", ["egt", "egt:aggressive=false,prox=entropy"])
def test_balancing_steps_with_the_larger_mu_and_shrinks_both_while_the_gap_holds(method):
    running = solver(method, sequence_form(load("leduc:ranks=2")))
    running.step(1)
    for k in range(2, 61):
        before = running.mu.copy()
        larger = int(before[1] > before[0])
        running.step(1)
        if k % 10:
            assert running.mu[larger] < before[larger]
            assert running.mu[1 - larger] == before[1 - larger]
        else:
            larger, kept = int(running.mu[1] > running.mu[0]), running.mu.copy()
            running.mu[larger] *= 0.9
            assert answers(running)[1] > 0
            running.mu[:] = kept
        assert np.array_equal(answers(running)[0], running.answer)


def test_without_balancing_both_sides_step_in_turn():
    running = solver("egt:balance=false", sequence_form(load("kuhn")))
    running.step(1)
    for k in range(1, 25):
        before = running.mu.copy()
        running.step(1)
        assert running.mu[k % 2] < before[k % 2]
        assert running.mu[1 - k % 2] == before[1 - k % 2]


def test_an_iteration_that_finds_no_step_changes_nothing(monkeypatch):
    running = solver("egt:balance=false", sequence_form(load("kuhn")))
    running.step(20)
    monkeypatch.setattr("regretless.solvers.egt.SMALLEST_STEP", 1.0)  # no second attempt
    stuck = 0
    for _ in range(20):
        before = {name: vector.copy() for name, vector in running.state().items()}
        running.step(1)
        if np.array_equal(running.mu, before["numbers"][:2]):
            stuck += 1
            for name in running.vectors():
                assert np.array_equal(getattr(running, name), before[name]), name
    assert stuck


def test_the_first_smoothing_is_the_smallest_up_to_doubling():
    running = solver("egt", sequence_form(load("leduc:ranks=2")))
    gradient = np.empty(size(running.form))
    running.gradients(running.average, gradient)
    running._start()
    first = np.abs(gradient).max()
    doubled = np.log2(running.mu / first)
    np.testing.assert_allclose(doubled, np.round(doubled))
    assert doubled[0] == doubled[1]
    assert doubled[0] > 0
    running.mu[:] /= 2
    assert not running._started(gradient)


def test_aggressive_steps_grow_again_after_they_were_halved():
    running = solver("egt:balance=false", sequence_form(load("kuhn")))
    steps = []
    for _ in range(40):
        running.step(1)
        steps.append(float(running.numbers[2]))
    growth = np.array(steps[1:]) / np.array(steps[:-1])
    assert (growth < 0.6).any()
    np.testing.assert_allclose(growth[growth > 1], 1.05)
    assert (growth > 1).sum() > 10


def test_the_average_of_mirror_prox_is_weighted_by_steps():
    running = solver("mirror-prox", sequence_form(load("kuhn")))
    total, weighed, steps = 0.0, np.zeros(running.average.size), []
    for _ in range(12):
        running.step(1)
        steps.append(float(running.numbers[0]))
        total, weighed = total + steps[-1], weighed + steps[-1] * running.last
        np.testing.assert_allclose(running.average, weighed / total, atol=1e-12)
    assert max(steps) > 1.5 * min(steps)


@pytest.mark.parametrize("form", [sequence_form(load("kuhn")), random_matrix(12, 4)])
def test_iterated_smoothing_is_linear(form):
    """As many iterations again make the gap smaller by a factor again, on and on."""
    running = solver("iterated-smoothing", form)
    gaps = []
    while len(gaps) < 6 and running.iteration < 30_000:
        running.step(250)
        if nash_conv(running) < 10.0 ** (-2 - len(gaps)):
            gaps.append(running.iteration)
    assert len(gaps) == 6  # below 1e-7
    assert gaps[5] - gaps[2] < 3 * gaps[2] + 3000
    assert running.details()["gap"] == pytest.approx(nash_conv(running), abs=1e-12)


@pytest.mark.parametrize("prox", ["euclidean", "entropy"])
def test_the_last_iterate_of_optimistic_mirror_descent_converges(prox):
    running = solver(f"optimistic-mirror-descent:prox={prox}", sequence_form(load("kuhn")))
    found = []
    for _ in range(3):
        running.step(1000)
        found.append(nash_conv(running, Iterate.CURRENT))
    assert found[2] <= found[0]  # Euclidean steps are down to rounding by then
    assert found[2] < 1e-3


def test_a_step_that_is_given_is_kept():
    running = solver("optimistic-mirror-descent:step=0.5", sequence_form(load("kuhn")))
    running.step(50)
    assert running.numbers[0] == 0.5
    assert nash_conv(running) < 0.2


def test_fictitious_play_follows_browns_rule():
    """On matching pennies, by hand: the uniform start counts as the first play."""
    form = sequence_form(load("biased_rps"))
    running = solver("fictitious-play:simultaneous=true", form)
    average = np.full((2, 3), 1 / 3)
    wins = form.matrix().toarray()[1:, 1:]
    for t in range(20):
        answers = (np.argmax(wins @ average[1]), np.argmin(average[0] @ wins))
        average += (np.eye(3)[list(answers)] - average) / (t + 2)
        running.step()
        found = running.behaviour()
        np.testing.assert_allclose(np.delete(found, form.plex.roots[:-1]), average.ravel())


def test_a_seed_decides_what_the_perturbed_leader_does():
    form = sequence_form(load("kuhn"))
    runs = [solver("perturbed-leader", form, seed=seed) for seed in (1, 1, 2)]
    for running in runs:
        running.step(20)
    one, same, other = (running.behaviour() for running in runs)
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_restricted_nash_responses_go_from_equilibrium_to_best_response():
    form = sequence_form(load("leduc"))
    model = Strategy.uniform(form)
    won, lost = [], []
    for p in (0, 0.5, 0.9, 1):
        running = solver(f"restricted-nash:p={p}", form)
        running.step(600)
        told = running.details()
        assert min(told["restricted_gap"]) >= -1e-12
        assert max(told["restricted_gap"]) < 0.02
        won.append(sum(told["against_model"]))
        lost.append(-sum(told["at_worst"]))
    assert lost[0] == pytest.approx(nash_conv(solver_at("restricted-nash:p=0", form, 600)))
    assert lost[0] < 0.02
    assert won[3] == pytest.approx(
        best_response(model, 1)[0] + best_response(model, 2)[0], abs=1e-3
    )
    assert won == sorted(won)
    assert lost == sorted(lost)


def solver_at(method, form, iterations):
    running = solver(method, form)
    running.step(iterations)
    return running


def test_the_model_of_a_restricted_nash_response_may_be_a_file(tmp_path):
    path = tmp_path / "model.safetensors"
    solve("kuhn", method="cfr+", iterations=50, out=path)
    answer = solve("kuhn", method=f"restricted-nash:p=1,model={path}", iterations=400)
    model = solve("kuhn", method="cfr+", iterations=50).strategy
    best = best_response(model, 1)[0]
    assert answer.details["against_model"][0] == pytest.approx(best, abs=1e-4)
    with pytest.raises(BadFile):
        solve("kuhn", method=f"restricted-nash:model={tmp_path / 'none.safetensors'}")
    with pytest.raises(BadParameter, match="p=2"):
        solve("kuhn", method="restricted-nash:p=2")


def test_a_step_of_egt_is_nesterovs():
    """By hand on a matrix game: Nesterov 2005, the step of section 5, with entropy."""
    form = random_matrix(5, 9)
    running = solver("egt:prox=entropy,aggressive=false,balance=false", form)
    wins = form.matrix().toarray()[1:, 1:]
    pays = (wins, -wins.T)  # of own plan and the other's

    def mixed(weights):
        return weights / weights.sum()

    def excess(plans, mu):
        worth = [pays[i] @ plans[1 - i] / mu[i] for i in (0, 1)]
        return sum(mu[i] * np.log(np.exp(worth[i]).mean()) for i in (0, 1))

    for k in range(1, 8):
        running.step(1)  # the first one finds a start
        plans = [running.average[running.own(i)][1:].copy() for i in (0, 1)]
        mu, i, j, tau = running.mu.copy(), k % 2, 1 - k % 2, 2 / (k + 3)
        pulled = mixed(np.exp(pays[i] @ plans[j] / mu[i]))
        while True:
            between = (1 - tau) * plans[i] + tau * pulled
            answer = mixed(np.exp(pays[j] @ between / mu[j]))
            moved = mixed(pulled * np.exp(tau / (1 - tau) / mu[i] * (pays[i] @ answer)))
            ahead = [(1 - tau) * p + tau * to for p, to in zip(plans, (0, 0), strict=True)]
            ahead[i], ahead[j] = ahead[i] + tau * moved, ahead[j] + tau * answer
            smaller = mu.copy()
            smaller[i] *= 1 - tau
            if excess(ahead, smaller) <= 0:
                break
            tau /= 2
        twin = solver("egt:prox=entropy,aggressive=false,balance=false", form)
        twin.restore(running.state())
        twin.step(1)
        np.testing.assert_allclose(twin.mu, smaller)
        for player in (0, 1):
            found = twin.average[twin.own(player)][1:]
            np.testing.assert_allclose(found, ahead[player], atol=1e-9)
