"""Winnings with a confidence interval, and the unit in which they are reported."""

from __future__ import annotations

from typing import Any, NamedTuple


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


class Winnings:
    """What results of sampled play have in common; the numbers are in chips per hand."""

    mean: float
    half_width: float  # of the 95 % confidence interval
    seats: tuple[float, float]  # mean by position
    big_blind: float
    antes: bool = False  # all players pay the same: it is an ante
    interrupted: bool

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
