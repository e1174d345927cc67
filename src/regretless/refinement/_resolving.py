"""Solves subgames again, one after the other, player by player.

Refinements differ in the gadget. Subgames are disjoint and a player's reach of them is fixed,
so solving one does not affect another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, BadParameter, Interrupted, whole, within
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody
from regretless.forms.form import Form, own
from regretless.forms.subgame import Subgame
from regretless.forms.subgames import finder
from regretless.kernels.treeplex import first_wrong
from regretless.refinement._gadget import Gadget, GadgetGame, solved
from regretless.refinement._local import Local, Reach, localised
from regretless.solvers._catalog import method_class
from regretless.strategy.strategy import SLACK, Strategy

MOST_ITERATIONS = 10**9
TOLERANCE = 1e-9  # of rounding
BOTH = 0  # players to re-solve for: 1, 2, or both

Gadgets: TypeAlias = Callable[[Local, Floats, Reach], Gadget]
Limits: TypeAlias = Callable[[Sequence[Local], Reach], list[Floats]]


@dataclass(frozen=True)
class Effort:
    """How subgames are solved."""

    method: str = "lp"
    iterations: int = 1000
    tolerance: float | None = TOLERANCE  # chips that a subgame may add to exploitability

    def __post_init__(self) -> None:
        method_class(self.method.partition(":")[0])
        whole("iterations", self.iterations, 1, MOST_ITERATIONS)
        if self.tolerance is not None:
            within("tolerance", self.tolerance, 0, 1e9)


@dataclass(frozen=True, eq=False)
class Resolved:
    """A player's strategy in a re-solved subgame."""

    local: Local
    margins: Floats  # [root] chips by which the rival's best response earns less than its limit
    kept: bool  # the margins were too small: the blueprint stays

    @property
    def name(self) -> str:
        """The subgame and player, as text."""
        return f"{self.local.subgame.name} of player {self.local.player + 1}"


@dataclass(frozen=True)
class Rule:
    """A refinement: its gadget, and how much the rival may earn at every root."""

    gadget: Gadgets
    limits: Limits
    safe: bool = True
    steps: int = 1  # decisions deep


def as_blueprint(locals_: Sequence[Local], reach: Reach) -> list[Floats]:
    """The rival may earn what its best response to the blueprint earns."""
    return [local.values(reach.behaviour) for local in locals_]


def resolve(
    rule: Rule, local: Local, limit: Floats, reach: Reach, effort: Effort, out: Floats
) -> Resolved:
    """Solve a subgame again for one player, and write it to a behaviour of the whole form."""
    whole = GadgetGame(local, rule.gadget(local, limit, reach))
    resolved = reach.behaviour.copy()
    played = solved(whole.form, local.player, effort.method, effort.iterations)
    whole.written(played, resolved)
    gained = limit - local.values(resolved)
    loss = -float(np.minimum(gained, 0.0).sum()) * local.total
    kept = effort.tolerance is not None and loss > effort.tolerance
    if not kept:
        copy_points(local, resolved, out)
    margins = gained / np.where(local.mass > 0, local.mass, 1.0)
    return Resolved(local, np.zeros_like(margins) if kept else margins, kept)


def copy_points(local: Local, source: Floats, out: Floats) -> None:
    """What the player does in a subgame, from one behaviour to another."""
    part = own(local.subgame.form, local.player)
    for point in local.subgame.points[local.player]:
        out[part][point.sequences] = source[part][point.sequences]


