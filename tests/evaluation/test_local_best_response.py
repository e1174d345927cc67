"""Local best response: never above the exact best response, and the same by two routes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import regretless as rl
from regretless.cards.equities import board_shares
from regretless.cards.holdings import disjoint, number_of, read_cards, without
from regretless.core.errors import BadParameter
from regretless.evaluation.exploitability import evaluate
from regretless.evaluation.local_best_response import Responder, local_best_response
from regretless.evaluation.table_cards import TableCards
from regretless.forms.choice import form_of
from regretless.games._betting import PokerRules
from regretless.games._catalog import load
from regretless.games._poker import PokerState
from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.league import league
from regretless.play.table import View
from regretless.solvers._catalog import solver
from regretless.strategy.face import Play
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy
from regretless.strategy.tree_walk import tokens

CASES = [("leduc", 0), ("leduc", 1), ("generic_poker:cap=1", 0), ("kuhn", 1)]


def range_at(responder: Responder, betting, board):
    """[hand] the probability that the other player's actions so far have with it."""
    other, reach = 1 - betting.actor, np.ones(len(responder.cards.hands))
    node = responder.rules.start()
    for token in tokens(betting.history):
        if node.actor == other:
            seen = board[: sum(responder.rules.board[: node.round + 1])]
            actions, chances, _ = responder.against.at(node, seen)
            # An action that is never taken says nothing about the hand.
            reach = reach * (chances[:, actions.index(token)] if token in actions else 0.0)
        node = node.act(token)
    return reach


class Responding(MixingAgent):
    """The responder as an agent, which has an exact expected value."""

    def __init__(self, game, responder: Responder) -> None:
        super().__init__(game)
        self.responder = responder

    def mixture(self, view: View) -> Mixture:
        cards = self.responder.cards
        hand, board = cards.number(view.hole), cards.board(view.board)
        theirs = range_at(self.responder, view.betting, board)
        return Mixture((self.responder.action(hand, view.betting, board, theirs),))


def strategies(name: str) -> list[Strategy]:
    form = form_of(load(name))
    running = solver("cfr+", form)
    running.step(8)
    return [Strategy.uniform(form), Strategy(form, running.behaviour())]


@pytest.mark.parametrize(("name", "which"), CASES)
def test_it_is_a_lower_bound_and_the_samples_agree(name: str, which: int) -> None:
    game, strategy = load(name), strategies(name)[which]
    against = strategy
    agent = Responding(game, Responder(against))
    own = on_form(agent, strategy.form)
    exact = league(game, {"lbr": own, "it": strategy}).against("lbr", "it").mean
    chips = exact * max(game.rules.blinds) / 1000  # type: ignore[union-attr]
    assert chips <= evaluate(strategy).exploitability + 1e-12
    sampled = local_best_response(against, hands=250, seed=which)
    assert abs(sampled.mean - chips) < 1.5 * sampled.half_width
    if which == 0:
        assert chips > 0.2 * evaluate(strategy).exploitability


def test_a_caller_is_punished_by_hand() -> None:
    """Against someone who always calls, the responder bets whenever it is ahead of the range."""
    game = load("kuhn")
    form = form_of(game)
    calls = {
        label: {name: 1.0 if name in ("call", "check") else 0.0 for name in actions}
        for player in Strategy.uniform(form).to_dict().values()
        for label, actions in player.items()
    }
    strategy = Strategy.from_dict(form, calls)
    responder = Responder(strategy)
    start = responder.rules.start()
    everything = np.ones(3)
    assert [responder.action(hand, start, (), everything) for hand in range(3)] == ["c", "c", "r"]
    found = local_best_response(strategy, hands=700, seed=1)
    # K wins 2 chips, Q 0, J loses 1, from both seats.
    assert found.mean == pytest.approx(1 / 3, abs=2 * found.half_width)


