"""Backward induction: a subgame perfect equilibrium of a finite stochastic game, and regrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.sequence import sequence_form
from regretless.games._normal_form import normal_form_game
from regretless.solvers._catalog import solver
from regretless.solvers._exact import ExactSolver
from regretless.stochastic.level_game import LevelGame, StageGame

Mixture: TypeAlias = tuple[Floats, Floats]  # of both players in a state
Profile: TypeAlias = tuple[tuple[Mixture, ...], ...]  # [level][state]
Values: TypeAlias = tuple[Floats, ...]  # [level], each [player, state]
METHODS = {True: "lp", False: "lemke-howson"}  # zero-sum or not


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Strategies of both players in every state, and what they are worth there."""

    game: LevelGame
    profile: Profile
    values: Values


def solve_stochastic(game: LevelGame) -> Equilibrium:
    """From the last level up: each state with its continuation values is a matrix game."""
    profile: list[tuple[Mixture, ...]] = []
    values: list[Floats] = []
    after = np.zeros((2, 0))
    for level in reversed(game.levels):
        tables = [continuation(stage, after) for stage in level]
        mixtures = tuple(_equilibrium(table) for table in tables)
        pairs = zip(tables, mixtures, strict=True)
        after = np.array([_worth(table, mixture) for table, mixture in pairs]).T
        profile.append(mixtures)
        values.append(after)
    return Equilibrium(game, tuple(profile[::-1]), tuple(values[::-1]))


def evaluate_profile(game: LevelGame, profile: Profile) -> Values:
    """[level][player, state] what a profile is worth in every state."""
    after, values = np.zeros((2, 0)), []
    for level, mixtures in zip(reversed(game.levels), reversed(profile), strict=True):
        pairs = zip(level, mixtures, strict=True)
        after = np.array([_worth(continuation(stage, after), own) for stage, own in pairs]).T
        values.append(after)
    return tuple(values[::-1])


def regrets(game: LevelGame, profile: Profile) -> Values:
    """[level][player, state] what a player could gain from that state on, by a best response
    that may depend on the state."""
    best, values = np.zeros((2, 0)), []
    for level, mixtures in zip(reversed(game.levels), reversed(profile), strict=True):
        rows = []
        for stage, (x, y) in zip(level, mixtures, strict=True):
            first, second = continuation(stage, best)
            rows.append([float((first @ y).max()), float((x @ second).max())])
        best = np.array(rows).T
        values.append(best)
    pairs = zip(values[::-1], evaluate_profile(game, profile), strict=True)
    return tuple(best - worth for best, worth in pairs)


def continuation(stage: StageGame, after: Floats) -> Floats:
    """[player, row, column] payoffs and what comes after them; `after` is [player, state]."""
    return np.asarray(stage.payoffs + np.einsum("rcs,ps->prc", stage.chances, after))


def _worth(table: Floats, mixture: Mixture) -> list[float]:
    x, y = mixture
    return [float(x @ own @ y) for own in table]


def _equilibrium(table: Floats) -> Mixture:
    _, rows, columns = table.shape
    if rows == columns == 1:
        return np.ones(1), np.ones(1)
    form = sequence_form(normal_form_game("state", table))
    running = solver(METHODS[form.zero_sum], form)
    assert isinstance(running, ExactSolver)
    while not running.finished:
        running.step()
    behaviour = running.behaviour()
    first = form.treeplexes[0]
    x = behaviour[first.sequences[0]]
    y = behaviour[first.size + form.treeplexes[1].sequences[0]]
    return x, y
