"""The command `abstract`, and `solve --abstraction`, as a person calls them."""

import json
from pathlib import Path

import pytest
from pictures import assert_drawn

import regretless as rl
from regretless.core.errors import RegretlessError
from regretless.forms.choice import form_of


def test_a_map_is_made_written_and_solved(command):
    code, out, _ = command("abstract", "leduc", "--by", "binning:bins=2", "--out", "m.json")
    assert code == 0
    assert "classes of player 1  2, 4" in out
    assert "66, 66 instead of 144, 144" in out
    assert "perfect" in out
    code, out, _ = command("abstract", "leduc", "--by", "binning:bins=2", "--json")
    facts = json.loads(out)
    assert facts["classes"] == [[2, 4], [2, 4]]
    assert facts["decision_points"] == {"before": [144, 144], "after": [66, 66]}
    assert facts["sequences"]["after"] == [155, 155]
    assert facts["lossless"] is False
    options = ("--abstraction", "m.json", "--iterations", "20", "--out", "x.strategy", "--json")
    code, out, _ = command("solve", "leduc", *options)
    assert code == 0
    solved = json.loads(out)
    assert solved["decision_points"] == [144, 144]
    about = solved["details"]["abstraction"]
    assert about["by"] == "binning:bins=2"
    assert about["exploitability"] < solved["exploitability"]
    code, out, _ = command("evaluate", "x.strategy", "--json")
    assert json.loads(out)["exploitability"] == solved["exploitability"]


def test_sizes_of_a_map_by_hand_or_a_saved_one(command):
    cards = [{"Q": "weak", "K": "weak", "A": "strong"}]
    players = [{"cards": cards}, {"without": {":c": ["bet"]}}]
    by_hand = {"format": "regretless abstraction 1", "game": "kuhn", "players": players}
    Path("by-hand.json").write_text(json.dumps(by_hand))
    code, out, _ = command("abstract", "kuhn", "--by", "by-hand.json", "--out", "m.json", "--json")
    assert code == 0
    facts = json.loads(out)
    assert facts["by"] == "file by-hand.json"
    assert facts["classes"] == [[2], None]
    assert facts["decision_points"] == {"before": [6, 6], "after": [4, 6]}
    assert rl.abstract("kuhn", "m.json").sizes == rl.abstract("kuhn", "by-hand.json").sizes
    for words, message in [
        (("leduc", "--by", "m.json"), "m.json: made for game kuhn, does not fit game leduc"),
        (("kuhn", "--by", "none.json"), "none.json: no such file"),
        (("kuhn", "--by", "m.json", "--out", "m.json"), "is both the map and --out"),
    ]:
        code, _, err = command("abstract", *words)
        assert code == 2
        assert message in err


def test_a_saved_map_chooses_its_form(command):
    command("abstract", "leduc", "--by", "JQ.K", "--form", "public", "--out", "m.json")
    code, out, _ = command("abstract", "leduc", "--by", "m.json")
    assert code == 0
    assert "66, 66 instead of 144, 144" in out


def test_a_file_does_not_hide_a_maker(command):
    Path("lossless").write_text("")
    code, out, _ = command("abstract", "leduc", "--by", "lossless")
    assert code == 0
    assert "lossless             yes" in out


def test_a_player_who_sees_all_cards_has_classes_too(command):
    code, out, _ = command("abstract", "leduc", "--by", "J.Q.K-full", "--json")
    assert code == 0
    assert json.loads(out)["classes"] == [[3, 6], [3, 9]]


def test_the_makers_are_listed(command):
    code, out, _ = command("abstract")
    assert code == 0
    assert "gameshrink" in out
    code, out, _ = command("abstract", "--json")
    assert {"binning", "lossless", "percentile"} <= {row["abstraction"] for row in json.loads(out)}


def test_imperfect_recall_is_shown_and_solved_by_learners_only(command):
    by = "percentile:recall=false,buckets=2"
    code, out, _ = command("abstract", "leduc", "--by", by)
    assert code == 0
    assert "imperfect" in out
    code, out, _ = command("solve", "leduc", "--abstraction", by, "--iterations", "5")
    assert code == 0
    assert "imperfect recall" in out
    code, _, err = command("solve", "leduc", "--abstraction", by, "--method", "lp")
    assert code == 2
    assert "method lp needs perfect recall: abstraction of leduc: player 1 at 'Q/K:cc/' and" in err


def test_bad_input_is_one_line(command):
    command("abstract", "leduc", "--by", "JQ.K", "--out", "m.json")
    for words, message in [
        (("abstract", "leduc"), "--by is missing: must be one of binning"),
        (("abstract", "leduc", "--by", "bins"), "unknown abstraction 'bins'"),
        (("abstract", "leduc", "--by", "binning:bins=x"), "bins=x: must be a whole number"),
        (("abstract", "rps", "--by", "binning"), "rps is not a poker game"),
        (("solve", "kuhn", "--abstraction", "m.json"), "made for game leduc, does not fit"),
        (("solve", "leduc", "--abstraction", "no.json"), "no.json: no such file"),
        (("solve", "leduc", "--abstraction", "no.map"), "no.map: no such file"),
        (
            ("solve", "leduc", "--abstraction", "m.json", "--out", "m.json"),
            "is both --abstraction and --out",
        ),
    ]:
        code, out, err = command(*words)
        assert code == 2, words
        assert message in err
        assert len(err.strip().splitlines()) == 1
        assert not out


