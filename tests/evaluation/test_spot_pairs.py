"""Decisions of a solved spot, against a second route over pairs of hands."""

import numpy as np
import pytest

import regretless as rl
from regretless.cards.evaluator import ranks
from regretless.cards.holdings import hands, read_cards, without
from regretless.core.errors import BadParameter, Unsuitable
from regretless.evaluation.spot_values import SpotView
from regretless.forms.public import public_form

RIVER = {
    "board": "Td9d6hQc2s",
    "pot": 20,
    "stack": 30,
    "ranges": {"oop": "QQ,AK:0.5,87s,JsTs", "ip": "TT,AQs,KJo:0.25,76s"},
    "bets": "50%,a",
    "raises": "a",
    "rake": {"rate": 0.05, "cap": 2},
}


@pytest.fixture(scope="module")
def river():
    # In double precision: the second route is.
    return rl.solve(public_form(rl.spot(**RIVER).game, precision="double"), iterations=12)


class Pairs:
    """What pairs of hands earn on a river, betting by betting, from single probabilities."""

    def __init__(self, strategy):
        self.strategy, self.spot = strategy, strategy.form.game.spot
        self.held = [np.flatnonzero(mine) for mine in self.spot.ranges]
        cards = [
            np.concatenate([hands()[h], np.tile(self.spot.board, (len(h), 1))], axis=1)
            for h in self.held
        ]
        self.strength = [np.asarray(ranks(c)) for c in cards]

    def chosen(self, betting):
        deck = self.strategy.form.layout.deck
        found = []
        for hand in self.held[betting.actor]:
            label = f"{deck.text(tuple(hands()[hand]))}/{deck.text(self.spot.board)}"
            found.append(list(self.strategy.probabilities(f"{label}:{betting.history}").values()))
        return np.array(found)

    def worth(self, betting, player):
        """[hand of oop, hand of ip] payoff of a player."""
        if betting.over:
            one, two = self.strength
            better = np.sign(one[:, None].astype(int) - two[None, :])
            paid = {s: betting.settle((s, 0))[player] for s in (-1, 0, 1)}
            return np.vectorize(paid.get)(better).astype(float)
        play = self.chosen(betting)
        total = 0.0
        for action, child in enumerate(betting.children):
            part = play[:, action]
            part = part[:, None] if betting.actor == 0 else part[None, :]
            total = total + part * self.worth(child, player)
        return total

    def evs(self, betting, weights):
        """[hand, action] of the player who acts."""
        actor = betting.actor
        met = np.array(
            [[not set(hands()[a]) & set(hands()[b]) for b in self.held[1]] for a in self.held[0]],
            dtype=float,
        )
        rival = weights[1 - actor][self.held[1 - actor]]
        met *= rival[None, :] if actor == 0 else rival[:, None]
        over = 1 - actor  # the axis of the rival's hands
        earned = [(met * self.worth(c, actor)).sum(axis=over) for c in betting.children]
        found = np.array(earned).T / met.sum(axis=over)[:, None]
        return found + self.spot.rules.dead / 2 + betting.spent[actor]


@pytest.mark.parametrize("line", ["", "check", "bet10", "check bet10", "check bet10 allin"])
def test_evs_are_those_of_pairs_of_hands(river, line):
    node = SpotView.of(river.strategy).at(line)
    pairs = Pairs(river.strategy)
    held = pairs.held[node.player]
    np.testing.assert_allclose(node.strategy[held], pairs.chosen(node.betting), atol=1e-12)
    expected = pairs.evs(node.betting, [held.weight for held in node.held])
    np.testing.assert_allclose(node.action_ev[held], expected, atol=1e-9)
    assert np.isnan(node.strategy[np.setdiff1d(np.arange(1326), held)]).all()


def test_folding_is_worth_nothing(river):
    node = SpotView.of(river.strategy).at("bet10")
    fold = node.action_ev[:, node.actions.index("fold")]
    assert np.nanmax(np.abs(fold)) < 1e-9


def test_the_first_decision_is_worth_the_value_of_the_game(river):
    node = SpotView.of(river.strategy).at()
    assert node.acting.mean(node.acting.ev) == pytest.approx(river.values[0] + 10, abs=1e-9)
    assert node.reach == 1
    assert sum(node.frequencies) == pytest.approx(1)


def test_reach_is_what_was_played_before(river):
    nodes = SpotView.of(river.strategy)
    start, after = nodes.at(), nodes.at("check")
    assert after.reach == pytest.approx(start.frequencies[0])
    bet = nodes.at("check bet10")
    assert bet.reach == pytest.approx(after.reach * after.frequencies[after.actions.index("bet10")])


def test_suits_that_were_renamed_come_back():
    spot = rl.spot(
        board="Td9d6h2c", pot=10, stack=10, bets="a", ranges={"oop": "AA,87s", "ip": "KK,JTs"}
    )
    solution = rl.solve(spot, iterations=6)
    nodes = SpotView.of(solution.strategy)
    node = nodes.at("check check / 5s /")
    form = solution.form
    for hand in np.flatnonzero(np.isfinite(node.strategy[:, 0])):
        low, high = hands()[hand]
        text = form.layout.deck.text((low, high))
        point = form.find(0, f"{text}/2c6h9dTd/5s:cc/")
        assert list(solution.strategy.at_point(0, point).values()) == pytest.approx(
            node.strategy[hand]
        )
    river = without((*spot.board, *read_cards("5s")))
    assert np.isfinite(node.strategy[:, 0]).sum() == np.count_nonzero((spot.ranges[0] > 0) & river)


def test_before_the_flop():
    spot = rl.spot(
        stack=20,
        blinds=[1, 2],
        ranges={"oop": "random", "ip": "random"},
        bets={"preflop": "a"},
        tree={"limp": False},
    )
    solution = rl.solve(public_form(spot.game, precision="double"), iterations=20)
    nodes = SpotView.of(solution.strategy)
    node = nodes.at()
    assert node.acting.mean(node.acting.ev) == pytest.approx(solution.values[1] + 1, abs=1e-9)
    answer = nodes.at("allin")
    assert answer.reach == pytest.approx(node.frequencies[1])
    assert np.abs(answer.action_ev[:, 0]).max() < 1e-9


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bet10 fold", "over"),
        ("raise7", "not possible"),
        ("check / 2s", "not over"),
    ],
)
def test_lines_that_lead_nowhere(river, line, words):
    with pytest.raises(BadParameter, match=words):
        SpotView.of(river.strategy).at(line)


def test_a_line_needs_its_cards():
    spot = rl.spot(board="Td9d6h2c", pot=10, stack=10, bets="a", ranges=RIVER["ranges"])
    strategy = rl.Strategy.uniform(rl.forms.public_form(spot.game))
    with pytest.raises(BadParameter, match="expected the river"):
        SpotView.of(strategy).at("check check")


def test_other_games_are_no_spots():
    strategy = rl.Strategy.uniform(rl.sequence_form("kuhn"))
    with pytest.raises(Unsuitable, match="kuhn is not a spot"):
        SpotView.of(strategy)
