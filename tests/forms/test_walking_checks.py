"""Games of other people, checked while they are walked: one mistake each, one line each."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import regretless as rl
from regretless.core.errors import BadInput, IllegalMove, TooLarge
from regretless.forms.sequence import is_zero_sum
from regretless.forms.walking_checks import (
    MOST_DEPTH,
    checked_actions,
    checked_chances,
    checked_child,
    checked_game,
    checked_payoff,
    checked_player,
    checked_view,
)


def fails(*_: Any) -> Any:
    raise ZeroDivisionError("division by zero")


@dataclass(frozen=True)
class Odd(rl.State):
    """A state that answers whatever it was given; what can be called is called."""

    answers: dict[str, Any] = field(default_factory=dict)

    def _answer(self, name):
        found = self.answers[name]
        return found() if callable(found) else found

    player = property(lambda self: self._answer("player"))
    actions = property(lambda self: self._answer("actions"))
    chances = property(lambda self: self._answer("chances"))
    payoff = property(lambda self: self._answer("payoff"))

    def child(self, index):
        return self._answer("child")

    def view(self, player):
        return self._answer("view")


GAME = rl.Game("mine", 2, Odd())
NAN = float("nan")


def check(name, answer):
    state = Odd({name: answer})
    return {
        "player": lambda: checked_player(GAME, state),
        "actions": lambda: checked_actions(GAME, state, 0),
        "chances": lambda: checked_chances(GAME, state, 2),
        "payoff": lambda: checked_payoff(GAME, state),
        "child": lambda: checked_child(GAME, state, 1, 3),
        "view": lambda: checked_view(GAME, state, 0),
    }[name]()


BAD = [
    ("player", 2, "player is 2: must be 0 to 1, CHANCE or TERMINAL"),
    ("player", -3, "player is -3"),
    ("player", None, "player is None"),
    ("player", 0.5, "player is 0.5"),
    ("player", True, "player is True"),
    ("player", fails, "player failed: ZeroDivisionError: division by zero"),
    ("actions", (), "player 1 has no actions, but the game is not over"),
    ("actions", ("a", "b", "a"), "player 1 has the action 'a' twice"),
    ("actions", ("a", 3), "action 3 of player 1: must be a text"),
    ("actions", "ab", "actions is 'ab': must be a list"),
    ("actions", None, "actions is None: must be a list"),
    ("actions", fails, "actions failed: ZeroDivisionError"),
    ("chances", (0.5, 0.4), "sum to 0.9: must sum to 1"),
    ("chances", (1.5, -0.5), "probability 1.5: must be 0 to 1"),
    ("chances", (-0.5, 1.5), "probability -0.5: must be 0 to 1"),
    ("chances", (NAN, 1.0), "probability nan: must be 0 to 1"),
    ("chances", (0.5, None), "probability None: must be 0 to 1"),
    ("chances", (1.0,), "2 outcomes and 1 probabilities: must be the same number"),
    ("chances", None, "chances is None: must be a list"),
    ("payoff", (1.0,), "a terminal pays 1 players: must be 2"),
    ("payoff", (1.0, -1.0, 0.0), "a terminal pays 3 players: must be 2"),
    ("payoff", (NAN, 0.0), "payoff nan: must be a finite number"),
    ("payoff", (float("inf"), 0.0), "payoff inf: must be a finite number"),
    ("payoff", ("1", 0), "payoff '1': must be a finite number"),
    ("payoff", 3, "payoff is 3: must be a list"),
    ("child", None, "child(1) is None: must be a State"),
    ("child", "state", "child(1) is 'state': must be a State"),
    ("child", fails, "child(1) failed: ZeroDivisionError"),
    ("view", None, "view(0) is None: must be a text"),
    ("view", 7, "view(0) is 7: must be a text"),
]


@pytest.mark.parametrize(("name", "answer", "told"), BAD)
def test_mistakes_are_named(name, answer, told):
    with pytest.raises(BadInput) as found:
        check(name, answer)
    assert str(found.value).startswith("game mine: ")
    assert told in str(found.value)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("name", "answer", "checked"),
    [
        ("player", np.int64(1), 1),
        ("player", rl.CHANCE, rl.CHANCE),
        ("player", rl.TERMINAL, rl.TERMINAL),
        ("actions", ["a", "b"], ("a", "b")),
        ("chances", np.array([0.25, 0.75]), (0.25, 0.75)),
        ("chances", (1, 0), (1.0, 0.0)),
        ("chances", (1 / 3, 2 / 3 + 1e-12), (1 / 3, 2 / 3 + 1e-12)),
        ("payoff", np.array([3, -3]), (3.0, -3.0)),
        ("payoff", (x for x in (1, 2)), (1.0, 2.0)),
        ("view", "", ""),
    ],
)
def test_what_is_right_passes(name, answer, checked):
    found = check(name, answer)
    assert found == checked
    assert type(found) in (int, str, tuple)


def test_outcomes_of_chance_may_have_equal_names():
    assert checked_actions(GAME, Odd({"actions": ("a", "a")}), rl.CHANCE) == ("a", "a")


def test_errors_of_ours_pass_through():
    def refuse():
        raise IllegalMove("no")

    with pytest.raises(IllegalMove):
        check("child", refuse)


def test_a_game_without_end_is_stopped():
    with pytest.raises(TooLarge, match="does it end"):
        checked_child(GAME, Odd({"child": Odd()}), 0, MOST_DEPTH)


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (5, "must be a Game"),
        (rl.Game("", 2, Odd()), "must be a text"),
        (rl.Game("x", 0, Odd()), "must be 1 to 63"),
        (rl.Game("x", "2", Odd()), "players is '2'"),
        (rl.Game("x", True, Odd()), "players is True"),
        (rl.Game("x", 2, None), "root is None: must be a State"),
    ],
)
def test_frames_that_are_unsound(game, told):
    with pytest.raises(BadInput) as found:
        checked_game(game)
    assert told in str(found.value)


def test_a_sound_frame_passes():
    assert checked_game(GAME) is GAME


def test_zero_sum_is_judged_relative_to_the_largest_payoff():
    assert is_zero_sum(np.array([[1e9, 1e-4 - 1e9], [0.1, -0.1]]))  # rounding
    assert not is_zero_sum(np.array([[1e9, 10 - 1e9]]))
    assert not is_zero_sum(np.array([[1.0, 1e-4 - 1.0]]))
