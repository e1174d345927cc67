"""Decisions with a given strategy: nobody moves them, on either form, and the rest adapts."""

from dataclasses import replace

import numpy as np
import pytest
from both_forms import Both, close, game, one_card, random_range, two_cards

from regretless.core.errors import BadParameter, IllegalMove, UnknownName, Unsuitable
from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import own, plan_of, size, uniform
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.games._locked import HandLock, PointLock, locked
from regretless.solvers._catalog import method_class, method_names, solver
from regretless.strategy.strategy import Strategy


def hand_lock(of, history, hands, play=None, board=()):
    """Some hands play so after this betting; if nothing is said, one action more than another."""
    deck, moves = of.root.deck, of.rules.replay(history).choices
    play = play or np.arange(1.0, len(moves) + 1) / sum(range(len(moves) + 1))
    table = np.full((len(deck.hands), len(play)), -1.0)
    table[[deck.numbers[deck.read(hand)] for hand in hands]] = play
    return HandLock(history, table, board)


ONE, RANKS, TWO = game(one_card()), game(one_card(), suits_distinct=False), game(two_cards())
RANGES = game(two_cards(), weights=(random_range(15, 3), random_range(15, 4)))
LOCKED = {
    "a point": locked(RANKS, PointLock("K:", {"check": 0.25, "bet": 0.75})),
    "a point on a board": locked(RANKS, PointLock("K/Q:rc/c", {"check": 0.5, "bet": 0.5})),
    "a suited point": locked(ONE, PointLock("Ks:", {"check": 0.25, "bet": 0.75})),
    "a suited point on a board": locked(ONE, PointLock("Ks/Qh:cc/", {"bet": 1.0})),
    "both players": locked(
        RANKS, PointLock("A:", {"bet": 1.0}), PointLock("Q:r", {"fold": 0.5, "call": 0.5})
    ),
    "hands on all boards": locked(ONE, hand_lock(ONE, "cc/", ["Ah", "Qs"], [0.3, 0.7])),
    "hands on a board": locked(ONE, hand_lock(ONE, "cc/", ["Ah", "Qs"], [0.3, 0.7], ((), (2,)))),
    "all hands": locked(ONE, hand_lock(ONE, "r", ONE.root.deck.names, [0.5, 0.5])),
    "two cards": locked(TWO, hand_lock(TWO, "cc/", ["AhAs", "QsKh"])),
    "two cards, ranges": locked(RANGES, hand_lock(RANGES, "", ["AhAs", "QhQs"])),
    "the later of two": locked(
        RANKS, PointLock("K:", {"check": 1.0}), PointLock("K:", {"bet": 1.0})
    ),
    "one hand of a line, another on a board": locked(
        ONE,
        hand_lock(ONE, "cc/", ["Ah"], [1.0, 0.0]),
        hand_lock(ONE, "cc/", ["Qs"], [0.0, 1.0], ((), (5,))),
    ),
}


@pytest.mark.parametrize("name", LOCKED)
def test_both_forms_take_locked_decisions_out_of_the_players_hands(name):
    both = Both.of(LOCKED[name])
    assert both.walked.locked
    both.check_responses()
    for method in ("cfr", "pdcfr+", "cfr+:simultaneous=true"):
        both.check_iterations(method)
    for lock in both.walked.locked:  # what the average says of a locked decision
        running = solver("cfr", both.public)
        running.step(3)
        point = both.public.find(lock.player, lock.label)
        chosen = running.behaviour()[own(both.public, lock.player)][point.sequences]
        plan = plan_of(both.public, running.behaviour())[own(both.public, lock.player)]
        if plan[point.sequences].sum() > 1e-12:
            close(np.array(lock.probabilities), chosen, 1e-12)


@pytest.mark.parametrize("name", LOCKED)
def test_an_unlocked_game_is_worth_something_else(name):
    """That a lock does anything: all actions alike, another value or best response."""
    forms = [public_form(of) for of in (LOCKED[name], replace(LOCKED[name], locks=()))]
    found = [[form.respond(player, uniform(form)) for player in (0, 1)] for form in forms]
    assert not np.allclose(found[0], found[1], atol=1e-6)


@pytest.mark.parametrize("name", ["a point", "both players", "hands on a board"])
def test_best_responses_cannot_move_locked_hands(name):
    both = Both.of(LOCKED[name])
    form = both.public
    for player in (0, 1):
        answer = np.zeros(size(form))
        form.respond(player, both.behaviour(4), answer)
        for lock in both.walked.locked:
            if lock.player == player:
                point = form.find(player, lock.label)
                assert answer[own(form, player)][point.sequences].tolist() == list(
                    lock.probabilities
                )


# Normal forms of Leduc are too large, and these look for something else than an equilibrium.
OTHERS = ("normal-lp", "lemke-howson", "mip-nash", "support-enumeration", "tabu", "restricted-nash")
OTHERS += ("maxmin", "maxmin-exact", "stackelberg", "public-chance-sampling")


