"""Tournaments as a user runs them: values, resuming, one hand, charts, bad input."""

import numpy as np
import pytest
from pictures import assert_drawn

from regretless.core import array_files
from regretless.core.errors import BadFile, BadInput, BadParameter, UnknownName
from regretless.runs import tournaments as module
from regretless.runs.tournament_charts import (
    chart_at,
    charts,
    decisions_table,
    hands_table,
    values_table,
)
from regretless.runs.tournament_picture import draw_charts
from regretless.runs.tournaments import KIND, open_tournament, solve_tournament
from regretless.stochastic.tournament import Blinds
from tests.jam_fold_twin import small_showdowns

CARDS = small_showdowns()
BLINDS = Blinds(1, 2)


def solved(stacks=(1, 2, 2), payouts=(50, 30, 20), **more):
    chosen = {"unit": 1.0, "showdowns": CARDS, "epsilon": 1.0, **more}
    return solve_tournament(stacks, BLINDS, payouts, **chosen)


@pytest.fixture(scope="module")
def three():
    return solved((2, 1, 3))


def test_values_add_up_and_nobody_gains(three):
    assert three.check.epsilon < 1
    assert three.worth().sum() == pytest.approx(100)
    assert three.worth("icm").sum() == pytest.approx(100)
    assert three.worth("chips").sum() == pytest.approx(100)


def test_on_the_grid_one_hand_is_the_state(three):
    state = three.game.numbers[0, (2, 1, 3)]
    mine = slice(three.game.seats[state], three.game.seats[state + 1])
    assert np.allclose(three.worth(), three.values[mine], atol=0.2)
    between = solved((1.5, 1.5, 2))
    assert between.worth().sum() == pytest.approx(100)
    assert np.abs(between.worth() - between.rules.worth((1.5, 1.5, 2))).max() < 8


def test_what_is_left_between_states_keeps_its_mean(three):
    """Values that are linear in chips stay so between states: also where somebody is nearly out."""
    game = three.game
    linear = np.concatenate([game.stacks(s) for s in range(len(game.keys))])
    for after in ((2.0, 1.0, 3.0), (1.5, 1.25, 3.25)):
        assert np.allclose(game.expected(0, (2, 1, 3), after, linear), after)
    out = game.expected(0, (2, 1, 3), (0.0, 2.5, 3.5), linear)
    assert np.allclose(out, [20, 2.5, 3.5])
    tiny = game.expected(0, (2, 1, 3), (0.25, 2.5, 3.25), linear)
    assert tiny[0] == pytest.approx(0.25 + 0.75 * 20)  # three times in four it is out: third prize


def test_a_resumed_run_is_the_same_run(three, tmp_path):
    path = tmp_path / "run"
    through = solved(out=path)
    part = solved(iterations=1, out=path)
    assert part.stopped
    resumed = solved(out=path, resume=path)
    assert len(resumed.steps) >= len(through.steps) - 2
    assert not resumed.stopped
    assert resumed.check.epsilon < 1
    again = solved(resume=path)
    assert np.array_equal(again.values, resumed.values)
    assert [one.seconds for one in again.steps] == [one.seconds for one in resumed.steps]
    with pytest.raises(BadInput, match="made with payouts"):
        solved(payouts=(60, 20, 20), resume=path)


def test_a_file_opens_as_the_solution(tmp_path):
    path = tmp_path / "run"
    made = solved((2, 1, 3), out=path, hands=3)
    opened = open_tournament(path, showdowns=CARDS)
    assert opened.rules == made.rules
    assert opened.stacks == made.stacks
    assert np.array_equal(opened.values, made.values)
    assert all(map(np.array_equal, opened.profile, made.profile))
    assert (opened.stopped, opened.check) == (False, None)
    solved((2, 1, 3), out=path, iterations=1)
    assert open_tournament(path, showdowns=CARDS).stopped
    array_files.write(
        path, {"values": made.values}, {"tournament": {}, "layer": 0}, format=KIND.formats[0]
    )
    with pytest.raises(BadFile, match="does not describe a tournament"):
        open_tournament(path, showdowns=CARDS)


def test_ctrl_c_keeps_what_is_there(monkeypatch, tmp_path):
    path = tmp_path / "run"
    count = 0

    def asked():
        nonlocal count
        count += 1
        return count > 6

    monkeypatch.setattr(module, "interrupted", asked)
    stopped = solved(out=path)
    assert stopped.stopped
    assert stopped.check is None
    monkeypatch.undo()
    assert solved(resume=path).check.epsilon < 1


def test_charts_say_what_to_do(tmp_path):
    three = solved((8, 6, 10), unit=4.0)
    found = charts(three)
    titles = [one.title for one in found]
    assert titles[:3] == ["BTN first in", "SB first in", "SB calls BTN"]
    for one in found:
        assert one.chances.sum() == pytest.approx(1)
        always, never = one.jams["tournament"] > 0.99, one.jams["tournament"] < 0.01
        assert (one.gains[always] > -0.5).all()
        assert (one.gains[never] < 0.5).all()
        assert 0 <= one.differing("chips") <= 100
    assert chart_at(found, "button", None).title == "BTN first in"
    assert chart_at(found, "BB", "SB+btn").title == "BB calls BTN and SB"
    assert chart_at(found, "big", "SB").title == "BB calls SB"
    with pytest.raises(UnknownName, match="position"):
        chart_at(found, "utg", None)
    with pytest.raises(BadInput, match="BTN decides after fold"):
        chart_at(found, "button", "SB")
    assert len(hands_table(found).rows) == sum(len(one.names) for one in found)
    assert [row[0] for row in decisions_table(found).rows] == titles
    costs = values_table(three).rows
    assert all(row[-1] > -0.05 for row in costs)
    with pytest.raises(BadInput, match="169 classes"):
        draw_charts(found, tmp_path / "x.png")


def test_two_players_of_holdem(tmp_path):
    solution = solve_tournament([2000, 4000], Blinds(300, 600), [1.0], unit=1000)
    assert solution.check.epsilon < 1e-3
    found = charts(solution)
    assert [len(one.lines()) for one in found] == [13, 13]
    assert found[0].lines()[0].startswith("AA  AKs")
    assert chart_at(found, "button", None).position == "SB"
    assert solution.worth()[0] == pytest.approx(1 / 3, abs=0.02)
    draw_charts(found, tmp_path / "two.png")
    assert_drawn(tmp_path / "two.png")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"payouts": (30, 50)}, "descending"),
        ({"payouts": ()}, "one prize or more"),
        ({"payouts": (4, 3, 2, 1)}, "4 prizes for 3 players"),
        ({"stacks": (1, 1), "payouts": (1,)}, "below the blinds"),
        ({"stacks": (3, 3, 3, 3)}, "players=4: must be 2 to 3"),
        ({"stacks": (3, -1, 3)}, "must be positive"),
        ({"unit": 4.0}, "must be a multiple"),
        ({"method": "x"}, "method"),
        ({"epsilon": 0.0}, "above 0"),
        ({"iterations": 0}, "iterations"),
    ],
)
def test_bad_input_is_refused(change, message):
    with pytest.raises(BadParameter, match=message):
        solved(**change)
