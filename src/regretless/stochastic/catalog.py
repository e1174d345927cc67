"""The algorithms for stochastic games by name: `algorithms/pi_fp.py` is `pi-fp`."""

from __future__ import annotations

from typing import Any

from regretless.core import folders
from regretless.core.errors import UnknownName
from regretless.stochastic.algorithms._outer import OuterLoop
from regretless.stochastic.game import StochasticGame

PACKAGE = "regretless.stochastic.algorithms"


def algorithm_names() -> tuple[str, ...]:
    """Names of the algorithms."""
    return tuple(module.replace("_", "-") for module in folders.listed(PACKAGE))


def stochastic_solver(name: str, game: StochasticGame, **parameters: Any) -> OuterLoop:
    """An algorithm for a game, ready to `step`; parameters are those of its `Method`."""
    if name not in algorithm_names():
        raise UnknownName("algorithm", name, algorithm_names())
    made: OuterLoop = folders.module(PACKAGE, name.replace("-", "_")).Method(game, **parameters)
    return made
