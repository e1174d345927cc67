"""Several models as one: regions that contain those of every model in their order.

A common refinement has, for every player, a sequence of plans in which every model's sequence
can be found. Under one of the models the other regions are empty: their two thresholds
coincide. Orders of thresholds hold under the models that ask for them, so models need not agree
on an order, which Ganzfried & Sandholm require (a common refinement of their orders too)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from regretless.continuous.game import Plan
from regretless.continuous.model import ParametricModel, Threshold

LOW, HIGH = (-1, 0), (-1, 1)  # both ends of all signals, as thresholds


@dataclass(frozen=True)
class Refinement:
    """Plans of the regions of every player, and which of them every model uses."""

    models: tuple[ParametricModel, ...]
    plans: tuple[tuple[Plan, ...], ...]
    used: tuple[tuple[tuple[int, ...], ...], ...]  # [model][player]: regions, increasing

    @property
    def thresholds(self) -> list[Threshold]:
        return [(i, k) for i, own in enumerate(self.plans) for k in range(1, len(own))]

    def users(self, player: int, region: int) -> list[int]:
        """Models that use a region."""
        return [m for m, used in enumerate(self.used) if region in used[player]]

    def certain(self, first: Threshold, second: Threshold) -> bool:
        """Whether a threshold is at most another one under all models."""
        return all(self.holds(m, first, second) for m in range(len(self.models)))

    def holds(self, m: int, first: Threshold, second: Threshold) -> bool:
        """Whether a threshold is at most another one under this model."""
        a, b = self._own(m, first), self._own(m, second)
        return a in (b, LOW) or b == HIGH or (a, b) in self._orders[m]

    @cached_property
    def _orders(self) -> list[frozenset[tuple[Threshold, Threshold]]]:
        return [model.full_order for model in self.models]

    @property
    def is_ordered(self) -> bool:
        """Whether all models agree on one partial order: the common refinement of the paper."""
        pairs = [
            (a, b)
            for m in range(len(self.models))
            for a in self.thresholds
            for b in self.thresholds
            if a != b and self.holds(m, a, b) and not self.holds(m, b, a)
        ]
        return not _has_cycle(pairs)

    def _own(self, m: int, threshold: Threshold) -> Threshold:
        """The threshold of the model that this one coincides with."""
        if threshold in (LOW, HIGH):
            return threshold
        player, k = threshold
        used = self.used[m][player]
        below = sum(region < k for region in used)  # used regions below it
        return LOW if below == 0 else HIGH if below == len(used) else (player, below)


def refinement(models: Sequence[ParametricModel]) -> Refinement:
    """The shortest that a simple merge finds; for one model, the model itself."""
    plans = list(models[0].plans)
    for model in models[1:]:
        plans = [_merged(a, b) for a, b in zip(plans, model.plans, strict=True)]
    used = tuple(
        tuple(_embedded(own, whole) for own, whole in zip(model.plans, plans, strict=True))
        for model in models
    )
    return Refinement(tuple(models), tuple(plans), used)


def _merged(first: Sequence[Plan], second: Sequence[Plan]) -> tuple[Plan, ...]:
    """The shortest common supersequence."""
    best: dict[tuple[int, int], tuple[Plan, ...]] = {}
    for i in range(len(first), -1, -1):
        for j in range(len(second), -1, -1):
            if i == len(first) or j == len(second):
                best[i, j] = (*first[i:], *second[j:])
            elif first[i] == second[j]:
                best[i, j] = (first[i], *best[i + 1, j + 1])
            else:
                options = ((first[i], *best[i + 1, j]), (second[j], *best[i, j + 1]))
                best[i, j] = min(options, key=len)
    return best[0, 0]


def _embedded(own: Sequence[Plan], whole: Sequence[Plan]) -> tuple[int, ...]:
    found: list[int] = []
    at = 0
    for plan in own:
        at = whole.index(plan, at)
        found.append(at)
        at += 1
    return tuple(found)


def _has_cycle(pairs: Sequence[tuple[Threshold, Threshold]]) -> bool:
    left = set(pairs)
    while left:
        sources = {a for a, _ in left} - {b for _, b in left}
        if not sources:
            return True
        left = {(a, b) for a, b in left if a not in sources}
    return False
