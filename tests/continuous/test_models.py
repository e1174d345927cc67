"""Models, games and distributions: what is read, what is refused, and where."""

import pytest

import regretless as rl
from regretless.continuous.examples import EXAMPLES, example
from regretless.continuous.files import load_continuous
from regretless.continuous.game import Showdown, continuous_game
from regretless.continuous.model import BadModel, parametric_model
from regretless.core.errors import BadFile, BadInput, UnknownName

GOOD = "p1: bet check bet | p2: fold call | p1.1 < p2.1 < p1.2"
ENDS = {"p1:check": Showdown([1, 1], [-1, -1]), "p1:bet p2:fold": [1, -1], "p1:bet p2:call": [0, 0]}


@pytest.fixture
def game():
    return example("von-neumann").game


def test_a_model_and_its_text(game):
    model = parametric_model(GOOD, game)
    assert model.plans == ((("bet",), ("check",), ("bet",)), (("fold",), ("call",)))
    assert model.order == {((0, 1), (1, 1)), ((1, 1), (0, 2))}
    assert ((0, 1), (0, 2)) in model.full_order
    assert str(model) == GOOD
    assert parametric_model(str(model), game) == model


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("p1: bet chek bet | p2: fold call", 8, "did you mean check"),
        ("p1: bet | p2:", 10, "p2 has no regions"),
        ("p1: bet", 7, "p2 has no regions"),
        ("p1: bet || p2: call", 9, "an empty part"),
        ("p1: bet | p3: call", 10, "must be p1 to p2"),
        ("p1: bet | p1: check", 10, "p1 is given twice"),
        ("p1: bet bet | p2: call", 8, "the same plan"),
        ("player 1 bets", 0, "must begin with p1:"),
        ("p1: bet check | p2: call | p1.2 < p2.1", 27, "p1 has p1.1 to p1.1"),
        ("p1: bet check | p2: call | p1.1 < p2.1", 34, "p2 has none"),
        ("p1: bet check | p2: call | p1.1 < p3.1", 34, "must be p1 to p2"),
        ("p1: bet check | p2: call | p1.1 < x", 34, "must be a threshold"),
        ("p1: bet check | p2: call | p1.1", 31, "expected <"),
        ("p1: bet check | p2: call fold | p1.1 < p2.1 < p1.1", 46, "a cycle: p2.1 < p1.1"),
        ("p1: bet check bet | p2: call | p1.2 < p1.1", 38, "a cycle"),
    ],
)
def test_errors_point_at_the_character(game, text, at, problem):
    with pytest.raises(BadModel, match=problem) as caught:
        parametric_model(text, game)
    assert caught.value.at == at
    assert f"character {at + 1} " in str(caught.value)


def test_plans_are_actions_at_decisions_that_they_reach():
    game = example("kuhn").game
    assert game.plans[0] == (("check", "fold"), ("check", "call"), ("bet",))
    assert len(game.plans[1]) == 4
    assert game.ends[1, 2].line == "p1:check p2:bet p1:call"
    assert game.ends[2, 3].line == "p1:bet p2:call"
    with pytest.raises(UnknownName, match="unknown plan of p1 'check/raise'"):
        game.plan(0, "check/raise")


@pytest.mark.parametrize(
    ("points", "problem"),
    [
        ([[0, 0], [1, 0.9]], "p1, point 2: the last share must be 1, not 0.9"),
        ([[0, 0], [0.5, 0.6], [0.7, 0.5], [1, 1]], "point 3: shares must not decrease, got 0.5"),
        ([[0, 0], [0.5, 0.6], [0.5, 0.7], [1, 1]], "point 3: signals must increase"),
        ([[0, 0.1], [1, 1]], "point 1: the first share must be 0"),
        ([[0, 0], [1, float("nan")]], "point 2: must be finite"),
        ([[0, 0]], "at least two points"),
        ("normal", "must be 'uniform' or"),
    ],
)
def test_distributions_that_are_refused(points, problem):
    with pytest.raises(BadInput, match=problem):
        continuous_game([points, "uniform"], ENDS)


@pytest.mark.parametrize(
    ("ends", "problem"),
    [
        ({}, "at least one line"),
        ({"": [0, 0]}, "at least one player must act"),
        ({"p1:bet": [0, 0], "p1:bet p2:call": [0, 0]}, "'p1:bet' is an end, but"),
        ({"p1:bet": [0, 0], "p2:call": [0, 0]}, "p1 and p2 cannot both act first"),
        ({"p3:bet": [0, 0]}, "'p3:bet' must be p1:ACTION to p2:ACTION"),
        ({"p1:b/c": [0, 0]}, "must not contain"),
        ({"p1:bet": [0]}, "end 'p1:bet': must be 2 numbers"),
        ({"p1:bet": Showdown([0, 1], [0, "x"])}, "'p1:bet', otherwise: must be 2 numbers"),
    ],
)
def test_trees_that_are_refused(ends, problem):
    with pytest.raises(BadInput, match=problem):
        continuous_game(["uniform", "uniform"], ends)


def test_a_lone_contender_is_refused():
    with pytest.raises(BadInput, match="p2 has nobody to compare signals with"):
        continuous_game(["uniform"] * 3, {"p1:x": Showdown([0, 1, 0], [0, 0, 0])})


def test_files_are_read_as_written(tmp_path):
    for name in EXAMPLES:
        text = example(name).to_toml()
        (tmp_path / "game.toml").write_text(text)
        assert load_continuous(tmp_path / "game.toml").to_toml() == text


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("signals =", "signal =", "unknown key 'signal'"),
        ("[ends]", "[end]", "unknown key 'end'"),
        ('wins = "higher"', 'wins = "best"', "wins=best: must be higher or lower"),
        ("otherwise = [-1.0, -1.0]", "other = [0]", "must have the keys best and otherwise"),
        ("p1: bet", "p1: bot", "character 5 .*of model 1"),
        ("models = [", "models = [1,", "must be a list of texts"),
        ("name =", "name", "not TOML"),
    ],
)
def test_files_that_are_refused(tmp_path, old, new, problem):
    path = tmp_path / "game.toml"
    path.write_text(example("von-neumann").to_toml().replace(old, new))
    with pytest.raises(BadFile, match=problem):
        load_continuous(path)


def test_names_are_public():
    assert rl.continuous.example("von-neumann:bet=1").models == (GOOD,)
    with pytest.raises(UnknownName, match="did you mean kuhn"):
        rl.continuous.example("khun")
