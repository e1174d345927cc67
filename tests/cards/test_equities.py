"""Equities: known values, and the kernels against enumeration one deal at a time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.cards.equities import (
    BOARDS,
    _plausible,
    against_random,
    class_equities,
    equity,
    preflop_wins,
)
from regretless.cards.holdings import class_names, hands, number_of, read_cards, run_outs
from regretless.cards.ranges import BEST_FIRST, read_range
from regretless.cards.ranking import strength
from regretless.core.caches import cached_array
from regretless.core.errors import BadInput, BadParameter
from regretless.kernels.equities import beat


def slow_equity(first: np.ndarray, second: np.ndarray, board: tuple[int, ...]) -> float:
    """One deal at a time."""
    won = met = 0.0
    cards = hands().tolist()
    for mine in np.flatnonzero(first).tolist():
        for theirs in np.flatnonzero(second).tolist():
            held = {*cards[mine], *cards[theirs]}
            if len(held) < 4 or held & set(board):
                continue
            for run_out in combinations(sorted(set(range(52)) - held - set(board)), 5 - len(board)):
                shown = [(card // 4, card % 4) for card in (*board, *run_out)]
                a, b = (
                    strength([(c // 4, c % 4) for c in cards[hand]] + shown)
                    for hand in (mine, theirs)
                )
                weight = first[mine] * second[theirs]
                won += weight * ((a > b) + 0.5 * (a == b))
                met += weight
    return won / met


HAND = st.lists(st.integers(0, 51), min_size=2, max_size=2, unique=True)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(HAND, min_size=1, max_size=3),
    st.lists(HAND, min_size=1, max_size=3),
    st.permutations(range(52)),
    st.sampled_from([4, 5]),
    st.floats(0.1, 1),
)
def test_ranges_on_a_board(mine, theirs, deck, shown, weight) -> None:
    board = tuple(deck[:shown])
    first, second = np.zeros(1326), np.zeros(1326)
    for place, hand in enumerate(mine):
        first[number_of(*hand)] = weight if place else 1.0
    for place, hand in enumerate(theirs):
        second[number_of(*hand)] = weight if place else 1.0
    try:
        found = equity(first, second, board)
    except BadInput:
        with pytest.raises(ZeroDivisionError):
            slow_equity(first, second, board)
        return
    assert found.first == pytest.approx(slow_equity(first, second, board), abs=1e-12)
    assert found.first + found.second == pytest.approx(1, abs=1e-12)


def test_the_equities_of_the_oracles() -> None:
    """From another solver: out of position, on the river and on the turn."""
    oop = read_range("66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s")
    ip = read_range("QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+")
    river = equity(oop, ip, read_cards("Td9d6hQc2s"))
    assert river.first == pytest.approx(0.516174, abs=1e-6)
    assert equity(oop, ip, read_cards("Td9d6hQc")).first == pytest.approx(0.530603, abs=1e-6)
    basic = equity(
        read_range("AA,KK,QQ,JJ,TT,AKs,AQs,KQs"),
        read_range("QQ-88,AKs,AQs,AJs,KQs,JTs"),
        read_cards("Ks8h5d3c2s"),
    )
    assert basic.first == pytest.approx(0.690896, abs=1e-6)


def test_hand_by_hand() -> None:
    found = equity(read_range("AsAh,KsKh"), read_range("QsQh"), read_cards("2c3d4h5h7c"))
    assert np.isnan(found.by_hand[0]).sum() == 1324
    assert found.by_hand[0][number_of(*read_cards("AsAh"))] == 1.0
    assert found.by_hand[1][number_of(*read_cards("QsQh"))] == 0.0


def test_run_outs() -> None:
    assert run_outs(read_cards("2c3d4h5h7c")).shape == (1, 5)
    assert run_outs(read_cards("2c3d4h5h")).shape == (48, 5)
    assert run_outs(read_cards("2c3d4h")).shape == (1176, 5)


@pytest.mark.parametrize(
    ("first", "second", "board", "problem"),
    [
        ("", "AA", "", "the first range is empty"),
        ("AA", "KsKh", "Ks2c3d", "the second range has no hand left on this board"),
        ("AsAh", "AsAd", "", "every hand of one range shares a card"),
    ],
)
def test_ranges_without_a_deal(first: str, second: str, board: str, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        equity(read_range(first), read_range(second), read_cards(board))


def test_boards_of_wrong_size() -> None:
    with pytest.raises(BadParameter, match="board of 2 cards: must be 0, 3, 4 or 5"):
        equity(read_range("AA"), read_range("KK"), (1, 2))


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_counting_wins_has_a_twin(seed: int) -> None:
    strengths = np.random.default_rng(seed).integers(0, 5, (7, 11)).astype(np.int16)
    strengths[strengths == 4] = 32767
    counts = np.zeros((11, 11), np.int32)
    beat(strengths, counts, np.empty(11, np.int16))
    live = strengths != 32767
    twin = ((strengths[:, None, :] < strengths[:, :, None]) & live[:, :, None]).sum(axis=0)
    assert (counts == twin).all()


@pytest.mark.slow
def test_known_values_before_the_flop() -> None:
    names, found = class_names().index, class_equities()
    assert found.equities[names("AA"), names("KK")] == pytest.approx(0.8195, abs=1e-4)
    random = against_random()
    assert random[names("AA")] == pytest.approx(0.8520, abs=1e-4)
    assert found.equities + found.equities.T == pytest.approx(np.ones((169, 169)))
    assert found.deals.sum() == 1326 * 1225
    best = sorted(range(169), key=lambda cell: (-random[cell], class_names()[cell]))
    assert [class_names()[cell] for cell in best] == BEST_FIRST.split()
    aces = equity(read_range("AsAh"), read_range("KsKh"))
    assert aces.first == pytest.approx(0.8263661, abs=1e-6)  # wins 82.36 %, ties 0.54 %


@pytest.mark.slow
def test_every_board_one_by_one() -> None:
    """The table against all run-outs of one deal, ranked directly."""
    from regretless.cards.evaluator import ranks

    mine, theirs = read_cards("AdKd"), read_cards("7h7s")
    left = sorted(set(range(52)) - {*mine, *theirs})
    boards = np.array(list(combinations(left, 5)), np.uint8)
    assert len(boards) == BOARDS
    a, b = (
        ranks(np.concatenate([boards, np.tile(np.array(hand, np.uint8), (len(boards), 1))], axis=1))
        for hand in (mine, theirs)
    )
    wins = preflop_wins()
    one, other = number_of(*mine), number_of(*theirs)
    assert (wins[one, other], wins[other, one]) == ((a > b).sum(), (a < b).sum())


def test_a_damaged_cache_is_made_again(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("REGRETLESS_CACHE", str(tmp_path / "new"))
    made = []

    def make():
        made.append(1)
        return np.arange(3)

    for _ in range(2):
        assert cached_array("x", make, lambda a: a.shape == (3,)).tolist() == [0, 1, 2]
    assert len(made) == 1
    (tmp_path / "new" / "x.npy").write_bytes(b"nothing")
    assert cached_array("x", make, lambda a: True).tolist() == [0, 1, 2]
    assert len(made) == 2


def test_a_table_with_negative_or_too_many_wins_is_refused():
    wins = np.zeros((1326, 1326), np.int32)
    assert _plausible(wins)
    wins[0, 1325] = -1
    assert not _plausible(wins)
    wins[0, 1325] = BOARDS
    assert _plausible(wins)
    wins[1325, 0] = 1
    assert not _plausible(wins)
