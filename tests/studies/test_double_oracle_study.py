"""The study of the double oracle: the published numbers, our runs, the tables made of them."""

import csv
import io

import pytest
from typer.testing import CliRunner

from regretless.core.errors import UnknownName
from regretless.core.progress import nobody
from regretless.interfaces.cli.app import app
from regretless.studies import double_oracle as study
from regretless.studies._study import STUDIES, Pair, Study, Table, reproduce

DECKS = [(2, 2), (3, 2)]
VALUES = {(2, 2): 0.0, (3, 2): -0.085606424078}


@pytest.fixture(scope="module")
def runs():
    return study.Runs(nobody, total=20)


def test_the_published_averages_follow_from_the_published_tables():
    """Transcription check: the thesis's percentages belong to its counts."""
    original, plain, first = (
        sum(column) for column in zip(*study.ITERATIONS.values(), strict=True)
    )
    assert 100 * (1 - plain / original) == pytest.approx(study.DIFFERENCES["ABR"], abs=0.01)
    first_saved = 100 * (1 - first / original)
    assert first_saved == pytest.approx(study.DIFFERENCES["ABR, first action"], abs=0.01)
    both_saved = 100 * (1 - sum(study.BOTH_ITERATIONS.values()) / original)
    # Table 5.3 and the sorted column of Table 5.6 differ; the printed average fits neither exactly.
    assert both_saved == pytest.approx(study.DIFFERENCES["ABR, both"], abs=2)


@pytest.mark.parametrize("method", [study.ORIGINAL, study.ABR, study.FIRST, study.BOTH, study.OURS])
@pytest.mark.parametrize("deck", DECKS)
def test_every_variant_finds_the_value(runs, deck, method):
    run = runs(deck, method)
    assert run.value == pytest.approx(VALUES[deck], abs=1e-9)
    assert 0 < run.share <= 1
    assert runs(deck, method) is run  # made once


def test_tables_say_theirs_ours_and_the_ratio(runs):
    tables = (
        study._iterations(runs, DECKS),
        study._percent(runs, DECKS),
        study._both(runs, DECKS),
        study._runtime(runs, DECKS),
        study._terminals(runs, DECKS),
        study._speed(runs, DECKS),
        study._needed(runs, DECKS),
    )
    found = Study("double-oracle", "about", tables)
    text = found.markdown()
    assert "## Table 5.1: iterations" in text
    assert text.count("| 3×2 ") == 6
    assert "59 → " in text
    rows = list(csv.DictReader(io.StringIO(found.csv())))
    told = {(row["table"], row["row"], row["column"]): row["value"] for row in rows}
    key = ("Table 5.1: iterations", "2×2", "original")
    theirs, ours, ratio = (
        float(told[(*key[:2], f"original, {kind}")]) for kind in ("published", "ours", "ratio")
    )
    assert theirs == 59
    assert ratio == pytest.approx(ours / theirs)


def test_heuristics_save_iterations(runs):
    for deck in DECKS:
        assert runs(deck, study.BOTH).iterations < runs(deck, study.ABR).iterations


def test_cells_read_well():
    table = Table("t", ("a", "b"), [("x", Pair(10, 2)), ("y", Pair(2, 10.0)), ("z", None)])
    assert table.lines() == [["x", "10 → 2 (÷ 5)"], ["y", "2 → 10 (× 5)"], ["z", "–"]]


def test_studies_are_listed_and_unknown_ones_refused():
    assert "double-oracle" in STUDIES.names()
    listed = CliRunner().invoke(app, ["reproduce"])
    assert listed.exit_code == 0
    assert "double-oracle" in listed.stdout
    with pytest.raises(UnknownName, match="double-oracle"):
        reproduce("double-orakle", nobody)
