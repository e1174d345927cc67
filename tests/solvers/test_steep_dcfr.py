"""Scheduled DCFR with a steeper link."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rl
from regretless.forms.choice import form_of
from regretless.forms.public import public_form
from regretless.solvers._catalog import solver
from regretless.solvers._solver import Iterate


def test_its_play_is_the_power_of_regrets():
    form = form_of("rps")
    plain, steep = solver("scheduled-dcfr", form), solver("steep-dcfr", form)
    plain.step()
    steep.step()
    assert np.array_equal(plain.memory.regret, steep.memory.regret)
    one, other = (each.behaviour(Iterate.CURRENT)[1:4] for each in (plain, steep))
    assert other == pytest.approx(one**1.5 / (one**1.5).sum())


def test_it_converges():
    found = rl.solve("kuhn", method="steep-dcfr", target=1e-6)
    assert found.evaluation.values[0] == pytest.approx(-1 / 18, abs=1e-6)


def test_sixteen_bits_are_not_for_it():
    form = public_form("rhode_island:ranks=3,suits=2,cap=1", precision="compact")
    assert solver("scheduled-dcfr", form).is_compact
    assert not solver("steep-dcfr", form).is_compact
