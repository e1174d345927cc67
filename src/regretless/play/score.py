"""The score of a match: chips per hand with a 95 % confidence interval.

Pots are split among at most ten, so every payoff is a whole number of 2520ths of a chip.
Sums are kept in those: they are exact, and the same whether a hand was just played or
read from a log with six decimals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import sqrt

from regretless.evaluation.statistics import CONFIDENCE_95
from regretless.games._betting import PokerRules
from regretless.play.match import arrangements
from regretless.play.records import Hand

SHARES = 2520  # least common multiple of 1 to 10
_PENDING = 1024  # deals


class Score:
    """Chips of every seat. In a duplicate match the hands of one deal are one sample."""

    def __init__(self, players: int, *, rotate: bool = True, duplicate: bool = False) -> None:
        self.players = players
        self._seats = arrangements(players, rotate=rotate, duplicate=duplicate)
        self._times = players if duplicate else 1
        self._counted = 0  # hands in the sums
        self._won = [0] * players
        self._squares = [0] * players
        self._pending: list[tuple[float, ...]] = []  # payoffs not in the sums yet

    @property
    def hands(self) -> int:
        return self._counted + len(self._pending)

    def add(self, hand: Hand) -> None:
        """Count the next hand; hands come in order, from number 0."""
        self._pending.append(hand.payoffs)
        if len(self._pending) >= _PENDING * self._times:
            self._count()

    def _count(self) -> None:
        """Add complete deals to the sums: many are equal, so equal ones are counted first."""
        times, pending = self._times, self._pending
        end = len(pending) - len(pending) % times
        samples = Counter(
            ((self._counted + at) % len(self._seats), tuple(pending[at : at + times]))
            for at in range(0, end, times)
        )
        for (first, sample), count in samples.items():
            for seat, won in enumerate(self._shares(first, sample)):
                self._won[seat] += count * won
                self._squares[seat] += count * won * won
        del pending[:end]
        self._counted += end

    def _shares(self, first: int, payoffs: Iterable[tuple[float, ...]]) -> list[int]:
        """What every seat has won in consecutive hands; the first has this seating."""
        totals = [0] * self.players
        for number, paid in enumerate(payoffs, start=first):
            for seat, chips in zip(self._seats[number % len(self._seats)], paid, strict=True):
                totals[seat] += round(chips * SHARES)
        return totals

    @property
    def samples(self) -> int:
        """The number of complete deals."""
        return self.hands // self._times

    def totals(self) -> list[float]:
        """Chips won by every seat, in all hands."""
        self._count()
        rest = self._shares(self._counted, self._pending)
        return [(won + more) / SHARES for won, more in zip(self._won, rest, strict=True)]

    def means(self) -> list[float]:
        """Chips per hand of every seat, over complete deals."""
        self._count()
        hands = max(1, self._counted)
        return [won / SHARES / hands for won in self._won]

    def intervals(self) -> list[float | None]:
        """Half the 95 % interval around every mean; None before there are two samples."""
        self._count()
        n = self.samples
        if n < 2:
            return [None] * self.players
        halves: list[float | None] = []
        for won, squares in zip(self._won, self._squares, strict=True):
            variance = (n * squares - won * won) / (n * (n - 1)) / SHARES**2
            halves.append(CONFIDENCE_95 * sqrt(variance / n) / self._times)
        return halves


def unit(rules: PokerRules) -> tuple[str, int]:
    """The unit of results, in thousandths: the big blind, or the ante if all blinds are equal."""
    name = "ante" if len(set(rules.blinds)) == 1 else "big-blind"
    return name, max(1, max(rules.blinds))
