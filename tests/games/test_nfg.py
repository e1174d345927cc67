"""Normal-form files: both bodies, every error, and round trips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from regretless.core.arrays import Floats
from regretless.core.errors import BadFile, Unsuitable
from regretless.games import battle_of_the_sexes, biased_rps, blotto, kuhn, prisoners_dilemma, rps
from regretless.games._nfg import parse_nfg, read_nfg, to_nfg
from regretless.games._normal_form import NormalFormState, PayoffTable, normal_form_game
from regretless.games._state import Game

HEAD = 'NFG 1 R "t" { "A" "B" } '
NUMBERS = "1 -1 2 -2 3 -3 4 -4 5 -5 6 -6"
FIRST = [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]  # the first player's strategy moves fastest


def table(game: Game) -> PayoffTable:
    assert isinstance(game.root, NormalFormState)
    return game.root.table


def payoffs(text: str) -> Floats:
    return table(parse_nfg(text, "some.nfg")).payoffs


# Reading


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "{ 2 3 } " + NUMBERS,
        HEAD + '{ 2 3 }\n"A comment"\n' + NUMBERS.replace(" ", "\n"),
        HEAD + "{ 2 3 } " + NUMBERS.replace(" ", ", "),
        HEAD + '{ { "a" "b" } { "c" "d" "e" } } ' + NUMBERS,
        HEAD + '{ { "a" "b" } { "c" "d" "e" } } "A comment" ' + NUMBERS,
        HEAD
        + '{ { "a" "b" } { "c" "d" "e" } } "A comment" { { "" 6, -6 } { "o" 1 -1 } { "" 2/1 -2e0 }'
        + ' { "" 3.0, -3. } { "" 4, -4 } { "unused" 9, 9 } { "" 5 -5 } } 2 3 4 5 7 1',
    ],
    ids=["numbers", "comment", "commas", "names", "names and comment", "outcomes"],
)
def test_bodies_say_the_same(text: str) -> None:
    first, second = payoffs(text)
    assert first.tolist() == FIRST
    assert (second == -first).all()


def test_strategies_are_named() -> None:
    text = HEAD + '{ { "a" "b" } { "c" "c" "" } } ' + NUMBERS
    assert table(parse_nfg(text, "")).actions == (("a", "b"), ("c#1", "c#2", "3"))
    assert table(parse_nfg(HEAD + "{ 2 3 } " + NUMBERS, "")).actions == (
        ("1", "2"),
        ("1", "2", "3"),
    )


def test_outcome_zero_is_nothing() -> None:
    text = HEAD + '{ 2 2 } { { "win" 1, -1 } } 1 0 0 1'
    assert payoffs(text)[0].tolist() == [[1, 0], [0, 1]]
    assert payoffs(HEAD + "{ 1 1 } { } 0").tolist() == [[[0]], [[0]]]


def test_one_and_three_players() -> None:
    assert payoffs('NFG 1 D "" { "A" } { 3 } 1 .5 1/3').tolist() == [[1, 0.5, 1 / 3]]
    numbers = " ".join(str(number) for number in range(3 * 2 * 3 * 4))
    found = payoffs('NFG 1 R "" { "A" "B" "C" } { 2 3 4 } ' + numbers)
    assert found.shape == (3, 2, 3, 4)
    assert found[1, 1, 2, 3] == 1 + 3 * (1 + 2 * (2 + 3 * 3))


def test_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "two.nfg"
    path.write_text('NFG 1 R "" { "A" "B" } { 1 1 } 1 2', encoding="utf-8")
    game = read_nfg(path)
    assert (game.spec, game.about, game.players) == (str(path), "two.nfg", 2)
    assert list(game.root.play("1").play("1").payoff) == [1, 2]
    with pytest.raises(BadFile, match="is a directory"):
        read_nfg(tmp_path)


# Errors

MALFORMED = [
    ("", 1, 1, "the file ends: expected NFG"),
    ('EFG 2 R "t"', 1, 1, "found 'EFG': expected NFG"),
    ("NFG 2", 1, 5, "found '2': expected 1"),
    (HEAD, 1, 24, "the file ends: expected '{' before the strategies"),
    (HEAD + "1 2", 1, 25, "found '1': expected '{' before the strategies"),
    (HEAD + "{ 2", 1, 28, "the file ends: expected the number of strategies of player 2"),
    (HEAD + "{ 2 }", 1, 29, "found '}': expected the number of strategies of player 2"),
    (HEAD + "{ 2 2 2 }", 1, 31, "found '2': expected '}' after the strategies of 2 players"),
    (HEAD + "{ 2 0 }", 1, 29, "0 strategies: expected 1 or more"),
    (HEAD + "{ 2 -1 }", 1, 29, "-1 strategies: expected 1 or more"),
    (HEAD + "{ 2 1.5 }", 1, 29, "found '1.5'"),
    (HEAD + '{ { "a" } }', 1, 35, "found '}': expected '{' before a strategy"),
    (HEAD + '{ { "a" } { } }', 1, 37, "found '}': expected a strategy in quotes"),
    (HEAD + '{ { "a" } { 1 } }', 1, 37, "found '1': expected a strategy in quotes"),
    (HEAD + '{ { "a" } { "b" } { "c" } }', 1, 43, "found '{': expected '}' after the strategies"),
    (HEAD + "{ 1 2 }\n1 2 3", 2, 6, "the file ends: expected payoff 2 of 2 of combination 2 of 2"),
    (HEAD + "{ 1 2 }\n1 2 3 x", 2, 7, "found 'x': expected payoff 2 of 2"),
    (HEAD + "{ 1 2 }\n1 2 3 4 5", 2, 9, "found '5': expected the end of the file"),
    (HEAD + "{ 1 2 }\n1 2 3 1e999", 2, 7, "'1e999' is too large"),
    (HEAD + "{ 1 2 }\n1 2 3 1/0", 2, 7, "found '1/0': expected payoff 2"),
    (HEAD + '{ 1 2 } "c" "d"', 1, 37, "found '\"d\"': expected payoff 1"),
    (
        HEAD + "{ 999999999999999999 999999999999999999 } 1",
        1,
        68,
        "the file ends: expected payoff 2",
    ),
    (HEAD + "{ 1 2 }\n{ { 1, 2 } } 1 1", 2, 5, "found '1': expected the name of an outcome"),
    (HEAD + '{ 1 2 }\n{ { "o" 1 } } 1 1', 2, 11, "found '}': expected payoff 2 of 2"),
    (HEAD + '{ 1 2 }\n{ { "o" 1 2 3 } } 1 1', 2, 13, "found '3': expected '}' after 2 payoffs"),
    (HEAD + '{ 1 2 }\n{ "o" 1 2 } 1 1', 2, 3, "found '\"o\"': expected '{' before an outcome"),
    (HEAD + '{ 1 2 }\n{ { "o" 1 2 } } 1 2', 2, 19, "outcome 2: must be 0 to 1"),
    (HEAD + '{ 1 2 }\n{ { "o" 1 2 } } 1 -1', 2, 19, "outcome -1: must be 0 to 1"),
    (
        HEAD + '{ 1 2 }\n{ { "o" 1 2 } } 1 1.0',
        2,
        19,
        "found '1.0': expected the number of an outcome",
    ),
    (
        HEAD + '{ 1 2 }\n{ { "o" 1 2 } } 1',
        2,
        18,
        "the file ends: expected the number of an outcome",
    ),
    (HEAD + '{ 1 2 }\n{ { "o" 1 2 } } 1 1 1', 2, 21, "found '1': expected the end of the file"),
    ('NFG 1 R "" { ' + '""' * 64 + " } { 1", 1, 145, "64 players: expected at most 63"),
]


@pytest.mark.parametrize(("text", "line", "column", "problem"), MALFORMED)
def test_malformed(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(BadFile) as caught:
        parse_nfg(text, "bad.nfg")
    message = str(caught.value)
    assert message.startswith(f"bad.nfg:{line}:{column}: ")
    assert problem in message
    assert "\n" not in message


# Writing


def test_rps_as_written() -> None:
    assert to_nfg(rps.game(), "RPS").splitlines() == [
        'NFG 1 R "RPS" { "Player 1" "Player 2" }',
        "",
        "{",
        '{ "rock" "paper" "scissors" }',
        '{ "rock" "paper" "scissors" }',
        "}",
        '""',
        "",
        *["0 0", "1 -1", "-1 1", "-1 1", "0 0", "1 -1", "1 -1", "-1 1", "0 0"],
    ]


@pytest.mark.parametrize(
    "game",
    [
        rps.game(),
        biased_rps.game(rock=1 / 3, scissors=0.1),
        prisoners_dilemma.game(),
        battle_of_the_sexes.game(apart=-1),
        blotto.game(soldiers=4, fields=3),
    ],
    ids=lambda game: game.spec,
)
def test_games_round_trip(game: Game) -> None:
    back = parse_nfg(to_nfg(game), "back.nfg")
    assert table(back).actions == table(game).actions
    assert (table(back).payoffs == table(game).payoffs).all()
    assert back.about == game.about


def test_other_games_are_refused() -> None:
    with pytest.raises(Unsuitable, match=r"kuhn is not in normal form: write it as \.efg"):
        to_nfg(kuhn.game())


SHAPES = st.lists(st.integers(1, 3), min_size=1, max_size=4).map(
    lambda counts: (len(counts), *counts)
)
TABLES = SHAPES.flatmap(
    lambda shape: arrays.arrays(np.float64, shape, elements=st.floats(-1e300, 1e300))
)


@given(TABLES, st.text(alphabet='a"\\{},\n', max_size=5))
@settings(deadline=None)
def test_random_tables_round_trip(values: Floats, name: str) -> None:
    actions = [[f"{name}{index}" for index in range(count)] for count in values.shape[1:]]
    game = normal_form_game("random", values, actions)
    back = parse_nfg(to_nfg(game, name), "back.nfg")
    assert table(back).actions == table(game).actions
    assert (table(back).payoffs == values).all()
    assert back.about == (name or "back.nfg")


# Random damage

TEXTS = [
    to_nfg(rps.game()),
    HEAD + "{ 2 3 } " + NUMBERS,
    HEAD + '{ { "a" "b" } { "c" } } "" { { "" 6, -6 } { "o" 1/2 -1e-3 } } 1 2',
]
PIECES = st.sampled_from(["{", "}", ",", '"', "\\", "\n", "0", "1", "-1", "1/0", "1e999", "9" * 18])


def assert_parses_or_is_bad(text: str) -> None:
    try:
        game = parse_nfg(text, "fuzz.nfg")
    except BadFile:
        return
    back = parse_nfg(to_nfg(game), "")
    assert (table(back).payoffs == table(game).payoffs).all()


@given(st.text(max_size=200) | st.lists(PIECES, max_size=40).map(" ".join))
@settings(deadline=None)
def test_any_text_parses_or_is_bad(text: str) -> None:
    assert_parses_or_is_bad(text)
    assert_parses_or_is_bad(HEAD + text)


@given(st.data())
@settings(deadline=None, max_examples=300)
def test_damaged_files_parse_or_are_bad(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 10)))
        text = text[:start] + data.draw(PIECES) + text[end:]
    assert_parses_or_is_bad(text)
