"""Two solutions of a spot at the same decision: where they differ, in play and in EV.

Differences are second minus first. Only hands in both ranges are compared, by the weights
of the first; both need the same actions, while ranges, rake, locks or methods may differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from regretless.cards.holdings import CLASSES, class_names, class_of
from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable, WrongGame, shown
from regretless.core.tables import plain
from regretless.evaluation.spot_values import Node, SpotView
from regretless.strategy.face import Result
from regretless.strategy.strategy import Strategy


class ClassDifference(NamedTuple):
    """A hand class; vectors have one number per action."""

    name: str
    share: float  # of the range of the first solution
    first: Floats  # frequencies
    second: Floats
    first_ev: float
    second_ev: float

    @property
    def distance(self) -> float:
        """How often the two play differently."""
        return float(np.abs(self.second - self.first).sum() / 2)


@dataclass(frozen=True, eq=False)
class SpotDifference:
    """Two solutions at one decision."""

    first: Node
    second: Node

    @property
    def actions(self) -> tuple[str, ...]:
        return self.first.actions

    @cached_property
    def share(self) -> Floats:
        """[hand] weights that sum to 1, over hands in both solutions."""
        both = (self.first, self.second)
        known = np.all([np.isfinite(node.acting.ev) for node in both], axis=0)
        weight = np.where(known, self.first.acting.share, 0.0)
        total = weight.sum()
        return np.asarray(weight / total if total > 0 else weight)

    @property
    def ev(self) -> tuple[float, float]:
        """Mean EVs of the acting player, over hands in both solutions."""
        return self._mean(self.first.acting.ev), self._mean(self.second.acting.ev)

    @property
    def frequencies(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """How often every action is taken, over hands in both solutions."""
        one, two = (
            tuple(self._mean(column) for column in node.strategy.T)
            for node in (self.first, self.second)
        )
        return one, two

    @property
    def distance(self) -> float:
        """How often the two play differently, hand by hand."""
        return self._mean(np.abs(self.second.strategy - self.first.strategy).sum(axis=1) / 2)

    @property
    def largest_ev(self) -> float:
        """The largest difference in the EV of any hand."""
        kept, difference = self.share > 0, self.second.acting.ev - self.first.acting.ev
        return float(np.abs(difference)[kept].max()) if kept.any() else 0.0

    @cached_property
    def classes(self) -> tuple[ClassDifference, ...]:
        """The hand classes in the range, largest difference times share first."""
        totals = np.bincount(class_of(), self.share, CLASSES)
        differences = [
            self._class(number, total) for number, total in enumerate(totals) if total > 0
        ]
        return tuple(sorted(differences, key=lambda one: (-one.distance * one.share, one.name)))

    def _class(self, number: int, total: float) -> ClassDifference:
        hands = np.flatnonzero((class_of() == number) & (self.share > 0))
        weight = self.share[hands] / total
        return ClassDifference(
            name=class_names()[number],
            share=float(total),
            first=weight @ self.first.strategy[hands],
            second=weight @ self.second.strategy[hands],
            first_ev=float(weight @ self.first.acting.ev[hands]),
            second_ev=float(weight @ self.second.acting.ev[hands]),
        )

    def _mean(self, values: Floats) -> float:
        kept = self.share > 0
        return float(self.share[kept] @ values[kept]) if kept.any() else float("nan")

    def facts(self) -> dict[str, Any]:
        """The numbers as JSON-compatible data."""
        return {
            "line": self.first.line,
            "player": ("oop", "ip")[self.first.player],
            "reach": [self.first.reach, self.second.reach],
            "ev": plain(self.ev),
            "largest_ev_difference": self.largest_ev,
            "distance": plain(self.distance),
            "frequencies": {
                name: plain(pair)
                for name, *pair in zip(self.actions, *self.frequencies, strict=True)
            },
            "classes": [
                {
                    "name": one.name,
                    "share": one.share,
                    "distance": one.distance,
                    "ev": [one.first_ev, one.second_ev],
                    "first": dict(zip(self.actions, one.first.tolist(), strict=True)),
                    "second": dict(zip(self.actions, one.second.tolist(), strict=True)),
                }
                for one in self.classes
            ],
        }


def spot_difference(
    first: str | Path | Strategy | Result, second: str | Path | Strategy | Result, line: str = ""
) -> SpotDifference:
    """Compare two solutions of a spot at a line such as `check bet120 / 2s / check`."""
    one, two = (_view(given).at(line) for given in (first, second))
    if set(one.board) != set(two.board):
        raise WrongGame("the two solutions are on different boards")
    if one.actions != two.actions:
        names = [", ".join(node.actions) for node in (one, two)]
        raise WrongGame(f"line {line!r}: the first solution has {names[0]}, the second {names[1]}")
    return SpotDifference(one, two)


def _view(given: object) -> SpotView:
    if isinstance(given, str | Path):
        return SpotView.open(given)
    strategy = given.strategy if isinstance(given, Result) else given
    if not isinstance(strategy, Strategy):
        raise Unsuitable(f"{shown(given)} is not a solution of a spot")
    return SpotView.of(strategy)
