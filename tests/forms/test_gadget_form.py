"""Forms behind a choice of the rival: values by hand, and what a gadget promises."""

from __future__ import annotations

import threading
from itertools import combinations

import numpy as np
import pytest

from regretless.core.errors import Unsuitable
from regretless.forms.form import own
from regretless.forms.gadget_form import GadgetChoice, hand_values, with_gadget
from regretless.forms.public import PublicForm, public_form
from regretless.forms.public_chances import hand_numbers
from regretless.forms.public_rows import behaviour_by_hand, hand_rows
from regretless.games._catalog import load
from regretless.games._poker import Root, poker_game
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

GAME = "holdem_nolimit:ranks=4,suits=3,small_blind=1,stack=20,sizes=100%-a"
HANDS = list(combinations(range(12), 2))
TURN = ((), (0, 3, 6), (9,))
SAFE = 0.05  # chips: iterations are finite


def form_at(first: np.ndarray, second: np.ndarray, **options) -> PublicForm:
    rules = load(GAME).rules
    assert rules is not None
    root = Root(rules.replay("cr6c/cc/"), TURN, (first, second))
    return public_form(poker_game("turn", rules, suits_distinct=True, root=root), **options)


def live() -> np.ndarray:
    board = {card for part in TURN for card in part}
    return np.array([not board & set(hand) for hand in HANDS])


def ranges(seed: int) -> tuple[np.ndarray, np.ndarray]:
    return np.where(live(), np.random.default_rng(seed).random(66), 0), np.where(live(), 0.5, 0)


def some_play(seed: int):
    """A strategy by hand that does not depend on the board."""

    def chances(betting, dealt):
        draws = np.random.default_rng([seed, *map(ord, betting.history)])
        return draws.dirichlet(np.ones(len(betting.choices)), len(HANDS))

    return chances


def test_a_behaviour_by_hand_is_read_back() -> None:
    form, play = form_at(*ranges(1)), some_play(2)
    behaviour = behaviour_by_hand(form, play)
    assert behaviour.size == form.layout.roots[-1]
    for board in range(0, len(form.layout.level(0, 3).boards), 3):
        dealt = tuple(form.lookup.new_cards(3, board))
        for history in [one for one in form.lookup.histories if one.count("/") == 3]:
            betting = form.game.rules.replay(history)
            found, expected = hand_rows(form, betting, dealt, behaviour), play(betting, dealt)
            held = ~np.isnan(found).any(axis=1)
            assert held.sum() == 21  # hands of seven cards that are left
            np.testing.assert_allclose(found[held], expected[held])
    alone = behaviour_by_hand(form, play, (1,))
    assert (alone[own(form, 1)] == behaviour[own(form, 1)]).all()
    assert not alone[own(form, 0)][1:].any()


@pytest.mark.parametrize("name", ["leduc", "rhode_island:ranks=3,suits=2,cap=1"])
def test_a_behaviour_by_hand_with_one_hole_card(name: str) -> None:
    """Sites have several boards, and lanes stand for several hands: they play as the first one."""
    form = public_form(name)

    def play(betting, dealt):
        draws = np.random.default_rng([*map(ord, betting.history), *map(sum, dealt)])
        return draws.dirichlet(np.ones(len(betting.choices)), len(form.layout.deck.hands))

    behaviour = behaviour_by_hand(form, play)
    Strategy(form, behaviour).check()
    for history, (stage, _, _) in form.lookup.histories.items():
        betting, round = form.game.rules.replay(history), form.layout.stages[stage].round
        level = form.layout.level(betting.actor, round)
        for board in range(len(level.boards)):
            dealt = tuple(form.lookup.new_cards(round, board))
            hands = hand_numbers(level.hands[level.lanes(board)], form.layout.deck.kinds)
            found = hand_rows(form, betting, dealt, behaviour)[hands]
            np.testing.assert_array_equal(found, play(betting, dealt)[hands])


@pytest.mark.parametrize("player", [0, 1])
def test_values_by_hand_are_those_of_a_range_with_that_hand_alone(player: int) -> None:
    both = list(ranges(3))
    if player == 0:
        both.reverse()
    form, play = form_at(*both), some_play(4)
    values, best = hand_values(form, player, behaviour_by_hand(form, play))
    assert (np.isnan(values) == ~live()).all()
    for hand in np.flatnonzero(live())[::5]:
        single = [*both]
        single[player] = np.eye(66)[hand]
        alone = form_at(*single)
        expected = alone.respond(player, behaviour_by_hand(alone, play))
        assert [values[hand], best[hand]] == pytest.approx(expected)


def test_values_by_hand_do_not_depend_on_renaming_suits() -> None:
    """On a board of one suit the other two are alike, if ranges are."""
    equal = np.where(live(), 1.0, 0.0), np.where(live(), 0.5, 0.0)
    rows = []
    for isomorphic in (True, False):
        form = form_at(*equal, isomorphic=isomorphic)
        rows.append(hand_values(form, 1, solution(form, 50)))
        lanes = len(form.layout.level(1, 2).counts)
        assert (lanes < live().sum()) == isomorphic
    assert (np.isnan(rows[0]) == ~live()).all()
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-3)


