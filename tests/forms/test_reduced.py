"""Reduced games: what is given is played out, what is free stays a decision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games

from regretless.core.errors import Unsuitable
from regretless.forms.form import behaviour_of, plan_of, size, uniform
from regretless.forms.public import public_form
from regretless.forms.reduced import CHOICE, FREE, GIVEN, Whole
from regretless.forms.sequence import sequence_form


def random_behaviour(form, draw, zeros=0.3):
    weights = draw.random(size(form)) * (draw.random(size(form)) >= zeros)
    return behaviour_of(form, weights)


def composed(form, kinds, given, free, choices):
    """Slow twin: point by point, what is played in the whole game.

    `choices[label]` is the continuation that is taken at the first choice, `free` a behaviour."""
    found = given.copy()
    points = 0
    for player, plex in enumerate(form.treeplexes):
        root = int(form.plex.roots[player])
        above = {0: None}  # sequence -> continuation that was chosen before it
        for label, sequences, parent in zip(plex.labels, plex.sequences, plex.parents, strict=True):
            kind, chosen = kinds[points], above[int(parent)]
            if kind == FREE:
                found[root + sequences] = free[root + sequences]
            if kind == CHOICE:
                chosen = chosen if chosen is not None else choices[player][label]
                found[root + sequences] = chosen[root + sequences]
            above |= {int(s): chosen for s in sequences}
            points += 1
    return found


def limited(form, draw):
    """Random kinds: a player's point below a choice is a choice."""
    kinds, points = [], 0
    for plex in form.treeplexes:
        inside = {0: False}
        for sequences, parent in zip(plex.sequences, plex.parents, strict=True):
            kind = CHOICE if inside[int(parent)] else draw.choice([FREE, GIVEN, CHOICE])
            kinds.append(kind)
            inside |= {int(s): kind == CHOICE for s in sequences}
            points += 1
    return np.array(kinds, dtype=np.int64)


@given(random_games(players=(2, 2), zero_sum=True), st.integers(0, 999))
@settings(max_examples=60, deadline=None)
def test_the_reduced_game_pays_what_is_played_in_the_whole_one(game, seed):
    draw, form = np.random.default_rng(seed), sequence_form(game)
    kinds, base = limited(form, draw), random_behaviour(form, draw)
    free = random_behaviour(form, draw)
    known = [{f"{i}{k}": random_behaviour(form, draw) for k in "ab"} for i in range(2)]
    small = Whole(form).reduced(kinds, base, known)
    played, choices = uniform(small.form), ({}, {})
    for player, plex in enumerate(small.form.treeplexes):
        root = int(small.form.plex.roots[player])
        for label, actions, sequences in zip(
            plex.labels, plex.actions, plex.sequences, strict=True
        ):
            if label.endswith(" onwards"):
                chosen = int(draw.integers(2))
                choices[player][label.removesuffix(" onwards")] = known[player][actions[chosen]]
                played[root + sequences] = np.eye(2)[chosen]
        played[small.kept[player]] = free[small.free[player]]
    whole = composed(form, kinds, base, free, choices)
    for player in range(2):
        expected = form.respond(player, whole)[0]
        assert small.form.respond(player, played)[0] == pytest.approx(expected, abs=1e-9)


def test_a_game_of_free_decisions_is_the_game_itself():
    form = sequence_form("leduc")
    base = random_behaviour(form, np.random.default_rng(1))
    small = Whole(form).reduced(np.full(288, FREE), base, ({}, {}))
    assert small.form.sizes.sequences == form.sizes.sequences
    other = random_behaviour(form, np.random.default_rng(2), zeros=0.0)
    played = uniform(small.form)
    for player in range(2):
        played[small.kept[player]] = other[small.free[player]]
    ours, theirs = (np.empty(size(form)) for _ in range(2))
    for player in range(2):
        form.gradient(player, plan_of(form, other), ours)
        small.form.gradient(player, plan_of(small.form, played), theirs)
        assert theirs[small.kept[player]] == pytest.approx(ours[small.free[player]], abs=1e-12)


def test_a_game_in_which_all_is_given_has_one_payoff():
    form = sequence_form("kuhn")
    small = Whole(form).reduced(np.full(12, GIVEN), uniform(form), ({}, {}))
    assert small.form.sizes.sequences == (1, 1)
    assert small.form.payoffs == pytest.approx(np.array([[0.125, -0.125]]))


def test_where_nobody_comes_what_is_given_stays():
    form = sequence_form("kuhn")
    base = uniform(form)
    plex = form.treeplexes[0]
    for label, sequences in zip(plex.labels, plex.sequences, strict=True):
        if label.endswith(":"):
            base[sequences] = [0.0, 1.0]  # player 1 always bets: it never faces a bet after a check
    first, second = plex.sequences[plex.point("K:")], plex.sequences[plex.point("K:cr")]
    base[second] = [0.9, 0.1]
    kinds = np.where([label.endswith("cr") for label in plex.labels], FREE, GIVEN)
    small = Whole(form).reduced(np.concatenate([kinds, np.full(6, GIVEN)]), base, ({}, {}))
    found = small.extended(uniform(small.form), 0)
    assert found == pytest.approx(base)
    base[first] = [0.5, 0.5]  # now it does, with the king
    small = Whole(form).reduced(np.concatenate([kinds, np.full(6, GIVEN)]), base, ({}, {}))
    found = small.extended(uniform(small.form), 0)
    assert found[second] == pytest.approx([0.5, 0.5])
    assert found[first] == pytest.approx([0.5, 0.5])
    changed = np.flatnonzero(found != base)
    assert set(changed) <= set(second)


@pytest.mark.parametrize("game", ["kuhn:players=3", "battle_of_the_sexes"])
def test_other_games_are_refused(game):
    with pytest.raises(Unsuitable, match="two-player zero-sum"):
        Whole(sequence_form(game))


@pytest.mark.parametrize("game", ["leduc", "rhode_island:ranks=4,suits=1"])
def test_both_forms_know_how_deep_a_decision_is(game):
    walked, public = sequence_form(game), public_form(game, isomorphic=False).expanded()
    for one, other in zip(walked.treeplexes, public.treeplexes, strict=True):
        ours = dict(zip(one.labels, one.depths.tolist(), strict=True))
        theirs = dict(zip(other.labels, other.depths.tolist(), strict=True))
        assert ours == theirs


def test_depths_count_moves_of_everybody():
    first, second = sequence_form("leduc").treeplexes
    depth = {
        **dict(zip(first.labels, first.depths.tolist(), strict=True)),
        **dict(zip(second.labels, second.depths.tolist(), strict=True)),
    }
    # Two deals come first, and the board card is a move as well.
    assert (depth["K:"], depth["K:c"], depth["K:cr"], depth["K/Q:cc/"]) == (2, 3, 4, 5)
