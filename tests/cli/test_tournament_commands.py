"""`regretless icm` and `regretless pushfold`."""

import json
from pathlib import Path

import pytest


def test_pushfold(command):
    words = ("pushfold", "--stacks", "10bb", "--json", "--csv", "a.csv", "--png", "a.png")
    code, out, err = command(*words)
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["value_bb"] == pytest.approx(-0.04537, abs=5e-6)
    assert facts["jam_percent"] == pytest.approx(58.284, abs=2e-3)
    assert facts["call_percent"] == pytest.approx(37.376, abs=2e-3)
    assert facts["charts"][1]["jams"]["AA"] == pytest.approx(1)
    assert (facts["csv"], facts["png"]) == ("a.csv", "a.png")
    assert Path("a.csv").is_file()
    assert Path("a.png").is_file()
    _, shown, _ = command("pushfold", "--stacks", "10bb")
    assert "SB jams: 58.28" in shown
    assert len([line for line in shown.splitlines() if line.startswith("AKo")]) == 2


def test_options_matter(command):
    def told(*options):
        return json.loads(command("pushfold", *options, "--json")[1])

    plain = told("--stacks", "3000,5000", "--blinds", "200/400")
    assert plain["stacks"] == [3000, 5000]
    assert told("--stacks", "3000,5000", "--blinds", "200/400", "--ante", "50") != plain
    wider = told("--stacks", "3000,5000", "--blinds", "200/400", "--big-blind-ante", "400")
    assert wider["jam_percent"] > plain["jam_percent"]
    prizes = ("--stacks", "3000,5000", "--blinds", "200/400", "--payouts", "50,30")
    bubble = told(*prizes, "--others", "4000")
    assert bubble["call_percent"] < plain["call_percent"]
    assert sum(told(*prizes)["values"]) == pytest.approx(80)


def test_icm(command):
    words = ("icm", "--stacks", "5000,3100", "--payouts", "50,30")
    facts = json.loads(command(*words, "--json")[1])
    assert facts["values"] == pytest.approx([30 + 20 * 50 / 81, 30 + 20 * 31 / 81])
    assert facts["half_widths"] is None
    assert "Malmuth-Weitzman" in command(*words)[1]
    many = ("icm", "--stacks", ",".join(["5"] * 30), "--payouts", "50,30", "--json")
    sampled = json.loads(command(*many)[1])
    assert max(sampled["half_widths"]) > 0
    assert json.loads(command(*many, "--seed", "1")[1]) != sampled


def test_three_hands_shows_the_table_that_is_there(command, monkeypatch, tmp_path):
    from regretless.cards.three_hands import table_path

    monkeypatch.setenv("REGRETLESS_CACHE", str(tmp_path))
    table_path().write_bytes(b"12345")
    assert json.loads(command("three-hands", "--json")[1]) == {
        "table": str(table_path()),
        "bytes": 5,
    }


def test_a_missing_table(command, monkeypatch, tmp_path):
    from regretless.cards.three_hands import three_hands

    monkeypatch.setenv("REGRETLESS_CACHE", str(tmp_path))
    three_hands.cache_clear()
    code, _, err = command("pushfold", "--stacks", "10bb,10bb,10bb")
    assert code == 2
    assert "`regretless three-hands` makes it" in err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--stacks", "ten"), "stacks 'ten': must be chips such as 5000,3100"),
        (("--stacks", "10bb,9"), "must be chips such as"),
        (("--stacks", "10bb", "--blinds", "1/2"), "stacks in big blinds have blinds 0.5 and 1"),
        (("--stacks", "10,10", "--blinds", "2/1"), "must be small, then big"),
        (("--stacks", "10,10", "--blinds", "2"), "must be small and big, e.g. 300/600"),
        (("--stacks", ",".join(["10"] * 10)), "number of stacks=10: must be 2 to 9"),
        (("--stacks", "10bb", "--payouts", "5,8"), "descending"),
        (("--stacks", "10bb", "--payouts", "5,3,2"), "3 payouts for 2 players"),
        (("--stacks", "10bb", "--payouts", "5,x"), "'x' is not a number"),
        (("--stacks", "10bb", "--others", "5"), "matter only with payouts"),
        (("--stacks", "0bb"), "must be positive"),
        (("--stacks", "10bb", "--ante", "-1"), "ante -1: must be 0 or more"),
    ],
)
def test_bad_input(command, given, message):
    code, _, err = command("pushfold", *given)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
