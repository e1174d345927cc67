"""Sweeps over lanes that share rows: groups of sites, threads, samples, averages."""

import numpy as np
import pytest
import test_cells
from both_forms import close
from test_cells import ONE, RANGES, SHARED, built, cells_by, forgets

from regretless.core.errors import Unsuitable
from regretless.forms.cell_groups import GROUPS, shared_numbers, site_groups
from regretless.forms.form import size
from regretless.forms.public import public_form
from regretless.solvers._catalog import solver

SEVERAL = ("across boards", "cells of their own", "ranges", "locked hands", "two cards")


@pytest.fixture(autouse=True)
def many_sites(monkeypatch):
    monkeypatch.setattr("regretless.forms.public_layout.MOST_LANES", 1)  # a board is a site
    monkeypatch.setattr("regretless.forms.sweeper.WORTH_SHARING", 0)  # threads although it is small


def forgetting(**options):
    """Player 1 has imperfect recall across boards, player 2 a map of its own."""
    cells = cells_by(RANGES, 0, forgets)[0], cells_by(RANGES, 1, SHARED["one cell"][1]["two"])[0]
    return public_form(RANGES, isomorphic=False, cells=cells, **options)


@pytest.mark.parametrize("name", SEVERAL)
def test_groups_of_sites_learn_what_the_abstract_game_does(name):
    form, _, _ = built(name)
    assert form._sweeper(form.real).rows.owners.size  # some cells are in several groups
    test_cells.test_shared_regrets_are_those_of_the_abstract_game(name, "pcfr+")


def test_groups_and_imperfect_recall():
    test_cells.test_imperfect_recall_agrees_with_its_slow_twin(ONE)


@pytest.mark.parametrize("name", [*SEVERAL, "forgets"])
@pytest.mark.parametrize("method", ["dcfr", "pcfr+"])
def test_threads_change_no_bit(name, method):
    found = []
    for threads in (1, 2, 3):
        form = forgetting(threads=threads) if name == "forgets" else built(name, threads=threads)[0]
        assert threads == 1 or form._sweeper(form.real).whole.parts
        running = solver(method, form)
        running.step(3)
        running.step(2)
        looks = [form.respond(player, running.behaviour()) for player in range(2)]
        looks += [form.respond_to_average(p, running.learner, running.memory) for p in range(2)]
        plan, out = np.random.default_rng(1).random(size(form)), np.zeros(size(form))
        form.gradient(0, plan, out)
        found.append((*(np.array(vector) for vector in running.memory), np.array(looks), out))
    for others in found[1:]:
        for one, other in zip(found[0], others, strict=True):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("name", SEVERAL)
def test_all_sites_with_factor_one_are_an_iteration(name):
    form, _, _ = built(name)
    whole, sampled, part = (solver("cfr", form) for _ in range(3))
    weights = whole.weights(np.ones(1), np.ones(1))
    every = dict.fromkeys(range(len(form.layout.sites)), 1.0)
    form.sweep(whole.learner, whole.memory, weights, False)
    some = {site: factor for site, factor in every.items() if site < 3}
    form.sweep(part.learner, part.memory, weights, False, sites=some)
    form.sweep(sampled.learner, sampled.memory, weights, False, sites=every)
    close(whole.memory.regret, sampled.memory.regret, 0)
    close(whole.memory.average, sampled.memory.average, 0)
    assert not np.array_equal(part.memory.regret, whole.memory.regret)


@pytest.mark.parametrize("name", SEVERAL)
def test_averages_are_evaluated_as_behaviour(name):
    """In both precisions, and without expanding them."""
    for precision, tolerance in (("double", 1e-12), ("single", 1e-5)):
        if precision == "single" and name == "two cards":
            continue  # compiled again: the same code
        form, _, _ = built(name, precision=precision)
        running = solver("cfr+", form)
        running.step(5)
        given = running.behaviour().astype(np.float64)
        for player in range(2):
            expected = form.respond(player, given)
            found = form.respond_to_average(player, running.learner, running.memory)
            assert found == pytest.approx(expected, abs=tolerance)


def test_lanes_of_a_cell_share_a_row_within_a_group():
    form = forgetting()
    layout, sweeper = form.layout, form._sweeper(form.real)
    tree, owner_of = sweeper.tree, sweeper.rows.owners
    first, groups = site_groups(layout)
    assert len(set(groups[layout.round_sites[first]])) == min(
        GROUPS, len(layout.round_sites[first])
    )
    for player in range(2):
        rows, owners = {}, {}
        for number, sites in enumerate(layout.round_sites):
            count, more, begin = tree.cells[number, player]
            for site in sites:
                at = tree.site_sides[site, player].lane
                end = at + tree.site_sides[site, player].hands * layout.sites[site].boards
                for lane in range(at, end):
                    cell, row = tree.side.cells[lane], tree.side.rows[lane]
                    key = (number, groups[site], cell)
                    assert rows.setdefault(key, row) == row
                    owner = owners.setdefault((number, cell), groups[site])
                    assert (row == cell) == (groups[site] == owner)
                    if row != cell:
                        assert count <= row < count + more
                        assert owner_of[begin + row - count] == cell
        assert len(set(rows.values())) <= len(rows)


@pytest.mark.parametrize("name", SEVERAL)
def test_memory_of_shared_rows_is_counted(name):
    form, _, _ = built(name)
    rows = form._sweeper(form.real).rows
    assert rows.play.size + rows.advantage.size + rows.played.size == shared_numbers(form.layout)


def test_cells_are_not_compact():
    with pytest.raises(Unsuitable, match="no shared cells"):
        built("ranges", precision="compact")
