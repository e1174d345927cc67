"""ACPC game definitions: what they mean, and what is wrong with bad ones."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest
from acpc_text import write_rules
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.core.errors import BadFile
from regretless.games import kuhn, leduc
from regretless.games._acpc import SkippedLine, parse_rules, read_acpc
from regretless.games._betting import NO_CAP, NO_LIMIT_STACK, PokerRules

LEDUC = """\
# the suits of this deck never matter
GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""
KUHN_3P = """\
limit
numplayers 3
numrounds 1
blind 1 1 1
raisesize 1
maxraises 1
numsuits 1
numranks 4
numholecards 1
numboardcards 0
"""
NO_LIMIT = """\
nolimit
numPlayers = 3
numRounds = 4
stack = 20000 15000 300
blind = 50 100 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
"""


def parse(text: str) -> PokerRules:
    return parse_rules(text, "my.game")


def changed(old: str, new: str, *, text: str = LEDUC) -> str:
    assert old in text
    return text.replace(old, new)


# --- what they mean


def test_our_games_have_definitions(tmp_path: Path) -> None:
    for name, text, ours in [
        ("leduc.game", LEDUC, leduc.game()),
        ("kuhn.game", KUHN_3P, kuhn.game(players=3)),
    ]:
        path = tmp_path / name
        path.write_text(text)
        game = read_acpc(path)
        assert (game.spec, game.players) == (str(path), ours.players)
        assert game.count is not None
        assert ours.count is not None
        assert game.count() == ours.count()


def test_no_limit() -> None:
    rules = parse(NO_LIMIT)
    assert rules.raises is None
    assert rules.stacks == (20000, 15000, 300)
    assert rules.first == (2, 0, 0, 0)
    assert rules.caps == (NO_CAP,) * 4
    assert rules.start().actor == 2


def test_defaults() -> None:
    rules = parse(changed("maxRaises = 2 2\n", "").replace("limit\n", ""))
    assert rules.first == (0, 0)
    assert rules.caps == (NO_CAP, NO_CAP)
    assert rules.stacks == (NO_LIMIT_STACK, NO_LIMIT_STACK)
    assert rules.raises == (2, 4)


@pytest.mark.parametrize(
    "text",
    [
        LEDUC.upper(),
        LEDUC.lower(),
        LEDUC.replace(" = ", " "),
        LEDUC.replace(" = ", "="),
        LEDUC.replace(" = ", "\t"),
        LEDUC.replace("\n", "\r\n"),
        LEDUC.replace("\n", "  \n\n"),
        LEDUC.rstrip(),
        LEDUC + "numPlayers = nonsense\n",  # the end is the end
        LEDUC.replace("END GAMEDEF", "end GameDef of Leduc") + "blind = 5\n",
        LEDUC.replace("GAMEDEF\n", "", 1),
        changed("blind = 1 1", "blind = 1 1 # antes"),
        changed("limit", "nolimit\nlimit"),
        changed("blind = 1 1", "blind = 9 9 9\nblind = 1 1"),  # the last one wins
        changed("raiseSize = 2 4", "raiseSize = +2 004"),
    ],
)
def test_ways_to_write_the_same(text: str) -> None:
    assert parse(text) == parse(LEDUC)


def test_last_line_of_a_key_wins() -> None:
    assert parse(changed("blind = 1 1", "blind = 1 1\nblind = 3 3")).blinds == (3, 3)


def test_raise_sizes_mean_nothing_in_no_limit() -> None:
    assert parse(NO_LIMIT + "raiseSize = 1 2\n") == parse(NO_LIMIT)


def test_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "bom.game"
    path.write_text(KUHN_3P, encoding="utf-8-sig")
    assert read_acpc(path).players == 3


@pytest.mark.parametrize("line", ["numPlayer = 2", " blind = 5 5", "// Leduc", "rake = 3"])
def test_unknown_lines_are_skipped_aloud(line: str) -> None:
    with pytest.warns(SkippedLine) as caught:
        rules = parse(f"{LEDUC[: LEDUC.index('END')]}{line}\n\n")
    assert rules == parse(LEDUC)
    assert [str(warning.message) for warning in caught] == [
        f"my.game:13:1: skipped {line!r}: no known key"
    ]


# --- what is wrong

