"""Refinements by name: the module `in_game` is the refinement `in-game`.

A refinement is `refine(blueprint, *, parameters, listen) -> Strategy`: it takes a strategy of the
whole game and returns another of the same form. A module has that function, or it is made here:
of `RULE`, how subgames are re-solved, or of `at_level`, how one level is. `SAFE` promises that
no player becomes more exploitable. A refinement reports to `listen`, and calls `interrupted()`
of core/interrupts.py between steps: once interrupted, it returns the result so far, or raises
`Interrupted` if there is none."""

from __future__ import annotations

from collections.abc import Callable

from regretless.core.folders import Registry
from regretless.core.progress import Listener, nobody
from regretless.core.specs import Spec
from regretless.refinement import _level_by_level, _resolving
from regretless.strategy.strategy import Strategy


class _Refinements(Registry[Callable[..., Strategy]]):
    def made(self, name: str) -> Callable[..., Strategy]:
        module = self.module(name)
        if hasattr(module, "RULE"):
            return _resolving.refinement(module.RULE)
        if hasattr(module, "at_level"):
            return _level_by_level.refinement(name, module.at_level)
        return super().made(name)


REFINEMENTS = _Refinements("regretless.refinement", "refinement", "refine")
refinement_names, refinement_about = REFINEMENTS.names, REFINEMENTS.about
refinement_function, parsed = REFINEMENTS.made, REFINEMENTS.parsed


def refined(by: str | Spec, blueprint: Strategy, *, listen: Listener = nobody) -> Strategy:
    """The strategy, refined."""
    _, refine, parameters = parsed(by)
    made: Strategy = refine(blueprint, **parameters, listen=listen)
    return made
