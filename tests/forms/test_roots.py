"""Roots anywhere: ranges, boards, pots, rake, utilities, run-outs, all against the walked game."""

import numpy as np
import pytest
from both_forms import Both, close, game, one_card, places, random_range, two_cards

from regretless.core.errors import Unsuitable
from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._icm import IndependentChipModel
from regretless.games._settling import Rake
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

CARDS = (random_range(6, 1), random_range(6, 2))  # ranges of one card out of 3 ranks, 2 suits
KINDS = (np.array([1, 0.5, 0]), np.array([0.25, 1, 1]))  # the same, of ranks alone
PAIRS = (random_range(15, 3), random_range(15, 4))
FEW = tuple(random_range(28, seed) * (np.arange(28) % 3 == seed - 3) for seed in (3, 4))
PRIZES = IndependentChipModel((5.0, 3.0, 1.0), (4.0,))
RAKE = Rake(0.1, cap=1.0)
THREE_ROUNDS = {"board": (0, 1, 1), "first": (1, 0, 0), "caps": (1, 1, 1), "ranks": 4}
THREE = {"players": 3, "blinds": (1, 1, 1)}

ROOTS = {
    "one card": game(one_card(), weights=CARDS),
    "one card, ranks": game(one_card(), weights=KINDS, suits_distinct=False),
    "one card, last round": game(one_card(), history="rc/", board=((), (2,)), weights=CARDS),
    "one card, last round of ranks": game(
        one_card(), history="rc/", board=((), (2,)), weights=KINDS, suits_distinct=False
    ),
    "one card, everything": game(one_card(), history="cc/", board=((), (2,))),
    "one card, facing a bet": game(one_card(), history="r", weights=CARDS),
    "two cards": game(two_cards(), weights=PAIRS),
    "two cards, last round": game(two_cards(), history="cc/", board=((), (3,)), weights=PAIRS),
    "two cards, facing a bet": game(two_cards(), history="r4c/r6", board=((), (3,)), weights=PAIRS),
    "rake": game(one_card(rake=RAKE), weights=KINDS, suits_distinct=False),
    "rake, suits": game(one_card(rake=RAKE)),
    "rake and dead chips": game(two_cards(rake=RAKE, dead=3), weights=PAIRS),
    "rake and dead chips, last round": game(
        two_cards(rake=RAKE, dead=3), history="cc/", board=((), (0,)), weights=PAIRS
    ),
    "chips of unequal worth": game(two_cards(utility=PRIZES)),
    "chips of unequal worth, ranges": game(two_cards(utility=PRIZES), weights=PAIRS),
    "chips of unequal worth, one card": game(
        one_card(stacks=(7, 9), utility=PRIZES, rake=RAKE), weights=CARDS
    ),
    "three players": game(one_card(**THREE), history="rfc/", board=((), (1,))),
    "three players, dead chips": game(one_card(**THREE, dead=2, rake=RAKE), suits_distinct=False),
    "three players all-in": game(
        one_card(**THREE, raises=None, stacks=(3, 3, 3), caps=(2, 1)), suits_distinct=False
    ),
}


@pytest.mark.parametrize("name", ROOTS)
def test_a_root_is_the_same_game_in_both_forms(name):
    Both.of(ROOTS[name]).check(methods=("cfr", "pdcfr+", "hedge"))


@pytest.mark.parametrize("name", ["one card", "two cards", "rake and dead chips"])
def test_suits_may_be_kept_apart(name):
    found = Both.of(ROOTS[name], isomorphic=False)
    assert found.apart
    found.check()


@pytest.mark.parametrize("name", [n for n in ROOTS if "three" not in n])
def test_matrices_are_another_way_to_the_same_values(name):
    Both.of(ROOTS[name], terminal="matrix").check(iterations=2)


@pytest.mark.parametrize("changes", [{}, {"rake": RAKE}, {"dead": 3, "rake": RAKE}])
def test_joint_hands_are_another_way_where_pots_are_shared(changes):
    Both.of(game(one_card(**changes)), terminal="joint").check(iterations=2)
    alike = (CARDS[0], CARDS[0])
    Both.of(game(one_card(**changes), weights=alike), terminal="joint").check(iterations=2)


def test_what_cannot_be_evaluated_is_refused():
    with pytest.raises(Unsuitable, match="terminal must be matrix"):
        public_form(ROOTS["chips of unequal worth"], terminal="sorted")
    with pytest.raises(Unsuitable, match="plain shared pots"):
        public_form(game(one_card(stacks=(7, 9), utility=PRIZES)), terminal="joint")
    with pytest.raises(Unsuitable, match="same range"):
        public_form(ROOTS["one card"], terminal="joint")
    with pytest.raises(Unsuitable, match="utilities, only chips"):
        public_form(game(one_card(**THREE, stacks=(5, 5, 5), utility=PRIZES)))
    with pytest.raises(Unsuitable, match="does not support side pots"):
        public_form(game(one_card(**THREE, raises=None, stacks=(2, 3, 4))))
    with pytest.raises(Unsuitable, match="no ranges"):
        public_form(game(one_card(**THREE), weights=(*CARDS, CARDS[0])))
    with pytest.raises(Unsuitable, match="two hole cards"):
        public_form(ROOTS["one card"], runouts=True)
    with pytest.raises(Unsuitable, match="distinct suits"):
        public_form(game(two_cards(), suits_distinct=False, weights=(np.ones(6), np.ones(6))))


