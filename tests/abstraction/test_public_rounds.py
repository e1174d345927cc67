"""Public buckets against plain enumeration, on small decks."""

from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from regretless.abstraction._board_distances import board_distances
from regretless.abstraction._clustering import k_means, k_medoids
from regretless.abstraction._composition import hand_map
from regretless.abstraction._deal_rules import DealRules
from regretless.abstraction._hand_pictures import board_traits
from regretless.abstraction._public_buckets import public_buckets
from regretless.abstraction.rounds import public
from regretless.abstraction.rounds._board_hands import BoardHands, transition_tables
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._small_decks import BINS, showdowns
from regretless.cards.hand_index import HandIndex
from regretless.core.errors import BadParameter, Unsuitable

DEAL = DealRules(4, 2, 2, (0, 2, 1))


def made(flop, deal=DEAL, **options):
    words = {"preflop": "lossless", "flop": flop, "turn": "lossless"}
    return hand_map(deal, ",".join(f"{r}={words[r]}" for r in deal.rounds), **options)


def first_of(board, deal=DEAL):
    """The same board with suits renamed so that it comes first."""
    renamed = []
    for names in permutations(range(deal.suits)):
        cards = [card // deal.suits * deal.suits + names[card % deal.suits] for card in board]
        renamed.append(tuple(sorted(cards)))
    return min(renamed)


@cache
def strengths(deal=DEAL):
    """[final board as a set][hand] the share of rivals that it beats."""
    found = {}
    for one in showdowns(deal):
        halves, most = one.halves, one.meets.sum(axis=1)
        for names in permutations(range(deal.suits)):
            change = [
                c // deal.suits * deal.suits + names[c % deal.suits] for c in range(deal.cards)
            ]
            board = frozenset(change[card] for card in one.board.tolist())
            for hand, won, met in zip(deal.hands.tolist(), halves, most, strict=True):
                if met:
                    found[board, frozenset(change[card] for card in hand)] = won / (2 * met)
    return found


def histogram(hand, board, deal=DEAL):
    """Plain: all final boards that a hand on a board can see."""
    rest = set(range(deal.cards)) - set(hand) - set(board)
    bins = np.zeros(BINS)
    for more in combinations(sorted(rest), sum(deal.board) - len(board)):
        strength = strengths(deal)[frozenset((*board, *more)), frozenset(hand)]
        bins[min(int(strength * BINS + 1e-9), BINS - 1)] += 1
    return bins / bins.sum()


def plain_distance(one, other, by):
    """All hands of both boards, and the best assignment between them."""
    rows = []
    for board in (one, other):
        hands = list(combinations(sorted(set(range(DEAL.cards)) - set(board)), 2))
        rounds = [()] if by == "history" else []
        rows.append(
            [np.cumsum([histogram(hand, b) for hand in hands], axis=1) for b in (*rounds, board)]
        )
    costs = np.sqrt(sum(abs(x[:, None] - y).sum(axis=2) ** 2 for x, y in zip(*rows, strict=True)))
    return costs[linear_sum_assignment(costs)].mean()


def partition(map, deal=DEAL):
    """The boards of every public bucket, by cards."""
    found = public_buckets(map, 1)
    cards = [tuple(board) for board in found.boards.cards(np.arange(found.boards.size)).tolist()]
    groups = {}
    for board, own in zip(cards, found.own.tolist(), strict=True):
        groups.setdefault(own, set()).add(first_of(board, deal))
    return {frozenset(group) for group in groups.values()}


@pytest.mark.parametrize("by", ["history", "distribution"])
def test_boards_are_gathered_around_the_best_medoids(by):
    boards = sorted({first_of(board) for board in combinations(range(DEAL.cards), 2)})
    weights = [
        sum(first_of(one) == board for one in combinations(range(DEAL.cards), 2))
        for board in boards
    ]
    distances = np.array([[plain_distance(a, b, by) for b in boards] for a in boards])
    totals = {
        chosen: float(weights @ distances[:, list(chosen)].min(axis=1))
        for chosen in combinations(range(len(boards)), 3)
    }
    best = min(totals, key=totals.get)
    nearest = distances[:, list(best)].argmin(axis=1)
    expected = {
        frozenset(b for b, own in zip(boards, nearest, strict=True) if own == k) for k in range(3)
    }
    assert partition(made(f"public:3x1,by={by},spread=0")) == expected


def test_a_sample_of_boards_finds_similar_buckets():
    deal = DealRules(4, 3, 2, (0, 3, 1))
    whole = made("public:4x1", deal)
    assert partition(made("public:4x1,sample=3000", deal), deal) == partition(whole, deal)
    some = made("public:4x1,sample=12", deal)
    assert some.counts == whole.counts
    assert some.fingerprint != whole.fingerprint
    assert made("public:4x1,sample=1", deal).counts == whole.counts  # as many as buckets are drawn


def test_ways_to_compare_boards_differ():
    deal = DealRules(4, 3, 2, (0, 3, 1))
    maps = [made(f"public:4x3,by={by}", deal) for by in ("history", "distribution", "transitions")]
    assert len({map.fingerprint for map in maps}) == 3


def test_transition_tables_by_hand():
    """Rows of the table of every board, from buckets that are computed one by one."""

    context = Context(DEAL, 1, None, None)
    hands = BoardHands(context, ordered=True)
    total = hands.weights * hands.board_weights[hands.board]
    tables = transition_tables(
        context, (hands.rows(0), hands.rows(1)), hands.board, hands.weights, total, 2
    )

    def expected(hand, board):
        rest = sorted(set(range(8)) - set(hand) - set(board))
        finals = [frozenset((*board, *more)) for more in combinations(rest, 3 - len(board))]
        return round(float(np.mean([strengths()[one, frozenset(hand)] for one in finals])), 9)

    def half(values):
        """[value] 0 for the lower half of a list with repetitions, 1 for the upper one."""
        ranked = sorted(values)
        return {
            v: int((ranked.index(v) + ranked.count(v) / 2) / len(ranked) >= 0.5) for v in values
        }

    pairs = list(combinations(range(8), 2))
    early = half([expected(hand, ()) for hand in pairs])
    dealt = [(hand, board) for board in pairs for hand in pairs if not set(hand) & set(board)]
    late = [
        half([expected(h, b) for h, b in dealt if early[expected(h, ())] == row]) for row in (0, 1)
    ]
    for number, board in enumerate(hands.boards.cards(np.arange(hands.boards.size)).tolist()):
        counts = np.zeros((2, 2))
        for hand in pairs:
            if not set(hand) & set(board):
                row = early[expected(hand, ())]
                counts[row, late[row][expected(hand, board)]] += 1
        shares = counts / np.maximum(counts.sum(axis=1), 1)[:, None]
        assert tables[number].tolist() == pytest.approx(shares.ravel().tolist(), abs=1e-6)


@pytest.mark.parametrize("by", ["history", "distribution", "transitions"])
def test_private_buckets_stay_within_their_public_bucket(by):
    deal = DealRules(4, 3, 2, (0, 3, 1))
    map = made(f"public:4x3,by={by}", deal)
    found = public_buckets(map, 1)
    assert found.buckets.tolist() == [3, 3, 3, 3]
    assert sorted(set(found.own.tolist())) == [0, 1, 2, 3]
    assert found.weights.sum() == 220
    sizes = np.bincount(found.own, found.weights)
    assert (np.diff(sizes) <= 0).all()
    # Private buckets go from weak to strong: on every board, in the order of mean strength.
    boards = found.boards.cards(np.arange(found.boards.size)).tolist()
    seen = {}
    for own, board in zip(found.own.tolist(), boards, strict=True):
        for hand, bucket in zip(deal.hands.tolist(), map.buckets([(), board])[1], strict=True):
            if bucket >= 0:
                seen.setdefault(own, {}).setdefault(int(bucket), []).append(
                    histogram(hand, board, deal) @ np.arange(BINS)
                )
    for buckets in seen.values():
        means = [np.mean(buckets[bucket]) for bucket in sorted(buckets)]
        assert means == sorted(means)
        assert max(buckets) - min(buckets) == len(buckets) - 1


def test_later_rounds_compare_boards_by_all_earlier_ones():
    deal = DealRules(3, 2, 2, (0, 2, 1))
    spec = "preflop=lossless,flop=lossless,turn=public:6x1,spread=0"
    map = hand_map(deal, spec)
    assert map.rounds[2].index.rounds == (2, 2, 1)  # the turn card is told from the flop
    again = hand_map(deal, spec.replace("spread=0", "by=distribution"))
    assert again.rounds[2].index.rounds == (2, 3)


def test_boards_and_hands_count_as_often_as_they_are_dealt(monkeypatch):
    seen = {"boards": [], "hands": [], "spread": []}

    def medoids(distances, count, *, weights, **options):
        seen["boards"].append(weights.tolist())
        return k_medoids(distances, count, weights=weights, **options)

    def means(rows, count, *, weights, **options):
        seen["hands"].append(weights.sum())
        return k_means(rows, count, weights=weights, **options)

    def distances(sets, *, spread, **options):
        seen["spread"].append(spread)
        return board_distances(sets, spread=spread, **options)

    monkeypatch.setattr(public, "k_medoids", medoids)
    monkeypatch.setattr(public, "k_means", means)
    monkeypatch.setattr(public, "board_distances", distances)
    boards = HandIndex((2,), 4, 2)
    cards = boards.cards(np.arange(boards.size)).tolist()
    dealt = [first_of(board) for board in combinations(range(8), 2)]
    for by in ("history", "distribution"):
        made(f"public:3x2,by={by},spread=0.25")
        assert seen["boards"][-1] == [dealt.count(first_of(board)) for board in cards]
    assert len(seen["hands"]) == 6
    assert sum(seen["hands"]) == 2 * 28 * 15  # boards of two cards, and hands on each
    assert seen["spread"] == [0.5, 0.25]  # per round


def test_one_public_bucket_is_a_map_without_public_buckets():
    map = made("public:1x5,starts=3")
    plain = made("distribution:5,starts=3")
    assert map.counts == plain.counts
    assert len(partition(map)) == 1
    assert len(partition(plain)) == 1


def test_more_public_buckets_than_boards_are_one_each():
    boards = HandIndex((2,), 4, 2).size
    map = made("public:2000x1")
    assert map.counts[1] == boards
    assert len(partition(map)) == boards


def test_refusals():
    with pytest.raises(BadParameter, match=r"by=colour: must be history, distribution or"):
        made("public:2x2,by=colour")
    with pytest.raises(Unsuitable, match="preflop=public: there is no board yet"):
        hand_map(DEAL, "preflop=public:2x2,flop=lossless,turn=lossless")
    spec = "preflop=lossless,flop=lossless,turn=public:2x2,river=lossless"
    with pytest.raises(Unsuitable, match="turn=public: 63,193 boards, must be at most 3,000"):
        hand_map("holdem_nolimit", spec)
    with pytest.raises(Unsuitable, match="preflop: there is no board yet"):
        public_buckets(made("public:2x2"), 0)


def test_traits_of_boards_are_shares_of_actual_boards():
    deal = DealRules(4, 3, 2, (0, 3, 1))
    map = made("public:3x2", deal)
    found = board_traits(map, 1)
    groups, own = public_buckets(map, 1), {}
    for number, board in enumerate(groups.boards.cards(np.arange(groups.boards.size)).tolist()):
        own[first_of(board, deal)] = groups.own[number]
    counts = np.zeros((3, 10))
    for board in combinations(range(12), 3):
        ranks, suits = [c // 3 for c in board], [c % 3 for c in board]
        row = counts[own[first_of(board, deal)]]
        row[max(suits.count(suit) for suit in suits) - 1] += 1
        row[3 + 3 - len(set(ranks))] += 1
        row[6 + 3 - max(ranks)] += 1
    sizes = counts[:, :3].sum(axis=1)
    assert found.sizes.tolist() == pytest.approx((sizes / sizes.sum()).tolist())
    assert found.shares == pytest.approx(counts / sizes[:, None])
    assert found.names[:7] == (
        "rainbow", "two-tone", "monotone", "unpaired", "pair", "trips", "A high",
    )  # fmt: skip
    assert found.names[-1] == "J high"
    for group, text in enumerate(found.examples):
        for board in text.split():
            assert own[first_of(deal.read(board, "board"), deal)] == group


def test_picture_of_boards(tmp_path):
    map = made("public:3x2")
    figure = map.plot_boards(tmp_path / "boards.png")
    assert (tmp_path / "boards.png").read_bytes()[:4] == b"\x89PNG"
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert [label.split(":")[0] for label in labels] == ["1", "2", "3"]
    assert all(label.endswith("2 buckets") for label in labels)
    with pytest.raises(Unsuitable, match="no round has public buckets"):
        hand_map(DEAL, "preflop=lossless,flop=distribution:3,turn=distribution:3").plot_boards()
