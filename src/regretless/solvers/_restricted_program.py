"""Two ways to solve a growing game: a linear program, and roughly by regret minimisation.

The program is that of programs/saddle.py: maximise q[0] subject to E x = e, F'q <= A'x, x >= 0.
A larger game has new columns and rows, and entries that have moved down to them, so the model is
passed again, with the basis of the smaller one: a new decision point of player 1 enters with one
of its actions basic, a new one of player 2 with its value basic and one action tight."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from regretless.core.arrays import Flags, Floats, Ints
from regretless.core.interrupts import interrupted
from regretless.forms.gradient_form import Scratch
from regretless.forms.restriction import Restriction
from regretless.forms.sequence import table
from regretless.forms.tree import point_of_sequences
from regretless.forms.treeplex import constraint_matrix
from regretless.kernels import sequence as kernels
from regretless.kernels import treeplex
from regretless.kernels.regret_matching import TINY, RegretMatching, Regrets
from regretless.kernels.treeplex import Plex
from regretless.programs.highs import WAIT_S, Algorithm, Running
from regretless.programs.saddle import saddle_program

if TYPE_CHECKING:
    from scipy import sparse

UNKNOWN = 2  # neither basic (1) nor nonbasic (0): new in the program


class Found(NamedTuple):
    """Plans of both players in one vector, and the value of the first."""

    plan: Floats
    value: float
    simplex_iterations: int


class RestrictedProgram:
    """Solves a sequence of restricted games; its only state is the last basis."""

    options: Mapping[str, Any] = MappingProxyType({})  # of HiGHS, beside those set below

    def __init__(self, whole: Plex) -> None:
        self.whole = whole
        # One entry per sequence (column of player 1, row of player 2), per decision point (row of
        # player 1, column of player 2), and the two constraints of the empty sequences.
        self.sequences = np.full(int(whole.roots[-1]), UNKNOWN, np.uint8)
        self.points = np.full(whole.parents.size + 2, UNKNOWN, np.uint8)

    def solve(self, game: Restriction) -> Found | None:
        """Optimal plans of the restricted game; None if interrupted by Ctrl-C."""
        E, F = (constraints(game.plex, player) for player in range(2))
        program, sizes = saddle_program(game.matrix, E, F), _Sizes.of(game)
        known = not np.all(self.sequences[game.kept] == UNKNOWN)
        # The basis is what makes the next program cheap, and only simplex can start from one.
        running = self._run(program.model, self._basis(game, sizes) if known else None)
        if running is not None and known and not running.is_optimal:
            running = self._run(program.model, None)  # again, without the basis
        if running is None:
            return None
        running.result("a restricted linear program")
        self._keep(game, sizes, running.highs.getBasis())
        saddle = program.read(running)
        iterations = int(running.highs.getInfo().simplex_iteration_count)
        return Found(np.concatenate([saddle.rows, saddle.columns]), saddle.value, iterations)

    def _run(self, model: Any, basis: Any) -> Running | None:
        running = Running(model, Algorithm.SIMPLEX, self.options, basis)
        try:
            while not running.wait(WAIT_S):
                if interrupted():
                    return None
            return running
        finally:
            running.cancel()

    def _basis(self, game: Restriction, sizes: _Sizes) -> Any:
        import highspy

        sequences = self.sequences[game.kept]
        points = self.points[_point_slots(game, sizes)]
        fresh = np.flatnonzero(points[1 : sizes.first_points] == UNKNOWN)
        rows = _first_of(game.plex, 0)[fresh]
        tight = _first_of(game.plex, 1)[np.flatnonzero(points[sizes.first_points + 1 :] == UNKNOWN)]
        known = sequences != UNKNOWN
        columns = np.where(known[: sizes.rows], sequences[: sizes.rows], 0)
        columns[rows] = 1
        slacks = np.where(known[sizes.rows :], sequences[sizes.rows :], 1)
        slacks[tight - sizes.rows] = 0
        equalities = np.where(
            points[: sizes.first_points] == UNKNOWN, 0, points[: sizes.first_points]
        )
        values = np.where(points[sizes.first_points :] == UNKNOWN, 1, points[sizes.first_points :])
        kinds = highspy.HighsBasisStatus
        basis = highspy.HighsBasis()
        basis.col_status = [
            *_statuses(columns, kinds.kLower, kinds.kBasic),
            *_statuses(values, kinds.kZero, kinds.kBasic),
        ]
        basis.row_status = [
            *_statuses(equalities, kinds.kLower, kinds.kBasic),
            *_statuses(slacks, kinds.kUpper, kinds.kBasic),
        ]
        basis.valid = True
        return basis

    def _keep(self, game: Restriction, sizes: _Sizes, basis: Any) -> None:
        import highspy

        basic = highspy.HighsBasisStatus.kBasic
        columns = np.array([status == basic for status in basis.col_status], np.uint8)
        rows = np.array([status == basic for status in basis.row_status], np.uint8)
        both = np.concatenate([columns[: sizes.rows], rows[sizes.first_points :]])
        self.sequences[game.kept] = both
        slots = _point_slots(game, sizes)
        self.points[slots] = np.concatenate([rows[: sizes.first_points], columns[sizes.rows :]])


class _Sizes(NamedTuple):
    rows: int  # sequences of player 1
    columns: int  # sequences of player 2
    first_points: int  # constraints of player 1, the empty sequence's included

    @classmethod
    def of(cls, game: Restriction) -> _Sizes:
        rows, columns = game.sizes
        return cls(rows, columns, 1 + _points(game.plex, 0))


def constraints(plex: Plex, player: int) -> sparse.csr_matrix:
    """Matrix E of a player's sequence form: E x = (1, 0, …, 0)."""
    root, end = plex.roots[player : player + 2]
    owners = point_of_sequences(plex)[root + 1 : end]
    first, count = owners.min(initial=plex.parents.size), _points(plex, player)
    return constraint_matrix(owners - first, plex.parents[first : first + count] - root)


