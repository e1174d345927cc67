"""Public chance sampling on a betting tree and a map of hands (Johanson et al. 2012).

An iteration samples one board and updates both players, one after the other, for all hands at
once. The value of a fold or showdown is divided by the probability that a random board does not
meet the two hands: so regrets are unbiased.

With a `period`, regrets and averages are discounted after every so many boards as in discounted CFR
(Brown & Sandholm 2019): after period k, positive regrets are multiplied by k^alpha / (k^alpha + 1),
negative ones with beta, sums of strategies by (k / (k + 1))^gamma. The defaults are linear
CFR."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.blueprints._boards import Dealer
from regretless.blueprints._layout import Layout
from regretless.blueprints.betting_tree import BettingTree
from regretless.blueprints.blueprint import Blueprint, packed
from regretless.core.errors import BadInput, number, whole
from regretless.core.memory import require
from regretless.evaluation.table_cards import TableCards
from regretless.kernels.blueprint import (
    ENTRIES,
    LANES,
    ROUND_SLOTS,
    SLOTS,
    TABLE,
    Deck,
    Memory,
    Shared,
    Tree,
    Work,
    sweep,
)

BATCH = 16  # boards that are arranged together
Real: Any = np.float32


class Trainer:
    """Regrets and sums of strategies, and the next board."""

    def __init__(
        self,
        tree: BettingTree,
        map: HandMap,
        *,
        seed: int = 0,
        threads: int = 1,
        period: int = 0,
        alpha: float = 1.0,
        beta: float = 1.0,
        gamma: float = 1.0,
    ) -> None:
        map.require(tree.rules)
        whole("period", period, 0, 10**12)
        for name, value in (("alpha", alpha), ("beta", beta), ("gamma", gamma)):
            number(name, value)
        self.tree, self.map, self.threads = tree, map, threads
        self.period, self.alpha, self.beta, self.gamma = period, alpha, beta, gamma
        self.layout = Layout(tree)
        self.arrays = self.layout.tree(map.counts)
        self.cards = TableCards(tree.rules)
        self.dealer = Dealer(map, self.cards, seed)
        require(self.memory_bytes, "a blueprint of this size")
        entries = int((self.arrays.widths[:, :, ENTRIES].T * np.array(map.counts)).sum())
        self.memory = Memory(np.zeros(entries, Real), np.zeros(entries, Real))
        self.shared = _shared(self.arrays, len(self.cards.hands))
        self.work = [_work(self.arrays, map, self.cards) for _ in range(threads)]
        self.deck = Deck(self.cards.hands.astype(np.int32), self.cards.deck)
        self.iteration = 0

    @property
    def memory_bytes(self) -> int:
        """Memory for tables and scratch."""
        hands = len(self.cards.hands)
        tables = self.arrays.widths[:, :, ENTRIES].T * np.array(self.map.counts)
        rows = self.arrays.widths[:, :, ROUND_SLOTS].sum()
        chunk = self.threads * 2 * self.arrays.sides[:, :, SLOTS].max()
        return int(4 * (2 * tables.sum() + hands * (rows + chunk)))

    def step(self, count: int = 1) -> None:
        """Play this many boards; 0 only compiles."""
        end = self.iteration + count
        while self.iteration < end:
            most = min(BATCH, end - self.iteration)
            if self.period:
                most = min(most, self.period - self.iteration % self.period)
            boards = [self.dealer.board(self.iteration + k) for k in range(most)]
            self.play(boards)
            self.iteration += most
            if self.period and self.iteration % self.period == 0:
                self._discount(self.iteration // self.period)
        if not count:
            self.play([])

    def play(self, boards: list[Any]) -> None:
        """Update regrets and averages on these boards."""
        made = self.dealer.arrange(boards)
        sweep(self.arrays, self.deck, self.memory, made, self.shared, self.work[0])

    def _discount(self, k: int) -> None:
        regret, average = self.memory
        positive, negative = (k**p / (k**p + 1) for p in (self.alpha, self.beta))
        regret *= np.where(regret > 0, Real(positive), Real(negative))
        average *= Real((k / (k + 1)) ** self.gamma)

    def blueprint(self, about: Mapping[str, Any] | None = None) -> Blueprint:
        """The average strategy so far."""
        tables = []
        for round in range(self.tree.rules.rounds):
            first, second = (
                packed(self.tree, round, player, self.sums(round, player)) for player in (0, 1)
            )
            tables.append((first, second))
        return Blueprint(self.tree, self.map, tuple(tables), dict(about or {}))

    def sums(self, round: int, player: int) -> np.ndarray:
        """[bucket, column] sums of strategies, weighted by reach."""
        return self._table(self.memory.average, round, player)[:, self.layout.order[round][player]]

    def regrets(self, round: int, player: int) -> np.ndarray:
        """[bucket, column]."""
        return self._table(self.memory.regret, round, player)[:, self.layout.order[round][player]]

    def set_regrets(self, round: int, player: int, table: np.ndarray) -> None:
        """Start from other regrets, [bucket, column]."""
        self._table(self.memory.regret, round, player)[:, self.layout.order[round][player]] = table

    def _table(self, vector: np.ndarray, round: int, player: int) -> np.ndarray:
        """[bucket, entry] in the kernel's order, with padding."""
        width, at = self.arrays.widths[round, player, [ENTRIES, TABLE]].tolist()
        count = self.map.counts[round]
        return vector[at : at + count * width].reshape(count, width)

    def state(self) -> dict[str, np.ndarray]:
        """Everything the next step depends on."""
        return {
            "regret": self.memory.regret,
            "average": self.memory.average,
            "iteration": np.array([self.iteration], np.uint64),
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from a saved state."""
        for name, mine in self.state().items():
            found = state.get(name)
            if found is None or found.shape != mine.shape or found.dtype != mine.dtype:
                raise BadInput(f"saved state has no vector {name!r} of {mine.size} {mine.dtype}")
        np.copyto(self.memory.regret, state["regret"])
        np.copyto(self.memory.average, state["average"])
        self.iteration = int(state["iteration"][0])


def _shared(tree: Tree, hands: int) -> Shared:
    """What rounds pass on; the last one passes nothing on."""
    slots = tree.widths[:-1, :, ROUND_SLOTS].max(axis=1)
    prefixes = np.diff(tree.round_prefixes)[1:]
    reach_at, value_at = (np.cumsum([0, *(hands * part)]) for part in (slots, prefixes))
    sizes = int(reach_at[-1]), int(value_at[-1])
    return Shared(np.zeros(sizes[0], Real), np.zeros(sizes[1], Real), reach_at, value_at)


def _work(tree: Tree, map: HandMap, cards: TableCards) -> Work:
    """Scratch of one thread."""
    slots, hands = int(tree.sides[:, :, SLOTS].max()), len(cards.hands)
    most = min(max(map.counts), hands)
    sums = (1 + cards.deck) * slots
    sizes = (hands * slots, most * slots, sums, sums, slots, int(tree.chunks[:, LANES].max()))
    return Work(*(np.zeros(size, Real) for size in sizes))
