"""Plays a solved strategy: at every decision, one of its actions by their probabilities.

Cards are told to the strategy as its game tells them, sorted and without suits where
those never matter. A position of the table is a player of the strategy."""

from __future__ import annotations

from itertools import accumulate

from regretless.core.errors import BadInput, WrongGame
from regretless.games._betting import Move, PokerRules
from regretless.games._catalog import load
from regretless.games._poker import Deck, PokerState
from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.table import View
from regretless.strategy.strategy import Strategy

_KEPT = 200_000  # decision points looked up once: beyond that they are forgotten again


class Agent(MixingAgent):
    """Draws its actions from a strategy."""

    def __init__(self, rules: PokerRules, *, strategy: Strategy, seed: int = 0) -> None:
        super().__init__(rules, seed=seed)
        self.strategy = strategy
        self.deck = _deck(strategy, rules)
        self._mixtures: dict[tuple[str, tuple[str, ...], tuple[str, ...]], Mixture] = {}

    def mixture(self, view: View) -> Mixture:
        key = (view.betting.history, view.hole, view.board)
        mixture = self._mixtures.get(key)
        if mixture is None:
            if len(self._mixtures) >= _KEPT:
                self._mixtures.clear()
            mixture = self._mixtures[key] = self._looked_up(view)
        return mixture

    def label(self, view: View) -> str:
        """The decision point of the strategy, as in `Q/K:cr/r`."""
        parts, begin = [self._text(view.hole)], 0
        for count in self.rules.board[: view.betting.round + 1]:
            parts += [self._text(view.board[begin : begin + count])] if count else []
            begin += count
        return f"{'/'.join(parts)}:{view.betting.history}"

    def _text(self, cards: tuple[str, ...]) -> str:
        width = len(self.deck.names[0])
        return self.deck.text(self.deck.read("".join(card[:width] for card in cards)))

    def _looked_up(self, view: View) -> Mixture:
        label = self.label(view)
        point = self.strategy.form.find(view.position, label)
        if point is None:
            spec = self.strategy.form.spec
            raise BadInput(f"strategy of {spec}: player {view.position + 1} has no {label!r}")
        moves = {move.name: move for move in view.betting.moves}
        chosen = self.strategy.at(view.position, point)
        played = {name: share for name, share in chosen.items() if share > 0}
        *sums, total = accumulate(played.values())
        actions = tuple(self._written(moves[name]) for name in played)
        return Mixture(actions, tuple(part / total for part in sums))

    def _written(self, move: Move) -> str:
        sized = move.letter == "r" and self.rules.raises is None
        return f"r{move.total}" if sized else move.letter


def _deck(strategy: Strategy, rules: PokerRules) -> Deck:
    """The deck of the strategy's game, if that has these rules."""
    spec = strategy.form.spec
    root = load(spec).root
    if not isinstance(root, PokerState):
        raise WrongGame(f"strategy of {spec}: not poker, so it cannot sit at a table")
    if root.deck.rules != rules:
        raise WrongGame(f"strategy of {spec}: the game at this table has other rules")
    return root.deck
