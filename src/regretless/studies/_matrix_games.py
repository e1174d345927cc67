"""Equilibria of many random zero-sum matrix games at once.

A game with payoffs from a continuous distribution has one equilibrium, with supports of equal size.
All pairs of supports are tried, each for all games in one batch of linear systems."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from regretless.core.arrays import Floats

EQUAL = 1e-9


def random_games(seed: tuple[int, ...], count: int, rows: int, columns: int) -> Floats:
    """[game, row, column] payoffs of the row player, uniform from -1 to 1."""
    return np.random.default_rng(seed).uniform(-1, 1, (count, rows, columns))


def solved(games: Floats) -> tuple[Floats, Floats, Floats]:
    """Strategies of both players and values; NaN if rounding hides the equilibrium."""
    count, rows, columns = games.shape
    x, y = np.full((count, rows), np.nan), np.full((count, columns), np.nan)
    values = np.full(count, np.nan)
    for size in range(1, min(rows, columns) + 1):
        for mine in combinations(range(rows), size):
            for theirs in combinations(range(columns), size):
                left = np.flatnonzero(np.isnan(values))
                if not left.size:
                    return x, y, values
                some = games[left]
                block = some[:, mine][:, :, theirs]
                first, v = _indifferent(block.transpose(0, 2, 1))
                second, _ = _indifferent(block)
                whole_x, whole_y = np.zeros((len(left), rows)), np.zeros((len(left), columns))
                whole_x[:, mine], whole_y[:, theirs] = first, second
                good = (first >= -EQUAL).all(axis=1) & (second >= -EQUAL).all(axis=1)
                best = np.einsum("grc,gc->gr", some, whole_y).max(axis=1)
                worst = np.einsum("gr,grc->gc", whole_x, some).min(axis=1)
                good &= best - worst <= EQUAL
                finished = left[good]
                x[finished], y[finished], values[finished] = whole_x[good], whole_y[good], v[good]
    return x, y, values


def _indifferent(blocks: Floats) -> tuple[Floats, Floats]:
    """[game, k] probabilities that make all rows of k × k blocks equally good, and their value."""
    count, size, _ = blocks.shape
    systems = np.zeros((count, size + 1, size + 1))
    systems[:, :size, :size] = blocks
    systems[:, :size, size] = -1
    systems[:, size, :size] = 1
    sides = np.zeros((count, size + 1, 1))
    sides[:, size] = 1
    unknowns = np.linalg.solve(systems, sides)[..., 0]
    return unknowns[:, :size], unknowns[:, size]
