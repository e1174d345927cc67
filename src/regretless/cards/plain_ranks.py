"""Strength of seven cards without kernels: plain NumPy.

For a few hands only. Compiled kernels are far faster, but the first one in a process takes most
of a second to load, which is too long for showing a single decision."""

from __future__ import annotations

from functools import cache

import numpy as np

from regretless.cards.deck import RANKS
from regretless.cards.holdings import COPIES, disjoint, hands, run_outs
from regretless.core.arrays import Floats, Ints

KINDS = 1 << len(RANKS)  # sets of ranks
WIDTH = len(RANKS)  # bits of a set; a strength is a category and two sets of ranks
FLUSH_CARDS = 5
HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH = range(9)


def plain_ranks(cards: Ints) -> Ints:
    """[hand] numbers that compare like the hands in `cards`, [hand, 7]."""
    ranks, suits = cards // COPIES, cards % COPIES
    bits = 1 << ranks
    counts = np.stack([(ranks == rank).sum(axis=1) for rank in range(WIDTH)], axis=1)
    places = 1 << np.arange(WIDTH)
    shown, pairs, trips, quads = ((counts >= n) @ places for n in (1, 2, 3, 4))
    flush = np.zeros(len(cards), dtype=np.int64)
    for suit in range(COPIES):
        own = suits == suit
        flush += np.where(own.sum(axis=1) >= FLUSH_CARDS, (bits * own).sum(axis=1), 0)
    none = np.zeros_like(shown)
    best = _strength(HIGH, none, _top(5)[shown])
    three, four, two = _top(1)[trips], _top(1)[quads], _top(2)[pairs]
    one = _top(1)[pairs]
    straight, straight_flush = _straights()[shown], _straights()[flush]
    # From weak to strong: stronger categories override.
    for mask, strength in (
        (one, _strength(PAIR, one, _top(3)[shown ^ one])),
        (_many()[pairs], _strength(TWO_PAIR, two, _top(1)[shown ^ two])),
        (three, _strength(TRIPS, three, _top(2)[shown ^ three])),
        (straight, _strength(STRAIGHT, straight, none)),
        (flush, _strength(FLUSH, _top(5)[flush], none)),
        (three & -(_many()[pairs]), _strength(FULL, three, _top(1)[pairs ^ three])),
        (four, _strength(QUADS, four, _top(1)[shown ^ four])),
        (straight_flush, _strength(STRAIGHT_FLUSH, straight_flush, none)),
    ):
        best = np.where(mask != 0, strength, best)
    return best


def plain_shares(board: tuple[int, ...], first: Ints, second: Ints) -> Floats:
    """[hand, other hand] equity of the first on a board of four or five cards.

    Hands are numbers of `holdings`; 0 if the two share a card."""
    won = np.zeros((len(first), len(second)))
    met = np.zeros_like(won)
    meets = disjoint()[np.ix_(first, second)]
    for run_out in run_outs(board):
        mine, other = (_on_board(numbers, run_out) for numbers in (first, second))
        both = meets * (mine >= 0)[:, None] * (other >= 0)
        met += both
        won += both * (0.5 + 0.5 * np.sign(mine[:, None] - other))
    shares: Floats = won / np.maximum(met, 1)
    return shares


def _on_board(numbers: Ints, board: Ints) -> Ints:
    """[hand] strength on a full board, -1 if it is blocked."""
    own, ranks = hands()[numbers], np.full(len(numbers), -1, dtype=np.int64)
    live = ~np.isin(own, board).any(axis=1)
    cards = np.concatenate([own[live], np.tile(board, (int(live.sum()), 1))], axis=1)
    ranks[live] = plain_ranks(cards)
    return ranks


def _strength(category: int, first: Ints, second: Ints) -> Ints:
    return (category << 2 * WIDTH) + (first << WIDTH) + second


@cache
def _top(count: int) -> Ints:
    """[set] its highest ranks; all, if there are fewer."""
    kept = np.arange(KINDS)
    sizes = np.bitwise_count(kept.astype(np.uint16)).astype(np.int64)
    while (sizes > count).any():
        kept = np.where(sizes > count, kept & (kept - 1), kept)
        sizes = np.minimum(sizes, np.maximum(sizes - 1, count))
    return kept


@cache
def _many() -> Ints:
    """[set] 1 if it has two or more ranks."""
    sets = np.arange(KINDS)
    many: Ints = (sets & (sets - 1) != 0).astype(np.int64)
    return many


@cache
def _straights() -> Ints:
    """[set] the bit of the highest card of its best straight, or 0."""
    sets = np.arange(KINDS)
    low = (sets << 1) | (sets >> (WIDTH - 1))  # the ace also counts below the deuce
    runs = low & (low >> 1) & (low >> 2) & (low >> 3) & (low >> 4)
    best = np.zeros(KINDS, dtype=np.int64)
    for start in range(WIDTH - 3):
        best = np.where(runs & (1 << start), 1 << (start + 3), best)
    return best