RUNOUTS = {
    "two rounds": game(two_cards()),
    "ranges and rake": game(two_cards(rake=RAKE), weights=PAIRS),
    "ties that pay more": game(two_cards(utility=PRIZES, rake=RAKE), weights=PAIRS),
    "three rounds": game(two_cards(**THREE_ROUNDS), weights=FEW),
    "nobody acts after the first of three": game(
        two_cards(**THREE_ROUNDS | {"caps": (1, 0, 0)}, raises=(9, 9, 9), stacks=(5, 6)),
        history="r",
        weights=FEW,
    ),
    "from the second of three rounds": game(
        two_cards(**THREE_ROUNDS, dead=1), history="cc/", board=((), (7,)), weights=FEW
    ),
}


@pytest.mark.parametrize("name", RUNOUTS)
def test_run_outs_by_matrix_change_no_number(name):
    one, two = (Both.of(RUNOUTS[name], runouts=which) for which in (True, False))
    assert len(one.public.layout.items) < len(two.public.layout.items)
    one.check(methods=("cfr", "dcfr"))
    two.check()


def by_suit(hands, weight):
    """A range of two-card hands that sees suits only: weight of (suit, suit)."""
    return np.array([weight(*sorted(card % 3 for card in hand)) for hand in hands])


def suited_game(weights=(), **changes):
    rules = two_cards(ranks=2, suits=3, raises=(1, 2), stacks=(), caps=(1, 1), **changes)
    return game(rules, weights=weights)


