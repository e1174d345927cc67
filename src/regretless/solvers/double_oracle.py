"""Sequence-form double oracle (Bošanský et al. 2014): exact, by growing a restricted game.

Differs from the paper: while the restricted game still grows fast, it is solved roughly, by
regret minimisation, and by linear programs only once that adds nothing more. `rough=0` is
the paper's algorithm: a linear program every time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from typing import Any

import numpy as np

from regretless.core.arrays import Flags, Floats, Indices
from regretless.core.errors import BadInput, BadParameter, UnknownName, Unsuitable, within
from regretless.forms.choice import form_kind
from regretless.forms.form import Form, behaviour_of, own, plan_of, uniform
from regretless.forms.public import PublicForm
from regretless.forms.restriction import LeafRestrictor, Restriction, Restrictor
from regretless.forms.sequence import SequenceForm
from regretless.forms.tree import GameTree, game_tree, point_of_sequences
from regretless.kernels.restriction import close
from regretless.solvers._needs import CONSTANT_SUM, TWO_PLAYERS, learners, require
from regretless.solvers._oracles import GenericOracle, Oracle, PublicOracle, SequenceOracle
from regretless.solvers._restricted_program import RestrictedProgram, RestrictedRegrets
from regretless.solvers._solver import Iterate, Solver, checked
from regretless.solvers.additions._addition import addition

EXACT_SLACK = 1e-10  # times the largest payoff: smaller differences are ties
EQUAL = 1e-12  # times the largest payoff: bounds this close are one value
ROUGH_SLACK = 1e-7  # the same while the restricted game is solved roughly


class Leaves(StrEnum):
    """What the restricted game pays where the player to move has no sequence left."""

    EXTENDED = "extended"  # what both earn by continuing, by plan or by default
    BEST_RESPONSE = "best-response"  # the default strategy against a best response


class Method(Solver):
    """Solve the restricted game, find both best responses in the whole one, add what they
    play, until neither gains. The best responses bound the value at every iteration."""

    is_exact = True
    needs = (TWO_PLAYERS, CONSTANT_SUM)

    def __init__(
        self,
        form: Form,
        *,
        oracle: str = "auto",
        terminal: str = "sorted",
        add: str = "best-response",
        default: str = "first",
        leaves: str = "extended",
        rough: int = 100,
    ) -> None:
        """`oracle` is sequence, generic or public, the last with sorted or matrix `terminal`s;
        `default` is the first or last action, or the name of one; `rough` is the number of
        regret-minimising iterations on every restricted game at the beginning."""
        require(form, "double-oracle", self.needs)
        super().__init__(form)
        within("rough", rough, 0, 100_000)
        self.rough = rough
        explicit = _explicit(form)
        needs_tree = oracle == "generic" or leaves == Leaves.BEST_RESPONSE
        tree = _tree(explicit) if needs_tree else None
        self.oracle = _oracle(oracle, terminal, form, tree)
        self.addition = addition(add, form)
        self.restrictor = _restrictor(leaves, explicit, tree, _defaults(form, default))
        self.total = explicit.constant or 0.0  # what both earn together
        self.scale = max(float(np.abs(explicit.payoffs).max(initial=0.0)), 1e-300)
        self.program = RestrictedProgram(form.plex)
        self.regrets = RestrictedRegrets(int(form.plex.roots[-1]))
        self.included = np.zeros(int(form.plex.roots[-1]), np.uint8)
        self.included[form.plex.roots[:-1]] = 1
        self.plan = plan_of(form, uniform(form))
        self.low, self.high = -np.inf, np.inf
        self.exact = rough == 0
        self.done = False
        self.seconds = {"LP": 0.0, "regrets": 0.0, "oracle": 0.0, "growth": 0.0}

    @classmethod
    def needed_form(cls, **parameters: Any) -> str:
        oracle = parameters.get("oracle", "auto")
        any_form = parameters.get("leaves") != Leaves.BEST_RESPONSE  # otherwise a tree is walked
        return {"auto": "" if any_form else "sequence", "public": "public"}.get(oracle, "sequence")

    @property
    def finished(self) -> bool:
        return self.done

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            if self.done or not self._iterate():
                return

    def _iterate(self) -> bool:
        """Returns whether it was completed: Ctrl-C may come first."""
        with self._timed("growth"):
            game = self.restrictor.restricted(self.included)
        solved = self._solved(game)
        if solved is None:
            return False
        plan = game.extended(solved)
        slack = self.scale * (EXACT_SLACK if self.exact else ROUGH_SLACK)
        with self._timed("oracle"):
            first, second = (
                self.oracle.respond(player, plan, self.included, slack) for player in range(2)
            )
        self._keep_best(plan, self.total - second.value, first.value)
        with self._timed("growth"):
            grown = self.included.copy()
            for player, response in enumerate((first, second)):
                grown |= self.addition.add(player, response.sequences)
        unchanged = np.array_equal(grown, self.included)
        if self.high - self.low <= self.scale * EQUAL or (self.exact and unchanged):
            self.done = True
        elif unchanged:
            self.exact = True
        self.included = grown
        self.iteration += 1
        return True

    def _solved(self, game: Restriction) -> Floats | None:
        if self.exact:
            with self._timed("LP"):
                solution = self.program.solve(game)
                return None if solution is None else solution.plan
        with self._timed("regrets"):
            return self.regrets.solve(game, self.rough)

    def _keep_best(self, plan: Floats, low: float, high: float) -> None:
        """Keep the plan of each player that guarantees most, and what it guarantees."""
        if low > self.low:
            self.low = low
            self.plan[own(self.form, 0)] = plan[own(self.form, 0)]
        if high < self.high:
            self.high = high
            self.plan[own(self.form, 1)] = plan[own(self.form, 1)]

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.seconds[what] += time.perf_counter() - started

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        return behaviour_of(self.form, self.plan)

    def state(self) -> dict[str, np.ndarray]:
        flags = [float(self.iteration), self.low, self.high, float(self.exact), float(self.done)]
        return {
            "included": self.included,
            "plan": self.plan,
            "basic_sequences": self.program.sequences,
            "basic_points": self.program.points,
            "regret": self.regrets.regret,
            "clock": np.array(flags),
        }

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        mine = self.state()
        vectors = {name: checked(state, name, vector) for name, vector in mine.items()}
        if not _is_closed(self.form, vectors["included"]) or np.isnan(vectors["clock"]).any():
            raise BadInput(
                "saved state of a double oracle is damaged: expected sequences, "
                "their ancestors, and a clock of numbers"
            )
        self.included, self.plan = vectors["included"], vectors["plan"]
        self.program.sequences, self.program.points = (
            vectors["basic_sequences"],
            vectors["basic_points"],
        )
        self.regrets.regret = vectors["regret"]
        iteration, self.low, self.high, exact, done = map(float, vectors["clock"])
        self.iteration, self.exact, self.done = int(iteration), bool(exact), bool(done)

    def details(self) -> dict[str, Any]:
        sequences, points = self._included()
        sizes = self.form.sizes
        rows = points[0] + 1 + sequences[1]
        return {
            "bounds": [self.low, self.high] if self.iteration else None,
            "restricted_sequences": sequences,
            "restricted_decision_points": points,
            "restricted_lp_rows": rows,
            "share_of_sequences": sum(sequences) / sum(sizes.sequences),
            "share_of_decision_points": sum(points) / max(sum(sizes.decision_points), 1),
            "share_of_lp_rows": rows / (sizes.decision_points[0] + 1 + sizes.sequences[1]),
            "seconds": dict(self.seconds),
        }

    def remarks(self) -> list[tuple[str, str]]:
        told = self.details()
        needed = ", ".join(
            f"{name} {100 * told[f'share_of_{key}']:.1f} %"
            for name, key in (
                ("sequences", "sequences"),
                ("decision points", "decision_points"),
                ("LP rows", "lp_rows"),
            )
        )
        return [("needed", needed), ("time in", self._split())]

    def news(self) -> str:
        sequences, _ = self._included()
        sizes = "×".join(f"{count:,}" for count in sequences)
        return f"[{self.low:.5g}, {self.high:.5g}]  {sizes}  {self._split()}"

    def _split(self) -> str:
        spent = [f"{name} {seconds:.2g}" for name, seconds in self.seconds.items() if seconds]
        return f"{', '.join(spent)} s" if spent else "none"

    def _included(self) -> tuple[list[int], list[int]]:
        """Sequences and decision points of both players in the restricted game."""
        owners = point_of_sequences(self.form.plex)
        parts = [own(self.form, player) for player in range(2)]
        sequences = [int(np.count_nonzero(self.included[part])) for part in parts]
        points = [np.unique(owners[part][self.included[part] != 0]) for part in parts]
        return sequences, [int(np.count_nonzero(found >= 0)) for found in points]


def _is_closed(form: Form, included: Flags) -> bool:
    """Flags are 0 or 1, and the ancestors of an included sequence are included too."""
    whole = np.minimum(included, 1)
    whole[form.plex.roots[:-1]] = 1
    for player in range(2):
        close(form.plex, player, whole)
    return np.array_equal(whole, included)


def _explicit(form: Form) -> SequenceForm:
    if isinstance(form, PublicForm):
        try:
            return form.expanded()
        except Unsuitable as error:
            raise Unsuitable(
                f"method double-oracle: {error}; methods that do not enumerate it: {learners()}"
            ) from None
    if not isinstance(form, SequenceForm):
        raise Unsuitable(f"method double-oracle needs a sequence form or a public one: {form!r}")
    return form


def _tree(explicit: SequenceForm) -> GameTree:
    try:
        return game_tree(explicit.game or explicit.spec, explicit)
    except UnknownName:
        raise Unsuitable(
            f"leaves={Leaves.BEST_RESPONSE} needs all suits of {explicit.spec}: its public form "
            "merges some, oracle=sequence does not"
        ) from None


def _oracle(name: str, terminal: str, form: Form, tree: GameTree | None) -> Oracle:
    if terminal not in ("sorted", "matrix"):
        raise BadParameter(f"terminal={terminal}: must be sorted or matrix")
    if name == "auto":
        name = form_kind(form)
    if name == "generic" and tree is not None:
        return GenericOracle(tree)
    if name == "public":
        if not isinstance(form, PublicForm):
            raise Unsuitable(f"oracle=public needs the public form of a poker game: {form!r}")
        return PublicOracle(replace(form, terminal=terminal, _sweepers={}))
    if name == "sequence":
        return SequenceOracle(_explicit(form))
    raise BadParameter(f"oracle={name}: must be auto, sequence, generic or public")


def _restrictor(
    leaves: str, explicit: SequenceForm, tree: GameTree | None, default: Indices
) -> Restrictor:
    if leaves == Leaves.BEST_RESPONSE and tree is not None:
        return LeafRestrictor(tree, default)
    if leaves == Leaves.EXTENDED:
        return Restrictor(explicit, default)
    raise BadParameter(f"leaves={leaves}: must be {' or '.join(Leaves)}")


def _defaults(form: Form, rule: str) -> Indices:
    """The action of the default strategy at every decision point."""
    plex = form.plex
    chosen = np.zeros(plex.parents.size, np.int32)
    if rule == "first":
        return chosen
    for _, actions, lanes, point in plex.blocks:
        chosen[point : point + lanes] = actions - 1 if rule == "last" else 0
    if rule == "last":
        return chosen
    owners, met = point_of_sequences(plex), False
    for player, treeplex in enumerate(form.treeplexes):
        for names, sequences in zip(treeplex.actions, treeplex.sequences, strict=True):
            if rule in names:
                chosen[owners[plex.roots[player] + sequences[0]]] = names.index(rule)
                met = True
    if not met:
        known = sorted(
            {name for plex in form.treeplexes for names in plex.actions for name in names}
        )
        allowed = ", ".join(["first", "last", *known[:8]])
        raise BadParameter(f"default={rule}: must be one of {allowed}")
    return chosen
