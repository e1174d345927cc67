"""The study of Nyx, on a small deck: tables, and files that are continued."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from pictures import assert_drawn

from regretless.blueprints.files import load_blueprint
from regretless.core.progress import nobody
from regretless.studies import _training, nyx
from regretless.studies._study import Table, reproduce


def test_quick_tables(tmp_path) -> None:
    study = reproduce("nyx", nobody, quick=True)
    headline, ablation = study.tables
    assert [row[0] for row in headline.rows] == [
        "document, 1,000,000 iterations",
        "50 iterations",
        "150 iterations",
    ]
    assert headline.rows[0][1:] == (3.473, 0.4, 195_000_000)
    early, late = headline.rows[1:]
    assert early[1] != late[1]
    assert abs(late[1]) > 1e-3
    assert late[2] > 0
    assert late[3] == 40
    assert [row[0] for row in ablation.rows] == [
        "2014 against 2013",
        "2014, distribution-aware against 2013",
        "2014 against 2014, distribution-aware",
    ]
    assert ablation.rows[0][1] == late[1]
    assert "150 iterations" in ablation.title
    (picture,) = study.pictures
    picture.draw(tmp_path / "matches.png")
    assert_drawn(tmp_path / "matches.png")


def test_published_numbers() -> None:
    assert nyx.PUBLISHED == 3.473
    for size in (nyx.WHOLE, nyx.FULL):
        assert size.game == "holdem_nolimit:stack=2500,sizes=nyx"
        assert size.spec(nyx.OLD) == (
            "preflop=lossless,flop=distribution:1000,turn=distribution:1000,river=ochs:1000"
        )


def test_blueprints_are_kept_and_continued(tmp_path) -> None:
    size = replace(nyx.SMALL, budgets=(10, 20))
    first = nyx._blueprint(size, nyx.OLD, 10, tmp_path, nobody)
    again = nyx._blueprint(size, nyx.OLD, 10, tmp_path, nobody)
    assert first.about["iterations"] == again.about["iterations"] == 10
    assert first.about["method"].startswith("public-chance-sampling:")
    assert "period=100" in first.about["method"]
    longer = nyx._blueprint(size, nyx.OLD, 20, tmp_path, nobody)
    (tmp_path / "other").mkdir()
    alone = replace(size, budgets=(20,))
    straight = nyx._blueprint(alone, nyx.OLD, 20, tmp_path / "other", nobody)
    for one, other in zip(longer.tables, straight.tables, strict=True):
        assert (one[0] == other[0]).all()
    other = nyx._blueprint(size, nyx.NEW, 10, tmp_path, nobody)
    path = tmp_path / "flop-public-2x3-linear-10.strategy"
    assert load_blueprint(path).map.fingerprint == other.map.fingerprint
    assert [one.digest for one in first.map.rounds[2:]] == [
        one.digest for one in other.map.rounds[2:]
    ]
    assert first.map.rounds[1].digest != other.map.rounds[1].digest


def test_what_earlier_runs_have_made_is_read(tmp_path, monkeypatch) -> None:
    """The next run trains nothing that is there, whichever budget it belongs to."""
    monkeypatch.setattr(nyx, "_folder", lambda quick: contextlib.nullcontext(tmp_path))
    first = [each for each in nyx.tables(nobody, quick=True) if isinstance(each, Table)]
    monkeypatch.setattr(_training, "train_blueprint", None)
    again = [each for each in nyx.tables(nobody, quick=True) if isinstance(each, Table)]
    assert first == again
    assert len(first) == 3  # the first of them grows


def test_an_interrupted_budget_goes_on_from_its_own_file(tmp_path, monkeypatch) -> None:
    size, seen = replace(nyx.SMALL, budgets=(10, 30)), []
    nyx._blueprint(size, nyx.OLD, 10, tmp_path, nobody)
    path = tmp_path / "flop-distribution-6-linear-30.strategy"
    _training.train_blueprint(
        nyx.SMALL.game,
        tmp_path / "flop-distribution-6.map",
        method=_training.DEFAULT_METHOD,
        iterations=17,
        out=path,
        keep_state=True,
    )
    train = _training.train_blueprint

    def noted(*given, resume, **options):
        seen.append(resume)
        return train(*given, resume=resume, **options)

    monkeypatch.setattr(_training, "train_blueprint", noted)
    assert nyx._blueprint(size, nyx.OLD, 30, tmp_path, nobody).about["iterations"] == 30
    assert seen == [path]