def test_suits_are_renamed_only_where_both_ranges_and_the_board_allow_it():
    hands = suited_game().root.deck.hands
    alike = np.linspace(0.1, 1, 15)[[hand[0] // 3 + 2 * (hand[1] // 3) for hand in hands]]
    last = by_suit(hands, lambda one, two: 1.0 if two == 2 else 0.25)  # the third suit is special
    first = by_suit(hands, lambda one, two: 1.0 if one == 0 else 0.5)
    sizes = []
    for weights in [(alike, alike), (alike, last), (last, last), (first, last)]:
        both = Both.of(suited_game(weights))
        both.check(iterations=3)
        sizes.append(sum(both.public.sizes.sequences))
    walked = sum(both.walked.sizes.sequences)
    assert sizes[0] < sizes[1] == sizes[2] < sizes[3] == walked


@pytest.mark.parametrize("seed", range(3))
def test_relabelling_suits_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    suits = rng.permutation(3)
    plain = suited_game()
    deck = plain.root.deck
    moved = [
        deck.numbers[tuple(sorted(card // 3 * 3 + suits[card % 3] for card in hand))]
        for hand in deck.hands
    ]
    weights = random_range(15, seed), random_range(15, seed + 9)
    renamed = tuple(np.zeros(15) for _ in weights)
    for one, other in zip(weights, renamed, strict=True):
        other[moved] = one
    found = []
    for ranges, card in ((weights, 4), (renamed, 3 + suits[1])):
        rules = two_cards(ranks=2, suits=3, raises=(1, 2), stacks=(), caps=(1, 1))
        form = public_form(game(rules, history="cc/", board=((), (int(card),)), weights=ranges))
        running = solver("cfr+", form)
        running.step(20)
        found.append(evaluate(Strategy(form, running.behaviour())))
    assert found[0].values == pytest.approx(found[1].values, abs=1e-12)
    assert found[0].best_responses == pytest.approx(found[1].best_responses, abs=1e-12)


def reach(form, behaviour, player, history, deck):
    """[hand] how likely a player's own actions lead to a betting without board cards."""
    found = np.zeros(len(deck.hands))
    plan = plan_of(form, behaviour)[own(form, player)]
    for point in form.points(player):
        cards, _, line = point.label.partition(":")
        if "/" in cards:
            continue
        for action, sequence in zip(point.actions, point.sequences, strict=True):
            letter = {"check": "c", "call": "c", "fold": "f"}.get(action, "r")
            if history.startswith(line + letter):
                hand = deck.numbers[deck.read(cards)]
                found[hand] = plan[sequence]
    return found


def exactly(form):
    """An equilibrium; on a busy sweeper the program may need several steps."""
    running = solver("lp", form)
    while not running.finished:
        running.step()
    return running.behaviour()


@pytest.mark.parametrize("history", ["cc/", "rc/", "crc/"])
@pytest.mark.parametrize("card", [0, 3])
def test_a_subgame_of_a_solution_is_solved_by_it(history, card):
    """Below a public node, reached as in an equilibrium: the same values, and no one can gain."""
    rules = one_card()
    whole = game(rules)
    form = sequence_form(whole)
    behaviour, deck = exactly(form), whole.root.deck
    weights = tuple(reach(form, behaviour, player, history, deck) for player in (0, 1))
    if not all(np.delete(mine, card).any() for mine in weights):
        pytest.skip("the solution does not go there")
    below = public_form(game(rules, history=history, board=((), (card,)), weights=weights))
    given = behaviour_of(below, np.zeros(size(below)))
    for player in (0, 1):
        for point in below.points(player):
            other = form.find(player, point.label)
            mine, theirs = own(below, player).start, own(form, player).start
            given[mine + point.sequences] = behaviour[theirs + other.sequences]
    found = evaluate(Strategy(below, given))
    assert found.nash_conv == pytest.approx(0, abs=1e-7)
    exact = sequence_form(below.game)
    assert evaluate(Strategy(exact, given[places(exact, below)])).values == pytest.approx(
        found.values, abs=1e-12
    )
    value = evaluate(Strategy(exact, exactly(exact))).values
    assert value == pytest.approx(found.values, abs=1e-7)


def test_values_of_subgames_add_up_to_the_value_of_the_game():
    """Whatever is played: chance and reach times the values below, plus what ends before."""
    rules = one_card(caps=(0, 1))  # all of the first round is check, check
    whole = public_form(game(rules), isomorphic=False)
    given = behaviour_of(whole, np.random.default_rng(5).random(size(whole)))
    value, best = whole.respond(0, given)
    values = np.zeros(2)
    for card in range(6):
        below = public_form(game(rules, history="cc/", board=((), (card,))), isomorphic=False)
        part = np.ones(size(below))
        for player in (0, 1):
            for point in below.points(player):
                other = whole.find(player, point.label)
                mine, theirs = own(below, player).start, own(whole, player).start
                part[mine + point.sequences] = given[theirs + other.sequences]
        values += np.array(below.respond(0, part)) / 6
    assert values == pytest.approx([value, best], abs=1e-12)


@pytest.mark.parametrize("name", [n for n in ROOTS if "three" not in n])
def test_expanded_roots_are_the_walked_ones(name):
    public = public_form(ROOTS[name], runouts=False)
    walked, written = sequence_form(ROOTS[name]), public.expanded()
    assert written.zero_sum == walked.zero_sum
    there = places(walked, written) if Both.of(ROOTS[name], runouts=False).apart else None
    if there is None:  # suits are put together: only numbers can be compared
        values = []
        for form in (walked, written):
            running = solver("cfr", form)
            running.step(5)
            values.append(evaluate(Strategy(form, running.behaviour())).values)
        assert values[0] == pytest.approx(values[1], abs=1e-10)
        return
    given = behaviour_of(written, np.random.default_rng(1).random(size(written)))
    for player in (0, 1):
        ours, theirs = walked.respond(player, given[there]), written.respond(player, given)
        assert theirs == pytest.approx(ours, abs=1e-12)
        assert public.respond(player, given) == pytest.approx(theirs, abs=1e-12)


BITS = {
    "ranges and rake": game(two_cards(**THREE_ROUNDS, rake=RAKE), weights=FEW),
    "one card": game(one_card(ranks=13, suits=4, rake=RAKE), weights=(random_range(52, 1),) * 2),
}


@pytest.mark.parametrize("precision", ["single", "double"])
@pytest.mark.parametrize("name", BITS)
def test_threads_and_pauses_change_no_bit(name, precision, monkeypatch):
    monkeypatch.setattr("regretless.forms.sweeper.WORTH_SHARING", 0)  # threads although it is small
    found = []
    for threads, cuts in ((1, (6,)), (2, (6,)), (3, (1, 2, 3)), (1, (5, 1))):
        form = public_form(BITS[name], threads=threads, precision=precision)
        state = solver("sapcfr+", form).state()
        for count in cuts:
            running = solver("sapcfr+", form)
            running.restore(state)
            running.step(count)
            state = {key: np.array(vector) for key, vector in running.state().items()}
        looks = evaluate(Strategy(form, running.behaviour()))
        found.append((state, looks))
    for state, looks in found[1:]:
        assert looks == found[0][1]
        for key, vector in found[0][0].items():
            assert np.array_equal(vector, state[key]), key


def test_steps_are_iterations_however_they_are_counted():
    form = public_form(ROOTS["two cards"])
    at_once, one_by_one = solver("cfr", form), solver("cfr", form)
    at_once.step(5)
    for _ in range(5):
        one_by_one.step(0)
        one_by_one.step(1)
    for which in ("average", "current", "last"):
        close(at_once.behaviour(which), one_by_one.behaviour(which), 0)
