"""One-on-one on sampled boards: over all boards of a small deck it is the exact expected value."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from random_buckets import Buckets

from regretless.core.errors import BadParameter, Unsuitable, WrongGame
from regretless.evaluation import joint_betting
from regretless.evaluation.exploitability import evaluate
from regretless.evaluation.meeting import Meeting
from regretless.evaluation.one_on_one import Histories, one_on_one
from regretless.forms.choice import form_of
from regretless.forms.form import own, size
from regretless.games._betting import Menu, PokerRules
from regretless.games._poker import poker_game
from regretless.games._settling import Rake
from regretless.strategy.strategy import Strategy
from regretless.strategy.translation import Translation
from regretless.strategy.tree_walk import TreeWalk, tokens


def rules(*, hole: int = 2, bets=(2, 6), board=(0, 2, 1), stack: int = 10) -> PokerRules:
    return PokerRules(
        players=2,
        ranks=4,
        suits=2,
        hole=hole,
        board=board,
        blinds=(2, 1),
        first=(1, *(0,) * (len(board) - 1)),
        caps=(2,) * len(board),
        menus=(Menu(bets, bets),) * len(board) if bets else (),
        stacks=(stack, stack),
    )


def as_strategy(form, seats) -> Strategy:
    """Both players' probabilities at every decision point of the full game."""
    table = cache(lambda one, history: one.table(one.rules.replay(history)))
    bucket = cache(lambda one, hand, board: one.map.of(hand, board))
    behaviour = np.zeros(size(form))
    behaviour[form.plex.roots[:-1]] = 1.0
    for player, one in enumerate(seats):
        mine = behaviour[own(form, player)]
        for point in form.points(player):
            cards, _, history = point.label.partition(":")
            hand, *boards = cards.split("/")
            mine[point.sequences] = table(one, history)[bucket(one, hand, "".join(boards))]
    return Strategy(form, behaviour)


def all_boards(meeting: Meeting):
    shown, begin = meeting.cards.shown, 0
    for cards in permutations(range(meeting.cards.deck), shown):
        parts, begin = [], 0
        for count in meeting.rules.board:
            parts.append(cards[begin : begin + count])
            begin += count
        if all(part == tuple(sorted(part)) for part in parts):
            yield tuple(parts)


@pytest.mark.parametrize(
    "given",
    [rules(bets=(4,)), rules(hole=1, board=(0, 3, 1), bets=(4,))],
    ids=["two cards", "one card"],
)
def test_all_boards_of_a_small_deck_are_the_exact_value(given: PokerRules) -> None:
    first, second = Buckets(given, 1), Buckets(given, 2)
    meeting = Meeting(first, second)
    values = np.array([meeting.values(dealt) for dealt in all_boards(meeting)])
    form = form_of(poker_game("small", given, suits_distinct=True))
    exact = [
        evaluate(as_strategy(form, seats)).values for seats in ((first, second), (second, first))
    ]
    assert values[:, 0].mean() == pytest.approx(exact[0][0], abs=1e-5)
    assert values[:, 1].mean() == pytest.approx(exact[1][1], abs=1e-5)
    assert abs(exact[0][0]) > 1e-2


def test_sampled_boards_and_histories_agree_with_all_boards() -> None:
    given = rules()
    first, second = Buckets(given, 1), Buckets(given, 2)
    meeting = Meeting(first, second)
    exact = np.mean([meeting.values(dealt) for dealt in all_boards(meeting)])
    sampled = one_on_one(first, second, boards=300, seed=5)
    assert abs(sampled.mean - exact) < 1.5 * sampled.half_width
    drawn = one_on_one(first, second, boards=300, seed=6, histories=40)
    assert abs(drawn.mean - exact) < 1.5 * drawn.half_width
    assert drawn.half_width > sampled.half_width
    assert sampled.mean == pytest.approx(np.mean(sampled.seats))
    assert sampled.mbb[0] == pytest.approx(500 * sampled.mean)


def test_drawn_ends_are_unbiased_on_one_board() -> None:
    given = rules()
    meeting = Meeting(Buckets(given, 1), Buckets(given, 2))
    dealt = meeting.dealt(np.random.default_rng(0))
    histories = Histories(meeting, 25, [np.random.default_rng([2, n]) for n in range(24)])
    drawer = histories.drawer(np.random.default_rng(1))
    found = np.array([meeting.values(dealt, drawer) for _ in range(400)])
    error = found.std(axis=0) / 20
    assert (np.abs(found.mean(axis=0) - meeting.values(dealt)) < 4 * error + 1e-9).all()
    assert (error < 0.5).all()


def test_boards_together_are_boards_one_by_one() -> None:
    """Groups of equal hands differ in number from board to board."""
    meeting = Meeting(Buckets(rules(), 1), Buckets(rules(), 2))
    boards = [meeting.dealt(np.random.default_rng(number)) for number in range(21)]
    assert meeting.values_of(boards) == [meeting.values(dealt) for dealt in boards]


