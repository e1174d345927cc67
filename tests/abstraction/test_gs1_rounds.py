"""GS1 by round, against the maker for small games and against plain pairs of hands."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import regretless as rl
from regretless.abstraction import gameshrink
from regretless.abstraction._composition import hand_map
from regretless.abstraction._deal_rules import DealRules, deal_rules
from regretless.abstraction._maps import numbered
from regretless.abstraction._strength import outcomes
from regretless.abstraction.rounds import gs1
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import means
from regretless.core.errors import Unsuitable

FOUR = DealRules(3, 3, 2, (0, 1, 1, 1))
MANY = 10**6


def same_partition(one, two):
    return np.array_equal(numbered(list(one)), numbered(list(two)))


def by(deal, *sizes, threshold=0.0):
    given = zip(deal.rounds, sizes, strict=True)
    return ",".join(f"{name}=gs1:{size},threshold={threshold}" for name, size in given)


@pytest.mark.parametrize("threshold", [0.0, 0.03, 0.11, 0.21, 0.4])
@pytest.mark.parametrize("game", ["leduc", "leduc:ranks=5,suits=3", "leduc:ranks=8,suits=2"])
def test_in_two_rounds_it_is_gameshrink(game, threshold, monkeypatch):
    """Two routes: `abstraction/gameshrink.py` matches the lanes of a form, here with half wins."""

    def halves(deals, player):
        wins, ties, losses = outcomes(deals, player)
        return wins + ties / 2, losses + ties / 2

    monkeypatch.setattr(gameshrink, "outcomes", halves)
    form = rl.forms.public_form(game)
    direct = rl.abstract(form, f"gameshrink:threshold={threshold}")
    map = hand_map(game, by(deal_rules(game), MANY, MANY, threshold=threshold))
    assert map.counts == direct.classes[0]
    for one, two in zip(map.abstraction(form).maps[0].rows, direct.maps[0].rows, strict=True):
        assert same_partition(one.tolist(), two.tolist())


def strengths(round):
    """[cards] E[HS] of all hands of a round."""
    context, index = Context(FOUR, round, None, pytest.fail), FOUR.index(round)
    return lambda cards: float(means(context)[index.index([cards])[0], 0])


def slow_penalty(round, one, two):
    """The rest rolled out, or the best matching of the next cards."""
    of = strengths(round if round % 2 else round + 1)
    if round % 2:
        return abs(of(one) - of(two))
    sides = [[of([*hand, card]) for card in range(9) if card not in hand] for hand in (one, two)]
    costs = np.abs(np.subtract.outer(*sides))
    return costs[linear_sum_assignment(costs)].mean()


def slow_classes(hands, round, threshold):
    """[hand] its class, pair by pair."""
    own = list(range(len(hands)))
    for one, two in combinations(range(len(hands)), 2):
        if own[one] != own[two] and slow_penalty(round, hands[one], hands[two]) <= threshold:
            own = [own[one] if label == own[two] else label for label in own]
    return own


@pytest.mark.parametrize("round", range(4))
def test_pair_by_pair(round):
    """Hands of one bucket before, in both rounds of both phases."""
    threshold = 0.0351
    map = hand_map(FOUR, by(FOUR, *[MANY] * 4, threshold=threshold))
    index, families = FOUR.index(round, ordered=True), {}
    for cards in index.cards(np.arange(index.size)).tolist():
        parent = map.of(cards[:2], cards[2:-1]) if round else 0
        families.setdefault(parent, []).append(cards)
    sizes = []
    for hands in sorted(families.values(), key=len)[-3:]:
        some = hands[:60]
        buckets = [map.of(cards[:2], cards[2:]) for cards in some]
        if len(some) == len(hands):
            assert same_partition(slow_classes(some, round, threshold), buckets)
        else:  # chains may go through the others
            for one, two in combinations(range(len(some)), 2):
                if slow_penalty(round, some[one], some[two]) <= threshold:
                    assert buckets[one] == buckets[two]
        sizes.append(len(set(buckets)))
    assert max(sizes) > 1


def test_the_least_threshold_that_suffices(monkeypatch):
    limits = []
    inside = gs1._threshold
    monkeypatch.setattr(
        gs1, "_threshold", lambda *given: limits.append(inside(*given)) or limits[-1]
    )
    counts = hand_map(FOUR, by(FOUR, 2, 6, 20, 60)).counts
    assert all(count <= most for count, most in zip(counts, (2, 6, 20, 60), strict=True))
    assert counts[0] == 2
    (first, *_), before = limits, "flop=lossless,turn=lossless,river=lossless"
    for threshold, is_enough in ((first, True), (first - 1e-6, False)):
        map = hand_map(FOUR, f"preflop=gs1:{MANY},threshold={threshold},{before}")
        assert (map.counts[0] <= 2) == is_enough


def test_buckets_remember_and_are_numbered_from_weak_to_strong():
    game = "rhode_island:ranks=4,suits=3,cap=1"
    form, deal = rl.forms.public_form(game), deal_rules(game)
    map = hand_map(game, by(deal, 3, 8, 30))
    assert map.abstraction(form).has_perfect_recall
    context = Context(deal, 0, None, pytest.fail)
    order = np.argsort(means(context)[:, 0])
    assert (np.diff(map.rounds[0].labels[order].astype(int)) >= 0).all()


def test_greedy_merging_is_lopsided():
    """A chain of small steps becomes one class, and outliers stay alone."""
    values = np.append(np.arange(100) / 1000, [0.2, 0.4])
    one = gs1.OnALine(values)
    assert one.labels(0.05).tolist() == [0] * 100 + [1, 2]
    rows = np.stack([values, values[::-1]], axis=1)
    two = gs1.Matched(rows, "flop")
    assert np.bincount(two.labels(0.002)).max() > 70
    assert len(set(two.labels(1.0).tolist())) == 1


def test_too_many_hands_are_refused(monkeypatch):
    with pytest.raises(Unsuitable, match="turn=gs1: 55,190,538 hands: must be at most 2,000,000"):
        hand_map("holdem_limit", "preflop=lossless,flop=lossless,turn=gs1:99,river=lossless")
    with pytest.raises(Unsuitable, match="flop: buckets=2: must be at least the"):
        hand_map(FOUR, "preflop=lossless,flop=gs1:2,turn=lossless,river=lossless")
    monkeypatch.setattr(gs1, "MOST_PAIRED", 3)
    with pytest.raises(Unsuitable, match=r"preflop=gs1: \d+ siblings: must be at most 3"):
        hand_map(FOUR, by(FOUR, 3, 4, 5, 6))
