"""Exact best responses on the continuum: the verification of every answer.

Between two neighbouring thresholds or bends of distributions, the value of every plan is a
polynomial in the signal, of degree one with two players. The best plan changes only at roots of
differences, so values and best responses are integrals of polynomials, without a grid. Nothing
is shared with the programs that find equilibria."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from typing import TypeAlias

import numpy as np
from numpy.polynomial import polynomial as poly

from regretless.continuous.game import ContinuousGame, End, Plan
from regretless.core.arrays import Floats
from regretless.core.errors import BadInput

WIDTH = 1e-14  # pieces narrower than this, relative to all signals, are rounding
TIE = 1e-11  # a better plan is better by more than rounding
Poly: TypeAlias = "Floats"  # coefficients, constant first


@dataclass(frozen=True, eq=False)
class Regions:
    """A strategy: between neighbouring thresholds, one plan."""

    thresholds: Floats  # signals, not decreasing; one fewer than plans
    plans: tuple[Plan, ...]


Profile: TypeAlias = tuple[Regions, ...]


@dataclass(frozen=True)
class Response:
    """A player's value, what a best response earns, and that response."""

    value: float
    best: float
    regions: Regions

    @property
    def gain(self) -> float:
        return self.best - self.value


def require_profile(game: ContinuousGame, profile: Profile) -> None:
    """Refuse a profile that is not one strategy for each player of the game."""
    if len(profile) != game.players:
        raise BadInput(f"profile of {len(profile)} players: must be {game.players}")
    for i, own in enumerate(profile):
        if len(own.thresholds) != len(own.plans) - 1 or np.any(np.diff(own.thresholds) < 0):
            raise BadInput(f"p{i + 1}: must have one more plan than thresholds, which increase")


def responses(game: ContinuousGame, profile: Profile) -> tuple[Response, ...]:
    """For every player: value, and best response to the others."""
    require_profile(game, profile)
    return tuple(_response(game, profile, i) for i in range(game.players))


def epsilon(game: ContinuousGame, profile: Profile) -> float:
    """The most that any player gains by its best response."""
    return max(response.gain for response in responses(game, profile))


def plan_values(game: ContinuousGame, profile: Profile, player: int, place: float) -> Floats:
    """The value of each of the player's plans with one signal."""
    worths = _worths(game, profile, player, place, place)
    return np.array([poly.polyval(place, worth) for worth in worths])


def _response(game: ContinuousGame, profile: Profile, i: int) -> Response:
    cuts = _cuts(game, profile)
    own = game.distributions[i]
    value, best = 0.0, 0.0
    places: list[float] = []
    chosen: list[int] = []
    for low, high in pairwise(cuts):
        density = float(own.share(high) - own.share(low)) / (high - low)
        worths = _worths(game, profile, i, low, high)
        region = int(np.searchsorted(profile[i].thresholds, (low + high) / 2))
        played = worths[game.plans[i].index(profile[i].plans[region])]
        value += density * _integral(played, low, high)
        for left, right in pairwise(_roots(worths, low, high)):
            middle = [float(poly.polyval((left + right) / 2, worth)) for worth in worths]
            top = middle.index(max(middle))
            if chosen and middle[top] - middle[chosen[-1]] < TIE * max(1.0, abs(middle[top])):
                top = chosen[-1]
            best += density * _integral(worths[top], left, right)
            if not chosen or chosen[-1] != top:
                places.append(left)
                chosen.append(top)
    plans = tuple(game.plans[i][number] for number in chosen)
    return Response(float(value), float(best), Regions(np.array(places[1:]), plans))


def _cuts(game: ContinuousGame, profile: Profile) -> list[float]:
    """Places between which nothing bends."""
    low, high = game.low, game.high
    found = [np.array([low, high])]
    found += [own.thresholds for own in profile]
    found += [own.places for own in game.distributions]
    every = np.unique(np.clip(np.concatenate(found), low, high))
    kept = [every[0]]
    for place in every[1:]:
        if place - kept[-1] > WIDTH * (high - low):
            kept.append(place)
    return [float(place) for place in kept]


def _worths(game: ContinuousGame, profile: Profile, i: int, low: float, high: float) -> list[Poly]:
    """The value of every plan of i between two cuts, as a polynomial in its signal."""
    others = [j for j in range(game.players) if j != i]
    # [opponent][region]: number of its plan, its probability, the probability that i beats it
    met = {j: _regions_met(game, profile, j, low, high) for j in others}
    worths: list[Poly] = [np.zeros(1) for _ in game.plans[i]]
    for combination in product(*(met[j] for j in others)):
        by_player = dict(zip(others, combination, strict=True))
        for number in range(len(game.plans[i])):
            numbers = tuple(number if j == i else by_player[j][0] for j in range(game.players))
            share = _share(game.ends[numbers], i, by_player)
            worths[number] = np.asarray(poly.polyadd(worths[number], share), dtype=np.float64)
    return worths


def _share(end: End, i: int, met: dict[int, tuple[int, float, Poly]]) -> Poly:
    """What i earns at an end, times the probability that the others are in these regions."""
    reach = float(np.prod([mass for _, mass, _ in met.values()]))
    share: Poly = np.array([end.otherwise[i] * reach])
    if i not in end.contenders or reach == 0:
        return share
    wins: Poly = np.array([end.best[i] - end.otherwise[i]])
    for j, (_, mass, beaten) in met.items():
        wins = poly.polymul(wins, beaten if j in end.contenders else np.array([mass]))
    return np.asarray(poly.polyadd(share, wins))


def _regions_met(
    game: ContinuousGame, profile: Profile, j: int, low: float, high: float
) -> list[tuple[int, float, Poly]]:
    own = game.distributions[j]
    edges = np.concatenate([[game.low], profile[j].thresholds, [game.high]])
    found = []
    for plan, (start, end) in zip(profile[j].plans, pairwise(edges), strict=True):
        mass = float(own.share(end) - own.share(start))
        # No edge lies between low and high, and in between the distribution is straight.
        ends = [float(own.share(np.clip(s, start, end)) - own.share(start)) for s in (low, high)]
        if game.lower_wins:
            ends = [mass - below for below in ends]
        slope = (ends[1] - ends[0]) / (high - low) if high > low else 0.0
        found.append((game.plans[j].index(plan), mass, np.array([ends[0] - slope * low, slope])))
    return found


def _roots(worths: list[Poly], low: float, high: float) -> list[float]:
    """Where the order of two values may change, with both ends of the piece."""
    found = {low, high}
    for k, first in enumerate(worths):
        for second in worths[k + 1 :]:
            gap = poly.polytrim(poly.polysub(first, second), 1e-13)
            if len(gap) > 1:
                roots = poly.polyroots(gap)
                real = roots[np.abs(roots.imag) < 1e-9].real
                found |= {float(root) for root in real if low < root < high}
    return sorted(found)


def _integral(worth: Poly, low: float, high: float) -> float:
    whole = poly.polyint(worth)
    return float(poly.polyval(high, whole) - poly.polyval(low, whole))
