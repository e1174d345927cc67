"""AIVAT in `regretless match` and `regretless histories`."""

import json

import pytest

import regretless as rl
from regretless.evaluation.league import league
from regretless.play.histories.acpc_log import read_log, write_hand


@pytest.fixture
def solved(tmp_path):
    """Two strategies of Leduc in the folder in which commands run."""
    rl.solve("leduc", iterations=300, out=tmp_path / "good.strategy")
    rl.solve("leduc", method="cfr", iterations=5, out=tmp_path / "early.strategy")
    rl.solve("kuhn", method="lp", out=tmp_path / "kuhn.strategy")
    return tmp_path


def told(out):
    return {player["name"]: player["aivat"] for player in json.loads(out)["players"]}


def test_a_match_of_known_agents_is_exact(command, solved):
    words = ["match", "leduc", "good.strategy", "early.strategy", "--hands", "400"]
    code, out, err = command(*words, "--json")
    assert (code, err) == (0, "")
    exact = league("leduc", [solved / "good.strategy", solved / "early.strategy"])
    found = told(out)["good"]
    assert found["times_smaller"] is None
    assert found["milli_per_hand"] == pytest.approx(exact.against("good", "early").mean)
    _, out, _ = command(*words)
    assert "AIVAT" in out
    assert "exact" in out
    assert max(map(len, out.splitlines()[:3])) <= 80


def test_a_match_without_it(command, solved):
    words = ["match", "leduc", "good.strategy", "random", "--hands", "40", "--json"]
    for more in (["--no-aivat"], ["--duplicate"]):
        assert set(told(command(*words, *more)[1]).values()) == {None}
    large = ["match", "rhode_island", "random", "random", "--hands", "40", "--json"]
    assert set(told(command(*large)[1]).values()) == {None}
    assert set(told(command(*words[:5], "1", "--json")[1]).values()) == {None}


def test_a_resumed_match_counts_all_hands(command, solved):
    words = ["match", "leduc", "good.strategy", "random", "--hands", "333", "--json", "--log"]
    _, whole, _ = command(*words, "a.log")
    lines = (solved / "a.log").read_text().splitlines(keepends=True)
    (solved / "b.log").write_text("".join(lines[:100]))
    _, resumed, _ = command(*words, "b.log", "--continue")
    assert told(resumed) == told(whole)


def test_histories(command, solved):
    command(
        "match", "leduc", "good.strategy", "early.strategy", "--hands", "2000", "--log", "a.log"
    )
    code, out, err = command("histories", "a.log", "--known", "good=good.strategy")
    assert (code, err) == (0, "")
    assert "variance-reduced (AIVAT), given the strategy of good" in out
    assert max(map(len, out.splitlines())) <= 80
    _, out, _ = command("histories", "a.log", "--known", "good=good.strategy", "--json")
    good, early = (told(out)[name] for name in ("good", "early"))
    assert good["known"]
    assert not early["known"]
    assert good["chips_per_hand"] == pytest.approx(-early["chips_per_hand"])
    assert good["milli_units_per_hand"] == pytest.approx(1000 * good["chips_per_hand"])
    assert good["times_smaller"] > 2
    plain = json.loads(out)["players"][0]
    assert good["chips_per_hand_half_width"] < plain["chips_per_hand_half_width"] / 2
    both = ["--known", "good=good.strategy", "--known", "early=early.strategy"]
    found = told(command("histories", "a.log", *both, "--json")[1])["good"]
    assert (found["chips_per_hand_half_width"], found["times_smaller"]) == (0.0, None)


def test_histories_of_built_in_agents_know_the_game_from_the_log(command, tmp_path):
    words = ["kuhn:players=3", "random", "aggressive", "always-call", "--hands", "300"]
    command("match", *words, "--log", "a.log")
    assert told(command("histories", "a.log", "--known", "random=random", "--json")[1])["random"]
    text = (tmp_path / "a.log").read_text()
    (tmp_path / "b.log").write_text(text.partition("\n")[2])  # without the line with the game
    code, _, err = command("histories", "b.log", "--known", "random=random")
    assert code == 2
    assert "b.log does not name its game: add --game" in err
    given = ["--known", "random=random", "--game", "kuhn:players=3"]
    assert command("histories", "b.log", *given)[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dan=good.strategy"], "unknown player 'dan'"),
        (["good"], "must be NAME=FILE"),
        (["=good.strategy"], "must be NAME=FILE"),
        (["good=none.strategy"], "none.strategy: no such file"),
        (["good=kuhn.strategy"], "a.log: "),
        (["good=good.strategy", "--known", "good=random"], "given twice"),
        (["good=good.strategy", "--game", "kuhn"], "does not fit game kuhn"),
        (["good=good.strategy", "--game", "kuhn:players=3"], "does not fit"),
        (["random=random", "--game", "leduc:ante=2"], "a.log: hand 0 pays"),
        (["random=always-call"], "random did what its strategy never does"),
        (["random=random", "--game", "rhode_island"], "in games of up to 2,000,000"),
        (["good=a.log"], "a.log"),
    ],
)
def test_what_is_wrong_is_one_line(command, solved, words, said):
    command("match", "leduc", "good.strategy", "random", "--hands", "50", "--log", "a.log")
    code, out, err = command("histories", "a.log", "--known", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_cards_that_nobody_saw(command, solved):
    command("match", "leduc", "good.strategy", "random", "--hands", "50", "--log", "a.log")
    hands = [hand._replace(cards="|" + hand.cards.partition("|")[2]) for hand in read_log("a.log")]
    (solved / "hidden.log").write_text("\n".join(map(write_hand, hands)) + "\n")
    code, _, err = command("histories", "hidden.log", "--known", "good=good.strategy")
    assert code == 2
    assert "hidden.log: hand 0: cards" in err
    assert "are needed" in err


def test_strategies_that_were_hardly_played(command, solved):
    command("match", "leduc", "good.strategy", "aggressive", "--hands", "3000", "--log", "a.log")
    assert command("histories", "a.log", "--known", "good=good.strategy")[2] == ""
    code, _, err = command("histories", "a.log", "--known", "aggressive=random")
    assert code == 0
    assert "are these the strategies that were played?" in err


def test_few_hands(command, solved):
    command("match", "leduc", "good.strategy", "random", "--hands", "1", "--log", "a.log")
    code, _, err = command("histories", "a.log", "--known", "good=good.strategy")
    assert code == 2
    assert "got 1, expected 2 or more" in err
