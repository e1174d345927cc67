"""Control variates of a sweep over sampled sites (Schmid et al. 2019, on vectors of hands).

A site that is drawn with probability p gives back v / p in the mean of v. With a guess b for every
site, drawn or not, the site above instead adds up (v - b) / p of those that are drawn, and b of
all: the same in the mean, whatever b is, and with less variance the better the guess. Factors
are 1 / p of the site; all that a site pays, and what comes back to it, is times its factor."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart


@apart
def compare(found: Floats, guesses: Floats, moved: Floats, factor: float, rate: float) -> None:
    """Values of a drawn site become how far they are from the guess, which moves to them."""
    times, share = found.dtype.type(factor), found.dtype.type(rate)
    one = found.dtype.type(1)
    for k in range(found.size):
        b = guesses[k]
        after = b + share * (found[k] * (one / times) - b)
        found[k] -= times * b
        guesses[k] = after
        moved[k] = after - b
