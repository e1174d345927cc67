"""Greedy abstraction of a level (Sandholm & Singh 2012): polynomial in its size.

States and actions are tried in order: each is mapped to the first one already kept that is close
enough, otherwise it is kept. States are merged only if their actions have the same names; actions
of the same name are then mapped to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretless.core.arrays import Ints
from regretless.core.progress import Listener
from regretless.stochastic.abstraction import LevelMap, StandIn
from regretless.stochastic.levels import LevelProblem

Maps = tuple[Ints, Ints]


@dataclass(frozen=True)
class Greedy:
    """`first`: whether actions or states are merged first."""

    first: str

    def __call__(self, task: LevelProblem, listen: Listener) -> LevelMap:
        states = range(len(task.level))
        own: list[Maps] = [_unmerged(task, state) for state in states]
        if self.first == "actions":
            own = [_merged_actions(task, [state], state) for state in states]
        classes: dict[int, list[int]] = {}
        for state in states:
            fitting = (r for r in classes if _fits(task, state, r, own[r]))
            classes.setdefault(next(fitting, state), []).append(state)
        if self.first == "states":
            for r, members in classes.items():
                own[r] = _merged_actions(task, members, r)
        made: dict[int, StandIn] = {}
        for r, members in classes.items():
            for state in members:
                maps = _by_name(task, state, r, own[r])
                assert maps is not None
                made[state] = StandIn(r, maps)
        return tuple(made[state] for state in states)


def _unmerged(task: LevelProblem, state: int) -> Maps:
    rows, columns = task.level[state].shape
    return np.arange(rows), np.arange(columns)


def _merged_actions(task: LevelProblem, members: list[int], r: int) -> Maps:
    maps = _unmerged(task, r)
    for player in (0, 1):
        for action in range(1, task.level[r].shape[player]):
            for kept in np.unique(maps[player][:action]):
                tried = (maps[0].copy(), maps[1].copy())
                tried[player][action] = kept
                if all(_fits(task, state, r, tried) for state in members):
                    maps = tried
                    break
    return maps


def _by_name(task: LevelProblem, state: int, r: int, maps: Maps) -> Maps | None:
    """The maps of the representative for the same names in another order, if they are the same."""
    renamed = []
    for mine, theirs, own in zip(
        task.level[state].actions, task.level[r].actions, maps, strict=True
    ):
        if set(mine) != set(theirs):
            return None
        renamed.append(own[[theirs.index(name) for name in mine]])
    return renamed[0], renamed[1]


def _fits(task: LevelProblem, state: int, r: int, maps: Maps) -> bool:
    renamed = _by_name(task, state, r, maps)
    if renamed is None:
        return False
    rows, columns = renamed
    m, n = task.level[state].shape
    a, b = np.arange(m)[:, None], np.arange(n)[None, :]
    return bool(task.fits[state, r][a, b, rows[:, None], columns[None, :]].all())
