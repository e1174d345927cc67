"""Which games a method can solve, and which methods can solve a game.

A method lists what it needs in `Solver.needs`; refusing a game names methods that can solve it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from regretless.core import memory
from regretless.core.arrays import Floats
from regretless.core.errors import TooLarge, Unsuitable
from regretless.forms.form import Form
from regretless.forms.normal import plan_bytes, plan_count, pure_plans
from regretless.forms.sequence import SequenceForm
from regretless.solvers._solver import Solver

TWO_PLAYERS = "two-player"
ZERO_SUM = "zero-sum"
CONSTANT_SUM = "constant-sum"  # zero-sum up to a shift of the payoffs
SHOWN = 8  # names in a message
PURE = "pure equilibrium"  # there may be none: the search finds out


def meets(form: Form, needs: Sequence[str]) -> bool:
    """Whether a game has what a method needs; forms can be rebuilt, so they do not count."""
    if TWO_PLAYERS in needs and form.players != 2:
        return False
    constant = form.constant is not None if isinstance(form, SequenceForm) else form.zero_sum
    return (ZERO_SUM not in needs or form.zero_sum) and (CONSTANT_SUM not in needs or constant)


def require(form: Form, method: str, needs: Sequence[str]) -> None:
    """Refuse a game that a method cannot solve, and name the methods that can."""
    if meets(form, needs):
        return
    wrong = TWO_PLAYERS in needs and form.players != 2
    kinds = [kind for kind in (TWO_PLAYERS, ZERO_SUM, CONSTANT_SUM) if kind in needs]
    has = f"{form.players} players" if wrong else f"payoffs that are not {kinds[-1]}"
    others = _listed(suitable(form), SHOWN)
    raise Unsuitable(
        f"method {method} solves {' '.join(kinds)} games: {form.spec} has {has}; "
        f"methods that can: {others}"
    )


def suitable(form: Form) -> list[str]:
    """Names of the methods that can solve a game, the most specific first."""
    from regretless.solvers._catalog import method_class, method_names

    fit = {name: method_class(name).needs for name in method_names()}
    names = [name for name, needs in fit.items() if meets(form, needs)]
    # Few games have a pure equilibrium: that method is the last to try.
    return sorted(names, key=lambda name: (PURE in fit[name], -len(fit[name]), name))


def learners() -> str:
    """Names of the methods that learn at every decision point: these run on any form, with any
    number of players, and with imperfect recall."""
    from regretless.solvers._catalog import method_class, method_names
    from regretless.solvers._learning import LearningSolver

    every = {name: method_class(name) for name in method_names()}
    names = [n for n, made in every.items() if issubclass(made, LearningSolver)]
    return _listed([name for name in names if not every[name].needed_form()], SHOWN // 2)


def _listed(names: Sequence[str], shown: int) -> str:
    return ", ".join(names[:shown]) + (", …" if len(names) > shown else "")


def pure_strategies(form: SequenceForm) -> tuple[Floats, ...]:
    """Plans of the pure strategies of every player, [strategy, sequence]."""
    with _refused(form):
        return tuple(pure_plans(plex) for plex in form.treeplexes)


def require_normal_form(form: SequenceForm, table_bytes: Callable[..., int]) -> None:
    """Refuse a normal form that does not fit, before any of it is enumerated.

    `table_bytes` is the method's memory, given the numbers of pure strategies of the players."""
    with _refused(form):
        counts = [plan_count(plex) for plex in form.treeplexes]
        needed = sum(map(plan_bytes, form.treeplexes)) + table_bytes(*counts)
        shape = " × ".join(f"{count:,}" for count in counts)
        memory.require(needed, f"the normal form of {form.spec} ({shape} pure strategies)")


@contextmanager
def _refused(form: SequenceForm) -> Iterator[None]:
    """If a normal form is too large, name methods that need none."""
    try:
        yield
    except TooLarge as error:
        others = f"lcp, {learners()}" if form.players == 2 else learners()
        if form.players == 2 and form.zero_sum:
            others = f"lp, double-oracle, {others}"
        raise TooLarge(f"{error}; methods without a normal form: {others}") from None


def explicit_form(solver: Solver, form: Form) -> SequenceForm:
    """The form, if this solver's linear algebra can read it."""
    method = type(solver).__module__.rpartition(".")[2].replace("_", "-")
    require(form, method, solver.needs)
    if not isinstance(form, SequenceForm):
        raise Unsuitable(
            f"method {method} needs an explicit sequence form (form=sequence); methods for public "
            f"forms: {learners()}"
        )
    return form
