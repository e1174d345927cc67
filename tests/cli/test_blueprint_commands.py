"""`solve --abstraction` with a map of hands, and `show` of a blueprint, as a person calls them."""

import json

import pytest

import regretless as rl
from regretless.strategy.on_form import on_form

METHOD = "public-chance-sampling:boards=2"
MAP = ("--abstraction", "small.map", "--out", "y.strategy")
SHOWN = ("show", "x.strategy", "--betting", "cc/", "--board", "AdKdQs")
GAME = "holdem_nolimit:ranks=3,suits=3,stack=300,sizes=100%-a"


@pytest.fixture
def trained(command):
    """A folder with a map and a short run."""
    names = ("preflop", "flop", "turn", "river")
    rl.abstraction.hand_map(GAME, ",".join(f"{name}=lossless" for name in names), out="small.map")
    options = ("--iterations", "3", "--threads", "2", "--out", "x.strategy", "--keep-state")
    options += ("--method", METHOD)
    code, out, _ = command("solve", GAME, "--abstraction", "small.map", *options)
    assert code == 0
    return out


def test_training_is_reported_and_continued(command, trained):
    assert "6 in" in trained  # two boards per iteration
    assert "iteration limit reached" in trained
    code, out, _ = command("solve", "--resume", "x.strategy", "--iterations", "5", "--json")
    assert code == 0
    facts = json.loads(out)
    assert (facts["iterations"], facts["boards"]) == (5, 10)
    assert facts["map"]["path"] == "small.map"
    whole = rl.train_blueprint(GAME, "small.map", iterations=5, method=METHOD)
    assert (whole.tables[3][0] == rl.research.load_blueprint("x.strategy").tables[3][0]).all()


def test_hands_are_shown_by_class_or_on_a_board(command, trained):
    code, out, _ = command("show", "x.strategy")
    assert code == 0
    assert out.splitlines()[1].split() == ["hand", "fold", "call", "raise", "300"]
    assert [line.split()[0] for line in out.splitlines()[2:-1]] == [
        *("AA", "AKs", "AKo", "AQs", "AQo", "KK", "KQs", "KQo", "QQ")
    ]
    options = ("--betting", "cc/", "--board", "AdKdQs", "--range", "AsKs", "--json")
    code, out, _ = command("show", "x.strategy", *options)
    (only,) = json.loads(out)["hands"]
    assert only["hand"] == "AsKs"
    assert sum(only["probabilities"].values()) == pytest.approx(1)
    assert list(only["probabilities"]) == ["check", "bet 300"]


@pytest.mark.slow
def test_blueprints_of_small_decks_are_evaluated_exactly(command, trained):
    code, out, _ = command("evaluate", "x.strategy", "--json")
    assert code == 0
    exact = rl.exploitability(
        on_form(rl.research.load_blueprint("x.strategy"), rl.sequence_form(GAME))
    )
    assert json.loads(out)["exploitability"] == pytest.approx(exact, rel=1e-9)
    assert rl.research.evaluate_file("x.strategy").exploitability == pytest.approx(exact, rel=1e-9)


def test_blueprints_of_large_games_are_not_evaluated(command, trained, monkeypatch):
    monkeypatch.setattr("regretless.core.memory.available_bytes", lambda: 1000)
    code, _, error = command("evaluate", "x.strategy")
    assert code == 2
    assert "too large to evaluate exactly, see one-on-one and lbr" in error


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("solve", GAME, "--abstraction", "small.map"), "name it with --out"),
        (("solve", GAME, "--abstraction", "small.map", "--target", "1"), "no such option"),
        (("solve", "holdem_nolimit", *MAP), "needs listed bet sizes"),
        (("solve", "holdem_nolimit:sizes=a", *MAP), "map of 3×3 cards"),
        (("solve", "leduc", *MAP), "map of 3×3 cards"),
        (("show", "x.strategy", "--player", "1"), "choose with --betting, --board and --range"),
        (("show", "x.strategy", "--betting", "cc/"), "board of 0 cards"),
        ((*SHOWN, "--range", "AdAs"), "hands AdAs: Ad is on the board"),
        ((*SHOWN, "--range", "AsKsQh"), "hand 'AsKsQh': got 3 cards, expected 2"),
    ],
)
def test_what_does_not_fit_is_refused(command, trained, words, message):
    code, _, error = command(*words)
    assert code == 2
    assert message in error


def test_blueprints_meet_in_leagues(command, trained):
    """As strategies of the game, exactly; with a number of hands they play at a table."""
    nyx = "nyx:blueprint=x.strategy,round=5"
    code, out, _ = command("league", GAME, nyx, "always-call", "--json")
    assert code == 0
    exact = json.loads(out)
    form = rl.forms.form_of(GAME)
    read = rl.league(
        GAME, {"x": on_form(rl.research.load_blueprint("x.strategy"), form), "c": "always-call"}
    )
    means = [[row["mean"] for row in one["cross"]] for one in (exact, read.facts())]
    assert means[0] == pytest.approx(means[1])
    assert abs(means[0][1]) > 1
    few = ("--hands", "4", "--json")
    code, out, _ = command("league", GAME, "nyx:blueprint=x.strategy,iterations=2", "random", *few)
    assert code == 0
    assert json.loads(out)["deals"] == 4
    code, out, _ = command("league", GAME, "x.strategy", "always-call", *few)
    assert code == 0
