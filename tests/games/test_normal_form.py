"""Games in normal form as states, and the classic ones against what is published."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, IllegalMove
from regretless.games import (
    battle_of_the_sexes,
    biased_rps,
    blotto,
    matching_pennies,
    prisoners_dilemma,
    rps,
)
from regretless.games._normal_form import NormalFormState, normal_form_game
from regretless.games._state import TERMINAL, Game, Sizes

CLASSICS = [
    rps.game(),
    biased_rps.game(),
    matching_pennies.game(),
    prisoners_dilemma.game(),
    battle_of_the_sexes.game(),
    blotto.game(),
]
ZERO_SUM = ["rps", "biased_rps", "matching_pennies", "blotto"]

# Equilibria: the game, both strategies, both values, the source.
PUBLISHED = [
    (rps.game(), "1/3 1/3 1/3", "1/3 1/3 1/3", "0 0", "von Neumann & Morgenstern 1944"),
    (biased_rps.game(), "1/16 10/16 5/16", "1/16 10/16 5/16", "0 0", "OpenSpiel, matrix_brps"),
    (matching_pennies.game(), "1/2 1/2", "1/2 1/2", "0 0", "von Neumann & Morgenstern 1944"),
    (matching_pennies.game(heads=3), "1/3 2/3", "1/3 2/3", "1/3 -1/3", "its docstring"),
    (prisoners_dilemma.game(), "0 1", "0 1", "1 1", "Axelrod 1984"),
    (battle_of_the_sexes.game(), "1 0", "1 0", "2 1", "Luce & Raiffa 1957"),
    (battle_of_the_sexes.game(), "0 1", "0 1", "1 2", "Luce & Raiffa 1957"),
    (battle_of_the_sexes.game(), "2/3 1/3", "1/3 2/3", "2/3 2/3", "Luce & Raiffa 1957"),
    (battle_of_the_sexes.game(apart=-1), "3/5 2/5", "2/5 3/5", "1/5 1/5", "Luce & Raiffa 1957"),
]


def tables(game: Game) -> Floats:
    assert isinstance(game.root, NormalFormState)
    return game.root.table.payoffs


def fractions(text: str) -> Floats:
    return np.array([float(Fraction(word)) for word in text.split()])


# States


def test_players_choose_in_turn_and_see_nothing() -> None:
    payoffs = np.arange(3 * 2 * 3 * 2).reshape(3, 2, 3, 2)
    state = normal_form_game("three", payoffs).root
    for player, action in enumerate(["2", "3", "1"]):
        assert state.player == player
        assert [state.view(other) for other in range(3)] == ["choose"] * 3
        assert list(state.chances) == []
        state = state.play(action)
    assert (state.player, list(state.actions)) == (TERMINAL, [])
    assert list(state.payoff) == payoffs[:, 1, 2, 0].tolist()
    assert all(type(won) is float for won in state.payoff)
    with pytest.raises(IllegalMove, match="'1': legal actions are none"):
        state.play("1")


def test_sizes_are_known() -> None:
    game = normal_form_game("three", np.zeros((3, 2, 3, 4)))
    assert game.count is not None
    assert game.count() == Sizes(1 + 2 + 6 + 24, 24, (1, 1, 1), (3, 4, 5))


def test_tables_are_copied_and_frozen() -> None:
    payoffs = np.zeros((2, 2, 2))
    game = normal_form_game("zeros", payoffs)
    payoffs[:] = 1
    assert not tables(game).any()
    with pytest.raises(ValueError, match="read-only"):
        tables(game)[0, 0, 0] = 1


@pytest.mark.parametrize(
    ("payoffs", "actions", "problem"),
    [
        (1.0, None, "players=0: must be 1 to 63"),
        ([], None, "players=0"),
        ([1.0, 2.0], None, "payoffs of shape (2,): 2 players need 3 dimensions"),
        (np.zeros((2, 2, 0)), None, "actions of player 2=0: must be 1 to"),
        ([[[1.0]], [[np.nan]]], None, "payoffs contain infinity or NaN"),
        (
            np.zeros((2, 1, 2)),
            [["a"], ["b"]],
            "got names for (1, 1) actions: the payoffs need (1, 2)",
        ),
        (np.zeros((2, 1, 2)), [["a"]], "got names for (1,) actions: the payoffs need (1, 2)"),
        (np.zeros((2, 1, 2)), [["a"], ["b", "b"]], "actions of player 2: a name is used twice"),
    ],
)
def test_bad_tables(payoffs: Floats, actions: Sequence[Sequence[str]] | None, problem: str) -> None:
    with pytest.raises(BadParameter) as caught:
        normal_form_game("bad", payoffs, actions)
    assert problem in str(caught.value)


# Classic games


@pytest.mark.parametrize("game", CLASSICS, ids=lambda game: game.spec)
def test_classics_are_games_of_two(game: Game) -> None:
    assert game.players == 2
    assert game.about
    assert (game.spec in ZERO_SUM) == (not tables(game).sum(axis=0).any())


@pytest.mark.parametrize("game", CLASSICS, ids=lambda game: game.spec)
def test_classics_are_symmetric(game: Game) -> None:
    first, second = tables(game)
    if game.spec == "battle_of_the_sexes":  # symmetric but for the names of the evenings
        first = first[::-1, ::-1]
    if game.spec != "matching_pennies":
        assert (first == second.T).all()


@pytest.mark.parametrize(("game", "row", "column", "values", "source"), PUBLISHED)
def test_published_equilibria(game: Game, row: str, column: str, values: str, source: str) -> None:
    first, second = tables(game)
    x, y, (u, v) = fractions(row), fractions(column), fractions(values)
    assert x @ first @ y == pytest.approx(u, abs=1e-12)
    assert x @ second @ y == pytest.approx(v, abs=1e-12)
    assert (first @ y).max() == pytest.approx(u, abs=1e-12)
    assert (x @ second).max() == pytest.approx(v, abs=1e-12)


def test_defecting_dominates() -> None:
    first, _ = tables(prisoners_dilemma.game())
    assert (first[1] > first[0]).all()


@pytest.mark.parametrize(("soldiers", "fields"), [(0, 1), (5, 1), (5, 2), (4, 3), (2, 6)])
def test_blotto_lists_every_way(soldiers: int, fields: int) -> None:
    game = blotto.game(soldiers=soldiers, fields=fields)
    ways = [tuple(map(int, name.split("-"))) for name in game.root.actions]
    assert len(set(ways)) == len(ways) == comb(soldiers + fields - 1, fields - 1)
    assert all(sum(way) == soldiers and len(way) == fields for way in ways)


def test_blotto_pays_by_field_or_by_majority() -> None:
    three = blotto.game(soldiers=5).root.play("2-3-0").play("1-1-3")
    assert list(three.payoff) == [1, -1]
    four = {majority: blotto.game(fields=4, majority=majority) for majority in (False, True)}
    assert list(four[False].root.play("2-2-1-0").play("1-1-0-3").payoff) == [2, -2]
    assert list(four[True].root.play("2-2-1-0").play("1-1-0-3").payoff) == [1, -1]
    assert list(four[True].root.play("2-2-1-0").play("2-1-0-2").payoff) == [1, -1]
    assert list(four[True].root.play("2-2-1-0").play("1-2-2-0").payoff) == [0, 0]


@pytest.mark.parametrize(
    ("make", "parameters", "problem"),
    [
        (biased_rps.game, {"paper": -1}, "paper=-1: must be 0 to 1,000,000"),
        (matching_pennies.game, {"heads": float("nan")}, "heads=nan: must be"),
        (prisoners_dilemma.game, {"reward": 6}, "temptation=5.0: must be 6 to"),
        (prisoners_dilemma.game, {"punishment": 4}, "reward=3.0: must be 4 to 5"),
        (prisoners_dilemma.game, {"sucker": 2}, "punishment=1.0: must be 2 to 3"),
        (battle_of_the_sexes.game, {"other": 3}, "favourite=2.0: must be 3 to"),
        (battle_of_the_sexes.game, {"apart": 1.5}, "other=1.0: must be 1.5 to 2"),
        (blotto.game, {"soldiers": -1}, "soldiers=-1: must be 0 to 1,000"),
        (blotto.game, {"fields": 0}, "fields=0: must be 1 to 20"),
        (blotto.game, {"soldiers": 100}, "ways to spread the soldiers=5151: must be 1 to 2,000"),
    ],
)
def test_parameters_out_of_range(
    make: Callable[..., Game], parameters: dict[str, float], problem: str
) -> None:
    with pytest.raises(BadParameter) as caught:
        make(**parameters)
    assert str(caught.value).startswith(problem)


# OpenSpiel has the same games.


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("matrix_rps", rps.game()),
        ("matrix_brps", biased_rps.game()),
        ("matrix_mp", matching_pennies.game()),
        ("matrix_pd", prisoners_dilemma.game(temptation=10, reward=5)),
        ("matrix_bos", battle_of_the_sexes.game(favourite=3, other=2)),
        ("blotto(coins=4,fields=4)", blotto.game(soldiers=4, fields=4, majority=True)),
    ],
)
def test_tables_of_openspiel(name: str, game: Game) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.extensive_to_matrix_game(pyspiel.load_game(name))
    first, second = tables(game)
    assert (np.array(theirs.row_utilities()) == first).all()
    assert (np.array(theirs.col_utilities()) == second).all()
