"""Loops over rows of numbers that several kernels need."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart


@apart
def fill(out: Floats, number: float) -> None:
    """Set every entry to the number."""
    for k in range(out.size):
        out[k] = number


@apart
def copy(out: Floats, given: Floats) -> None:
    """Copy every entry. A slice assignment allows for overlap, which makes it slow."""
    for k in range(out.size):
        out[k] = given[k]


@apart
def scale_to(out: Floats, given: Floats, factor: float) -> None:
    """Every entry times a factor."""
    times = out.dtype.type(factor)
    for k in range(out.size):
        out[k] = times * given[k]
