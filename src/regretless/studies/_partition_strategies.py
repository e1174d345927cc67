"""Leduc strategies from abstractions by card partitions, and what they earn.

A strategy `own-opponent` combines seats of two abstract games: player 1 of `own-opponent` and
player 2 of `opponent-own`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

import numpy as np

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._catalog import abstract
from regretless.core.arrays import Floats
from regretless.evaluation.equilibrium_opponents import EquilibriumOpponents, Range
from regretless.evaluation.exploitability import measured
from regretless.evaluation.pathologies import own_links
from regretless.forms.form import own, plan_of
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.runs.solve import solve
from regretless.strategy.strategy import Strategy

PARTITIONS = ("JQK", "J.QK", "JQ.K", "J.Q.K", "full")
PAIRS = tuple(
    f"{mine}-{theirs}"
    for mine, theirs in product(PARTITIONS, PARTITIONS)
    if (mine, theirs) != ("full", "full")
)
ROUNDS, STARTS = 3, 3  # of the search over all equilibria
EPSILON = 0.001  # chips that an equilibrium of the abstract game may give up: a millibet
MILLI = 1000.0  # millibets; a bet is one chip, the ante


class Earned(NamedTuple):
    """Mean over both seats, in mb/h."""

    base: Range
    purified: Range


@dataclass
class Leduc:
    """The full game, its equilibria, and strategies from abstractions of it."""

    form: SequenceForm = field(default_factory=lambda: sequence_form("leduc"))
    made: dict[tuple[str, str], Strategy] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.opponents = EquilibriumOpponents(self.form)

    def strategy(self, pair: str, method: str) -> Strategy:
        """The strategy `own-opponent`, both seats, in the full game."""
        if (pair, method) not in self.made:
            behaviour = np.empty(sum(self.form.sizes.sequences))
            for player, by in enumerate((pair, reverse(pair))):
                seat = self.seat(by, method)
                behaviour[own(self.form, player)] = seat.behaviour[own(self.form, player)]
            self.made[pair, method] = Strategy(self.form, behaviour)
        return self.made[pair, method]

    def seat(self, by: str, method: str) -> Strategy:
        """An equilibrium of the abstract game, lifted."""
        made = abstract(self.form, by)
        name, _, iterations = method.partition(", ")
        limit = int(iterations.split()[0]) if iterations else None
        return made.lift(solve(made.form(), method=name, iterations=limit).strategy)

    def earned(self, pair: str, method: str) -> Earned:
        """Against equilibrium opponents, before and after purification."""
        base = self.strategy(pair, method)
        return Earned(self._range(base), self._range(base.purified()))

    def exploitability(self, strategy: Strategy) -> float:
        """In mb/h."""
        return MILLI * measured(strategy).exploitability

    def _range(self, strategy: Strategy) -> Range:
        seats = [self.opponents.range(strategy, player) for player in (1, 2)]
        return Range(*(MILLI * float(part) for part in np.mean(seats, axis=0)))


def reverse(pair: str) -> str:
    """`b-a` for `a-b`."""
    mine, theirs = pair.split("-")
    return f"{theirs}-{mine}"


def of_all_equilibria(leduc: Leduc, pair: str) -> tuple[float, float]:
    """The range of what the strategy may earn over all equilibria: its own in the abstract game, to
    within a millibet, and the opponent's in the full game. mb/h, mean over both seats.

    The two are improved in turn from several starts, so the true range may be wider."""
    ends = [_ends(leduc, abstract(leduc.form, pair), 1)]
    ends.append(_ends(leduc, abstract(leduc.form, reverse(pair)), 2))
    least, most = np.mean(ends, axis=0)
    return MILLI * float(least), MILLI * float(most)


def _ends(leduc: Leduc, made: Abstraction, player: int) -> tuple[float, float]:
    form = made.form()
    assert isinstance(form, SequenceForm)
    inside, full = EquilibriumOpponents(form, epsilon=EPSILON), leduc.opponents
    links = own_links(made, player - 1)
    extremes = []
    for sign in (-1.0, 1.0):
        ends = []
        for plan in _starts(inside, player):
            for _ in range(ROUNDS):
                other = full.extreme(player, plan[links], sign)
                gain = np.zeros(plan.size)
                np.add.at(gain, links, full.earned(player, other))
                plan = inside.own_extreme(player, sign * gain)
            ends.append(sign * float(gain @ plan))
        extremes.append(sign * max(ends))
    return extremes[0], extremes[1]


def _starts(inside: EquilibriumOpponents, player: int) -> Iterator[Floats]:
    """Own plans of the abstract game: a vertex, an average of CFR+, and vertices at random."""
    yield inside.plans[player - 1]
    average = solve(inside.form, method="cfr+", iterations=200).strategy.behaviour
    yield plan_of(inside.form, average)[own(inside.form, player - 1)]
    rng = np.random.default_rng(player)
    for _ in range(STARTS):
        yield inside.own_extreme(player, rng.normal(size=inside.plans[player - 1].size))
