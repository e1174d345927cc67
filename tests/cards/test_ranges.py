"""Ranges: what texts mean, that writing and reading are inverse, and where errors point."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.cards.deck import RANKS, SUITS
from regretless.cards.holdings import (
    class_names,
    class_of,
    hand_names,
    hands,
    members,
    number_of,
    read_cards,
)
from regretless.cards.ranges import BEST_FIRST, BadRange, read_range, to_range, top
from regretless.core.errors import BadParameter


def names(text: str) -> set[str]:
    """Classes that are in a range with all their hands."""
    weights = read_range(text)
    return {class_names()[c] for c, own in enumerate(members()) if (weights[own] == 1).all()}


def count(text: str) -> int:
    return int((read_range(text) > 0).sum())


def test_hands_have_the_order_of_combinations() -> None:
    assert hands().tolist() == [list(pair) for pair in combinations(range(52), 2)]
    assert [number_of(a, b) for a, b in hands().tolist()] == list(range(1326))
    assert hand_names()[0] == "2d2c"
    assert hand_names()[-1] == "AsAh"
    assert np.bincount(class_of(), minlength=169).sum() == 1326
    sizes = {name: len(own) for name, own in zip(class_names(), members(), strict=True)}
    assert (sizes["AA"], sizes["AKs"], sizes["AKo"]) == (6, 4, 12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("QQ+", {"QQ", "KK", "AA"}),
        ("22-44", {"22", "33", "44"}),
        ("44-22", {"22", "33", "44"}),
        ("A9s-A6s", {"A9s", "A8s", "A7s", "A6s"}),
        ("A6s-A9s", {"A9s", "A8s", "A7s", "A6s"}),
        ("96s+", {"96s", "97s", "98s"}),
        ("JTs+", {"JTs"}),
        ("AK", {"AKs", "AKo"}),
        ("KAo", {"AKo"}),
        ("akS".replace("S", "s"), {"AKs"}),
        ("65s-43s", {"65s", "54s", "43s"}),
        ("J9o-97o", {"J9o", "T8o", "97o"}),
        ("AJ+", {f"A{r}{k}" for r in "JQK" for k in "so"}),
        ("AA KK\nQQ", {"AA", "KK", "QQ"}),
        ("AA,KK:0.5", {"AA"}),
        ("AA,AA:0", set()),
        ("AA : 1, KK: 1.0,QQ :0.5", {"AA", "KK"}),
    ],
)
def test_texts(text: str, expected: set[str]) -> None:
    assert names(text) == expected


def test_single_hands_and_weights() -> None:
    weights = read_range("AsAh,KTo:0.25,KsTd:.5")
    assert weights[number_of(*read_cards("AsAh"))] == 1
    assert weights[number_of(*read_cards("TdKs"))] == 0.5
    assert weights[number_of(*read_cards("ThKs"))] == 0.25
    assert weights.sum() == 1 + 11 * 0.25 + 0.5


def test_all_hands() -> None:
    assert (read_range("random") == 1).all()
    assert (read_range("100%") == 1).all()
    assert (read_range("random:0.5") == 0.5).all()
    assert not read_range("").any()
    assert not read_range("0%").any()


def test_the_ranges_of_the_oracles() -> None:
    """Hands on a board as the native solver counts them."""
    oop = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
    ip = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
    for board, sizes in (
        ("Td9d6h", (180, 265)),
        ("Td9d6hQc", (167, 250)),
        ("Td9d6hQc2s", (167, 246)),
    ):
        dead = ~np.isin(hands(), read_cards(board)).any(axis=1)
        assert tuple(int((read_range(text)[dead] > 0).sum()) for text in (oop, ip)) == sizes


@pytest.mark.parametrize("percent", [0.4, 1, 5, 15, 33.3, 50, 99])
def test_top_percentages_are_met_as_nearly_as_whole_classes_can(percent: float) -> None:
    chosen = top(percent)
    assert abs(chosen.sum() / 1326 * 100 - percent) <= 6 / 1326 * 100
    assert (read_range(f"{percent}%") == chosen).all()
    order = BEST_FIRST.split()
    whole = [name for name in order if chosen[members()[class_names().index(name)][0]]]
    assert whole == order[: len(whole)]


def test_the_order_names_every_class_once() -> None:
    assert sorted(BEST_FIRST.split()) == sorted(class_names())


def test_1326_weights_as_text_and_as_numbers() -> None:
    weights = np.linspace(0, 1, 1326)
    assert (read_range(" ".join(map(repr, weights.tolist()))) == weights).all()
    assert (read_range(weights.tolist()) == weights).all()


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("66+,A8x", 7),
        ("QQ+,AsAs", 7),
        ("AA,KTo:1.5", 8),
        ("AA,KTo:", 8),
        ("AA:x", 4),
        ("AAs", 3),
        ("A9s-A6o", 7),
        ("A9s-K6s", 5),
        ("QQ-A6", 4),
        ("A6-QQ", 4),
        ("KQ-QQ", 4),
        ("QQ-KQ", 4),
        ("120%", 1),
        ("AA,hello", 4),
        ("A", 1),
        ("AA,K", 4),
        ("AA,AsK", 6),
        ("QQ+-22", 4),
        ("AK++", 4),
        ("1,2,3", 1),
    ],
)
def test_errors_point_at_the_character(text: str, position: int) -> None:
    with pytest.raises(BadRange) as caught:
        read_range(text)
    assert "\n" not in str(caught.value)
    assert caught.value.position == position, str(caught.value)
    assert f"character {position}" in str(caught.value)


def test_bad_weights_are_refused() -> None:
    with pytest.raises(BadParameter, match="1326 weights"):
        read_range([1.0, 2.0])
    with pytest.raises(BadParameter, match=r"weight of AsAh=1\.5"):
        read_range([0.0] * 1325 + [1.5])
    with pytest.raises(BadParameter, match="weight of 2d2c=nan"):
        read_range([float("nan")] + [0.0] * 1325)


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("AA,KK,QQ", "QQ+"),
        ("22,33,44", "44-22"),
        ("AKs,AKo", "AK"),
        ("A2+,KTs+", "A2+,KTs+"),
        ("AKs:0.5,AQs:0.5", "AQs+:.5"),
        ("random", "random"),
        ("random:0.25", "random:.25"),
        ("AsAh", "AsAh"),
        ("", ""),
        ("AKs,AKo,AQs", "AK,AQs"),
    ],
)
def test_short_texts(text: str, shortest: str) -> None:
    assert to_range(read_range(text)) == shortest


CARD = st.sampled_from([rank + suit for rank in RANKS for suit in SUITS])
NAMES = st.one_of(
    st.sampled_from(class_names()),
    st.sampled_from([name for name in class_names() if len(name) == 2]).map(lambda n: n + "+"),
    st.sampled_from(hand_names()),
    st.sampled_from(["random", "15%", "72.5%", "A9s-A6s", "JTo-54o", "K4+"]),
)
WEIGHTS = st.one_of(st.just(""), st.floats(0, 1).map(lambda w: f":{w!r}"))
TEXTS = st.lists(st.tuples(NAMES, WEIGHTS).map("".join), max_size=12).map(",".join)


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_reading_and_writing_are_inverse(text: str) -> None:
    weights = read_range(text)
    again = read_range(to_range(weights))
    assert (again == weights).all()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_any_weights_survive_writing(seed: int, levels: int) -> None:
    drawn = np.random.default_rng(seed).random((levels,))
    weights = np.append(drawn, 0.0)[np.random.default_rng(seed + 1).integers(0, levels + 1, 1326)]
    assert (read_range(to_range(weights)) == weights).all()


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="AKQJT98765432akqso+-:,. %cdhrndm01x", max_size=20))
def test_any_text_is_a_range_or_an_error_with_a_place(text: str) -> None:
    position, weights = 1, np.zeros(1326)
    try:
        weights = read_range(text)
    except BadRange as error:
        position = error.position
    assert 1 <= position <= len(text) + 1
    assert ((weights >= 0) & (weights <= 1)).all()


@pytest.mark.parametrize(
    ("text", "problem"),
    [("Td9x", "character 3: '9x' is not a card"), ("TdTd", "Td appears twice"), ("T", "'T'")],
)
def test_bad_cards(text: str, problem: str) -> None:
    with pytest.raises(BadParameter, match=problem):
        read_cards(text, what="board")


def test_a_list_of_weights_that_is_too_short_is_told_by_its_length():
    with pytest.raises(BadRange, match=r"got 1,325 weights, expected 1,326") as caught:
        read_range(" ".join(["0.5"] * 1_325))
    assert caught.value.position == 4 * 1_325 - 1
    assert read_range("22,33").sum() == 12


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("kSaS", "AsKs"),
        ("AHad", "AdAh"),
        ("akO", "AKo"),
        ("KAS", "AKs"),
        ("a9S-A6s,RANDOM:0.5", "A9s-A6s,random:.5"),
    ],
)
def test_any_order_and_case(text: str, same: str) -> None:
    assert np.array_equal(read_range(text), read_range(same))
    assert read_range(text).any()


def test_a_span_of_pairs_ends_with_a_pair() -> None:
    for text in ("99-QQ", "QQ-99"):
        assert (read_range(text) == read_range("99,TT,JJ,QQ")).all()
    assert (read_range("QQ-QQ") == read_range("QQ")).all()
    for text in ("QQ-KQ", "KQ-QQ", "KQs-QQ"):
        with pytest.raises(BadRange, match="a span of pairs ends with a pair"):
            read_range(text)
