"""Subgames on both forms, against a twin that walks the states of a game."""

import numpy as np
import pytest
from both_forms import game, one_card, random_range, two_cards
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import random_games

from regretless.core.errors import BadParameter, TooLarge, UnknownName, Unsuitable
from regretless.forms import public_subgames, sequence_subgames
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.forms.subgame import public_part
from regretless.forms.subgames import finder, subgame_at, subgames
from regretless.games._catalog import load
from regretless.games._state import CHANCE, TERMINAL

POKER = {
    "leduc": load("leduc"),
    "suits": game(one_card()),
    "ranges": game(one_card(), weights=(random_range(6, 1), random_range(6, 2))),
    "two cards": game(two_cards(raises=(1, 1), stacks=(), caps=(1, 1))),
}


def states(of):
    """[state] label of its decision point, if it is one, and numbers of what follows it."""
    labels, children = [], []

    def walk(state):
        number = len(labels)
        labels.append((state.player, state.view(state.player)) if state.player >= 0 else None)
        children.append([])
        if state.player != TERMINAL:
            chances = state.chances if state.player == CHANCE else [1] * len(state.actions)
            children[number] = [walk(state.child(i)) for i, p in enumerate(chances) if p > 0]
        return number

    walk(of.root)
    return labels, children


def walked(tree, begin):
    """Labels of all decision points in the smallest closed set of states around some of them:
    with a state all states below it, and all that its player cannot tell from it."""
    labels, children = tree
    inside = {number for number, label in enumerate(labels) if label and label[1] in begin}
    while True:
        below = {child for number in inside for child in children[number]}
        known = {labels[number] for number in inside if labels[number]}
        alike = {number for number, label in enumerate(labels) if label in known}
        if below | alike <= inside:
            return known
        inside |= below | alike


def labels_of(subgame):
    return {(p, point.label) for p in range(2) for point in subgame.points[p]}


def terminals_below(form, labels):
    """Sequences of the terminals below these decision points, and points below them."""
    last = ([], [])
    for player, name in labels:
        last[player].extend(form.find(player, name).sequences.tolist())
    own = form.sequences - form.plex.roots[:-1]
    below = np.isin(own[:, 0], last[0]) | np.isin(own[:, 1], last[1])
    return [tuple(row) for row in form.sequences[below]]


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_closed_sets_of_poker_are_those_of_the_states(name):
    of = load(name)
    form, tree = sequence_form(of), states(of)
    labels = [label for plex in form.treeplexes for label in plex.labels]
    for public in sorted({public_part(label) for label in labels})[::3]:
        twin = walked(tree, {label for label in labels if public_part(label) == public})
        assert labels_of(subgame_at(form, public)) == twin, public


def test_closed_sets_of_other_games_have_the_terminals_of_the_states():
    of = load("liars_dice:faces=3")
    form, tree = sequence_form(of), states(of)
    for label in [label for plex in form.treeplexes for label in plex.labels][::4]:
        found, twin = subgame_at(form, label), walked(tree, {label})
        assert twin <= labels_of(found)
        assert sorted(map(tuple, found.sequences)) == sorted(terminals_below(form, twin))


@given(random_games(players=(2, 2), zero_sum=True), st.data())
@settings(max_examples=30, deadline=None)
def test_a_subgame_has_all_terminals_of_its_points_and_no_point_too_many(of, data):
    form = sequence_form(of)
    labels = [label for plex in form.treeplexes for label in plex.labels]
    assume(labels)
    label = data.draw(st.sampled_from(labels))
    found = subgame_at(form, label)
    assert any(label == name for _, name in labels_of(found))
    assert set(map(tuple, found.sequences)) <= set(
        terminals_below(form, walked(states(of), {label}))
    )
    rows = {tuple(row) for row in found.sequences.tolist()}
    for player in range(2):
        inside = {s for point in found.points[player] for s in point.sequences.tolist()}
        below = form.sequences[:, player] - form.plex.roots[player]
        needed = form.sequences[np.isin(below, list(inside))]
        assert {tuple(row) for row in needed.tolist()} <= rows
        own, entries = found.own[:, player], found.entries(player)
        outside = ~np.isin(own, list(inside))
        assert (entries[outside] == own[outside]).all()
        assert not np.isin(entries, list(inside)).any()


