"""A strategy for every player: the probability of each action at each decision point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, UnknownName, within
from regretless.forms.form import Form, own, plan_of, uniform
from regretless.forms.treeplex import Point


class Decision(NamedTuple):
    """One decision point of a strategy, for people to read."""

    player: int  # counted from 1
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[float, ...]
    reach: float  # probability that the player's own actions lead here


@dataclass(frozen=True, eq=False)
class Strategy:
    """Behaviour of all players of a form."""

    form: Form
    behaviour: Floats

    def __repr__(self) -> str:
        return f"Strategy({self.form.spec!r})"

    @classmethod
    def uniform(cls, form: Form) -> Strategy:
        """Every action with equal probability."""
        return cls(form, uniform(form))

    def probabilities(self, label: str, player: int | None = None) -> dict[str, float]:
        """Probability of every action at a decision point; players count from 1."""
        if player is not None:
            within("player", player, 1, self.form.players)
        numbers = range(self.form.players) if player is None else [player - 1]
        found = {i: point for i in numbers if (point := self.form.find(i, label))}
        if not found:
            some = [point.label for i in numbers for point in islice(self.form.points(i), 9999)]
            raise UnknownName("decision point", label, some)
        if len(found) > 1:
            who = " and ".join(str(i + 1) for i in found)
            raise BadInput(f"decision point {label!r} is one of players {who}: say which")
        ((i, point),) = found.items()
        return self.at(i, point)

    def at(self, player: int, point: Point) -> dict[str, float]:
        """Probability of every action at a decision point; here players count from 0."""
        chosen = self.behaviour[own(self.form, player)][point.sequences]
        return dict(zip(point.actions, map(float, chosen), strict=True))

    def decisions(self, player: int | None = None) -> Iterator[Decision]:
        """All decision points of a player (counted from 1), or of all players."""
        if player is not None:
            within("player", player, 1, self.form.players)
        plan = plan_of(self.form, self.behaviour)
        numbers = range(self.form.players) if player is None else [player - 1]
        for i in numbers:
            mine = own(self.form, i)
            for label, actions, sequences, parent in self.form.points(i):
                chosen = tuple(map(float, self.behaviour[mine][sequences]))
                yield Decision(i + 1, label, actions, chosen, float(plan[mine][parent]))

    def check(self) -> None:
        """Raise unless the probabilities of every decision point are ≥ 0 and add up to 1."""
        plex = self.form.blocks
        for player in range(self.form.players):
            for block in range(plex.ranges[player], plex.ranges[player + 1]):
                first, actions, lanes, _ = plex.blocks[block]
                chosen = self.behaviour[first : first + actions * lanes].reshape(actions, lanes)
                wrong = ~(np.all(chosen >= 0, axis=0) & (abs(chosen.sum(axis=0) - 1) < 1e-5))
                if wrong.any():
                    found = ", ".join(f"{p:.3g}" for p in chosen[:, np.argmax(wrong)])
                    raise BadInput(
                        f"probabilities of player {player + 1} are {found} at a decision "
                        "point: they must be ≥ 0 and sum to 1"
                    )
