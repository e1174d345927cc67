"""Restricted games against obvious ones: entries, constraints, extended plans, kernels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games
from slow_twins import SlowRestriction, named_sequences

from regretless.core.errors import TooLarge
from regretless.forms import tree as trees
from regretless.forms.form import behaviour_of, plan_of, size
from regretless.forms.restriction import LeafRestrictor, Restrictor
from regretless.forms.sequence import sequence_form
from regretless.forms.tree import game_tree, point_of_sequences
from regretless.games._catalog import load
from regretless.kernels import restriction as kernels
from regretless.solvers._restricted_program import constraints

GAMES = random_games(players=(2, 2), zero_sum=True)
SEEDS = st.integers(0, 10**6)


def random_closed(form, seed):
    """Flags of a random set of sequences with all that lead to them."""
    rng = np.random.default_rng(seed)
    included = np.zeros(size(form), np.uint8)
    included[form.plex.roots[:-1]] = 1
    share = rng.choice([0.0, 0.3, 0.6, 0.9, 1.0])
    for player, plex in enumerate(form.treeplexes):
        root = form.plex.roots[player]
        for parent, sequences in zip(plex.parents, plex.sequences, strict=True):
            if included[root + parent]:
                included[root + sequences] = rng.random(sequences.size) < share
    return included


def random_plan(form, seed):
    """A plan with many zeros in it."""
    rng = np.random.default_rng(seed)
    weights = rng.random(size(form)) * (rng.random(size(form)) < 0.6)
    return plan_of(form, behaviour_of(form, weights))


def defaults(form, last):
    """The first or the last action of every decision point, in the order of the plex."""
    chosen = np.zeros(form.plex.parents.size, np.int32)
    owners = point_of_sequences(form.plex)
    for player, plex in enumerate(form.treeplexes):
        for sequences in plex.sequences:
            point = owners[form.plex.roots[player] + sequences[0]]
            chosen[point] = len(sequences) - 1 if last else 0
    return chosen


def slow(game, form, included, last):
    names = named_sequences(form)
    chosen = [names[s] for s in np.flatnonzero(included)]
    sets = [{path for player, path in chosen if player == one} for one in range(2)]
    return SlowRestriction(game, sets, last=last)


def paths(form, restriction):
    """The (view, action) path of every restricted sequence."""
    names = named_sequences(form)
    return [names[s][1] for s in restriction.kept]


def entries(form, restriction):
    """Payoffs by pairs of paths; equal pairs are summed, zeros are left out."""
    names, found = paths(form, restriction), {}
    for (row, column), paid in zip(restriction.pairs, restriction.payoffs, strict=True):
        key = names[row], names[column]
        found[key] = found.get(key, 0.0) + paid
    return {key: paid for key, paid in found.items() if abs(paid) > 1e-12}


def nonzero(found):
    return {key: paid for key, paid in found.items() if abs(paid) > 1e-12}


@settings(max_examples=60, deadline=None)
@given(game=GAMES, seed=SEEDS, last=st.booleans())
def test_entries_are_what_extended_plans_earn(game, seed, last):
    form = sequence_form(game)
    included = random_closed(form, seed)
    found = Restrictor(form, defaults(form, last)).restricted(included)
    twin = slow(game, form, included, last)
    assert entries(form, found) == pytest.approx(nonzero(twin.extended_entries()), abs=1e-11)
    assert np.array_equal(np.sort(found.kept), np.flatnonzero(included))
    assert found.matrix.sum() == pytest.approx(sum(found.payoffs))


@settings(max_examples=60, deadline=None)
@given(game=GAMES, seed=SEEDS, last=st.booleans())
def test_temporary_leaves_are_worth_default_against_best_response(game, seed, last):
    tree = game_tree(game)
    included = random_closed(tree.form, seed)
    found = LeafRestrictor(tree, defaults(tree.form, last)).restricted(included)
    twin = slow(game, tree.form, included, last)
    assert entries(tree.form, found) == pytest.approx(nonzero(twin.leaf_entries()), abs=1e-11)


@settings(max_examples=60, deadline=None)
@given(game=GAMES, seed=SEEDS, last=st.booleans())
def test_extended_plans_are_those_of_definition_14(game, seed, last):
    form = sequence_form(game)
    included = random_closed(form, seed)
    found = Restrictor(form, defaults(form, last)).restricted(included)
    rng = np.random.default_rng(seed)
    plan = rng.random(found.kept.size)
    plan[found.plex.roots[:-1]] = 1.0
    extended = found.extended(plan)
    twin = slow(game, form, included, last)
    by_path = dict(zip(paths(form, found)[: found.sizes[0]], plan, strict=False))
    other = dict(zip(paths(form, found)[found.sizes[0] :], plan[found.sizes[0] :], strict=True))
    wanted = [twin.extended_plan(0, by_path), twin.extended_plan(1, other)]
    for sequence, (player, path) in enumerate(named_sequences(form)):
        assert extended[sequence] == wanted[player][path]


@settings(max_examples=40, deadline=None)
@given(game=GAMES, seed=SEEDS)
def test_an_extended_plan_is_a_plan_and_earns_what_the_restricted_game_pays(game, seed):
    form = sequence_form(game)
    found = Restrictor(form, defaults(form, False)).restricted(random_closed(form, seed))
    rng = np.random.default_rng(seed)
    plan = np.empty(found.kept.size)
    for player in range(2):
        _fill(found.plex, player, rng, plan)
    extended = found.extended(plan)
    np.testing.assert_allclose(plan_of(form, behaviour_of(form, extended)), extended, atol=1e-13)
    first, second = plan[: found.sizes[0]], plan[found.sizes[0] :]
    middle = form.plex.roots[1]
    assert first @ (found.matrix @ second) == pytest.approx(
        extended[:middle] @ (form.matrix() @ extended[middle:]), abs=1e-11
    )


def _fill(plex, player, rng, plan):
    """A random plan of a restricted plex, point by point."""
    plan[plex.roots[player]] = 1.0
    for first, actions, lanes, point in plex.blocks[plex.ranges[player] : plex.ranges[player + 1]]:
        for lane in range(lanes):
            places = first + lane + lanes * np.arange(actions)
            plan[places] = rng.dirichlet(np.ones(actions)) * plan[plex.parents[point + lane]]


@settings(max_examples=40, deadline=None)
@given(game=GAMES, seed=SEEDS)
def test_constraints_say_that_children_add_up_to_their_parent(game, seed):
    form = sequence_form(game)
    included = random_closed(form, seed)
    found = Restrictor(form, defaults(form, False)).restricted(included)
    names = named_sequences(form)
    for player in range(2):
        wanted = {frozenset([((), 1.0)])}
        chosen = [names[s][1] for s in np.flatnonzero(included) if names[s][0] == player]
        for parent, view in {(path[:-1], path[-1][0]) for path in chosen if path}:
            below = [path for path in chosen if path and (path[:-1], path[-1][0]) == (parent, view)]
            wanted.add(frozenset([(parent, -1.0), *((path, 1.0) for path in below)]))
        matrix = constraints(found.plex, player).toarray()
        first = found.plex.roots[player]
        mine = paths(form, found)[first : found.plex.roots[player + 1]]
        rows = {frozenset((mine[c], row[c]) for c in np.flatnonzero(row)) for row in matrix}
        assert rows == wanted
        assert len(matrix) == len(wanted)


def test_everything_included_is_the_whole_game():
    form = sequence_form(load("leduc"))
    found = Restrictor(form, defaults(form, True)).restricted(np.ones(size(form), np.uint8))
    assert found.sizes == form.sizes.sequences
    order = np.argsort(found.kept)  # blocks keep their order, so that nothing is renumbered
    assert np.array_equal(order, np.arange(size(form)))
    assert abs(found.matrix - form.matrix()).max() == 0
    for player in range(2):
        ours = constraints(found.plex, player)
        assert abs(ours - form.treeplexes[player].constraints).max() == 0


@settings(max_examples=40, deadline=None)
@given(game=GAMES, seed=SEEDS)
def test_closing_includes_all_that_leads_there(game, seed):
    form = sequence_form(game)
    names = named_sequences(form)
    flags = (np.random.default_rng(seed).random(size(form)) < 0.2).astype(np.uint8)
    for player in range(2):
        closed = flags.copy()
        kernels.close(form.plex, player, closed)
        paths = [path for s, (who, path) in enumerate(names) if who == player and flags[s]]
        wanted = {path[:n] for path in paths for n in range(1, len(path) + 1)}
        for s, (who, path) in enumerate(names):
            if path or who != player:
                assert closed[s] == (path in wanted if who == player else flags[s])


@settings(max_examples=40, deadline=None)
@given(game=GAMES, seed=SEEDS)
def test_points_that_matter_are_those_the_other_comes_to(game, seed):
    """`reached` against a walk of the states, with the reach of the other player and chance."""
    form = sequence_form(game)
    plan = random_plan(form, seed)
    names = {name: s for s, name in enumerate(named_sequences(form))}
    owners = point_of_sequences(form.plex)
    for player in range(2):
        wanted = np.zeros(form.plex.parents.size, np.uint8)
        for node, taken in _nodes(game.root, ((), ())):
            rival = plan[names[1 - player, taken[1 - player]]]
            if node.player == player and rival > 0:
                first = (*taken[player], (node.view(player), 0))
                wanted[owners[names[player, first]]] = 1
        reach = np.zeros(size(form))
        for sequences in form.sequences:
            reach[sequences[player]] += plan[sequences[1 - player]]
        found = wanted.copy()
        kernels.reached(form.plex, player, reach, found)
        assert np.array_equal(found, wanted)


def _nodes(state, taken):
    """Every state with the sequences of both players before it."""
    yield state, taken
    for index in range(len(state.actions)):
        after = taken
        if state.player >= 0:
            mine = (*taken[state.player], (state.view(state.player), index))
            after = (mine, taken[1]) if state.player == 0 else (taken[0], mine)
        yield from _nodes(state.child(index), after)


def test_trees_are_for_games_that_can_be_walked(monkeypatch):
    monkeypatch.setattr(trees, "MOST_NODES", 1000)
    with pytest.raises(TooLarge, match=r"leduc has 1,939 nodes: .* up to 1,000"):
        game_tree("leduc")