def test_against_itself_seats_cancel() -> None:
    one = Buckets(rules(), 3)
    found = one_on_one(one, one, boards=10)
    assert found.mean == pytest.approx(0, abs=1e-6)
    assert found.seats[0] == pytest.approx(-found.seats[1], abs=1e-6)
    assert abs(found.seats[0]) > 1e-3


def test_the_order_of_the_two_only_changes_the_sign() -> None:
    first, second = Buckets(rules(), 1), Buckets(rules(), 2)
    one, other = one_on_one(first, second, boards=8), one_on_one(second, first, boards=8)
    assert one.mean == pytest.approx(-other.mean, abs=1e-6)


def test_threads_change_no_bit() -> None:
    first, second = Buckets(rules(), 1), Buckets(rules(), 2)
    assert one_on_one(first, second, boards=50) == one_on_one(first, second, boards=50, threads=3)


@pytest.mark.parametrize("randomised", [True, False])
def test_different_betting_trees_meet_by_translation(randomised: bool) -> None:
    """Against the same walk, one hand and one history at a time."""
    first, second = Buckets(rules(bets=(2, 6)), 1), Buckets(rules(bets=(4,)), 2)
    how = Translation(randomised=randomised)
    meeting = Meeting(first, second, how)
    assert meeting.rules.menus == ()
    dealt = meeting.dealt(np.random.default_rng(3))
    expected = [slow_value((first, second), dealt, how), -slow_value((second, first), dealt, how)]
    assert meeting.values(dealt) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("hole", [1, 2])
@pytest.mark.parametrize("cost", [0.0, 100.0], ids=["folds apart", "folds among answers"])
def test_tiles_do_not_matter(monkeypatch: pytest.MonkeyPatch, hole: int, cost: float) -> None:
    """Folds in tiles of their own or not: against every pair of hands."""
    monkeypatch.setattr(joint_betting, "_COSTS", np.array([1.0, 1.0, cost]))
    given = rules(hole=hole, bets=(4,), board=(0, 3, 1) if hole == 1 else (0, 2, 1))
    first, second = Buckets(given, 1), Buckets(given, 2)
    meeting = Meeting(first, second)
    folds = [round.folds.block.size for round in meeting.seatings[0].rounds]
    assert any(folds) == (cost == 0.0)
    dealt = meeting.dealt(np.random.default_rng(4))
    expected = [
        slow_value(seats, dealt, Translation()) for seats in ((first, second), (second, first))
    ]
    assert meeting.values(dealt) == pytest.approx((expected[0], -expected[1]), abs=1e-5)


def slow_value(seats, dealt, how: Translation) -> float:
    """What position 0 wins on a board: every pair of hands, every real history."""
    table = replace(seats[0].rules, menus=())
    walks = [TreeWalk(table, one.rules, how) for one in seats]
    buckets = [one.map.buckets(dealt) for one in seats]
    meeting = Meeting(*seats, how)
    strengths = meeting.cards.strengths(tuple(sorted(c for part in dealt for c in part)))
    total = 0.0
    hands = meeting.cards.hands.tolist()
    pairs = [
        (a, b)
        for a in range(len(hands))
        for b in range(len(hands))
        if strengths[a] >= 0 and strengths[b] >= 0 and not set(hands[a]) & set(hands[b])
    ]

    def play(steps, pair) -> float:
        real = steps[0].real
        if real.over:
            return real.settle([int(strengths[hand]) for hand in pair])[0]
        actor = real.actor
        mine, theirs = steps[actor], steps[1 - actor]
        if mine.node is None or mine.node.over:
            taken = [("c", 1.0, None)]
        else:
            bucket = buckets[actor][real.round][pair[actor]]
            shares = seats[actor].table(mine.node)[bucket]
            taken = [
                (walks[actor].reverse(mine, i), share, mine.node.children[i])
                for i, share in enumerate(shares)
            ]
        found = 0.0
        for text, share, child in taken:
            after = real.act(text)
            token = tokens(after.history)[-1]
            move = next(
                m
                for m in real.choices
                if token in (m.letter, f"r{m.total}") and m.letter == text[0]
            )
            for index, chance in walks[1 - actor].choices(theirs, move) or ((None, 1.0),):
                node = None if index is None else theirs.node.children[index]
                now = [None, None]
                now[actor] = mine._replace(real=after, node=child)
                now[1 - actor] = theirs._replace(real=after, node=node)
                if share:
                    found += share * chance * play(now, pair)
        return found

    for pair in pairs:
        total += play([walk.start() for walk in walks], pair)
    return total / len(pairs)


def test_bad_input() -> None:
    one = Buckets(rules(), 1)
    with pytest.raises(WrongGame, match="other rules"):
        one_on_one(one, Buckets(rules(stack=14), 1))
    with pytest.raises(BadParameter, match="boards=1: must be"):
        one_on_one(one, one, boards=1)
    with pytest.raises(BadParameter, match="histories=0"):
        one_on_one(one, one, boards=2, histories=0)
    raked = Buckets(replace(rules(), rake=Rake(0.1)), 1)
    with pytest.raises(Unsuitable, match="symmetric"):
        one_on_one(raked, raked, boards=2)
