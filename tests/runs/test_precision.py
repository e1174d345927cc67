"""The precision of a run: chosen, kept in the file, refused where there is no choice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import regretless as rl
from regretless.core.errors import BadInput, BadParameter
from regretless.forms.form import Form
from regretless.forms.public import PublicForm, public_form
from regretless.solvers import _learning
from regretless.solvers._catalog import memory_bytes, solver
from regretless.solvers._solver import Iterate


def solved(path: Path, precision: str | None, iterations: int) -> rl.Solution:
    return rl.solve(
        "leduc", method="dcfr", form="public", precision=precision, iterations=iterations, out=path
    )


def precision_of(form: Form) -> str:
    assert isinstance(form, PublicForm)
    return form.precision


@pytest.mark.parametrize("precision", ["single", "double"])
def test_a_resumed_run_keeps_its_precision(tmp_path: Path, precision: str) -> None:
    whole, parts = tmp_path / "whole.strategy", tmp_path / "parts.strategy"
    once = solved(whole, precision, 40)
    solved(parts, precision, 15)
    twice = rl.solve(resume=parts, iterations=40)
    assert precision_of(once.strategy.form) == precision_of(twice.strategy.form) == precision
    assert np.array_equal(once.strategy.behaviour, twice.strategy.behaviour)


def test_single_precision_is_not_the_default_of_small_games(tmp_path: Path) -> None:
    assert precision_of(solved(tmp_path / "leduc.strategy", None, 1).strategy.form) == "double"


def test_another_precision_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "leduc.strategy"
    solved(path, "double", 2)
    with pytest.raises(BadInput, match=r"precision double: it cannot continue with single"):
        rl.solve(resume=path, precision="single")
    rl.solve(resume=path, precision="double", iterations=3)


def test_single_precision_may_continue_in_double(tmp_path: Path) -> None:
    path = tmp_path / "leduc.strategy"
    before = solved(path, "single", 20)
    after = rl.solve(resume=path, precision="double", iterations=400)
    assert precision_of(after.strategy.form) == "double"
    assert after.state["regret"].dtype == np.float64
    assert after.exploitability < before.exploitability / 10
    assert precision_of(rl.solve(resume=path, iterations=401).strategy.form) == "double"


def test_sequence_forms_have_double_precision_only() -> None:
    with pytest.raises(BadParameter, match=r"precision=single: must be double for the sequence"):
        rl.solve("kuhn", precision="single")
    assert rl.solve("kuhn", precision="double", iterations=1).iterations == 1
    with pytest.raises(BadParameter, match=r"precision"):
        rl.solve("kuhn", precision="half")


def test_a_given_form_has_its_precision() -> None:
    with pytest.raises(BadParameter, match=r"precision=double: set when the form is built"):
        rl.solve(public_form("kuhn"), precision="double")


def test_large_games_do_not_keep_their_last_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    form = public_form("kuhn", precision="double")
    small = solver("dcfr", form)
    before = memory_bytes("dcfr", form)
    monkeypatch.setattr(_learning, "SINGLE_ABOVE", 1)
    large = solver("dcfr", form)
    for one in (small, large):
        one.step(7)
    assert Iterate.LAST in small.iterates
    assert Iterate.LAST not in large.iterates
    assert np.array_equal(small.behaviour(), large.behaviour())
    assert memory_bytes("dcfr", form) == before * 2 // 3


def test_a_run_on_a_sequence_form_continues_in_double(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.strategy"
    rl.solve("kuhn", iterations=2, out=path)
    assert rl.solve(resume=path, precision="double", iterations=3).iterations == 3
