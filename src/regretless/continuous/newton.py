"""Thresholds of a model by Newton's method: fast, where the program would take seconds.

With two players, indifference at every threshold is as many equations as unknowns. They are
solved by damped Gauss-Newton steps from several starts. A region whose width comes out negative
is left out, and the rest is solved again: so all models that a common refinement contains are
tried. The result is an equilibrium of the continuous game if no plan is better at any signal, which
`regret` measures; unlike the program, a failure proves nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from regretless.continuous.distribution import Distribution
from regretless.continuous.game import ContinuousGame, Plan
from regretless.continuous.response import Profile, Regions
from regretless.core.arrays import Floats

STEPS, SHIFT = 60, 1e-7
DONE = 1e-11  # largest difference of values at a threshold, relative to payoffs
# Of a distribution, relative to a uniform one: equations stay solvable. Then nearly none.
LEAST_SLOPES = (1e-3, 1e-8)
Plans: TypeAlias = tuple[tuple[Plan, ...], tuple[Plan, ...]]


@dataclass(frozen=True)
class Newton:
    """A profile and the most that any plan gains at any signal, in payoffs."""

    profile: Profile
    regret: float


def by_newton(game: ContinuousGame, plans: Plans, start: tuple[Floats, Floats]) -> Newton:
    """The profile with these plans, or some of them, that Newton's method finds from a start."""
    places = (start[0].copy(), start[1].copy())
    for slope in LEAST_SLOPES:
        while True:
            equations = _Equations(game, plans, slope)
            places, solved = equations.solved(places)
            worst = equations.narrowest(places)
            if not solved or worst is None:
                break
            plans, places = _without(plans, places, *worst)
    profile = tuple(
        Regions(np.clip(np.maximum.accumulate(own), game.low, game.high), own_plans)
        for own, own_plans in zip(places, plans, strict=True)
    )
    return Newton(profile, regret(game, profile))


def regret(game: ContinuousGame, profile: Profile) -> float:
    """The most that any plan gains on the plan that is played, at any signal.

    Values bend at the other's thresholds only, so those and the own ones are enough."""
    worst = 0.0
    for i, own in enumerate(profile):
        other = profile[1 - i]
        edges = np.concatenate([[game.low], own.thresholds, [game.high]])
        best = _values(game, i, game.plans[i], other)
        numbers = [game.plans[i].index(plan) for plan in own.plans]
        for k, number in enumerate(numbers):
            low, high = edges[k : k + 2]
            inside = other.thresholds[(other.thresholds > low) & (other.thresholds < high)]
            if high > low:
                worths = best(np.concatenate([[low, high], inside]))
                worst = max(worst, float((worths.max(axis=1) - worths[:, number]).max()))
    return worst


