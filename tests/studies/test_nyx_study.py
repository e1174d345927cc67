"""The study of Nyx, on a small deck: tables, and files that are continued."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest

from regretless.blueprints.files import load_blueprint
from regretless.core.progress import nobody
from regretless.studies import nyx
from regretless.studies._study import Beside, Table, reproduce


def test_quick_tables(tmp_path) -> None:
    study = reproduce("nyx", nobody, quick=True)
    early, headline, ablation = study.tables
    assert [table.rows[2][1].ours for table in (early, headline)] == [50, 150]
    assert early.rows[0][1].ours != headline.rows[0][1].ours
    assert "50 iterations" in early.title
    assert headline.rows[0][1] == Beside(None, pytest.approx(headline.rows[0][1].ours))
    assert abs(headline.rows[0][1].ours) > 1e-3
    assert headline.rows[1][1].ours > 0
    assert [row[0] for row in ablation.rows] == [
        "2014 against 2013",
        "2014, distribution-aware against 2013",
        "2014 against 2014, distribution-aware",
    ]
    assert ablation.rows[0][1] == headline.rows[0][1].ours
    (picture,) = study.pictures
    picture.draw(tmp_path / "matches.png")
    assert (tmp_path / "matches.png").stat().st_size > 1000


def test_published_numbers() -> None:
    assert nyx.PUBLISHED == 3.473
    for size in (nyx.WHOLE, nyx.FULL):
        assert size.game == "holdem_nolimit:stack=2500,sizes=nyx"
        assert size.spec(nyx.OLD) == (
            "preflop=lossless,flop=distribution:1000,turn=distribution:1000,river=ochs:1000"
        )


def test_blueprints_are_kept_and_continued(tmp_path) -> None:
    few, more = replace(nyx.SMALL, budgets=(10,)), replace(nyx.SMALL, budgets=(20,))
    first = nyx._blueprint(few, nyx.OLD, tmp_path, nobody)
    again = nyx._blueprint(few, nyx.OLD, tmp_path, nobody)
    assert first.about["iterations"] == again.about["iterations"] == 10
    longer = nyx._blueprint(more, nyx.OLD, tmp_path, nobody)
    assert longer.about["iterations"] == 20
    other = nyx._blueprint(few, nyx.NEW, tmp_path, nobody)
    path = nyx._place(tmp_path, few.flops[nyx.NEW], "strategy")
    assert load_blueprint(path).map.fingerprint == other.map.fingerprint
    assert [one.digest for one in first.map.rounds[2:]] == [
        one.digest for one in other.map.rounds[2:]
    ]
    assert first.map.rounds[1].digest != other.map.rounds[1].digest


def test_budgets_that_an_earlier_run_has_passed_are_left_out(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(nyx, "_folder", lambda quick: contextlib.nullcontext(tmp_path))
    nyx._blueprint(replace(nyx.SMALL, budgets=(60,)), nyx.OLD, tmp_path, nobody)
    found = [each for each in nyx.tables(nobody, quick=True) if isinstance(each, Table)]
    assert [table.title for table in found] == [
        "2014 against 2013, one-on-one after 150 iterations",
        "Ground distances between hands",
    ]
