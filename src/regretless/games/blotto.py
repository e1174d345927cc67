"""Colonel Blotto (Borel 1921; payoffs of Gross & Wagner 1950).

Both colonels spread their soldiers over the fields, and the larger force takes a field.
The payoff is the fields taken less the fields lost; with `majority`, as in OpenSpiel,
all that counts is who took more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import comb

import numpy as np

from regretless.core.errors import within
from regretless.games._normal_form import zero_sum_game
from regretless.games._state import Game

MOST_WAYS = 2000  # two tables with that many rows and columns take 64 MB


def game(*, soldiers: int = 5, fields: int = 3, majority: bool = False) -> Game:
    """An action is the soldiers on every field, such as 3-0-2."""
    within("soldiers", soldiers, 0, 1000)
    within("fields", fields, 1, 20)
    within("ways to spread the soldiers", comb(soldiers + fields - 1, fields - 1), 1, MOST_WAYS)
    ways = np.array(list(_spreads(soldiers, fields)))
    wins = np.zeros((len(ways), len(ways)))
    for field in ways.T:
        wins += np.sign(field[:, None] - field[None, :])
    names = ["-".join(map(str, way)) for way in ways]
    about = f"Colonel Blotto, {soldiers} soldiers, {fields} fields"
    return zero_sum_game("blotto", np.sign(wins) if majority else wins, [names, names], about)


def _spreads(soldiers: int, fields: int) -> Iterator[list[int]]:
    """Every way to write `soldiers` as an ordered sum, by where the fields are divided."""
    for bars in combinations(range(soldiers + fields - 1), fields - 1):
        edges = (-1, *bars, soldiers + fields - 1)
        yield [right - left - 1 for left, right in pairwise(edges)]
