"""Winnings per player: chips per hand with a 95 % interval, overall and by position.

Hands count as independent samples. In a duplicate match they are not, and the true interval
is narrower."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from regretless.evaluation.statistics import CONFIDENCE_95
from regretless.games._betting import PokerRules
from regretless.play.histories.seen import SeenHand
from regretless.play.records import Hand
from regretless.play.score import unit

Unit = tuple[str, float]  # the unit of results, in thousandths, and its size in chips


class Tally:
    """A mean and its confidence interval, from sums."""

    __slots__ = ("hands", "squares", "total")

    def __init__(self, hands: int = 0, total: float = 0.0, squares: float = 0.0) -> None:
        self.hands, self.total, self.squares = hands, total, squares

    def add(self, won: float) -> None:
        self.hands += 1
        self.total += won
        self.squares += won * won

    def __add__(self, other: Tally) -> Tally:
        total, squares = self.total + other.total, self.squares + other.squares
        return Tally(self.hands + other.hands, total, squares)

    @property
    def mean(self) -> float:
        return self.total / self.hands if self.hands else 0.0

    @property
    def interval(self) -> float | None:
        """Half the 95 % interval around the mean; None for fewer than two hands."""
        if self.hands < 2:
            return None
        variance = max(0.0, self.squares - self.hands * self.mean**2) / (self.hands - 1)
        return CONFIDENCE_95 * sqrt(variance / self.hands)


class Summary:
    """Totals of hands that are added one by one."""

    def __init__(self) -> None:
        self.hands = 0
        self.unknown = 0  # hands whose winner is unknown: they are in no tally
        self._tallies: dict[tuple[str, int], Tally] = {}  # by name and position
        self._units: set[Unit | None] = set()
        self._rules: PokerRules | None = None  # of the last hand

    def add(self, hand: Hand, rules: PokerRules | None, *, seen: SeenHand | None = None) -> None:
        """Count a hand, and remember the unit of its game."""
        self.hands += 1
        chip = 1
        if seen is not None:
            chip = seen.posts.unit  # amounts are reported in chips or dollars, not in cents
            self._units.add(("big-blind", seen.posts.big_blind / chip))
            if seen.won is None:
                self.unknown += 1
                return
        elif self.hands == 1 or rules is not self._rules:
            self._rules = rules
            self._units.add(unit(rules) if rules is not None else None)
        for position, (name, won) in enumerate(zip(hand.names, hand.payoffs, strict=True)):
            tally = self._tallies.get((name, position))
            if tally is None:
                tally = self._tallies[name, position] = Tally()
            tally.add(won / chip)

    @property
    def unit(self) -> Unit | None:
        """The unit of all hands; None if it is unknown or differs between hands."""
        return next(iter(self._units)) if len(self._units) == 1 else None

    def players(self) -> Iterator[tuple[str, Tally, dict[int, Tally]]]:
        """Every name, its hands overall and by position; the biggest winner comes first."""
        names: dict[str, dict[int, Tally]] = {}
        for (name, position), tally in sorted(self._tallies.items()):
            names.setdefault(name, {})[position] = tally
        whole = {name: sum(own.values(), start=Tally()) for name, own in names.items()}
        for name in sorted(names, key=lambda name: (-whole[name].mean, name)):
            yield name, whole[name], names[name]
