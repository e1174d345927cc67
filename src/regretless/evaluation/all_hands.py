"""What a strategy plays with all its hands at once, for whoever knows it but not its cards.

`AllHands` is the contract: given the betting at the table and the board, the actions as ACPC text
and a row of probabilities per hand, hands as in `TableCards`."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from regretless.core.arrays import Floats, Indices
from regretless.core.errors import Unsuitable
from regretless.evaluation.bucket_play import BucketPlay
from regretless.evaluation.table_cards import Board, TableCards
from regretless.games._betting import Betting, Move, PokerRules
from regretless.games._poker import Deck, PokerState
from regretless.games._state import Game
from regretless.strategy.strategy import Strategy, part
from regretless.strategy.translation import Translation
from regretless.strategy.tree_walk import TreeWalk

_KEPT = 1024  # boards whose buckets are kept
_KEPT_LINES = 65_536


class Play(NamedTuple):
    """Actions, and how likely each hand takes them."""

    actions: tuple[str, ...]
    chances: Floats  # [hand, action]; rows of hands that meet the board are 0


class AllHands(Protocol):
    """A strategy that knows its probabilities."""

    @property
    def rules(self) -> PokerRules:
        """Those of the table."""
        ...

    def at(self, betting: Betting, board: Board) -> Play:
        """What it plays here, with every hand."""
        ...


def text_of(move: Move, rules: PokerRules) -> str:
    """A move as ACPC text."""
    return f"r{move.total}" if move.letter == "r" and rules.raises is None else move.letter


class _Line(NamedTuple):
    """A betting history at the table, as a strategy over buckets understands it."""

    node: Betting | None  # of its tree
    actions: tuple[str, ...]
    same: Floats  # [move of the node, action] 1 where they are the same


class BucketHands:
    """A strategy over buckets; bets that are not in its tree are translated, deterministically.

    A player that has left its tree checks and calls."""

    def __init__(
        self, play: BucketPlay, table: PokerRules | None = None, *, by: str = "pseudo-harmonic"
    ) -> None:
        """`table`: the rules of the table, by default with any bet size."""
        self.rules = table or replace(play.rules, sizing=None, menus=())
        self.play = play
        self.walk = TreeWalk(self.rules, play.rules, Translation(by, randomised=False))
        play.map.require(self.rules)
        self._known = lru_cache(maxsize=_KEPT)(self._buckets)
        self._line = lru_cache(maxsize=_KEPT_LINES)(self._followed)

    def at(self, betting: Betting, board: Board) -> Play:
        node, actions, same = self._line(betting.history)
        buckets = self._known(board)
        free = (buckets >= 0)[:, None]
        if node is None:
            return Play(actions, free.astype(np.float64))
        chances = np.asarray(self.play.table(node)[buckets], np.float64) * free
        return Play(actions, chances @ same)

    def _followed(self, history: str) -> _Line:
        """The decision of its tree that it sees here, if it is still in it."""
        step = self.walk.follow(history)
        if step.node is None or step.node.over:
            return _Line(None, ("c",), np.ones((1, 1)))
        texts = [self.walk.reverse(step, index) for index in range(len(step.node.moves))]
        actions = tuple(dict.fromkeys(texts))
        # Sizes that are the same at the table are one action.
        same = np.array([[text == action for action in actions] for text in texts], np.float64)
        return _Line(step.node, actions, same)

    def _buckets(self, board: Board) -> Indices:
        return self.play.map.buckets(self.play.map.split(board))[-1]


class StrategyHands:
    """A strategy of a game whose form lists its decisions."""

    def __init__(self, strategy: Strategy, game: Game) -> None:
        root = game.root
        if not isinstance(root, PokerState) or root.deck.weights or game.players != 2:
            raise Unsuitable(f"game {game.spec}: must be poker with two players and whole ranges")
        self.rules, self.strategy = root.deck.rules, strategy
        self.cards, self._deck = TableCards(self.rules), root.deck
        self._known: dict[tuple[str, Board], Play] = {}

    def at(self, betting: Betting, board: Board) -> Play:
        key = (betting.history, board)
        if key not in self._known:
            self._known[key] = self._looked_up(betting, board)
        return self._known[key]

    def _looked_up(self, betting: Betting, board: Board) -> Play:
        form, player = self.strategy.form, betting.actor
        mine = self.strategy.behaviour[part(form, player)]
        chances = np.zeros((len(self.cards.hands), len(betting.moves)))
        for hand in np.flatnonzero(self.cards.free(board)).tolist():
            label = f"{self._cards_text(hand, board, betting)}:{betting.history}"
            point = form.find(player, label)
            assert point is not None, label
            chances[hand] = mine[point.sequences]
        return Play(tuple(text_of(move, self.rules) for move in betting.moves), chances)

    def _cards_text(self, hand: int, board: Board, betting: Betting) -> str:
        parts, begin = [_text(self._deck, self.cards, tuple(self.cards.hands[hand].tolist()))], 0
        for count in self.rules.board[: betting.round + 1]:
            if count:
                parts.append(_text(self._deck, self.cards, board[begin : begin + count]))
            begin += count
        return "/".join(parts)


def _text(deck: Deck, cards: TableCards, given: Board) -> str:
    width = len(deck.names[0])  # 1 if suits never matter
    return deck.text(deck.read("".join(cards.names[card][:width] for card in given)))