@pytest.mark.parametrize("method", [m for m in method_names() if m not in OTHERS])
def test_every_method_honours_locks(method):
    """Leduc's first player never bets kings at first: less is won, by all methods alike."""
    of = locked(RANKS, PointLock("K:", {"check": 1.0}), PointLock("A/K:cc/", {"check": 1.0}))
    form = sequence_form(of)
    assert all(form.find(0, lock.label) is None for lock in form.locked)
    exact = solver("lp", form)
    while not exact.finished:
        exact.step()
    value = evaluate(Strategy(form, exact.behaviour())).values[0]
    free = sequence_form(RANKS)
    best = solver("lp", free)
    while not best.finished:
        best.step()
    assert value < evaluate(Strategy(free, best.behaviour())).values[0] - 1e-4
    running = solver(method, form)
    for _ in range(40):
        running.step(5000 if "sampling" in method else 50)
    found = evaluate(Strategy(form, running.behaviour()))
    assert found.values[0] == pytest.approx(value, abs=found.nash_conv + 1e-8)
    assert found.nash_conv < (0.1 if "cfr" in method or method_class(method).is_exact else 0.9)


def test_a_normal_form_honours_locks():
    form = sequence_form(locked(load("kuhn"), PointLock("K:", {"check": 1.0})))
    running, exact = solver("normal-lp", form), solver("lp", form)
    running.step()
    while not exact.finished:
        exact.step()
    found = [evaluate(Strategy(form, one.behaviour())) for one in (running, exact)]
    assert found[0].nash_conv == pytest.approx(0, abs=1e-9)
    assert found[0].values == pytest.approx(found[1].values, abs=1e-9)


def test_the_public_form_converges_to_the_value_of_the_locked_game():
    of = LOCKED["both players"]
    exact = solver("lp", sequence_form(of))
    while not exact.finished:
        exact.step()
    value = evaluate(Strategy(exact.form, exact.behaviour())).values[0]
    running = solver("cfr+", public_form(of))
    running.step(1000)
    found = evaluate(Strategy(running.form, running.behaviour()))
    assert found.nash_conv < 1e-2
    assert found.values[0] == pytest.approx(value, abs=1e-2)


def test_locks_survive_threads_and_pauses():
    of = locked(TWO, hand_lock(TWO, "", ["AhAs"]))
    whole = solver("pcfr+", public_form(of))
    whole.step(6)
    for threads in (1, 2, 3):
        part = solver("pcfr+", public_form(of, threads=threads))
        part.step(2)
        resumed = solver("pcfr+", public_form(of, threads=threads))
        resumed.restore(part.state())
        resumed.step(4)
        assert np.array_equal(whole.behaviour(), resumed.behaviour())


def test_fingerprints_tell_locks():
    prints = {public_form(of).fingerprint() for of in (RANKS, LOCKED["a point"])}
    prints |= {public_form(LOCKED["both players"]).fingerprint()}
    assert len(prints) == 3


def test_the_lock_of_another_player_locks_nobody():
    of = locked(RANKS, PointLock("K:", {"bet": 1.0}, player=1))
    both = Both.of(of)
    assert not both.walked.locked
    both.check()


@pytest.mark.parametrize(
    ("lock", "error", "told"),
    [
        (PointLock("K:", {"bet": 0.5}), BadParameter, "sum to 1"),
        (PointLock("K:", {"raise": 1.0}), UnknownName, "raise"),
        (PointLock("K:zz", {"bet": 1.0}), IllegalMove, "legal actions are"),
        (PointLock("X:", {"bet": 1.0}), BadParameter, "card 'X'"),
        (HandLock("", np.full((3, 3), 1 / 3)), BadParameter, "3 hands with 2 actions"),
        (HandLock("", np.full((3, 2), 0.75)), BadParameter, "sum to 1"),
        (HandLock("", np.array([[1.5, -0.5]] * 3)), BadParameter, "sum to 1"),
    ],
)
def test_locks_that_cannot_be(lock, error, told):
    with pytest.raises(error, match=told):
        locked(RANKS, lock)


def test_suits_that_are_folded_away_cannot_be_locked_in_two_card_games():
    of = game(two_cards(), suits_distinct=False)
    with pytest.raises(Unsuitable, match="distinct suits"):
        public_form(locked(of, HandLock("", np.full((6, 4), -1.0))))


@pytest.mark.parametrize("method", ["egt", "lp", "double-oracle", "fictitious-play"])
def test_methods_that_are_no_learners_refuse_the_locks_of_a_public_form(method):
    form = public_form(locked(load("kuhn"), PointLock("K:", {"check": 1.0})))
    with pytest.raises(Unsuitable, match="use the sequence form of kuhn"):
        solver(method, form)
    running = solver("dcfr", form)
    running.step(30)
    point = form.find(0, "K:")
    chosen = running.behaviour()[own(form, 0)][point.sequences]
    assert chosen.tolist() == [1.0, 0.0]
