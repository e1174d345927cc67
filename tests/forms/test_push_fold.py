"""Push or fold before the flop: all-in or nothing, over all boards, against a second route.

The second route knows nothing of forms: classes of hands, matrices of what they win, and
payoffs that are written out by hand."""

from itertools import permutations

import numpy as np
import pytest

import regretless as rl
from regretless.cards.equities import BOARDS, pot_shares, preflop_results, preflop_wins
from regretless.cards.holdings import CLASSES, class_of, disjoint
from regretless.core.errors import TooLarge
from regretless.evaluation.exploitability import evaluate
from regretless.forms.public import public_form

OOP, IP = 0, 1


def push_fold(**changes):
    given = {
        "stack": 20,
        "blinds": [1, 2],
        "ranges": {"oop": "random", "ip": "random"},
        "bets": {"preflop": "a"},
        "tree": {"limp": False},
    }
    return rl.spot(**given | changes)


def by_class(form, strategy, betting, action):
    """[class] how often a hand of it takes an action."""
    found = np.zeros(CLASSES)
    for player, hand, _, point in form.lookup.hands_at([], betting):
        number = class_of()[np.flatnonzero(rl.cards.read_range(hand))[0]]
        found[number] = strategy.at_point(player, point)[action]
    return found


def met():
    """[class of oop, class of ip] chances of the deals, and of winning, tying and losing."""
    belongs = np.zeros((CLASSES, len(class_of())))
    belongs[class_of(), np.arange(len(class_of()))] = 1
    wins = preflop_wins() * disjoint() / BOARDS
    deals = belongs @ disjoint() @ belongs.T
    won = belongs @ wins @ belongs.T
    return tuple(m / deals.sum() for m in (deals, won, deals - won - won.T, won.T))


def brute_force(jam, call, paid):
    """What both players earn, and could earn; `paid` are payoffs of every end by name."""
    deals, *results = met()
    earned, best = [], []
    for player in (OOP, IP):
        shown = sum(part * paid[name][player] for part, name in zip(results, SHOWN, strict=True))
        blinds, folded = deals * paid["no jam"][player], deals * paid["no call"][player]
        if player == OOP:  # rows are its classes
            calling, folding = shown @ jam, folded @ jam
            rest = blinds @ (1 - jam)
            chosen = call * calling + (1 - call) * folding + rest
            better = np.maximum(calling, folding) + rest
        else:
            jamming, giving = call @ shown + (1 - call) @ folded, blinds.sum(axis=0)
            chosen, better = jam * jamming + (1 - jam) * giving, np.maximum(jamming, giving)
        earned.append(chosen.sum())
        best.append(better.sum())
    return earned, best


SHOWN = ("win", "tie", "lose")  # of the player out of position


def in_chips(stack=20, small=1, big=2, ante=0, rate=0.0, cap=np.inf):
    def less(called):
        return min(rate * called, cap)

    blinds = 2 * (small + ante)
    calls = 2 * (big + ante)
    pot = 2 * stack
    half = less(pot) / 2
    return {
        "no jam": (small + ante - less(blinds), -small - ante),
        "no call": (-big - ante, big + ante - less(calls)),
        "win": (stack - less(pot), -stack),
        "tie": (-half, -half),
        "lose": (-stack, stack - less(pot)),
    }


def finish(stacks, prizes):
    """Harville's model by all orders of finishing."""
    worth = np.zeros(len(stacks))
    for order in permutations(range(len(stacks))):
        chance, left = 1.0, float(sum(stacks))
        for player in order:
            chance *= stacks[player] / left if left > 0 else 1.0
            left -= stacks[player]
        for player, prize in zip(order, prizes, strict=False):
            worth[player] += chance * prize
    return worth


def in_prizes(prizes, others, **chips):
    """Chips behind every end turned into prizes; nobody is left with nothing but the loser."""
    stack = chips.get("stack", 20)
    start = finish((stack, stack, *others), prizes)
    found = {}
    for name, pay in in_chips(**chips).items():
        after = [stack + won for won in pay]
        if 0 in after:  # the loser is last of all
            loser = after.index(0)
            rest = [x for i, x in enumerate((*after, *others)) if i != loser]
            worth = list(finish(rest, prizes))
            worth.insert(loser, prizes[len(others) + 1] if len(prizes) > len(others) + 1 else 0.0)
        else:
            worth = list(finish((*after, *others), prizes))
        found[name] = tuple(worth[i] - start[i] for i in (OOP, IP))
    return found


