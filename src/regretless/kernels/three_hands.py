"""Three hands all-in: on one board, what lies below and above every hand, by class and by card.

The middle hand is the pivot. Of the hands that share no card with it, those above times those
below, class by class, are the deals in strict order, once those are taken away in which the two
outer hands share a card: a product over cards, of classes that have the card's rank. Hands that tie
are few, and are listed pair by pair."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Flags, Indices, Ints
from regretless.kernels.compiled import apart, kernel, lean
from regretless.kernels.hands import DECK, HandTables, rank_board

CLASSES = 169
RANKS, SUITS = 13, 4
NEAR = 2 * RANKS - 1  # classes with a given rank
WIDE = 32  # the same, padded to whole vectors

Singles = npt.NDArray[np.float32]  # small whole numbers, for matrix products


class Hands(NamedTuple):
    """What is known of hands without a board, in the order of `kernels.hands`."""

    cards: Ints  # [hand, 2] lower card first
    number: Ints  # [lower card, higher card] of a hand
    classes: Ints  # [hand]
    near: Ints  # [rank, place] the classes that have a rank
    places: Ints  # [hand, 2] of its class among those with the rank of its first and second card
    starts: Ints  # [class] first row of its pivots in a block of one board, then the total


class Rows(NamedTuple):
    """A row per pivot of a block of boards, grouped by class: counts of hands."""

    above: Flags  # [row, class]
    below: Flags
    above_with: Flags  # [rank, row, suit, place] the same with a card
    below_with: Flags
    filled: Ints  # [class] rows in use


class Products(NamedTuple):
    """Sums over pivots of above × below, which 24 bits hold exactly for a thousand boards."""

    deals: Singles  # [class of the pivot, class, class]
    sharing: Singles  # [class of the pivot, rank, place, place] with the same card in both


class Ties(NamedTuple):
    """[class, class, class] unordered pairs that tie, and what lies below or above them."""

    below: Indices
    above: Indices


class Side(NamedTuple):
    """The hands of a board on one side of a level."""

    by_class: Indices  # [class]
    by_card: Indices  # [card, place]
    has: npt.NDArray[np.bool_]  # [hand]


@lean
def _move(hands: Hands, hand: int, side: Side, times: int) -> None:
    side.by_class[hands.classes[hand]] += times
    for end in range(2):
        side.by_card[hands.cards[hand, end], hands.places[hand, end]] += times
    side.has[hand] = times > 0


@lean
def _outer(hands: Hands, hand: int, side: Side, row: Flags, with_card: Flags) -> None:
    """Counts of the hands of one side that share no card with the pivot."""
    p, q = hands.cards[hand, 0], hands.cards[hand, 1]
    for c in range(CLASSES):
        row[c] = side.by_class[c]
    for place in range(NEAR):
        row[hands.near[p // SUITS, place]] -= side.by_card[p, place]
        row[hands.near[q // SUITS, place]] -= side.by_card[q, place]
    for card in range(DECK):
        out = with_card[card // SUITS, card % SUITS]
        if card in (p, q):
            for place in range(NEAR):
                out[place] = 0
            continue
        for place in range(NEAR):
            out[place] = side.by_card[card, place]
        for other in (p, q):
            rival = hands.number[min(card, other), max(card, other)]
            if side.has[rival]:
                out[hands.places[rival, 0 if hands.cards[rival, 0] == card else 1]] -= 1


@lean
def _tie(hands: Hands, level: Ints, below: Side, above: Side, ties: Ties, by_card: Indices) -> None:
    """Every pair of hands of a level that share no card; its hands are ordered by class."""
    one = 0
    while one < level.size:
        after_one = _end(hands, level, one)
        two = one
        while two < level.size:
            after_two = _end(hands, level, two)
            low, high = hands.classes[level[one]], hands.classes[level[two]]
            under, over = ties.below[low, high], ties.above[low, high]
            by_card[:] = 0
            for a in range(one, after_one):
                for b in range(max(two, a + 1), after_two):
                    _pair(hands, level[a], level[b], below, above, under, over, by_card)
            _others(hands, below, by_card, under)
            _others(hands, above, by_card, over)
            two = after_two
        one = after_one


@lean
def _end(hands: Hands, level: Ints, begin: int) -> int:
    """After the last hand of the same class."""
    end = begin + 1
    while end < level.size and hands.classes[level[end]] == hands.classes[level[begin]]:
        end += 1
    return end


@lean
def _pair(
    hands: Hands,
    first: int,
    second: int,
    below: Side,
    above: Side,
    under: Indices,
    over: Indices,
    by_card: Indices,
) -> None:
    """Count a pair and its cards; hands with a card of each will be taken away twice."""
    for one in range(2):
        for two in range(2):
            if hands.cards[first, one] == hands.cards[second, two]:
                return
    by_card[DECK] += 1
    for one in range(2):
        by_card[hands.cards[first, one]] += 1
        by_card[hands.cards[second, one]] += 1
        for two in range(2):
            card, other = hands.cards[first, one], hands.cards[second, two]
            rival = hands.number[min(card, other), max(card, other)]
            if below.has[rival]:
                under[hands.classes[rival]] += 1
            elif above.has[rival]:
                over[hands.classes[rival]] += 1


@lean
def _others(hands: Hands, side: Side, by_card: Indices, into: Indices) -> None:
    """Add the hands of one side for every pair, without those that have a card of it."""
    if by_card[DECK] == 0:
        return
    for c in range(CLASSES):
        into[c] += by_card[DECK] * side.by_class[c]
    for card in range(DECK):
        if by_card[card]:
            near, counts = hands.near[card // SUITS], side.by_card[card]
            for place in range(NEAR):
                into[near[place]] -= by_card[card] * counts[place]


@kernel
def fill(tables: HandTables, hands: Hands, boards: Ints, rows: Rows, ties: Ties) -> None:
    """The rows of all pivots on these boards; ties are added."""
    count = hands.classes.size
    strengths, paired = np.empty(count, np.int16), np.empty(DECK + 1, np.int32)
    by_class, by_card = np.empty((2, CLASSES), np.int32), np.empty((2, DECK, NEAR), np.int32)
    has = np.empty((2, count), np.bool_)
    below, above = Side(by_class[0], by_card[0], has[0]), Side(by_class[1], by_card[1], has[1])
    rows.filled[:] = 0
    for board in range(boards.shape[0]):
        rank_board(tables, boards[board], strengths)
        order = np.argsort(strengths * np.int64(CLASSES) + hands.classes)
        by_class[:] = 0
        by_card[:] = 0
        has[:] = False
        begin = 0
        for hand in range(count):
            if strengths[hand] >= 0:
                _move(hands, hand, above, 1)
            else:
                begin += 1
        while begin < count:
            end = begin
            while end < count and strengths[order[end]] == strengths[order[begin]]:
                _move(hands, order[end], above, -1)
                end += 1
            for hand in order[begin:end]:
                c = hands.classes[hand]
                row = hands.starts[c] * boards.shape[0] + rows.filled[c]
                rows.filled[c] += 1
                _outer(hands, hand, below, rows.below[row], rows.below_with[:, row])
                _outer(hands, hand, above, rows.above[row], rows.above_with[:, row])
            _tie(hands, order[begin:end], below, above, ties, paired)
            for hand in order[begin:end]:
                _move(hands, hand, below, 1)
            begin = end


@lean
def multiply(starts: Ints, blocks: int, rows: Rows, products: Products) -> None:
    """Add the products of all rows, class by class: sums stay in the cache."""
    for c in range(CLASSES):
        first = starts[c] * blocks
        for row in range(first, first + rows.filled[c]):
            _add_deals(rows.above[row], rows.below[row], products.deals[c])
            for rank in range(RANKS):
                _add_sharing(
                    rows.above_with[rank, row],
                    rows.below_with[rank, row],
                    products.sharing[c, rank],
                )


@apart
def _add_deals(above: Flags, below: Flags, into: Singles) -> None:
    for one in range(CLASSES):
        times = np.float32(above[one])
        if times != 0:
            out = into[one]
            for other in range(CLASSES):
                out[other] += times * np.float32(below[other])


@apart
def _add_sharing(above: Flags, below: Flags, into: Singles) -> None:
    """The four suits at once."""
    a, b, c, d = below[0], below[1], below[2], below[3]
    for one in range(NEAR):
        p, q = np.float32(above[0, one]), np.float32(above[1, one])
        r, s = np.float32(above[2, one]), np.float32(above[3, one])
        if p + q + r + s != 0:
            out = into[one]
            for other in range(WIDE):
                low = p * np.float32(a[other]) + q * np.float32(b[other])
                out[other] += low + (r * np.float32(c[other]) + s * np.float32(d[other]))
