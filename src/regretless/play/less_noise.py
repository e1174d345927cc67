"""Less noisy winnings of players whose strategies are known, out of hands that were played.

Finds the end of every hand in the written-out game; `evaluation.aivat` does the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from regretless.core.errors import BadInput, IllegalMove, UnknownName, Unsuitable, WrongGame
from regretless.evaluation.aivat import LessNoise
from regretless.evaluation.aivat import less_noise as prepared
from regretless.evaluation.statistics import Estimate, estimate
from regretless.forms.tree import GameTree, game_tree
from regretless.games._poker import PokerState
from regretless.games._state import CHANCE, TERMINAL, Game
from regretless.play.records import Hand
from regretless.strategy.strategy import Strategy

CARD = 2  # letters of a card in a log
ROUNDING = 1e-6  # of payoffs written with decimals
Seats = tuple[str | None, ...]  # by position: the name, where the strategy is known


def less_noise(
    hands: Iterable[Hand],
    game: str | Game,
    known: Mapping[str, Strategy],
    *,
    baseline: Strategy | None = None,
) -> dict[str, Estimate]:
    """What every player earns a hand in chips, by name, corrected and plain.

    `known` are strategies by player name; cards of all players must be in the hands."""
    reader = _Reader(game_tree(game))
    corrections: dict[Seats, LessNoise] = {}
    samples: dict[str, _Samples] = {}
    for hand in hands:
        end = reader.end(hand)
        seats: Seats = tuple(name if name in known else None for name in hand.names)
        if seats not in corrections:
            by_position = {p + 1: known[name] for p, name in enumerate(seats) if name}
            corrections[seats] = prepared(reader.tree, by_position, baseline=baseline)
        found = corrections[seats]
        if not found.possible[end]:
            who = " or ".join(name for name in seats if name)
            raise BadInput(
                f"hand {hand.number}: {who} did what its strategy never does: {hand.betting}"
            )
        for position, name in enumerate(hand.names):
            sample = samples.setdefault(name, _Samples([], [], [], {}))
            sample.corrected.append(float(found.corrected[end, position]))
            sample.plain.append(hand.payoffs[position])
            sample.strata.append(sample.seatings.setdefault(hand.names, len(sample.seatings)))
    for name in known:
        if name not in samples:
            raise UnknownName("player", name, samples)
    return {name: sample.estimate() for name, sample in samples.items()}


class _Samples(NamedTuple):
    """One player's hands; seatings rotate by plan, so they are strata."""

    corrected: list[float]
    plain: list[float]
    strata: list[int]
    seatings: dict[tuple[str, ...], int]

    def estimate(self) -> Estimate:
        strata = np.array(self.strata, dtype=np.int64)
        return estimate(np.array(self.corrected), np.array(self.plain), strata)


class _Reader:
    """Follows hands through the tree; equal texts are followed once."""

    def __init__(self, tree: GameTree) -> None:
        root = tree.game.root
        if not isinstance(root, PokerState):
            raise Unsuitable(
                f"game {tree.game.spec} is no poker: hands of a log cannot be followed"
            )
        self.tree, self.root, self.deck = tree, root, root.deck
        self.known: dict[tuple[str, str], int] = {}

    def end(self, hand: Hand) -> int:
        """The terminal that a hand came to, if it pays what the hand says."""
        key = hand.betting, hand.cards
        if key not in self.known:
            self.known[key] = self._followed(hand)
        end = self.known[key]
        paid = self.tree.form.payoffs[end]
        if len(hand.payoffs) != len(paid) or np.abs(paid - hand.payoffs).max() > ROUNDING:
            raise WrongGame(
                f"hand {hand.number} pays {'|'.join(map(str, hand.payoffs))}: in game "
                f"{self.tree.game.spec} it pays {'|'.join(f'{chips:g}' for chips in paid)}"
            )
        if len(set(hand.names)) != len(paid):
            raise BadInput(f"hand {hand.number}: players are {', '.join(hand.names)}: names repeat")
        return end

    def _followed(self, hand: Hand) -> int:
        rules = self.deck.rules
        over = rules.replay(hand.betting, hand=hand.number)
        if not over.over:
            raise BadInput(f"hand {hand.number}: betting {hand.betting!r} is not finished")
        tokens = iter([t for t in re.findall(r"r[0-9]*|.", hand.betting) if t != "/"])
        board = "".join(hand.boards)
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

    def _outcome(self, state: PokerState, cards: str, count: int, hand: Hand) -> int:
        """Which chance outcome these cards are; suits are dropped where they never matter."""
        if len(cards) != CARD * count:
            raise BadInput(
                f"hand {hand.number}: cards {hand.cards!r}: {count} cards of every player and of "
                "every round are needed"
            )
        width = len(self.deck.names[0])
        kept = "".join(cards[i : i + width] for i in range(0, len(cards), CARD))
        text = self.deck.text(self.deck.read(kept))
        if text not in state.actions:
            raise IllegalMove(f"hand {hand.number}: cards {hand.cards!r}: {cards} cannot be dealt")
        return state.actions.index(text)


def _move(state: PokerState, token: str) -> int:
    moves = state.betting.moves
    return next(
        i for i, move in enumerate(moves) if token in (move.letter, f"{move.letter}{move.total}")
    )