PRIZES, OTHERS = (50, 30, 20), (25, 5)
CASES = {
    "chips": ({}, in_chips()),
    "antes": ({"ante": 1}, in_chips(ante=1)),
    "rake": ({"rake": {"rate": 0.05, "cap": 1.5}}, in_chips(rate=0.05, cap=1.5)),
    "icm": ({"icm": {"prizes": PRIZES, "others": OTHERS}}, in_prizes(PRIZES, OTHERS)),
}


@pytest.mark.parametrize("case", CASES)
def test_a_solution_earns_what_brute_force_over_classes_says(case):
    given, paid = CASES[case]
    solution = rl.solve(public_form(push_fold(**given).game, precision="double"), iterations=150)
    form, strategy = solution.form, solution.strategy
    to = 20 - given.get("ante", 0)
    jam = by_class(form, strategy, "", f"raise {to}")
    call = by_class(form, strategy, f"r{to}", "call")
    earned, best = brute_force(jam, call, paid)
    assert solution.values == pytest.approx(earned, abs=1e-9)
    assert evaluate(strategy).best_responses == pytest.approx(best, abs=1e-9)
    assert solution.exploitability < 5e-3


def test_ten_big_blinds():
    # -0.04537 big blinds, 58.284 % and 37.376 %: known values with exact card removal.
    solution = rl.solve(push_fold(stack=200, blinds=[10, 20]), target=2e-5)
    form, strategy = solution.form, solution.strategy
    assert solution.values[IP] / 20 == pytest.approx(-0.04537, abs=5e-6)
    sizes = np.bincount(class_of(), minlength=CLASSES) / len(class_of())
    assert sizes @ by_class(form, strategy, "", "raise 200") == pytest.approx(0.58284, abs=5e-4)
    assert sizes @ by_class(form, strategy, "r200", "call") == pytest.approx(0.37376, abs=5e-4)


def always(form, *wanted):
    """Everybody takes the first of these actions that is there."""
    behaviour = rl.Strategy.uniform(form).behaviour.copy()
    for player in range(2):
        for point in form.points(player):
            name = next(name for name in wanted if name in point.actions)
            first = int(form.layout.roots[player])
            behaviour[first + point.sequences] = 0.0
            behaviour[first + point.sequences[point.actions.index(name)]] = 1.0
    return rl.Strategy(form, behaviour)


RANGES = {"oop": "AsAh,7c2d", "ip": "KK:0.5,QsQd,AcKd:0.25"}


@pytest.mark.parametrize(("actions", "chips"), [(("raise 20", "call"), 20), (("call", "check"), 2)])
def test_few_hands_with_suits_win_their_equity(actions, chips):
    form = public_form(push_fold(ranges=RANGES, tree={}).game, precision="double")
    equity = rl.cards.equity(RANGES["oop"], RANGES["ip"]).first
    earned = rl.expected_values(always(form, *actions))
    assert earned[OOP] == pytest.approx(chips * (2 * equity - 1), abs=1e-12)
    assert sum(earned) == pytest.approx(0, abs=1e-12)


def test_a_limp_is_checked_down_where_nothing_can_be_bet_later():
    form = public_form(push_fold(tree={}).game)
    assert len(form.layout.rounds) == 1
    assert sorted(form.lookup.histories) == ["", "c", "cr20", "r20"]


def test_a_limp_helps_the_small_blind():
    with_limps, without = (
        rl.solve(push_fold(tree={"limp": limp}), target=1e-3).values[IP] for limp in (True, False)
    )
    assert with_limps > without - 1e-3


def test_locked_hands_do_not_move():
    lock = {"at": "allin", "hands": "72o", "play": {"call": 1.0}}
    solution = rl.solve(push_fold(locks=[lock]), iterations=50)
    assert solution.strategy.probabilities("2c7d:r20")["call"] == 1.0
    assert solution.strategy.probabilities("2c7c:r20")["call"] < 0.5


def test_results_fit_the_shares_of_the_pot():
    net, ties = preflop_results()
    np.testing.assert_array_equal(net, -net.T)
    np.testing.assert_array_equal(ties, ties.T)
    np.testing.assert_allclose((net + disjoint()) / 2, pot_shares(), atol=1e-12)
    assert (ties[disjoint() == 0] == 0).all()
    assert ties.min() == 0
    assert ties.max() <= 1


def test_play_after_the_flop_is_too_large():
    with pytest.raises(TooLarge, match="boards"):
        public_form(push_fold(bets="60%,a", tree={}).game)
