"""The cards of a table: all hands by number, and how they compare on a board."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from regretless.cards.deck import DECK, HOLDINGS
from regretless.cards.deck_hands import Cards, DeckHands
from regretless.cards.equities import pot_shares
from regretless.cards.evaluator import ranks_on_board
from regretless.cards.holdings import evaluator_order, run_outs
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import TooLarge
from regretless.core.progress import Listener, nobody
from regretless.games._betting import PokerRules
from regretless.games._hand_strengths import hand_strengths
from regretless.kernels.equities import shares_of_hand
from regretless.kernels.hands import hand_tables

Board = Cards
MOST_BOARDS = 200_000  # to come, when a small deck is run out in Python


class TableCards(DeckHands):
    """Hands, strengths and equities of the deck of some rules."""

    def __init__(self, rules: PokerRules) -> None:
        super().__init__(rules.ranks, rules.suits, rules.hole)
        self.rules = rules
        self.shown = sum(rules.board)  # board cards at the showdown
        self.is_holdem = self.deck == DECK and rules.hole == 2 and self.shown == 5
        self.strengths = lru_cache(maxsize=4096)(self._strengths)
        self.shares = lru_cache(maxsize=4096)(self._shares)

    @property
    def hands_left(self) -> int:
        """How many hands have no card of a whole board."""
        return comb(self.deck - self.shown, self.rules.hole)

    def _strengths(self, board: Board) -> Ints:
        """[hand] numbers that compare like the hands on a whole board, or `BLOCKED`."""
        if self.is_holdem:
            return ranks_on_board(np.array(board))[evaluator_order()].astype(np.int64)
        return hand_strengths(self, self.rules.ranking, board)

    def prepare(self, listen: Listener = nobody) -> None:
        """Load what equities need, which may take half a minute once per machine."""
        if self.is_holdem:
            pot_shares(listen)

    def _shares(self, hand: int, board: Board) -> Floats:
        """[hand] the equity of a hand against every other if there is no more betting.

        It is 0 for hands that meet the hand or the board."""
        if self.is_holdem and not board:
            return np.asarray(pot_shares()[hand])
        open_to = self.free((*board, *self.hands[hand].tolist()))
        left = self.shown - len(board)
        if self.is_holdem:
            halves = np.zeros(HOLDINGS, np.int64)
            order = evaluator_order()
            boards = run_outs(board)
            shares_of_hand(hand_tables(7), boards, int(order[hand]), halves)
            halves = halves[order]
        else:
            halves = self._run_out(hand, board, left)
        common = comb(self.deck - len(board) - 2 * self.rules.hole, left)
        return np.where(open_to, halves / (2 * common), 0.0)

    def _run_out(self, hand: int, board: Board, left: int) -> Ints:
        """[hand] halves of pots won over all boards to come."""
        own = {*board, *self.hands[hand].tolist()}
        rest = [card for card in range(self.deck) if card not in own]
        if comb(len(rest), left) > MOST_BOARDS:
            raise TooLarge(
                f"{comb(len(rest), left):,} boards to come: at most {MOST_BOARDS:,} are run out "
                "unless the game is hold'em with the full deck"
            )
        halves = np.zeros(len(self.hands), np.int64)
        for more in combinations(rest, left):
            strengths = self.strengths(tuple(sorted((*board, *more))))
            mine = strengths[hand]
            halves += (strengths >= 0) * (2 * (strengths < mine) + (strengths == mine))
        return halves
