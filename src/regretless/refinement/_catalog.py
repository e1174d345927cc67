"""Refinements by name: the module `in_game` is the refinement `in-game`.

A refinement is `refine(blueprint, *, parameters, listen) -> Strategy`: it takes a strategy of the
whole game and returns another of the same form. A module has that function, or it is made here:
of `RULE`, how subgames are re-solved, or of `at_level`, how one level is. `SAFE` promises that
no player becomes more exploitable. A refinement reports to `listen`, and calls `interrupted()`
of core/interrupts.py between steps: once interrupted, it returns the result so far, or raises
`Interrupted` if there is none."""

from __future__ import annotations

from collections.abc import Callable

from regretless.core import folders, specs
from regretless.core.errors import UnknownName
from regretless.core.progress import Listener, nobody
from regretless.core.specs import Spec
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
    refine: Callable[..., Strategy] = module.refine
    return refine


def parsed(by: str | Spec) -> Spec:
    """A text such as `in-game:iterations=500`, parsed."""
    return by if isinstance(by, Spec) else specs.read(by, refinement_function, "refinement")


def refined(by: str | Spec, blueprint: Strategy, *, listen: Listener = nobody) -> Strategy:
    """The strategy, refined."""
    _, refine, parameters = parsed(by)
    made: Strategy = refine(blueprint, **parameters, listen=listen)
    return made
