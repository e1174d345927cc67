"""The worst case against opponents who agree on plans before the deal, and the best defence.

Against a fixed plan of one player, the worst a team can do is a joint pure plan, so a team that
correlates its plans and one that does not are equally dangerous to a player who has committed.
The strategy with the best guarantee is therefore the adversary's side of a team-maxmin
equilibrium with coordination (TMECor; Celli & Gatti 2018): a linear program over its plan with
one row per joint pure plan of the team. Violated rows are added one by one: column generation
from the team's side, with the team's best response as oracle.

The oracle enumerates the pure plans of all members but one, if there are few, and pairs each of
them with the last member's best response. Otherwise it is a mixed-integer program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Interrupted, TooLarge, Unsolved
from regretless.core.interrupts import interrupted
from regretless.forms.form import own, plan_of, uniform
from regretless.forms.normal import pure_plans
from regretless.forms.sequence import SequenceForm
from regretless.forms.treeplex import Treeplex
from regretless.programs.highs import Blocks, solved
from regretless.programs.saddle import maximin

MOST_JOINT = 20_000  # joint plans that are enumerated
MOST_ROUNDS = 20_000
MOST_TERMINALS = 5_000  # if there are too many plans to enumerate
CONVERGED = 1e-10  # of the largest payoff


_KNOWN: WeakKeyDictionary[SequenceForm, dict[int, Guarantee]] = WeakKeyDictionary()


class Harm(NamedTuple):
    """What a player earns against the team's best response, and the plans of both."""

    value: float
    plan: Floats  # of all players, the player's own part as given


@dataclass(frozen=True, eq=False)
class Guarantee:
    """What a player can guarantee against a team that agrees on plans before the deal, and how."""

    value: float
    plan: Floats  # of the player, and for the others the mean of the team's joint plans
    joint: tuple[tuple[float, Floats], ...]  # the team's joint pure plans with probabilities


class Team:
    """Everyone but one player of a form."""

    def __init__(self, form: SequenceForm, player: int) -> None:
        self.form, self.player = form, player
        members = [other for other in range(form.players) if other != player]
        self.members = sorted(members, key=lambda each: form.treeplexes[each].size)
        self.plans = self._enumerated()

    def _enumerated(self) -> list[np.ndarray] | None:
        """Pure plans of all members but the last; None if there are too many."""
        try:
            plans = [pure_plans(self.form.treeplexes[each]) for each in self.members[:-1]]
        except TooLarge:
            plans = []
        if len(plans) + 1 == len(self.members) and prod(map(len, plans)) <= MOST_JOINT:
            return plans
        if len(self.members) == 2:
            self.members.reverse()
            try:
                return [pure_plans(self.form.treeplexes[self.members[0]])]
            except TooLarge:
                return None
        return None

    def harm(self, plan: Floats) -> Harm:
        """The team's best response to the player's plan."""
        if self.plans is not None:
            return self._by_enumeration(plan, self.plans)
        return self._by_program(plan)

    def _terminals(self, plan: Floats) -> tuple[np.ndarray, Floats]:
        """Own sequences of the members at terminals, and what the player loses there."""
        form = self.form
        weight = -form.chance * form.payoffs[:, self.player] * plan[form.sequences[:, self.player]]
        counted = np.flatnonzero(weight)
        local = form.sequences[counted][:, self.members] - form.plex.roots[self.members]
        return local, weight[counted]

    def _by_enumeration(self, plan: Floats, plans: list[np.ndarray]) -> Harm:
        sequences, weight = self._terminals(plan)
        last = self.form.treeplexes[self.members[-1]]
        counts = [len(each) for each in plans]
        index = np.indices(counts).reshape(len(plans), prod(counts))
        earned = self._earned(sequences, weight, index, plans)
        totals = _best_values(last, earned)
        best = int(np.argmax(totals))
        joint = plan.copy()
        for member, which, each in zip(self.members, index[:, best], plans, strict=False):
            joint[own(self.form, member)] = each[which]
        joint[own(self.form, self.members[-1])] = _best_plan(last, earned[best])
        return Harm(-float(totals[best]), joint)

    def _earned(
        self, sequences: np.ndarray, weight: Floats, index: np.ndarray, plans: list[np.ndarray]
    ) -> np.ndarray:
        """[joint plan, sequence of the last member]: what the team earns there."""
        last = self.form.treeplexes[self.members[-1]].size
        if len(plans) == 1:
            pays = np.zeros((plans[0].shape[1], last))
            np.add.at(pays, (sequences[:, 0], sequences[:, 1]), weight)
            found: np.ndarray = plans[0] @ pays
            return found
        reached = np.ones((index.shape[1], 1)) * weight
        for member, (which, each) in enumerate(zip(index, plans, strict=True)):
            reached *= each[which][:, sequences[:, member]]
        earned = np.zeros((index.shape[1], last))
        for sequence in np.unique(sequences[:, -1]):
            earned[:, sequence] = reached[:, sequences[:, -1] == sequence].sum(axis=1)
        return earned

    def require_small(self) -> None:
        """Refuse teams whose best responses would take hours."""
        if self.plans is None and self.form.terminals > MOST_TERMINALS:
            raise TooLarge(
                f"game {self.form.spec} has {self.form.terminals:,} terminals: guarantees against "
                f"teams with this many plans allow at most {MOST_TERMINALS:,}"
            )

    def _by_program(self, plan: Floats) -> Harm:

        sequences, weight = self._terminals(plan)
        plexes = [self.form.treeplexes[each] for each in self.members]
        value, parts = worst_joint_plan(plexes, sequences, weight)
        joint = plan.copy()
        for member, part in zip(self.members, parts, strict=True):
            joint[own(self.form, member)] = part
        return Harm(-value, joint)


