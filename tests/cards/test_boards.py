"""Boards and hands up to renaming of suits, against published counts and slow twins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.cards.boards import (
    RoundBoards,
    canonical,
    compatible,
    expanded,
    lane_of,
    levels,
    sizes,
)
from regretless.core.errors import BadParameter, TooLarge

Cards = tuple[int, ...]
Rounds = tuple[Cards, ...]
MOST_BOARDS = 2500  # actual boards that a twin goes through


class Deck(NamedTuple):
    ranks: int
    suits: int
    hole: int
    board: tuple[int, ...]

    @property
    def cards(self) -> int:
        return self.ranks * self.suits

    def boards(self, rounds: int) -> int:
        """How many actual boards there are after a number of rounds."""
        return prod(comb(self.cards - sum(self.board[:r]), self.board[r]) for r in range(rounds))

    def levels(self, **options: Any) -> tuple[RoundBoards, ...]:
        return levels(**self._asdict(), **options)


HOLDEM = Deck(13, 4, 2, (0, 3, 1, 1))
# Lanes in every round, then boards, and the source.
PUBLISHED = [
    (Deck(13, 4, 1, (0, 1, 1)), [13, 325, 9_997], [1, 13, 325], "well known"),
    (
        HOLDEM,
        [169, 1_286_792, 55_190_538, 2_428_287_420],
        [1, 1_755, 63_193, 2_554_656],
        "Waugh 2013 for lanes; boards after the flop are our count",
    ),
]
SMALL = [
    Deck(3, 4, 2, (0, 3, 1)),
    Deck(3, 3, 2, (0, 2, 1)),
    Deck(2, 4, 3, (2, 0, 2)),
    Deck(3, 2, 2, (0, 3, 1)),
    Deck(5, 1, 2, (1, 1)),
    Deck(4, 2, 1, (0, 1, 1, 1)),
    Deck(1, 4, 1, (1, 0, 1)),
    Deck(2, 4, 2, (3, 1, 1)),
]


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    ranks, suits = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    hole = draw(st.integers(1, min(3, ranks * suits)))
    board: tuple[int, ...] = ()
    for _ in range(draw(st.integers(1, 4))):
        longer = Deck(ranks, suits, hole, (*board, draw(st.integers(0, 3))))
        fits = longer.hole + sum(longer.board) <= longer.cards
        if fits and longer.boards(len(longer.board)) <= MOST_BOARDS:
            board = longer.board
    return Deck(ranks, suits, hole, board or (0,))


@st.composite
def deals(draw: st.DrawFn) -> tuple[Deck, Rounds, Cards]:
    """A deck, an actual board after some rounds, and an actual hand."""
    deck = draw(decks())
    order = draw(st.permutations(range(deck.cards)))
    counts = deck.board[: draw(st.integers(1, len(deck.board)))]
    cuts = np.cumsum([0, *counts])
    rounds = tuple(tuple(order[a:b]) for a, b in pairwise(cuts))
    return deck, rounds, tuple(order[cuts[-1] : cuts[-1] + deck.hole])


class Twin:
    """The same classes, by trying every renaming of suits on everything."""

    def __init__(self, deck: Deck, *, isomorphic: bool = True) -> None:
        self.deck = deck
        renamings = list(permutations(range(deck.suits))) if isomorphic else [range(deck.suits)]
        self.maps = [
            [
                card // deck.suits * deck.suits + names[card % deck.suits]
                for card in range(deck.cards)
            ]
            for names in renamings
        ]

    def smallest(self, rounds: Rounds) -> Rounds:
        return min(
            tuple(tuple(sorted(cards[card] for card in dealt)) for dealt in rounds)
            for cards in self.maps
        )

    def boards(self, count: int) -> Counter[Rounds]:
        """Every class of boards after so many rounds, and how many actual ones it has."""
        actual = _sequences(range(self.deck.cards), self.deck.board[:count])
        return Counter(self.smallest(rounds) for rounds in actual)

    def hands(self, board: Rounds) -> Counter[Cards]:
        """Every class of hands on a representative board, and how many actual ones it has."""
        rest = [card for card in range(self.deck.cards) if all(card not in c for c in board)]
        return Counter(self.hand(board, hand) for hand in combinations(rest, self.deck.hole))

    def hand(self, board: Rounds, hand: Cards) -> Cards:
        return self.smallest((*board, hand))[-1]


def _sequences(cards: Any, counts: tuple[int, ...]) -> Iterator[Rounds]:
    if not counts:
        yield ()
        return
    for dealt in combinations(cards, counts[0]):
        rest = [card for card in cards if card not in dealt]
        for later in _sequences(rest, counts[1:]):
            yield (dealt, *later)


def tuples(hands: Any) -> list[Cards]:
    return [tuple(hand) for hand in hands.tolist()]


def check_against_twin(deck: Deck, *, isomorphic: bool = True) -> None:
    twin = Twin(deck, isomorphic=isomorphic)
    above: Counter[Rounds] = Counter({(): 1})
    for number, level in enumerate(deck.levels(isomorphic=isomorphic)):
        boards, parents = twin.boards(number + 1), sorted(above)
        assert [
            (*parents[parent], cards)
            for parent, cards in zip(level.parents, level.cards, strict=True)
        ] == sorted(boards)
        for index, board in enumerate(sorted(boards)):
            assert level.boards[index] == sum(board, ())
            assert level.weights[index] * above[board[:-1]] == boards[board]
            hands, before = twin.hands(board), sorted(twin.hands(board[:-1]))
            lanes = level.lanes(index)
            assert tuples(level.hands[lanes]) == sorted(hands)
            assert level.counts[lanes].tolist() == [hands[hand] for hand in sorted(hands)]
            assert [before[lane] for lane in level.above[lanes]] == [
                twin.hand(board[:-1], hand) for hand in sorted(hands)
            ]
        assert level.first[-1] == level.counts.size == len(level.hands) == level.above.size
        above = boards


@pytest.mark.parametrize("deck", SMALL, ids=str)
def test_same_as_trying_every_renaming(deck: Deck) -> None:
    check_against_twin(deck)


@settings(max_examples=25, deadline=None)
@given(decks(), st.booleans())
def test_same_as_trying_every_renaming_on_any_deck(deck: Deck, isomorphic: bool) -> None:
    check_against_twin(deck, isomorphic=isomorphic)


def test_published_sizes() -> None:
    for deck, lanes, boards, _ in PUBLISHED:
        counted = sizes(**deck._asdict())
        assert [size.lanes for size in counted] == lanes
        assert [size.boards for size in counted] == boards


@pytest.mark.parametrize(
    "deck", [PUBLISHED[0][0], HOLDEM._replace(board=(0, 3)), Deck(3, 4, 2, (0, 3, 1, 1))], ids=str
)
def test_large_decks_have_the_counted_sizes_and_every_deal(deck: Deck) -> None:
    found = deck.levels()
    assert sizes(**deck._asdict()) == tuple((len(one.boards), one.counts.size) for one in found)
    check_totals(deck, found)


@settings(max_examples=60, deadline=None)
@given(decks(), st.booleans())
def test_every_deal_is_counted_once(deck: Deck, isomorphic: bool) -> None:
    found = deck.levels(isomorphic=isomorphic)
    counted = sizes(**deck._asdict(), isomorphic=isomorphic)
    assert counted == tuple((len(one.boards), one.counts.size) for one in found)
    if not isomorphic:
        assert all((one.weights == 1).all() and (one.counts == 1).all() for one in found)
    check_totals(deck, found)


def check_totals(deck: Deck, found: tuple[RoundBoards, ...]) -> None:
    """Weights and counts add up to all actual boards and hands, below every parent."""
    actual = np.ones(1, dtype=np.int64)  # boards that each representative stands for
    for number, level in enumerate(found):
        dealt = sum(deck.board[:number])
        ways = comb(deck.cards - dealt, deck.board[number])
        assert np.bincount(level.parents, level.weights).tolist() == [ways] * actual.size
        actual = actual[level.parents] * level.weights
        assert actual.sum() == deck.boards(number + 1)
        hands = np.add.reduceat(level.counts, level.first[:-1])
        assert set(hands) == {comb(deck.cards - dealt - deck.board[number], deck.hole)}
        for fixing, weight in zip(level.stabilisers, actual, strict=True):
            assert len(fixing) * weight == len(level.permutations)  # orbit and stabiliser


def test_a_lane_splits_into_lanes_of_the_same_hand() -> None:
    """Summed over the next cards, the lanes below a lane stand for all that it can become."""
    deck = Deck(4, 3, 2, (0, 2, 1))
    found = deck.levels()
    for number, (before, after) in enumerate(pairwise(found)):
        owner = np.repeat(np.arange(len(after.boards)), np.diff(after.first))
        below = before.first[after.parents[owner]] + after.above
        ways = np.bincount(below, after.weights[owner] * after.counts)
        rest = deck.cards - deck.hole - sum(deck.board[: number + 1])
        assert ways.tolist() == (before.counts * comb(rest, deck.board[number + 1])).tolist()


@settings(max_examples=30, deadline=None)
@given(decks(), st.booleans(), st.data())
def test_expanded_and_compatible_hands(deck: Deck, isomorphic: bool, data: st.DataObject) -> None:
    twin = Twin(deck, isomorphic=isomorphic)
    number = data.draw(st.integers(0, len(deck.board) - 1))
    level = deck.levels(isomorphic=isomorphic)[number]
    board = data.draw(st.integers(0, len(level.boards) - 1))
    rest = [card for card in range(deck.cards) if card not in level.boards[board]]
    cuts = np.cumsum([0, *deck.board[: number + 1]])
    rounds = tuple(level.boards[board][a:b] for a, b in pairwise(cuts))
    shown = tuples(level.hands[level.lanes(board)])

    hands, lanes = expanded(level, board)
    assert tuples(hands) == list(combinations(rest, deck.hole))
    assert [shown[lane] for lane in lanes] == [twin.hand(rounds, hand) for hand in tuples(hands)]

    slow = np.zeros((len(shown), len(shown)), dtype=int)
    for first, hand in enumerate(shown):
        for other, lane in zip(tuples(hands), lanes, strict=True):
            slow[first, lane] += not set(hand) & set(other)
    assert compatible(level, board).tolist() == slow.tolist()


def test_compatible_hands_before_the_flop() -> None:
    level = HOLDEM._replace(board=(0,)).levels()[0]
    against = compatible(level, 0)
    assert set(against.sum(axis=1)) == {comb(50, 2)}
    flows = level.counts[:, None] * against
    assert (flows == flows.T).all()
    names = tuples(level.hands)
    aces, suited, offsuit = (names.index(hand) for hand in [(48, 49), (44, 48), (44, 49)])
    assert against[aces, [aces, suited, offsuit]].tolist() == [1, 2, 6]


@settings(max_examples=60, deadline=None)
@given(deals(), st.booleans())
def test_actual_boards_and_hands_find_their_class(
    deal: tuple[Deck, Rounds, Cards], isomorphic: bool
) -> None:
    deck, rounds, hand = deal
    twin = Twin(deck, isomorphic=isomorphic)
    found = deck.levels(isomorphic=isomorphic)
    level = found[len(rounds) - 1]
    board, permutation = canonical(found, rounds)
    moved = tuple(tuple(sorted(permutation[list(dealt)].tolist())) for dealt in rounds)
    assert permutation.tolist() in twin.maps
    assert moved == twin.smallest(rounds)
    assert level.boards[board] == sum(moved, ())
    assert lane_of(found, rounds, hand)[0] == board
    lane = level.lanes(board).start + lane_of(found, rounds, hand)[1]
    assert tuple(level.hands[lane]) == twin.hand(rounds, hand)


def test_a_real_flop_and_hand() -> None:
    found = HOLDEM._replace(board=(0, 3)).levels()
    # Ah Kh on Qh Jh 2c, and the same in other suits and another order.
    board, lane = lane_of(found, [(), (42, 38, 0)], (50, 46))
    assert lane_of(found, [(), (1, 36, 40)], (44, 48)) == (board, lane)
    assert lane_of(found, [(), (1, 36, 40)], (46, 50)) != (board, lane)
    assert found[1].boards[board] == (0, 37, 41)
    assert tuple(found[1].hands[found[1].lanes(board)][lane]) == (45, 49)
    assert found[1].weights[board] == 12


@pytest.mark.parametrize(
    ("kinds", "copies", "board"),
    [(3, 2, (0, 1)), (3, 3, (0, 2, 1)), (2, 2, (2, 1)), (2, 3, (3,)), (4, 2, (1, 0, 2))],
)
def test_equal_copies_against_a_deck_of_actual_cards(
    kinds: int, copies: int, board: tuple[int, ...]
) -> None:
    found = levels(ranks=kinds, suits=1, hole=1, board=board, copies=copies)
    deck = range(kinds * copies)  # actual cards; a kind is card // copies
    above: Counter[Rounds] = Counter({(): 1})
    for number, level in enumerate(found):
        actual: Counter[Rounds] = Counter()
        left: dict[Rounds, Counter[int]] = {}
        for rounds in _sequences(deck, board[: number + 1]):
            folded = tuple(tuple(card // copies for card in dealt) for dealt in rounds)
            actual[folded] += 1
            left[folded] = Counter(c // copies for c in deck if c not in sum(rounds, ()))
        assert len(level.boards) == len(actual)
        for index, rounds in enumerate(sorted(actual)):
            lanes, rest = level.lanes(index), left[rounds]
            assert sorted(above)[level.parents[index]] == rounds[:-1]
            assert (level.cards[index], level.boards[index]) == (rounds[-1], sum(rounds, ()))
            assert level.weights[index] * above[rounds[:-1]] == actual[rounds]
            assert level.hands[lanes].ravel().tolist() == sorted(rest)
            assert level.counts[lanes].tolist() == [rest[kind] for kind in sorted(rest)]
            expected = [[rest[b] - (a == b) for b in sorted(rest)] for a in sorted(rest)]
            assert compatible(level, index).tolist() == expected
            for lane, kind in enumerate(sorted(rest)):
                assert lane_of(found, [*rounds], [kind]) == (index, lane)
            before = Counter(c // copies for c in deck) - Counter(sum(rounds[:-1], ()))
            assert [sorted(before)[lane] for lane in level.above[lanes]] == sorted(rest)
        above = actual


def test_folding_suits_away_keeps_the_probabilities() -> None:
    """Copies are suits that are not looked at: the weights of equal kinds add up."""
    folded = levels(ranks=3, suits=1, hole=1, board=(0, 2), copies=4)[1]
    suited = levels(ranks=3, suits=4, hole=1, board=(0, 2))[1]
    weights: Counter[Cards] = Counter()
    for cards, weight in zip(suited.cards, suited.weights, strict=True):
        weights[tuple(card // 4 for card in cards)] += int(weight)
    assert dict(zip(folded.cards, folded.weights.tolist(), strict=True)) == dict(weights)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"board": (0, 5, 6)}, r"cards of the deck=12: must be 13 to 62"),
        ({"hole": 4}, r"hole cards=4: must be 1 to 3"),
        ({"suits": 5}, r"suits=5: must be 1 to 4"),
        ({"copies": 2}, "one hole card"),
        ({"copies": 2, "hole": 1, "isomorphic": False}, "isomorphic=False"),
        ({"copies": 2, "hole": 1, "board": (6,)}, r"cards of the deck=6: must be 7"),
        ({"copies": 0, "hole": 1}, "copies=0"),
        ({"board": (0, -1)}, "board cards of round 2=-1"),
    ],
)
def test_bad_decks_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        levels(**{"ranks": 3, "suits": 4, "hole": 2, "board": (0, 3), **change})


@pytest.mark.parametrize(
    ("rounds", "hand", "message"),
    [
        ([(), (1, 2, 3), (4,)], (5, 6), r"3 rounds of cards: must be 1 to 2"),
        ([], (5, 6), r"0 rounds of cards: must be 1 to 2"),
        ([(), (1, 2, 2)], (5, 6), "no such board"),
        ([(), (1, 2)], (5, 6), "no such board"),
        ([(), (1, 2, 12)], (5, 6), r"card=12: must be 0 to 11"),
        ([(), (1, 2, -1)], (5, 6), r"card=-1: must be 0 to 11"),
        ([(), (1, 2, 3)], (5, 3), "hand .5, 3.: not possible"),
        ([(), (1, 2, 3)], (5, 5), "hand .5, 5.: not possible"),
        ([(), (1, 2, 3)], (5,), r"hole cards=1: must be 2"),
    ],
)
def test_bad_deals_are_refused(rounds: list[Cards], hand: Cards, message: str) -> None:
    found = Deck(3, 4, 2, (0, 3)).levels()
    with pytest.raises(BadParameter, match=message):
        lane_of(found, rounds, hand)


def test_equal_copies_cannot_be_expanded() -> None:
    level = levels(ranks=3, suits=1, hole=1, board=(0,), copies=2)[0]
    with pytest.raises(BadParameter, match="copies=2"):
        expanded(level, 0)


def test_what_does_not_fit_is_refused_before_it_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regretless.core.memory.available_bytes", lambda: 16 * 2**30)
    with pytest.raises(TooLarge, match="2,484,764,919 hands"):
        HOLDEM.levels()
