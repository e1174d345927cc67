"""`regretless play` with the run of a tournament."""

import io
import re

import pytest

RUN = ("tournament", "--stacks", "2000,4000", "--payouts", "50,30", "--unit", "1000")


@pytest.fixture
def seated(command, tmp_path, monkeypatch):
    """Play with these typed lines."""
    monkeypatch.chdir(tmp_path)
    command(*RUN, "--out", "run")

    def play(typed, *words):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return command("play", "run", "--seed", "3", *words)

    return play


def test_until_the_end(seated):
    code, out, err = seated("j\n" * 50, "--hints")
    assert (code, err) == (0, "")
    assert "prizes 50, 30, seed 3" in out
    assert "blinds 300/600" in out
    assert re.search(r"SB +you +2,000 +300", out)
    assert re.search(r"K4o jams 100%; jam costs 0\.000, fold costs [1-9]\.\d{3}", out)
    assert re.search(r"you (are out|win the tournament) after \d+ hands?: prize (50|30)\.00", out)
    assert "your choices cost" in out
    assert seated("j\n" * 50, "--hints")[1] == out


def test_the_button_moves_and_stacks_carry_over(seated):
    _, out, _ = seated("f\nf\nf\nx\n")
    assert "solution" not in out
    assert re.search(r"hand 2\n.*\n.*\nSB +player 2 +4,300 +300 *\nBB +you +1,700 +600", out)
    assert "you fold\nplayer 2 wins 300" in out  # no word about a check without an opponent


def test_seat_help_and_leaving(seated):
    code, out, _ = seated("?\nzz\n\nx\n", "--seat", "2")
    assert code == 0
    assert re.search(r"BB +you +4,000 +600", out)
    code, out, _ = seated("?\nzz\n\nx\n")
    assert "leave; so do Ctrl-D" in out
    assert "'zz': type j, f, ? or x" in out
    assert "you leave after 0 hands with 2,000 chips" in out
    code, out, _ = seated("")
    assert code == 0
    assert "you leave after 0 hands" in out


def test_what_a_tournament_does_not_have(seated):
    for words in (("--against", "random"), ("--hands", "3"), ("--log", "x"), ("--continue",)):
        code, _, err = seated("", *words)
        assert code != 0
        assert f"{words[0]}: not in a tournament" in err
    assert "seat=3" in seated("", "--seat", "3")[2]


def test_blinds_go_up_as_often_as_the_run_says(command, seated, monkeypatch):
    """Five hands per level in the mean: about a fifth of first hands end their level."""
    command(*RUN, "--blinds", "300/600,400/800", "--level-hands", "5", "--out", "two")
    ups = 0
    for seed in range(20):
        monkeypatch.setattr("sys.stdin", io.StringIO("f\n"))
        ups += "the blinds go up" in command("play", "two", "--seed", str(seed))[1]
    assert 1 <= ups <= 9
    assert "the blinds go up" not in seated("f\nf\nf\nx\n")[1]
