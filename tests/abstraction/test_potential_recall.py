"""Potential-aware buckets with perfect recall by round, against twins on dictionaries of hands."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import wasserstein_distance

import regretless as rl
from regretless.abstraction._clustering import k_means
from regretless.abstraction._composition import hand_map
from regretless.abstraction._deal_rules import DealRules
from regretless.abstraction._maps import numbered
from regretless.abstraction._transport import move_k_means
from regretless.abstraction.rounds import _parents, _potential_recall
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import histograms, means
from regretless.abstraction.rounds._places import places
from regretless.kernels.transport import Histograms, works_to

FOUR = DealRules(3, 3, 2, (0, 1, 1, 1))
TEMPORARY = 5


def recalling(*sizes, more=""):
    names = ("preflop", "flop", "turn", "river")
    rounds = zip(names, sizes, strict=False)
    return ",".join(f"{name}=potential:{size},recall=true{more}" for name, size in rounds)


def by_parent(map, round):
    """[bucket of the previous round] its hands, as cards, and their buckets in this round."""
    index, found = map.deal.index(round, ordered=True), {}
    hole, before = map.deal.hole, map.deal.shown(round - 1)
    for cards in index.cards(np.arange(index.size)).tolist():
        parent = map.of(cards[:hole], cards[hole : hole + before])
        found.setdefault(parent, []).append((cards, map.of(cards[:hole], cards[hole:])))
    return found


def same_partition(one, two):
    return np.array_equal(numbered(list(one)), numbered(list(two)))


def context(map, round):
    return Context(map.deal, round, None, map.rounds.__getitem__)


@pytest.fixture(scope="module")
def forgetful():
    """Whose later rounds are the temporary buckets."""
    size = TEMPORARY
    rounds = f"preflop=potential:2,flop=potential:{size},turn=potential:{size},river=lossless"
    return hand_map(FOUR, rounds)


@pytest.fixture(scope="module")
def remembering():
    return hand_map(FOUR, recalling(2, 3, 2, 2, more=f",temporary={TEMPORARY}"), threads=2)


def led_to(map, cards):
    """Shares of the next round's buckets, card by card."""
    found = np.zeros(TEMPORARY)
    for card in set(range(FOUR.cards)) - set(cards):
        found[map.of(cards[:2], [*cards[2:], card])] += 1
    return found / found.sum()


def test_the_first_round_has_nothing_to_remember(forgetful, remembering):
    assert remembering.rounds[0].digest == forgetful.rounds[0].digest


def test_two_rounds_from_the_end_buckets_of_the_next_round_are_compared(forgetful, remembering):
    over = places(context(forgetful, 2), forgetful.rounds[2].labels, TEMPORARY)
    weights = FOUR.index(1, ordered=True).weights
    families = by_parent(remembering, 1)
    assert len(families) == 2
    for hands in families.values():
        rows = sparse.csr_matrix([led_to(forgetful, cards) for cards, _ in hands])
        mass = weights([cards for cards, _ in hands]).astype(float)
        own = move_k_means(rows, 3, over, weights=mass, iterations=20).own
        assert same_partition(own, [bucket for _, bucket in hands])


def test_in_the_round_before_the_last_strengths_are_compared(remembering):
    index, rows = FOUR.index(2), histograms(context(remembering, 2))
    weights = FOUR.index(2, ordered=True).weights
    families = by_parent(remembering, 2)
    assert len(families) == 6
    for hands in families.values():
        cards = [cards for cards, _ in hands]
        mine, mass = rows[index.index(cards)], weights(cards).astype(float)
        own = k_means(mine, 2, weights=mass, metric="emd", iterations=20).own
        assert same_partition(own, [bucket for _, bucket in hands])


def test_in_the_last_round_no_other_cut_loses_less(remembering):
    index, strengths = FOUR.index(3), means(context(remembering, 3))[:, 0]
    weights = FOUR.index(3, ordered=True).weights
    families = by_parent(remembering, 3)
    assert len(families) == 12
    for hands in families.values():
        cards = [cards for cards, _ in hands]
        values, mass = strengths[index.index(cards)], weights(cards)

        def lost(parts, values=values, mass=mass):
            centred = [(values[p] - np.average(values[p], weights=mass[p])) for p in parts]
            return sum(mass[p] @ one**2 for p, one in zip(parts, centred, strict=True))

        buckets = np.array([bucket for _, bucket in hands])
        found = lost([buckets == one for one in np.unique(buckets)])
        levels = np.unique(values)
        cuts = [lost([values < one, values >= one]) for one in levels[1:]]
        assert found == pytest.approx(min(cuts, default=0.0), abs=1e-9)