BAD = [
    (changed("numPlayers = 2", "numPlayers = two"), 4, 14, "got 'two', expected a whole number"),
    (changed("numPlayers = 2", "numPlayers = 2.5"), 4, 14, "got '2.5'"),
    (changed("numPlayers = 2", "numPlayers = 11"), 4, 14, "got 11, must be 2 to 10"),
    (changed("numPlayers = 2", "numPlayers ="), 4, 13, "got 0 values, expected 1"),
    (changed("numPlayers = 2", "numPlayers"), 4, 11, "got 0 values, expected 1"),
    (changed("numPlayers = 2", "numPlayers = 2 3"), 4, 16, "got 2 values, expected 1"),
    (changed("numRounds = 2", "numRounds = 5"), 5, 13, "must be 1 to 4"),
    (changed("numRounds = 2", "numRounds = 9999999999"), 5, 13, "must be 1 to 4"),
    (changed("blind = 1 1", "blind = 1"), 6, 10, "blind: got 1 value, expected 2"),
    (changed("blind = 1 1", "blind = 1 # 1"), 6, 10, "blind: got 1 value, expected 2"),
    (changed("blind = 1 1", "blind = 1 1 1"), 6, 13, "blind: got 3 values, expected 2"),
    (changed("blind = 1 1", "blind = 1 -1"), 6, 11, "got -1, must be 0 to "),
    (changed("blind = 1 1", "blinds = 1 1"), 6, 6, "got 's'"),
    (changed("raiseSize = 2 4", "raiseSize = 2 0"), 7, 15, "got 0, must be 1 to "),
    (changed("maxRaises = 2 2", "maxRaises = 2 256"), 8, 15, "got 256, must be 0 to 255"),
    (changed("numSuits = 2", "numSuits = 5"), 9, 12, "must be 1 to 4"),
    (changed("numRanks = 3", "numRanks = 14"), 10, 12, "must be 1 to 13"),
    (changed("numHoleCards = 1", "numHoleCards = 0"), 11, 16, "must be 1 to 3"),
    (changed("numBoardCards = 0 1", "numBoardCards = 0 x"), 12, 19, "got 'x'"),
    (changed("numBoardCards = 0 1", "numBoardCards = " + "9" * 5000), 12, 17, "whole number"),
]


@pytest.mark.parametrize(("text", "line", "column", "problem"), BAD, ids=[case[3] for case in BAD])
def test_mistakes_have_a_place(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(BadFile, match=re.escape(problem)) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"my.game:{line}:{column}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (changed("numRanks = 3\n", ""), "my.game: missing: numRanks"),
        (changed("raiseSize = 2 4\n", ""), "missing: raiseSize"),
        (changed("blind = 1 1\n", "").replace("numSuits = 2\n", ""), "missing: blind, numSuits"),
        ("", "missing: numPlayers, numRounds, blind, raiseSize, numSuits"),
        (changed("numRanks = 3", "numRanks = 1"), "need 3 cards: the deck has 2"),
        (changed("blind = 1 1", "blind = 1 1\nstack = 1 0"), "blind of position 2=1: must be"),
        (changed("maxRaises", "firstPlayer = 3 1\nmaxRaises"), "first player of round 1=3"),
    ],
)
def test_contradictions_name_themselves(text: str, problem: str) -> None:
    with pytest.raises(BadFile, match=re.escape(problem)):
        parse(text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such file"):
        read_acpc(tmp_path / "absent.game")
    with pytest.raises(BadFile, match="is a directory"):
        read_acpc(tmp_path)
    binary = tmp_path / "binary.game"
    binary.write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(BadFile, match="not a game definition: byte 1 is not UTF-8"):
        read_acpc(binary)


# --- any rules, any text


@st.composite
def any_rules(draw: st.DrawFn) -> PokerRules:
    players, rounds = draw(st.integers(2, 10)), draw(st.integers(1, 4))

    def many(count: int, low: int, high: int) -> tuple[int, ...]:
        return tuple(draw(st.integers(low, high)) for _ in range(count))

    return PokerRules(
        players=players,
        ranks=draw(st.integers(11, 13)),
        suits=4,
        hole=draw(st.integers(1, 3)),
        board=many(rounds, 0, 3),
        blinds=many(players, 0, 100),
        first=many(rounds, 0, players - 1),
        caps=draw(st.sampled_from([(NO_CAP,) * rounds, (*many(rounds - 1, 0, NO_CAP), 1)])),
        raises=draw(st.sampled_from([None, many(rounds, 1, 100)])),
        stacks=draw(st.sampled_from([(), many(players, 100, NO_LIMIT_STACK)])),
    )


@settings(deadline=None)
@given(any_rules())
def test_written_rules_read_back(rules: PokerRules) -> None:
    assert parse(write_rules(rules)) == rules


PIECES = st.one_of(
    st.sampled_from([*re.findall(r"\S+", LEDUC), "=", "\n", " "]), st.text(max_size=4)
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=30), st.integers(0, len(LEDUC)))
def test_any_text_is_rules_or_a_bad_file(pieces: list[str], cut: int) -> None:
    text = LEDUC[:cut] + "".join(pieces) + LEDUC[cut:]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkippedLine)
        try:
            rules = parse(text)
        except BadFile:
            return
    assert parse(write_rules(rules)) == rules
