"""Hand strength against counting formulas, and against hands ranked by eye."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.cards.deck import RANKS, SUITS, rank_names, suit_names
from regretless.cards.ranking import Card, strength, three_card_strength

NAMES = [
    "high card",
    "pair",
    "two pair",
    "trips",
    "straight",
    "flush",
    "full",
    "quads",
    "straight flush",
]


def hand(text: str) -> list[Card]:
    return [(RANKS.index(card[0]), SUITS.index(card[1])) for card in text.split()]


def hands_of(ranks: int, suits: int) -> list[int]:
    """How many five-card hands there are of every category in a deck of the top ranks."""
    runs = ranks - 4 + (ranks == 13)  # the wheel needs the deuce
    sets = comb(ranks, 5)
    return [
        (sets - runs) * (suits**5 - suits),
        ranks * comb(suits, 2) * comb(ranks - 1, 3) * suits**3,
        comb(ranks, 2) * comb(suits, 2) ** 2 * (ranks - 2) * suits,
        ranks * comb(suits, 3) * comb(ranks - 1, 2) * suits**2,
        runs * (suits**5 - suits),
        (sets - runs) * suits,
        ranks * comb(suits, 3) * (ranks - 1) * comb(suits, 2),
        ranks * comb(suits, 4) * (ranks - 1) * suits,
        runs * suits,
    ]


def strengths_of(ranks: int) -> list[int]:
    """How many hands of every category differ in strength, in a deck of four suits."""
    runs = ranks - 4 + (ranks == 13)
    return [
        comb(ranks, 5) - runs,
        ranks * comb(ranks - 1, 3),
        comb(ranks, 2) * (ranks - 2),
        ranks * comb(ranks - 1, 2),
        runs,
        comb(ranks, 5) - runs,
        ranks * (ranks - 1),
        ranks * (ranks - 1),
        runs,
    ]


def test_formulas_give_the_known_numbers_of_a_full_deck() -> None:
    known = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40]
    assert hands_of(13, 4) == known
    assert sum(known) == comb(52, 5)
    assert sum(strengths_of(13)) == 7462


@pytest.mark.parametrize(("ranks", "suits"), [(5, 4), (6, 4), (7, 3), (13, 2), (13, 1)])
def test_every_hand_of_a_deck(ranks: int, suits: int) -> None:
    deck = [(rank, suit) for rank in range(13 - ranks, 13) for suit in range(suits)]
    strengths = [strength(cards) for cards in combinations(deck, 5)]
    counts = Counter(found[0] for found in strengths)
    assert [counts[category] for category in range(9)] == hands_of(ranks, suits)
    if suits == 4:
        distinct = Counter(found[0] for found in set(strengths))
        assert [distinct[category] for category in range(9)] == strengths_of(ranks)


def test_hands_in_rising_order() -> None:
    rising = [
        "2c 3d 4h 5s 7c",
        "9c Td Qh Ks Ac",
        "2c 2d 3h 4s 5c",
        "2c 2d 3h 4s 6c",
        "3c 3d 2h 4s 5c",
        "2c 2d 3h 3s 4c",
        "2c 2d Ah As 3c",
        "Kc Kd Ah As 2c",
        "2c 2d 2h 3s 4c",
        "Ac 2d 3h 4s 5c",
        "2c 3d 4h 5s 6c",
        "Tc Jd Qh Ks Ac",
        "2c 3c 4c 5c 7c",
        "2d 3d 4d 5d 8d",
        "2c 2d 2h Ac As",
        "3c 3d 3h 2c 2s",
        "2c 2d 2h 2s 3c",
        "2c 2d 2h 2s Ac",
        "Ac 2c 3c 4c 5c",
        "Ts Js Qs Ks As",
    ]
    for low, high in pairwise(rising):
        assert strength(hand(low)) < strength(hand(high))


@pytest.mark.parametrize(
    ("cards", "best"),
    [
        ("2c 2d 3h 3s 4c 4d Ah", "3h 3s 4c 4d Ah"),  # three pairs: the best kicker counts
        ("2c 2d 2h 3s 3c 3d Ah", "3s 3c 3d 2c 2d"),
        ("Ac 2d 3h 4s 5c 6d Kh", "2d 3h 4s 5c 6d"),
        ("2c 4c 6c 8c Tc Qc Kd", "4c 6c 8c Tc Qc"),
        ("5s 6s 7s 8s 9s Td Ah", "5s 6s 7s 8s 9s"),  # not the higher plain straight
    ],
)
def test_best_five_of_seven(cards: str, best: str) -> None:
    assert strength(hand(cards)) == strength(hand(best))


def test_fewer_than_five_cards_know_no_straight_and_no_flush() -> None:
    assert strength(hand("2c 3c 4c 5c"))[0] == NAMES.index("high card")
    assert strength(hand("2c 3d 5h")) < strength(hand("2c 3d 6h")) < strength(hand("2c 2d 3h"))
    assert strength(hand("Kc Kd 3h 3s"))[0] == NAMES.index("two pair")
    assert strength(hand("2c 2d 2h 2s"))[0] == NAMES.index("quads")
    assert strength(hand("Kc")) < strength(hand("Ac"))


CARDS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 3)), unique=True, min_size=1, max_size=7
)


@given(CARDS, st.permutations(range(4)), st.randoms(use_true_random=False))
def test_order_and_names_of_suits_do_not_matter(
    cards: list[Card], suits: list[int], random: Random
) -> None:
    renamed = [(rank, suits[suit]) for rank, suit in cards]
    random.shuffle(renamed)
    assert strength(renamed) == strength(cards)


@given(CARDS)
def test_a_card_more_never_hurts(cards: list[Card]) -> None:
    if len(cards) > 5:
        assert strength(cards) >= strength(cards[1:])


def test_reduced_decks_keep_the_top() -> None:
    assert (rank_names(4), suit_names(2)) == ("JQKA", "hs")
    assert (rank_names(13), suit_names(4)) == (RANKS, SUITS)


THREE_CARD_NAMES = ["high card", "pair", "flush", "straight", "trips", "straight flush"]


def three_card_hands(*, wheel: bool) -> list[int]:
    """How many three-card hands there are of every category in a full deck."""
    runs, sets = 11 + wheel, comb(13, 3)
    return [
        (sets - runs) * (4**3 - 4),
        13 * comb(4, 2) * 12 * 4,
        (sets - runs) * 4,
        runs * (4**3 - 4),
        13 * comb(4, 3),
        runs * 4,
    ]


@pytest.mark.parametrize("wheel", [True, False])
def test_every_hand_of_three_cards(wheel: bool) -> None:
    deck = [(rank, suit) for rank in range(13) for suit in range(4)]
    strengths = [three_card_strength(cards, wheel=wheel) for cards in combinations(deck, 3)]
    counts = Counter(found[0] for found in strengths)
    assert [counts[category] for category in range(6)] == three_card_hands(wheel=wheel)
    assert sum(three_card_hands(wheel=wheel)) == comb(52, 3) == 22100
    runs, sets = 11 + wheel, comb(13, 3)
    distinct = Counter(found[0] for found in set(strengths))
    expected = [sets - runs, 13 * 12, sets - runs, runs, 13, runs]
    assert [distinct[category] for category in range(6)] == expected


def test_hands_of_three_cards_in_rising_order() -> None:
    rising = [
        "2c 3d 5h",
        "Qc Kd 9h",
        "Jc Qd Ah",
        "2c 2d 3h",
        "2c 2d Ah",
        "Ac Ad Kh",
        "2c 3c 5c",
        "2c Kc Ac",
        "Ac 2d 3h",
        "2c 3d 4h",
        "Qc Kd Ah",
        "2c 2d 2h",
        "Ac Ad Ah",
        "Ac 2c 3c",
        "2d 3d 4d",
        "Qs Ks As",
    ]
    for low, high in pairwise(rising):
        assert three_card_strength(hand(low)) < three_card_strength(hand(high))


def test_without_the_wheel_an_ace_is_high_only() -> None:
    ace_low = hand("Ac 2d 3h")
    assert three_card_strength(ace_low)[0] == THREE_CARD_NAMES.index("straight")
    without = three_card_strength(ace_low, wheel=False)
    assert without[0] == THREE_CARD_NAMES.index("high card")
    assert without > three_card_strength(hand("Kc Qd Th"), wheel=False)
    assert three_card_strength(hand("Ac 2c 3c"), wheel=False)[0] == THREE_CARD_NAMES.index("flush")
    assert three_card_strength(hand("Kc Ad 2h"))[0] == THREE_CARD_NAMES.index("high card")
