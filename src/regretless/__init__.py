"""Regretless: solve games of hidden information, poker first.

    import regretless as rl
    solution = rl.solve("leduc", target=1e-6)
    solution.strategy.probabilities("K:")

    rules = rl.rules_of("leduc")
    agents = [rl.agent("leduc.strategy", rules), rl.agent("random", rules)]
    hands = list(rl.play_match(rules, agents, hands=1000, seed=7))

What is needed less often is in `rl.abstraction`, `rl.cards`, `rl.continuous`, `rl.errors`,
`rl.exploitation`, `rl.forms`, `rl.games`, `rl.histories`, `rl.research`, `rl.stochastic`,
`rl.three_players` and `rl.tournaments`. Public names are listed in the stubs (`__init__.pyi`);
nothing heavy is imported before it is used."""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

from regretless.core.front import front, listed

_own, __dir__, __all__ = front(__name__, __file__)
_SHELVES = {  # [namespace] its stub
    name: Path(__file__).parent / stub
    for name, stub in {
        "abstraction": "abstraction/__init__.pyi",
        "cards": "cards/__init__.pyi",
        "continuous": "continuous/__init__.pyi",
        "errors": "errors.pyi",
        "exploitation": "exploitation/__init__.pyi",
        "forms": "forms/__init__.pyi",
        "games": "games/__init__.pyi",
        "histories": "histories.pyi",
        "research": "research.pyi",
        "stochastic": "stochastic/__init__.pyi",
        "three_players": "three_players.pyi",
        "tournaments": "tournaments.pyi",
    }.items()
}
_RENAMED = {
    "write_efg": "to_efg",
    "write_nfg": "to_nfg",
    "write_range": "to_range",
    "write_spot": "to_toml",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("regretless")
    if name in __all__:
        return _own(name)
    if name in _SHELVES:
        return import_module(f"regretless.{name}")
    return _moved(name)


def _moved(name: str) -> Any:
    """A name of version 0.2 that has moved: it works for one version more."""
    new = _RENAMED.get(name, name)
    for shelf, stub in _SHELVES.items():
        if not name.startswith("_") and new in listed(stub):
            text = f"rl.{name} is now rl.{shelf}.{new}; the old name goes in version 0.4"
            warnings.warn(text, DeprecationWarning, stacklevel=3)
            return getattr(import_module(f"regretless.{shelf}"), new)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
