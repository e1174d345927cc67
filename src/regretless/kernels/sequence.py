"""Gradients and iterations on an explicit table of terminals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.kernels.compiled import apart
from regretless.kernels.learner import blend, tuned
from regretless.kernels.treeplex import Playing, Plex, advance, learn, place

entry = np.uint64  # unsigned, as `place`
LANES = 8  # rows of the table that are summed in parallel


class Payoffs(NamedTuple):
    """A row of terminals per sequence: the others' sequences, chance × own payoff.

    Eight rows of similar length form a chunk and are stored terminal by terminal, so that
    eight sums run in parallel and their common length is well predicted (docs/measurements)."""

    chunks: Ints  # first chunk of every player, then the total
    starts: Ints  # first entry of every chunk, then the total
    rows: Indices  # [chunk, lane] the sequence
    others: Indices  # [entry, other player, lane] sequences of the others
    weights: Floats  # [entry, lane]


@apart
def gradient(plex: Plex, payoffs: Payoffs, player: int, plan: Floats, out: Floats) -> None:
    """out[s] for the player's sequences: the value of s itself against the others' plans."""
    for s in range(plex.roots[player], plex.roots[player + 1]):
        out[s] = 0.0
    if payoffs.others.shape[1] == 1:
        _against_one(payoffs, player, plan, out)
    elif payoffs.others.shape[1] == 2:
        _against_two(payoffs, player, plan, out)
    else:
        _against_many(payoffs, player, plan, out)


@apart
def _against_one(payoffs: Payoffs, player: int, plan: Floats, out: Floats) -> None:
    others, weights, rows = payoffs.others, payoffs.weights, payoffs.rows
    for chunk in range(payoffs.chunks[player], payoffs.chunks[player + 1]):
        # Eight named sums stay in registers; an array of eight would not.
        a = b = c = d = e = f = g = h = 0.0
        for k in range(entry(payoffs.starts[chunk]), entry(payoffs.starts[chunk + 1])):
            a += weights[k, 0] * plan[place(others[k, 0, 0])]
            b += weights[k, 1] * plan[place(others[k, 0, 1])]
            c += weights[k, 2] * plan[place(others[k, 0, 2])]
            d += weights[k, 3] * plan[place(others[k, 0, 3])]
            e += weights[k, 4] * plan[place(others[k, 0, 4])]
            f += weights[k, 5] * plan[place(others[k, 0, 5])]
            g += weights[k, 6] * plan[place(others[k, 0, 6])]
            h += weights[k, 7] * plan[place(others[k, 0, 7])]
        out[place(rows[chunk, 0])], out[place(rows[chunk, 1])] = a, b
        out[place(rows[chunk, 2])], out[place(rows[chunk, 3])] = c, d
        out[place(rows[chunk, 4])], out[place(rows[chunk, 5])] = e, f
        out[place(rows[chunk, 6])], out[place(rows[chunk, 7])] = g, h


@apart
def _against_two(payoffs: Payoffs, player: int, plan: Floats, out: Floats) -> None:
    others, weights, rows = payoffs.others, payoffs.weights, payoffs.rows
    for chunk in range(payoffs.chunks[player], payoffs.chunks[player + 1]):
        a = b = c = d = e = f = g = h = 0.0
        for k in range(entry(payoffs.starts[chunk]), entry(payoffs.starts[chunk + 1])):
            a += weights[k, 0] * plan[place(others[k, 0, 0])] * plan[place(others[k, 1, 0])]
            b += weights[k, 1] * plan[place(others[k, 0, 1])] * plan[place(others[k, 1, 1])]
            c += weights[k, 2] * plan[place(others[k, 0, 2])] * plan[place(others[k, 1, 2])]
            d += weights[k, 3] * plan[place(others[k, 0, 3])] * plan[place(others[k, 1, 3])]
            e += weights[k, 4] * plan[place(others[k, 0, 4])] * plan[place(others[k, 1, 4])]
            f += weights[k, 5] * plan[place(others[k, 0, 5])] * plan[place(others[k, 1, 5])]
            g += weights[k, 6] * plan[place(others[k, 0, 6])] * plan[place(others[k, 1, 6])]
            h += weights[k, 7] * plan[place(others[k, 0, 7])] * plan[place(others[k, 1, 7])]
        out[place(rows[chunk, 0])], out[place(rows[chunk, 1])] = a, b
        out[place(rows[chunk, 2])], out[place(rows[chunk, 3])] = c, d
        out[place(rows[chunk, 4])], out[place(rows[chunk, 5])] = e, f
        out[place(rows[chunk, 6])], out[place(rows[chunk, 7])] = g, h


@apart
def _against_many(payoffs: Payoffs, player: int, plan: Floats, out: Floats) -> None:
    others, weights = payoffs.others, payoffs.weights
    for chunk in range(payoffs.chunks[player], payoffs.chunks[player + 1]):
        for lane in range(LANES):
            total = 0.0
            for k in range(payoffs.starts[chunk], payoffs.starts[chunk + 1]):
                term = weights[k, lane]
                for rival in range(others.shape[1]):
                    term *= plan[others[k, rival, lane]]
                total += term
            out[payoffs.rows[chunk, lane]] = total


@apart
def iterate(
    plex: Plex,
    payoffs: Payoffs,
    learner: Any,
    memory: Any,
    now: Playing,
    weights: Floats,
    simultaneous: bool,
) -> None:
    """One iteration of the learner for every row of weights."""
    players = plex.roots.size - 1
    for player in range(players):
        now.plan[plex.roots[player]] = 1.0
        now.behaviour[plex.roots[player]] = 1.0
        advance(plex, player, learner, memory, now)
    for row in range(weights.shape[0]):
        mine = tuned(learner, weights[row])
        if simultaneous:
            for player in range(players):
                gradient(plex, payoffs, player, now.plan, now.gradient)
        for player in range(players):
            if not simultaneous:
                gradient(plex, payoffs, player, now.plan, now.gradient)
            root, end = plex.roots[player], plex.roots[player + 1]
            blend(memory.average, root, now.plan, root, end - root, mine.step)
            learn(plex, player, mine, memory, now)
            advance(plex, player, mine, memory, now)
