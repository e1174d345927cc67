"""Public chance sampling on a betting tree and a map of hands (Johanson et al. 2012).

An iteration samples some boards. First one player learns on them, board by board and for all hands
at once, while the other does not change; then the other player does. The value of a fold or
showdown is divided by the probability that a random board does not meet the two hands: so regrets
are unbiased.

Differs from the paper: there may be several boards per iteration. Threads then wait for each other
less often, but a board no longer fits in the cache.

With a `period`, regrets and averages are discounted after every so many iterations, as in
discounted CFR (Brown & Sandholm 2019): after period k, positive regrets are multiplied by
k^alpha / (k^alpha + 1), negative ones likewise with beta, sums of strategies by
(k / (k + 1))^gamma. The defaults are linear CFR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.blueprints._layout import (
    CHUNK_COLUMNS,
    CHUNK_LANES,
    LAYOUT_VERSION,
    BettingLayout,
)
from regretless.blueprints.blueprint import Blueprint, Table, packed, require_suitable
from regretless.core.errors import BadInput, BadParameter, number, whole
from regretless.core.loop import Stepper
from regretless.core.memory import require
from regretless.evaluation.table_cards import TableCards
from regretless.games._betting_tree import BettingTree
from regretless.kernels.blueprint import sweep
from regretless.kernels.blueprint_game import (
    BLOCKS,
    ENDS,
    ENTRIES,
    PIECES,
    ROUND,
    SLOTS,
    TABLE,
    Game,
    Memory,
    Pruning,
    Shared,
    Tree,
    Work,
)
from regretless.kernels.board_groups import Groups, Hands, Scratch, group_board
from regretless.kernels.lanes import WIDE, zeros
from regretless.kernels.team import Team

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


Real: Any = np.float32
BATCH = 32  # boards that are arranged together
BOTH_LEARN = -1
FLOOR = 1.03  # of regrets, in thresholds of pruning: about that of Brown & Sandholm 2019 (Pluribus)


class Trainer(Stepper):
    """Regrets and sums of strategies, and the next board."""

    def __init__(
        self,
        tree: BettingTree,
        map: HandMap,
        *,
        seed: int = 0,
        threads: int = 1,
        chunk_columns: int = CHUNK_COLUMNS,
        boards: int = 1,
        period: int = 0,
        alpha: float = 1.0,
        beta: float = 1.0,
        gamma: float = 1.0,
        prune: float = 0.0,
        explore: float = 0.05,
    ) -> None:
        require_suitable(tree.rules)
        map.require(tree.rules)
        whole("boards", boards, 1, 1024)
        whole("period", period, 0, 10**12)
        for name, value in (("alpha", alpha), ("beta", beta), ("gamma", gamma)):
            number(name, value)
        _check_pruning(prune, explore, boards)
        self.tree, self.map, self.threads, self.boards = tree, map, threads, boards
        self.prune, self.explore = prune, explore
        self.period, self.alpha, self.beta, self.gamma = period, alpha, beta, gamma
        # Only whole chunks are pruned.
        lanes = WIDE if prune else CHUNK_LANES
        self.layout = BettingLayout(tree, chunk_columns=chunk_columns, chunk_lanes=lanes)
        self.arrays = self.layout.tree(map.counts)
        self.cards = TableCards(tree.rules)
        self.dealer = BoardSampler(map, self.cards, seed)
        require(self.memory_bytes, "a blueprint of this size")
        entries = int((self.arrays.widths[:, :, ENTRIES].T * np.array(map.counts)).sum())
        self.memory = Memory(zeros(entries), zeros(entries))
        self.shared = _shared(self.arrays, boards, map, self.cards)
        self.work = [_work(self.arrays, map, self.cards) for _ in range(threads)]
        self.iteration, self.fixed = 0, BOTH_LEARN
        self._pool = ThreadPoolExecutor(threads)

    def hold(self, player: int, tables: Sequence[Sequence[Table]]) -> None:
        """From now on this player plays [round][player] tables and does not learn.

        Only the part of the other player is then learned: it tends to a best response."""
        self.fixed = player
        for round, two in enumerate(tables):
            table = self._table(self.memory.regret, round, player)
            table[:, self.layout.order[round][player]] = two[player]

    @property
    def memory_bytes(self) -> int:
        """Memory for tables and scratch."""
        tables = self.arrays.widths[:, :, ENTRIES].T * np.array(self.map.counts)
        shared = self.boards * sum(map(sum, _shared_sizes(self.arrays, self.map, self.cards)))
        work = self.threads * sum(_work_sizes(self.arrays, self.map, self.cards))
        return int(4 * (2 * tables.sum() + shared + work))

    def step(self, count: int = 1) -> None:
        """Run this many iterations; 0 only compiles."""
        if not count:
            self.play([])
        end = self.iteration + count
        while self.iteration < end:
            most = max(BATCH // self.boards, 1)
            if self.period:
                most = min(most, self.period - self.iteration % self.period)
            batch = min(most, end - self.iteration)
            first = self.iteration * self.boards
            boards = [self.dealer.board(first + k) for k in range(batch * self.boards)]
            self.play(boards, [self._prunes(self.iteration + k) for k in range(batch)])
            self.iteration += batch
            if self.period and self.iteration % self.period == 0:
                self._discount(self.iteration // self.period)

    def _prunes(self, iteration: int) -> bool:
        return self.prune < 0 and not self.dealer.explores(iteration, self.explore)

    def play(self, boards: list[Any], prunes: Sequence[bool] = ()) -> None:
        """Update regrets and averages on the boards of some iterations; `prunes` says in which of
        them actions are pruned, by default in none."""
        made, counters = self.dealer.arrange(boards, self._pool), np.zeros(2, np.int64)
        when = np.zeros(len(boards) // self.boards, np.uint8)
        when[: len(prunes)] = prunes
        least = self.prune or -np.inf
        pruning = Pruning(Real(least), Real(FLOOR * least), when)

        def work(member: int) -> None:
            parts = self.memory, made, self.shared, self.work[member]
            sizes = self.boards, self.cards.deck
            game = Game(self.arrays, *parts, *sizes, pruning, self.fixed)
            sweep(game, Team(member, self.threads, counters))

        others = [self._pool.submit(work, member) for member in range(1, self.threads)]
        work(0)
        for other in others:
            other.result()

    def _discount(self, k: int) -> None:
        regret, average = self.memory
        positive, negative = (k**p / (k**p + 1) for p in (self.alpha, self.beta))
        if positive == negative:
            regret *= Real(positive)
        else:
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
            "layout": np.array([LAYOUT_VERSION], np.uint64),
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Continue from a saved state."""
        for name, mine in self.state().items():
            saved = state.get(name)
            if saved is None or saved.shape != mine.shape or saved.dtype != mine.dtype:
                raise BadInput(f"saved state has no vector {name!r} of {mine.size} {mine.dtype}")
        if state["layout"][0] != LAYOUT_VERSION:
            raise BadInput("saved state has its columns in another order: train again")
        np.copyto(self.memory.regret, state["regret"])
        np.copyto(self.memory.average, state["average"])
        self.iteration = int(state["iteration"][0])


