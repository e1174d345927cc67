"""Follows the hands of a log through the full game tree to their terminals."""

from __future__ import annotations

import re
from math import comb

import numpy as np

from regretless.core.errors import BadInput, IllegalMove, TooLarge, Unsuitable, WrongGame
from regretless.forms.tree import MOST_NODES, GameTree, game_tree, require_small
from regretless.games._poker import PokerState, count_deals
from regretless.games._state import CHANCE, TERMINAL, Game
from regretless.play.records import Hand

CARD = 2  # characters per card in a log
ROUNDING = 1e-6  # of payoffs written with decimals
_KEPT = 200_000  # terminals in the cache, which is cleared beyond that


def can_follow(game: Game) -> bool:
    """Whether a game is poker, and small enough to enumerate."""
    if not isinstance(game.root, PokerState):
        return False
    rules, deck = game.root.deck.rules, game.root.deck
    # The betting tree of large poker takes seconds to count: its deals alone are too many.
    if comb(deck.kinds, rules.hole) > MOST_NODES:
        return False
    dealt = (rules.hole,) * rules.players + rules.board
    if count_deals((0,) * deck.copies + (deck.kinds,), dealt) > MOST_NODES:
        return False
    try:
        require_small(game)
    except TooLarge:
        return False
    return True


class Follower:
    """Finds the terminals of hands; equal texts are followed once."""

    def __init__(self, game: str | Game) -> None:
        tree = game_tree(game)
        root = tree.game.root
        if not isinstance(root, PokerState):
            raise Unsuitable(
                f"game {tree.game.spec} is not a poker game: its hands cannot be followed"
            )
        self.tree: GameTree = tree
        self.root, self.deck = root, root.deck
        self._known: dict[tuple[str, str], int] = {}
        self._bettings: dict[str, list[str]] = {}

    def end(self, hand: Hand) -> int:
        """The terminal that a hand reached, if it pays what the hand says."""
        key = hand.betting, hand.cards
        end = self._known.get(key)
        if end is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            end = self._known[key] = self._followed(hand)
        paid = self.tree.form.payoffs[end]
        if len(hand.payoffs) != len(paid) or np.abs(paid - hand.payoffs).max() > ROUNDING:
            raise WrongGame(
                f"hand {hand.number} pays {'|'.join(map(str, hand.payoffs))}: in game "
                f"{self.tree.game.spec} it pays {'|'.join(f'{chips:g}' for chips in paid)}"
            )
        if len(set(hand.names)) != len(paid):
            raise BadInput(
                f"hand {hand.number}: players {', '.join(hand.names)}: names must differ"
            )
        return end

    def _followed(self, hand: Hand) -> int:
        rules = self.deck.rules
        if len(hand.names) != rules.players:
            raise WrongGame(
                f"hand {hand.number} has {len(hand.names)} players: game {self.tree.game.spec} "
                f"has {rules.players}"
            )
        tokens, board = iter(self._actions(hand)), "".join(hand.boards)
        state, node = self.root, 0
        while state.player != TERMINAL:
            if state.player == CHANCE:
                dealt = len(state.holes)
                if dealt < rules.players:
                    cards = hand.holes[dealt] if dealt < len(hand.holes) else ""
                    count = rules.hole
                else:
                    count = rules.board[len(state.boards)]
                    cards, board = board[: CARD * count], board[CARD * count :]
                index = self._outcome(state, cards, count, hand)
            else:
                index = _move(state, next(tokens))
            node = int(self.tree.tree.nodes[node, 1]) + index
            state = state.child(index)
        return int(self.tree.tree.nodes[node, 3])

    def _actions(self, hand: Hand) -> list[str]:
        """The actions of a hand as texts, if they are legal and complete."""
        tokens = self._bettings.get(hand.betting)
        if tokens is None:
            if not self.deck.rules.replay(hand.betting, hand=hand.number).over:
                raise BadInput(f"hand {hand.number}: betting {hand.betting!r} is not finished")
            tokens = re.findall(r"r[0-9]*|[fc]", hand.betting)
            self._bettings[hand.betting] = tokens
        return tokens

    def _outcome(self, state: PokerState, cards: str, count: int, hand: Hand) -> int:
        """The chance outcome of these cards; suits are dropped if they never matter."""
        if len(cards) != CARD * count:
            raise BadInput(
                f"hand {hand.number}: cards {hand.cards!r}: all cards of every player and of the "
                "board are needed, but some are not in the log"
            )
        width = len(self.deck.names[0])
        kept = "".join(cards[i : i + width] for i in range(0, len(cards), CARD))
        text = self.deck.text(self.deck.read(kept))
        if text not in state.actions:
            raise IllegalMove(f"hand {hand.number}: cards {hand.cards!r}: {cards} cannot be dealt")
        return state.actions.index(text)


def _move(state: PokerState, token: str) -> int:
    moves = state.betting.choices
    return next(
        i for i, move in enumerate(moves) if token in (move.letter, f"{move.letter}{move.total}")
    )
