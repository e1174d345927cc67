"""Abstraction of hold'em at full size: strength tables, k-means of the turn, look-ups.

Goals: all E[HS] and histograms of flop and turn within 10 minutes and k-means of the turn
(13,960,050 hands, 1,000 clusters) within 20 minutes, both on two cores; 5 million look-ups per
second on one core, of hands on random river boards in a map with 1,000 buckets. The rest of the
map is made only with `--long`."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import LONG, all_cores, progress, rates
from regretless.abstraction._deal_rules import DealRules
from regretless.abstraction._hand_map import RoundMap
from regretless.abstraction.rounds import distribution, ochs
from regretless.abstraction.rounds._context import Context

THREADS = 2
BUCKETS = 1000
BOARDS = 500


def measure() -> list[Row]:
    """Whole tables take minutes and are measured once."""
    with tempfile.TemporaryDirectory() as folder, all_cores():
        tables = sum(_seconds(partial(_table, cards, folder)) for cards in (3, 4))
        turn_s = _made(2, distribution.make)
        rows = [
            Row("strength tables, flop and turn", tables, "s", {}, "≤ 600", tables <= 600),
            Row("turn=distribution:1000", turn_s, "s", {}, "≤ 1200", turn_s <= 1200),
        ]
        if os.environ.get(LONG):
            rows.append(Row("flop=distribution:1000", _made(1, distribution.make), "s"))
            rows.append(Row("river=ochs:1000", _made(3, ochs.make), "s"))
    speed = _look_ups()
    return [*rows, Row("look-ups on the river", speed / 1e6, "million/s", {}, "≥ 5", speed >= 5e6)]


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _table(board_cards: int, folder: str) -> None:
    progress(f"strength table of {board_cards} board cards")
    rl.cards.strength_table(board_cards, folder=folder, threads=THREADS)


def _made(round: int, make: Callable[..., RoundMap]) -> float:
    """Seconds to make a round, without its strength table."""
    with tempfile.TemporaryDirectory() as work:
        context = Context(DealRules(), round, Path(work), _no_other, THREADS)
        if round < 3:  # it may have to be computed once
            rl.cards.strength_table(context.deal.shown(round), threads=THREADS)
        progress(f"{context.name}: {BUCKETS} buckets")
        return _seconds(lambda: make(context, buckets=BUCKETS))


def _no_other(round: int) -> RoundMap:
    raise AssertionError(f"no other round is needed, but {round}")


def _look_ups() -> float:
    """Buckets per second: all hands of random river boards, in a table at random."""
    rng, deal = np.random.default_rng(0), DealRules()
    index = deal.index(3)
    river = RoundMap(index, BUCKETS, rng.integers(0, BUCKETS, index.size, dtype=np.uint16))
    boards = [rng.permutation(deal.cards)[:5].astype(np.uint8) for _ in range(BOARDS)]

    def work(times: int) -> None:
        for turn in range(times):
            river.of(deal.hands, boards[turn % BOARDS])

    return rates({"boards": work})["boards"] * len(deal.hands)
