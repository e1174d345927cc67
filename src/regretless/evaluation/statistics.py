"""Means and what is known about their errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput

CONFIDENCE_95 = 1.959963984540054  # half-width of a 95 % interval, in standard errors


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error, beside what plain averaging of payoffs gives."""

    mean: float
    standard_error: float
    plain_mean: float
    plain_standard_error: float
    hands: int

    @property
    def half_width(self) -> float:
        """Of the 95 % confidence interval."""
        return CONFIDENCE_95 * self.standard_error

    @property
    def gain(self) -> float:
        """How many times smaller the standard error has become."""
        if self.standard_error <= 0:
            return float("inf") if self.plain_standard_error > 0 else 1.0
        return self.plain_standard_error / self.standard_error


def estimate(corrected: Floats, plain: Floats, strata: Ints | None = None) -> Estimate:
    """Out of one number a hand, corrected and as paid.

    Strata are kinds of hands whose numbers were fixed beforehand, as seats that rotate:
    differences between their means are no noise."""
    if len(plain) < 2:
        raise BadInput(f"{len(plain)} hands: a standard error needs 2 or more")
    return Estimate(
        mean=float(np.mean(corrected)),
        standard_error=standard_error(corrected, strata),
        plain_mean=float(np.mean(plain)),
        plain_standard_error=standard_error(plain, strata),
        hands=len(plain),
    )


def standard_error(samples: Floats, strata: Ints | None = None) -> float:
    """Of the mean of independent samples, within strata if there are enough of each."""
    counts = np.bincount(strata) if strata is not None else np.array([len(samples)])
    if strata is None or counts.min() < 2:
        return float(np.std(samples, ddof=1) / np.sqrt(len(samples)))
    centred = samples - (np.bincount(strata, samples) / counts)[strata]
    squares = np.bincount(strata, centred * centred) * counts / (counts - 1)
    return float(np.sqrt(squares.sum()) / len(samples))


def batch_error(sums: Floats, sizes: Ints) -> Floats:
    """Standard error of a mean out of sums over batches, along the first axis.

    Batches may differ in size; what is averaged may be dependent within a hand, not
    between hands."""
    count, total = len(sizes), sizes.sum()
    if count < 2:
        return np.full(sums.shape[1:], np.nan)
    shaped = sizes.reshape(-1, *(1,) * (sums.ndim - 1))
    deviations = sums - shaped * (sums.sum(axis=0) / total)
    squares = np.sum(deviations * deviations, axis=0)
    error: Floats = np.sqrt(squares * count / (count - 1)) / total
    return error