def guarantee(form: SequenceForm, player: int) -> Guarantee:
    """The most that a player can guarantee, with the plan that does; exact."""
    known = _KNOWN.setdefault(form, {})
    if player not in known:
        alone = form.players == 2
        known[player] = (
            _against_one(form, player) if alone else _against_team(form, Team(form, player), player)
        )
    return known[player]


def _against_one(form: SequenceForm, player: int) -> Guarantee:
    """A single opponent has nobody to coordinate with: one linear program."""
    A = form.matrix(player)
    mine, theirs = form.treeplexes[player], form.treeplexes[1 - player]
    saddle = maximin(A if player == 0 else A.T, mine.constraints, theirs.constraints)
    parts = (saddle.rows, saddle.columns)
    plan = np.concatenate(parts if player == 0 else parts[::-1])
    return Guarantee(saddle.value, plan, ((1.0, plan),))


def _against_team(form: SequenceForm, team: Team, player: int) -> Guarantee:
    """A linear program that grows by the team's best responses."""
    from scipy import sparse

    team.require_small()
    mine = own(form, player)
    plan = plan_of(form, uniform(form))
    joint: list[Floats] = []
    columns: list[Floats] = []
    gradient = np.empty_like(plan)
    tolerance = CONVERGED * form.largest_payoff
    E = form.treeplexes[player].constraints
    value, mix = np.inf, np.ones(0)
    for _ in range(MOST_ROUNDS):
        if interrupted():
            raise Interrupted(f"the best guarantee of player {player + 1} was not found yet")
        harm = team.harm(plan)
        if harm.value >= value - tolerance:
            break
        joint.append(harm.plan)
        form.gradient(player, harm.plan, gradient)
        columns.append(gradient[mine].copy())
        A = sparse.csr_matrix(np.array(columns).T)
        saddle = maximin(A, E, sparse.csr_matrix(np.ones((1, len(columns)))))
        plan[mine], mix, value = saddle.rows, saddle.columns, saddle.value
    else:
        raise Unsolved(f"the team's plans did not converge within {MOST_ROUNDS:,} rounds")
    weights = mix / mix.sum()
    for member in team.members:
        there = own(form, member)
        plan[there] = weights @ np.array([each[there] for each in joint])
    drawn = [(float(p), each) for p, each in zip(weights, joint, strict=True) if p > 0]
    return Guarantee(harm.value, plan, tuple(drawn))


def _below(plex: Treeplex, earned: np.ndarray) -> np.ndarray:
    """What every sequence earns with best play below it; one row per case."""
    worth = earned.copy()
    for point in reversed(range(len(plex.labels))):
        worth[:, plex.parents[point]] += worth[:, plex.sequences[point]].max(axis=1)
    return worth


def _best_values(plex: Treeplex, earned: np.ndarray) -> Floats:
    values: Floats = _below(plex, earned)[:, 0]
    return values


def _best_plan(plex: Treeplex, earned: Floats) -> Floats:
    worth = _below(plex, earned[None, :])[0]
    plan = np.zeros(plex.size)
    plan[0] = 1.0
    for point, sequences in enumerate(plex.sequences):
        plan[sequences[np.argmax(worth[sequences])]] = plan[plex.parents[point]]
    return plan


def worst_joint_plan(
    plexes: Sequence[Treeplex], sequences: np.ndarray, weight: Floats
) -> tuple[float, list[Floats]]:
    """The best joint pure plan of a team, as a mixed-integer program, and its value;
    `sequences[t, member]` and `weight[t]` define the value of terminals.

    Every member has a plan; those of all but the last are 0 or 1. A terminal counts as far as every
    member reaches it: p[t] <= y[s] for each, and where counting it would hurt the team
    p[t] >= sum of y[s] - (members - 1)."""
    from scipy import sparse

    merged, where = np.unique(sequences, axis=0, return_inverse=True)
    worth = np.bincount(where.ravel(), weight)
    scale = float(np.abs(worth).max(initial=0.0)) or 1.0  # HiGHS's tolerances are absolute
    count, last, program = len(merged), len(plexes) - 1, Blocks()
    plans = [
        program.columns(plex.size, 0.0, 1.0, integer=k < last) for k, plex in enumerate(plexes)
    ]
    counted = program.columns(count, 0.0, 1.0, gain=worth / scale)
    for mine, plex in zip(plans, plexes, strict=True):
        first = np.eye(1, plex.constraints.shape[0]).ravel()
        program.rows({mine: plex.constraints}, first, first)
    one = sparse.identity(count)
    picked = [
        sparse.csr_matrix((np.ones(count), (np.arange(count), merged[:, k])), (count, plex.size))
        for k, plex in enumerate(plexes)
    ]
    for mine, chosen in zip(plans, picked, strict=True):
        program.rows({counted: one, mine: -chosen}, -np.inf, 0.0)
    reached = {mine: -chosen for mine, chosen in zip(plans, picked, strict=True)}
    program.rows({counted: one, **reached}, 1.0 - len(plexes), np.inf)
    options = {"mip_rel_gap": 0.0}
    running = solved(program.model(), "the team's best response", options=options)
    columns = np.array(running.highs.getSolution().col_value)
    ends = np.cumsum([plex.size for plex in plexes])
    *parts, terminals = np.split(columns, ends)
    return float(worth @ terminals), [np.round(part, 12) for part in parts]
