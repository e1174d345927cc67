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
            (end,) = self._followed(hand, hidden=False)
            self._known[key] = end
        return self._paid(hand, [end])[0]

    def ends(self, hand: Hand) -> list[int]:
        """The terminals that a hand may have reached: hidden cards may be any that are left, as
        long as the hand pays what it says."""
        return self._paid(hand, self._followed(hand, hidden=True))

    def _paid(self, hand: Hand, ends: list[int]) -> list[int]:
        """Those of the terminals that pay what the hand says."""
        paid = self.tree.form.payoffs[ends]
        fits = len(hand.payoffs) == paid.shape[1]
        right = np.abs(paid - hand.payoffs).max(axis=1) <= ROUNDING if fits else np.array([False])
        if not right.any():
            raise WrongGame(
                f"hand {hand.number} pays {'|'.join(map(str, hand.payoffs))}: in game "
                f"{self.tree.game.spec} it pays {'|'.join(f'{chips:g}' for chips in paid[0])}"
            )
        if len(set(hand.names)) != paid.shape[1]:
            raise BadInput(
                f"hand {hand.number}: players {', '.join(hand.names)}: names must differ"
            )
        return [end for end, fitting in zip(ends, right.tolist(), strict=True) if fitting]

    def _followed(self, hand: Hand, *, hidden: bool) -> list[int]:
        """The terminals of a hand; with `hidden` cards may be missing."""
        rules = self.deck.rules
        if len(hand.names) != rules.players:
            raise WrongGame(
                f"hand {hand.number} has {len(hand.names)} players: game {self.tree.game.spec} "
                f"has {rules.players}"
            )
        tokens, board = iter(self._actions(hand)), "".join(hand.boards)
        text = "".join(hand.holes) + board
        cards_shown = [text[i : i + CARD] for i in range(0, len(text), CARD)]
        if len(set(cards_shown)) < len(cards_shown):
            raise IllegalMove(f"hand {hand.number}: cards {hand.cards!r}: a card appears twice")
        paths: list[tuple[PokerState, int]] = [(self.root, 0)]
        while paths and paths[0][0].player != TERMINAL:
            state = paths[0][0]  # all are at the same place of the betting
            if state.player == CHANCE:
                dealt = len(state.holes)
                if dealt < rules.players:
                    cards = hand.holes[dealt] if dealt < len(hand.holes) else ""
                    count = rules.hole
                else:
                    count = rules.board[len(state.boards)]
                    cards, board = board[: CARD * count], board[CARD * count :]
                paths = self._dealt(paths, cards, count, hand, hidden=hidden)
            else:
                token = next(tokens)
                paths = [self._below(path, _move(path[0], token)) for path in paths]
        return [int(self.tree.tree.nodes[node, 3]) for _, node in paths]

    def _below(self, path: tuple[PokerState, int], index: int) -> tuple[PokerState, int]:
        state, node = path
        return state.child(index), int(self.tree.tree.nodes[node, 1]) + index

    def _dealt(
        self,
        paths: list[tuple[PokerState, int]],
        cards: str,
        count: int,
        hand: Hand,
        *,
        hidden: bool,
    ) -> list[tuple[PokerState, int]]:
        """The same after these cards, or after any if they are hidden."""
        if hidden and not cards and len(paths[0][0].holes) < self.deck.rules.players:
            return [
                self._below(path, index) for path in paths for index in range(len(path[0].actions))
            ]
        found, problem = [], None
        for path in paths:
            try:
                found.append(self._below(path, self._outcome(path[0], cards, count, hand)))
            except IllegalMove as error:  # hidden cards were guessed to be these
                problem = error
        if problem is not None and not found:
            raise problem
        return found

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
