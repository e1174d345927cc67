"""Approximate equilibria of finite games of any number of players, without a model.

The products of the multi-player programs serve here too (Ganzfried & Sandholm 2010): unknowns are
the realization plans, the value of every decision point, and a binary per sequence that says
whether it is played. A played sequence has no regret. With two players this is MIP-Nash over
sequences, and exact; with more the values of a sequence are sums of products of the others'
plans, which are linearised. A game in normal form is one decision per player."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from regretless.continuous.solution import BREAKPOINTS, MOST_BREAKPOINTS
from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, TooLarge, shown, whole
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.tables import Column, Shown, Table, facts_table, prose
from regretless.evaluation.exploitability import Evaluation, measured
from regretless.forms.form import behaviour_of
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.games._state import Game
from regretless.programs.polynomial import Polynomial, Program, add, combined
from regretless.programs.products import Linearised, linearised, maximised, sharpened
from regretless.strategy.strategy import Strategy

MOST_ROWS = 200_000  # of a linearised program


@dataclass(frozen=True, eq=False)
class FiniteSolution(Shown):
    """A strategy, what exact best responses gain, and the same before Newton's method.

    `bound` is what any player can gain at a solution of the linearised program; 0: exact."""

    strategy: Strategy
    evaluation: Evaluation
    linear: Evaluation
    bound: float
    seconds: float

    @property
    def epsilon(self) -> float:
        """The largest gain of any player."""
        return max(self.evaluation.epsilon)

    def tables(self) -> list[Table]:
        facts = [
            ("game", self.strategy.form.spec),
            ("epsilon", f"{self.epsilon:.2g}, by exact best responses"),
            ("before Newton's method", f"{max(self.linear.epsilon):.2g}, bound {self.bound:.2g}"),
            ("time", f"{self.seconds:.2f} s"),
        ]
        rows = [
            (f"p{i + 1}", *pair)
            for i, pair in enumerate(
                zip(self.evaluation.values, self.evaluation.epsilon, strict=True)
            )
        ]
        columns = (prose("player"), Column("value", ".6f"), Column("best response gains", ".2e"))
        return [facts_table(facts), Table("", columns, rows)]


def solve_finite(
    game: str | Game, *, breakpoints: int = BREAKPOINTS, listen: Listener = nobody
) -> FiniteSolution:
    """An approximate equilibrium of a small game, of any number of players, general-sum too."""
    whole("breakpoints", breakpoints, 2, MOST_BREAKPOINTS)
    if not isinstance(game, str | Game):
        raise BadInput(f"game={shown(game)}: must be a game or its name")
    started = time.perf_counter()
    form = sequence_form(game)
    task = _FiniteProgram(form)
    rows = task.rows(breakpoints)
    if rows > MOST_ROWS:
        raise TooLarge(
            f"{form.spec}: the program has about {rows:,} rows, must be at most {MOST_ROWS:,}; "
            "fewer breakpoints make it smaller"
        )
    linear = linearised(task.program, breakpoints)
    point = maximised(
        linear.program,
        "the program of the game",
        lambda news: listen(Progress("solving", news=news)),
    )
    assert point is not None, "every finite game has an equilibrium"
    rough = task.strategy(point)
    answers = [(measured(rough), rough)]
    first = answers[0][0]
    if linear.products:
        sharp = task.strategy(sharpened(task.program, point))
        answers.append((measured(sharp), sharp))
    evaluation, strategy = min(answers, key=lambda one: max(one[0].epsilon))
    bound = task.bound(linear)
    return FiniteSolution(strategy, evaluation, first, bound, time.perf_counter() - started)


class _FiniteProgram:
    def __init__(self, form: SequenceForm) -> None:
        self.form, self.program = form, Program()
        self.spreads = [float(np.ptp(own)) or 1.0 for own in form.payoffs.T]
        self.plan: list[Polynomial] = []
        for player, plex in enumerate(form.treeplexes):
            root = int(form.plex.roots[player])
            names = [f"plan{root + s}" for s in range(1, plex.size)]
            self.plan.append({(): 1.0})
            for name in names:
                self.plan.append({(self.program.variable(name, 0.0, 1.0),): 1.0})
            for sequences, parent in zip(plex.sequences, plex.parents, strict=True):
                total = [(1.0, self.plan[root + int(s)]) for s in sequences]
                self._row("plan", combined(*total, (-1.0, self.plan[root + int(parent)])), 0.0)
        self.gradients = self._gradients()
        for player in range(form.players):
            self._best_responses(player)

    def _row(self, name: str, terms: Polynomial, high: float = np.inf) -> None:
        constant = terms.pop((), 0.0)
        if high == 0.0:
            self.program.equal(name, terms, -constant)
        else:
            self.program.at_least(name, terms, -constant)

    def _gradients(self) -> list[Polynomial]:
        """The value of every sequence at the terminals that it leads to, in units of the spread."""
        found: list[Polynomial] = [{} for _ in self.plan]
        form = self.form
        for sequences, chance, paid in zip(
            form.sequences.tolist(), form.chance.tolist(), form.payoffs.tolist(), strict=True
        ):
            for player, own in enumerate(sequences):
                others = [s for j, s in enumerate(sequences) if j != player]
                keys = [next(iter(self.plan[s])) for s in others]
                variables = [variable for key in keys for variable in key]
                add(found[own], chance * paid[player] / self.spreads[player], variables)
        return found

    def _best_responses(self, player: int) -> None:
        plex, root = self.form.treeplexes[player], int(self.form.plex.roots[player])
        values = [
            self.program.variable(f"value{player + 1}_{k}", -np.inf, np.inf)
            for k in range(len(plex.labels))
        ]
        below: dict[int, Polynomial] = {}
        for k, parent in enumerate(plex.parents.tolist()):
            below.setdefault(parent, {})[values[k],] = 1.0
        for k, sequences in enumerate(plex.sequences):
            best: Polynomial = {(values[k],): 1.0}
            for s in sequences.tolist():
                worth = combined((1.0, self.gradients[root + s]), (1.0, below.get(s, {})))
                regret = combined((1.0, best), (-1.0, worth))
                self._row(f"regret{player + 1}", {**regret})
                played = self.program.variable(f"played{root + s}", 0.0, 1.0, binary=True)
                plan = self.plan[root + s]
                self._row("played", combined((1.0, {(played,): 1.0}), (-1.0, plan)))
                slack: Polynomial = {(): 1.0, (played,): -1.0}
                self._row(f"regret{player + 1}", combined((1.0, slack), (-1.0, regret)))

    def rows(self, breakpoints: int) -> int:
        """About how many rows the linearised program has."""
        keys = {key for terms in self.gradients for key in terms if len(key) > 1}
        return len(self.program.rows) + len(keys) * 4 * (breakpoints - 1) ** 2

    def bound(self, linear: Linearised) -> float:
        """Per player the errors of all its sequences, each at most twice: played and best."""
        worst = 0.0
        for player, spread in enumerate(self.spreads):
            part = self.gradients[
                int(self.form.plex.roots[player]) : int(self.form.plex.roots[player + 1])
            ]
            worst = max(worst, 2 * spread * sum(linear.error(terms) for terms in part))
        return worst

    def strategy(self, point: Floats) -> Strategy:
        plan = np.array(
            [max(point[key[0]], 0.0) if (key := next(iter(one))) else 1.0 for one in self.plan]
        )
        return Strategy(self.form, behaviour_of(self.form, plan))
