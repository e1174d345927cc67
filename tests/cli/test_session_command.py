"""`regretless histories --stats`."""

import json
from pathlib import Path

import pytest

CASH = Path(__file__).parents[1] / "data" / "pokerstars" / "cash.txt"


def test_the_command(command):
    code, out, err = command("histories", str(CASH), "--stats", "--name", "hero", "--json")
    assert (code, err) == (0, "")
    facts = json.loads(out)
    assert facts["statistics"]["players"]["hero"]["vpip"] == 2 / 3
    assert facts["statistics"]["opponents"]["fay"]["hands"] == 3
    assert facts["players"][0]["chips"] == pytest.approx(9.35)  # dollars
    assert facts["unknown_results"] == 0
    code, out, err = command("histories", str(CASH), "--stats", "--plot", "x.png")
    assert code == 2
    assert "--plot needs --name" in err
    code, out, err = command("histories", str(CASH), "--name", "hero", "--plot", "x.png")
    assert code == 0
    assert "hero by position" in out
    assert Path("x.png").exists()
    assert "player 'nobody'" in command("histories", str(CASH), "--name", "nobody")[2]
