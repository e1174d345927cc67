"""Cards as people write them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.cards.deck import RANKS, SUITS
from regretless.cards.holdings import card_name, read_cards
from regretless.cards.strengths import arranged
from regretless.core.errors import BadParameter

SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))


def written(card):
    """All ways to write a card."""
    name = card_name(card)
    rank = st.sampled_from([name[0], name[0].lower(), *(["10"] if name[0] == "T" else [])])
    suit = st.sampled_from(
        [name[1], name[1].upper(), SYMBOLS[name[1]], SYMBOLS[name[1]] + "\ufe0f"]
    )
    return st.builds("{}{}".format, rank, suit)


@st.composite
def spelled(draw, count):
    """Different cards, and a text that means them."""
    cards = draw(st.lists(st.integers(0, 51), min_size=count, max_size=count, unique=True))
    between = st.sampled_from(["", " ", ",", ", ", "/"])
    text = "".join(draw(written(card)) + draw(between) for card in cards)
    return tuple(cards), text


@given(spelled(5))
def test_any_spelling_is_read(case):
    cards, text = case
    assert read_cards(text) == cards


@given(spelled(7))
def test_the_order_of_hand_and_flop_does_not_matter_but_turn_and_river_do(case):
    cards, _ = case
    one, two, *flop, turn, river = cards
    names = ["".join(map(card_name, part)) for part in ((one, two), (two, one), flop, flop[::-1])]
    later = card_name(turn) + card_name(river)
    hand, board = arranged(names[0], names[2] + later)
    assert arranged(names[1], names[3] + later) == (hand, board)
    assert hand == (max(one, two), min(one, two))
    assert board == (*sorted(flop, reverse=True), turn, river)


@pytest.mark.parametrize(
    ("hand", "board", "problem"),
    [
        ("AsKs", "AhAhQh", "board 'AhAhQh', character 3: Ah appears twice"),
        ("AsKs", "AhKh", "board of 2 cards: must be 0, 3, 4 or 5"),
        ("AsKs", "AhKhQhJhTh9h", "board of 6 cards: must be 0, 3, 4 or 5"),
        ("As", "", "hand of 1 card: must be 2, e.g. AsKd"),
        ("AsXs", "", "hand 'AsXs', character 3: 'Xs' is not a card"),
        ("As1s", "", "'1s' is not a card"),
        ("AsKs", "AsQhJh", "As appears twice: in the hand and on the board"),
    ],
)
def test_what_is_wrong_is_told(hand, board, problem):
    with pytest.raises(BadParameter, match=problem):
        arranged(hand, board)


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text):
    with suppress(BadParameter):
        cards = read_cards(text)
        plain = "".join(map(card_name, cards))  # it reads the same again
        assert read_cards(plain) == cards
        assert len(plain) <= 2 * len(text)
        assert all(name in RANKS for name in plain[::2])
