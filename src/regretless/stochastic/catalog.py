"""The algorithms for stochastic games by name: `algorithms/pi_fp.py` is `pi-fp`."""

from __future__ import annotations

from typing import Any

from regretless.core.folders import Registry
from regretless.stochastic.algorithms._outer import OuterLoop
from regretless.stochastic.game import StochasticGame

ALGORITHMS: Registry[type[OuterLoop]] = Registry(
    "regretless.stochastic.algorithms", "algorithm", "Method"
)


def stochastic_solver(name: str, game: StochasticGame, **parameters: Any) -> OuterLoop:
    """An algorithm for a game, ready to `step`; parameters are those of its `Method`."""
    return ALGORITHMS.made(name)(game, **parameters)
