"""Programs whose optimum is a leader's best commitment: Formulations 3 and 4 of Münch 2017.

One player commits to a plan; the others, the followers, respond with an equilibrium of best
responses among themselves, and break ties in favour of the leader.

    y[s]  plan of a follower, also x[s] of the leader; sequences s as in the form
    v[I]  value of decision point I for its owner against the others' plans
    r[s]  = v[I] - u[s] - sum of v[J] over the points J below s: what action s loses; never < 0
    u[s]  what s earns in hands that end there: a polynomial in the others' plans

A plan is a best response if y[s] r[s] = 0 everywhere. Formulation 3 states exactly that;
Formulation 4 has a binary b[s] instead: y[s] <= 1 - b[s] and r[s] <= M b[s].

Differs from the thesis: the sums of v[J] are missing from its (4.3), (4.4), (4.15) and (4.16), so
that an action is worth only what it earns in hands that end right after it. `printed` generates
the program that way; its solutions are not equilibria. In a zero-sum game the leader earns what
the followers' values leave, which makes our objective linear; theirs is always of degree three."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, TooLarge, Unsuitable, within
from regretless.forms.dominated import dominated, payoff_range
from regretless.forms.form import Form, own, size
from regretless.forms.sequence import SequenceForm
from regretless.forms.tree import GameTree, game_tree
from regretless.programs.polynomial import Polynomial, Program, add, gams

MOST_TERMINALS = 100_000  # a program of that many products takes gigabytes
FORMULATIONS = (3, 4)


@dataclass(frozen=True, eq=False)
class LeaderProgram:
    """A program, and the indices of the game's quantities among its variables.

    The first variables are the plans of all players, numbered as in the form."""

    form: SequenceForm
    leader: int
    formulation: int
    printed: bool
    removed: frozenset[int]  # sequences that followers never use
    program: Program
    values: dict[int, list[int]] = field(default_factory=dict)  # follower -> v[point]
    losses: dict[int, int] = field(default_factory=dict)  # sequence -> r
    choices: dict[int, int] = field(default_factory=dict)  # sequence -> b

    @property
    def followers(self) -> list[int]:
        return [player for player in range(self.form.players) if player != self.leader]

    def point(self, plan: Floats) -> Floats:
        """Values, losses and binaries that belong to these plans; exact if these are."""
        numbers = np.zeros(len(self.program.names))
        numbers[: len(plan)] = plan
        gradient = np.empty_like(plan)
        for player in self.followers:
            self.form.gradient(player, plan, gradient)
            root, plex = int(self.form.plex.roots[player]), self.form.treeplexes[player]
            worth = gradient[own(self.form, player)].copy()
            for point in reversed(range(len(plex.labels))):
                usable = [s for s in plex.sequences[point] if root + s in self.losses]
                value = max(worth[usable])
                numbers[self.values[player][point]] = value
                if not self.printed:
                    worth[plex.parents[point]] += value
                for sequence in usable:
                    numbers[self.losses[root + sequence]] = value - worth[sequence]
        for sequence, binary in self.choices.items():
            # A sequence in the plan must lose nothing; both are positive only by rounding.
            numbers[binary] = float(numbers[self.losses[sequence]] > numbers[sequence])
        return numbers

    def plan(self, point: Floats) -> Floats:
        """The plans from a point of the program, cleaned of rounding."""
        return np.clip(point[: size(self.form)], 0.0, 1.0)


def leader_program(
    form: Form, leader: int, *, formulation: int = 4, keep: bool = False, printed: bool = False
) -> LeaderProgram:
    """Generate the program; `keep` keeps dominated actions of followers."""
    explicit = explicit_form(form)
    removed: frozenset[int] = frozenset()
    maker = _Maker(explicit, leader, printed)
    if not keep and not printed:
        removed = frozenset().union(*(dominated(maker.tree, p) for p in maker.followers))
    return maker.make(formulation, removed)


def gams_model(form: Form, *, leader: int = 1, formulation: int = 4) -> str:
    """The program of a leader (counted from 1) as a GAMS model, for other solvers."""
    within("leader", leader, 1, form.players)
    if formulation not in FORMULATIONS:
        raise BadParameter(f"formulation={formulation}: must be 3 or 4")
    made = leader_program(form, leader - 1, formulation=formulation)
    return gams(made.program, f"{form.spec}: leader {leader}, Formulation {formulation}")


def explicit_form(form: Form) -> SequenceForm:
    """The form, if a program can be generated for it."""
    if not isinstance(form, SequenceForm) or form.game is None:
        raise Unsuitable("programs of leaders need the sequence form of a game")
    if form.terminals > MOST_TERMINALS:
        raise TooLarge(
            f"game {form.spec} has {form.terminals:,} terminals: programs of leaders allow at most "
            f"{MOST_TERMINALS:,}"
        )
    return form


class _Maker:
    """Writes the program, variables first."""

    def __init__(self, form: SequenceForm, leader: int, printed: bool) -> None:
        self.form, self.leader, self.printed = form, leader, printed
        self.followers = [player for player in range(form.players) if player != leader]
        self.utility = self._utilities()

    @cached_property
    def tree(self) -> GameTree:
        assert self.form.game is not None
        return game_tree(self.form.game, self.form)

    def make(self, formulation: int, removed: frozenset[int]) -> LeaderProgram:
        program = Program()
        made = LeaderProgram(self.form, self.leader, formulation, self.printed, removed, program)
        self._plans(program, removed)
        for player in self.followers:
            self._follower(made, player)
        self._objective(made)
        return made

    def _utilities(self) -> list[dict[int, Polynomial]]:
        """Player -> own sequence -> polynomial in the others' plans, chance included."""
        roots = set(map(int, self.form.plex.roots[:-1]))
        utilities: list[dict[int, Polynomial]] = [{} for _ in range(self.form.players)]
        rows = zip(self.form.sequences.tolist(), self.form.chance, self.form.payoffs, strict=True)
        for sequences, chance, payoffs in rows:
            for player, mine in enumerate(sequences):
                if payoffs[player] == 0:
                    continue
                others = [s for s in sequences if s != mine and s not in roots]
                add(utilities[player].setdefault(mine, {}), float(chance * payoffs[player]), others)
        return utilities

    def _plans(self, program: Program, removed: frozenset[int]) -> None:
        for player, plex in enumerate(self.form.treeplexes):
            root = int(self.form.plex.roots[player])
            for sequence in range(plex.size):
                low = 0.0 if sequence else 1.0
                high = 0.0 if root + sequence in removed else 1.0
                program.variable(f"p{player + 1}_{sequence}", low, high)
            for point, sequences in enumerate(plex.sequences):
                terms: Polynomial = {(root + int(s),): 1.0 for s in sequences}
                parent = int(plex.parents[point])
                if parent:
                    terms[root + parent,] = -1.0
                program.equal(f"plan{player + 1}_{point}", terms, 0.0 if parent else 1.0)

    def _follower(self, made: LeaderProgram, player: int) -> None:
        program, plex = made.program, self.form.treeplexes[player]
        root = int(self.form.plex.roots[player])
        low, high, worst = self._bounds(player)
        made.values[player] = [
            program.variable(f"v{player + 1}_{point}", low[point], high[point])
            for point in range(len(plex.labels))
        ]
        below = plex.below
        for point, sequences in enumerate(plex.sequences):
            for sequence in map(int, sequences):
                if root + sequence in made.removed:
                    continue
                terms: Polynomial = {(made.values[player][point],): 1.0}
                for key, coefficient in self.utility[player].get(root + sequence, {}).items():
                    add(terms, -coefficient, key)
                for after in [] if self.printed else below[sequence]:
                    add(terms, -1.0, (made.values[player][after],))
                self._best_response(made, root + sequence, terms, worst[sequence])

    def _best_response(
        self, made: LeaderProgram, sequence: int, terms: Polynomial, most: float
    ) -> None:
        """Either the sequence loses nothing, or the plan does not use it."""
        program = made.program
        name = program.names[sequence]
        loss = made.losses[sequence] = program.variable(f"r_{name}", 0.0, most)
        terms[loss,] = -1.0
        program.equal(f"loss_{name}", terms)
        if made.formulation == 3:
            program.complements.append((sequence, loss))
            return
        binary = made.choices[sequence] = program.variable(f"b_{name}", 0.0, 1.0, binary=True)
        program.at_most(f"unused_{name}", {(sequence,): 1.0, (binary,): 1.0}, 1.0)
        program.at_most(f"lossless_{name}", {(loss,): 1.0, (binary,): -most}, 0.0)

    def _bounds(self, player: int) -> tuple[Floats, Floats, Floats]:
        """Least and greatest v of every point, greatest r of every sequence."""
        tree, plex = self.tree, self.form.treeplexes[player]
        span = payoff_range(tree, player)
        reach = tree.chance_reach()
        first = sum(len(each.labels) for each in self.form.treeplexes[:player])
        low, high = np.zeros(len(plex.labels)), np.zeros(len(plex.labels))
        worst = np.zeros(plex.size)
        for node in np.flatnonzero(tree.players == player):
            point = int(tree.points[node]) - first
            low[point] += reach[node] * min(span.least[node], 0.0)
            high[point] += reach[node] * max(span.most[node], 0.0)
            _, child, count, _ = tree.tree.nodes[node]
            for below in range(child, child + count):
                lost = max(span.most[node], 0.0) - min(span.least[below], 0.0)
                if not self.printed:
                    lost = span.most[node] - span.least[below]
                worst[tree.edges[below] - self.form.plex.roots[player]] += reach[node] * lost
        return low, high, worst

    def _objective(self, made: LeaderProgram) -> None:
        objective = made.program.objective
        if self.form.zero_sum and not self.printed:
            for player in self.followers:
                root = int(self.form.plex.roots[player])
                for key, coefficient in self.utility[player].get(root, {}).items():
                    add(objective, -coefficient, key)
                for point in self.form.treeplexes[player].below[0]:
                    add(objective, -1.0, (made.values[player][point],))
            return
        for mine, terms in self.utility[self.leader].items():
            for key, coefficient in terms.items():
                add(objective, coefficient, (*key, mine))
