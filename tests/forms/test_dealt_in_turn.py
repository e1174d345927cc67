"""Hands dealt in turn, against the same game walked deal by deal: folded cards are put back."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from regretless.forms.dealt_in_turn import dealt_in_turn
from regretless.forms.form import plan_of, size
from regretless.forms.jam_fold import jam_fold_form
from regretless.games._jam_fold import JamFold
from tests.forms.test_jam_fold import worth, worths
from tests.jam_fold_twin import awarded, ranks_of, small_showdowns

DECK = [rank for rank in range(3) for _ in range(2)]
CARDS = small_showdowns(3, 2)
NAMES = "9TJ"  # of the ranks
CASES = [
    # stacks, ante, big-blind ante
    ((10, 10), 0, 0),
    ((9, 12, 14), 0, 0),
    ((14, 10, 5), 1, 0),
    ((10, 12, 14, 9), 0, 0),
    ((8, 20, 11, 6), 1, 2),
    ((9, 9, 9, 1), 0, 0),  # the big blind is all-in
    ((9, 9, 1, 2), 0, 0),  # both blinds are
    ((1, 12, 9, 14), 1, 0),  # all-in by the ante
]


def rules_of(stacks, ante=0, big_ante=0):
    return JamFold(stacks, (1, 2), ante, big_ante)


def posted(rules, player):
    return [int(amount) for amount in rules.posted(player)]


def slow_values(rules, behaviour, deviator):
    """Expected worths if all play like this, and what the deviator's actions earn, hand by hand.

    Deal by deal: {(label, action): worth, times how often the others and the cards lead there}."""
    earned, players = defaultdict(float), len(rules.stacks)

    @cache
    def settle(history, cards):
        inside = [p for p, letter in enumerate(history) if letter != "f"]
        posts = [posted(rules, p) for p in range(players)]
        paid = [
            int(rules.stacks[p]) - posts[p][1] if p in inside else posts[p][0] + posts[p][2]
            for p in range(players)
        ]
        if history[-1] == "x":
            paid[-1] = posts[-1][0] + posts[-1][2]
        rest = list(DECK)
        for card in cards:
            rest.remove(card)
        total = np.zeros(players)
        for board in rest:
            ranks = dict(zip(inside, ranks_of(cards, board), strict=True))
            stacks = [int(stack) for stack in rules.stacks]
            final = awarded(stacks, paid, posts[-1][1], ranks)
            total += worth(list(map(float, final)))
        return total / len(rest)

    def walk(history, cards, reach):
        player = len(history)
        if player == players:
            return settle(history, cards)
        if rules.move(history) == "f":
            return walk(history + "f", cards, reach)
        rest = list(DECK)
        for card in cards:
            rest.remove(card)
        total = np.zeros(players)
        for card in rest:
            share = 1 / len(rest)
            if rules.move(history):
                total += share * walk(history + rules.move(history), (*cards, card), reach * share)
                continue
            jam = behaviour[history, NAMES[card]]
            for action, often in (("fold", 1 - jam), ("jam", jam)):
                seen = share if player == deviator else share * often
                after = (*cards, card) if action == "jam" else cards
                below = walk(history + action[0], after, reach * seen)
                total += share * often * below
                if player == deviator:
                    earned[f"{NAMES[card]}:{history}", action] += reach * seen * below[player]
        return total

    return walk("", (), 1.0), earned


def random_play(form, seed):
    rng = np.random.default_rng(seed)
    behaviour, known = np.ones(size(form)), {}
    for player in range(form.players):
        for point in form.points(player):
            play = rng.dirichlet((1, 1))
            behaviour[form.plex.roots[player] + point.sequences] = play
            name, history = point.label.split(":")
            known[history, name] = play[1]
    return behaviour, known


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_and_gradients_as_when_walked(case):
    rules = rules_of(*case)
    form = dealt_in_turn(rules, CARDS, worths)
    behaviour, known = random_play(form, seed=1)
    plan, found = plan_of(form, behaviour), np.empty(size(form))
    for player in range(form.players):
        values, earned = slow_values(rules, known, player)
        form.gradient(player, plan, found)
        assert form.walked(plan).values == pytest.approx(values.tolist(), abs=1e-12)
        assert form.respond(player, behaviour)[0] == pytest.approx(values[player], abs=1e-12)
        for point in form.points(player):
            for action, sequence in zip(point.actions, point.sequences, strict=True):
                ours = found[form.plex.roots[player] + sequence]
                assert ours == pytest.approx(earned[point.label, action], abs=1e-12)


def test_two_players_are_exact():
    rules = rules_of((10, 14), 1)
    form, exact = (make(rules, CARDS, worths) for make in (dealt_in_turn, jam_fold_form))
    behaviour, _ = random_play(form, seed=2)
    for player in range(2):
        assert form.respond(player, behaviour) == pytest.approx(exact.respond(player, behaviour))


def test_nothing_is_missing_where_nobody_folds():
    """What folded hands say is all that the model leaves out."""
    rules = rules_of((9, 12, 14))
    form, exact = (make(rules, CARDS, worths) for make in (dealt_in_turn, jam_fold_form))
    behaviour, _ = random_play(form, seed=3)
    for player in (0, 1):
        for point in form.points(player):
            behaviour[form.plex.roots[player] + point.sequences] = (0, 1)
    for player in range(3):
        ours, other = (one.respond(player, behaviour)[0] for one in (form, exact))
        assert ours == pytest.approx(other, abs=1e-12)


def test_nine_players_share_the_chips():
    form = dealt_in_turn(rules_of((8,) * 9, 1), CARDS)
    walked = form.walked(plan_of(form, random_play(form, seed=4)[0]))
    assert sum(walked.values) == pytest.approx(0, abs=1e-9)
    assert form.zero_sum
