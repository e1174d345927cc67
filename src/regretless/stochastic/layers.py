"""States in the order in which they can be solved: no state leads back to a later layer.

States that lead to each other form a layer; what it leads to besides is solved first, and then is
a payment like others."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.stochastic.game import GameState, OpenGame, StochasticGame


def layers(game: StochasticGame) -> list[Ints]:
    """Groups of states; each leads to itself and to earlier groups only."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    count = len(game.states)
    owners = np.repeat(np.arange(count), np.diff(game.seats))
    moves = game.rows.moves.tocoo()
    edges = (owners[game.rows.seats[moves.row]], owners[moves.col])
    graph = sparse.csr_matrix((moves.data > 0, edges), shape=(count, count))
    groups, labels = connected_components(graph, directed=True, connection="strong")
    one, two = labels[edges[0]], labels[edges[1]]
    depth = np.zeros(groups, dtype=int)  # the longest way to an end
    while True:
        deeper = depth.copy()
        np.maximum.at(deeper, one[one != two], depth[two[one != two]] + 1)
        if (deeper == depth).all():
            break
        depth = deeper
    return [np.flatnonzero(depth[labels] == d) for d in range(depth.max() + 1)]


def layer_game(game: StochasticGame, states: Ints, values: Floats) -> OpenGame:
    """The game of a layer: what other seats are worth is paid."""
    seats = layer_seats(game, states)
    inside = np.zeros(len(values), dtype=bool)
    inside[seats] = True
    outside = np.where(inside, 0.0, values)
    made = []
    for state in states:
        here = game.states[state]
        after = game.discount * (here.moves @ outside)
        rewards = here.rewards + after.reshape(here.rewards.shape)
        made.append(GameState(here.name, here.stage, rewards, here.moves[:, seats]))
    return OpenGame(tuple(made), game.players, game.discount, game.spec)


def layer_seats(game: StochasticGame, states: Ints) -> Ints:
    """The seats of some states."""
    return np.concatenate([np.arange(game.seats[s], game.seats[s + 1]) for s in states])