def test_buckets_have_one_parent_and_are_numbered_from_weak_to_strong(remembering):
    assert remembering.counts == (2, 6, 12, 24)
    for round in (1, 2, 3):
        strengths, weights = means(context(remembering, round))[:, 0], FOUR.index(round).weights
        seen = set()
        for parent, hands in sorted(by_parent(remembering, round).items()):
            mine = sorted({bucket for _, bucket in hands})
            assert not seen & set(mine)
            assert min(mine) == len(seen)  # one family after another
            seen |= set(mine)
            middle = []
            for one in mine:
                cards = [cards for cards, bucket in hands if bucket == one]
                values = strengths[FOUR.index(round).index(cards)]
                middle.append(np.average(values, weights=weights(cards)))
            assert (np.diff(middle) > -0.02).all(), (parent, middle)  # a board may count twice


@pytest.mark.parametrize(
    ("game", "sizes"),
    [("rhode_island:ranks=4,suits=3,cap=1", (2, 3, 2)), ("leduc:ranks=5,suits=3", (3, 2))],
)
def test_abstractions_of_forms_have_perfect_recall(game, sizes):
    form = rl.forms.public_form(game)
    map = hand_map(game, recalling(*sizes))
    assert map.counts == tuple(np.cumprod(sizes).tolist())
    assert map.abstraction(form).has_perfect_recall
    names = ("preflop", "flop", "turn")
    without = ",".join(f"{n}=potential:{k}" for n, k in zip(names, map.counts, strict=False))
    assert not hand_map(game, without).abstraction(form).has_perfect_recall


@pytest.mark.parametrize("game", ["rhode_island:ranks=4,suits=3,cap=1", "leduc:ranks=5,suits=3"])
def test_the_finest_buckets_are_those_of_the_signal_tree(game):
    """Two routes: `abstraction/potential_aware.py` walks the hands of the form."""
    form = rl.forms.public_form(game)
    rounds = len(hand_rounds(game))
    mine = (
        hand_map(game, recalling(*[99] * rounds, more=",temporary=999")).abstraction(form).maps[0]
    )
    direct = rl.abstract(form, f"potential-aware:buckets={'/'.join(['99'] * rounds)}").maps[0]
    for one, two in zip(mine.rows, direct.rows, strict=True):
        assert same_partition(one.tolist(), two.tolist())


def hand_rounds(game):
    return rl.load(game).rules.board


def test_large_rounds_are_split_on_a_sample(monkeypatch, forgetful):
    """Every hand goes to the nearest child of its own parent, whichever way it is found."""
    monkeypatch.setattr(_potential_recall, "SAMPLE", 3)
    monkeypatch.setattr(_potential_recall, "LEAST_SAMPLE", 1)
    monkeypatch.setattr(_parents, "CHUNK", 5)
    monkeypatch.setattr(_parents, "PART", 7)
    seen = []
    for space in (_potential_recall.OnALine, _potential_recall.BetweenPlaces):

        def watched(self, which, parents, firsts, centres, inside=space.nearest):
            found = inside(self, which, parents, firsts, centres)
            seen.append((self, which, parents, firsts, centres, found))
            return found

        monkeypatch.setattr(space, "nearest", watched)
    map = hand_map(FOUR, recalling(2, 3, 2, 2, more=f",temporary={TEMPORARY}"))
    assert map.counts[:2] == (2, 6)
    assert {type(one[0]) for one in seen} == {
        _potential_recall.OnALine,
        _potential_recall.BetweenPlaces,
    }
    for space, which, parents, firsts, centres, found in seen:
        for row, parent, child in zip(as_rows(space, which), parents, found, strict=True):
            mine = range(firsts[parent], firsts[parent + 1])
            apart = [distance(space, row, centres[one]) for one in mine]
            assert child in mine
            assert apart[child - mine[0]] == pytest.approx(min(apart), abs=1e-5)
    for round in (1, 2):
        families = by_parent(map, round)
        for one, two in combinations(families.values(), 2):
            assert not {bucket for _, bucket in one} & {bucket for _, bucket in two}


def as_rows(space, which):
    rows = space.rows(which)
    return rows.toarray() if sparse.issparse(rows) else rows


def distance(space, row, centre):
    if isinstance(space, _potential_recall.OnALine):
        bins = np.arange(row.size)
        return wasserstein_distance(bins, bins, row, centre)
    made, works = sparse.csr_matrix(row[None]), np.empty(1)
    works_to(Histograms(made.indptr, made.indices, made.data), centre, space.there.over, works)
    return works[0]
