"""The public buckets of a map: groups of boards, read off its tables.

Two boards are in the same group if some hands on them share a bucket, and so are those connected
through other boards. If buckets ignore the board, there is one group."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.abstraction._board_sets import board_numbers
from regretless.abstraction._hand_map import HandMap
from regretless.cards.hand_index import HandIndex
from regretless.core.arrays import Indices, Ints
from regretless.core.errors import Unsuitable, whole

MOST_HANDS = 5_000_000  # of a round


class PublicBuckets(NamedTuple):
    """Groups of boards that share no bucket, the largest group first."""

    boards: HandIndex
    own: Indices  # [board] its group
    weights: Ints  # [board] actual boards
    buckets: Ints  # [group] buckets of its hands


def public_round(map: HandMap) -> int:
    """The first round with more than one group of boards."""
    for round, one in enumerate(map.rounds):
        fits = map.deal.shown(round) and not one.remembers and one.index.size <= MOST_HANDS
        if fits and public_buckets(map, round).buckets.size > 1:
            return round
    raise Unsuitable(f"{map.by}: no round has public buckets, such as flop=public:20x50")


def public_buckets(map: HandMap, round: int) -> PublicBuckets:
    """The groups of boards of a round."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    whole("round", round, 0, len(map.rounds) - 1)
    name, one = map.deal.rounds[round], map.rounds[round]
    if not map.deal.shown(round):
        raise Unsuitable(f"{name}: there is no board yet")
    if one.remembers or one.index.size > MOST_HANDS:
        raise Unsuitable(f"{name}: its buckets remember earlier rounds, or it has too many hands")
    boards, board, _ = board_numbers(one.index, map.deal.hole)
    labels = one.labels if one.labels.size else np.arange(one.index.size)
    pairs = np.unique(board * one.count + labels)
    size = boards.size + one.count
    edges = pairs // one.count, boards.size + pairs % one.count
    graph = coo_matrix((np.ones(pairs.size, np.int8), edges), (size, size))
    count, group = connected_components(graph, directed=False)
    weights = boards.weights(boards.cards(np.arange(boards.size)))
    mass = np.bincount(group[: boards.size], weights, count)
    order = np.argsort(-mass, kind="stable")
    rank = np.empty(count, np.int32)
    rank[order] = np.arange(count)
    own = rank[group]
    inside = np.bincount(own[boards.size :], minlength=count)
    return PublicBuckets(boards, own[: boards.size], weights, inside)
