"""Private signals of one player: a piecewise-linear distribution function on an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, shown

UNIFORM = "uniform"
ENDS = 1e-9  # how far the last share may be from 1


@dataclass(frozen=True, eq=False)
class Distribution:
    """The share of signals up to every place, linear in between; there are no atoms."""

    places: Floats
    shares: Floats

    @property
    def low(self) -> float:
        return float(self.places[0])

    @property
    def high(self) -> float:
        return float(self.places[-1])

    def share(self, place: float | Floats) -> Any:
        """The probability of a signal up to this place."""
        return np.interp(place, self.places, self.shares)

    def place(self, share: float | Floats) -> Any:
        """The smallest signal up to which there is this share."""
        rising = np.concatenate([[True], np.diff(self.shares) > 0])
        return np.interp(share, self.shares[rising], self.places[rising])

    def same(self, other: Distribution) -> bool:
        """Whether the two functions are written in the same points."""
        return bool(
            np.array_equal(self.places, other.places) and np.array_equal(self.shares, other.shares)
        )


def distribution(given: Any, whose: str = "distribution") -> Distribution:
    """From `uniform`, or from points [signal, share of signals up to it], first one at share 0."""
    if isinstance(given, Distribution):
        return given
    if isinstance(given, str) and given == UNIFORM:
        given = [[0.0, 0.0], [1.0, 1.0]]
    try:
        points = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        points = np.empty(0)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
        raise BadInput(
            f"{whose}={shown(given)}: must be {UNIFORM!r} or at least two points [signal, share]"
        )
    if not np.isfinite(points).all():
        at = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        raise BadInput(f"{whose}, point {at + 1}: must be finite, not {points[at].tolist()}")
    places, shares = points.T.copy()
    for at in range(1, len(points)):
        before, here = points[at - 1].tolist(), points[at].tolist()
        if here[0] <= before[0]:
            raise BadInput(
                f"{whose}, point {at + 1}: signals must increase, got {here[0]:g} "
                f"after {before[0]:g}"
            )
        if here[1] < before[1]:
            raise BadInput(
                f"{whose}, point {at + 1}: shares must not decrease, got {here[1]:g} "
                f"after {before[1]:g}"
            )
    if shares[0] != 0:
        raise BadInput(f"{whose}, point 1: the first share must be 0, not {shares[0]:g}")
    if abs(shares[-1] - 1) > ENDS:
        raise BadInput(
            f"{whose}, point {len(points)}: the last share must be 1, not {shares[-1]:g}"
        )
    shares[-1] = 1.0
    return Distribution(places, shares)
