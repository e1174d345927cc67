"""A poker tournament near its end as a stochastic game (Ganzfried & Sandholm 2008, 2009).

States are stacks in the order in which players act, so that the button is known from the order;
the stage is one hand of jam or fold. Stacks are multiples of a unit: an outcome between such
stacks leads to the ones around it with chances that keep everybody's mean. Blinds may go up after
any hand, with a fixed chance. Payments are prizes.

After a hand the big blind moves on to the next player who is still in. If several are out at
once, who had more before the hand takes the better place; equal stacks share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, pairwise
from math import inf

import numpy as np

from regretless.cards.showdowns import Showdowns
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, within
from regretless.forms.jam_fold import jam_fold_stage
from regretless.games import _jam_fold as jam_fold
from regretless.games._icm import IndependentChipModel
from regretless.games._jam_fold import JamFold
from regretless.stochastic.game import GameState, StochasticGame

SLIGHT = 1e-9  # chips, as a share of a unit, that rounding may leave
MOST_PLAYERS = 3  # in states; more need another model at the horizon

Key = tuple[int, tuple[int, ...]]  # level of the blinds, stacks in units


@dataclass(frozen=True)
class Blinds:
    """What is paid before a hand."""

    small: float
    big: float
    ante: float = 0.0
    big_blind_ante: float = 0.0

    def hand(self, stacks: Sequence[float]) -> JamFold:
        """The hand with these stacks, in the order in which players act."""
        return JamFold(
            tuple(map(float, stacks)), (self.small, self.big), self.ante, self.big_blind_ante
        )


@dataclass(frozen=True)
class TournamentRules:
    """Prizes, first place first; chips in play; levels of blinds, and how long each lasts."""

    prizes: tuple[float, ...]
    chips: float
    players: int
    levels: tuple[Blinds, ...]
    hands: float = inf  # per level, in the mean

    def __post_init__(self) -> None:
        within("players", self.players, 2, jam_fold.MOST_PLAYERS)
        within("hands per level", self.hands, 1, inf)
        if not self.levels:
            raise BadParameter("blinds: must be one level or more")
        if not self.prizes:
            raise BadParameter("payouts: must be one prize or more")
        if len(self.prizes) > self.players:
            raise BadParameter(
                f"{len(self.prizes)} prizes for {self.players} players: must not be more"
            )
        IndependentChipModel(self.prizes)  # checks the prizes

    @cached_property
    def places(self) -> tuple[float, ...]:
        """The prize of every place, 0 where there is none."""
        return (*self.prizes, *[0.0] * (self.players - len(self.prizes)))

    def worth(self, stacks: Sequence[float] | Floats) -> Floats:
        """What stacks are worth by the independent chip model."""
        model = IndependentChipModel(self.places[: len(stacks)])
        return np.array(model.worth(tuple(map(float, stacks))))

    def horizon(self, before: Sequence[float], after: Sequence[float]) -> Floats:
        """[player] prizes of a hand and the independent chip model for those still in."""
        worth = self.paid(before, after)
        left = [p for p, stack in enumerate(after) if stack > 0]
        if len(left) > 1:
            worth[left] = self.worth([after[p] for p in left])
        return worth

    def paid(self, before: Sequence[float], after: Sequence[float]) -> Floats:
        """[player] the prizes of a hand: of those who are out, and of a winner of everything."""
        paid = np.zeros(len(before))
        out = [p for p, stack in enumerate(after) if stack <= 0]
        place = len(before) - len(out)
        for stack in sorted({before[p] for p in out}, reverse=True):
            equal = [p for p in out if before[p] == stack]
            paid[equal] = np.mean(self.places[place : place + len(equal)])
            place += len(equal)
        if len(before) - len(out) == 1:
            paid[int(np.argmax(after))] = self.places[0]
        return paid


def seated(after: Sequence[float]) -> list[int]:
    """The players still in, in the order in which they act in the next hand."""
    left = [p for p, stack in enumerate(after) if stack > 0]
    return [*left[1:], left[0]]


def around(stacks: Sequence[float], unit: float) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Stacks in units with chances whose mean is `stacks`: the corners of a simplex around them.

    Sums of the first stacks are rounded down, or up in the order of what is left over (Kuhn's
    triangulation), so that no stack is negative and one without chips stays so."""
    sums = np.cumsum(stacks)[:-1] / unit
    near = np.rint(sums)
    sums = np.where(np.abs(sums - near) <= SLIGHT, near, sums)
    total = round(float(np.sum(stacks)) / unit)
    low = np.floor(sums).astype(int)
    over = sums - low
    order = sorted(range(len(over)), key=lambda k: (-over[k], -k))
    steps = [1.0, *(float(over[k]) for k in order), 0.0]
    corner = low.copy()
    for count, (high, less) in enumerate(pairwise(steps)):
        if count:
            corner[order[count - 1]] += 1
        if high > less:
            yield high - less, tuple(np.diff([0, *corner, total]).tolist())


