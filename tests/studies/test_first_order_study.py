"""The study of first-order methods: what it measures is what it says."""

import numpy as np
import pytest

from regretless.core.progress import nobody
from regretless.forms.public import public_form
from regretless.studies import first_order as study
from regretless.studies._study import STUDIES, Pair


def test_slopes_are_those_of_powers():
    looks = np.geomspace(10, 10_000, 24)
    for s in (0.5, 1.0, 2.0):
        assert study.slope(looks, 3 * looks**-s) == pytest.approx(s)
    # An early phase does not count.
    bent = np.where(looks < 100, 1.0, 100 / looks)
    assert study.slope(looks, bent) == pytest.approx(1)


def test_memory_is_measured_at_its_peak():
    found = study.taken(lambda: np.zeros(10**6)[:1].copy())
    assert found == pytest.approx(8e-3, rel=0.01)


def test_reduced_games_are_built_by_name():
    form = study.form_of("leduc:ranks=4 by gameshrink")
    assert sum(form.sizes.sequences) < sum(public_form("leduc:ranks=4").sizes.sequences)
    assert study.running_egt("leduc by gameshrink").iteration == 1


def test_the_memory_table_has_theirs_and_ours():
    table = study._memory(nobody, ["10k"])
    (small,) = table.rows
    assert isinstance(small[-1], Pair)
    assert 0 < small[-1].ours < small[-1].theirs


def test_iterated_smoothing_reports_what_it_reached():
    *goals, made, reached, rounds = study._milestones(study.matrix_game(1), 600)
    assert goals[0] is not None
    assert goals[0] <= made <= 600
    assert reached < 1e-2
    assert rounds > 3


def test_the_study_is_listed():
    assert "first-order" in STUDIES.names()
