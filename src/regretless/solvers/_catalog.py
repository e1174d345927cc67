"""Solvers by name: the module `pcfr_plus` is the method `pcfr+`."""

from __future__ import annotations

import numpy as np

from regretless.core import folders, specs
from regretless.core.errors import ImperfectRecall, UnknownName, Unsuitable
from regretless.forms.form import Form
from regretless.solvers._needs import learners
from regretless.solvers._solver import Solver

PACKAGE = "regretless.solvers"


def method_names() -> tuple[str, ...]:
    """Names of the methods."""
    return tuple(_method_name(module) for module in folders.listed(PACKAGE))


def method_about(name: str) -> str:
    """One line about a method."""
    return folders.summary(folders.module(PACKAGE, _module_name(name)))


def method_class(name: str) -> type[Solver]:
    """The class behind a name."""
    if name not in method_names():
        raise UnknownName("method", name, method_names())
    found: type[Solver] = folders.module(PACKAGE, _module_name(name)).Method
    return found


def canonical(method: str) -> str:
    """The shortest text for a method and its parameters."""
    name, given = specs.split(method)
    made = method_class(name)
    return specs.join(name, made, specs.bind(made, given, f"method {name}"))


def solver(method: str, form: Form, *, seed: int = 0) -> Solver:
    """The solver that a text such as `dcfr:alpha=2` names, at its start."""
    name, given = specs.split(method)
    made = method_class(name)
    _require_locks(name, made, form)
    parameters = specs.bind(made, given, f"method {name}")
    try:
        found = made(form, **parameters)
    except ImperfectRecall as error:
        raise without_recall(name, error) from None
    found.rng = np.random.default_rng(seed)
    return found


def without_recall(method: str, error: ImperfectRecall) -> ImperfectRecall:
    """The error of a method that cannot solve a game with imperfect recall."""
    needs = f"method {method} needs perfect recall"
    return ImperfectRecall(f"{needs}: {error}; methods that do not: {learners()}")


def needed_form(method: str) -> str:
    """The form that a method needs, `sequence` or `public`; empty if any will do."""
    name, given = specs.split(method)
    made = method_class(name)
    return made.needed_form(**specs.bind(made, given, f"method {name}"))


def _require_locks(name: str, made: type[Solver], form: Form) -> None:
    """Refuse locks of a public form for methods without a learner, which would ignore them."""
    from regretless.forms.public import PublicForm
    from regretless.solvers._learning import LearningSolver

    locked = isinstance(form, PublicForm) and form.layout.locks
    if locked and not issubclass(made, LearningSolver):
        raise Unsuitable(
            f"method {name} does not support the locks of a public form: use the sequence form of "
            f"{form.spec}, or a method such as dcfr"
        )


def memory_bytes(method: str, form: Form) -> int:
    """Memory that a method needs in addition to the form."""
    return method_class(specs.split(method)[0]).memory_bytes(form)


def _method_name(module: str) -> str:
    return module.replace("_plus", "+").replace("_", "-")


def _module_name(method: str) -> str:
    return method.replace("+", "_plus").replace("-", "_")
