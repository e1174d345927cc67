"""The betting engine: real dealer transcripts, rules by hand, and random play."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.cards.deck import RANKS, SUITS
from regretless.cards.ranking import strength
from regretless.core.errors import BadParameter, IllegalMove, TooLarge
from regretless.games._betting import Betting, PokerRules

DATA = Path(__file__).parents[1] / "data" / "acpc"
HOLDEM: dict[str, Any] = {"players": 2, "ranks": 13, "suits": 4, "hole": 2, "board": (0, 3, 1, 1)}
LIMIT_2P = PokerRules(
    **HOLDEM,
    blinds=(10, 5),
    first=(1, 0, 0, 0),
    caps=(3, 4, 4, 4),
    raises=(10, 10, 20, 20),
)
NO_LIMIT_2P = PokerRules(
    **HOLDEM,
    blinds=(100, 50),
    first=(1, 0, 0, 0),
    caps=(255,) * 4,
    stacks=(20000, 20000),
)
KUHN_3P = PokerRules(
    players=3,
    ranks=4,
    suits=1,
    hole=1,
    board=(0,),
    blinds=(1, 1, 1),
    first=(0,),
    caps=(1,),
    raises=(1,),
)
TRANSCRIPTS = [("limit2p", LIMIT_2P), ("nolimit2p", NO_LIMIT_2P), ("kuhn3p", KUHN_3P)]


def no_limit(*, blinds: tuple[int, ...], stacks: tuple[int, ...] = (), rounds: int = 1) -> Betting:
    """Betting of a no-limit game in which position 0 opens every round."""
    rules = PokerRules(
        players=len(blinds),
        ranks=13,
        suits=4,
        hole=1,
        board=(0,) * rounds,
        blinds=blinds,
        first=(0,) * rounds,
        caps=(255,) * rounds,
        stacks=stacks,
    )
    return rules.start()


def replay(betting: Betting, text: str) -> Betting:
    for action in re.findall(r"[fc]|r\d*", text):
        betting = betting.act(action)
    return betting


def facts(betting: Betting) -> dict[str, object]:
    return {name: getattr(betting, name) for name in Betting.__slots__ if name != "__dict__"}


def cards(text: str) -> list[tuple[int, int]]:
    return [(RANKS.index(rank), SUITS.index(suit)) for rank, suit in re.findall("(.)(.)", text)]


# --- what the real dealer did


@pytest.mark.parametrize(("name", "rules"), TRANSCRIPTS)
def test_messages_of_the_dealer(name: str, rules: PokerRules) -> None:
    betting, hand = rules.start(), 0
    for line in (DATA / f"{name}.txt").read_text().splitlines():
        found = re.match(r"(TO|FROM) (\d) MATCHSTATE:(\d):(\d+):([^:]*):([^:]*):?(.*)", line)
        if not found:
            continue
        direction, seat, position, number, history, shown, action = found.groups()
        if int(number) > hand:
            assert betting.over
            betting, hand = rules.start(), int(number)
        assert history == betting.history
        assert int(position) == (int(seat) - 1 - hand) % rules.players
        boards = shown.split("/")[1:]
        assert [len(board) // 2 for board in boards] == list(rules.board[1 : betting.round + 1])
        if direction == "FROM":
            assert betting.actor == int(position)
            betting = betting.act(action)
    assert betting.over


@pytest.mark.parametrize(("name", "rules"), TRANSCRIPTS)
def test_payoffs_of_the_dealer(name: str, rules: PokerRules) -> None:
    states = re.findall(r"^STATE:\d+:(.*?):(.*?):(.*?):", (DATA / f"{name}.txt").read_text(), re.M)
    assert len(states) >= 3
    for history, shown, values in states:
        betting = replay(rules.start(), history)
        assert betting.over
        assert betting.history == history
        holes, _, board = shown.partition("/")
        strengths = [strength(cards(hole + board.replace("/", ""))) for hole in holes.split("|")]
        assert betting.settle(strengths) == tuple(map(float, values.split("|")))


# --- rules by hand


def test_all_in_jumps_to_the_last_round() -> None:
    after = replay(NO_LIMIT_2P.start(), "r20000c")
    assert after.history == "r20000c///"
    assert (after.round, after.over, after.actor, after.moves) == (3, True, -1, ())


def test_fold_ends_the_hand_where_it_is() -> None:
    after = replay(NO_LIMIT_2P.start(), "cc/r300f")
    assert (after.history, after.round, after.over) == ("cc/r300f", 1, True)
    assert after.settle([None, None]) == (100, -100)


def test_big_blind_may_raise_after_a_call() -> None:
    limped = LIMIT_2P.start().act("call")
    assert (limped.round, limped.actor) == (0, 0)
    assert [move.name for move in limped.moves] == ["check", "raise"]


def test_blinds_are_no_raise_and_the_cap_counts_raises() -> None:
    capped = replay(LIMIT_2P.start(), "rrr")
    assert capped.spent == (30, 40)
    assert [move.name for move in capped.moves] == ["fold", "call"]
    capped = replay(LIMIT_2P.start(), "cc/rrrr")
    assert capped.raise_range() is None
    assert capped.spent == (40, 50)


def test_no_fold_without_a_debt() -> None:
    with pytest.raises(IllegalMove, match=r"^'fold': legal actions are check, bet 2 to 10$"):
        no_limit(blinds=(1, 1), stacks=(10, 10)).act("fold")


@pytest.mark.parametrize(
    ("history", "low"),
    [("", 200), ("r300", 500), ("r300r1000", 1700), ("cc/", 200), ("r300c/", 400)],
)
def test_smallest_raise(history: str, low: int) -> None:
    betting = replay(NO_LIMIT_2P.start(), history)
    assert betting.raise_range() == (low, 20000)
    with pytest.raises(IllegalMove, match=rf"{low} to 20000$"):
        betting.act(f"r{low - 1}")
    with pytest.raises(IllegalMove):
        betting.act("r20001")


def test_smallest_raise_without_blinds_is_one_chip() -> None:
    start = no_limit(blinds=(0, 0), stacks=(9, 9), rounds=2)
    assert start.raise_range() == (1, 9)
    assert replay(start, "r4c/").raise_range() == (5, 9)


def test_short_all_in_is_legal_keeps_the_minimum_and_reopens() -> None:
    start = no_limit(blinds=(0, 100, 0), stacks=(2000, 350, 2000))
    raised = start.act("r300")
    assert raised.raise_range() == (350, 350)  # 500 would be needed, 350 is all there is
    short = raised.act("raise 350")
    assert short.raise_range() == (500, 2000)
    reopened = short.act("c")
    assert (reopened.actor, reopened.raise_range()) == (0, (500, 2000))


def test_nobody_to_raise_against() -> None:
    betting = no_limit(blinds=(1, 1), stacks=(20, 50)).act("r20")
    assert [move.name for move in betting.moves] == ["fold", "call"]


def test_short_call_is_all_in() -> None:
    betting = replay(no_limit(blinds=(1, 1), stacks=(50, 20)), "r50c")
    assert betting.spent == (50, 20)
    assert betting.settle([0, 1]) == (-20, 20)  # the uncalled 30 come back


def test_blind_can_be_all_in() -> None:
    start = no_limit(blinds=(5, 10), stacks=(5, 30), rounds=2)
    assert start.actor == 1
    assert replay(start, "c").history == "c/"
    assert no_limit(blinds=(5, 10), stacks=(5, 10), rounds=3).history == "//"


def test_at_most_64_actions_in_a_round() -> None:
    betting = no_limit(blinds=(1, 1), stacks=(10**6, 10**6))
    while (limits := betting.raise_range()) is not None:
        betting = betting.act(f"r{limits[0]}")
    assert betting.history.count("r") == 63


def test_raises_without_stacks_are_played_but_not_listed() -> None:
    betting = no_limit(blinds=(1, 2))
    assert betting.act("r300").spent == (300, 2)
    with pytest.raises(TooLarge, match="raise sizes"):
        _ = betting.choices


@pytest.mark.parametrize("text", ["", "x", "r", "r-5", "raise", "k", "300", "c ", "r" + "9" * 5000])
def test_nonsense_is_an_illegal_move(text: str) -> None:
    capped = replay(LIMIT_2P.start(), "rrr")
    with pytest.raises(IllegalMove, match=r"legal actions are fold, call$"):
        capped.act(text)


def test_nothing_is_legal_after_the_end() -> None:
    with pytest.raises(IllegalMove, match="legal actions are none"):
        LIMIT_2P.start().act("f").act("c")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": 1}, "players=1: must be 2 to 10"),
        ({"blinds": (10,)}, "blinds: got 1 value, expected 2"),
        ({"blinds": (10, -1)}, "blind of position 2=-1"),
        ({"first": (2, 0, 0, 0)}, "first player of round 1=3: must be 1 to 2"),
        ({"ranks": 2}, "need 9 cards: the deck has 8"),
        ({"raises": (0, 1, 1, 1)}, "raise size of round 1=0"),
    ],
)
def test_rules_that_contradict_themselves(changes: dict[str, object], message: str) -> None:
    given = {"blinds": (10, 5), "first": (1, 0, 0, 0), "caps": (3,) * 4, "raises": (1,) * 4}
    with pytest.raises(BadParameter, match=re.escape(message)):
        PokerRules(**(HOLDEM | given | changes))


# --- pots

# Everybody has paid an ante of one chip: stacks, actions, strengths, what everybody wins.
POTS = [
    ((10, 20, 20), "r10r20c", (3, 2, 1), (20, 0, -20)),  # the short stack wins its pot only
    ((10, 20, 20), "r10r20c", (2, 2, 1), (5, 15, -20)),
    ((10, 20, 20), "r10r20c", (3, 2, 2), (20, -10, -10)),
    ((10, 20, 20), "r10r20c", (1, 1, 1), (0, 0, 0)),
    ((10, 20, 40), "ccr40cc", (3, 2, 1), (20, 0, -20)),  # twenty chips come back uncalled
    ((10, 20, 30, 30), "r10r20r30c", (4, 3, 2, 1), (30, 10, -10, -30)),
    ((10, 20, 30, 30), "r10r20r30c", (1, 2, 3, 4), (-10, -20, -30, 60)),
    ((10, 20, 30, 30), "r10r20r30c", (4, 4, 1, 4), (10 / 3, 25 / 3, -30, 55 / 3)),
    # Folders pay for every pot they are in, whatever they held.
    ((10, 20, 20, 20), "r10cr20ff", (1, 9, 0, 9), (21, -10, -10, -1)),
    ((10, 20, 20, 20), "r10cr20ff", (1, 9, 1, 9), (5.5, -10, 5.5, -1)),
    ((10, 10, 10, 10), "cr5ccf", (9, 1, 1, 1), (-1, 1 / 3, 1 / 3, 1 / 3)),  # no odd-chip rule
    ((10, 10, 10), "r5ff", (0, 1, 1), (2, -1, -1)),
]


@pytest.mark.parametrize(("stacks", "history", "strengths", "payoffs"), POTS)
def test_pots(
    stacks: tuple[int, ...], history: str, strengths: tuple[int, ...], payoffs: tuple[float, ...]
) -> None:
    betting = replay(no_limit(blinds=(1,) * len(stacks), stacks=stacks), history)
    assert betting.over
    assert betting.settle(strengths) == pytest.approx(payoffs)


# --- any rules, any play


@st.composite
def any_rules(draw: st.DrawFn) -> PokerRules:
    players, rounds = draw(st.integers(2, 5)), draw(st.integers(1, 4))
    chips = st.integers(0, 4)
    each = st.lists(chips, min_size=players, max_size=players)
    blinds = draw(each)
    deep = draw(st.sampled_from([0, 1, 10, 50]))
    stacks = [blind + deep + more for blind, more in zip(blinds, draw(each), strict=True)]

    def per_round(values: st.SearchStrategy[int]) -> tuple[int, ...]:
        return tuple(draw(st.lists(values, min_size=rounds, max_size=rounds)))

    return PokerRules(
        players=players,
        ranks=13,
        suits=4,
        hole=1,
        board=(0,) * rounds,
        blinds=tuple(blinds),
        first=per_round(st.integers(0, players - 1)),
        caps=(*per_round(st.sampled_from([0, 1, 3, 255]))[:-1], 3),
        raises=draw(st.one_of(st.none(), st.just((2,) * rounds))),
        stacks=tuple(stacks),
    )


@settings(max_examples=250, deadline=None)
@given(any_rules(), st.randoms(use_true_random=False))
def test_any_play_ends_pays_zero_in_all_and_can_be_read_back(
    rules: PokerRules, random: Random
) -> None:
    betting = rules.start()
    for _ in range(64 * rules.rounds + 1):
        if betting.over:
            break
        assert betting.can_act(betting.actor)
        assert [child.history for child in betting.children] == [
            betting.act(move.name).history for move in betting.choices
        ]
        index = random.choice([0, 1, -1, random.randrange(len(betting.choices))])
        betting = betting.children[index % len(betting.choices)]
    assert betting.over
    assert betting.moves == ()
    assert all(spent <= stack for spent, stack in zip(betting.spent, rules.stacks, strict=True))
    won = betting.settle([random.randrange(3) for _ in range(rules.players)])
    assert sum(won) == pytest.approx(0)
    assert all(chips >= -spent for chips, spent in zip(won, betting.spent, strict=True))
    assert facts(replay(rules.start(), betting.history)) == facts(betting)


@settings(max_examples=100, deadline=None)
@given(any_rules(), st.randoms(use_true_random=False))
def test_moves_are_exactly_what_the_rules_allow(rules: PokerRules, random: Random) -> None:
    betting = rules.start()
    while not betting.over:
        owed = max(betting.spent) > betting.spent[betting.actor]
        letters = [move.letter for move in betting.moves]
        assert letters == sorted(letters, key="fcr".index)
        assert ("f" in letters) == owed
        assert letters.count("c") == 1
        limits = betting.raise_range()
        raises = [move.total for move in betting.choices if move.letter == "r"]
        assert raises == (list(range(limits[0], limits[1] + 1)) if limits else [])
        assert all(total > max(betting.spent) for total in raises)
        assert letters.count("r") == bool(raises)
        for move in betting.moves:
            assert betting.act(move.name).history == betting.act(move.letter).history
            if move.letter == "r":
                assert list(range(move.total, move.high + 1)) == raises
                with pytest.raises(IllegalMove):
                    betting.act(f"r{move.high + 1}")
            else:
                assert move.high == move.total
        betting = random.choice(betting.children)


def test_replay_tells_hand_position_action_and_what_was_legal():
    limit = PokerRules(
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
    for text in ("", "r", "rc/", "rc/cc/cc/crc", "rrrf"):
        assert limit.replay(text).history == text
    with pytest.raises(IllegalMove) as told:
        limit.replay("rc/f", hand=31)
    assert (
        str(told.value)
        == "hand 31, position 1, betting 'rc/f': action 'f': legal actions are check, bet"
    )
    for wrong in ("rrrr", "rc", "r/c", "x", "rc//", "ffc", "rrrfc"):
        with pytest.raises(IllegalMove, match="hand 7"):
            limit.replay(wrong, hand=7)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"ranks": 2, "suits": 1}, "the deck has 2"),
        ({"stacks": (1, 9), "blinds": (2, 2)}, "must be 0 to 1"),
        ({"first": ()}, "first player: got 0 values, expected 1"),
        ({"first": (2,)}, "must be 1 to 2"),
        ({"caps": (0,), "blinds": (0, 0)}, "there is nothing to play for"),
        ({"raises": (0,)}, "must be 1 to"),
        ({"hole": 4}, "must be 1 to 3"),
        ({"board": (0,) * 5}, "must be 1 to 4"),
    ],
)
def test_contradictory_rules_are_refused(changes, told):
    rules = {
        "players": 2,
        "ranks": 3,
        "suits": 1,
        "hole": 1,
        "board": (0,),
        "blinds": (1, 1),
        "first": (0,),
        "caps": (1,),
        "raises": (1,),
    }
    if changes.get("suits"):
        changes = changes | {"board": (1,)}
    with pytest.raises(BadParameter) as error:
        PokerRules(**rules | changes)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("stacks", [(200, 100), (100, 200)])
def test_nobody_raises_to_what_is_already_bet(stacks: tuple[int, int]) -> None:
    """The longer stack puts the shorter one all-in: it can call or fold, and no more."""
    spot = rl.spot(
        board="Td9d6hQc2s",
        pot=200,
        stacks=stacks,
        ranges={"oop": "random", "ip": "random"},
        bets="50%,a",
        raises="2.5x,a",
    )
    for history in ("r100", "cr100"):
        names = [move.name for move in spot.rules.replay(history).moves]
        assert names == ["fold", "call"]
