"""Fewest states and actions of a level by an integer program (Sandholm & Singh 2012), with HiGHS.

States and actions are abstracted jointly; any action may map to any other. Columns: x[s, r],
whether r represents s (x[r, r]: r is kept); u[r, i, b], whether r keeps action b of player i;
m[s, r, i, a, b], whether action a in s maps to b in r. Two actions of a pair may not both be
mapped to others if together they differ too much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.progress import Listener, Progress
from regretless.programs.highs import model, solved
from regretless.stochastic.abstraction import LevelMap, StandIn
from regretless.stochastic.levels import LevelProblem

Key: TypeAlias = tuple[Any, ...]
Row: TypeAlias = tuple[Mapping[Key, float], float, float]  # entries, lower and upper bound
ANY = float("inf")


def smallest(task: LevelProblem, listen: Listener) -> LevelMap:
    """The map with the fewest kept states and actions."""
    columns = {key: number for number, key in enumerate(_columns(task))}
    chosen = _solved(task, columns, listen)
    made = []
    for s, stage in enumerate(task.level):
        r = next(r for r in range(len(task.level)) if chosen[columns["x", s, r]] > 0.5)
        kept = task.level[r].shape
        maps = [
            np.array(
                [
                    next(b for b in range(kept[i]) if chosen[columns["m", s, r, i, a, b]] > 0.5)
                    for a in range(stage.shape[i])
                ]
            )
            for i in (0, 1)
        ]
        made.append(StandIn(r, (maps[0], maps[1])))
    return tuple(made)


def _solved(task: LevelProblem, columns: Mapping[Key, int], listen: Listener) -> Floats:
    from scipy import sparse

    rows = list(_rows(task))
    entries = [
        (number, columns[key], value)
        for number, (row, _, _) in enumerate(rows)
        for key, value in row.items()
    ]
    at, to, values = zip(*entries, strict=True)
    matrix = sparse.csc_matrix((values, (at, to)), shape=(len(rows), len(columns)))
    cost = np.array([-1.0 if _is_kept(key) else 0.0 for key in columns])
    ones = np.ones(len(columns))
    limits = (np.array([low for _, low, _ in rows]), np.array([high for _, _, high in rows]))
    program = model(matrix, cost, (0 * ones, ones), limits, ones)
    running = solved(
        program,
        "the integer program of a level",
        options={"mip_rel_gap": 0.0, "mip_abs_gap": 0.5},
        listen=lambda news: listen(Progress("abstracting", news=news)),
    )
    return np.array(running.highs.getSolution().col_value)


def _is_kept(key: Key) -> bool:
    return bool(key[0] == "u" or (key[0] == "x" and key[1] == key[2]))


def _columns(task: LevelProblem) -> Iterator[Key]:
    states = range(len(task.level))
    for s, r in product(states, states):
        yield ("x", s, r)
    for r, i in product(states, (0, 1)):
        for b in range(task.level[r].shape[i]):
            yield ("u", r, i, b)
    for s, r, i in product(states, states, (0, 1)):
        for a, b in product(range(task.level[s].shape[i]), range(task.level[r].shape[i])):
            yield ("m", s, r, i, a, b)


def _rows(task: LevelProblem) -> Iterator[Row]:
    states = range(len(task.level))
    for s in states:
        yield {("x", s, r): 1.0 for r in states}, 1.0, 1.0
    for s, r in product(states, states):
        if s != r:
            yield {("x", s, r): 1.0, ("x", r, r): -1.0}, -ANY, 0.0
        for i in (0, 1):
            yield from _standing_in(task, s, r, i)
        yield from _apart(task, s, r)


def _standing_in(task: LevelProblem, s: int, r: int, i: int) -> Iterator[Row]:
    mine, theirs = range(task.level[s].shape[i]), range(task.level[r].shape[i])
    for a in mine:
        row = {("m", s, r, i, a, b): 1.0 for b in theirs}
        yield {**row, ("x", s, r): -1.0}, 0.0, 0.0
    for a, b in product(mine, theirs):
        yield {("m", s, r, i, a, b): 1.0, ("u", r, i, b): -1.0}, -ANY, 0.0
    for b in theirs:  # some action maps to every kept one, in r the action itself
        if s == r:
            yield {("m", r, r, i, b, b): 1.0, ("u", r, i, b): -1.0}, 0.0, ANY
            continue
        row = {("m", s, r, i, a, b): 1.0 for a in mine}
        yield {**row, ("u", r, i, b): -1.0, ("x", s, r): -1.0}, -1.0, ANY


def _apart(task: LevelProblem, s: int, r: int) -> Iterator[Row]:
    """If a maps to b, the other's actions map to nothing that would be too far away."""
    fits = task.fits[s, r]
    rows, columns, kept_rows, _ = fits.shape
    for a, b, other in product(range(rows), range(kept_rows), range(columns)):
        far = np.flatnonzero(~fits[a, other, b])
        if far.size:
            entries = {("m", s, r, 1, other, int(to)): 1.0 for to in far}
            yield {**entries, ("m", s, r, 0, a, b): 1.0}, -ANY, 1.0
