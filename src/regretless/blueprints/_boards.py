"""Boards drawn at random, with their hands sorted and put into buckets for the kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Indices, Ints
from regretless.games._betting import PokerRules
from regretless.kernels.blueprint import Boards, number_buckets
from regretless.kernels.hands import RANKS, SUITS, hand_tables, rank_hands

BLOCK = 256  # boards that are drawn together: board t is always the same, however runs are cut

Dealt = Sequence[Sequence[int]]  # new cards of every round
Buckets = Callable[[Dealt], Sequence[Indices]]  # [round][hand] bucket, -1: meets the board


class Dealer:
    """The boards of a game, by number."""

    def __init__(self, rules: PokerRules, hands: npt.NDArray[np.uint8], seed: int) -> None:
        """`hands`: the cards of every hand, in the order of the maps."""
        self.rules, self.hands, self.seed = rules, hands, seed
        card = np.arange(rules.ranks * rules.suits)
        # The evaluator knows a deck of 52 cards; a small deck keeps the highest ranks.
        lowest = RANKS - rules.ranks
        found = (lowest + card // rules.suits) * SUITS + card % rules.suits
        self.full = found.astype(np.uint8)
        self._known: tuple[int, Ints] = (-1, np.empty((0, 0), np.int64))

    def board(self, number: int) -> list[list[int]]:
        """The new cards of every round of the board with this number."""
        block, at = divmod(number, BLOCK)
        if self._known[0] != block:
            draws = np.random.default_rng([self.seed, block]).random((BLOCK, self.full.size))
            shown = sum(self.rules.board)
            self._known = block, np.argsort(draws, axis=1)[:, :shown]
        return self.split(self._known[1][at].tolist())

    def split(self, cards: Sequence[int]) -> list[list[int]]:
        """The cards of a full board by round."""
        ends = np.cumsum(self.rules.board).tolist()
        return [list(cards[end - n : end]) for end, n in zip(ends, self.rules.board, strict=True)]

    def strengths(self, dealt: Dealt) -> npt.NDArray[np.int16]:
        """[hand] strength on a full board, -1 if the hand shares a card with it."""
        board = np.array([card for part in dealt for card in part], np.uint8)
        live = ~np.isin(self.hands, board).any(axis=1)
        cards = np.empty((int(live.sum()), 2 + board.size), np.uint8)
        cards[:, :2], cards[:, 2:] = self.full[self.hands[live]], self.full[board]
        found = np.full(len(self.hands), -1, np.int16)
        ranked = np.empty(len(cards), np.int16)
        rank_hands(hand_tables(cards.shape[1]), (0,) * cards.shape[1], cards, ranked)
        found[live] = ranked
        return found


def arrange(
    dealer: Dealer,
    dealt: Sequence[Dealt],
    buckets: Buckets,
    counts: Sequence[int],
    pool: ThreadPoolExecutor | None = None,
) -> Boards:
    """Boards as the kernel reads them; `counts` has the buckets per round."""
    hands, rounds, number = len(dealer.hands), len(counts), len(dealt)
    most = min(max(counts), hands)
    made = Boards(
        local=np.empty((number, rounds, hands), np.int32),
        bucket=np.empty((number, rounds, most), np.int32),
        counts=np.empty((number, rounds), np.int64),
        order=np.zeros((number, hands), np.int32),
        ties=np.zeros((number, hands), np.int32),
        places=np.empty(number, np.int64),
    )

    def fill(at: int) -> None:
        known = np.full(max(counts), -1, np.int32)
        for round, found in enumerate(buckets(dealt[at])):
            given = made.local[at, round], made.bucket[at, round]
            made.counts[at, round] = number_buckets(found, known, *given)
        strengths = dealer.strengths(dealt[at])
        order = np.argsort(strengths, kind="stable")
        order = order[np.searchsorted(strengths[order], 0) :]
        ranked = strengths[order]
        made.places[at] = order.size
        made.order[at, : order.size] = order
        made.ties[at, : order.size] = np.searchsorted(ranked, ranked, side="right")

    if pool is None:
        for at in range(number):
            fill(at)
    else:
        list(pool.map(fill, range(number)))
    return made
