"""Models found automatically: from a coarse solution by CFR+, checked by the program.

The slides ask how parametric models could be generated. Ours: cut signals into cells, solve that
game approximately, and read off where actions change. Neighbouring cells that mix the same
actions are one stretch; within it actions are put one after another, because a mixture over
signals that are indifferent can be replaced by regions of the same probability. Where thresholds of
different players are close, their order is left open. Several ways of reading give several
candidates; the program says which of them has an equilibrium."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np

from regretless.continuous.discrete import discretised
from regretless.continuous.game import ContinuousGame, End, Node, Plan
from regretless.continuous.model import Order, ParametricModel, Threshold
from regretless.continuous.solution import BREAKPOINTS, ModelSolution, solve_continuous
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput, shown, whole
from regretless.core.progress import Listener, Progress, nobody
from regretless.forms.form import Form
from regretless.forms.sequence import sequence_form
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

FINE = 60  # parts of a cell, in which a mixture is put one action after another
# How to read a strategy: probability below which an action is noise; width, in cells, of a region
# that is; distance, in cells, below which the order of two thresholds is left open.
READINGS = tuple(
    (least, width, near)
    for near, least, width in product((2.0, 0.0, np.inf), (0.08, 0.2, 0.03), (0.5, 1.0, 0.2))
)
SIGNALS, ITERATIONS = 24, 2000
GOOD = 1e-6  # epsilon, relative to the payoffs, at which the search ends


def solve_automatically(
    game: ContinuousGame,
    *,
    signals: int = SIGNALS,
    iterations: int = ITERATIONS,
    candidates: int = 60,
    breakpoints: int = BREAKPOINTS,
    listen: Listener = nobody,
) -> ModelSolution:
    """An equilibrium whose model is found from a coarse solution with so many signals.

    If no candidate has one, the answer is that of the last, which says that it does not fit."""
    if not isinstance(game, ContinuousGame):
        raise BadInput(f"game={shown(game)}: must be a continuous game")
    whole("signals", signals, 2, 200)
    whole("candidates", candidates, 1, 10_000)
    whole("iterations", iterations, 1, 10**6)
    started = time.perf_counter()
    best: ModelSolution | None = None
    last: ModelSolution | None = None
    played = coarse_strategy(game, signals, iterations, listen)
    for number, model in enumerate(models_of(game, played)):
        if number == candidates:
            break
        listen(Progress("solving", news=f"model {number + 1}: {model}"))
        last = solve_continuous(game, model, breakpoints=breakpoints, listen=listen)
        if last.found is not None and (best is None or last.epsilon < best.epsilon):
            best = last
            if last.epsilon <= GOOD * max(game.spread):
                break
    chosen = best or last
    assert chosen is not None
    return chosen.after(time.perf_counter() - started)


def coarse_strategy(
    game: ContinuousGame, signals: int, iterations: int, listen: Listener = nobody
) -> dict[str, Floats]:
    """[line of a decision] the probabilities [signal, action] of an approximate equilibrium."""
    form = sequence_form(discretised(game, signals).game)
    method = solver("cfr+", form)
    slices = 10
    for done in range(slices):
        listen(Progress("solving", done=done / slices, news=f"with {signals} signals"))
        method.step(max(1, iterations // slices))
    return _by_line(game, form, Strategy.trusted(form, method.behaviour()), signals)


def _by_line(
    game: ContinuousGame, form: Form, strategy: Strategy, signals: int
) -> dict[str, Floats]:
    found: dict[str, Floats] = {}
    for node in decisions(game.root):
        rows: list[Floats] = []
        for signal in range(signals):
            point = form.find(node.player, f"{signal}: {node.line}")
            if point is None:  # a signal of probability 0
                rows.append(rows[-1] if rows else np.full(len(node.actions), 1 / len(node.actions)))
                continue
            offset = int(form.blocks.roots[node.player])
            rows.append(strategy.behaviour[offset + np.asarray(point.sequences, dtype=np.int64)])
        found[node.line] = np.array(rows)
    return found


def decisions(node: Node | End) -> Iterator[Node]:
    """All decisions below a node, in the order of the tree."""
    if isinstance(node, Node):
        yield node
        for child in node.children:
            yield from decisions(child)


def models_of(game: ContinuousGame, played: dict[str, Floats]) -> Iterator[ParametricModel]:
    """Different models that can be read from a strategy, the most plausible first."""
    seen: set[str] = set()
    for least, width, near in READINGS:
        chosen = {line: separated(np.where(row < least, 0.0, row)) for line, row in played.items()}
        cells = len(next(iter(played.values())))
        regions = [_regions(game, player, chosen, width) for player in range(game.players)]
        order = _order([places for _, places in regions], near / cells)
        model = ParametricModel(tuple(plans for plans, _ in regions), order)
        if str(model) not in seen:
            seen.add(str(model))
            yield model


def separated(mixed: Floats) -> Ints:
    """The action in every fine part of every cell: mixtures of a stretch, one after another."""
    cells, actions = mixed.shape
    whole_rows = mixed / mixed.sum(axis=1, keepdims=True)
    support = [tuple(np.flatnonzero(row).tolist()) for row in whole_rows]
    found = np.empty(cells * FINE, dtype=np.int64)
    start = 0
    for end in range(1, cells + 1):
        if end < cells and support[end] == support[start]:
            continue
        stretch = whole_rows[start:end]
        mass = stretch.sum(axis=0)
        middle = (stretch * np.arange(end - start)[:, None]).sum(axis=0) / np.maximum(mass, 1e-12)
        before = support[start - 1] if start else ()
        after = support[end] if end < cells else ()
        # The action that was played alone before comes first, the one that follows last.
        ranked = sorted(
            (
                (after == (action,)) - (before == (action,)),
                float(middle[action]),
                action,
            )
            for action in range(actions)
            if mass[action] > 0
        )
        edges = np.cumsum([0.0, *(mass[action] for _, _, action in ranked)]) / (end - start)
        edges = (np.round(edges * (end - start) * FINE)).astype(int) + start * FINE
        for (_, _, action), (low, high) in zip(ranked, pairwise(edges), strict=True):
            found[low:high] = action
        start = end
    return found


def _regions(
    game: ContinuousGame, player: int, chosen: dict[str, Ints], width: float
) -> tuple[tuple[Plan, ...], list[float]]:
    """Plans of a player's regions, and thresholds as shares of the range of signals."""
    own = [node for node in decisions(game.root) if node.player == player]
    parts = len(chosen[own[0].line]) if own else FINE
    plans = [_plan_at(game.root, player, chosen, part) for part in range(parts)]
    runs: list[list[int]] = []
    for part, plan in enumerate(plans):
        if not runs or plans[runs[-1][0]] != plan:
            runs.append([part, part])
        runs[-1][1] = part + 1
    wide = [run for run in runs if run[1] - run[0] >= width * FINE] or runs
    kept: list[list[int]] = []
    for run in wide:
        if kept and plans[kept[-1][0]] == plans[run[0]]:
            kept[-1][1] = run[1]
        else:
            kept.append(list(run))
    places = [(a[1] + b[0]) / 2 / parts for a, b in pairwise(kept)]
    return tuple(plans[run[0]] for run in kept), places


def _plan_at(node: Node | End, player: int, chosen: dict[str, Ints], part: int) -> Plan:
    if isinstance(node, End):
        return ()
    if node.player == player:
        number = int(chosen[node.line][part])
        below = _plan_at(node.children[number], player, chosen, part)
        return (node.actions[number], *below)
    parts = [_plan_at(child, player, chosen, part) for child in node.children]
    return tuple(action for one in parts for action in one)


def _order(places: list[list[float]], near: float) -> Order:
    """Pairs of thresholds of different players that are further apart than this."""
    listed: list[tuple[Threshold, float]] = [
        ((i, k), place) for i, own in enumerate(places) for k, place in enumerate(own, start=1)
    ]
    pairs = {
        (a, b)
        for (a, low), (b, high) in product(listed, repeat=2)
        if a[0] != b[0] and (high - low > near or (near == 0 and (low, a) < (high, b)))
    }
    # What follows from the others need not be said.
    between = {(a, c) for a, b in pairs for d, c in pairs if b == d}
    return frozenset(pairs - between)
