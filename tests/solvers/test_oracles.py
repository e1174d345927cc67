"""Oracles against `best_response`: the same value, by sequences that really earn it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from random_games import Plan, RandomState, random_games

from regretless.evaluation.exploitability import best_response
from regretless.forms.form import behaviour_of, plan_of, size, uniform
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form, table
from regretless.forms.tree import game_tree
from regretless.games._catalog import load
from regretless.games._state import CHANCE, Game
from regretless.kernels import restriction as kernels
from regretless.solvers._oracles import GenericOracle, PublicOracle, SequenceOracle
from regretless.strategy.strategy import Strategy

SLACK = 1e-11
SEEDS = st.integers(0, 10**6)


def random_plan(form, seed):
    """A plan with many zeros in it."""
    rng = np.random.default_rng(seed)
    weights = rng.random(size(form)) * (rng.random(size(form)) < 0.6)
    return plan_of(form, behaviour_of(form, weights))


def random_flags(form, seed):
    return (np.random.default_rng(seed).random(size(form)) < 0.5).astype(np.uint8)


def answering(form, player, plan, sequences):
    """What a player earns by these sequences; anything will do where it has none."""
    behaviour = behaviour_of(form, plan)
    ours = behaviour_of(form, sequences.astype(float))
    mine = slice(form.plex.roots[player], form.plex.roots[player + 1])
    behaviour[mine] = ours[mine]
    return form.respond(player, behaviour)[0]


def check(form, oracle, plan, included):
    for player in range(2):
        found = oracle.respond(player, plan, included, SLACK)
        best, _ = best_response(Strategy(form, behaviour_of(form, plan)), player + 1)
        assert found.value == pytest.approx(best, abs=1e-9)
        earned = answering(form, player, plan, found.sequences)
        assert earned == pytest.approx(best, abs=1e-9)
        assert_pure(form, player, found.sequences)


def assert_pure(form, player, sequences):
    """One action at most at every decision point, and only below sequences that are played."""
    root, plex = form.plex.roots[player], form.treeplexes[player]
    assert sequences[root] == 1
    for parent, below in zip(plex.parents, plex.sequences, strict=True):
        assert sequences[root + below].sum() <= sequences[root + parent]


@settings(max_examples=60, deadline=None)
@given(game=random_games(players=(2, 2), zero_sum=True), seed=SEEDS)
def test_oracles_answer_best_in_any_game(game, seed):
    form = sequence_form(game)
    plan, included = random_plan(form, seed), random_flags(form, seed)
    check(form, SequenceOracle(form), plan, included)
    check(form, GenericOracle(game_tree(game, form)), plan, included)


@pytest.mark.parametrize("game", ["leduc", "leduc:ranks=4,suits=3", "kuhn", "goofspiel:cards=3"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_oracles_answer_best_in_larger_games(game, seed):
    form = sequence_form(load(game))
    plan, included = random_plan(form, seed), random_flags(form, seed)
    check(form, SequenceOracle(form), plan, included)
    check(form, GenericOracle(game_tree(form.game, form)), plan, included)


@pytest.mark.slow  # where the kernels of public forms are compiled first
@pytest.mark.parametrize("terminal", ["sorted", "matrix"])
@pytest.mark.parametrize("game", ["leduc", "generic_poker", "rhode_island:ranks=3,suits=2,cap=1"])
def test_public_oracles_answer_best_in_poker(game, terminal):
    form = public_form(game, terminal=terminal)
    written = form.expanded()
    for seed in range(3):
        plan, included = random_plan(form, seed), random_flags(form, seed)
        check(form, PublicOracle(form), plan, included)
        check(form, SequenceOracle(written), plan, included)


RARE = Plan(2, ((CHANCE, 2), (1, 2), (0, 3)), ((1, 2), (1, 1), (1, 1)), 0, True)


@settings(max_examples=60, deadline=None)
@given(game=random_games(players=(2, 2), zero_sum=True), seed=SEEDS)
@example(game=Game("rarely reached", 2, RandomState(RARE)), seed=92)
def test_cutting_actions_off_changes_no_value(game, seed):
    form = sequence_form(game)
    plan, included = random_plan(form, seed), random_flags(form, seed)
    cutting, patient = (GenericOracle(game_tree(game, form)) for _ in range(2))
    # With bounds this wide nothing is ever hopeless, however rarely it is reached.
    wide = np.array([-1e6, 1e6])
    patient.searches = [
        one._replace(bounds=np.tile(wide, (len(one.bounds), 1))) for one in patient.searches
    ]
    for player in range(2):
        quick = cutting.respond(player, plan, included, SLACK)
        slow = patient.respond(player, plan, included, SLACK)
        assert quick.value == pytest.approx(slow.value, abs=1e-9)
    assert patient.visited[1] == 0
    assert cutting.visited[0] <= patient.visited[0]


@settings(max_examples=40, deadline=None)
@given(game=random_games(players=(2, 2), zero_sum=True), seed=SEEDS)
def test_an_answer_matters_wherever_the_other_comes_to(game, seed):
    """Also where all pays nothing: here, that is everywhere."""
    form = sequence_form(game)
    idle = replace(form, payoffs=0 * form.payoffs, table=table(form.sequences, 0 * form.payoffs))
    plan = random_plan(form, seed)
    for player in range(2):
        reach, wanted = np.zeros(size(form)), np.zeros(form.plex.parents.size, np.uint8)
        for sequences in form.sequences:
            reach[sequences[player]] += plan[sequences[1 - player]]
        kernels.reached(form.plex, player, reach, wanted)
        first, end = form.plex.ranges[player : player + 2]
        mine = [range(point, point + lanes) for _, _, lanes, point in form.plex.blocks[first:end]]
        for oracle in (SequenceOracle(form), SequenceOracle(idle)):
            found = oracle.matters(player, plan)
            assert all(np.array_equal(found[points], wanted[points]) for points in mine)


def test_some_actions_are_cut_off():
    form = sequence_form(load("leduc"))
    oracle = GenericOracle(game_tree("leduc", form))
    included = np.zeros(size(form), np.uint8)
    for player in range(2):
        oracle.respond(player, random_plan(form, 7), included, SLACK)
    nodes, cut = oracle.visited
    assert cut > 0
    assert nodes < 2 * form.nodes


@pytest.mark.parametrize("name", ["sequence", "generic"])
def test_what_is_included_wins_where_it_is_as_good(name):
    """Against a uniform rival all three actions earn nothing."""
    form = sequence_form(load("rps"))
    oracle = SequenceOracle(form) if name == "sequence" else GenericOracle(game_tree("rps", form))
    plan = plan_of(form, uniform(form))
    for player in range(2):
        for sequence in form.treeplexes[player].sequences[0]:
            included = np.zeros(size(form), np.uint8)
            included[[form.plex.roots[player], form.plex.roots[player] + sequence]] = 1
            found = oracle.respond(player, plan, included, SLACK)
            assert np.array_equal(found.sequences, included)


def test_an_oracle_answers_where_the_other_comes_to():
    """Player 1 always bets: the sequence oracle adds no answer to a check, the public one does."""
    form = sequence_form(load("kuhn"))
    weights = np.zeros(size(form))
    for point in form.points(0):
        weights[point.sequences[-1]] = 1.0
    plan = plan_of(form, behaviour_of(form, weights))
    included = np.zeros(size(form), np.uint8)
    reached = SequenceOracle(form).respond(1, plan, included, SLACK).sequences
    everywhere = PublicOracle(form).respond(1, plan, included, SLACK).sequences
    root = form.plex.roots[1]
    answered = {point.label for point in form.points(1) if reached[root + point.sequences].any()}
    assert answered == {"Q:r", "K:r", "A:r"}
    assert all(everywhere[root + point.sequences].sum() == 1 for point in form.points(1))
