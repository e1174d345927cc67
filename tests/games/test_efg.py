"""Extensive-form files: every corner of the grammar, every error, and round trips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.core.errors import BadFile, TooLarge, Unsuitable
from regretless.games import battle_of_the_sexes, blotto, kuhn, leduc, matching_pennies, rps
from regretless.games._efg import parse_efg, read_efg, to_efg
from regretless.games._gambit import chance_texts, distinct, number_text
from regretless.games._state import CHANCE, TERMINAL, Game, Sizes, State

HEAD = 'EFG 2 R "t" { "A" "B" }\n'

# A coin, then a bet seen by nobody; every part of the grammar that may be left out is, once.
SAMPLE = r"""EFG 2 D "A \"coin\" \\ a bet" { "Ann" "Bob" }
"A comment { with } marks, 1/2
over two lines"
c "coin" 7 "toss" { "heads" 1/4 "tails" .75 } 0
p "after heads" 1 3 "bet" { "go" "stay" } 0
  p "" 2 1 { "x" "y" } 4 "entry fee" { -1 , 1 }
    t "" 1 "win" { 1e1, -10.0 }
    t "" 2 { 1/3 -2/6 }
  t "" 0
p "after tails" 1 9 "" { "go" "stay" } 0
  p "" 2 1 4
    t "" 1
    t "" 2 "named later"
  c "" 8 { "only" 1 } 2 t "" 0
