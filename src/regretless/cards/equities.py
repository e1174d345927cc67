"""Exact equities: the share of the pot that a hand or range wins if there is no more betting.

On a board, every run-out is ranked and swept from weak to strong. Before the flop there is one
table: on how many of the 1,712,304 boards does a hand beat another? It is computed over the
134,459 boards that are distinct up to suits, once per machine, and kept in the user's cache
directory. Weights and results have the order of `holdings.hands`."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.cards.evaluator import holdings
from regretless.cards.hand_index import boards_up_to_suits
from regretless.cards.holdings import (
    CLASSES,
    class_of,
    disjoint,
    evaluator_order,
    read_cards,
    run_outs,
    without,
)
from regretless.cards.pair_equity import Equity
from regretless.cards.ranges import read_range
from regretless.cards.suits import CardSets, renamings
from regretless.core.arrays import Floats, Ints
from regretless.core.caches import cached_array
from regretless.core.counts import counted
from regretless.core.errors import BadInput, BadParameter
from regretless.core.progress import Listener, Progress, nobody
from regretless.kernels.equities import (
    beat,
    rank_boards,
    share_boards,
)
from regretless.kernels.hands import DECK, HOLDINGS, hand_tables

BOARDS = comb(DECK - 4, 5)  # given two hands
BATCH = 256  # boards whose strengths fit in a core's cache
_CACHED = "preflop-wins-1"  # includes the version of the layout
_PREFLOP = 0
_kept: list[Floats] = []  # the table of `pot_shares`, after its first use


def equity(
    first: str | npt.ArrayLike,
    second: str | npt.ArrayLike,
    board: str | Sequence[int] = (),
    *,
    listen: Listener = nobody,
) -> Equity:
    """Exact equities of two ranges, as text or weights, on a board of 0, 3, 4 or 5 cards."""
    first, second = read_range(first), read_range(second)
    board = read_cards(board, what="board") if isinstance(board, str) else board
    if len(board) not in (0, 3, 4, 5):
        raise BadParameter(f"board of {counted(len(board), 'card')}: must be 0, 3, 4 or 5")
    live = without(tuple(board))
    mine, theirs = np.where(live, first, 0.0), np.where(live, second, 0.0)
    for name, given, left in (("first", first, mine), ("second", second, theirs)):
        if not left.any():
            why = "is empty" if not np.any(given) else "has no hand left on this board"
            raise BadInput(f"the {name} range {why}")
    (won, lost), (met, seen) = _won(np.stack([mine, theirs]), board, listen)
    if not mine @ met > 0:
        raise BadInput("every hand of one range shares a card with every hand of the other")
    with np.errstate(invalid="ignore", divide="ignore"):
        by_hand = (
            np.where((mine > 0) & (met > 0), won / met, np.nan),
            np.where((theirs > 0) & (seen > 0), lost / seen, np.nan),
        )
    share = float(mine @ won / (mine @ met))
    return Equity(share, float(theirs @ lost / (theirs @ seen)), by_hand)


def _won(ranges: Floats, board: Sequence[int], listen: Listener) -> tuple[Floats, Floats]:
    """[range, hand] what a hand wins against the other range, and the weight it faces."""
    if len(board) == _PREFLOP:
        others = ranges[::-1]
        return others @ pot_shares(listen).T, others @ disjoint()
    order = evaluator_order()
    swept, won, met = (np.zeros((2, HOLDINGS)) for _ in range(3))
    swept[:, order] = ranges
    cards = holdings().astype(np.int64)
    share_boards(hand_tables(7), run_outs(board), cards, swept, won, met)
    return won[:, order], met[:, order]


def pot_shares(listen: Listener = nobody) -> Floats:
    """[hand, hand] equity of the first before the flop, 0 if the two share a card."""
    if not _kept:
        wins = preflop_wins(listen).astype(np.float64)
        _kept.append((0.5 + (wins - wins.T) / (2 * BOARDS)) * disjoint())
        _kept[0].setflags(write=False)
    return _kept[0]


class Results(NamedTuple):
    """Results of two hands before the flop, as shares of all boards; 0 if they share a card."""

    net: Floats  # [hand, hand] wins of the first less its losses
    ties: Floats


def preflop_results(listen: Listener = nobody) -> Results:
    """Wins less losses, and ties, of every pair of hands."""
    # The table also has pairs that share a card, which are never dealt.
    wins = preflop_wins(listen) * disjoint()
    return Results((wins - wins.T) / BOARDS, disjoint() - (wins + wins.T) / BOARDS)


def preflop_wins(listen: Listener = nobody) -> npt.NDArray[np.int32]:
    """[hand, hand] on how many boards the first hand beats the second."""
    return cached_array(_CACHED, lambda: count_wins(listen), _plausible)


def count_wins(listen: Listener = nobody) -> npt.NDArray[np.int32]:
    """Compute the table, in less than half a minute."""
    boards, weights = boards_up_to_suits()
    total = np.zeros((HOLDINGS, HOLDINGS), np.int64)
    done = 0
    for weight in np.unique(weights):
        counts = np.zeros((HOLDINGS, HOLDINGS), np.int32)
        chosen = boards[weights == weight]
        for begin in range(0, len(chosen), BATCH):
            _count(chosen[begin : begin + BATCH], counts)
            done += len(chosen[begin : begin + BATCH])
            listen(Progress("equities before the flop, once per machine", done=done / len(boards)))
        total += weight * counts
    order = evaluator_order()
    return _over_suits(total[np.ix_(order, order)])


def board_shares(board: Sequence[int]) -> Floats:
    """[hand, hand] equity of the first on a board; meaningless if the two share a card."""
    boards = run_outs(board)
    counts = np.zeros((HOLDINGS, HOLDINGS), np.int32)
    for begin in range(0, len(boards), BATCH):
        _count(boards[begin : begin + BATCH], counts)
    order = evaluator_order()
    wins = counts[np.ix_(order, order)].astype(np.float64)
    common = comb(DECK - len(board) - 4, 5 - len(board))  # run-outs given two hands
    shares: Floats = 0.5 + (wins - wins.T) / (2 * common)
    return shares


def _count(boards: Ints, counts: npt.NDArray[np.int32]) -> None:
    strengths = np.empty((len(boards), HOLDINGS), np.int16)
    rank_boards(hand_tables(7), boards, strengths)
    beat(strengths, counts, np.empty(HOLDINGS, np.int16))


def _over_suits(counts: Ints) -> npt.NDArray[np.int32]:
    """Sum the wins over all renamings of suits, which covers the boards left out."""
    rows, total = renamings(), np.zeros_like(counts)
    pairs = CardSets(rows, 2)  # in the order of `holdings.hands`
    for row in rows:
        image = pairs.images(row)
        total += counts[np.ix_(image, image)]
    mean: npt.NDArray[np.int32] = (total // len(rows)).astype(np.int32)
    return mean


def _plausible(wins: npt.NDArray[Any]) -> bool:
    """Whether a file holds a valid table: its shape, and no pair wins on too many boards."""
    if wins.shape != (HOLDINGS, HOLDINGS) or wins.dtype != np.int32 or wins.min() < 0:
        return False
    return bool(((wins + wins.T)[disjoint() > 0] <= BOARDS).all())


class ClassEquities(NamedTuple):
    """The 169 classes against each other before the flop; rows as in `holdings.class_names`."""

    equities: Floats  # [class, class] of the first, over all deals of the two
    deals: Ints  # [class, class] pairs of hands that share no card


def class_equities(listen: Listener = nobody) -> ClassEquities:
    """All 169×169 match-ups, with card removal."""
    belongs = np.zeros((CLASSES, HOLDINGS))
    belongs[class_of(), np.arange(HOLDINGS)] = 1.0
    deals = belongs @ disjoint() @ belongs.T
    return ClassEquities(
        belongs @ pot_shares(listen) @ belongs.T / deals, deals.round().astype(np.int64)
    )


def against_random(listen: Listener = nobody) -> Floats:
    """[class] equity against a random hand."""
    equities, deals = class_equities(listen)
    means: Floats = (equities * deals).sum(axis=1) / deals.sum(axis=1)
    return means
