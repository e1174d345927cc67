"""Gifts: what a rival gives away on its way to a subgame (Brown & Sandholm 2017, section 4.1).

If the rival, on its way, passes up an action that would have earned it more, it may earn that
much more in the subgame than under the blueprint, and still does no better. The value of
a sequence is a sum over what may follow, so a gift is shared there in proportion to how likely
chance and the player are to reach each of the subgames that are solved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import own
from regretless.kernels.treeplex import best_response
from regretless.refinement._local import Local, Reach

FIRST, POINT = 0, 3  # columns of a block: first sequence, first decision point
TINY = 1e-300  # avoids division by zero


def with_gifts(locals_: Sequence[Local], reach: Reach) -> list[Floats]:
    """[subgame][root] what the rival may earn there: the blueprint's value plus all gifts."""
    limits = [local.values(reach.behaviour) for local in locals_]
    if not locals_:
        return limits
    shares = _Shares(locals_, reach)
    allowed = []
    for number, (local, limit) in enumerate(zip(locals_, limits, strict=True)):
        gifts = np.array([shares.gift(number, k) for k in range(limit.size)])
        # Nobody can earn more than the largest payoff: a limit beyond twice that is void.
        most = 2 * local.subgame.form.largest_payoff * local.mass
        allowed.append(limit + np.minimum(gifts / max(local.total, TINY), most))
    return allowed


class _Shares:
    """Gifts from the root of the rival's decisions down to every way into a subgame."""

    def __init__(self, locals_: Sequence[Local], reach: Reach) -> None:
        form, rival = reach.form, locals_[0].rival
        plex = form.plex
        self.root = int(plex.roots[rival])
        self.blocks, self.parents = plex.blocks, plex.parents
        self.values = np.empty(int(plex.roots[-1]))
        form.gradient(rival, reach.plan, self.values)
        best_response(plex, rival, self.values, np.empty_like(self.values))
        self.locals, self.first = locals_, own(form, rival).start
        self.below: dict[int, list[int]] = defaultdict(list)  # points by the sequence above
        self.taken: dict[int, list[int]] = defaultdict(list)  # sequences by their point
        self.ways: dict[int, float] = defaultdict(float)  # mass that enters right after it
        self._collect()
        self.mass: dict[int, float] = {}
        self._weigh(self.root)
        self.allowed: dict[int, float] = {}
        self._share(self.root, 0.0)

    def gift(self, number: int, k: int) -> float:
        """How much more the rival may earn by a root of a subgame, in chips of the whole game."""
        local = self.locals[number]
        sequence = self.first + int(local.roots[k])
        total = self.mass[sequence]
        mass = float(local.mass[k]) * local.total
        return self.allowed[sequence] * mass / total if total > 0 else 0.0

    def _collect(self) -> None:
        seen: set[int] = set()
        for local in self.locals:
            for root, mass in zip(local.roots.tolist(), local.mass.tolist(), strict=True):
                sequence = self.first + root
                self.ways[sequence] += mass * local.total
                while sequence != self.root and sequence not in seen:
                    seen.add(sequence)
                    point = self._owner(sequence)
                    if point not in self.taken:
                        self.below[int(self.parents[point])].append(point)
                    self.taken[point].append(sequence)
                    sequence = int(self.parents[point])

    def _weigh(self, sequence: int) -> float:
        """Mass of the subgames below; the rival takes only one of several actions."""
        total = self.ways[sequence]
        for point in self.below[sequence]:
            total += max(self._weigh(action) for action in self.taken[point])
        self.mass[sequence] = total
        return total

    def _share(self, sequence: int, allowed: float) -> None:
        self.allowed[sequence] = allowed
        total = self.mass[sequence]
        for point in self.below[sequence]:
            mass = max(self.mass[action] for action in self.taken[point])
            mine = allowed * mass / total if total > 0 else 0.0
            best = self._best(point)
            for action in self.taken[point]:
                self._share(action, mine + best - float(self.values[action]))

    def _owner(self, sequence: int) -> int:
        """The decision point of a sequence."""
        block = int(np.searchsorted(self.blocks[:, FIRST], sequence, side="right")) - 1
        first, _, lanes, start = self.blocks[block].tolist()
        return int(start + (sequence - first) % lanes)

    def _best(self, point: int) -> float:
        """Value of a decision of the rival: the value of its best action."""
        block = int(np.searchsorted(self.blocks[:, POINT], point, side="right")) - 1
        first, actions, lanes, start = self.blocks[block].tolist()
        at = first + point - start
        return float(self.values[at : at + actions * lanes : lanes].max())
