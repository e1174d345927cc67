"""Tabu search finds pure equilibria, or proves that there are none."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_matrices import payoffs

import regretless as rl
from regretless.core.errors import BadInput, TooLarge, Unsolved
from regretless.games._normal_form import normal_form_game
from regretless.solvers.tabu import Search, pure_equilibrium


def finished(form, seed):
    running = rl.solver("tabu", form, seed=seed)
    while not running.finished:
        running.step()
    return running


def pure_equilibria(table):
    """All of them, by their definition."""
    found = set()
    for profile in np.ndindex(table.shape[1:]):
        best = all(
            own[profile] >= np.moveaxis(own, i, 0)[(slice(None), *np.delete(profile, i))].max()
            for i, own in enumerate(table)
        )
        if best:
            found.add(profile)
    return found


@settings(max_examples=60, deadline=None)
@given(table=payoffs(players=(1, 3), actions=(1, 4), values=(0, 9)), seed=st.integers(0, 9))
def test_tabu_search_finds_a_pure_equilibrium_or_proves_there_is_none(table, seed):
    wanted = pure_equilibria(table)
    found = pure_equilibrium(
        lambda profile: [own[profile] for own in table], table.shape[1:], seed=seed
    )
    assert found in wanted if wanted else found is None
    form = rl.sequence_form(normal_form_game("matrices", table))
    if wanted:
        running = finished(form, seed)
        found = rl.Strategy(form, running.behaviour())
        assert rl.evaluate(found).nash_conv < 1e-12
        assert running.details()["asked"] <= table[0].size
    else:
        with pytest.raises(Unsolved, match="no pure equilibrium: all"):
            finished(form, seed)


def test_tabu_search_takes_rounding_for_a_tie(monkeypatch):
    search = Search(lambda profile: [(0.3, 0.1 + 0.2)[profile[0]]], (2,))
    search.at = (0,)
    search.step(np.random.default_rng(0))
    assert search.done
    assert search.at == (0,)
    monkeypatch.setattr("regretless.solvers.tabu.MOST_PROFILES", 8)
    with pytest.raises(TooLarge, match=r"profiles.*methods without a normal form: cfr"):
        rl.solver("tabu", rl.sequence_form(rl.load("rps")))


def test_tabu_search_asks_for_few_payoffs():
    asked = []

    def cournot(profile):
        asked.append(profile)
        price = 120 - sum(profile)
        return [price * quantity for quantity in profile]

    assert pure_equilibrium(cournot, (121, 121)) in {(40, 40), (39, 41), (41, 39)}
    assert len(asked) < 121 * 121 / 4
    assert len(asked) == len(set(asked))  # payoffs may be expensive: none is asked for twice
    assert pure_equilibrium(cournot, (121, 121), steps=0) is None


def test_whoever_has_moved_is_asked_last():
    search = Search(lambda profile: [profile[0], profile[1], 0], (2, 2, 2))
    search.at = (0, 0, 0)
    rng = np.random.default_rng(0)
    for at, turn in (((1, 0, 0), 1), ((1, 1, 0), 2)):
        search.step(rng)
        assert (search.at, search.turn) == (at, turn)


@pytest.mark.parametrize("paid", [(1.0, np.nan), (np.inf, 0.0), (1.0,), (1.0, 2.0, 3.0)])
def test_payoffs_of_a_black_box_are_checked(paid):
    """None means that there is no pure equilibrium, not that the payoffs are no numbers."""
    with pytest.raises(BadInput, match="must be 2 finite numbers, one per player"):
        pure_equilibrium(lambda profile: paid, (2, 2))
