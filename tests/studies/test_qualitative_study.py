"""The study of qualitative models: its tables hold what they say."""

import numpy as np
import pytest

from regretless.core.progress import nobody
from regretless.core.tables import Table
from regretless.studies.qualitative import closed_form, random_river, tables


@pytest.mark.slow
def test_the_quick_study(tmp_path):
    found = list(tables(nobody, quick=True))
    shown = {one.title: one for one in found if isinstance(one, Table)}
    first = shown["The slides' first poker example"]
    assert max(row[4] for row in first.rows) < 1e-9
    assert max(row[6] for row in first.rows) < 1e-9
    von_neumann = shown["Von Neumann's poker: b / ((b + 1) (b + 4))"]
    for row in von_neumann.rows:
        assert row[1].theirs == pytest.approx(row[1].ours)
    kuhn = shown["Generalised Kuhn poker"]
    assert kuhn.rows[0][1] == pytest.approx(-11 / 180)
    assert all(row[3] > -1e-9 and row[4] > -1e-9 for row in kuhn.rows)
    for row in shown["Three players"].rows:
        assert row[4] is None or row[4] <= row[3] <= row[2]
    rivers = shown["Random river endgames, pot 100"].rows
    assert all(0 < row[3] < 3 and row[5] < 0.05 for row in rivers)
    found[-1].draw(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 5000


def test_the_closed_form_is_indifferent():
    for pot in (0.5, 1, 3):
        x, y, c = closed_form(pot)
        assert (pot + 1) * (1 - y) == pytest.approx(x)  # player 2 at c: wins P + 1 or loses 1
        assert pot * (1 - c) - c == pytest.approx(pot * (1 - y))  # player 1 at y
        bluff = pot * (1 - c) + (pot + 1) * (c - x) - x
        assert bluff == pytest.approx(pot * (1 - x))  # player 1 at x


def test_random_rivers_differ():
    first, second = (random_river(np.random.default_rng(seed)) for seed in (1, 2))
    assert first.board != second.board
    assert first.ranges[0].sum() > 100