@dataclass(frozen=True)
class Tournament(StochasticGame):
    """The stochastic game of a tournament."""

    rules: TournamentRules
    unit: float
    keys: tuple[Key, ...] = field(repr=False)
    states: tuple[GameState, ...] = field(repr=False)
    players: int
    discount: float = field(default=1.0, init=False)
    spec: str = field(default="tournament", init=False)

    @cached_property
    def numbers(self) -> dict[Key, int]:
        """The state of every level and stacks in units."""
        return {key: state for state, key in enumerate(self.keys)}

    def stacks(self, state: int) -> Floats:
        """Chips in the order in which players act."""
        return self.unit * np.array(self.keys[state][1], dtype=np.float64)

    @cached_property
    def chip_values(self) -> Floats:
        """[seat] what seats are worth by the independent chip model."""
        return np.concatenate([self.rules.worth(self.stacks(s)) for s in range(len(self.keys))])

    def expected(
        self, level: int, before: Sequence[float], after: Sequence[float], values: Floats
    ) -> Floats:
        """[player] prizes of a hand and what is expected then, if seats are worth `values`.

        Stacks before and after the hand need not be multiples of the unit."""
        worth = np.zeros(len(before))
        for chance, corner in around(after, self.unit):
            worth += chance * self.rules.paid(before, corner)
            for share, seat in _moved(self.rules, self.numbers, level, corner):
                for player, (state, place) in seat.items():
                    worth[player] += chance * share * values[self.seats[state] + place]
        return worth


def tournament(rules: TournamentRules, unit: float, showdowns: Showdowns) -> Tournament:
    """The game on all stacks that are multiples of a unit."""
    from scipy import sparse

    within("players", rules.players, 2, MOST_PLAYERS)
    total = rules.chips / unit if unit > 0 else 0.0
    if abs(total - round(total)) > SLIGHT or round(total) < rules.players:
        raise BadParameter(
            f"unit={unit:g}: {rules.chips:g} chips must be a multiple, {rules.players} or more"
        )
    keys = tuple(_keys(rules, round(total)))
    numbers = {key: state for state, key in enumerate(keys)}
    seats = np.cumsum([0] + [len(stacks) for _, stacks in keys])
    states = []
    for level, units in keys:
        stacks = [unit * count for count in units]
        stage = jam_fold_stage(rules.levels[level].hand(stacks), showdowns)
        rewards, entries = np.zeros(stage.final_stacks.shape), []
        for outcome, final in enumerate(stage.final_stacks):
            for chance, corner in around(final, unit):
                rewards[outcome] += chance * rules.paid(stacks, corner)
                for share, seat in _moved(rules, numbers, level, corner):
                    for player, (state, place) in seat.items():
                        row = outcome * len(units) + player
                        entries.append((row, seats[state] + place, chance * share))
        rows, columns, chances = zip(*entries, strict=True) if entries else ((), (), ())
        moves = sparse.csr_matrix((chances, (rows, columns)), (rewards.size, int(seats[-1])))
        states.append(GameState(_name(level, stacks), stage, rewards, moves))
    return Tournament(rules, float(unit), keys, tuple(states), rules.players)


def _keys(rules: TournamentRules, total: int) -> Iterator[Key]:
    """Heads-up states first; within them, later levels first."""
    for players in range(2, rules.players + 1):
        for level in reversed(range(len(rules.levels))):
            for cuts in combinations(range(1, total), players - 1):
                yield level, tuple(np.diff([0, *cuts, total]).tolist())


def _name(level: int, stacks: Sequence[float]) -> str:
    chips = " ".join(f"{stack:g}" for stack in stacks)
    return f"level {level + 1}: {chips}"


def _moved(
    rules: TournamentRules, numbers: dict[Key, int], level: int, units: Sequence[int]
) -> Iterator[tuple[float, dict[int, tuple[int, int]]]]:
    """Chances of the next level, and player → next state and place there."""
    order = seated(units)
    if len(order) < 2:
        return
    up = 1 / rules.hands if level + 1 < len(rules.levels) else 0.0
    for share, after in ((1 - up, level), (up, level + 1)):
        if share > 0:
            state = numbers[after, tuple(units[p] for p in order)]
            yield share, {player: (state, place) for place, player in enumerate(order)}
