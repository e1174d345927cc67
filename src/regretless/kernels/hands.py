"""Strength of poker hands: the best five of five, six or seven cards, many hands at once.

A card is rank * 4 + suit, rank 0 (deuce) to 12 (ace). The five-card hands of a full deck
fall into 7462 classes of equal hands; a strength is the number of the class, weakest first.

Every card has a key, and the keys of a hand are added. The sum counts the suits, which
reveals a flush. Otherwise only the multiset of ranks matters, and the sum is a hash of it:
a row and a column. Rows are overlaid, each shifted so that no two entries collide (Tarjan &
Yao 1979, "Storing a sparse table"), so that a lookup is two loads and no comparison, in
tables that fit in a core's cache: 157 kB for seven cards."""

from __future__ import annotations

from functools import cache
from itertools import count
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Ints
from regretless.kernels.compiled import kernel

Cards: TypeAlias = npt.NDArray[np.uint8]
Strengths: TypeAlias = npt.NDArray[np.int16]

RANKS, SUITS, DECK = 13, 4, 52
HOLDINGS = DECK * (DECK - 1) // 2  # cards low < high are holding high * (high - 1) / 2 + low
STRENGTHS = 7462
BLOCKED = -1  # in place of the strength of a holding that shares a card with the board

# A key, lowest bits first: column, row, and from SUITS_AT on a four-bit counter per suit.
COLUMN_BITS, ROW_BITS, SUITS_AT, COUNTER_BITS = 13, 13, 32, 4
COLUMN, ROW = (1 << COLUMN_BITS) - 1, (1 << ROW_BITS) - 1
ONE_OF_EACH = sum(1 << (SUITS_AT + COUNTER_BITS * suit) for suit in range(SUITS))
START = 3 * ONE_OF_EACH  # so that the fifth card of a suit sets the highest bit of its counter
FLUSH = 8 * ONE_OF_EACH
FIVE_AT = SUITS_AT + 3
RANKS_AT = 16  # a set of cards has that many bits per suit, one per rank
ALL_RANKS = (1 << RANKS) - 1


class HandTables(NamedTuple):
    """Tables for hands of a given number of cards."""

    keys: Ints  # of every card
    places: Ints  # of every card: its bit in a set of cards
    moves: npt.NDArray[np.uint16]  # of every row: where it begins
    plain: Strengths  # of hands without a flush: at the row's beginning plus the column
    flushes: Strengths  # of every set of five or more ranks of one suit


@kernel
def _suited(key: int, cards: int) -> int:
    """The ranks of the suit that has a flush, within a set of cards."""
    suit = 0
    for other in range(1, SUITS):  # without branches, which would be hard to predict
        suit += other * ((key >> (FIVE_AT + COUNTER_BITS * other)) & 1)
    return (cards >> (RANKS_AT * suit)) & ALL_RANKS


@kernel
def rank_hands(tables: HandTables, slots: tuple[int, ...], cards: Cards, out: Strengths) -> None:
    """Strength of every row of `cards`; `slots` is any tuple as long as a row.

    A tuple, because its length is known to the compiler, which then unrolls the loops over
    the cards of a hand. Otherwise it vectorises each of them, at a sixth of the speed."""
    # Arrays read from a NamedTuple within branches of a loop have their references counted
    # there, also at a sixth of the speed; so they are unpacked first.
    keys, places, moves, plain, flushes = tables
    for hand in range(cards.shape[0]):
        key = START
        for slot in range(len(slots)):
            key += keys[cards[hand, slot]]
        out[hand] = plain[moves[(key >> COLUMN_BITS) & ROW] + (key & COLUMN)]
        if key & FLUSH:
            held = 0
            for slot in range(len(slots)):
                held += places[cards[hand, slot]]
            out[hand] = flushes[_suited(key, held)]


@kernel
def first_repeating(slots: tuple[int, ...], cards: Cards) -> int:
    """The first row in which a card occurs twice, or -1; cards must be valid."""
    for hand in range(cards.shape[0]):
        added = united = 0
        for slot in range(len(slots)):
            bit = np.int64(1) << cards[hand, slot]
            added += bit
            united |= bit
        if added != united:
            return hand
    return -1


