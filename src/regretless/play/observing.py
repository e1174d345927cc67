"""What a recorded hand says about the play of one of its positions."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from regretless.exploitation.evidence import Observation
from regretless.forms.form import plan_of
from regretless.games._state import Game
from regretless.kernels.hidden_cards import TREMBLE
from regretless.play.following import Follower
from regretless.play.records import Hand
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy


class Cards(StrEnum):
    """Which of the opponent's cards in a record are used."""

    ALL = "all"  # as recorded: logs of a dealer show everything
    SHOWDOWN = "showdown"  # only those that a player at the table would have seen
    NONE = "none"  # only actions


class Watcher:
    """Turns hands into observations.

    If cards of the other players are hidden as well, they are guessed by the play of the prior."""

    def __init__(self, game: str | Game, cards: Cards = Cards.ALL) -> None:
        self.follower = Follower(game)
        self.form = self.follower.tree.form
        self.cards = cards
        self.others = plan_of(self.form, Strategy.uniform(self.form).behaviour)

    def suppose(self, prior: Strategy) -> None:
        """How other players with hidden cards are assumed to play."""
        self.others = plan_of(self.form, on_form(prior, self.form).behaviour) + TREMBLE

    def observation(self, hand: Hand, position: int) -> Observation:
        """What a hand says about a position, counted from 0."""
        seen = self._visible(hand, position)
        if all(seen.holes):
            sequence = int(self.form.sequences[self.follower.end(seen), position])
            return Observation(position, ((sequence, 1.0),))
        ends = np.array(self.follower.ends(seen))
        chances = self.form.chance[ends].copy()
        for other in range(self.form.players):
            if other != position:
                chances *= self.others[self.form.sequences[ends, other]]
        sequences, which = np.unique(self.form.sequences[ends, position], return_inverse=True)
        shares = np.bincount(which.ravel(), chances / chances.sum())
        # Rounded, so that equal observations are equal.
        entries = zip(sequences.tolist(), np.round(shares, 12).tolist(), strict=True)
        return Observation(position, tuple(entries))

    def _visible(self, hand: Hand, position: int) -> Hand:
        """The hand without the cards that are not to be used."""
        if self.cards is Cards.ALL or (
            self.cards is Cards.SHOWDOWN and self._shown(hand, position)
        ):
            return hand
        holes = [cards if p != position else "" for p, cards in enumerate(hand.holes)]
        return hand._replace(cards="/".join(["|".join(holes), *hand.boards]))

    def _shown(self, hand: Hand, position: int) -> bool:
        folded = self.follower.deck.rules.replay(hand.betting, hand=hand.number).folded
        return not folded[position] and sum(folded) < len(folded) - 1
