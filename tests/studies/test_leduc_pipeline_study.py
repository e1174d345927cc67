"""The study of the pipeline: what it says is what it measures."""

import pytest

from regretless.core.progress import nobody
from regretless.evaluation.exploitability import evaluate
from regretless.runs.refine import refine
from regretless.studies import leduc_pipeline as study
from regretless.studies._study import STUDIES, Beside, Pair

COARSE = study.PUBLISHED[2]  # Leduc 5 with 2 bins


@pytest.fixture(scope="module")
def blueprint():
    return study.made(COARSE)


def test_it_is_listed():
    assert "leduc-pipeline" in STUDIES.names()


def test_published_numbers():
    """The slides' results, once more: exploitability before and after."""
    found = {
        (c.ranks, c.bins): (c.blueprint_exploitability, c.exploitability) for c in study.PUBLISHED
    }
    assert found == {
        (5, 4): (0.246, 0.168),
        (5, 3): (0.452, 0.288),
        (5, 2): (0.741, 0.357),
        (9, 5): (0.224, 0.079),
        (13, 5): (0.213, 0.102),
    }
    theirs = sum((COARSE.abstraction_s, COARSE.blueprint_s, COARSE.refinement_s))
    assert theirs == pytest.approx(87.984)


def test_a_column_of_the_slides_is_beaten(blueprint):
    assert blueprint.strategy.form.spec == "leduc:ranks=5"
    assert blueprint.evaluation == evaluate(blueprint.strategy)
    final = refine(blueprint.strategy, by="in-game:iterations=200")
    row = dict(zip(study.PIPELINE_COLUMNS, study._pipeline_row(blueprint, final), strict=True))
    after = row["final: exploitability"]
    assert isinstance(after, Pair)
    assert (after.theirs, after.ours) == (0.357, final.exploitability)
    assert after.ours < after.theirs
    assert row["blueprint: value"] == Beside(-0.0103, blueprint.evaluation.values[0])
    before = row["blueprint: exploitability"]
    assert before.ours == pytest.approx(0.64, abs=0.02)  # binning costs about what it cost them


def test_the_whole_game_is_solved_as_exactly_as_theirs():
    row = study._whole_game(nobody)
    assert row[-1].ours <= row[-1].theirs == 0.000241
    assert row[-2].ours == pytest.approx(-0.113, abs=0.0005)


def test_every_refinement_is_a_row(blueprint, monkeypatch):
    monkeypatch.setattr(study, "OURS", ("unsafe", "resolving"))
    monkeypatch.setattr(study, "REFINEMENTS", ("in-game",))
    final = refine(blueprint.strategy, by="in-game:iterations=50")
    after, spent = study._every_refinement([blueprint], [final], nobody, quick=True)
    rows = dict(after.rows)
    assert list(rows) == ["none: the blueprint", "in-game", "unsafe", "resolving"]
    assert rows["in-game"] == final.exploitability
    assert rows["resolving"] <= rows["none: the blueprint"] == blueprint.evaluation.exploitability
    assert [row[0] for row in spent.rows] == ["in-game", "unsafe", "resolving"]
    assert all(row[1] > 0 for row in spent.rows)


def test_the_picture_is_one(blueprint, tmp_path):
    final = refine(blueprint.strategy, by="in-game:iterations=5")
    study._draw([blueprint], [final], tmp_path / "x.png")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
