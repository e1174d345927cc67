"""Results that took long are shown, even where their files or pictures cannot be written."""

import json
import sys

import pytest

from regretless.core.errors import BadFile, BadInput
from regretless.core.pictures import require_matplotlib
from regretless.interfaces.cli.finish import attempted, finish

LEAGUE = ["league", "kuhn", "random", "always-fold", "--json"]
STUDY = ["reproduce", "bounds", "--quick", "--json"]


def failing(path, *_, **__):
    raise BadFile(path, "cannot be written: No space left on device")


@pytest.fixture
def full(monkeypatch):
    """A disk that nothing more fits on."""
    monkeypatch.setattr("regretless.core.files.write_atomically", failing)
    monkeypatch.setattr("regretless.core.pictures.write_with", failing)


@pytest.mark.parametrize(
    "words",
    [
        [*LEAGUE, "--markdown", "x.md"],
        [*LEAGUE, "--csv", "x.csv"],
        [*LEAGUE, "--plot", "x.png"],
        [*STUDY, "--folder", "here"],
    ],
    ids=lambda words: words[-1],
)
def test_what_was_computed_is_shown_though_the_disk_is_full(command, full, words):
    code, out, err = command(*words)
    assert code == 2
    assert "No space left on device" in err.splitlines()[-1]
    assert "Traceback" not in err
    assert json.loads(out)  # whole


def test_files_that_were_written_are_named_and_others_are_not(tmp_path, capsys):
    def write():
        (tmp_path / "one").write_text("")
        failing("two")

    files = {"one": tmp_path / "one", "two": tmp_path / "two", "three": None}
    with pytest.raises(BadFile, match="two: cannot be written"):
        finish({"n": 1}, as_json=True, written=files, unwritten=attempted(write))
    assert json.loads(capsys.readouterr().out) == {"n": 1, "one": str(tmp_path / "one")}
    assert attempted(lambda: None) is None


def test_pictures_of_outcomes_are_asked_for_before_a_league_is_played(command, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("regretless.play.league.league", lambda *_, **__: pytest.fail("plays"))
    with pytest.raises(BadInput, match="pictures need Matplotlib"):
        require_matplotlib()
    code, _, err = command("league", "kuhn:players=3", "random", "always-fold", "--outcomes", "out")
    assert code == 2
    assert "regretless[pictures]" in err


def test_a_plot_without_a_name_is_refused_before_hands_are_read(command, monkeypatch, tmp_path):
    (tmp_path / "hands.phh").write_text("")
    monkeypatch.setattr(
        "regretless.interfaces.cli.histories._Reading.run", lambda *_: pytest.fail("reads")
    )
    code, _, err = command("histories", str(tmp_path / "hands.phh"), "--plot", "x.png")
    assert code == 2
    assert "--plot needs --name" in err