def refinement(rule: Rule) -> Callable[..., Strategy]:
    """The refinement that a rule makes."""

    def refine(
        blueprint: Strategy,
        *,
        at: str | None = None,
        depth: int | None = None,
        player: int = BOTH,
        steps: int = rule.steps,
        method: str = "lp",
        iterations: int = 1000,
        tolerance: float | None = TOLERANCE if rule.safe else None,
        listen: Listener = nobody,
    ) -> Strategy:
        """Solve subgames again.

        `at`: the subgame of this decision point or public state, as in `K/Q:cr/` or `/Q:cr/`;
        otherwise all subgames with `depth` rounds (poker) or own decisions (other games) before
        them. `player`: 1, 2, or 0 for both. `steps`: then solve the subgames after their first
        decision, and so on, at most so many decisions deep. `method` and `iterations`: how
        subgames are solved. `tolerance`: a result that may add more chips than this to
        exploitability, because `method` has not converged, is discarded."""
        whole("steps", steps, 1, 10_000)
        effort = Effort(method, iterations, tolerance)
        chosen = named(blueprint, at, depth, listen)
        known, strategy = finder(blueprint.form), blueprint
        for step in range(steps):
            try:
                strategy = pass_over(strategy, chosen, rule, effort, player=player, listen=listen)
            except Interrupted:
                if not step:
                    raise
            if step + 1 == steps or interrupted():
                break
            chosen = [child for subgame in chosen for child in known.children(subgame)]
            if not chosen:
                break
        return strategy

    return refine


def named(
    blueprint: Strategy, at: str | None, depth: int | None, listen: Listener
) -> list[Subgame]:
    """The selected subgames: the one at `at`, or all at a depth."""
    known = finder(blueprint.form)
    require_whole(blueprint)
    if at is not None and depth is not None:
        raise BadParameter(f"at={at}, depth={depth}: give only one of them")
    listen(Progress("finding subgames"))
    return [known.at(at)] if at is not None else known.cut(depth)


def pass_over(
    blueprint: Strategy,
    chosen: Sequence[Subgame],
    rule: Rule,
    effort: Effort,
    *,
    player: int = BOTH,
    listen: Listener = nobody,
) -> Strategy:
    """Solve disjoint subgames again, for one player or for both."""
    whole("player", player, 0, 2)
    form = blueprint.form
    reach = Reach(form, blueprint.behaviour)
    out = reach.behaviour.copy()
    players = (0, 1) if player == BOTH else (player - 1,)
    work = [(p, [subgame for subgame in chosen if subgame.points[p]]) for p in players]
    total = sum(len(mine) for _, mine in work)
    done = 0
    for p, mine in work:
        locals_ = [localised(subgame, p, reach) for subgame in mine]
        limits = rule.limits(locals_, reach)
        for local, limit in zip(locals_, limits, strict=True):
            try:
                if interrupted():
                    raise Interrupted("time ran out")
                result = resolve(rule, local, limit, reach, effort, out)
            except Interrupted as error:
                if not done:
                    name = f"{local.subgame.name!r} of player {p + 1}"
                    problem = f"no subgame was solved, the first is {name}: {error}"
                    raise Interrupted(problem) from None
                return Strategy(form, out.astype(blueprint.behaviour.dtype))
            done += 1
            listen(_progress(result, done, total))
    return Strategy(form, out.astype(blueprint.behaviour.dtype))


def _progress(result: Resolved, done: int, total: int) -> Progress:
    margin = float(result.margins.min()) + 0.0
    news = f"{result.name}: " + ("kept" if result.kept else f"margin {margin:.6f}")
    return Progress("re-solving", done, done=done / total, news=news)


def require_whole(blueprint: Strategy) -> None:
    """Refuse a blueprint that misses part of the tree, and name the first place."""
    form, behaviour = blueprint.form, blueprint.behaviour
    for player in range(form.players):
        wrong = first_wrong(form.blocks, player, behaviour, SLACK)
        if wrong >= 0:
            raise BadInput(
                f"blueprint of {form.spec} has no strategy at {_label(form, player, wrong)}"
            )


def _label(form: Form, player: int, sequence: int) -> str:
    own_number = sequence - int(form.blocks.roots[player])
    for point in form.points(player):
        if own_number in point.sequences:
            return f"{point.label!r} of player {player + 1}"
    return f"the start of player {player + 1}"
