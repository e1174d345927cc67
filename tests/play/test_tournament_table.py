"""A tournament at the table: chips, positions, prizes, and values that come true."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.core.errors import BadParameter, IllegalMove
from regretless.play.tournament import Advice, TournamentTable
from regretless.runs.tournaments import solve_tournament
from regretless.stochastic.tournament import Blinds, TournamentRules
from tests.jam_fold_twin import awarded, ranks_of, small_showdowns

CARDS = small_showdowns()
LEVELS = (Blinds(1, 2), Blinds(2, 4, 1), Blinds(3, 6, 0, 6))
DECK = [rank for rank in range(3) for _ in range(3)]


def started(stacks, levels=LEVELS[:1]):
    prizes = (50, 30, 20)[: len(stacks)]
    return TournamentTable.start(TournamentRules(prizes, sum(stacks), len(stacks), levels), stacks)


def acted(table, letters):
    for letter in letters:
        table = table.act(letter)
    return table


@given(st.data())
def test_chips_and_prizes_add_up(data):
    stacks = data.draw(st.lists(st.integers(1, 30), min_size=2, max_size=3))
    table = started(stacks, LEVELS)
    for _ in range(12):
        if table.over:
            break
        before = table
        while not table.bet:
            table = table.act(data.draw(st.sampled_from("jjf")))
        size = len(table.order)
        strengths = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
        up = data.draw(st.booleans())
        if table.level == 0 and all(stack == int(stack) for stack in table.stacks):
            expected = by_chips(table, strengths)
        else:
            expected = None
        table = table.settle(strengths, up=up)
        if expected is not None:
            assert [table.stacks[seat] for seat in before.order] == pytest.approx(expected)
        assert sum(table.stacks) == pytest.approx(sum(stacks))
        assert set(table.order) == {seat for seat, stack in enumerate(table.stacks) if stack > 0}
        assert table.level == min(2, before.level + up)
        assert table.hands == before.hands + 1
        places = table.rules.places
        assert sum(table.won) == pytest.approx(
            sum(places if table.over else places[len(table.order) :])
        )
        still = [seat for seat in before.order if seat in table.order]
        assert table.order[-1] == still[0]  # the big blind moves to the next who is still in
        assert table.order[:-1] == tuple(still[1:])


def by_chips(table, strengths):
    """Stacks by position after the hand; pots are awarded chip by chip."""
    stacks = [int(table.stacks[seat]) for seat in table.order]
    blinds = [0] * (len(stacks) - 2) + [1, 2]
    paid = [
        stack if letter in "ja" else min(stack, blind)
        for stack, blind, letter in zip(stacks, blinds, table.history, strict=True)
    ]
    inside = {p: -strengths[p] for p, letter in enumerate(table.history) if letter != "f"}
    return [float(stack) for stack in awarded(stacks, paid, 0, inside)]


def test_one_hand_by_hand():
    table = started((10, 4, 6))
    assert (table.order, table.inside, table.bet) == ((0, 1, 2), (0, 1, 2), False)
    table = acted(table, "jj")
    assert not table.bet
    table = table.act("f")
    assert table.inside == (0, 1)
    after = table.settle((1, 2, 3))  # the best hand has folded
    assert after.stacks == (6, 10, 4)
    assert after.order == (1, 2, 0)
    assert after.won == (0, 0, 0)
    after = acted(after, "jfj").settle((7, 0, 2))
    assert after.stacks == (0, 17, 3)  # seat 1 takes 6 chips and a small blind
    assert after.won == (20, 0, 0)
    assert after.order == (2, 1)
    assert after.history == ""
    end = after.act("j")
    end = (end if end.bet else end.act("j")).settle((1, 2))
    assert end.over
    assert end.won == (20, 50, 30)
    with pytest.raises(IllegalMove, match="nobody is to act"):
        end.act("j")
    with pytest.raises(IllegalMove, match="not complete"):
        end.settle((1, 2))


def test_what_is_not_allowed():
    table = started((10, 4, 6))
    with pytest.raises(IllegalMove, match="legal is f or j"):
        table.act("c")
    with pytest.raises(IllegalMove, match="not complete"):
        table.settle((1, 2, 3))
    with pytest.raises(IllegalMove, match="nobody"):
        acted(table, "jjjj")
    for stacks in ((10, 10), (10, 4, 7)):
        with pytest.raises(BadParameter, match="must be 3 with 20"):
            TournamentTable.start(table.rules, stacks)


@pytest.fixture(scope="module")
def solution():
    return solve_tournament(
        (2, 1, 3), Blinds(1, 2), (50, 30, 20), unit=1.0, showdowns=CARDS, epsilon=0.3
    )


def test_advice_is_the_solution(solution):
    table, advice = TournamentTable.start(solution.rules, (2, 2, 2)), Advice(solution)
    state = solution.game.numbers[0, (2, 2, 2)]
    stage = solution.game.states[state].stage
    plan = solution.profile[state][stage.own(0)]
    chart = advice.chart(table)
    assert np.array_equal(chart.jams["tournament"], plan[4:7])  # root, three folds, three jams
    assert chart.position == "BTN"
    assert advice.chart(table.act("j")).title == "SB calls BTN"
    between = advice.chart(TournamentTable.start(solution.rules, (2.5, 1.5, 2)))
    assert between.gains[-1] > between.gains[0]


def test_a_hand_has_the_chips_of_the_tournament(solution):
    assert solution.at((2, 4)).worth().sum() == pytest.approx(80)
    for stacks, level, message in (
        ((2, 5), 0, "stacks 2,5: must be 6 chips"),
        ((6,), 0, "players=1"),
        ((2, 4), 1, "level=1"),
    ):
        with pytest.raises(BadParameter, match=message):
            solution.at(stacks, level)


def test_levels_of_blinds_have_their_own_advice():
    levels = (Blinds(1, 2), Blinds(2, 4))
    solved = solve_tournament(
        (4, 4), levels, (50, 30), hands=2, unit=2.0, showdowns=CARDS, epsilon=0.1
    )
    for level in (0, 1):
        hand = solved.at((6, 2), level)
        state = solved.game.numbers[level, (3, 1)]
        seats = slice(solved.game.seats[state], solved.game.seats[state + 1])
        assert hand.worth() == pytest.approx(solved.values[seats], abs=0.2)
        assert hand.hand.rules.blinds == (levels[level].small, levels[level].big)


def test_many_tournaments_earn_what_the_solution_says(solution):
    """Played with a small deck by the advice for every hand."""
    advice, random, count = Advice(solution), np.random.default_rng(5), 4000
    won = np.array([played(advice, random).won for _ in range(count)])
    error = won.std(axis=0) / count**0.5
    assert (np.abs(won.mean(axis=0) - solution.worth()) < 3.5 * error).all()


def played(advice, random):
    table = TournamentTable.start(advice.solution.rules, advice.solution.stacks)
    while not table.over:
        *cards, board = (DECK[k] for k in random.permutation(9)[: len(table.order) + 1])
        while not table.bet:
            jam = advice.chart(table).jams["tournament"][cards[len(table.history)]]
            table = table.act("j" if random.random() < jam else "f")
        table = table.settle([-rank for rank in ranks_of(cards, board)])
    return table