class Evenly:
    """Numbers below 1, evenly spaced: the same one in every call."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


def test_drawn_actions_have_the_frequencies_of_hands_that_can_be_held() -> None:
    """The mean over all draws is the exact value: a hand that the responder holds itself, or that
    meets the board, draws nothing."""
    game = load("kuhn")
    form = form_of(game)
    # In eighths, and one decision on every path: then 16 draws are all of them.
    play = {}
    for card, share in {"Q": 0.25, "K": 0.5, "A": 0.0}.items():
        play[f"{card}:"] = {"check": 1.0, "bet": 0.0}
        play[f"{card}:c"] = {"check": 1 - share, "bet": share}
        play[f"{card}:r"] = play[f"{card}:cr"] = {"fold": share, "call": 1 - share}
    strategy = Strategy.uniform(form).edited(play)
    responder = Responder(strategy)
    own = on_form(Responding(game, responder), form)
    exact = league(game, {"lbr": own, "it": strategy}).against("lbr", "it").mean
    draws = [Evenly((k + 0.5) / 16) for k in range(16)]
    won = [
        responder.winnings(seat, hand, (), draw)  # type: ignore[arg-type]
        for seat in range(2)
        for hand in range(3)
        for draw in draws
    ]
    assert np.mean(won) == pytest.approx(exact / 1000, abs=1e-12)


def test_it_folds_only_what_is_owed_and_below_zero() -> None:
    """Facing a bet of Kuhn with a jack against a king: calling loses a chip, folding nothing."""
    game = load("kuhn")
    strategy = Strategy.uniform(form_of(game))
    responder = Responder(strategy)
    bet = responder.rules.start().act("r")
    king, queen = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    assert responder.action(0, bet, (), king) == "f"
    assert responder.action(1, bet, (), queen) == "c"
    # Two chips in the middle, one to call: calling breaks even at an equity of a quarter.
    assert responder.action(1, bet, (), np.array([1.0, 0.0, 3.0])) == "c"
    assert responder.action(1, bet, (), np.array([1.0, 0.0, 3.1])) == "f"


class Calls:
    """Calls with probability one; or folds some hands to any raise."""

    def __init__(self, rules: PokerRules, folds: np.ndarray) -> None:
        self.rules, self.folds = rules, folds

    def at(self, betting, board):
        owes = betting.spent[betting.actor] < max(betting.spent)
        cards = TableCards(self.rules)
        free = cards.free(board)[:, None]
        if not owes:
            return Play(("c",), free * 1.0, cards)
        return Play(("f", "c"), np.stack([self.folds, 1 - self.folds], axis=1) * free, cards)


def settled_worth(cards, against, hand, betting, board, theirs, action):
    """Chips of an action more than of a fold, dealt out pair by pair and board by board."""
    me, rules = betting.actor, cards.rules
    after, worth, mass = betting.act(action), 0.0, 0.0
    held = set(cards.hands[hand].tolist())
    for other, hole in enumerate(cards.hands.tolist()):
        if theirs[other] == 0 or set(hole) & (held | set(board)):
            continue
        chance, mass = theirs[other], mass + theirs[other]
        if action != "c" and not after.over:
            folds = against.at(after, board).chances[other, 0]
            worth += chance * folds * after.act("f").settle((0, 0))[me]
            chance *= 1 - folds
        end = after
        while not end.over:
            end = end.act("c")
        rest = [c for c in range(cards.deck) if c not in {*held, *hole, *board}]
        won = []
        for more in combinations(rest, cards.shown - len(board)):
            strengths = cards.strengths(tuple(sorted((*board, *more))))
            order = (strengths[hand], strengths[other])
            won.append(end.settle(order if me == 0 else order[::-1])[me])
        worth += chance * float(np.mean(won))
    assert rules.players == 2
    return worth / mass + betting.spent[me]


@pytest.mark.parametrize("folding", [0.0, 0.3])
@pytest.mark.parametrize(
    ("name", "history", "shown"),
    [
        ("leduc", "", 0),
        ("leduc", "cr", 0),
        ("leduc", "crc/r", 1),
        ("holdem_nolimit:ranks=3,suits=3,stack=900", "r300", 0),
        ("holdem_nolimit:ranks=3,suits=3,stack=900", "cc/cr200", 3),
        ("holdem_limit:ranks=3,suits=3", "cc/r", 3),
    ],
)
def test_every_action_is_worth_what_dealing_out_pays(name, history, shown, folding) -> None:
    """Fold, call and raise, whatever was put in before: the action has the best settled mean."""
    rules = load(name).rules
    assert rules is not None
    rng = np.random.default_rng(1)
    folds = rng.random(len(TableCards(rules).hands)) * 2 * folding
    responder = Responder(Calls(rules, folds), sizes="50%,a")
    cards, betting, taken = responder.cards, rules.replay(history), set()
    board = tuple(range(shown))
    live = np.flatnonzero(cards.free(board))
    for draw in range(60):
        hand = int(rng.choice(live))
        theirs = np.where(rng.random(len(folds)) < 0.3, rng.random(len(folds)), 0.0)
        theirs[int(rng.choice(live))] += draw / 10
        held = cards.hands[hand].tolist()
        if not (theirs * cards.free((*board, *held))).sum():
            continue
        raises = responder._totals(betting)
        letters = ["r" if rules.raises is not None else f"r{to}" for to in raises]
        worth = {
            action: settled_worth(cards, responder.against, hand, betting, board, theirs, action)
            for action in ["c", *letters]
        }
        if max(betting.spent) > betting.spent[betting.actor]:
            worth["f"] = 0.0
        chosen = responder.action(hand, betting, board, theirs)
        taken.add(chosen)
        assert worth[chosen] == pytest.approx(max(worth.values()), abs=1e-9)
    assert len(taken) > 1


class Folds:
    """A hold'em player who folds a given share of all hands to any bet, else calls."""

    def __init__(self, share: float) -> None:
        rules = load("holdem_nolimit:stack=2500").rules
        assert rules is not None
        self.rules: PokerRules = rules
        self.share = share

    def at(self, betting, board):
        owes = betting.spent[betting.actor] < max(betting.spent)
        free = TableCards(self.rules).free(board)[:, None]
        chances = np.array([[self.share, 1 - self.share]] if owes else [[1.0]])
        return Play(("f", "c") if owes else ("c",), chances * free, TableCards(self.rules))