@pytest.mark.parametrize("name", POKER)
def test_both_forms_have_the_same_subgames(name):
    of = POKER[name]
    explicit = {found.name: found for found in subgames(sequence_form(of))}
    public = {
        found.name: found for found in subgames(public_form(of, isomorphic=False, runouts=False))
    }
    assert set(explicit) == set(public)
    for where, found in public.items():
        other = explicit[where]
        # A range may leave a hand nobody to play with: then no state has its decision.
        assert labels_of(found) >= labels_of(other)
        assert name == "ranges" or labels_of(found) == labels_of(other)
        assert found.chance.sum() == pytest.approx(other.chance.sum(), abs=1e-12)
        for player in range(2):
            paid = [one.chance @ one.payoffs[:, player] for one in (found, other)]
            assert paid[0] == pytest.approx(paid[1], abs=1e-12)


@pytest.mark.parametrize("name", POKER)
def test_ways_into_a_part_of_the_tree_are_those_of_the_whole(name):
    form = public_form(POKER[name], runouts=False)
    for player in range(2):
        for item, whole in enumerate(form.lookup.entering(player)):
            assert np.array_equal(form.lookup.entered(player, item, {}), whole)


@pytest.mark.parametrize("build", [sequence_form, public_form])
def test_what_follows_a_decision(build):
    form = build(load("leduc"))
    known = finder(form)
    names = lambda where: {child.name for child in known.children(known.at(where))}  # noqa: E731
    assert names("/Q:cc/") == {"/Q:cc/c", "/Q:cc/r"}
    assert names("/Q:cc/c") == {"/Q:cc/cr"}
    assert names("/Q:cc/cr") == {"/Q:cc/crr"}
    assert names("/Q:cc/crr") == set()
    assert names(":r") == {":rr", "/Q:rc/", "/K:rc/", "/A:rc/"}
    assert known.at("A/Q:cc/r").name == "/Q:cc/r"


def test_a_cut_is_disjoint_and_complete():
    form = sequence_form(load("leduc"))
    found = subgames(form)
    assert len(found) == 15
    rows = [tuple(row) for one in found for row in one.sequences.tolist()]
    assert len(rows) == len(set(rows)) == 1080  # of 1116: the others fold in the first round
    (whole,) = subgames(form, 0)
    assert len(whole.chance) == form.terminals
    (last,) = subgames(sequence_form(load("kuhn")))
    assert (last.name, len(last.points[0]), len(last.points[1])) == (":cr", 3, 0)


def test_bad_places():
    explicit, public = sequence_form(load("leduc")), public_form("leduc")
    for form in (explicit, public):
        with pytest.raises(UnknownName, match=r"decision point|card"):
            subgame_at(form, "Z/Q:cc/")
        with pytest.raises(UnknownName, match=r"unknown .* '(K/Q:)?cc/cccc'"):
            subgame_at(form, "K/Q:cc/cccc")
        with pytest.raises(BadParameter, match="depth=2: must be 0 to 1"):
            subgames(form, 2)
    with pytest.raises(Unsuitable, match="kuhn:players=3 has 3 players"):
        finder(sequence_form(load("kuhn:players=3")))
    with pytest.raises(BadParameter, match="one round of betting"):
        subgames(public_form("kuhn"))


def test_too_many_or_too_large(monkeypatch):
    for module, form in ((sequence_subgames, sequence_form), (public_subgames, public_form)):
        monkeypatch.setattr(module, "MOST_SUBGAMES", 14)
        with pytest.raises(TooLarge, match="choose one with at="):
            subgames(form(load("leduc")))
    monkeypatch.setattr(public_subgames, "MOST_TERMINALS", 50)
    with pytest.raises(TooLarge, match="'/Q:cc/' has over 50 terminals"):
        subgame_at(public_form("leduc"), "/Q:cc/")
