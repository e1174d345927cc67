"""`regretless continuous`, as a person calls it."""

import json

import pytest
from pictures import assert_drawn

from regretless.continuous.examples import EXAMPLES


def test_examples_are_listed(command):
    code, out, _ = command("continuous")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(EXAMPLES)


def test_an_example_and_its_file(command, tmp_path):
    path = tmp_path / "game.toml"
    code, out, err = command("continuous", "von-neumann:bet=1", "--write", str(path), "--json")
    assert code == 0, err
    facts = json.loads(out)
    assert facts["values"] == pytest.approx([0.1, -0.1])
    assert facts["players"][0]["plans"] == ["bet", "check", "bet"]
    assert facts["players"][0]["thresholds"] == pytest.approx([0.1, 0.7])
    again = json.loads(command("continuous", str(path), "--json")[1])
    assert again["players"] == facts["players"]
    code, _, err = command("continuous", "von-neumann", "--write", str(path))
    assert code == 2
    assert "add --force" in err


def test_text_with_mixed_strategies_and_a_picture(command, tmp_path):
    picture = tmp_path / "regions.png"
    code, out, err = command(
        "continuous", "von-neumann:bet=1", "--signals", "6", "--plot", str(picture)
    )
    assert code == 0, err
    assert "p1      0.100000  0.700000  check       0.6000" in out
    assert "player 1, signals 1 to 6" in out
    assert "1       0.4000  0.6000" in out  # bets up to .1 of [0, 1/6]
    assert_drawn(picture)


def test_infeasible_is_a_result(command, tmp_path):
    picture = tmp_path / "regions.png"
    wrong = "p1: check bet | p2: fold call"
    code, out, err = command("continuous", "von-neumann", "--model", wrong, "--plot", str(picture))
    assert (code, err) == (0, "")
    assert "no equilibrium fits the model" in out
    assert not picture.exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("von-neumann", "--model", "p1: bat | p2: call"), "character 5"),
        (("von-neuman",), "did you mean von-neumann"),
        (("von-neumann:bet=-1",), "bet=-1.0: must be"),
        (("von-neumann", "--breakpoints", "1"), "breakpoints=1: must be 2 to 65"),
        (("nothing.toml",), "nothing.toml"),
    ],
)
def test_bad_input_is_one_line(command, arguments, problem):
    code, out, err = command("continuous", *arguments)
    assert (code, out) == (2, "")
    assert problem in err
    assert len(err.strip().splitlines()) == 1


def test_a_model_is_found_automatically(command):
    code, out, err = command("continuous", "von-neumann", "--auto")
    assert code == 0, err
    assert "model    p1: bet check bet | p2: fold call" in out
    code, _, err = command("continuous", "von-neumann", "--auto", "--model", "p1: bet | p2: call")
    assert code == 2
    assert "leave out --model" in err


def test_a_file_without_models_asks_for_one(command, tmp_path):
    path = tmp_path / "game.toml"
    path.write_text('signals = ["uniform", "uniform"]\n[ends]\n"p1:x" = [0, 0]\n')
    code, _, err = command("continuous", str(path))
    assert code == 2
    assert "has no models: give one with --model" in err
