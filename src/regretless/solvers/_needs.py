"""Which games a method can solve, and which methods can solve a game.

A method lists what it needs in `Solver.needs`; refusing a game names methods that can solve it."""

from __future__ import annotations

from collections.abc import Sequence

from regretless.core.errors import Unsuitable
from regretless.forms.form import Form
from regretless.forms.sequence import SequenceForm
from regretless.solvers._solver import Solver

TWO_PLAYERS = "two-player"
ZERO_SUM = "zero-sum"
SHOWN = 8  # names in a message
PURE = "pure equilibrium"  # there may be none: the search finds out


def meets(form: Form, needs: Sequence[str]) -> bool:
    """Whether a game has what a method needs; forms can be rebuilt, so they do not count."""
    return (TWO_PLAYERS not in needs or form.players == 2) and (
        ZERO_SUM not in needs or form.zero_sum
    )


def require(form: Form, method: str, needs: Sequence[str]) -> None:
    """Refuse a game that a method cannot solve, and name the methods that can."""
    if meets(form, needs):
        return
    wrong = TWO_PLAYERS in needs and form.players != 2
    has = f"{form.players} players" if wrong else "payoffs that are not zero-sum"
    kinds = " ".join(kind for kind in (TWO_PLAYERS, ZERO_SUM) if kind in needs)
    names = suitable(form)
    others = ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
    raise Unsuitable(
        f"method {method} solves {kinds} games: {form.spec} has {has}; methods that can: {others}"
    )


def suitable(form: Form) -> list[str]:
    """Names of the methods that can solve a game, the most specific first."""
    from regretless.solvers._catalog import method_class, method_names

    fit = [name for name in method_names() if meets(form, method_class(name).needs)]
    return sorted(fit, key=lambda name: (-len(method_class(name).needs), name))


def explicit_form(solver: Solver, form: Form) -> SequenceForm:
    """The form, if this solver's linear algebra can read it."""
    method = type(solver).__module__.rpartition(".")[2].replace("_", "-")
    require(form, method, solver.needs)
    if not isinstance(form, SequenceForm):
        raise Unsuitable(f"method {method} needs an explicit sequence form: form=sequence")
    return form