def test_a_strategy_is_not_overwritten_by_the_map_made_from_it(command):
    command("solve", "kuhn", "--iterations", "3", "--out", "x.strategy")
    by = "strategy-based:strategy=x.strategy"
    code, _, err = command("abstract", "kuhn", "--by", by, "--out", "x.strategy")
    assert code == 2
    assert "x.strategy: is both the strategy and --out: name another file" in err
    assert command("evaluate", "x.strategy")[0] == 0


LEDUC = "preflop=lossless,flop=percentile:2"


def test_buckets_by_round(command, tmp_path):
    by = LEDUC
    code, out, _ = command("abstract", "leduc", by, "--out", "x.map", "--plot", "x.png")
    assert code == 0
    assert "flop         2 buckets of 15 hands" in out
    assert_drawn(tmp_path / "x.png")
    code, out, _ = command("abstract", "leduc", "--by", by, "--json", "--threads", "2")
    facts = json.loads(out)
    assert facts["classes"] == [3, 2]
    assert facts["by"] == by
    assert facts["fingerprint"] == rl.abstraction.load_hand_map("x.map").fingerprint
    options = ("--iterations", "20", "--json")
    code, out, _ = command("solve", "leduc", "--abstraction", by, *options)
    there = rl.solve("leduc", abstraction="x.map", iterations=20)
    assert json.loads(out)["exploitability"] == there.exploitability
    code, out, _ = command("abstract", "--json")
    rows = json.loads(out)
    found = {row["abstraction"]: row["parameters"] for row in rows if row["by_round"]}
    assert found["percentile"] == {"buckets": None, "squared": False}
    code, out, _ = command("abstract")
    assert "OUTER, INNER" in out


def test_buckets_by_round_count_decision_points_where_bets_are_listed(command):
    game = "holdem_nolimit:ranks=3,suits=3,small_blind=1,stack=8,sizes=100%-a"
    by = "preflop=lossless,flop=percentile:4,turn=percentile:3,river=percentile:2"
    code, out, _ = command("abstract", game, by, "--json")
    assert code == 0
    facts, form = json.loads(out), form_of(game, kind="public")
    reduced = rl.abstract(game, by, form="public").facts()
    for name in ("decision_points", "sequences"):
        assert facts[name]["before"] == list(getattr(form.sizes, name))
        assert facts[name] == reduced[name]
    shown = f"{facts['sequences']['after'][0]:,}, "
    assert shown in command("abstract", game, by)[1]
    assert "sequences" not in json.loads(command("abstract", "leduc", LEDUC, "--json")[1])


def test_public_buckets_are_drawn(command, tmp_path):
    by = "preflop=lossless,flop=public:2x2"
    code, out, _ = command("abstract", "leduc", by, "--plot-boards", "boards.png")
    assert code == 0
    assert "flop         4 buckets of 15 hands" in out
    assert_drawn(tmp_path / "boards.png")
    code, out, _ = command("abstract", "leduc", by, "--plot-boards", "b.svg", "--json")
    assert json.loads(out)["plot_boards"] == "b.svg"


def test_buckets_by_round_bad_input(command, tmp_path):
    by = "preflop=lossless,flop=percentile:2"
    command("abstract", "leduc", by, "--out", "x.map")
    with pytest.raises(RegretlessError, match="1 hole card, boards of 0/1 cards"):
        rl.solve("kuhn", abstraction="x.map")
    (tmp_path / "notes.txt").write_text("")
    for words, message in [
        (("abstract", "leduc", by, "--by", by), "given twice"),
        (("abstract", "leduc", "preflop=lossless"), "flop is missing"),
        (("abstract", "rps", by), "rps is not a poker game"),
        (("abstract", "leduc", by, "--out", "notes.txt"), "is a file"),
        (("abstract", "leduc", by, "--out", "."), "folder with other files"),
        (("abstract", "leduc", by, "--plot", "x.txt"), "ends in '.txt'"),
        (("abstract", "leduc", "binning", "--plot", "x.png"), "--plot is for buckets by round"),
        (
            ("abstract", "leduc", "binning", "--plot-boards", "x.png"),
            "--plot-boards is for buckets",
        ),
        (("abstract", "leduc", by, "--plot-boards", "x.txt"), "ends in '.txt'"),
        (("abstract", "leduc", by, "--plot-boards", "x.png"), "no round has public buckets"),
        (("abstract", "leduc", by, "--plot-boards", "x.png", "--plot", "x.png"), "is both"),
        (("abstract", "leduc", by, "--threads", "0"), "threads=0"),
        (("abstract", "leduc", by, "--seed", "-1"), "seed=-1"),
        (("strength", "AsKd", "--map", "x.map"), "does not fit 13×4 cards"),
        (("strength", "AsKd", "--map", "y.map"), "y.map: no such map"),
        (("strength", "AsKd", "--plot", "x.txt"), "ends in '.txt'"),
    ]:
        code, out, err = command(*words)
        assert (code, out, err.count("\n")) == (2, "", 1), words
        assert message in err
