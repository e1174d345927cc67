"""GS2, GS3 and potential-aware buckets by round, against the makers for small games."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import wasserstein_distance

import regretless as rl
from regretless.abstraction._composition import hand_map
from regretless.abstraction._deal_rules import DealRules
from regretless.abstraction._maps import numbered
from regretless.abstraction._transport import move_k_means
from regretless.abstraction.rounds import _parents, gs2, gs3, potential
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import hand_weights, histograms
from regretless.abstraction.rounds._places import places
from regretless.abstraction.rounds._transitions import follow_rows, next_counts
from regretless.core.errors import BadParameter, Unsuitable
from regretless.kernels.transport import Histograms, works_to

RHODE = "rhode_island:ranks=5,suits=3,cap=1"
LEDUC = "leduc:ranks=5,suits=3"


def same_partition(one, two):
    return np.array_equal(numbered(one.tolist()), numbered(two.tolist()))


@pytest.mark.parametrize("squared", ["false", "true"])
@pytest.mark.parametrize(
    ("game", "sizes"), [(RHODE, (3, 10, 30)), (RHODE, (5, 40, 200)), (LEDUC, (5, 12))]
)
def test_two_routes_to_gs2(game, sizes, squared):
    """Through hands by number and their levels of strength, and through the lanes of a form."""
    form = rl.forms.public_form(game)
    names = ("preflop", "flop", "turn", "river")
    by = ",".join(
        f"{name}=gs2:{size},squared={squared}" for name, size in zip(names, sizes, strict=False)
    )
    map = hand_map(game, by)
    direct = rl.abstract(form, f"gs2:buckets={'/'.join(map_text(sizes))},squared={squared}")
    there = map.abstraction(form).maps[0]
    assert map.counts == direct.classes[0]
    for round in range(len(sizes)):
        assert same_partition(there.rows[round], direct.maps[0].rows[round])


def map_text(sizes):
    return [str(size) for size in sizes]


def test_fewer_buckets_than_before_are_refused():
    with pytest.raises(Unsuitable, match="flop: buckets=3: must be at least the 5 of the preflop"):
        hand_map(RHODE, "preflop=lossless,flop=gs2:3,turn=lossless")


# GS3.

SMALL = DealRules(3, 3, 2, (0, 3, 1))


def context(deal, round, tmp_path, earlier=()):
    return Context(deal, round, tmp_path, lambda number: earlier[number], threads=2)


def test_next_hands_are_counted(tmp_path):
    """Every card that may come, one by one."""
    there = SMALL.index(2)
    labels = np.random.default_rng(0).integers(0, 4, there.size).astype(np.uint16)
    now = context(SMALL, 1, tmp_path)
    numbers = np.arange(0, now.index.size, 3)
    found = next_counts(now, labels, 4, numbers)
    for row, cards in zip(found, now.index.cards(numbers).tolist(), strict=True):
        slow = [0] * 4
        for card in set(range(SMALL.cards)) - set(cards):
            slow[labels[there.index([[*cards, card]])[0]]] += 1
        assert row.tolist() == slow


def test_rows_are_followed_like_boards():
    map = hand_map(SMALL, "preflop=gs2:3,flop=history:2,turn=gs2:15")
    index = SMALL.index(2, ordered=True)
    cards = index.cards(np.arange(0, index.size, 7))
    now = context(SMALL, 2, None, map.rounds)
    found = follow_rows(map.rounds, now, cards)
    for row, bucket in zip(cards.tolist(), found.tolist(), strict=True):
        assert map.of(row[:2], row[2:]) == bucket


def test_gs3_remembers_and_more_buckets_lose_less():
    game = "rhode_island:ranks=4,suits=3,cap=1"
    form = rl.forms.public_form(game)
    lost = []
    for sizes in ((2, 4, 8), (4, 12, 60)):
        text = dict(zip(("preflop", "flop", "turn"), sizes, strict=True))
        map = hand_map(game, ",".join(f"{name}=gs3:{size}" for name, size in text.items()))
        assert all(count <= size for count, size in zip(map.counts, sizes, strict=True))
        made = map.abstraction(form)
        assert made.has_perfect_recall
        lost.append(rl.solve(form, abstraction=made, iterations=100).exploitability)
    assert map.counts == (4, 12, 60)
    assert lost[1] < 0.7 * lost[0]


def test_the_finest_gs3_by_round_is_that_of_the_signal_tree():
    """Temporary buckets of the last round are equal intervals, which here separate strengths."""
    form = rl.forms.public_form(LEDUC)
    map = hand_map(LEDUC, "preflop=gs3:99,flop=gs3:999")
    direct = rl.abstract(form, "gs3:buckets=99/999")
    assert map.counts == direct.classes[0]
    for one, two in zip(map.abstraction(form).maps[0].rows, direct.maps[0].rows, strict=True):
        assert same_partition(one, two)


def test_large_rounds_are_clustered_on_a_sample(monkeypatch):
    whole = hand_map(SMALL, "preflop=lossless,flop=gs3:30,turn=lossless")
    monkeypatch.setattr(gs3, "SAMPLE", 6)
    monkeypatch.setattr(gs3, "LEAST_SAMPLE", 1)
    monkeypatch.setattr(_parents, "CHUNK", 7)
    monkeypatch.setattr(_parents, "PART", 5)
    seen = []
    inside = gs3._assigned

    def watched(now, rows, centres, firsts):
        found = inside(now, rows, centres, firsts)
        seen.append((now, rows, centres, firsts, found))
        return found

    monkeypatch.setattr(gs3, "_assigned", watched)
    part = hand_map(SMALL, "preflop=lossless,flop=gs3:30,turn=lossless")
    assert len(seen) == 1
    now, rows, centres, firsts, found = seen[0]
    index = now.index
    for number, cards in enumerate(index.cards(np.arange(index.size)).tolist()):
        parent = now.earlier[0].of(np.array([cards[:2]], np.uint8), np.empty(0, np.uint8))[0]
        mine = range(firsts[parent], firsts[parent + 1])
        row = rows[number] / rows[number].sum()
        apart = [np.abs(row - centres[child]).sum() for child in mine]
        assert found[number] in mine
        assert apart[found[number] - mine[0]] == pytest.approx(min(apart), abs=1e-5)
    assert part.counts[1] <= 30
    assert whole.counts[1] <= 30


# Potential-aware.


def test_potential_is_distribution_where_only_strength_is_to_come():
    one = hand_map(SMALL, "preflop=lossless,flop=potential:5,turn=potential:4")
    two = hand_map(
        SMALL, "preflop=lossless,flop=distribution:5,starts=1,iterations=20,turn=lossless"
    )
    assert one.rounds[1].digest == two.rounds[1].digest


def test_ground_distances_are_between_the_means_of_buckets(tmp_path):
    map = hand_map(SMALL, "preflop=lossless,flop=distribution:6,turn=lossless")
    now = context(SMALL, 1, tmp_path, map.rounds)
    labels, rows, weights = map.rounds[1].labels, histograms(now), hand_weights(now.index)
    over = places(now, labels, 6)
    middles = (np.arange(rows.shape[1]) + 0.5) / rows.shape[1]
    centres = [
        np.average(rows[labels == k], axis=0, weights=weights[labels == k]) for k in range(6)
    ]
    for a in range(6):
        for b in range(6):
            exact = wasserstein_distance(middles, middles, centres[a], centres[b])
            assert over.distances[a, b] == pytest.approx(exact, abs=1e-6)


FOUR = DealRules(3, 3, 2, (0, 1, 1, 1))


def test_every_hand_goes_to_its_nearest_centre(monkeypatch):
    """Over buckets two rounds from the end, on a sample and in parts."""
    monkeypatch.setattr(potential, "SAMPLE", 5)
    monkeypatch.setattr(potential, "LEAST_SAMPLE", 1)
    monkeypatch.setattr(potential, "CHUNK", 13)
    seen = []

    def watched(rows, clusters, over, **options):
        seen.append((rows, over, move_k_means(rows, clusters, over, **options)))
        return seen[-1][2]

    monkeypatch.setattr(potential, "move_k_means", watched)
    by = "preflop=potential:3,flop=potential:4,turn=potential:5,river=potential:4"
    map = hand_map(FOUR, by, threads=2)
    assert all(1 < count <= most for count, most in zip(map.counts, (3, 4, 5, 4), strict=True))
    over, flop = next(
        (over, found) for rows, over, found in reversed(seen) if rows.shape[1] == map.counts[2]
    )
    index = FOUR.index(1)
    now = context(FOUR, 1, None, map.rounds)
    counts = next_counts(now, map.rounds[2].labels, map.counts[2], np.arange(index.size))
    partner = {}
    for row, bucket in zip(counts, map.rounds[1].labels.tolist(), strict=True):
        works = np.empty(1)
        apart = []
        for centre in flop.centres:
            mine = sparse.csr_matrix(row[None] / row.sum())
            works_to(Histograms(mine.indptr, mine.indices, mine.data), centre, over, works)
            apart.append(works[0])
        best = int(np.argmin(apart))
        assert partner.setdefault(best, bucket) == bucket or apart.count(min(apart)) > 1


def test_a_round_that_remembers_cannot_be_led_to():
    with pytest.raises(Unsuitable, match="flop=potential: the turn must not remember"):
        hand_map(FOUR, "preflop=lossless,flop=potential:3,turn=lossless,river=lossless")
    with pytest.raises(BadParameter, match="circular dependency between rounds: preflop needs"):
        hand_map(SMALL, "preflop=potential:3,flop=history:2,turn=lossless")


def test_no_bucket_gets_nearly_all_children():
    assert gs2.most_children(15, 1) == 15
    assert gs2.most_children(225, 15) == 64
    assert gs2.most_children(70, 60) == 11
    assert gs2.most_children(8000, 20) == 1600
