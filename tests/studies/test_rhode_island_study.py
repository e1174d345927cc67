"""The study of Rhode Island hold'em on a small deck."""

import pytest
from pictures import assert_drawn

from regretless.core.progress import nobody
from regretless.studies._study import STUDIES, reproduce


def test_the_study_shows_what_is_lost_and_what_is_not(tmp_path):
    assert "rhode-island" in STUDIES.names()
    found = reproduce("rhode-island", nobody, quick=True)
    classes, equilibria = found.tables
    rows = {row[0]: row for row in classes.rows}
    assert rows["suits"][1] == "4, 28, 168"
    assert rows["gameshrink"][1] == "4, 24, 101"
    assert rows["gameshrink"][-1] == "no"
    assert rows["lossless"][-1] == rows["suits"][-1] == "yes"
    assert rows["all cards"][4] == rows["all cards"][2] + 1 + rows["all cards"][3]
    results = {row[0]: row for row in equilibria.rows}
    # The same steps, hand by hand or class by class; GameShrink's classes end elsewhere.
    assert results["lossless"][3] == pytest.approx(results["suits"][3], rel=1e-6)
    assert results["gameshrink"][3] > 10 * results["lossless"][3]
    for row in equilibria.rows:
        assert float(row[5]) <= float(row[4]) <= float(row[6])
    (picture,) = found.pictures
    picture.draw(tmp_path / "certificates.png")
    assert_drawn(tmp_path / "certificates.png")
