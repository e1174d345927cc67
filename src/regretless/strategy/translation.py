"""Translation: which size of a betting tree stands for a bet that is not in it.

Sizes are fractions of the pot after a call. A bet x between two neighbouring sizes A < B is
translated to A with probability

    pseudo-harmonic   (B - x)(1 + A) / ((B - A)(1 + x))        Ganzfried & Sandholm 2013
    geometric         a / (a + b), where a = A/x - A/B and b = x/B - A/B
                                                      Schnizlein, Bowling & Szafron 2009

and otherwise to B. The deterministic versions take the likelier of the two, and A if both are
equally likely: for the geometric one the border is at the geometric mean of A and B."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from regretless.core.errors import BadInput, one_of

Mapping = Callable[[float, float, float], float]  # probability of the lower size: A, B, x


def pseudo_harmonic(low: float, high: float, bet: float) -> float:
    """The probability of the lower size; the lower size may be 0, a check."""
    return (high - bet) * (1 + low) / ((high - low) * (1 + bet))


def geometric(low: float, high: float, bet: float) -> float:
    """The probability of the lower size; it is 0 if the lower size is 0, a check."""
    below, above = low / bet - low / high, bet / high - low / high
    return below / (below + above)


MAPPINGS: dict[str, Mapping] = {"pseudo-harmonic": pseudo_harmonic, "geometric": geometric}


@dataclass(frozen=True)
class Translation:
    """A mapping by name, randomised or deterministic."""

    by: str = "pseudo-harmonic"
    randomised: bool = True

    def __post_init__(self) -> None:
        one_of("translation", self.by, MAPPINGS)

    def shares(self, sizes: Sequence[float], bet: float) -> tuple[float, ...]:
        """Probability that a bet is translated to each of these sizes, which rise."""
        if not sizes or any(low >= high for low, high in pairwise(sizes)):
            raise BadInput(f"sizes {list(sizes)}: must be one or more rising numbers")
        above = bisect_left(sizes, bet)
        shares = [0.0] * len(sizes)
        if above == 0 or above == len(sizes) or sizes[above] == bet:
            shares[min(above, len(sizes) - 1)] = 1.0
            return tuple(shares)
        lower = MAPPINGS[self.by](sizes[above - 1], sizes[above], bet)
        if not self.randomised:
            lower = 1.0 if lower >= 0.5 else 0.0
        shares[above - 1], shares[above] = lower, 1.0 - lower
        return tuple(shares)