class _Equations:
    def __init__(self, game: ContinuousGame, plans: Plans, slope: float) -> None:
        self.game, self.slope = game, slope
        self.counts = [len(own) - 1 for own in plans]
        self.paid = [_tables(game, i, plans[i], plans[1 - i]) for i in (0, 1)]
        self.scale = max(game.spread)

    def solved(self, start: tuple[Floats, Floats]) -> tuple[tuple[Floats, Floats], bool]:
        """The places where the equations hold, and whether they do."""
        at, damping = np.concatenate(start), 1e-3
        now = self._gaps(at[None])[0]
        for _ in range(STEPS):
            if not at.size or np.abs(now).max() <= DONE:
                break
            shift = SHIFT * (self.game.high - self.game.low)
            moved = self._gaps(at + shift * np.eye(len(at)))
            slopes = (moved - now).T / shift
            square = slopes.T @ slopes
            step = np.linalg.solve(
                square + damping * np.diag(np.diag(square) + 1e-9), -slopes.T @ now
            )
            after = self._gaps((at + step)[None])[0]
            if np.square(after).sum() < np.square(now).sum():
                at, now, damping = at + step, after, max(damping / 5, 1e-12)
            else:
                damping *= 6
                if damping > 1e8:
                    break
        good = bool(not at.size or np.abs(now).max() <= 1e3 * DONE)
        return (at[: self.counts[0]], at[self.counts[0] :]), good

    def _gaps(self, points: Floats) -> Floats:
        """[point, threshold] the value of the plan below it less that of the plan above."""
        halves = points[:, : self.counts[0]], points[:, self.counts[0] :]
        found = []
        for i in (0, 1):
            own = self.game.distributions[1 - i]
            shares = self._extended(own, halves[i])
            edges = np.pad(self._extended(own, halves[1 - i]), ((0, 0), (1, 1)))
            edges[:, -1] = 1.0
            worths = _worths(self.game, shares, edges, *self.paid[i]) / self.scale
            k = np.arange(self.counts[i])
            found.append(worths[:, k, k] - worths[:, k, k + 1])
        return np.concatenate(found, axis=1)

    def _extended(self, own: Distribution, places: Floats) -> Floats:
        """The distribution function with a little slope everywhere, also outside of the signals."""
        uniform = (places - own.low) / (own.high - own.low)
        return np.asarray((1 - self.slope) * own.share(places) + self.slope * uniform)

    def narrowest(self, places: tuple[Floats, Floats]) -> tuple[int, int] | None:
        """The player and number of the region with the most negative width, if there is one."""
        span = self.game.high - self.game.low
        least, worst = -1e-9 * span, None
        for i, own in enumerate(places):
            widths = np.diff(np.concatenate([[self.game.low], own, [self.game.high]]))
            k = int(widths.argmin())
            if widths[k] < least:
                least, worst = float(widths[k]), (i, k)
        return worst


def _tables(
    game: ContinuousGame, i: int, mine: tuple[Plan, ...], theirs: tuple[Plan, ...]
) -> tuple[Floats, Floats]:
    """[plan, plan of the other] what player i earns with the better signal, and otherwise."""
    best, otherwise = np.empty((2, len(mine), len(theirs)))
    for a, own in enumerate(mine):
        for b, other in enumerate(theirs):
            numbers = (game.plans[i].index(own), game.plans[1 - i].index(other))
            end = game.ends[numbers if i == 0 else numbers[::-1]]
            best[a, b], otherwise[a, b] = end.best[i], end.otherwise[i]
    return best, otherwise


def _worths(
    game: ContinuousGame, shares: Floats, edges: Floats, best: Floats, otherwise: Floats
) -> Floats:
    """[…, signal, plan] values of plans; signals are shares of the other's distribution."""
    mass = np.diff(edges)[..., None, :]
    below = np.diff(np.minimum(shares[..., None], edges[..., None, :]))
    beaten = mass - below if game.lower_wins else below
    return np.asarray(beaten @ best.T + (mass - beaten) @ otherwise.T)


def _values(
    game: ContinuousGame, i: int, plans: tuple[Plan, ...], other: Regions
) -> Callable[[Floats], Floats]:
    """[signal, plan] values against a strategy, as a function of signals."""
    own = game.distributions[1 - i]
    paid = _tables(game, i, plans, other.plans)
    edges = np.concatenate([[0.0], own.share(other.thresholds), [1.0]])
    return lambda places: _worths(game, own.share(places), edges, *paid)


def _without(
    plans: Plans, places: tuple[Floats, Floats], player: int, region: int
) -> tuple[Plans, tuple[Floats, Floats]]:
    """The same without a region; neighbours with the same plan become one."""
    own, at = list(plans[player]), places[player].tolist()
    own.pop(region)
    if region == 0 or region == len(own):
        at.pop(0 if region == 0 else -1)
    else:
        middle = (at[region - 1] + at[region]) / 2
        at[region - 1 : region + 1] = [middle]
        if own[region - 1] == own[region]:
            own.pop(region)
            at.pop(region - 1)
    changed, moved = [*plans], [*places]
    changed[player], moved[player] = tuple(own), np.array(at)
    return (changed[0], changed[1]), (moved[0], moved[1])
