"""Abstractions of finite stochastic games with bounds (Sandholm & Singh 2012).

States of a level are mapped to a representative among them, and every action of a state to an
action that the representative keeps. The abstract game consists of the representatives and their
kept actions; its equilibria are lifted by playing all actions mapped to the same one equally.

The error of a level, for player i, is the largest of |R - R'| + H |T - T'| over states and pairs
of actions: the difference in payoffs, and the L1 distance of chances (summed over states with
one representative) times H, half the range of abstract values at the next level. Let e_j be the
error of the level with j levels to go, itself included; f_k = e_1 + … + e_k bounds how far
apart values in the game and in the abstraction are there (Proposition 4.1), and an equilibrium of
the abstraction has regret at most 2 (f_1 + … + f_k) in the game: at each level, deviating for
one step gains at most 2 f_j.

Differs from the paper, which bounds regrets by the larger 2 k f_k, takes the largest differences
of payoffs and of chances separately, and multiplies the latter by the largest value. `published`
is that bound."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput
from regretless.stochastic.induction import Equilibrium, Profile
from regretless.stochastic.level_game import LevelGame, StageGame


class StandIn(NamedTuple):
    """What a state maps to: its representative, and for every action the action there."""

    representative: int  # a state of the same level
    actions: tuple[Ints, Ints]  # per player: actions of the representative


LevelMap = tuple[StandIn, ...]  # [state]


def identity(level: tuple[StageGame, ...]) -> LevelMap:
    """The identity: every state represents itself."""
    return tuple(
        StandIn(state, (np.arange(stage.shape[0]), np.arange(stage.shape[1])))
        for state, stage in enumerate(level)
    )


def merged_chances(level: tuple[StageGame, ...], below: LevelMap) -> list[Floats]:
    """[state][row, column, state below] chances, summed over represented states."""
    to = np.array([own.representative for own in below], dtype=int)
    merged = []
    for stage in level:
        total = np.zeros_like(stage.chances)
        for state, representative in enumerate(to):
            total[:, :, representative] += stage.chances[:, :, state]
        merged.append(total)
    return merged


def distances(
    level: tuple[StageGame, ...], chances: list[Floats], s: int, r: int
) -> tuple[Floats, Floats]:
    """Distance of state s from state r: [player, row, column, row there, column there] for
    payoffs, and without players for chances."""
    mine, theirs = level[s].payoffs, level[r].payoffs
    paid = np.abs(mine[:, :, :, None, None] - theirs[:, None, None, :, :])
    moved = np.abs(chances[s][:, :, None, None, :] - chances[r][None, None, :, :, :]).sum(axis=-1)
    return paid, moved


def level_errors(
    level: tuple[StageGame, ...], chances: list[Floats], made: LevelMap
) -> list[tuple[Floats, Floats]]:
    """[state] (payoffs [player, row, column], chances [row, column]): errors of a map."""
    errors = []
    for s, (r, (rows, columns)) in enumerate(made):
        pair = np.ix_(rows, columns)
        paid = np.abs(level[s].payoffs - _cells(level[r].payoffs, rows, columns))
        moved = np.abs(chances[s] - chances[r][pair]).sum(axis=-1)
        errors.append((paid, moved))
    return errors


def half_range(level: tuple[StageGame, ...], made: LevelMap, after: Floats) -> Floats:
    """[player] half the range of values over all play, of what is kept at this level and at
    the levels after it."""
    kept: list[list[Floats]] = [[], []]
    for r, (rows, columns) in made:
        for player, table in enumerate(level[r].payoffs):
            kept[player].append(table[np.ix_(rows, columns)].ravel())
    spans = [float(np.ptp(np.concatenate(own))) for own in kept]
    return np.asarray(np.array(spans) / 2 + after)


@dataclass(frozen=True, eq=False)
class StochasticAbstraction:
    """One map per level, first level first."""

    game: LevelGame
    maps: tuple[LevelMap, ...]

    def __post_init__(self) -> None:
        for level, made in zip(self.game.levels, self.maps, strict=True):
            for s, (r, maps) in enumerate(made):
                if made[r].representative != r:
                    raise BadInput(
                        f"state {level[s].name!r}: its representative does not represent itself"
                    )
                pairs = zip(maps, made[r].actions, strict=True)
                if any(set(own) != set(kept) for own, kept in pairs):
                    raise BadInput(f"state {level[s].name!r}: actions must map onto the kept ones")

    @cached_property
    def abstract(self) -> LevelGame:
        """The representatives, with the actions that they keep."""
        made = []
        for number, level in enumerate(self.game.levels):
            below = self.maps[number + 1] if number + 1 < len(self.maps) else ()
            chances, kept_below = merged_chances(level, below), self._kept(number + 1)
            stages = []
            for r in self._kept(number):
                stage = level[r]
                rows, columns = (np.unique(own) for own in self.maps[number][r].actions)
                pair = np.ix_(rows, columns)
                names = (
                    tuple(stage.actions[0][k] for k in rows),
                    tuple(stage.actions[1][k] for k in columns),
                )
                payoffs = _cells(stage.payoffs, rows, columns)
                stages.append(
                    StageGame(stage.name, names, payoffs, chances[r][pair][..., kept_below])
                )
            made.append(tuple(stages))
        return LevelGame(tuple(made), f"abstraction of {self.game.spec}")

    def lift(self, equilibrium: Equilibrium) -> Profile:
        """Strategies of the game: an action's probability is shared by all actions mapped to it."""
        lifted = []
        for number, made in enumerate(self.maps):
            kept = list(self._kept(number))
            level = []
            for r, maps in made:
                mixtures = equilibrium.profile[number][kept.index(r)]
                pairs = zip(maps, mixtures, strict=True)
                first, second = (_shared(own, mixture) for own, mixture in pairs)
                level.append((first, second))
            lifted.append(tuple(level))
        return tuple(lifted)

    @cached_property
    def errors(self) -> Floats:
        """[level, player], first level first: e of the module docstring."""
        return self._errors()[0]

    @cached_property
    def differences(self) -> Floats:
        """[player] how far apart values at the first level may be: f of the module docstring."""
        return np.asarray(self.errors.sum(axis=0))

    @cached_property
    def bound(self) -> Floats:
        """[player] a bound on the regret in the game of any equilibrium of the abstraction."""
        remaining = np.arange(1, len(self.maps) + 1)  # the first level counts once, level k k times
        return np.asarray(2 * (remaining[:, None] * self.errors).sum(axis=0))

    @cached_property
    def published(self) -> Floats:
        """[player] the bound as the paper states it, 2 k f_k."""
        return self._errors()[1]

    def _errors(self) -> tuple[Floats, Floats]:
        half, largest = np.zeros(2), np.zeros(2)
        errors, stated = [], np.zeros(2)
        below: LevelMap = ()
        for level, made in zip(reversed(self.game.levels), reversed(self.maps), strict=True):
            chances = merged_chances(level, below)
            parts = level_errors(level, chances, made)
            errors.append([_worst(parts, half, player) for player in (0, 1)])
            paid = np.array([max(float(p[i].max()) for p, _ in parts) for i in (0, 1)])
            stated += paid + largest * max(float(moved.max(initial=0)) for _, moved in parts)
            tables = [level[r].payoffs for r, _ in made]
            largest = largest + [max(float(np.abs(t[i]).max()) for t in tables) for i in (0, 1)]
            half, below = half_range(level, made, half), made
        return np.array(errors[::-1]), 2 * len(self.maps) * stated

    def _kept(self, number: int) -> list[int]:
        if number >= len(self.maps):
            return []
        return sorted({own.representative for own in self.maps[number]})


def _cells(payoffs: Floats, rows: Ints, columns: Ints) -> Floats:
    """[player, row, column] of these rows and columns."""
    return np.asarray(payoffs[:, rows[:, None], columns[None, :]])


def _worst(parts: list[tuple[Floats, Floats]], half: Floats, player: int) -> float:
    return max(float((paid[player] + half[player] * moved).max()) for paid, moved in parts)


def _shared(own: Ints, mixture: Floats) -> Floats:
    kept, place, counts = np.unique(own, return_inverse=True, return_counts=True)
    assert len(kept) == len(mixture)
    return np.asarray(mixture[place] / counts[place])
