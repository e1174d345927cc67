"""The command `refine`, as a stranger would use it."""

import json

import pytest


@pytest.fixture
def blueprint(command):
    command("solve", "kuhn", "--method", "cfr", "--iterations", "8", "--out", "a.strategy")
    return "a.strategy"


def test_what_there_is(command):
    code, out, _ = command("refine")
    assert code == 0
    assert {"in-game", "cfr", "bias", "self-generative"} <= {
        line.split(" ")[0] for line in out.splitlines()
    }
    code, out, _ = command("refine", "--json")
    rows = {row["refinement"]: row for row in json.loads(out)}
    assert rows["in-game"]["parameters"]["bias"] == 10.0


def test_a_table_and_a_file(command, blueprint, tmp_path):
    by = "in-game:levels=3,iterations=200"
    code, out, _ = command("refine", blueprint, "--by", by, "--out", "b.strategy")
    rows = dict(line.split("  ", 1) for line in out.splitlines())
    assert code == 0
    assert rows["refinement"].strip() == by
    assert rows["written"].strip() == "b.strategy"
    before, after = (rows[f"exploitability {when}"].split()[0] for when in ("before", "after"))
    assert float(after) < float(before) / 5
    _, out, _ = command("evaluate", "b.strategy", "--json")
    assert json.loads(out)["exploitability"] == pytest.approx(float(after), rel=1e-5)


def test_json(command, blueprint):
    code, out, _ = command("refine", blueprint, "--by", "cfr:iterations=5", "--json")
    facts = json.loads(out)
    assert code == 0
    assert (facts["by"], facts["out"], facts["blueprint"]["file"]) == (
        "cfr:iterations=5",
        None,
        blueprint,
    )


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ((), "--by is missing: must be one of bias, cfr, grafting, in-game"),
        (("--by", "ingame"), "unknown refinement 'ingame'; did you mean in-game"),
        (("--by", "in-game:levels=4"), "levels=4: must be 1 to 3"),
        (("--by", "in-game", "--out", "a.strategy"), "both the blueprint and --out"),
        (("--by", "in-game", "--seconds", "-1"), "seconds=-1.0: must be more than 0"),
        (("--by", "in-game", "--seconds", "1e-9"), "too short for in-game"),
        (("--by", "in-game:method=nothing"), "unknown method 'nothing'"),
    ],
)
def test_bad_input_is_one_line(command, blueprint, words, named):
    code, out, err = command("refine", blueprint, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert named in err
