"""Boards drawn at random, with their hands sorted and put into buckets for the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.evaluation.table_cards import TableCards
from regretless.kernels.board_groups import Groups, Hands, Scratch, group_board

BLOCK = 256  # boards that are drawn together: board t is always the same, however runs are cut

Dealt = Sequence[Sequence[int]]  # new cards of every round


class BoardSampler:
    """The boards of a run, by number."""

    def __init__(self, map: HandMap, cards: TableCards, seed: int) -> None:
        self.map, self.cards, self.seed = map, cards, seed
        self.hands = cards.hands.astype(np.int32)
        self._room = self._empty(0)
        self._block, self._drawn = -1, np.empty((0, 0), np.int64)

    def board(self, number: int) -> list[tuple[int, ...]]:
        """The new cards of every round of the board with this number."""
        block, at = divmod(number, BLOCK)
        if self._block != block:
            draws = np.random.default_rng([self.seed, block]).random((BLOCK, self.cards.deck))
            self._block, self._drawn = block, np.argsort(draws, axis=1)[:, : self.cards.shown]
        return self.map.split(self._drawn[at].tolist())

    def explores(self, iteration: int, share: float) -> bool:
        """Whether an iteration is among a share of them, drawn at random."""
        return bool(np.random.default_rng([self.seed, iteration, 1]).random() < share)

    def arrange(self, boards: Sequence[Dealt], pool: ThreadPoolExecutor | None = None) -> Groups:
        """Boards as the kernel reads them, until the next call."""
        if len(self._room.counts) < len(boards):
            self._room = self._empty(len(boards))
        parts: list[Any] = [part[: len(boards)] for part in self._room]
        made = Groups(*parts)

        def fill(at: int) -> None:
            dealt = boards[at]
            strength = self.cards.strengths(tuple(card for part in dealt for card in part))
            order = np.argsort(strength, kind="stable")
            order = order[np.searchsorted(strength[order], 0) :]  # the others meet the board
            buckets = np.stack(self.map.buckets(dealt))
            hands = Hands(self.hands, buckets, strength, order)
            group_board(hands, self._scratch(), made, at)

        list(pool.map(fill, range(len(boards))) if pool else map(fill, range(len(boards))))
        return made

    def _empty(self, boards: int) -> Groups:
        hands, shape = len(self.hands), (boards, len(self.map.counts) + 1)
        return Groups(
            counts=np.empty((*shape, 1), np.int32),
            begin=np.empty((*shape, hands + 1), np.int32),
            label=np.empty((*shape, hands), np.int32),
            row=np.empty((*shape, hands + 1), np.int32),
            hand=np.empty((*shape, hands), np.int32),
            cards=np.empty((*shape, hands, 2), np.int32),
            card=np.empty((*shape, 3 * hands), np.int32),
            weight=np.empty((*shape, 3 * hands), np.float32),
            ties=np.empty((*shape, hands), np.int32),
        )

    def _scratch(self) -> Scratch:
        hands, labels = len(self.hands), max(*self.map.counts, self.cards.deck)
        return Scratch(
            known=np.full(max(labels, hands), -1, np.int32),
            chosen=np.empty(hands, np.int32),
            number=np.empty(hands, np.int32),
        )