@kernel
def rank_board(tables: HandTables, board: Ints, out: Strengths) -> None:
    """Strength of all 1326 holdings on one board of three to five cards, or `BLOCKED`."""
    keys, places, moves, plain, flushes = tables
    board_key, on_board = START, 0
    for card in board:
        board_key += keys[card]
        on_board |= places[card]
    holding = 0
    for high in range(1, DECK):
        high_key, high_held = board_key + keys[high], on_board | places[high]
        for low in range(high):
            key = high_key + keys[low]
            out[holding] = plain[moves[(key >> COLUMN_BITS) & ROW] + (key & COLUMN)]
            if key & FLUSH:
                out[holding] = flushes[_suited(key, high_held | places[low])]
            holding += 1
    for card in board:
        for low in range(card):
            out[card * (card - 1) // 2 + low] = BLOCKED
        for high in range(card + 1, DECK):
            out[high * (high - 1) // 2 + card] = BLOCKED


@kernel
def count_strengths(tables: HandTables, chosen: Ints, counts: Ints) -> None:
    """Add to `counts` how many hands of the deck have each strength; `chosen` is scratch.

    `chosen` has two cards fewer than a hand, and runs through all sets of that size, lowest
    card first; the other two cards are lower still."""
    keys, places, moves, plain, flushes = tables
    last = len(chosen) - 1
    for slot in range(last + 1):
        chosen[slot] = slot
    while chosen[last] < DECK:
        chosen_key, chosen_held = START, 0
        for card in chosen:
            chosen_key += keys[card]
            chosen_held |= places[card]
        for high in range(1, chosen[0]):
            high_key, high_held = chosen_key + keys[high], chosen_held | places[high]
            for low in range(high):
                key = high_key + keys[low]
                strength = plain[moves[(key >> COLUMN_BITS) & ROW] + (key & COLUMN)]
                if key & FLUSH:
                    strength = flushes[_suited(key, high_held | places[low])]
                counts[strength] += 1
        slot = 0
        while slot < last and chosen[slot] + 1 == chosen[slot + 1]:
            chosen[slot] = slot
            slot += 1
        chosen[slot] += 1


@cache
def hand_tables(cards: int) -> HandTables:
    """The tables for hands of five, six or seven cards; built once, in a quarter of a second."""
    multisets = _multisets(cards)
    rank_keys, moves, entries = _perfect_hash(multisets)
    # Even the keys of impossible hands, such as a duplicate card, sum to an index in the table.
    plain = np.zeros(int(moves.max()) + COLUMN + 1, np.int16)
    plain[entries] = np.searchsorted(classes(), _codes(multisets))
    flushes = np.searchsorted(classes(), _flush_codes(np.arange(ALL_RANKS + 1)))
    card = np.arange(DECK)
    rank, suit = card // SUITS, card % SUITS
    keys = rank_keys[rank] + (1 << (SUITS_AT + COUNTER_BITS * suit))
    places = 1 << (RANKS_AT * suit + rank)
    tables = HandTables(keys, places, moves, plain, flushes.astype(np.int16))
    for array in tables:
        array.setflags(write=False)  # shared by all callers
    return tables


@cache
def classes() -> Ints:
    """Codes of the 7462 classes of equal five-card hands, weakest first."""
    sets = np.arange(ALL_RANKS + 1)
    flushes = _flush_codes(sets[np.bitwise_count(sets) == 5])
    return np.unique(np.concatenate([_codes(_multisets(5)), flushes]))


def category_of(codes: Ints) -> Ints:
    """0 (high card) to 8 (straight flush), of codes."""
    return codes >> (2 * RANKS)


def _code(category: int, first: Ints, then: Ints) -> Ints:
    """One number that orders hands by category, then by two sets of ranks."""
    return (category << (2 * RANKS)) | (first << RANKS) | then


def _codes(multisets: Ints) -> Ints:
    """The code of the best five cards of each multiset of ranks, without a flush."""
    bits = 1 << np.arange(RANKS)
    one, two, three, four = (((multisets >= times) * bits).sum(axis=1) for times in range(1, 5))
    quads, trips, pair, pairs = _top(four, 1), _top(three, 1), _top(two, 1), _top(two, 2)
    under, straight, none = _top(two & ~trips, 1), _straight(one), np.zeros_like(one)
    cases = [  # strongest first
        (quads > 0, _code(7, quads, _top(one & ~quads, 1))),
        ((trips > 0) & (under > 0), _code(6, trips, under)),
        (straight > 0, _code(4, straight, none)),
        (trips > 0, _code(3, trips, _top(one & ~trips, 2))),
        (pairs > pair, _code(2, pairs, _top(one & ~pairs, 1))),
        (pair > 0, _code(1, pair, _top(one & ~pair, 3))),
    ]
    conditions, codes = zip(*cases, strict=True)
    return np.select(conditions, codes, _code(0, none, _top(one, 5)))


def _flush_codes(sets: Ints) -> Ints:
    """The code of the best five of each set of ranks, all of one suit."""
    straight, none = _straight(sets), np.zeros_like(sets)
    return np.where(straight > 0, _code(8, straight, none), _code(5, none, _top(sets, 5)))


def _straight(sets: Ints) -> Ints:
    """The best straight of each set, as the bit of its lowest card; the wheel is bit 0."""
    ranks = (sets << 1) | (sets >> (RANKS - 1))  # the ace also counts below the deuce
    return _top(ranks & (ranks >> 1) & (ranks >> 2) & (ranks >> 3) & (ranks >> 4), 1)


def _top(sets: Ints, count: int) -> Ints:
    """The highest `count` ranks of each set, or all if there are fewer."""
    top = np.zeros_like(sets)
    for _ in range(count):
        below = sets & ~top
        for shift in (1, 2, 4, 8):
            below |= below >> shift
        top |= below ^ (below >> 1)
    return top


def _multisets(cards: int) -> Ints:
    """How often each rank occurs, for all hands of the given size."""
    found = np.zeros((1, 0), np.int64)
    for _ in range(RANKS):
        more = np.repeat(found, SUITS + 1, axis=0)
        times = np.tile(np.arange(SUITS + 1), len(found))
        found = np.column_stack([more, times])
        found = found[found.sum(axis=1) <= cards]
    full: Ints = found[found.sum(axis=1) == cards]
    return full


def _perfect_hash(multisets: Ints) -> tuple[Ints, npt.NDArray[np.uint16], Ints]:
    """Keys of the ranks, the offset of each row, and the entry of every multiset."""
    bits = COLUMN_BITS + ROW_BITS
    for seed in count():
        draw = Random(seed)
        keys = np.array([draw.getrandbits(bits) for _ in range(RANKS)])
        hashes = (multisets @ keys) & ((1 << bits) - 1)
        if np.diff(np.sort(hashes)).all():  # no two are equal
            break
    rows, columns = hashes >> COLUMN_BITS, hashes & COLUMN
    moves = _moves(rows, columns)
    return keys, moves, moves[rows] + columns


def _moves(rows: Ints, columns: Ints) -> npt.NDArray[np.uint16]:
    """Offsets of the rows such that no two entries collide, found row by row.

    Long rows come first, while there is room. A row is not tried where one of the same
    length did not fit: this wastes a fifth of the entries and saves nearly all the time."""
    window = 1024  # offsets tried at once
    lengths = np.bincount(rows, minlength=ROW + 1)
    ends, columns = np.cumsum(lengths), columns[np.argsort(rows, kind="stable")]
    free = np.ones(len(rows) + (1 << 16), np.bool_)
    moves = np.zeros(ROW + 1, np.uint16)
    length = begin = 0
    for row in np.argsort(-lengths, kind="stable")[: np.count_nonzero(lengths)]:
        if lengths[row] != length:
            length, begin = lengths[row], 0
        own = columns[ends[row] - length : ends[row]]
        while True:
            fits = np.logical_and.reduce([free[c : c + window] for c in (own + begin).tolist()])
            if fits.any():
                break
            begin += window
        moves[row] = begin + fits.argmax()
        free[moves[row] + own] = False
    return moves
