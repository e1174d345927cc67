"""Buckets by round against slow twins, and work that is interrupted."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations, permutations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures import assert_drawn

import regretless as rl
from regretless.abstraction import _composition
from regretless.abstraction._clustering import arranged
from regretless.abstraction._composition import hand_map
from regretless.abstraction._deal_rules import DealRules, deal_rules
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction._hand_pictures import bucket_sizes
from regretless.abstraction._opponents import opponent_clusters
from regretless.abstraction.rounds import (
    _clusters,
    _features,
    _histories,
    _rivers,
    _unfinished,
    ochs,
)
from regretless.abstraction.rounds._clusters import by_strength, clustered, distinct
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import hand_weights, histograms, means, scores
from regretless.cards.evaluator import holdings
from regretless.cards.hand_index import HandIndex
from regretless.cards.holdings import CLASSES, class_names, read_cards
from regretless.cards.ranking import strength as slow_rank
from regretless.cards.strengths import BINS, by_holding, cluster_strengths, strength
from regretless.core.errors import BadFile, BadParameter, Interrupted, TooLarge, Unsuitable
from regretless.kernels.hand_strengths import HALVES
from regretless.kernels.hands import hand_tables
from regretless.kernels.river_buckets import river_clusters, river_halves

SMALL = DealRules(3, 3, 2, (0, 3, 1))
LEDUC = deal_rules("leduc")


def context_of(deal, round, folder=None, **options) -> Context:
    return Context(deal, round, folder, lambda _: pytest.fail("needs no other round"), **options)


def slow_strengths(deal, hand, board) -> list[tuple[float, dict[tuple[int, ...], float]]]:
    """Strength on every final board, and what every rival loses."""
    cards = set(range(deal.cards)) - set(hand) - set(board)
    final = deal.shown(len(deal.board) - 1)
    found = []
    for more in combinations(sorted(cards), final - len(board)):
        whole = (*board, *more)

        def rank(held, whole=whole):
            low = 13 - deal.ranks
            return slow_rank([(low + c // deal.suits, c % deal.suits) for c in (*held, *whole)])

        rivals = {
            other: (rank(hand) > rank(other)) + 0.5 * (rank(hand) == rank(other))
            for other in combinations(sorted(cards - set(more)), deal.hole)
        }
        found.append((float(np.mean(list(rivals.values()))), rivals))
    return found


@pytest.mark.parametrize("deal", [SMALL, LEDUC, DealRules(4, 2, 2, (0, 1, 2))])
def test_strengths_of_small_decks(deal):
    rng = np.random.default_rng(0)
    for round in range(len(deal.board)):
        context = context_of(deal, round)
        numbers = rng.choice(context.index.size, min(6, context.index.size), replace=False)
        weights = hand_weights(context.index)
        total = sum(weights.astype(int))
        assert total == len(deal.hands) * _boards(deal, round)
        for number in numbers:
            cards = context.index.cards([number])[0].tolist()
            found = slow_strengths(deal, tuple(cards[: deal.hole]), tuple(cards[deal.hole :]))
            shares = np.array([share for share, _ in found])
            assert means(context)[number] == pytest.approx(
                [shares.mean(), (shares**2).mean()], abs=1e-9
            )
            bins = np.minimum((shares * BINS + 1e-9).astype(int), BINS - 1)
            expected = np.bincount(bins, minlength=BINS) / len(bins)
            assert histograms(context)[number] == pytest.approx(expected, abs=1e-6)


def _boards(deal, round) -> int:
    left = deal.cards - deal.hole
    return len(list(combinations(range(left), deal.shown(round))))


def test_strengths_before_the_flop_are_those_of_classes():
    context = context_of(DealRules(), 0)
    names = [class_names()[cell] for cell in _cells(context)]
    for name, hand in (("AA", "AsAd"), ("72o", "7s2d"), ("AKs", "AsKs")):
        number = names.index(name)
        exact = strength(hand)
        assert means(context)[number] == pytest.approx([exact.ehs, exact.ehs2])
        assert histograms(context)[number] == pytest.approx(exact.histogram, abs=1e-6)
    assert scores(context, squared=False).mass.sum() == 1326


def _cells(context):
    return _features._cells(context)


@pytest.mark.parametrize(
    "spec", ["leduc", "leduc:ranks=5,suits=3", "rhode_island:ranks=3,suits=2,cap=1"]
)
@pytest.mark.parametrize("squared", ["true", "false"])
@pytest.mark.parametrize(("recall", "name"), [("true", "history"), ("false", "percentile")])
def test_percentiles_are_those_of_the_other_maker(spec, squared, recall, name):
    """Two routes: `abstraction/percentile.py` walks the hands of the form."""
    form = rl.sequence_form(spec)
    other = rl.abstract(form, f"percentile:buckets=2,squared={squared},recall={recall}")
    rounds = [f"{one}={name}:2,squared={squared}" for one in deal_rules(spec).rounds]
    mine = hand_map(spec, ",".join(rounds)).abstraction(form).maps[0]
    assert mine.counts == other.maps[0].counts
    for one, two in zip(mine.rows, other.maps[0].rows, strict=True):
        assert np.array_equal(one, two)


def test_nested_percentiles():
    found = hand_map(SMALL, "preflop=percentile:3,flop=nested:3x2,turn=nested:3x2")
    outer = hand_map(SMALL, "preflop=percentile:3,flop=percentile:3,squared=true,turn=percentile:6")
    assert found.rounds[2].digest == outer.rounds[2].digest
    weights, strengths = hand_weights(found.rounds[1].index), means(context_of(SMALL, 1))
    pairs = set(zip(found.rounds[1].labels.tolist(), outer.rounds[1].labels.tolist(), strict=True))
    assert len(pairs) == found.counts[1] == 6  # each bucket is within one of the outer ones
    for one in range(3):
        mine = [inner for inner, top in pairs if top == one]
        low, high = sorted(mine)
        parts = [strengths[found.rounds[1].labels == inner, 0] for inner in (low, high)]
        assert parts[0].max() < parts[1].min()
        mass = [weights[found.rounds[1].labels == inner].sum() for inner in (low, high)]
        assert 0.2 < mass[0] / sum(mass) < 0.8


def test_history_needs_the_previous_round():
    found = hand_map(SMALL, "preflop=percentile:3,flop=history:2,turn=history:2")
    assert found.counts == (3, 6, 12)
    assert [one.remembers for one in found.rounds] == [False, True, True]
    # Every bucket has one parent.
    parents = {}
    for board in permutations(range(9), 4):
        if board[0] < board[1] < board[2] and board[0] < 3:
            buckets = found.buckets([(), board[:3], board[3:]])
            for before, now in zip(buckets[1].tolist(), buckets[2].tolist(), strict=True):
                if now >= 0:
                    assert parents.setdefault(now, before) == before
    assert set(parents) == set(range(12))


def test_history_on_a_sample_of_boards(monkeypatch):
    """Levels that were not met have a bucket as well, and everything is remembered."""
    monkeypatch.setattr(_histories, "MOST_BOARDS", 6)
    found = hand_map(SMALL, "preflop=percentile:3,flop=history:2,turn=history:2")
    rows = [row.tolist() for row in found.rounds[2].pairs]
    assert len(rows) == 6
    assert sum(len(set(row)) for row in rows) == found.counts[2] > 6  # no bucket of two parents
    assert all(row == sorted(row) for row in rows)
    whole = hand_map(
        SMALL, "preflop=percentile:3,flop=history:2,turn=history:2,squared=true", seed=1
    )
    assert found.fingerprint != whole.fingerprint  # other boards, other shares


def test_sizes_of_buckets(tmp_path):
    found = hand_map("leduc", "preflop=lossless,flop=percentile:2")
    preflop, flop = bucket_sizes(found, boards=50)
    assert preflop.tolist() == pytest.approx([1 / 3] * 3)
    assert flop.sum() == pytest.approx(1)
    counts = np.zeros(2)
    for board in range(6):
        buckets = found.buckets([(), (board,)])[1]
        counts += np.bincount(buckets[buckets >= 0], minlength=2)
    assert flop == pytest.approx(counts / counts.sum(), abs=0.05)
    axes = found.plot(tmp_path / "x.png").axes
    assert [one.get_title() for one in axes] == ["preflop: 3 buckets", "flop: 2 buckets"]
    assert_drawn(tmp_path / "x.png")


def test_equities_against_clusters_of_small_decks():
    context, starting = context_of(SMALL, 2), SMALL.index(0)
    clusters = ochs._clusters(context, 3)
    strengths = means(context_of(SMALL, 0))[:, 0]
    weights = hand_weights(starting)
    mean = [np.average(strengths[clusters == k], weights=weights[clusters == k]) for k in range(3)]
    assert (np.diff(mean) > 0).all()
    vectors = ochs._vectors(context, clusters)
    for number in (0, 17, 80):
        cards = context.index.cards([number])[0].tolist()
        ((_, rivals),) = slow_strengths(SMALL, tuple(cards[:2]), tuple(cards[2:]))
        shares: dict[int, list[float]] = {}
        for other, share in rivals.items():
            shares.setdefault(int(clusters[starting.index([other])[0]]), []).append(share)
        expected = [np.mean(shares.get(k, 0.5)) for k in range(3)]
        assert vectors[number] == pytest.approx(expected, abs=1e-6)


def test_rivers_of_holdem_hand_by_hand():
    """Both kernels on one board, against the functions for single hands."""
    deal = DealRules()
    index, cards = deal.index(3), holdings().astype(np.int64)
    board = np.array([read_cards("Td9d6hQc2s")], np.int64)
    halves = np.zeros(index.size, np.uint16)
    river_halves(hand_tables(7), index.tables, board, cards, halves)
    groups = opponent_clusters(8)
    rng = np.random.default_rng(0)
    rows = rng.random((70, 8)).astype(np.float32)
    nearest, centres = np.zeros(index.size, np.uint16), arranged(rows, False)
    cluster = by_holding(groups)
    river_clusters(hand_tables(7), index.tables, board, cards, cluster, centres, nearest)
    for hand in ("AsKd", "6s6c", "2c3c", "QdJd"):
        held = read_cards(hand)
        number = int(index.index([[*held, *board[0]]])[0])
        assert halves[number] / HALVES == pytest.approx(strength(held, board[0].tolist()).ehs)
        vector = cluster_strengths(held, board[0].tolist(), groups)
        assert nearest[number] == ((rows - vector) ** 2).sum(axis=1).argmin()
    sample = ochs._sample(SimpleNamespace(seed=1, round=3, report=lambda *_: None), cluster, 8, 2)
    assert sample.shape == (2 * 1081, 8)
    assert 0.3 < sample.mean() < 0.7


def test_boards_of_a_sample_are_drawn_as_often_as_they_are_dealt(monkeypatch):
    """A board stands for all that differ from it in the names of suits only."""
    boards = np.array([read_cards(text) for text in ("Td9d6hQc2s", "AsKsQsJs9s", "2c2d7h7s8c")])
    weights, cluster = np.array([2, 5, 13]), by_holding(np.arange(CLASSES) % 3)
    context = SimpleNamespace(seed=0, round=3, report=lambda *_: None)
    drawn, known = np.zeros(3), []
    for board in boards:
        monkeypatch.setattr(ochs, "river_boards", lambda one=board: (one[None], np.ones(1)))
        known.append(ochs._sample(context, cluster, 3, 1))
    monkeypatch.setattr(ochs, "river_boards", lambda: (boards, weights))
    for context.seed in range(400):
        vectors = ochs._sample(context, cluster, 3, 1)
        drawn += [np.array_equal(vectors, one) for one in known]
    assert drawn.sum() == 400
    np.testing.assert_allclose(drawn / 400, weights / weights.sum(), rtol=0, atol=0.08)


def test_hands_of_rivers_are_weighed_by_boards(tmp_path, monkeypatch):
    """As many as there are, hand by hand; on any number of threads."""
    index = HandIndex((5,), 13, 4)
    boards = index.cards(np.arange(0, index.size, 30_000)).astype(np.int64)
    weights = np.arange(1, len(boards) + 1)
    monkeypatch.setattr(_rivers, "river_boards", lambda: (boards, weights))
    monkeypatch.setattr(_rivers, "PART", 2)
    context = context_of(DealRules(), 3, tmp_path)
    halves = np.zeros(context.index.size, np.uint16)
    expected = np.zeros(HALVES + 1)
    for board, weight in zip(boards.tolist(), weights, strict=True):
        live = [hand for hand in combinations(range(52), 2) if not set(hand) & set(board)]
        numbers = context.index.index([[*hand, *board] for hand in live])
        halves[numbers] = numbers % (HALVES + 1)
        expected += np.bincount(halves[numbers], minlength=HALVES + 1) * weight
    for threads in (1, 2):
        found = _rivers._mass(replace(context, threads=threads), halves)
        assert found.tolist() == expected.tolist()


def test_a_pass_over_rivers_is_resumed(monkeypatch, tmp_path):
    boards = np.arange(200)[:, None]
    monkeypatch.setattr(_rivers, "river_boards", lambda: (boards, np.ones(200)))
    monkeypatch.setattr(_rivers, "CHUNK", 4)
    monkeypatch.setattr(_unfinished, "TASKS", 2)
    monkeypatch.setattr(_unfinished, "interrupted", lambda: len(seen) > 50)
    seen: list[int] = []

    def work(part, out):
        seen.extend(part[:, 0].tolist())
        out[part[:, 0]] = part[:, 0] + 1

    def report(stage, done, news=""):
        if len(seen) > 50:
            raise Interrupted("stopped")

    fake = SimpleNamespace(folder=tmp_path, index=SimpleNamespace(size=200), threads=2)
    fake.report = report
    with pytest.raises(Interrupted):
        _rivers.over_rivers(fake, "test", np.uint16, work)
    first = sorted(seen)
    fake.report, seen[:] = (lambda *_: None), []
    monkeypatch.setattr(_unfinished, "interrupted", lambda: False)
    found = _rivers.over_rivers(fake, "test", np.uint16, work)
    assert found.tolist() == list(range(1, 201))
    assert not set(first) & set(seen)
    # A damaged file costs time, not the result.
    (tmp_path / "hands.npy").write_bytes(b"damaged")
    assert _rivers.over_rivers(fake, "test", np.uint16, work).tolist() == found.tolist()


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_equal_rows_are_merged(data):
    size = data.draw(st.integers(1, 5))
    rows = data.draw(
        st.lists(st.lists(st.integers(0, 2), min_size=size, max_size=size), min_size=1)
    )
    kind = data.draw(st.sampled_from([np.uint8, np.float32]))
    given_rows = np.array(rows, kind)
    weights = np.arange(1, len(rows) + 1)
    found = distinct(given_rows, weights)
    assert np.array_equal(found.rows[found.own], given_rows)
    assert len(found.rows) == len({tuple(row) for row in rows})
    for place, row in enumerate(found.rows.tolist()):
        mass = sum(
            w for w, r in zip(weights.tolist(), given_rows.tolist(), strict=True) if r == row
        )
        assert found.mass[place] == mass


def test_rows_with_equal_hashes_are_not_merged(monkeypatch):
    real, calls = _clusters._hashes, []

    def poor(rows, seed):
        calls.append(seed)
        return real(rows, seed) if seed else np.zeros(len(rows), np.uint64)

    monkeypatch.setattr(_clusters, "_hashes", poor)
    rows = np.array([[1, 2], [2, 1], [1, 2]], np.uint8)
    assert len(distinct(rows, np.ones(3)).rows) == 2
    assert calls == [0, 1]


def test_clusters_are_resumed(monkeypatch, tmp_path):
    rng = np.random.default_rng(0)
    rows, mass = rng.random((400, 6)).astype(np.float32), rng.integers(1, 5, 400).astype(float)
    options = {"metric": "euclidean", "starts": 2, "iterations": 30}
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    whole = clustered(context_of(SMALL, 1, tmp_path / "a"), rows, mass, 40, **options)
    context = context_of(SMALL, 1, tmp_path / "b")
    calls = []

    def stop(self):
        calls.append(1)
        if len(calls) == 2:
            raise Interrupted("stopped")

    monkeypatch.setattr(Context, "check", stop)
    with pytest.raises(Interrupted):
        clustered(context, rows, mass, 40, **options)
    again = clustered(context, rows, mass, 40, **options)
    assert np.array_equal(again.own, whole.own)
    assert len(calls) > 2
    # The starts are not repeated: there is a file.
    assert (tmp_path / "b" / "centres.npy").exists()


def test_starts_on_a_sample(monkeypatch, tmp_path):
    """The sample is drawn by weight; rows without weight never matter."""
    monkeypatch.setattr(_clusters, "SAMPLE", 3)
    rows = np.concatenate([np.zeros((50, 2)), np.ones((50, 2)), np.full((50, 2), 9.0)])
    mass = np.repeat([1.0, 1.0, 1e-12], 50)
    found = clustered(
        context_of(SMALL, 1, tmp_path), rows.astype(np.float32), mass, 2,
        metric="euclidean", starts=3, iterations=1,
    )  # fmt: skip
    assert found.own[0] != found.own[50] == found.own[100]


def test_clusters_by_strength():
    own = np.array([3, 0, 3, 1], np.int32)
    found, count = by_strength(own, np.array([0.5, 0.9, 0.7, 0.2]), np.array([1.0, 1.0, 3.0, 1.0]))
    assert (found.tolist(), count) == ([1, 2, 1, 0], 3)


def test_buckets_are_numbered_from_weak_to_strong():
    for by in ("distribution:4", "percentile:4"):
        found = hand_map(SMALL, f"preflop=lossless,flop={by},turn={by}")
        for round in (1, 2):
            strengths, labels = means(context_of(SMALL, round))[:, 0], found.rounds[round].labels
            weights = hand_weights(found.rounds[round].index)
            mean = [
                np.average(strengths[labels == k], weights=weights[labels == k])
                for k in range(found.counts[round])
            ]
            assert found.counts[round] == 4
            assert (np.diff(mean) > 0).all()


def test_finished_rounds_are_kept(monkeypatch, tmp_path):
    made = []
    real = _composition.round_maker

    def watched(name):
        def make(context, **given):
            made.append(context.name)
            if broken and context.name == broken[0]:
                raise broken[1]
            return real(name)(context, **given)

        make.__signature__ = __import__("inspect").signature(real(name), eval_str=True)
        return make

    broken: list[object] = ["turn", Interrupted("turn: stopped")]
    monkeypatch.setattr(_composition, "round_maker", watched)
    place, by = tmp_path / "x.map", "preflop=percentile:2,flop=history:2,turn=percentile:3"
    with pytest.raises(Interrupted):
        hand_map(SMALL, by, out=place)
    assert made == ["preflop", "flop", "turn"]
    with pytest.raises(BadFile, match="not finished"):
        rl.abstraction.load_hand_map(place)
    # A full disk is no different.
    broken[1] = BadFile(place / "turn.npy", "cannot be written: No space left on device")
    with pytest.raises(BadFile, match="No space left"):
        hand_map(SMALL, by, out=place)
    assert made[3:] == ["turn"]
    broken.clear()
    made.clear()
    found = hand_map(SMALL, by, out=place)
    assert made == ["turn"]
    assert found.fingerprint == hand_map(SMALL, by).fingerprint
    assert not (place / "work").exists()
    for change, again in [
        (by, []),
        (by.replace("percentile:3", "percentile:4"), ["turn"]),
        (by.replace("percentile:2", "percentile:3"), ["preflop", "flop", "turn"]),
    ]:
        made.clear()
        found = hand_map(SMALL, change, out=place)
        assert made == again
        assert rl.abstraction.load_hand_map(place).fingerprint == found.fingerprint
    made.clear()
    hand_map(SMALL, by, out=place, seed=1)  # another seed is another recipe
    assert made == ["preflop", "flop", "turn"]
    made.clear()
    damaged = json.loads((place / "flop.json").read_text())
    (place / "flop.json").write_text(json.dumps({**damaged, "count": -1}))
    hand_map(SMALL, by, out=place, seed=1)
    assert made == ["flop"]


def test_rounds_that_wait_for_each_other(monkeypatch):
    def make(context):
        other = context.following if context.round == 0 else context.earlier[-1]
        return RoundMap(context.index, other.count)

    monkeypatch.setattr(_composition, "round_maker", lambda name: make)
    with pytest.raises(BadParameter, match="preflop needs flop needs preflop"):
        hand_map(LEDUC, "preflop=a,flop=b")
    monkeypatch.setattr(_composition, "round_maker", lambda name: lambda context: context.following)
    with pytest.raises(BadParameter, match="a round that does not exist"):
        hand_map(DealRules(3, 1, 1, (0,)), "preflop=a")


def test_what_is_refused():
    with pytest.raises(Unsuitable, match="flop=ochs: only the last round"):
        hand_map(SMALL, "preflop=lossless,flop=ochs:3,turn=lossless")
    with pytest.raises(TooLarge, match="too many to be enumerated"):
        hand_map(DealRules(12, 4), "preflop=percentile:3,flop=lossless,turn=lossless,river=ochs:9")
    for deal in ((14, 4), (13, 5), (13, 4, 3), (13, 4, 2, (0, 3, 2, 1)), (2, 2, 2, (3,))):
        with pytest.raises(BadParameter):
            DealRules(*deal)
    with pytest.raises(Unsuitable, match="is not a poker game"):
        deal_rules("rps")
