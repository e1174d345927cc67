"""DCFR with discounts that fade: its weights, and what they are for."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rl
from regretless.core.errors import BadParameter
from regretless.forms.choice import form_of
from regretless.solvers._catalog import solver


def test_alpha_rises_from_its_start_and_is_half_way_at_half():
    method = solver("scheduled-dcfr:alpha=1,rise=4,half=600", form_of("kuhn"))
    for t, alpha in ((1.0, 1 + 4 / 601), (600.0, 3.0), (1800.0, 4.0)):
        (discount,) = method.positive(np.array([t]))
        assert discount == pytest.approx(t**alpha / (t**alpha + 1))


def test_without_a_rise_it_is_dcfr():
    form = form_of("leduc")
    one = solver("scheduled-dcfr:alpha=1.5,rise=0,beta=0,gamma=2", form)
    other = solver("dcfr", form)
    one.step(50)
    other.step(50)
    assert (one.behaviour() == other.behaviour()).all()


def test_it_converges():
    found = rl.solve("kuhn", method="scheduled-dcfr", target=1e-6)
    assert found.evaluation.values[0] == pytest.approx(-1 / 18, abs=1e-6)


@pytest.mark.parametrize("bad", ["rise=-1", "rise=21", "half=-1", "gamma=21"])
def test_bad_parameters_are_refused(bad):
    with pytest.raises(BadParameter, match=bad.split("=")[0]):
        solver(f"scheduled-dcfr:{bad}", form_of("kuhn"))
