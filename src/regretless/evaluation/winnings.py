"""Winnings with a confidence interval, in thousandths of a big blind per hand."""

from __future__ import annotations

from typing import Any


class Winnings:
    """What results of sampled play have in common; the numbers are in chips per hand."""

    mean: float
    half_width: float  # of the 95 % confidence interval
    seats: tuple[float, float]  # mean by position
    big_blind: float
    interrupted: bool

    @property
    def mbb(self) -> tuple[float, float]:
        """Mean and half-width in thousandths of a big blind per hand."""
        return self.mean * 1000 / self.big_blind, self.half_width * 1000 / self.big_blind

    def winnings(self, **sizes: int) -> dict[str, Any]:
        """The numbers as JSON-compatible data, with what they were measured on."""
        mean, half_width = self.mbb
        return {
            "mean": mean,
            "half_width": half_width,
            "unit": "mbb/h",
            "seats": [seat * 1000 / self.big_blind for seat in self.seats],
            **sizes,
            "interrupted": self.interrupted,
        }