def _points(plex: Plex, player: int) -> int:
    return int(plex.blocks[plex.ranges[player] : plex.ranges[player + 1], 2].sum())


def _first_of(plex: Plex, player: int) -> Ints:
    """The first sequence of every decision point of the player."""
    blocks = plex.blocks[plex.ranges[player] : plex.ranges[player + 1]]
    parts = [first + np.arange(lanes) for first, _, lanes, _ in blocks]
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _point_slots(game: Restriction, sizes: _Sizes) -> Ints:
    """Indices in `points` of both players' constraints: empty sequences come last."""
    split = sizes.first_points - 1
    return np.concatenate([[-2], game.points[:split], [-1], game.points[split:]])


def _statuses(basic: Flags, otherwise: Any, yes: Any) -> list[Any]:
    return [yes if one else otherwise for one in basic.tolist()]


PREDICTION, GAMMA = 1 / 3, 5.0  # those of sapcfr+, the best on small games


class RestrictedRegrets:
    """Rough but fast solutions, which continue with the regrets of the smaller game."""

    def __init__(self, size: int) -> None:
        self.regret = np.zeros(size)  # of the sequences of the whole game

    def solve(self, game: Restriction, iterations: int) -> Floats:
        """Plans of the restricted game, averaged over some iterations."""
        start = self.regret[game.kept]
        tiny = TINY * np.abs(game.payoffs).max(initial=0.0)
        learner = RegretMatching(1.0, 0.0, PREDICTION, 0.0, tiny)
        memory = Regrets(start, start.copy(), np.zeros_like(start))
        if not game.payoffs.size:  # all payoffs are zero
            behaviour, plan = np.empty_like(start), np.empty_like(start)
            treeplex.written(game.plex, learner, memory, False, behaviour)
            for player in range(2):
                treeplex.behaviour_to_plan(game.plex, player, behaviour, plan)
            return plan
        payoffs = table(game.pairs, np.stack([game.payoffs, -game.payoffs], axis=1))
        counted = np.arange(1.0, iterations + 1) ** GAMMA
        weights = np.zeros((iterations, 4))
        weights[:, 0], weights[:, 2] = 1.0, PREDICTION
        weights[:, 3] = counted / np.cumsum(counted)
        playing = Scratch(game.plex).playing
        kernels.iterate(game.plex, payoffs, learner, memory, playing, weights, False)
        self.regret[game.kept] = memory.regret
        return memory.average
