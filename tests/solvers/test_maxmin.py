"""One against all the others: guarantees, exact and learned."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games
from scipy.optimize import linprog

import regretless as rl
from regretless.core.errors import BadParameter, Interrupted, TooLarge, Unsuitable
from regretless.core.interrupts import time_limit
from regretless.forms.form import own, plan_of, size, uniform
from regretless.forms.normal import pure_plans
from regretless.forms.teams import sharing_cards, sharing_payoffs
from regretless.solvers._catalog import solver
from regretless.solvers._teams import Team, guarantee

KUHN = "kuhn:players=3"
PLANS = (-5 / 132, -7 / 264, 1 / 24)  # both sides of the linear program agree, see below
CARDS = (-1 / 12, -5 / 78, 0.0)


@pytest.fixture(scope="module")
def kuhn():
    return rl.sequence_form(KUHN)


def random_plan(form, seed):
    rng = np.random.default_rng(seed)
    behaviour = rng.random(size(form)) + 1e-3
    for i, plex in enumerate(form.treeplexes):
        mine = behaviour[own(form, i)]
        mine[0] = 1
        for sequences in plex.sequences:
            mine[sequences] /= mine[sequences].sum()
    return plan_of(form, behaviour)


@pytest.mark.parametrize("player", [0, 1, 2])
def test_guarantees_are_certified_from_both_sides(kuhn, player):
    found = guarantee(kuhn, player)
    assert found.value == pytest.approx(PLANS[player], abs=1e-9)
    # The player's side: the worst joint plan leaves it that much.
    assert Team(kuhn, player).harm(found.plan).value == pytest.approx(found.value, abs=1e-9)
    # The team's side: against its draw of joint plans, no answer earns more.
    total, gradient = np.zeros(size(kuhn)), np.empty(size(kuhn))
    for probability, joint in found.joint:
        kuhn.gradient(player, joint, gradient)
        total += probability * gradient
    plex = kuhn.treeplexes[player]
    worth = total[own(kuhn, player)]
    for point in reversed(range(len(plex.labels))):
        worth[plex.parents[point]] += max(worth[plex.sequences[point]])
    assert worth[0] == pytest.approx(found.value, abs=1e-9)
    assert sum(probability for probability, _ in found.joint) == pytest.approx(1)


@pytest.mark.parametrize("player", [0, 1, 2])
def test_sharing_more_hurts_more(kuhn, player):
    cards = solver(f"maxmin-exact:player={player + 1},share=cards", kuhn)
    while not cards.finished:
        cards.step()
    found = cards.details()
    assert found["values"][0] == pytest.approx(CARDS[player], abs=1e-9)
    assert found["values"][0] < PLANS[player]
    learned = solver(f"maxmin:player={player + 1}", kuhn)
    learned.step(2000)
    assert learned.details()["bound"] >= PLANS[player] - 1e-9
    assert learned.details()["players"][0] == player + 1


def test_the_thesis_values_of_maxmin(kuhn):
    """Table 5.3; position 2 has several team equilibria."""
    for player, value in ((1, -0.03645), (3, 0.041679)):
        learned = solver(f"maxmin:player={player},learner=cfr", kuhn)
        learned.step(20_000)
        assert learned.details()["values"][0] == pytest.approx(value, abs=1e-4)


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**6), player=st.integers(0, 2))
def test_both_oracles_agree(kuhn, seed, player):
    team, plan = Team(kuhn, player), random_plan(kuhn, seed)
    by_list, by_program = team.harm(plan), team._by_program(plan)
    assert by_list.value == pytest.approx(by_program.value, abs=1e-7)
    for harm in (by_list, by_program):
        behaviour_values = kuhn.chance * kuhn.payoffs[:, player]
        reached = np.prod(harm.plan[kuhn.sequences], axis=1)
        assert behaviour_values @ reached == pytest.approx(harm.value, abs=1e-7)


@settings(max_examples=15, deadline=None)
@given(game=random_games(players=(3, 3)), seed=st.integers(0, 10**6))
def test_the_oracle_finds_the_worst_of_all_joint_plans(game, seed):
    form = rl.sequence_form(game)
    plan = random_plan(form, seed)
    try:
        first, second = (pure_plans(form.treeplexes[i]) for i in (1, 2))
    except TooLarge:
        return
    if len(first) * len(second) > 3000:
        return
    worst, joint = np.inf, plan.copy()
    for a, b in product(first, second):
        joint[own(form, 1)], joint[own(form, 2)] = a, b
        reached = np.prod(joint[form.sequences], axis=1)
        worst = min(worst, (form.chance * form.payoffs[:, 0]) @ reached)
    assert Team(form, 0).harm(plan).value == pytest.approx(worst, abs=1e-9)


@settings(max_examples=6, deadline=None)
@given(game=random_games(players=(3, 3), zero_sum=False))
def test_guarantees_agree_with_one_program_over_all_joint_plans(game):
    form = rl.sequence_form(game)
    try:
        mine, first, second = (pure_plans(plex) for plex in form.treeplexes)
    except TooLarge:
        return
    if len(first) * len(second) > 400:
        return
    worth = form.chance * form.payoffs[:, 0]
    reach = [
        plans[:, form.sequences[:, i] - form.plex.roots[i]]
        for i, plans in enumerate((mine, first, second))
    ]
    joint = [a * b for a, b in product(reach[1], reach[2])]
    table = reach[0] @ (worth * np.array(joint)).T
    found = linprog(
        np.append(np.zeros(len(mine)), -1.0),
        A_ub=np.column_stack([-table.T, np.ones(len(joint))]),
        b_ub=np.zeros(len(joint)),
        A_eq=[[*np.ones(len(mine)), 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, 1)] * len(mine), (None, None)],
    )
    assert guarantee(form, 0).value == pytest.approx(-found.fun, abs=1e-7)


def test_forms_in_which_the_others_share(kuhn):
    shared = sharing_payoffs(kuhn, 1)
    behaviour = uniform(kuhn)
    values = [shared.respond(player, behaviour)[0] for player in range(3)]
    truth = kuhn.respond(1, behaviour)[0]
    assert values == pytest.approx([-truth, truth, -truth])
    pair = sharing_cards(kuhn, 1)
    assert pair.zero_sum
    assert pair.terminals == kuhn.terminals
    assert pair.respond(0, uniform(pair))[0] == pytest.approx(truth)


def test_one_run_per_position_is_merged(kuhn):
    merged = solver("maxmin", kuhn)
    merged.step(50)
    for player in range(3):
        alone = solver(f"maxmin:player={player + 1}", kuhn)
        alone.step(50)
        mine = own(kuhn, player)
        np.testing.assert_allclose(
            plan_of(kuhn, merged.behaviour())[mine],
            plan_of(kuhn, alone.behaviour())[mine],
            atol=1e-14,
        )
    assert merged.details() == {}


def test_a_single_run_says_what_it_earns_and_what_nobody_can_beat(kuhn):
    running = solver("maxmin:player=2", kuhn)
    running.step(20)
    truth = rl.evaluate(rl.Strategy(kuhn, running.behaviour()))
    found = running.details()
    assert found["players"] == [2, 1, 3]
    assert found["values"] == pytest.approx([truth.values[i] for i in (1, 0, 2)])
    assert found["bound"] == pytest.approx(truth.best_responses[1])
    assert found["gap"] == pytest.approx(truth.epsilon[1])
    assert found["gap"] > 1e-3


def test_exact_answers_come_with_the_team_that_forces_them(kuhn):
    running = solver("maxmin-exact:player=2", kuhn)
    while not running.finished:
        running.step()
    np.testing.assert_allclose(
        plan_of(kuhn, running.behaviour()), guarantee(kuhn, 1).plan, atol=1e-9
    )
    found = running.details()
    truth = rl.expected_values(rl.Strategy(kuhn, running.behaviour()))
    assert found["players"] == [2, 1, 3]
    assert found["values"][1:] == pytest.approx([truth[0], truth[2]])


def test_learners_keep_their_options_and_their_place(kuhn):
    apart, together = (
        solver("maxmin:player=1", kuhn),
        solver("maxmin:player=1,simultaneous=true", kuhn),
    )
    alone = solver("cfr+:simultaneous=true", sharing_payoffs(kuhn, 0))
    for running in (apart, together, alone):
        running.step(5)
    np.testing.assert_array_equal(together.behaviour(), alone.behaviour())
    assert not np.array_equal(together.behaviour(), apart.behaviour())
    resumed = solver("maxmin:player=1", kuhn)
    resumed.restore(apart.state())
    assert resumed.iteration == 5


def test_bad_input(kuhn):
    with pytest.raises(Unsuitable, match="must be a regret minimiser"):
        solver("maxmin:learner=stackelberg", kuhn)
    with pytest.raises(BadParameter, match="player=4"):
        solver("maxmin:player=4", kuhn)
    with pytest.raises(BadParameter, match="plans or cards"):
        solver("maxmin-exact:share=chips", kuhn)
    with pytest.raises(Unsuitable, match="sequence form"):
        solver("maxmin", rl.forms.public_form(KUHN))
    with pytest.raises(TooLarge, match="16,908 terminals"):
        solver("maxmin-exact", rl.sequence_form("leduc:players=3,cap=1")).step(2)


# --- learners that walk the game walk the one in which the others are a team


@pytest.mark.parametrize("spec", [KUHN, "battle_of_the_sexes", "leduc"])
def test_a_derived_form_has_a_game_that_is_true(spec):
    form = rl.sequence_form(spec)
    for player in range(form.players):
        shared = sharing_payoffs(form, player)
        assert shared.game.root is not form.game.root
        walked = rl.sequence_form(shared.game)
        np.testing.assert_array_equal(walked.payoffs, shared.payoffs)
        np.testing.assert_array_equal(walked.sequences, shared.sequences)
        assert walked.fingerprint() == shared.fingerprint()


@pytest.mark.parametrize("learner", ["chance-sampling", "external-sampling", "outcome-sampling"])
def test_samplers_learn_what_the_team_is_paid(learner):
    """Battle of the sexes: each guarantees 2/3; its equilibria pay 1 or 2, or play otherwise."""
    game = rl.load("battle_of_the_sexes")
    exact = solver("maxmin-exact", rl.sequence_form(game))
    while not exact.finished:
        exact.step()
    learned = solver(f"maxmin:learner={learner}", rl.sequence_form(game), seed=1)
    learned.step(100_000)
    np.testing.assert_allclose(learned.behaviour(), exact.behaviour(), atol=0.05)


def test_samplers_use_the_seed_of_the_run(kuhn):
    def learned(seed):
        running = solver("maxmin:learner=outcome-sampling", kuhn, seed=seed)
        running.step(50)
        return running

    np.testing.assert_array_equal(learned(1).behaviour(), learned(1).behaviour())
    assert not np.array_equal(learned(1).behaviour(), learned(2).behaviour())
    counters = [int(run.counter[0]) for run in learned(1).runs]
    assert len(set(counters)) == 3  # positions do not share their draws
    half = solver("maxmin:learner=outcome-sampling", kuhn, seed=1)
    half.step(20)
    rest = solver("maxmin:learner=outcome-sampling", kuhn, seed=1)
    rest.restore(half.state())
    rest.step(30)
    np.testing.assert_array_equal(rest.behaviour(), learned(1).behaviour())


def test_guarantees_keep_to_the_time_limit_around_them():
    form = rl.sequence_form(KUHN)  # a new one: guarantees are kept per form
    with time_limit(0.0), pytest.raises(Interrupted, match="guarantee of player 2"):
        guarantee(form, 1)
