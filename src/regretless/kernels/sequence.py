"""Gradients and iterations on an explicit table of terminals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import kernel
from regretless.kernels.treeplex import Plex, Regrets, advance_plan, match_regrets

LANES = 8  # rows of the table that are summed side by side


class Payoffs(NamedTuple):
    """For every sequence a row of terminals: the others' sequences, chance × own payoff.

    Eight rows of similar length form a chunk and are stored terminal by terminal, so that
    eight sums run at once and their common length is well predicted (docs/measurements)."""

    chunks: Ints  # first chunk of every player, then the total
    starts: Ints  # first entry of every chunk, then the total
    rows: Indices  # [chunk, lane] the sequence
    others: Indices  # [entry, other player, lane] sequences of the others
    weights: Floats  # [entry, lane]


@kernel
def gradient(plex: Plex, payoffs: Payoffs, player: int, plan: Floats, out: Floats) -> None:
    """out[s] of the player's sequences: what s itself earns against the others' plans."""
    for s in range(plex.roots[player], plex.roots[player + 1]):
        out[s] = 0.0
    if payoffs.others.shape[1] == 1:
        _against_one(payoffs, player, plan, out)
    else:
        _against_many(payoffs, player, plan, out)


@kernel
def _against_one(payoffs: Payoffs, player: int, plan: Floats, out: Floats) -> None:
    others, weights = payoffs.others, payoffs.weights
    for chunk in range(payoffs.chunks[player], payoffs.chunks[player + 1]):
        # Eight named sums stay in registers; an array of eight would not.
        a = b = c = d = e = f = g = h = 0.0
        for k in range(payoffs.starts[chunk], payoffs.starts[chunk + 1]):
            a += weights[k, 0] * plan[others[k, 0, 0]]
            b += weights[k, 1] * plan[others[k, 0, 1]]
            c += weights[k, 2] * plan[others[k, 0, 2]]
            d += weights[k, 3] * plan[others[k, 0, 3]]
            e += weights[k, 4] * plan[others[k, 0, 4]]
            f += weights[k, 5] * plan[others[k, 0, 5]]
            g += weights[k, 6] * plan[others[k, 0, 6]]
            h += weights[k, 7] * plan[others[k, 0, 7]]
        rows = payoffs.rows[chunk]
        out[rows[0]], out[rows[1]], out[rows[2]], out[rows[3]] = a, b, c, d
        out[rows[4]], out[rows[5]], out[rows[6]], out[rows[7]] = e, f, g, h


@kernel
def _against_many(payoffs: Payoffs, player: int, plan: Floats, out: Floats) -> None:
    others, weights = payoffs.others, payoffs.weights
    total, term = np.empty(LANES), np.empty(LANES)
    for chunk in range(payoffs.chunks[player], payoffs.chunks[player + 1]):
        total[:] = 0.0
        for k in range(payoffs.starts[chunk], payoffs.starts[chunk + 1]):
            term[:] = weights[k]
            for rival in range(others.shape[1]):
                for lane in range(LANES):
                    term[lane] *= plan[others[k, rival, lane]]
            for lane in range(LANES):
                total[lane] += term[lane]
        for lane in range(LANES):
            out[payoffs.rows[chunk, lane]] = total[lane]


@kernel
def iterate(
    plex: Plex, payoffs: Payoffs, state: Regrets, weights: Floats, simultaneous: bool
) -> None:
    """Run one regret-matching iteration for every row of `weights`.

    A row holds the weights of `match_regrets` and, fourth, the step of the average:
    average += step * (plan played - average)."""
    players = plex.roots.size - 1
    scratch = np.empty(plex.roots[players])
    work = np.empty((2, plex.parents.size + 1))
    for row in range(weights.shape[0]):
        if row == weights.shape[0] - 1:
            state.last[:] = state.plan
        if simultaneous:
            for player in range(players):
                gradient(plex, payoffs, player, state.plan, scratch)
        for player in range(players):
            if not simultaneous:
                gradient(plex, payoffs, player, state.plan, scratch)
            match_regrets(plex, player, state, scratch, work, weights[row])
            advance_plan(plex, player, state, work, weights[row, 3])
