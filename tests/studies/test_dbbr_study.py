"""The study of deviation-based best responses."""

import numpy as np
import pytest
from pictures import assert_drawn

import regretless as rl
from regretless.core.progress import nobody
from regretless.core.tables import Table
from regretless.forms.form import own
from regretless.play.win_rates import Course
from regretless.studies import dbbr as study
from regretless.studies._study import Picture


@pytest.mark.slow
def test_the_tables(tmp_path):
    made = list(study.tables(nobody, quick=True))
    by_model, by_prior, ahead, holdem = (one for one in made if isinstance(one, Table))
    assert [row[0] for row in by_model.rows] == list(study.QUICK)
    for row in (*by_model.rows, *by_prior.rows):
        _, equilibrium, *played, best = row
        assert equilibrium < best
        assert all(one.mean - 2 * one.half_width < best for one in played)
    for row in by_model.rows:  # the models are good enough soon
        assert max(one.mean + one.half_width for one in row[2:-1]) > row[1]
    assert len(ahead.rows[0]) == 4
    (row,) = holdem.rows
    assert row[0] == "always-call"
    assert row[1].mean < row[2].mean < row[3].mean + row[3].half_width
    (drawn,) = (one for one in made if isinstance(one, Picture))
    drawn.draw(tmp_path / "rates.png")
    assert_drawn(tmp_path / "rates.png")


def test_exact_values():
    form = rl.sequence_form("leduc")
    uniform = rl.Strategy.uniform(form)
    calls = rl.solve("leduc", iterations=5, form="sequence").strategy
    together = np.r_[uniform.behaviour[own(form, 0)], calls.behaviour[own(form, 1)]]
    other = np.r_[calls.behaviour[own(form, 0)], uniform.behaviour[own(form, 1)]]
    first = rl.expected_values(rl.Strategy(form, together))[0]
    second = rl.expected_values(rl.Strategy(form, other))[1]
    on_form = rl.Strategy(form, calls.behaviour)
    assert study._value(form, uniform, on_form) == pytest.approx((first + second) / 2)
    both = sum(rl.best_response(uniform, player)[0] for player in (1, 2)) / 2
    assert study._best(uniform) == pytest.approx(both)


def test_ahead_counts_from_the_equilibrium():
    hands = np.array([50.0, 100, 150])
    course = Course(hands, np.array([[0.5], [0.9], [1.0]]), np.full((3, 1), 0.3))
    played = {"weak": study.Played(0.55, 2.0, {"l1": course})}
    assert study._ahead(played, 150).rows == [("weak", "100")]
    played = {"weak": study.Played(0.75, 2.0, {"l1": course})}
    assert study._ahead(played, 150).rows == [("weak", "not yet")]
