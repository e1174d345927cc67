"""Plays a solved strategy: at every decision, one of its actions by their probabilities.

Cards are passed to the strategy as its game names them: sorted, and without suits if those
never matter. A position at the table is a player of the strategy."""

from __future__ import annotations

from itertools import accumulate

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, WrongGame
from regretless.forms.form import own
from regretless.games._betting import Move
from regretless.games._catalog import load
from regretless.games._poker import Deck, PokerState
from regretless.games._state import Game
from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.rules import Playable
from regretless.play.table import View
from regretless.strategy.strategy import Strategy

_KEPT = 200_000  # decision points in the cache, which is cleared beyond that


class Agent(MixingAgent):
    """Draws its actions from a strategy."""

    def __init__(self, game: Playable, *, strategy: Strategy, seed: int = 0) -> None:
        super().__init__(game, seed=seed)
        self.strategy = strategy
        self.deck = self._deck(game)
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
        """The decision point of the strategy, such as `Q/K:cr/r`."""
        parts, begin = [self._text(view.hole)], 0
        for count in self.rules.board[: view.betting.round + 1]:
            parts += [self._text(view.board[begin : begin + count])] if count else []
            begin += count
        return f"{'/'.join(parts)}:{view.betting.history}"

    def _text(self, cards: tuple[str, ...]) -> str:
        width = len(self.deck.names[0])
        return self.deck.text(self.deck.read("".join(card[:width] for card in cards)))

    def _looked_up(self, view: View) -> Mixture:
        return self.drawn(view, self.strategy.behaviour)

    def drawn(self, view: View, behaviour: Floats) -> Mixture:
        """What another behaviour of the strategy's form plays here."""
        label = self.label(view)
        point = self.strategy.form.find(view.position, label)
        if point is None:
            spec = self.strategy.form.spec
            raise BadInput(
                f"strategy of {spec}: player {view.position + 1} has no decision point {label!r}"
            )
        moves = {move.name: move for move in view.betting.choices}
        chosen = behaviour[own(self.strategy.form, view.position)][point.sequences].tolist()
        shares = dict(zip(point.actions, chosen, strict=True))
        played = {name: share for name, share in shares.items() if share > 0}
        *sums, total = accumulate(played.values())
        actions = tuple(self._written(moves[name]) for name in played)
        return Mixture(actions, tuple(part / total for part in sums))

    def _deck(self, table: Playable) -> Deck:
        """The deck of the strategy's game, if its rules are those of the table."""
        spec, root = self.strategy.form.spec, game_of(self.strategy, table).root
        if not isinstance(root, PokerState):
            raise WrongGame(
                f"strategy of {spec}: not a poker game, so it cannot be played at a table"
            )
        if root.deck.rules != self.rules:
            raise WrongGame(f"strategy of {spec}: the game at this table has other rules")
        return root.deck

    def _written(self, move: Move) -> str:
        sized = move.letter == "r" and self.rules.raises is None
        return f"r{move.total}" if sized else move.letter


def game_of(strategy: Strategy, table: Playable | None = None) -> Game:
    """The game of a strategy: that of its form, that of the table, or by its spec.

    A user's game is in no catalog, so its spec alone would not find it."""
    form = strategy.form
    own = getattr(form, "game", None)
    if isinstance(own, Game):
        return own
    if isinstance(table, Game) and table.spec == form.spec:
        return table
    return load(form.spec)
