"""Solvers by name: the module `pcfr_plus` is the method `pcfr+`."""

from __future__ import annotations

from typing import Any

import numpy as np

from regretless.core.errors import ImperfectRecall, Unsuitable
from regretless.core.folders import Registry
from regretless.core.specs import Spec
from regretless.forms.form import Form
from regretless.solvers._needs import learners
from regretless.solvers._solver import Solver

METHODS: Registry[type[Solver]] = Registry(
    "regretless.solvers",
    "method",
    "Method",
    lambda module: module.replace("_plus", "+").replace("_", "-"),
)
method_names, method_about, method_class = METHODS.names, METHODS.about, METHODS.made
parsed = METHODS.parsed


def solver(method: str | Spec, form: Form, *, seed: int = 0) -> Solver:
    """The solver that a text such as `dcfr:alpha=2` names, at its start."""
    name, made, parameters = parsed(method)
    _require_locks(name, made, form)
    try:
        running: Solver = made(form, **parameters)
    except ImperfectRecall as error:
        raise without_recall(name, error) from None
    running.rng = np.random.default_rng(seed)
    return running


def without_recall(method: str, error: ImperfectRecall) -> ImperfectRecall:
    """The error of a method that cannot solve a game with imperfect recall."""
    needs = f"method {method} needs perfect recall"
    return ImperfectRecall(f"{needs}: {error}; methods that do not: {learners()}")


def needed_form(method: str | Spec) -> str:
    """The form that a method needs, `sequence` or `public`; empty if any will do."""
    _, made, parameters = parsed(method)
    needed: str = made.needed_form(**parameters)
    return needed


def _require_locks(name: str, made: Any, form: Form) -> None:
    """Refuse locks of a public form for methods without a learner, which would ignore them."""
    from regretless.forms.public import PublicForm
    from regretless.solvers._learning import LearningSolver

    locked = isinstance(form, PublicForm) and form.layout.locks
    if locked and not issubclass(made, LearningSolver):
        raise Unsuitable(
            f"method {name} does not support the locks of a public form: use the sequence form of "
            f"{form.spec}, or a method such as dcfr"
        )


def memory_bytes(method: str | Spec, form: Form) -> int:
    """Memory that a method needs in addition to the form."""
    needed: int = parsed(method).make.memory_bytes(form)
    return needed
