"""Boards drawn at random, with their hands sorted and put into buckets for the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.core.arrays import Ints
from regretless.evaluation.table_cards import TableCards
from regretless.kernels.blueprint import Boards, number_buckets

BLOCK = 256  # boards that are drawn together: board t is always the same, however runs are cut

Dealt = Sequence[Sequence[int]]  # new cards of every round


class Dealer:
    """The boards of a run, by number."""

    def __init__(self, map: HandMap, cards: TableCards, seed: int) -> None:
        self.map, self.cards, self.seed = map, cards, seed
        self._block, self._drawn = -1, np.empty((0, 0), np.int64)

    def board(self, number: int) -> list[tuple[int, ...]]:
        """The new cards of every round of the board with this number."""
        block, at = divmod(number, BLOCK)
        if self._block != block:
            draws = np.random.default_rng([self.seed, block]).random((BLOCK, self.cards.deck))
            self._block, self._drawn = block, np.argsort(draws, axis=1)[:, : self.cards.shown]
        return self.map.split(self._drawn[at].tolist())

    def arrange(self, boards: Sequence[Dealt], pool: ThreadPoolExecutor | None = None) -> Boards:
        """Boards as the kernel reads them."""
        hands, count, rounds = len(self.cards.hands), len(boards), len(self.map.counts)
        most = min(max(self.map.counts), hands)
        made = Boards(
            local=np.empty((count, rounds, hands), np.int32),
            bucket=np.empty((count, rounds, most), np.int32),
            counts=np.empty((count, rounds), np.int64),
            order=np.zeros((count, hands), np.int32),
            ties=np.zeros((count, hands), np.int32),
            places=np.empty(count, np.int64),
        )

        def fill(at: int) -> None:
            known = np.full(max(self.map.counts), -1, np.int32)
            for round, buckets in enumerate(self.map.buckets(boards[at])):
                given = made.local[at, round], made.bucket[at, round]
                made.counts[at, round] = number_buckets(buckets, known, *given)
            order, ties = self._sorted(boards[at])
            made.places[at] = order.size
            made.order[at, : order.size], made.ties[at, : order.size] = order, ties

        list(pool.map(fill, range(count)) if pool else map(fill, range(count)))
        return made

    def _sorted(self, dealt: Dealt) -> tuple[Ints, Ints]:
        """The hands on a full board from weak to strong, and for each the end of its ties."""
        strengths = self.cards.strengths(tuple(card for part in dealt for card in part))
        order = np.argsort(strengths, kind="stable")
        ranked = strengths[order]
        first = int(np.searchsorted(ranked, 0))  # the others meet the board
        return order[first:], np.searchsorted(ranked, ranked[first:], side="right") - first