def _check_pruning(prune: float, explore: float, boards: int) -> None:
    number("prune", prune)
    number("explore", explore)
    if prune > 0:
        raise BadParameter(f"prune={prune:g}: must be negative, or 0 for no pruning")
    if not 0 < explore <= 1:
        raise BadParameter(f"explore={explore:g}: must be more than 0, and at most 1")
    if prune and boards > 1:
        raise BadParameter(f"boards={boards}: must be 1 with pruning")


def _shared_sizes(tree: Tree, map: HandMap, cards: TableCards) -> list[list[int]]:
    """Of reach and value by round, of sums and paths by chunk; the last round passes nothing on."""
    hands, early = len(cards.hands), tree.chunks[: tree.round_chunks[-2]]
    columns = early[:, BLOCKS] * WIDE * early[:, ENDS]
    buckets = np.minimum(np.array(map.counts)[early[:, ROUND]], hands)
    sizes = (
        hands * (np.diff(tree.round_exits)[:-1] + WIDE),
        hands * (np.diff(tree.round_prefixes)[1:] + WIDE),
        PIECES * (1 + cards.deck) * columns,
        buckets * columns,
        PIECES * (np.diff(tree.round_exits)[:-1] + WIDE),
    )
    return [part.tolist() for part in sizes]


def _shared(tree: Tree, boards: int, map: HandMap, cards: TableCards) -> Shared:
    sizes = _shared_sizes(tree, map, cards)
    begins = [np.cumsum([0, *part]) for part in sizes]
    vectors = (zeros(boards, int(begin[-1])) for begin in begins)
    start = np.zeros(1 + WIDE, Real)
    start[0] = 1
    return Shared(start, *vectors, *begins)


def _work_sizes(tree: Tree, map: HandMap, cards: TableCards) -> list[int]:
    """Of the scratch of one thread, in the order of `Work`."""
    hands = len(cards.hands)
    buckets, sums = min(max(map.counts), hands), 1 + cards.deck
    lanes = tree.chunks[:, BLOCKS] * WIDE
    slots, ends = (
        (lanes * tree.sides[:, :, SLOTS].max(axis=1)).max(),
        (lanes * tree.chunks[:, ENDS]).max(),
    )
    most = lanes.max()
    sizes = [hands * most, 3 * hands * most, 3 * hands * most, slots]
    sizes += [buckets * slots, *[buckets * ends] * 3, *[sums * ends] * 2, slots, most, most]
    sizes += [slots, slots, most]
    return [int(size) for size in sizes]


def _work(tree: Tree, map: HandMap, cards: TableCards) -> Work:
    vectors: list[Any] = [zeros(size) for size in _work_sizes(tree, map, cards)]
    made = Work(*vectors)
    made.ones[:] = 1
    return made