def test_holdem_with_the_full_deck() -> None:
    """Someone who folds nine hands in ten to any bet loses most of its blinds."""
    found = local_best_response(Folds(0.9), hands=12, seed=3)
    mean, half_width = found.mbb
    assert 500 < mean < 2500
    assert half_width > 0
    later = local_best_response(Folds(0.9), hands=4, seed=3, first_round=4)
    assert later.mbb[0] != pytest.approx(found.mbb[0])
    again = local_best_response(Folds(0.9), hands=12, seed=3)
    assert again == found


def test_sizes_of_the_responder() -> None:
    """Whoever folds nearly everything is raised by the size that risks least."""
    responder = Responder(Folds(0.99), sizes="50%,a")
    start = responder.rules.start()
    hand = responder.cards.number(("7h", "2c"))
    assert responder.action(hand, start, (), np.ones(1326)) == "r200"
    assert Responder(Folds(0.99), sizes="a").action(hand, start, (), np.ones(1326)) == "r2500"
    only_calls = Responder(Folds(0.99), first_round=2)
    assert only_calls.action(hand, start, (), np.ones(1326)) in ("c", "f")


@pytest.mark.parametrize(
    ("game", "unit", "scale"),
    [("leduc:ante=2,bets=4/8", "ma/h", 500), ("leduc:ante=0", "chips/h", 1)],
)
def test_games_with_antes_are_measured_in_antes(game: str, unit: str, scale: float) -> None:
    strategy = rl.Strategy.uniform(rl.sequence_form(game))
    found = rl.research.local_best_response(strategy, hands=3)
    assert found.mbb[0] == pytest.approx(found.mean * scale)
    assert found.facts()["unit"] == unit
    assert f" {unit} (3 deals" in str(found)


def test_bad_input() -> None:
    with pytest.raises(BadParameter, match="first_round=5: must be 1 to 4"):
        Responder(Folds(0.5), first_round=5)
    with pytest.raises(BadParameter, match="sizes of the local best response"):
        Responder(Folds(0.5), sizes="pot")
    with pytest.raises(BadParameter, match="hands=1"):
        local_best_response(Folds(0.5), hands=1)


# Cards of a table


def test_equities_of_one_hand_are_those_of_all_pairs() -> None:
    rules = load("holdem_nolimit").rules
    assert rules is not None
    cards = TableCards(rules)
    board = read_cards("Td9d6hQc")
    everything = board_shares(board)
    for name in ("AsKd", "Jd8d"):
        hand = number_of(*read_cards(name))
        open_to = without(board) & (disjoint()[hand] > 0)
        found = cards.shares(hand, board)
        assert found[open_to] == pytest.approx(everything[hand][open_to])
        assert not found[~open_to].any()


@pytest.mark.parametrize("name", ["leduc", "rhode_island:ranks=4,suits=2", "holdem_limit:ranks=3"])
def test_strengths_order_hands_as_the_game_does(name: str) -> None:
    game = load(name)
    root = game.root
    assert isinstance(root, PokerState)
    rules = root.deck.rules
    cards = TableCards(rules)
    draws = np.random.default_rng(0)
    betting = rules.start()
    while not betting.over:
        betting = betting.act("c")
    for _ in range(20):
        dealt = draws.permutation(cards.deck)[: 2 * rules.hole + cards.shown].tolist()
        holes = [tuple(sorted(dealt[i * rules.hole : (i + 1) * rules.hole])) for i in range(2)]
        board = tuple(sorted(dealt[2 * rules.hole :]))
        strengths = cards.strengths(board)
        mine = [int(strengths[cards.hand_numbers[hole]]) for hole in holes]
        kinds = [tuple(_kind(root, cards, card) for card in sorted(hole)) for hole in holes]
        shown = tuple(sorted(_kind(root, cards, card) for card in board))
        expected = root.deck.settle(betting, tuple(kinds), shown)
        assert betting.settle(mine) == pytest.approx(expected)
        blocked = [i for i, hand in enumerate(cards.hands.tolist()) if set(hand) & set(board)]
        assert (strengths[blocked] == -1).all()
        assert (np.delete(strengths, blocked) >= 0).all()


def _kind(root: PokerState, cards: TableCards, card: int) -> int:
    width = len(root.deck.names[0])
    return root.deck.names.index(cards.names[card][:width])


def test_equities_of_a_small_deck_by_hand() -> None:
    rules = load("holdem_nolimit:ranks=3,suits=3").rules
    assert rules is not None
    cards = TableCards(rules)
    board = (0, 1, 4)
    hand = cards.hand_numbers[(2, 8)]
    found = cards.shares(hand, board)
    for other, held in enumerate(cards.hands.tolist()):
        if set(held) & {0, 1, 4, 2, 8}:
            assert found[other] == 0
            continue
        rest = [card for card in range(9) if card not in {0, 1, 4, 2, 8, *held}]
        won = []
        for more in combinations(rest, 2):
            strengths = cards.strengths(tuple(sorted((*board, *more))))
            won.append(0.5 + 0.5 * np.sign(strengths[hand] - strengths[other]))
        assert found[other] == pytest.approx(np.mean(won))