"""


def views(game: Game) -> dict[int, list[str]]:
    """Views of every player in prefix order."""
    found: dict[int, list[str]] = {player: [] for player in range(game.players)}
    for state in walk(game):
        if state.player >= 0:
            found[state.player].append(state.view(state.player))
    return found


def walk(game: Game) -> list[State]:
    states, stack = [], [game.root]
    while stack:
        state = stack.pop()
        states.append(state)
        stack += [state.child(index) for index in reversed(range(len(state.actions)))]
    return states


def assert_same(first: Game, second: Game, *, same_views: bool = True) -> None:
    """Equal trees, and equal views or at least the same nodes with equal views."""
    assert first.players == second.players
    ones, twos = walk(first), walk(second)
    assert len(ones) == len(twos)
    for one, two in zip(ones, twos, strict=True):
        assert one.player == two.player
        assert list(one.actions) == list(two.actions)
        assert list(two.chances) == pytest.approx(list(one.chances), rel=1e-14, abs=0)
        if one.player == TERMINAL:
            assert list(one.payoff) == list(two.payoff)
    one_views, two_views = views(first), views(second)
    if same_views:
        assert one_views == two_views
    for player in range(first.players):
        pairs = set(zip(one_views[player], two_views[player], strict=True))
        assert len(pairs) == len(set(one_views[player])) == len(set(two_views[player]))


# Reading


def test_sample_is_read() -> None:
    game = parse_efg(SAMPLE, "some/coin.efg")
    assert (game.spec, game.players) == ("some/coin.efg", 2)
    assert game.about == 'A "coin" \\ a bet'
    root = game.root
    assert (root.player, list(root.actions), list(root.chances)) == (
        CHANCE,
        ["heads", "tails"],
        [0.25, 0.75],
    )
    heads = root.play("heads")
    assert (heads.player, list(heads.actions), list(heads.chances)) == (0, ["go", "stay"], [])
    assert heads.view(0) == "bet"
    assert root.play("tails").view(0) == "9"
    assert heads.play("go").view(1) == root.play("tails").play("go").view(1) == "1"


def test_outcomes_on_the_way_are_added() -> None:
    root = parse_efg(SAMPLE, "coin.efg").root
    payoffs = [list(state.payoff) for state in walk(parse_efg(SAMPLE, "")) if not state.actions]
    assert payoffs == [
        [9.0, -9.0],
        [1 / 3 - 1, 1 - 1 / 3],
        [0.0, 0.0],
        [9.0, -9.0],
        [1 / 3 - 1, 1 - 1 / 3],
        [1 / 3, -1 / 3],
    ]
    assert list(root.play("tails").play("stay").play("only").payoff) == [1 / 3, -1 / 3]


def test_those_not_on_move_know_their_last_action() -> None:
    after = parse_efg(SAMPLE, "").root.play("heads").play("go")
    assert after.view(0) == "bet>go"
    assert after.play("y").view(1) == "1>y"
    assert parse_efg(SAMPLE, "").root.view(1) == ""


def test_sizes_are_known() -> None:
    game = parse_efg(SAMPLE, "")
    assert game.count is not None
    assert game.count() == Sizes(12, 6, (2, 1), (5, 3))


def test_white_space_does_not_matter() -> None:
    assert_same(parse_efg(SAMPLE, ""), parse_efg(SAMPLE.replace("\n", "\r\n\t "), ""))
    squeezed = 'EFG 2 R"t"{"A""B"}t""1"o"{1,2}'
    assert list(parse_efg(squeezed, "").root.payoff) == [1, 2]


def test_repeated_and_empty_names_get_numbers() -> None:
    node = 'p "" 1 {number} "{name}" {{ "a" "a" "" "a#1" }} 0\n' + 't "" 0\n' * 3
    names = ["x", "x", "", "y", "4", ""]
    text = HEAD + "".join(node.format(number=n + 1, name=name) for n, name in enumerate(names))
    game = parse_efg(text + 't "" 0', "")
    assert views(game)[0] == ["x#1", "x#2", "3", "y", "4", "6"]
    assert list(game.root.actions) == ["a#1'", "a#2", "3", "a#1"]


def test_numbers_of_information_sets_are_per_player() -> None:
    text = HEAD + 'p "" 1 1 "v" { "a" } 0 p "" 2 1 "v" { "b" "c" } 0 t "" 0 t "" 0'
    assert views(parse_efg(text, "")) == {0: ["v"], 1: ["v"]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3.0),
        ("-3", -3.0),
        ("+3", 3.0),
        ("3.", 3.0),
        (".5", 0.5),
        ("-.5e-1", -0.05),
        ("2.5E+3", 2500.0),
        ("1e400/1", None),
        ("10/4", 2.5),
        ("-1/3", -1 / 3),
        (f"{10**400}/{10**399}", 10.0),
        ("1e-999", 0.0),
    ],
)
def test_numbers(text: str, value: float | None) -> None:
    source = f'EFG 2 R "" {{ "A" }} t "" 1 "" {{ {text} }}'
    if value is None:
        with pytest.raises(BadFile):
            parse_efg(source, "")
    else:
        assert list(parse_efg(source, "").root.payoff) == [value]


def test_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "untitled.efg"
    path.write_bytes(b'\xef\xbb\xbfEFG 2 R "" { "J\xc3\xb6rg" }\r\nt "" 1 "" { 1 }')
    game = read_efg(path)
    assert (game.spec, game.about) == (str(path), "untitled.efg")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"nowhere\.efg: no such file"):
        read_efg(tmp_path / "nowhere.efg")
    path = tmp_path / "latin.efg"
    path.write_bytes(b'EFG 2 R "J\xf6rg"')
    with pytest.raises(BadFile, match=r"latin\.efg: not an \.efg file: byte 11 is not UTF-8"):
        read_efg(path)


# Errors

PAIR = 't "" 1 "" { 1, 2 }\n'
MALFORMED = [
    ("", 1, 1, "the file ends: expected EFG"),
    ("\n\n", 1, 1, "the file ends: expected EFG"),
    ("NFG 1", 1, 1, "found 'NFG': expected EFG"),
    ('"EFG" 2', 1, 1, "expected EFG"),
    ("EFG 3", 1, 5, "found '3': expected 2"),
    ("EFG 2 Q", 1, 7, "found 'Q': expected R or D"),
    ("EFG 2 R title", 1, 9, "found 'title': expected a title in quotes"),
    ('EFG 2 R "title', 1, 9, "a string is never closed"),
    ('EFG 2 R "title\\"', 1, 9, "a string is never closed"),
    ('EFG 2 R "t" "A"', 1, 13, "expected '{' before a player"),
    ('EFG 2 R "t" { }', 1, 15, "found '}': expected a player in quotes"),
    ('EFG 2 R "t" { "A" 2 }', 1, 19, "found '2': expected '}' or a player"),
    ('EFG 2 R "t" { "A"\n\n', 1, 18, "the file ends: expected '}' or a player"),
    (HEAD, 1, 24, "the file ends: expected c or p or t"),
    (HEAD + "q", 2, 1, "found 'q': expected c or p or t"),
    (HEAD + "t 1", 2, 3, "expected the name of a node in quotes"),
    (HEAD + 't "" one', 2, 6, "found 'one': expected the number of an outcome"),
    (HEAD + 't "" 1.5', 2, 6, "found '1.5': expected the number of an outcome"),
    (HEAD + 't "" 1', 2, 6, "outcome 1 is new here: expected its payoffs"),
    (HEAD + 't "" 0 "" { 0, 0 }', 2, 8, "expected the end of the file"),
    (HEAD + 't "" 1 "" { 1 }', 2, 15, "found '}': expected payoff 2 of 2"),
    (HEAD + 't "" 1 "" { 1, 2, 3 }', 2, 19, "found '3': expected '}' after 2 payoffs"),
    (HEAD + 't "" 1 "" { 1,, 2 }', 2, 15, "found ',': expected payoff 2 of 2"),
    (HEAD + 't "" 1 "" { 1, 2', 2, 17, "the file ends: expected '}'"),
    (HEAD + 't "" 1 "" { 1, 1.2.3 }', 2, 16, "found '1.2.3': expected payoff 2 of 2, such as"),
    (HEAD + 't "" 1 "" { 1, 1/0 }', 2, 16, "found '1/0': expected payoff 2"),
    (HEAD + 't "" 1 "" { 1, 1/-2 }', 2, 16, "found '1/-2': expected payoff 2"),
    (HEAD + 't "" 1 "" { 1, nan }', 2, 16, "found 'nan': expected payoff 2"),
    (HEAD + 't "" 1 "" { 1, inf }', 2, 16, "found 'inf': expected payoff 2"),
    (HEAD + 't "" 1 "" { 1, ٣ }', 2, 16, "found '٣': expected payoff 2"),
    (HEAD + 't "" 1 "" { 1, 1_0 }', 2, 16, "found '1_0': expected payoff 2"),
    (HEAD + 't "" 1 "" { 1, 1e999 }', 2, 16, "'1e999' is too large"),
    (HEAD + f't "" 1 "" {{ 1, {10**400}/3 }}', 2, 16, "is too large"),
    (HEAD + f't "" {"9" * 30} "" {{ 1, 2 }}', 2, 6, "expected the number of an outcome"),
    (HEAD + PAIR + "more", 3, 1, "found 'more': expected the end of the file"),
    (HEAD + PAIR + PAIR, 3, 1, "found 't': expected the end of the file"),
    (HEAD + PAIR + '"unclosed', 3, 1, "a string is never closed"),
    (HEAD + 'p "" 0 1 "" { "a" } 0', 2, 6, "player 0: must be 1 to 2"),
    (HEAD + 'p "" 3 1 "" { "a" } 0', 2, 6, "player 3: must be 1 to 2"),
    (HEAD + 'p "" A 1 "" { "a" } 0', 2, 6, "found 'A': expected the number of a player"),
    (HEAD + 'p "" 1 "" { "a" } 0', 2, 8, "expected the number of an information set"),
    (HEAD + 'p "" 1 5 "" 0', 2, 8, "information set 5 is new here: expected its actions"),
    (HEAD + 'p "" 1 1 "" { } 0', 2, 15, "found '}': expected an action in quotes"),
    (HEAD + 'p "" 1 1 "" { "a" 1/2 } 0', 2, 19, "found '1/2': expected '}' or an action"),
    (HEAD + 'p "" 1 1 "" { "a" "b" } 0\n' + PAIR, 3, 19, "the file ends: expected c or p or t"),
    (HEAD + 'p "" 1 1 { "a" "b" } 0\np "" 1 1 { "a" } 0', 3, 10, "1 actions in information set 1"),
    (
        HEAD + 'p "" 1 1 { "a" "b" } 0\np "" 1 1 { "a" "c" } 0',
        3,
        10,
        "action 'c' in information set 1: expected 'b' as before",
    ),
    (
        HEAD + 'p "" 1 1 { "a" "b" } 0\n' + PAIR + 't "" 1 { 1, 3 }',
        4,
        8,
        "different payoffs in outcome 1",
    ),
    (HEAD + 'c "" 1 "" { } 0', 2, 13, "found '}': expected an action in quotes"),
    (HEAD + 'c "" 1 "" { "a" } 0', 2, 17, "found '}': expected a probability"),
    (HEAD + 'c "" 1 "" { "a" 1/2 "b" 1/3 } 0', 2, 11, "sum to 0.833333333333: expected 1"),
    (HEAD + 'c "" 1 "" { "a" 3/2 "b" -1/2 } 0', 2, 25, "probability -1/2: expected 0 or more"),
    (HEAD + 'c "" 1 0', 2, 6, "information set 1 is new here"),
    (
        HEAD + 'c "" 1 { "a" 1 "b" 0 } 0\nc "" 1 { "a" 0 "b" 1 } 0',
        3,
        8,
        "different probabilities in information set 1: expected the same as before",
    ),
    (
        HEAD + 'p "" 1 1 "" { "a" } 1 "" { 1e308 0 }\nt "" 1',
        3,
        6,
        "the payoffs on the path to this node overflow",
    ),
]


@pytest.mark.parametrize(("text", "line", "column", "problem"), MALFORMED)
def test_malformed(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(BadFile) as caught:
        parse_efg(text, "bad.efg")
    message = str(caught.value)
    assert message.startswith(f"bad.efg:{line}:{column}: ")
    assert (caught.value.line, caught.value.column) == (line, column)
    assert problem in message
    assert "\n" not in message


def test_messages_stay_short() -> None:
    with pytest.raises(BadFile) as caught:
        parse_efg("x\u2028y" * 1000, "bad.efg")
    assert len(str(caught.value)) < 100


# Writing


def test_kuhn_begins_as_in_a_gambit_file() -> None:
    lines = to_efg(kuhn.game(), "Kuhn").splitlines()
    assert lines[:6] == [
        'EFG 2 R "Kuhn" { "Player 1" "Player 2" }',
        '""',
        "",
        'c "" 1 "" { "Q" 1/3 "K" 1/3 "A" 1/3 } 0',
        'c "" 2 "" { "K" 1/2 "A" 1/2 } 0',
        lines[5],
    ]
    assert lines[5].startswith('p "" 1 1 "Q:" { ')


@pytest.mark.parametrize(
    "game",
    [
        kuhn.game(),
        kuhn.game(players=3),
        leduc.game(),
        leduc.game(players=3, ranks=2, cap=1),
        rps.game(),
        matching_pennies.game(heads=1 / 3, tails=math.pi),
        battle_of_the_sexes.game(),
        blotto.game(soldiers=3),
    ],
    ids=lambda game: game.about,
)
def test_games_round_trip(game: Game) -> None:
    text = to_efg(game)
    back = parse_efg(text, "back.efg")
    assert_same(game, back)
    assert back.about == game.about
    assert back.count is not None
    assert game.count is not None
    assert back.count() == game.count()
    assert to_efg(back) == text


def test_sample_round_trips() -> None:
    game = parse_efg(SAMPLE, "")
    assert_same(game, parse_efg(to_efg(game), ""))


def test_depth_is_no_problem() -> None:
    depth = 20_000
    text = HEAD + 'p "" 1 1 "" { "on" "off" } 0\n' * depth + 't "" 0\n' * (depth + 1)
    game = parse_efg(text, "")
    assert len(walk(game)) == 2 * depth + 1
    again = to_efg(game)
    assert to_efg(parse_efg(again, "")) == again
    with pytest.raises(BadFile, match="the file ends"):
        parse_efg(text[: len(text) // 2], "")


def test_games_that_are_no_files() -> None:
    class Forgetful(Node):
        def view(self, player: int) -> str:
            return ""

    end = Node(TERMINAL, payoff=(0.0,))
    two = Forgetful(0, ["a", "b"], [end, end])
    with pytest.raises(Unsuitable, match="view '' has actions"):
        to_efg(Game("forgetful", 1, Forgetful(0, ["a"], [two])))
    with pytest.raises(Unsuitable, match="nan in a game"):
        to_efg(Game("nan", 1, Node(TERMINAL, payoff=(math.nan,))))
    with pytest.raises(Unsuitable, match=r"probabilities sum to 0\.5"):
        to_efg(Game("half", 1, Node(CHANCE, ["a"], [end], chances=[0.5])))
    with pytest.raises(TooLarge, match="nodes: a file can have at most"):
        to_efg(leduc.game(ranks=13, suits=4, cap=30))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (-2.0, "-2"),
        (0.1, "1/10"),
        (1 / 3, "1/3"),
        (math.pi, "3.141592653589793"),
        (1e-17, "1e-17"),
        (1e300, "1e300"),
        (1 / 2598960, repr(1 / 2598960)),
        (1234567.5, "1234567.5"),
        (1234567.0, "1234567"),
    ],
)
def test_number_texts(value: float, text: str) -> None:
    assert number_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None)
def test_numbers_round_trip(value: float) -> None:
    text = f'EFG 2 R "" {{ "A" }} t "" 1 "" {{ {number_text(value)} }}'
    assert list(parse_efg(text, "").root.payoff) == [value]


def test_probabilities_are_fractions_that_add_up() -> None:
    assert chance_texts((1 / 3, 1 / 3, 1 / 3)) == ("1/3", "1/3", "1/3")
    assert chance_texts((0.1 + 0.2, 0.7)) == ("3/10", "7/10")  # 0.30000000000000004
    assert chance_texts((math.pi / 4, 1 - math.pi / 4))[1] == repr(1 - math.pi / 4)
    assert chance_texts((1e-20, 1.0)) == ("1e-20", "0.99999999999999999999")


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9).filter(any))
@settings(deadline=None)
def test_probabilities_add_up_exactly(weights: list[float]) -> None:
    chances = [weight / math.fsum(weights) for weight in weights]
    texts = chance_texts(tuple(chances))
    assert sum(map(Fraction, texts)) == 1
    assert [float(Fraction(text)) for text in texts] == pytest.approx(chances, rel=1e-14, abs=0)


@given(st.lists(st.sampled_from(["", "a", "b", "1", "2", "a#1", "a#1'", "b#2"]), max_size=12))
@settings(deadline=None)
def test_distinct_names(names: list[str]) -> None:
    texts = distinct(names, range(1, len(names) + 1))
    assert len(set(texts)) == len(names)
    for name, text in zip(names, texts, strict=True):
        assert text == name if name and names.count(name) == 1 else text != ""


# Properties over random trees and random damage


class Node(State):
    """A tree written down by hand."""

    player: int = TERMINAL
    actions: Sequence[str] = ()
    chances: Sequence[float] = ()
    payoff: Sequence[float] = ()

    def __init__(
        self,
        player: int,
        actions: Sequence[str] = (),
        children: Sequence[Node] = (),
        *,
        chances: Sequence[float] = (),
        name: str = "",
        payoff: Sequence[float] = (),
    ) -> None:
        self.player, self.actions, self.children = player, actions, children
        self.chances, self.name, self.payoff = chances, name, payoff

    def child(self, index: int) -> Node:
        return self.children[index]

    def view(self, player: int) -> str:
        return self.name


PLAYERS = 3
WORDS = st.text(alphabet='ab"\\{},#1/ \n\tçß', max_size=4)
NUMBERS = st.one_of(
    st.integers(-9, 9).map(float),
    st.floats(-1e6, 1e6),
    st.fractions(-9, 9, max_denominator=99).map(float),
)
TERMINALS = st.tuples(*[NUMBERS] * PLAYERS).map(lambda won: Node(TERMINAL, payoff=won))


def chance_nodes(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    def build(kids: list[Node], names: list[str], weights: list[float]) -> Node:
        total = math.fsum(weights[: len(kids)])
        chances = [weight / total for weight in weights[: len(kids)]]
        return Node(CHANCE, names[: len(kids)], kids, chances=chances)

    return st.builds(
        build,
        st.lists(children, min_size=1, max_size=4),
        st.lists(WORDS.filter(bool), min_size=4, max_size=4, unique=True),
        st.lists(st.one_of(st.integers(1, 5), st.floats(1e-3, 1)), min_size=4, max_size=4),
    )


def decision_nodes(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    def build(kids: list[Node], player: int, name: str) -> Node:
        # The name says how many actions there are, so equal views have equal actions.
        actions = [f"{name}{index}" for index in range(len(kids))]
        return Node(player, actions, kids, name=f"{name}{len(kids)}")

    return st.builds(
        build, st.lists(children, min_size=1, max_size=3), st.integers(0, PLAYERS - 1), WORDS
    )


TREES = st.recursive(
    TERMINALS, lambda nodes: chance_nodes(nodes) | decision_nodes(nodes), max_leaves=12
)


@given(TREES, WORDS)
@settings(deadline=None)
def test_random_trees_round_trip(root: Node, title: str) -> None:
    game = Game("random", PLAYERS, root)
    text = to_efg(game, title)
    back = parse_efg(text, "back.efg")
    assert_same(game, back)
    assert back.about == (title or "back.efg")


TEXTS = [SAMPLE, to_efg(kuhn.game()), to_efg(rps.game())]
PIECES = st.sampled_from(
    ["{", "}", ",", '"', "\\", "\n", "0", "1", "-1", "1/0", "1e999", "9" * 20, "p", "c", "t", '""']
)


def parsed(text: str) -> Game | BadFile:
    try:
        return parse_efg(text, "fuzz.efg")
    except BadFile as error:
        return error


def assert_parses_or_is_bad(text: str) -> None:
    found = parsed(text)
    if isinstance(found, Game):
        assert_same(found, parse_efg(to_efg(found), ""))
        return
    lines = text.split("\n")
    assert 1 <= found.line <= len(lines)
    assert 1 <= found.column <= len(lines[found.line - 1]) + 1
    assert len(str(found).splitlines()) == 1


@given(st.text(max_size=200) | st.lists(PIECES | WORDS, max_size=40).map(" ".join))
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
        end = min(len(text), start + data.draw(st.integers(0, 20)))
        text = text[:start] + data.draw(PIECES | WORDS) + text[end:]
    assert_parses_or_is_bad(text)
