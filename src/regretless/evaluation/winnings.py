"""Winnings with a confidence interval, and the unit in which they are reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from regretless.core.arrays import Floats
from regretless.evaluation.statistics import CONFIDENCE_95, standard_error
from regretless.games._betting import PokerRules


class Unit(NamedTuple):
    """The unit in which payoffs are reported."""

    name: str  # as in 12.3 ma/h
    words: str
    scale: float  # chips times this

    @property
    def format(self) -> str:
        """One decimal for thousandths, four for chips; no minus before zero."""
        return "z.1f" if self.scale != 1.0 else "z.4f"


def stake_unit(largest: float, *, antes: bool) -> Unit:
    """Thousandths of the ante or of the big blind, whichever the players pay; or chips."""
    if not largest:
        return Unit("chips/h", "chips per hand", 1.0)
    if antes:
        return Unit("ma/h", "thousandths of an ante per hand", 1000 / largest)
    return Unit("mbb/h", "thousandths of a big blind per hand", 1000 / largest)


@dataclass(frozen=True, kw_only=True)
class Winnings:
    """What one side wins from another on sampled deals, in chips per hand."""

    mean: float
    half_width: float  # of the 95 % confidence interval
    seats: tuple[float, float]  # mean by position of the winning side
    big_blind: float
    antes: bool = False  # all players pay the same: it is an ante
    interrupted: bool = False

    @classmethod
    def of(cls, won: Floats, rules: PokerRules, *, asked: int, **sizes: int) -> Self:
        """From [deal, position] winnings, of so many deals as were asked for or fewer."""
        both = won.mean(axis=1)
        first, second = won.mean(axis=0).tolist()
        return cls(
            mean=float(both.mean()),
            half_width=CONFIDENCE_95 * standard_error(both),
            seats=(first, second),
            big_blind=float(max(rules.blinds)),
            antes=len(set(rules.blinds)) == 1,
            interrupted=len(won) < asked,
            **sizes,
        )

    @property
    def unit(self) -> Unit:
        """The unit of results."""
        return stake_unit(self.big_blind, antes=self.antes)

    @property
    def mbb(self) -> tuple[float, float]:
        """Mean and half-width in the unit: thousandths of a big blind per hand, or of an ante."""
        return self.mean * self.unit.scale, self.half_width * self.unit.scale

    def winnings(self, **sizes: int) -> dict[str, Any]:
        """The numbers as JSON-compatible data, with what they were measured on."""
        mean, half_width = self.mbb
        return {
            "mean": mean,
            "half_width": half_width,
            "unit": self.unit.name,
            "seats": [seat * self.unit.scale for seat in self.seats],
            **sizes,
            "interrupted": self.interrupted,
        }
