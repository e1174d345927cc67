"""Correlated and coarse correlated equilibria by linear programs, any number of players.

Aumann 1974, Moulin & Vial 1978. Unknowns are the probabilities of all profiles of pure
strategies of the reduced normal form, so games must be small. No player may gain by playing
another pure strategy when a given one is recommended (correlated), or regardless of the
recommendation (coarse)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from regretless.core import memory
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadParameter, TooLarge, Unsolved
from regretless.forms.normal import pure_plans
from regretless.forms.sequence import SequenceForm
from regretless.programs.highs import TIGHT, WAIT_S, Algorithm, Blocks, Running

if TYPE_CHECKING:
    from scipy import sparse

PLAYED = 1e-12  # less is rounding


@dataclass(frozen=True, eq=False)
class Correlated:
    """A distribution over profiles: one is drawn, and every player is recommended its part."""

    form: SequenceForm
    profiles: Ints  # [profile, player]: which pure strategy
    probabilities: Floats

    def __repr__(self) -> str:
        return f"Correlated({self.form.spec!r}, {len(self.profiles)} profiles)"

    @cached_property
    def pure(self) -> tuple[Floats, ...]:
        """Plans of the pure strategies of every player, [strategy, sequence]."""
        return tuple(pure_plans(plex) for plex in self.form.treeplexes)

    def plan(self, profile: Ints) -> Floats:
        """The realization plans of a profile."""
        return np.concatenate([plans[at] for plans, at in zip(self.pure, profile, strict=True)])

    def actions(self, profile: Ints) -> tuple[str, ...]:
        """What every player does in a profile, at the decisions it can reach."""
        told = []
        for plex, plans, at in zip(self.form.treeplexes, self.pure, profile, strict=True):
            chosen = [
                f"{label}: {name}" if len(plex.labels) > 1 else name
                for label, names, sequences in zip(
                    plex.labels, plex.actions, plex.sequences, strict=True
                )
                for name, sequence in zip(names, sequences, strict=True)
                if plans[at, sequence]
            ]
            told.append(", ".join(chosen))
        return tuple(told)


def solve_correlated(
    form: SequenceForm, *, coarse: bool, objective: str = "welfare"
) -> Generator[str, None, Correlated]:
    """Yield HiGHS's progress, return the best correlated equilibrium by an objective."""
    try:
        pure = [pure_plans(plex) for plex in form.treeplexes]
    except TooLarge as error:
        hint = "coarse_correlated_gap measures the play of a method, in games of any size"
        raise TooLarge(f"{error}; {hint}") from None
    counts = [len(plans) for plans in pure]
    cells = prod(counts)
    entries = cells * sum(counts if coarse else [count - 1 for count in counts])
    memory.require(32 * entries + 16 * cells * form.terminals // counts[-1], f"{cells:,} profiles")
    scale = form.largest_payoff or 1.0  # HiGHS's tolerances are absolute
    payoffs = [_tensor(form, pure, player) / scale for player in range(form.players)]
    weights = _weights(objective, form.players)
    rows = _deviations(payoffs, coarse=coarse)
    running = Running(_program(payoffs, rows, weights), Algorithm.AUTO, TIGHT)
    try:
        while not running.wait(WAIT_S):
            yield running.news()
        chances = np.array(running.result().col_value[:cells])
    finally:
        running.cancel()
    played = np.flatnonzero(chances > PLAYED)
    if not played.size:
        raise Unsolved("HiGHS returned no distribution over profiles")
    profiles = np.stack(np.unravel_index(played, counts), axis=1)
    return Correlated(form, profiles, chances[played] / chances[played].sum())


def _tensor(form: SequenceForm, pure: list[Floats], player: int) -> Floats:
    """What a player earns, [strategy of player 1, strategy of player 2, …]."""
    own = form.sequences - form.plex.roots[:-1]
    reached = (form.chance * form.payoffs[:, player])[None, :]
    for plans, sequences in zip(pure[:-1], own.T[:-1], strict=True):
        reached = (reached[:, None, :] * plans[None, :, sequences]).reshape(-1, form.terminals)
    return (reached @ pure[-1][:, own[:, -1]].T).reshape([len(plans) for plans in pure])


def _deviations(payoffs: list[Floats], *, coarse: bool) -> sparse.csr_matrix:
    """One row per deviation: what it gains at every profile; rows @ probabilities <= 0."""
    from scipy import sparse

    cells = payoffs[0].size
    parts = [sparse.csr_matrix((0, cells))]
    for player, table in enumerate(payoffs):
        own = np.moveaxis(table, player, 0)
        index = np.moveaxis(np.arange(cells).reshape(table.shape), player, 0)
        for to in range(len(own)):
            gain = own[to][None] - own
            if coarse:
                row = np.zeros(cells)
                row[index.ravel()] = gain.ravel()
                parts.append(sparse.csr_matrix(row))
                continue
            for told in range(len(own)):
                if told != to:
                    at = index[told].ravel()
                    entries = (gain[told].ravel(), (np.zeros(at.size, np.int64), at))
                    parts.append(sparse.csr_matrix(entries, shape=(1, cells)))
    return sparse.vstack(parts, format="csr")


def _weights(objective: str, players: int) -> Floats | None:
    """Weight of every player's value; None maximises the smallest value."""
    names = {f"player{i + 1}": np.eye(players)[i] for i in range(players)}
    known = {"welfare": np.ones(players), "any": np.zeros(players), "fair": None, **names}
    if objective not in known:
        raise BadParameter(f"objective={objective}: must be one of {', '.join(known)}")
    weights: Floats | None = known[objective]
    return weights


def _program(payoffs: list[Floats], rows: sparse.csr_matrix, weights: Floats | None) -> object:
    """Columns: probabilities of the profiles, and the smallest value."""
    values = np.stack([table.ravel() for table in payoffs])
    players, cells = values.shape
    program = Blocks()
    gain = 0.0 if weights is None else weights @ values
    profiles = program.columns(cells, 0.0, 1.0, gain=gain)
    smallest = program.columns(1, -np.inf, gain=float(weights is None))
    program.rows({profiles: rows}, -np.inf, 0.0)
    program.rows({profiles: np.ones((1, cells))}, 1.0, 1.0)
    program.rows({profiles: values, smallest: -np.ones((players, 1))}, 0.0, np.inf)
    return program.model()
