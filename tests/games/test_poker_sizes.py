"""Deals of poker games: counted like enumerated, and folding suits changes nothing."""

from __future__ import annotations

import pytest
from enumeration import enumerated
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from regretless.core.errors import TooLarge
from regretless.games import kuhn, leduc
from regretless.games._betting import PokerRules
from regretless.games._poker import poker_game
from regretless.games._state import CHANCE, TERMINAL, Game, Sizes, State

LARGEST = 5_000  # nodes of a game that is worth enumerating here


def uniform_values(state: State) -> list[float]:
    """What everybody wins if every action is as likely as any other."""
    if state.player == TERMINAL:
        return list(state.payoff)
    count = len(state.actions)
    weights = state.chances if state.player == CHANCE else [1 / count] * count
    below = [uniform_values(state.child(index)) for index in range(count)]
    return [
        sum(weight * values[player] for weight, values in zip(weights, below, strict=True))
        for player in range(len(below[0]))
    ]


@st.composite
def small_rules(draw: st.DrawFn, *, least_suits: int = 1) -> PokerRules:
    players, rounds = draw(st.sampled_from([2, 2, 3])), draw(st.sampled_from([1, 2, 2, 3]))
    hole = draw(st.integers(1, 2)) if players == 2 else 1
    # At most three board cards: the more cards, the fewer trees are small.
    board = [draw(st.integers(0, 2)), *(draw(st.integers(0, 1)) for _ in range(rounds - 1))]
    needed = players * hole + sum(board)
    decks = [(r, s) for r in range(1, 7) for s in range(least_suits, 4)]
    ranks, suits = draw(st.sampled_from([d for d in decks if needed <= d[0] * d[1] <= needed + 2]))
    no_limit = draw(st.booleans())
    blinds = draw(st.lists(st.integers(0, 2), min_size=players, max_size=players))
    return PokerRules(
        players=players,
        ranks=ranks,
        suits=suits,
        hole=hole,
        board=tuple(board),
        blinds=tuple(blinds),
        first=tuple(draw(st.integers(0, players - 1)) for _ in range(rounds)),
        caps=(*(draw(st.integers(0, 1)) for _ in range(rounds - 1)), 2 if rounds == 1 else 1),
        raises=None if no_limit else (1,) * rounds,
        stacks=tuple(draw(st.integers(2, 4)) for _ in range(players)) if no_limit else (),
    )


@settings(max_examples=150, deadline=None)
@given(small_rules(), st.booleans())
def test_sizes_are_those_of_the_tree(rules: PokerRules, distinct: bool) -> None:
    game = poker_game("any", rules, suits_distinct=distinct)
    assert game.count is not None
    counted = game.count()
    assume(counted.nodes <= LARGEST)
    assert counted == enumerated(game)


@settings(max_examples=60, deadline=None)
@given(small_rules(least_suits=2))
def test_folding_suits_keeps_the_values(rules: PokerRules) -> None:
    distinct = poker_game("any", rules, suits_distinct=True)
    assert distinct.count is not None
    assume(distinct.count().nodes <= LARGEST)
    folded = poker_game("any", rules)
    assert uniform_values(folded.root) == pytest.approx(uniform_values(distinct.root))


@pytest.mark.parametrize(("board", "first"), [((0, 2), "99"), ((0, 3), "9c9d")])
def test_suits_are_folded_unless_five_cards_can_make_a_flush(
    board: tuple[int, ...], first: str
) -> None:
    rules = PokerRules(
        players=2,
        ranks=6,
        suits=4,
        hole=2,
        board=board,
        blinds=(1, 1),
        first=(0, 0),
        caps=(1, 1),
        raises=(1, 1),
    )
    assert poker_game("any", rules).root.actions[0] == first


PUBLISHED = [
    (kuhn.game(), Sizes(58, 30, (6, 6), (13, 13))),
    (leduc.game(suits_distinct=True), Sizes(9457, 5520, (468, 468), (1093, 1093))),
    (leduc.game(), Sizes(1939, 1116, (144, 144), (337, 337))),
]


@pytest.mark.parametrize(("game", "sizes"), PUBLISHED)
def test_published_sizes(game: Game, sizes: Sizes) -> None:
    assert game.count is not None
    assert game.count() == enumerated(game) == sizes


def test_uniform_play_has_known_values() -> None:
    assert uniform_values(kuhn.game().root) == pytest.approx([1 / 8, -1 / 8])
    three = [0.234375, -0.046875, -0.1875]
    assert uniform_values(kuhn.game(players=3).root) == pytest.approx(three)
    for distinct in (True, False):
        game = leduc.game(suits_distinct=distinct)
        assert uniform_values(game.root) == pytest.approx([-0.078125, 0.078125])


def test_limit_holdem_is_counted_without_being_built() -> None:
    rules = PokerRules(
        players=2,
        ranks=13,
        suits=4,
        hole=2,
        board=(0, 3, 1, 1),
        blinds=(10, 5),
        first=(1, 0, 0, 0),
        caps=(3, 4, 4, 4),
        raises=(10, 10, 20, 20),
    )
    game = poker_game("limit hold'em", rules)
    assert game.count is not None
    assert sum(game.count().decision_points) == 319_365_922_522_608  # Johanson 2013


def test_no_limit_without_stacks_is_refused() -> None:
    rules = PokerRules(
        players=2,
        ranks=3,
        suits=1,
        hole=1,
        board=(0,),
        blinds=(1, 1),
        first=(0,),
        caps=(9,),
    )
    game = poker_game("endless", rules)
    assert game.count is not None
    with pytest.raises(TooLarge):
        game.count()


@pytest.mark.parametrize("board", [(0, 1), (1, 1), (0, 0), (0, 1, 1)])
@pytest.mark.parametrize("distinct", [False, True])
def test_everybody_is_all_in_from_the_blinds(board, distinct):
    rounds = len(board)
    rules = PokerRules(
        players=2,
        ranks=3,
        suits=2,
        hole=1,
        board=board,
        blinds=(2, 2),
        first=(0,) * rounds,
        caps=(1,) * rounds,
        raises=None,
        stacks=(2, 2),
    )
    game = poker_game("any", rules, suits_distinct=distinct)
    assert game.count() == enumerated(game)
