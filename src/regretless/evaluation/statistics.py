"""Means and their standard errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput

CONFIDENCE_95 = 1.959963984540054  # half-width of a 95 % interval, in standard errors
ROUNDING = 1e-13  # of the samples: less than this is rounding, not variance


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its standard error, beside the plain mean of the payoffs."""

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
        """The factor by which the standard error is reduced."""
        if self.standard_error <= 0:
            return float("inf") if self.plain_standard_error > 0 else 1.0
        return self.plain_standard_error / self.standard_error


def estimate(
    corrected: Floats, plain: Floats, strata: Ints | None = None, counts: Ints | None = None
) -> Estimate:
    """From one number per hand, corrected and as paid; `counts` is how often each occurred.

    Strata are kinds of hands whose numbers were fixed beforehand, such as rotating seats:
    differences between their means do not add to the variance."""
    counts = np.ones(len(plain), dtype=np.int64) if counts is None else counts
    hands = int(counts.sum())
    if hands < 2:
        raise BadInput(f"{hands} hands: a standard error needs 2 or more")
    return Estimate(
        mean=float(np.average(corrected, weights=counts)),
        standard_error=standard_error(corrected, strata, counts),
        plain_mean=float(np.average(plain, weights=counts)),
        plain_standard_error=standard_error(plain, strata, counts),
        hands=hands,
    )


def standard_error(
    samples: Floats, strata: Ints | None = None, counts: Ints | None = None
) -> float:
    """Of the mean of independent samples, within strata if there are enough of each."""
    counts = np.ones(len(samples), dtype=np.int64) if counts is None else counts
    strata = np.zeros(len(samples), dtype=np.int64) if strata is None else strata
    sizes = np.bincount(strata, counts)
    if sizes.min() < 2:
        return standard_error(samples, None, counts)
    centred = samples - (np.bincount(strata, counts * samples) / sizes)[strata]
    squares = np.bincount(strata, counts * centred * centred) * sizes / (sizes - 1)
    error = float(np.sqrt(squares.sum()) / counts.sum())
    return error if error > ROUNDING * float(np.abs(samples).max()) else 0.0


def batch_error(sums: Floats, sizes: Ints) -> Floats:
    """Standard error of a mean from sums over batches, along the first axis.

    Batches may differ in size; samples may be dependent within a hand, not
    between hands."""
    count, total = len(sizes), sizes.sum()
    if count < 2:
        return np.full(sums.shape[1:], np.nan)
    shaped = sizes.reshape(-1, *(1,) * (sums.ndim - 1))
    deviations = sums - shaped * (sums.sum(axis=0) / total)
    squares = np.sum(deviations * deviations, axis=0)
    error: Floats = np.sqrt(squares * count / (count - 1)) / total
    return error
