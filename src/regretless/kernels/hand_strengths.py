"""Hand strength on river boards: the share of other hands that a hand beats, ties counted half.

One sweep over a river board, from its weakest hand to its strongest, covers all its hands.
Sums over boards are whole numbers: a hand that beats all of the 990 others has won 1980
halves. Hands are numbered as in `kernels.hands`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import kernel, lean
from regretless.kernels.hands import (
    BLOCKED,
    DECK,
    HOLDINGS,
    SUITS,
    HandTables,
    Strengths,
    rank_board,
)

RIVALS = 990  # hands of the other player, given a hand and a board of five cards
HALVES = 2 * RIVALS
DIGIT = 7  # bits per pass of the sort; two passes cover every strength
DIGITS = 1 << DIGIT


class Sweep(NamedTuple):
    """Scratch of one thread."""

    strengths: Strengths  # [hand]
    order: Indices  # [place] live hands from weak to strong
    other: Indices  # [place] the same between the passes
    counts: Ints  # [digit]
    before: Indices  # [card] weaker hands with this card, then all weaker hands
    upto: Indices  # the same including ties
    halves: Indices  # [hand] two per hand beaten, one per tie; -1 if blocked


@kernel
def new_sweep() -> Sweep:
    """Empty scratch."""
    return Sweep(
        np.empty(HOLDINGS, np.int16),
        np.empty(HOLDINGS, np.int32),
        np.empty(HOLDINGS, np.int32),
        np.empty(DIGITS + 1, np.int64),
        np.empty(DECK + 1, np.int32),
        np.empty(DECK + 1, np.int32),
        np.empty(HOLDINGS, np.int32),
    )


@lean
def _pass(sweep: Sweep, source: Indices, live: int, shift: int, out: Indices) -> None:
    """Stable sort by one digit of the strength."""
    counts, strengths = sweep.counts, sweep.strengths
    for digit in range(DIGITS + 1):
        counts[digit] = 0
    for place in range(live):
        counts[((strengths[source[place]] >> shift) & (DIGITS - 1)) + 1] += 1
    for digit in range(DIGITS):
        counts[digit + 1] += counts[digit]
    for place in range(live):
        hand = source[place]
        digit = (strengths[hand] >> shift) & (DIGITS - 1)
        out[counts[digit]] = hand
        counts[digit] += 1


@lean
def _sorted(sweep: Sweep) -> int:
    """Sort the live hands; return their number."""
    live = 0
    for hand in range(HOLDINGS):
        if sweep.strengths[hand] != BLOCKED:
            sweep.order[live] = hand
            live += 1
    _pass(sweep, sweep.order, live, 0, sweep.other)
    _pass(sweep, sweep.other, live, DIGIT, sweep.order)
    return live


@lean
def river(tables: HandTables, board: Ints, cards: Ints, sweep: Sweep) -> None:
    """What every hand wins on a board of five cards, in halves of a rival, into `halves`."""
    strengths, order, before, upto = sweep.strengths, sweep.order, sweep.before, sweep.upto
    rank_board(tables, board, strengths)
    live = _sorted(sweep)
    for hand in range(HOLDINGS):
        sweep.halves[hand] = -1
    for card in range(DECK + 1):
        before[card] = upto[card] = 0
    begin = 0
    while begin < live:
        end, strength = begin, strengths[order[begin]]
        while end < live and strengths[order[end]] == strength:
            hand = order[end]
            upto[cards[hand, 0]] += 1
            upto[cards[hand, 1]] += 1
            upto[DECK] += 1
            end += 1
        for place in range(begin, end):
            hand = order[place]
            low, high = cards[hand, 0], cards[hand, 1]
            less = before[DECK] - before[low] - before[high]
            # The own hand is counted once among those up to it, and subtracted twice.
            sweep.halves[hand] = less + upto[DECK] - upto[low] - upto[high] + 1
        for place in range(begin, end):
            hand = order[place]
            before[cards[hand, 0]] += 1
            before[cards[hand, 1]] += 1
            before[DECK] += 1
        begin = end


@kernel
def add_river(sweep: Sweep, rows: Indices, weight: int, sums: Ints, histograms: Any) -> None:
    """Add a board to [row of a hand]: halves won, their squares, boards; and to its histogram."""
    bins = histograms.shape[1]
    for hand in range(HOLDINGS):
        won = sweep.halves[hand]
        if won >= 0:
            row = rows[hand]
            sums[row, 0] += weight * won
            sums[row, 1] += weight * won * won
            sums[row, 2] += weight
            histograms[row, min(won * bins // HALVES, bins - 1)] += weight


@kernel
def run_outs(
    tables: HandTables, board: Ints, cards: Ints, sweep: Sweep, sums: Ints, histograms: Any
) -> None:
    """The same over every completion of a board of three to five cards; one row per hand."""
    rows = np.arange(HOLDINGS).astype(np.int32)
    shown = board.size
    full, held = np.empty(5, np.int64), np.zeros(DECK, np.bool_)
    for place in range(shown):
        full[place] = board[place]
        held[board[place]] = True
    for turn in range(DECK if shown < 4 else 1):
        if shown < 4:
            if held[turn]:
                continue
            full[3] = turn
        for card in range(turn + 1 if shown < 4 else 0, DECK if shown < 5 else 1):
            if shown < 5:
                if held[card]:
                    continue
                full[4] = card
            river(tables, full, cards, sweep)
            add_river(sweep, rows, 1, sums, histograms)


@kernel
def board_rows(
    tables: HandTables,
    boards: Ints,
    cards: Ints,
    rows: Ints,
    sums: Floats,
    histograms: Any,
) -> None:
    """E[HS], E[HS²] and histogram of every hand on every board.

    `rows`[board, hand] is the row of its results, -1 if it shares a card with the board. Hands
    that are equal up to suits share a row, and have equal results."""
    sweep = new_sweep()
    counted = np.empty((HOLDINGS, 3), np.int64)
    found = np.empty((HOLDINGS, histograms.shape[1]), np.int32)
    for board in range(boards.shape[0]):
        counted[:] = 0
        found[:] = 0
        run_outs(tables, boards[board], cards, sweep, counted, found)
        for hand in range(HOLDINGS):
            row = rows[board, hand]
            if row >= 0:
                times = counted[hand, 2]
                sums[row, 0] = counted[hand, 0] / (HALVES * times)
                sums[row, 1] = counted[hand, 1] / (float(HALVES) * HALVES * times)
                for b in range(found.shape[1]):
                    histograms[row, b] = found[hand, b]


@kernel
def all_rivers(
    tables: HandTables,
    boards: Ints,
    weights: Ints,
    cards: Ints,
    rows: Indices,
    sums: Ints,
    out: Ints,
) -> None:
    """Sums over weighted boards of five cards."""
    sweep = new_sweep()
    for board in range(boards.shape[0]):
        river(tables, boards[board], cards, sweep)
        add_river(sweep, rows, weights[board], sums, out)


@kernel
def against_clusters(
    tables: HandTables, board: Ints, cards: Ints, cluster: Indices, sweep: Sweep, out: Floats
) -> None:
    """[hand, cluster] equity on a board of five cards against the hands of a cluster.

    nan if a hand is blocked; one half if it can meet no hand of a cluster."""
    count = out.shape[1]
    rank_board(tables, board, sweep.strengths)
    live = _sorted(sweep)
    before, upto = np.zeros((DECK + 1, count)), np.zeros((DECK + 1, count))
    out[:] = np.nan
    begin = 0
    while begin < live:
        end, strength = begin, sweep.strengths[sweep.order[begin]]
        while end < live and sweep.strengths[sweep.order[end]] == strength:
            _count(upto, cards, cluster, sweep.order[end])
            end += 1
        for place in range(begin, end):
            hand = sweep.order[place]
            low, high = cards[hand, 0], cards[hand, 1]
            for k in range(count):
                less = before[DECK, k] - before[low, k] - before[high, k]
                out[hand, k] = less + upto[DECK, k] - upto[low, k] - upto[high, k]
            out[hand, cluster[hand]] += 1.0
        for place in range(begin, end):
            _count(before, cards, cluster, sweep.order[place])
        begin = end
    for place in range(live):
        hand = sweep.order[place]
        low, high = cards[hand, 0], cards[hand, 1]
        for k in range(count):
            met = upto[DECK, k] - upto[low, k] - upto[high, k]
            if k == cluster[hand]:
                met += 1.0
            out[hand, k] = 0.5 * out[hand, k] / met if met > 0 else 0.5


@lean
def _count(sums: Floats, cards: Ints, cluster: Indices, hand: int) -> None:
    k = cluster[hand]
    sums[cards[hand, 0], k] += 1.0
    sums[cards[hand, 1], k] += 1.0
    sums[DECK, k] += 1.0


assert DECK % SUITS == 0
