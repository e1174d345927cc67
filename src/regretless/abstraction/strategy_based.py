"""Strategy-based abstraction (Sandholm 2015): decision points played alike share a cell.

A coarse equilibrium of the full game, by a few iterations of CFR+ or from a strategy file, gives
the play at every decision point. Going down the tree, points that a player reaches by the same
cells and actions are clustered by their probabilities, so the abstraction has perfect recall.
In poker only points with the same line of betting are merged."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._grouping import of_vectors
from regretless.abstraction._maps import PointMap
from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable, within
from regretless.forms.form import Form, own
from regretless.forms.sequence import SequenceForm
from regretless.games._poker import PokerState
from regretless.solvers._catalog import solver
from regretless.strategy.files import load_strategy


def make(
    form: Form, *, cells: int = 3, iterations: int = 100, strategy: str = ""
) -> tuple[PointMap, ...]:
    """At most `cells` with the same past and actions; `strategy` names a strategy file."""
    within("cells", cells, 1, 10**6)
    within("iterations", iterations, 1, 10**9)
    if not isinstance(form, SequenceForm):
        raise Unsuitable(f"strategy-based: needs the sequence form of {form.spec}: form=sequence")
    behaviour = _played(form, iterations) if not strategy else None
    if behaviour is None:
        behaviour = load_strategy(strategy, game=form).behaviour
    return tuple(clustered(form, player, behaviour, cells) for player in range(form.players))


def _played(form: Form, iterations: int) -> Floats:
    method = solver("cfr+", form)
    method.step(iterations)
    return method.behaviour()


def clustered(form: SequenceForm, player: int, behaviour: Floats, most: int) -> PointMap:
    """Cells of decision points with the same past, by their play."""
    plex, mine = form.treeplexes[player], behaviour[own(form, player)]
    is_poker = form.game is not None and isinstance(form.game.root, PokerState)
    cells = np.zeros(len(plex.labels), dtype=np.int32)
    above = np.zeros(plex.size, dtype=np.int64)  # [sequence] its abstract sequence
    waiting: dict[tuple[int, tuple[str, ...], str], list[int]] = {}
    following, sequences = 0, 1
    for depth in _depths(plex.parents, plex.sequences):
        waiting.clear()
        for point in depth:
            betting = plex.labels[point].partition(":")[2] if is_poker else ""
            past = int(above[plex.parents[point]])
            waiting.setdefault((past, plex.actions[point], betting), []).append(point)
        for (_, actions, _), points in waiting.items():
            vectors = np.array([mine[plex.sequences[point]] for point in points], dtype=float)
            labels = of_vectors(vectors, np.ones(len(points)), most)
            for point, label in zip(points, labels.tolist(), strict=True):
                cells[point] = following + label
                start = sequences + label * len(actions)
                above[plex.sequences[point]] = start + np.arange(len(actions))
            following += int(labels.max()) + 1
            sequences += (int(labels.max()) + 1) * len(actions)
    return PointMap(cells)


def _depths(parents: np.ndarray, sequences: tuple[np.ndarray, ...]) -> list[list[int]]:
    """Decision points by the number of the player's own decisions before them."""
    depth_of = np.zeros(1 + sum(len(one) for one in sequences), dtype=np.int64)
    by_depth: list[list[int]] = []
    for point, parent in enumerate(parents):
        depth = int(depth_of[parent])
        depth_of[sequences[point]] = depth + 1
        if depth == len(by_depth):
            by_depth.append([])
        by_depth[depth].append(point)
    return by_depth
