"""Refinements by name: the module `in_game` is the refinement `in-game`.

A refinement is `refine(blueprint, *, parameters, listen) -> Strategy`: it takes a strategy of the
whole game and returns another of the same form. A module has that function, or it is made here:
of `RULE`, how subgames are re-solved, or of `at_level`, how one level is. `SAFE` promises that
no player becomes more exploitable. A refinement reports to `listen`, and calls `interrupted()`
of core/interrupts.py between steps: once interrupted, it returns the result so far, or raises
`Interrupted` if there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from regretless.core import folders, specs
from regretless.core.errors import UnknownName
from regretless.core.progress import Listener, nobody
from regretless.refinement import _level_by_level, _resolving
from regretless.strategy.strategy import Strategy

PACKAGE = "regretless.refinement"


def refinement_names() -> tuple[str, ...]:
    """Names of the refinements."""
    return tuple(module.replace("_", "-") for module in folders.listed(PACKAGE))


def refinement_about(name: str) -> str:
    """One line about a refinement."""
    return folders.summary(folders.module(PACKAGE, name.replace("-", "_")))


def refinement_function(name: str) -> Callable[..., Strategy]:
    """The function behind a name."""
    if name not in refinement_names():
        raise UnknownName("refinement", name, refinement_names())
    module = folders.module(PACKAGE, name.replace("-", "_"))
    if hasattr(module, "RULE"):
        return _resolving.refinement(module.RULE)
    if hasattr(module, "at_level"):
        return _level_by_level.refinement(name, module.at_level)
    found: Callable[..., Strategy] = module.refine
    return found


def refinement_defaults(name: str) -> Mapping[str, Any]:
    """Parameters of a refinement and their defaults."""
    known = specs.parameters(refinement_function(name))
    return {key: parameter.default for key, parameter in known.items()}


def canonical(by: str) -> str:
    """The shortest text for a refinement and its parameters."""
    name, given = specs.split(by)
    made = refinement_function(name)
    return specs.join(name, made, specs.bind(made, given, f"refinement {name}"))


def refined(by: str, blueprint: Strategy, *, listen: Listener = nobody) -> Strategy:
    """Refine a strategy by a spec such as `in-game:iterations=500`."""
    name, given = specs.split(by)
    made = refinement_function(name)
    return made(blueprint, **specs.bind(made, given, f"refinement {name}"), listen=listen)
