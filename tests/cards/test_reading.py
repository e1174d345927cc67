"""Cards as people write them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.cards.deck import RANKS, SUITS
from regretless.cards.reading import read_board, read_cards, read_hand
from regretless.core.errors import BadParameter

DECK = [rank + suit for rank in RANKS for suit in SUITS]
SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))


def written(card):
    """All ways to write a card."""
    rank = st.sampled_from([card[0], card[0].lower(), *(["10"] if card[0] == "T" else [])])
    suit = st.sampled_from([card[1], card[1].upper(), SYMBOLS[card[1]]])
    return st.builds("{}{}".format, rank, suit)


@st.composite
def spelled(draw, count):
    """Different cards, and a text that means them."""
    cards = draw(st.lists(st.sampled_from(DECK), min_size=count, max_size=count, unique=True))
    between = st.sampled_from(["", " ", ",", ", ", "/"])
    text = "".join(draw(written(card)) + draw(between) for card in cards)
    return cards, text


@given(spelled(5))
def test_any_spelling_is_read(case):
    cards, text = case
    assert read_cards(text) == tuple(cards)


@given(spelled(2))
def test_hands_are_the_same_in_any_order(case):
    cards, text = case
    high, low = read_hand(text)
    assert {high, low} == set(cards)
    assert RANKS.index(high[0]) >= RANKS.index(low[0])
    assert read_hand(low + high) == read_hand(high + low) == (high, low)


@given(spelled(5))
def test_the_order_of_a_flop_does_not_matter_but_turn_and_river_do(case):
    cards, text = case
    board = read_board(text)
    flop = cards[:3]
    assert set(board[:3]) == set(flop)
    assert list(board[3:]) == cards[3:]
    assert read_board("".join([*reversed(flop), *cards[3:]])) == board


@pytest.mark.parametrize(
    ("read", "text", "problem"),
    [
        (read_board, "AhAhQh", "board AhAhQh: Ah appears twice"),
        (read_board, "AhKh", "board AhKh: expected 3 flop cards, e.g. AhKhQh"),
        (read_board, "AhKhQhJhTh9h", "got 6 cards, expected 3 or 4 or 5"),
        (read_hand, "As", "hand As: expected 2 cards, e.g. AsKs"),
        (read_hand, "AsXs", "hand AsXs: 'Xs' is not a card"),
    ],
)
def test_what_is_wrong_is_told(read, text, problem):
    with pytest.raises(BadParameter, match=problem):
        read(text)


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text):
    for read in (read_cards, read_hand, read_board):
        with suppress(BadParameter):
            cards = read(text)
            plain = "".join(cards)  # in the text, in any case, and it reads the same again
            assert read(plain) == cards
            assert len(plain) <= 2 * len(text)
            assert all(card[0] in RANKS and card[1] in SUITS for card in read_cards(plain))
