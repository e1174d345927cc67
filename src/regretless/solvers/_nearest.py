"""The nearest realization plans to a vector, for both players of a form."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.forms.form import Form
from regretless.kernels.projection import Pieces, project
from regretless.kernels.treeplex import Plex


class Nearest:
    """Euclidean projection onto the treeplexes of a form."""

    def __init__(self, form: Form) -> None:
        self.plex = form.plex
        self.players = form.players
        self.pieces = _pieces(form.plex)

    def __call__(self, target: Floats, plan: Floats) -> None:
        """Make `plan` the plans nearest to `target`."""
        for player in range(self.players):
            project(self.plex, player, self.pieces, target, plan)


def _pieces(plex: Plex) -> Pieces:
    """Empty lists, with room for as many pieces as each can ever have."""
    sequences, points = int(plex.roots[-1]), plex.parents.size
    below = np.argsort(plex.parents, kind="stable").astype(np.int64)
    held = np.bincount(plex.parents, minlength=sequences)
    of_sequence, of_point = _room(plex, sequences, points)
    total = int(max(of_sequence.sum(), of_point.sum())) + 1
    lists = max(sequences, points)
    return Pieces(
        below=below,
        firsts=_running(held),
        sequences=_running(of_sequence),
        points=_running(of_point),
        begin=np.zeros((2, total)),
        slope=np.zeros((2, total)),
        used=np.zeros((2, lists), dtype=np.int64),
        start=np.zeros((2, lists)),
        work=np.zeros((2, 2 + int(max(of_sequence.max(), of_point.max(initial=0))))),
    )


def _room(plex: Plex, sequences: int, points: int) -> tuple[Ints, Ints]:
    """Pieces per sequence: its own and those of points below. Per point: of its sequences."""
    of_sequence, of_point = np.ones(sequences, np.int64), np.zeros(points, np.int64)
    of_sequence[plex.roots[:-1]] = 0  # the empty sequence has no list: its reach is 1
    roots = np.zeros(sequences, dtype=bool)
    roots[plex.roots[:-1]] = True
    for first, actions, lanes, point in plex.blocks[::-1]:
        room = of_sequence[first : first + actions * lanes].reshape(actions, lanes).sum(axis=0)
        of_point[point : point + lanes] = room
        parents = plex.parents[point : point + lanes]
        inner = ~roots[parents]
        np.add.at(of_sequence, parents[inner], room[inner])
    return of_sequence, of_point


def _running(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
