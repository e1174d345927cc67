"""Hands ranked per second.

A million random hands are in memory as one array, one row per hand, one byte per card. The kernel
trusts its input; `ranks` first checks for impossible and duplicate cards. phevaluator is called
hand by hand, the only way it offers from Python."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from benchmarks._report import NOT_INSTALLED, Row
from benchmarks._timing import Work, progress, rates, repeated, seconds_each
from regretless.cards.evaluator import ranks, ranks_on_board, strength_counts
from regretless.kernels.hands import DECK, Cards, hand_tables, rank_hands

HANDS = 1_000_000  # 7 MB: more than the cache of a core
PEER_HANDS = 1000
PHEVALUATOR = "phevaluator"
LEAST = 50e6  # seven-card hands per second on one core


def measure() -> list[Row]:
    """Speed by hand size, then other work of a solver."""
    dealt = _deal(HANDS)
    rows = [row for size in (5, 6, 7) for row in _sizes(np.ascontiguousarray(dealt[:, :size]))]
    return [*rows, *_others()]


def _deal(hands: int) -> Cards:
    decks = np.tile(np.arange(DECK, dtype=np.uint8), (hands, 1))
    return np.random.default_rng(1).permuted(decks, axis=1)[:, :7]


def _sizes(hands: Cards) -> list[Row]:
    size = hands.shape[1]
    progress(f"hands of {size} cards")
    tables, slots, out = hand_tables(size), (0,) * size, np.empty(len(hands), np.int16)
    works = {
        "kernel": repeated(lambda: rank_hands(tables, slots, hands, out)),
        "ranks": repeated(lambda: ranks(hands)),
    }
    per_s = {name: len(hands) * rate for name, rate in rates(works).items()}
    peers = {PHEVALUATOR: _rounded(_peer(hands))}
    aim = (f"> {LEAST:,.0f}", per_s["kernel"] > LEAST) if size == 7 else ("", None)
    return [
        Row(
            f"best five of {size} cards: kernel", _rounded(per_s["kernel"]), "hands/s", peers, *aim
        ),
        Row(f"best five of {size} cards: ranks", _rounded(per_s["ranks"]), "hands/s", peers),
    ]


def _peer(hands: Cards) -> float:
    """Hands per second of phevaluator."""
    if find_spec(PHEVALUATOR) is None:
        progress(f"{PHEVALUATOR} is not installed: skipped")
        return NOT_INSTALLED
    evaluate: Callable[..., int] = import_module(PHEVALUATOR).evaluate_cards
    asked = hands[:PEER_HANDS].tolist()
    work: Work = repeated(lambda: [evaluate(*hand) for hand in asked])
    return PEER_HANDS * rates({PHEVALUATOR: work})[PHEVALUATOR]


def _others() -> list[Row]:
    progress("boards, tables, all hands")
    board = np.array([3, 17, 22, 38, 51])
    each = seconds_each(
        {
            "board": repeated(lambda: ranks_on_board(board)),
            "tables": repeated(lambda: hand_tables.__wrapped__(7)),
            "all": repeated(lambda: strength_counts(7)),
        },
        repetitions=3,
    )
    return [
        Row("all 1,326 holdings on a board of five cards", 1e3 * each["board"], "ms"),
        Row("tables for seven cards, once", each["tables"], "s", {}, "< 1", each["tables"] < 1),
        Row("all 133,784,560 hands of 7 cards", each["all"], "s", {}, "< 5", each["all"] < 5),
    ]


def _rounded(value: float) -> float:
    """Three digits: the precision of the measurement."""
    return float(f"{value:.3g}")
