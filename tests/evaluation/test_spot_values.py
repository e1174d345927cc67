"""Results of spots by hand, against a recursion over the states of the game."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

import regretless as rl
from regretless.cards.holdings import hands, read_cards
from regretless.evaluation.spot_values import SpotView
from regretless.forms.public import public_form
from regretless.games._poker import PokerState
from regretless.games._state import CHANCE, TERMINAL
from regretless.strategy.node_index import NodeIndex
from regretless.strategy.strategy import Strategy

TURN = {
    "board": "Td9d6hQc",
    "pot": 20,
    "stack": 30,
    "ranges": {"oop": "AsAh,KdQd:0.5,8c7c", "ip": "QsQh,JsTs,AcKc:0.25"},
    "bets": "50%",
    "tree": {"raise_cap": 1},
}
RIVER = TURN | {
    "board": "Td9d6hQc2s",
    "bets": "50%,a",
    "raises": "3x",
    "tree": {},
    "rake": {"rate": 0.1, "cap": 3},
}
# With prizes a tie is worth more than the mean of win and loss: both hold aces and kings.
PRIZES = RIVER | {
    "rake": None,
    "icm": {"prizes": [70, 30], "others": [40]},
    "ranges": {"oop": "AsKh,KdQd:0.5,8c7c", "ip": "AcKs,AhKc:0.5,JsTs:0.25"},
}
SUITS = TURN | {"board": "TdTh6hQd", "ranges": {"oop": "AA,KJs,JJ:0.5", "ip": "QQ,87s,AsKc,AcKs"}}


def random_strategy(spot, seed=0):
    """Any behaviour: every number is then looked at, not only those of an equilibrium."""
    form = public_form(spot.game, precision="double")
    rng = np.random.default_rng(seed)
    behaviour = np.ones(int(form.layout.roots[-1]))
    for first, actions, lanes, _ in form.blocks.blocks.tolist():
        rows = rng.exponential(size=(actions, lanes)) + 0.05
        behaviour[first : first + actions * lanes] = (rows / rows.sum(axis=0)).ravel()
    return Strategy(form, behaviour)


class Slow:
    """Walks states of the game with both hands known; knows nothing of lanes and layouts."""

    def __init__(self, strategy):
        self.strategy, self.form = strategy, strategy.form
        self.root = strategy.form.game.root
        self.known = {}

    def chances(self, state):
        label = state.view(state.player)
        if (state.player, label) not in self.known:
            self.known[state.player, label] = self.strategy.probabilities(label, state.player + 1)
        return self.known[state.player, label]

    def value(self, state):
        if state.player == TERMINAL:
            return np.array(state.payoff)
        if state.player == CHANCE:
            pairs = enumerate(state.chances)
            return sum(chance * self.value(state.child(k)) for k, chance in pairs)
        pairs = enumerate(self.chances(state).values())
        return sum(chance * self.value(state.child(k)) for k, chance in pairs if chance)

    def starts(self):
        """Every deal of two hands: the state after it and its chance, up to a factor."""
        root, deck = self.root, self.root.deck
        held = [
            [(hand, w) for hand, w in zip(deck.hands, own, strict=True) if w]
            for own in deck.weights
        ]
        for (mine, one), (theirs, other) in product(*held):
            taken = Counter((*mine, *theirs))
            left = tuple(n - taken[card] for card, n in enumerate(root.left))
            if min(left) >= 0:
                yield PokerState(deck, root.betting, (mine, theirs), root.boards, left), one * other

    def at(self, moves):
        """Over all deals: both hands, reach of the players, chance, and the state there."""
        for state, chance in self.starts():
            reach = [1.0, 1.0]
            for move in moves:
                if state.player == CHANCE:
                    if move not in state.actions:
                        break
                else:
                    actor = state.player
                    reach[actor] *= self.chances(state)[move]
                state = state.play(move)
            else:
                yield state, reach, chance

    def results(self, moves):
        """EV by hand and player, by action of the actor, and how often play comes there."""
        earned, mass, by_action = {}, {}, {}
        total = came = 0.0
        for state, reach, chance in self.at(moves):
            names = [state.deck.text(hole) for hole in state.holes]
            total += chance
            came += chance * reach[0] * reach[1]
            values = self.value(state)
            rules = state.deck.rules
            spent, dead = state.betting.spent, rules.dead
            if rules.utility is not None:  # prizes, relative to the stacks before the hand
                spent, dead = (0, 0), 0
            for p in range(2):
                key = (p, names[p])
                weight = chance * reach[1 - p]
                mass[key] = mass.get(key, 0.0) + weight
                here = values[p] + dead / 2 + spent[p]
                earned[key] = earned.get(key, 0.0) + weight * here
            p = state.player
            for action in range(len(state.actions)):
                worth = self.value(state.child(action))[p] + dead / 2 + spent[p]
                key = (names[p], action)
                by_action[key] = by_action.get(key, 0.0) + chance * reach[1 - p] * worth
        evs = {key: value / mass[key] for key, value in earned.items()}
        actor = state.player
        acting = {key: value / mass[actor, key[0]] for key, value in by_action.items()}
        return evs, acting, came / total


def number_of(text):
    low, high = sorted(read_cards(text))
    return int(np.flatnonzero((hands() == (low, high)).all(axis=1))[0])


def compare(view, slow, line, moves):
    node = view.at(line)
    evs, acting, reach = slow.results(moves)
    assert node.reach == pytest.approx(reach, rel=1e-9)
    for (player, hand), ev in evs.items():
        assert node.held[player].ev[number_of(hand)] == pytest.approx(ev, abs=1e-9)
    assert acting
    for (hand, action), ev in acting.items():
        assert node.action_ev[number_of(hand), action] == pytest.approx(ev, abs=1e-9)
    for player in range(2):
        known = {number_of(hand) for p, hand in evs if p == player}
        assert set(np.flatnonzero(np.isfinite(node.held[player].ev)).tolist()) == known
    return node


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        (
            RIVER,
            {
                "": [],
                "check": ["check"],
                "bet10": ["bet 10"],
                "bet 10 allin": ["bet 10", "raise 30"],
            },
        ),
        (PRIZES, {"": [], "bet10": ["bet 10"], "bet 10 allin": ["bet 10", "raise 30"]}),
        (PRIZES | {"board": "Td9d6hQc"}, {"bet10": ["bet 10"]}),
        (
            TURN,
            {
                "": [],
                "check": ["check"],
                "check bet10": ["check", "bet 10"],
                "bet10 call / 2s": ["bet 10", "call", "2s"],
                "check check / 2s / check": ["check", "check", "2s", "check"],
            },
        ),
    ],
)
def test_every_number_is_that_of_a_recursion(given, lines):
    spot = rl.spot(**given)
    strategy = random_strategy(spot)
    view, slow = SpotView.of(strategy), Slow(strategy)
    for line, moves in lines.items():
        node = compare(view, slow, line, moves)
        if spot.rules.rake is None and spot.rules.utility is None:
            assert sum(node.ev) == pytest.approx(node.pot)


def test_suits_that_can_be_renamed():
    strategy = random_strategy(rl.spot(**SUITS))
    assert len(strategy.form.layout.sides[0][0].permutations) > 1
    assert strategy.probabilities("JcJd/TdThQd6h:", 1)
    view, slow = SpotView.of(strategy), Slow(strategy)
    compare(view, slow, "check bet10 call / 7s", ["check", "bet 10", "call", "7s"])


def test_the_root_has_the_value_of_the_game():
    for given in (RIVER, TURN, SUITS):
        strategy = random_strategy(rl.spot(**given), seed=3)
        values = rl.evaluate(strategy).values
        node = SpotView.of(strategy).at()
        assert node.ev == pytest.approx([value + 10 for value in values])
        assert node.reach == pytest.approx(1)


PREFLOP = {
    "blinds": [1, 2],
    "stack": 12,
    "ranges": {"oop": "AsAh,7c2d", "ip": "KsKh,QdJd,3c2h"},
    "bets": "a",
    "tree": {"limp": False},
}


def test_before_the_flop():
    strategy = random_strategy(rl.spot(**PREFLOP), seed=1)
    values = rl.evaluate(strategy).values
    view = SpotView.of(strategy)
    first, second = view.at(), view.at("allin")
    assert NodeIndex.of_tensors(view.index.tensors()).find("", ((),)).lanes == 3
    assert first.player == 1
    assert first.ev == pytest.approx([values[0] + 2, values[1] + 1])
    assert first.action_ev[number_of("KsKh"), 0] == pytest.approx(0)  # folding
    assert second.reach == pytest.approx(first.frequencies[1])
    assert sum(second.ev) == pytest.approx(second.pot)
    kings = second.held[1].ev[number_of("KsKh")]
    assert kings == pytest.approx(first.action_ev[number_of("KsKh"), 1] + 11)
