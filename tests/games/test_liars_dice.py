"""Liar's dice against OpenSpiel's, state by state, and by hand where OpenSpiel stops."""

from __future__ import annotations

import pytest
from enumeration import enumerated

from regretless.core.errors import BadParameter, IllegalMove
from regretless.games import liars_dice
from regretless.games._openspiel import read_openspiel
from regretless.games._state import CHANCE, TERMINAL, Sizes, State


def play(state: State, *actions: str) -> State:
    for action in actions:
        state = state.play(action)
    return state


# --- OpenSpiel


@pytest.mark.parametrize("faces", [2, 3, 4])
def test_one_die_is_openspiels_tree(faces: int) -> None:
    ours = liars_dice.game(faces=faces)
    theirs = read_openspiel(f"openspiel:liars_dice(dice_sides={faces})")
    assert enumerated(ours) == enumerated(theirs)
    names: dict[tuple[int, str], str] = {}
    stack = [(ours.root, theirs.root)]
    while stack:
        mine, other = stack.pop()
        assert mine.player == other.player
        assert list(mine.chances) == list(other.chances)
        assert len(mine.actions) == len(other.actions)
        if mine.player == TERMINAL:
            assert mine.payoff == other.payoff
            assert sum(mine.payoff) == 0
        elif mine.player != CHANCE:
            # Same text there, same text here.
            key = (mine.player, other.view(mine.player))
            assert names.setdefault(key, mine.view(mine.player)) == mine.view(mine.player)
            spoken = [name.replace("x", "-").replace("liar", "Liar") for name in mine.actions]
            assert spoken == list(other.actions)
        stack += [(mine.child(i), other.child(i)) for i in range(len(mine.actions))]


def rolled(state: State, chance: float, dice: list[str]) -> list[tuple[State, float, list[str]]]:
    """Every state of OpenSpiel's after all rolls, its probability, and the dice in order."""
    if state.player != CHANCE:
        return [(state, chance, dice)]
    found = []
    for index, name in enumerate(state.actions):
        die = name.removeprefix("Roll ")
        found += rolled(state.child(index), chance * state.chances[index], [*dice, die])
    return found


@pytest.mark.parametrize("faces", [2, 3])
def test_two_dice_are_openspiels_game_with_unordered_rolls(faces: int) -> None:
    ours = liars_dice.game(dice=2, faces=faces)
    theirs = read_openspiel(f"openspiel:liars_dice(numdice=2,dice_sides={faces})")
    chances: dict[str, float] = {}
    for other, chance, dice in rolled(theirs.root, 1.0, []):
        rolls = "".join(sorted(dice[:2])), "".join(sorted(dice[2:]))
        chances["|".join(rolls)] = chances.get("|".join(rolls), 0) + chance
        # Bids are the same for every roll, so only the ends have to be compared.
        stack = [(play(ours.root, *rolls), other)] if faces == 2 or dice[0] == "1" else []
        while stack:
            mine, other = stack.pop()
            assert mine.player == other.player
            if mine.player == TERMINAL:
                assert mine.payoff == other.payoff
            stack += [(mine.child(i), other.child(i)) for i in range(len(mine.actions))]
    for first, p in zip(ours.root.actions, ours.root.chances, strict=True):
        for second, q in zip(ours.root.actions, ours.root.chances, strict=True):
            assert chances[f"{first}|{second}"] == pytest.approx(p * q)


# --- by hand


@pytest.mark.parametrize(
    "options",
    [
        {"faces": 2},
        {"faces": 4},
        {"dice": 2, "faces": 2},
        {"players": 3, "faces": 2},
        {"players": 3, "faces": 3},
        {"players": 4, "faces": 2},
        {"players": 5, "faces": 2},
    ],
)
def test_sizes_are_those_of_the_tree(options: dict[str, int]) -> None:
    game = liars_dice.game(**options)
    assert game.count is not None
    assert game.count() == enumerated(game)


def test_sizes_of_the_usual_game() -> None:
    count = liars_dice.game().count
    assert count is not None
    assert count() == Sizes(294_883, 147_420, (12_288, 12_288), (24_571, 24_571))


def test_names_of_moves_and_views() -> None:
    game = liars_dice.game(dice=2)
    assert game.root.actions[:7] == ("11", "12", "13", "14", "15", "16", "22")
    assert game.root.chances[:2] == (1 / 36, 2 / 36)
    state = play(game.root, "35", "16")
    assert state.actions[:6] == ("1x1", "1x2", "1x3", "1x4", "1x5", "1x6")
    assert state.actions[-1] == "4x6"
    state = play(state, "1x4", "1x5")
    assert (state.view(0), state.view(1)) == ("35|1x4 1x5", "16|1x4 1x5")
    assert state.player == 0
    assert state.actions[:2] == ("1x6", "2x1")
    assert state.actions[-1] == "liar"
    with pytest.raises(IllegalMove):
        state.play("1x5")
    with pytest.raises(IllegalMove):
        play(game.root, "35", "16", "liar")
    assert play(state, "4x6").actions == ("liar",)


def test_a_roll_is_hidden_from_the_others() -> None:
    root = liars_dice.game().root
    assert play(root, "3", "1", "1x1").view(1) == play(root, "6", "1", "1x1").view(1)


@pytest.mark.parametrize(
    ("rolls", "bids", "payoff"),
    [
        (("3", "6"), ("2x3",), (1, -1)),  # a six is wild
        (("6", "6"), ("2x1",), (1, -1)),
        (("3", "6"), ("2x6",), (-1, 1)),
        (("3", "4"), ("1x3", "1x4"), (-1, 1)),
        (("3", "4"), ("1x3", "2x4"), (1, -1)),
        (("2", "2", "5"), ("1x5", "2x2"), (0, 1, -1)),
        (("2", "2", "5"), ("1x5", "2x2", "3x2"), (1, 0, -1)),
        (("2", "2", "5"), ("1x1", "1x2", "1x3", "1x4"), (-1, 1, 0)),
    ],
)
def test_who_pays(rolls: tuple[str, ...], bids: tuple[str, ...], payoff: tuple[int, ...]) -> None:
    over = play(liars_dice.game(players=len(rolls)).root, *rolls, *bids, "liar")
    assert over.player == TERMINAL
    assert over.actions == ()
    assert over.payoff == payoff


def test_states_are_frozen() -> None:
    root = liars_dice.game().root
    with pytest.raises(AttributeError):
        root.bid = 3  # type: ignore[attr-defined]
    assert root.child(2) == root.child(2) != root.child(3)


@pytest.mark.parametrize("options", [{"players": 1}, {"dice": 0}, {"faces": 1}, {"faces": 10}])
def test_parameters_have_ranges(options: dict[str, int]) -> None:
    with pytest.raises(BadParameter, match=f"{next(iter(options))}=.*must be"):
        liars_dice.game(**options)
