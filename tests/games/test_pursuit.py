"""Pursuit by hand: moves, meetings, tracks, and the value of grids small enough to think about."""

from __future__ import annotations

import pytest
from enumeration import enumerated

from regretless.core.errors import BadParameter
from regretless.evaluation.exploitability import evaluate
from regretless.forms.sequence import sequence_form
from regretless.games import pursuit
from regretless.games._state import TERMINAL, State
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy


def steps(game: State, *moves: str) -> State:
    """The state after moves in turn: intruder, guard, intruder, ..."""
    for move in moves:
        game = game.play(move)
    return game


@pytest.fixture
def grid() -> State:
    return pursuit.game(width=3, height=3, steps=4).root


def test_the_intruder_enters_in_a_row_of_its_choice(grid: State) -> None:
    assert grid.player == 0
    assert grid.actions == ["1 enter", "2 enter", "3 enter"]
    after = grid.play("1 enter")
    assert after.player == 1
    assert after.actions == ["hold", "east", "north", "south", "west"]


def test_nobody_leaves_the_grid_but_the_intruder_to_the_right(grid: State) -> None:
    corner = steps(grid, "1 enter", "east")
    assert corner.actions == ["hold", "east", "south"]
    edge = steps(corner, "hold")
    assert edge.actions == ["hold", "north", "south", "west"]  # the guard in the last column
    last = steps(grid, "1 enter", "south", "east", "hold", "east", "hold")
    assert "east" in last.actions


def test_it_gets_away_on_the_right(grid: State) -> None:
    end = steps(grid, "1 enter", "south", "east", "hold", "east", "hold", "east", "hold")
    assert end.player == TERMINAL
    assert end.payoff == (1, -1)


def test_meeting_is_being_caught(grid: State) -> None:
    assert steps(grid, "2 enter", "west").payoff == (-1, 1)
    assert steps(grid, "1 enter", "west", "hold", "north").payoff == (-1, 1)


def test_changing_places_is_being_caught(grid: State) -> None:
    state = steps(grid, "1 enter", "north", "east", "west")
    assert state.player == TERMINAL
    assert state.payoff == (-1, 1)


def test_following_is_not_being_caught(grid: State) -> None:
    state = steps(grid, "1 enter", "north", "south", "west")
    assert state.player == 0


def test_time_runs_out(grid: State) -> None:
    state = grid.play("1 enter").play("south")
    for _ in range(3):
        state = state.play("hold").play("hold")
    assert state.player == TERMINAL
    assert state.payoff == (0, 0)


def test_neither_sees_the_other(grid: State) -> None:
    assert grid.play("1 enter").view(1) == grid.play("3 enter").view(1)
    one, two = steps(grid, "1 enter", "hold"), steps(grid, "1 enter", "south")
    assert one.view(0) == two.view(0)
    assert one.view(1) != two.view(1)


@pytest.mark.parametrize("tracks", [True, False])
def test_tracks_are_noticed(tracks: bool) -> None:
    root = pursuit.game(tracks=tracks).root
    # The guard comes to the upper left corner, where one of the two has been.
    crossed = steps(root, "1 enter", "west", "east", "north")
    missed = steps(root, "3 enter", "west", "east", "north")
    assert (crossed.view(1) != missed.view(1)) == tracks


@pytest.mark.parametrize(
    ("parameters", "value"),
    [
        ({"width": 1, "height": 1, "steps": 2}, -1.0),  # the guard stands in the only entrance
        ({"width": 1, "height": 2, "steps": 1}, -0.5),  # two rows, one guess, nobody gets out
        ({"width": 1, "height": 2, "steps": 2}, 0.0),  # the same, but who is missed gets out
        ({"width": 1, "height": 3, "steps": 2}, 1 / 3),  # one row in three is guarded
        ({"width": 1, "height": 4, "steps": 2}, 1.0),  # the first row is too far from the guard
        ({"width": 3, "height": 3, "steps": 1}, 0.0),  # a corner is two steps from the guard
    ],
)
@pytest.mark.parametrize("tracks", [True, False])
def test_small_grids_have_the_value_that_thinking_finds(
    parameters: dict[str, int], value: float, tracks: bool
) -> None:
    form = sequence_form(pursuit.game(**parameters, tracks=tracks))
    running = solver("lp", form)
    while not running.finished:
        running.step()
    found = evaluate(Strategy(form, running.behaviour()))
    assert found.exploitability < 1e-9
    assert found.values[0] == pytest.approx(value, abs=1e-9)


def test_tracks_never_help_the_intruder() -> None:
    values = []
    for tracks in (True, False):
        form = sequence_form(pursuit.game(width=2, height=3, steps=4, tracks=tracks))
        running = solver("lp", form)
        running.step()
        values.append(evaluate(Strategy(form, running.behaviour())).values[0])
    assert values[0] <= values[1] + 1e-9


def test_tracks_change_what_is_known_not_what_can_happen() -> None:
    with_tracks, without = (
        enumerated(pursuit.game(width=2, height=2, steps=3, tracks=t)) for t in (True, False)
    )
    assert with_tracks.nodes == without.nodes
    assert with_tracks.decision_points[0] == without.decision_points[0]
    assert with_tracks.decision_points[1] > without.decision_points[1]


@pytest.mark.parametrize("name", ["width", "height", "steps"])
def test_grids_have_bounds(name: str) -> None:
    with pytest.raises(BadParameter, match=rf"{name}=0: must be 1 to"):
        pursuit.game(**{name: 0})
