"""One player against all the others: forms in which the others share payoffs, or cards as well.

When they share payoffs, every opponent earns what the player loses but sees only its own cards.
When they share cards, the opponents are one player who knows everything any of them knows. In a
zero-sum game the player's loss is the sum of their payoffs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from regretless.core.errors import Unsuitable
from regretless.forms.sequence import SequenceForm, sequence_form, table
from regretless.games._state import Game, State


def sharing_payoffs(form: SequenceForm, player: int) -> SequenceForm:
    """The same game with every opponent earning what the player loses."""
    payoffs = -form.payoffs[:, [player]].repeat(form.players, axis=1)
    payoffs[:, player] *= -1
    game = None
    if form.game is not None and not form.locked:  # locks are told by the states of the whole game
        root = _AgainstOne(form.game.root, player, form.players)
        spec = f"{form.spec}, everyone against player {player + 1}"
        game = Game(spec=spec, players=form.players, root=root)
    return replace(
        form,
        game=game,
        payoffs=payoffs,
        zero_sum=form.players == 2,
        table=table(form.sequences, form.chance[:, None] * payoffs),
    )


def sharing_cards(form: SequenceForm, player: int) -> SequenceForm:
    """Two players, zero-sum: the player, and the others as one player who knows all they know."""
    if form.game is None:
        raise Unsuitable(
            f"game {form.spec}: opponents can share cards only in a game that can be walked"
        )
    root = _Shared(form.game.root, player, form.players)
    spec = f"{form.spec}, player {player + 1} against the others sharing cards"
    return sequence_form(Game(spec=spec, players=2, root=root))


@dataclass(frozen=True, slots=True)
class _AgainstOne(State):
    """A state in which all players but one earn what that one loses."""

    state: State
    alone: int
    count: int

    @property
    def player(self) -> int:
        return self.state.player

    @property
    def actions(self) -> Sequence[str]:
        return self.state.actions

    @property
    def chances(self) -> Sequence[float]:
        return self.state.chances

    def child(self, index: int) -> Self:
        return replace(self, state=self.state.child(index))

    def view(self, player: int) -> str:
        return self.state.view(player)

    @property
    def payoff(self) -> Sequence[float]:
        won = self.state.payoff[self.alone]
        return [won if player == self.alone else -won for player in range(self.count)]


@dataclass(frozen=True, slots=True)
class _Shared(_AgainstOne):
    """All players but one are the second player, who knows what any of them knows."""

    @property
    def player(self) -> int:
        actor = self.state.player
        return actor if actor < 0 else int(actor != self.alone)

    def view(self, player: int) -> str:
        if player == 0:
            return self.state.view(self.alone)
        others = [each for each in range(self.count) if each != self.alone]
        return " & ".join(self.state.view(each) for each in others)

    @property
    def payoff(self) -> Sequence[float]:
        won = self.state.payoff[self.alone]
        return won, -won