def seated(mine: np.ndarray, theirs: np.ndarray, rival: int) -> PublicForm:
    return form_at(mine, theirs) if rival == 1 else form_at(theirs, mine)


def solution(form: PublicForm, iterations: int = 300) -> np.ndarray:
    running = solver("dcfr:gamma=4", form)
    running.step(iterations)
    return np.asarray(running.behaviour())


@pytest.mark.parametrize("rival", [0, 1])
def test_no_hand_of_the_rival_earns_more_than_its_offer(rival: int) -> None:
    """Offers that some play allows leave room, which is used; those of an equilibrium are tight."""
    form = seated(*ranges(5), rival)
    for before in (behaviour_by_hand(form, some_play(6)), solution(form, 1000)):
        _, offers = hand_values(form, rival, before)
        _, best = hand_values(form, rival, solution(with_gadget(form, rival, offers), 600))
        assert (best[live()] <= offers[live()] + SAFE).all()
    assert (best[live()] >= offers[live()] - 1).all()


@pytest.mark.parametrize("rival", [0, 1])
def test_without_a_guard_hands_outside_the_range_gain(rival: int) -> None:
    mine, theirs = ranges(5)
    form = seated(mine, theirs, rival)
    _, offers = hand_values(form, rival, solution(form, 1000))
    narrow = seated(mine, np.where(np.arange(66) % 4 == 0, theirs, 0), rival)
    found = solution(narrow)

    def play(betting, dealt):
        return np.nan_to_num(hand_rows(narrow, betting, dealt, found))

    _, best = hand_values(form, rival, behaviour_by_hand(form, play))
    assert (best[live()] > offers[live()] + 4 * SAFE).any()


def test_a_guard_is_regret_matching_plus() -> None:
    gadget = GadgetChoice(0, np.array([1.0, 2.0, 3.0]))
    assert gadget.entering.tolist() == [0.5, 0.5, 0.5]
    gadget.observe(np.array([3.0, 2.0, 0.0]))
    assert gadget.entering.tolist() == [1.0, 0.5, 0.0]
    gadget.observe(np.array([0.0, 1.0, 9.0]))
    # regrets of entering: 1 - 0, 0 then -1/2 (floored), 0 + 6; of taking: 0 + 1, 0 + 1/2, 3/2 + 0
    assert gadget.entering.tolist() == pytest.approx([0.5, 0.0, 0.8])


def test_sweeps_leave_the_range_as_it_was() -> None:
    form = form_at(*ranges(8))
    again = with_gadget(form, 1, np.zeros(66))
    running = solver("cfr+", again)
    running.step(5)
    weights = again._sweeper(again.real).tree.side.weight
    fresh = form._sweeper(form.real).tree.side.weight
    assert (weights == fresh).all()
    assert again.gadget.entering.std() > 0


def test_threads_change_no_bit(monkeypatch) -> None:
    monkeypatch.setattr("regretless.forms.sweeper.WORTH_SHARING", 0)
    found = []
    for threads in (1, 2):
        form = with_gadget(form_at(*ranges(9), threads=threads), 0, np.linspace(-3, 3, 66))
        found.append((solution(form, 20), form.gadget.entering))
    assert (found[0][0] == found[1][0]).all()
    assert (found[0][1] == found[1][1]).all()


def test_what_a_guard_needs() -> None:
    with pytest.raises(Unsuitable, match="a board and ranges"):
        with_gadget(public_form("leduc"), 0, np.zeros(6))
    same = np.where(live(), 1.0, 0.0)
    with pytest.raises(Unsuitable, match="ranges that differ"):
        with_gadget(form_at(same, same), 0, np.zeros(66))


def test_the_range_is_the_given_one_again_if_a_sweep_fails(monkeypatch) -> None:
    """And nobody else can sweep while it is another one."""
    form = with_gadget(form_at(*ranges(9)), 0, np.linspace(-3, 3, 66))
    running = solver("cfr+", form)
    running.step(2)
    sweeper = form._sweeper(form.real)
    given = sweeper.tree.side.weight.copy()
    free = []

    def fail(*_: object) -> None:
        assert not np.array_equal(sweeper.tree.side.weight, given)
        other = threading.Thread(target=lambda: free.append(sweeper.lock.acquire(blocking=False)))
        other.start()
        other.join()
        raise KeyboardInterrupt

    monkeypatch.setattr(PublicForm, "sweep", fail)
    with pytest.raises(KeyboardInterrupt):
        running.step(1)
    assert free == [False]
    np.testing.assert_array_equal(sweeper.tree.side.weight, given)
    assert sweeper.lock.acquire(blocking=False)
    sweeper.lock.release()
