"""Recognise a decimal number as the fraction it stands for."""

from __future__ import annotations

from fractions import Fraction

# A random number lies within 1e-10 of such a fraction about once in 10,000 times.
LARGEST_DENOMINATOR = 1000
TOLERANCE = 1e-10


def recognised(number: float, *, tolerance: float = TOLERANCE) -> Fraction | None:
    """The fraction with a small denominator that this number is, if it is one."""
    fraction = Fraction(number).limit_denominator(LARGEST_DENOMINATOR)
    return fraction if abs(float(fraction) - number) <= tolerance else None
