"""Nyx: the blueprint in early rounds, translation, ranges by Bayes' rule, endgames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from random_buckets import Buckets

from regretless.abstraction._composition import hand_map
from regretless.blueprints.training import Trainer
from regretless.core.errors import BadParameter, WrongGame
from regretless.evaluation.exploitability import evaluate
from regretless.forms.choice import form_of
from regretless.forms.public import public_form
from regretless.games._betting import Menu, PokerRules
from regretless.games._betting_tree import BettingTree
from regretless.games._catalog import load
from regretless.games._poker import poker_game
from regretless.play.agents import _endgames, nyx
from regretless.play.agents._agent import MixingAgent
from regretless.play.agents._catalog import agent
from regretless.play.match import play_match
from regretless.play.table import View
from regretless.strategy.face import by_move
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy


def table(stack: int = 20) -> PokerRules:
    rules = load(f"holdem_nolimit:ranks=4,suits=3,small_blind=1,stack={stack}").rules
    assert rules is not None
    return rules


def sized(rules: PokerRules, *bets: int) -> PokerRules:
    return replace(rules, menus=(Menu(bets, bets),) * rules.rounds)


@pytest.fixture(scope="module")
def blueprint() -> Buckets:
    return Buckets(sized(table(), 2, 6), 1)


def view(rules: PokerRules, history: str, hole: str, board: str) -> View:
    cut = lambda text: tuple(text[i : i + 2] for i in range(0, len(text), 2))  # noqa: E731
    betting = rules.replay(history)
    return View(betting.actor, 0, betting, cut(hole), cut(board))


def shares(mixture) -> dict[str, float]:
    cuts = (0.0, *mixture.below, 1.0)
    return {one: cuts[i + 1] - cuts[i] for i, one in enumerate(mixture.actions)}


def test_early_rounds_are_the_blueprint(blueprint: Buckets) -> None:
    player = nyx.Agent(table(), strategy=blueprint)
    seen = view(table(), "cr4", "AsKd", "")
    node = blueprint.rules.replay("cr4")
    bucket = blueprint.map.of("AsKd")
    expected = {
        move.letter if move.letter != "r" else f"r{move.total}": share
        for move, share in zip(node.choices, blueprint.table(node)[bucket], strict=True)
        if share > 0
    }
    assert shares(player.mixture(seen)) == pytest.approx(expected)


def test_bets_outside_the_tree_are_translated(blueprint: Buckets) -> None:
    """A raise to 5 is between raises to 4 and 8; which one depends on the hand, not on chance."""
    player = nyx.Agent(table(), strategy=blueprint, seed=3)
    found = set()
    for hole in ("AsKd", "AhKd", "KsKd", "QsJd", "JsJd", "AsQd", "AhQd"):
        seen = view(table(), "cr5", hole, "")
        step = player._follow(seen, "cr5")[-1]
        assert step.node is not None
        found.add(step.node.history)
        assert player.mixture(seen) == player.mixture(seen)
        later = seen._replace(board=("As", "Ks", "Qs"))
        assert player._follow(later, "cr5c/")[3 - 1].node is not None
    assert found == {"cr4", "cr8"}
    fixed = nyx.Agent(table(), strategy=blueprint, randomised=False)
    nodes = {
        fixed._follow(view(table(), "cr5", hole, ""), "cr5")[-1].node.history  # type: ignore[union-attr]
        for hole in ("AsKd", "AhKd", "KsKd", "QsJd")
    }
    assert nodes == {"cr4"}


def test_what_a_bet_was_understood_as_does_not_change_later(blueprint: Buckets) -> None:
    player = nyx.Agent(table(), strategy=blueprint, seed=3)
    for hole in ("AsKd", "AhKd", "KsKd", "QsJd", "JsJd"):
        early = player._follow(view(table(), "cr5", hole, ""), "cr5")[-1].node
        later = view(table(), "cr5c/c", hole, "KhQhJh")
        path = player._follow(later, "cr5c/c")
        assert early is not None
        assert path[2].node is not None
        assert path[2].node.history == early.history


def test_ranges_are_bayes_rule(blueprint: Buckets) -> None:
    """One hand at a time: the product of its own probabilities."""
    player = nyx.Agent(table(), strategy=blueprint)
    history, board = "cr4c/cc/", "AsKsQh" + "Jd"
    seen = view(table(), history, "AdKd", board)
    dealt = player._dealt(seen, 2)
    found = player._blueprint_ranges(player._follow(seen, history), dealt)
    lines = ["", "c", "cr4", "cr4c/", "cr4c/c"]
    taken = ["c", "r4", "c", "c", "c"]
    for number, hand in enumerate(player.cards.hands.tolist()):
        expected = [1.0, 1.0]
        for line, action in zip(lines, taken, strict=True):
            node = blueprint.rules.replay(line)
            shown = [card for part in dealt[: node.round + 1] for card in part]
            if set(hand) & set(shown):
                expected[node.actor] = 0.0
                continue
            names = [m.letter if m.letter != "r" else f"r{m.total}" for m in node.choices]
            bucket = blueprint.map.of(hand, shown)
            expected[node.actor] *= blueprint.table(node)[bucket][names.index(action)]
        assert [found[0][number], found[1][number]] == pytest.approx(expected)


def small(*bets: int) -> PokerRules:
    return PokerRules(
        players=2,
        ranks=3,
        suits=2,
        hole=2,
        board=(0, 1),
        blinds=(2, 1),
        first=(1, 0),
        caps=(0, 2),
        menus=(Menu(bets, bets),) * 2,
        stacks=(8, 8),
    )


class _OneByOne:
    """An agent that is asked hand by hand."""

    def __init__(self, agent: nyx.Agent) -> None:
        self.agent, self.rules = agent, agent.rules

    def at(self, betting, board=()):
        return MixingAgent.at(self.agent, betting, board)


@pytest.mark.parametrize("safe", [True, False])
def test_solving_the_last_round_makes_it_less_exploitable(safe: bool) -> None:
    """Exactly, over the whole game: the agent is a strategy."""
    rules = small(2, 4)
    blueprint = Buckets(rules, 4)
    game = poker_game("small", rules, suits_distinct=True)
    form = form_of(game)
    whole = nyx.Agent(rules, strategy=blueprint, round=2, limit_ms=10**6, iterations=40, safe=safe)
    alone = nyx.Agent(rules, strategy=blueprint, round=3)
    before = evaluate(on_form(alone, form)).exploitability
    after = on_form(whole, form)
    assert evaluate(after).exploitability < 0.8 * before
    one_by_one = on_form(_OneByOne(whole), form)
    np.testing.assert_allclose(after.behaviour, one_by_one.behaviour, atol=2e-6)


@pytest.mark.slow
def test_safe_re_solving_is_no_worse_than_the_blueprint() -> None:
    """Endgames with ranges alone are: the rival has a use for hands that it should not have."""
    rules = PokerRules(
        players=2,
        ranks=4,
        suits=2,
        hole=2,
        board=(0, 3),
        blinds=(2, 1),
        first=(1, 0),
        caps=(2, 1),
        menus=(Menu((6,), (6,)),) * 2,
        stacks=(20, 20),
    )
    game = poker_game("small", rules, suits_distinct=True)
    form = public_form(game)
    trainer = Trainer(
        BettingTree(rules), hand_map(game, "preflop=lossless,flop=percentile:4"), period=100
    )
    trainer.step(2000)
    blueprint = trainer.blueprint()
    before = evaluate(on_form(blueprint, form)).exploitability
    safe, unsafe = (
        evaluate(
            on_form(
                nyx.Agent(
                    rules, strategy=blueprint, round=2, limit_ms=10**6, iterations=30, safe=one
                ),
                form,
            )
        ).exploitability
        for one in (True, False)
    )
    assert safe < 0.9 * before
    assert unsafe > 1.1 * before


def test_a_guard_is_what_was_played_before(blueprint: Buckets, monkeypatch) -> None:
    """On the turn the blueprint, then the endgame before, also within a round."""
    solve, known = _endgames.solved, []

    def noted(rules, menus, line, start, dealt, ranges, iterations, limit_s, before):
        known.append((start, before))
        return solve(rules, menus, line, start, dealt, ranges, iterations, limit_s, before)

    monkeypatch.setattr(nyx, "solved", noted)
    player = nyx.Agent(table(), strategy=blueprint, iterations=16, limit_ms=10**6, sizes="100%+a")
    seen = view(table(), "cr4c/cc/cc/r7", "AhQd", "AsKsQhJdAd")
    dealt = player._dealt(seen, 3)
    assert player._stage(seen, 3, dealt) is not None
    assert [start for start, _ in known] == ["cr4c/cc/", "cr4c/cc/cc/", "cr4c/cc/cc/"]
    turn, river, again = (before for _, before in known)
    assert {one.player for one in (turn, river, again)} == {seen.position}
    assert turn.root.rules == blueprint.rules
    assert replace(river.root.rules.sizing, line="") == player.menus[0]
    assert [one.root.history for one in (turn, river, again)] == [
        "cr4c/cc/",
        "cr4c/cc/cc/",
        "cr4c/cc/cc/",
    ]
    assert np.allclose(
        turn.chances(blueprint.rules.replay("cr4c/cc/"), dealt[:3]),
        by_move(blueprint)(blueprint.rules.replay("cr4c/cc/"), dealt[:3]),
    )
    free = nyx.Agent(table(), strategy=blueprint, iterations=16, limit_ms=10**6, safe=False)
    known.clear()
    assert free._stage(seen, 3, dealt) is not None
    assert {before for _, before in known} == {None}


def test_offers_are_shares_of_the_real_pot(blueprint: Buckets) -> None:
    """A bet that was understood as another size leads to another pot."""
    dealt = ((), (0, 3, 6), (9,))
    before = _endgames.Before(0, blueprint.rules.replay("cr4c/cc/"), by_move(blueprint))
    mine = _endgames.trimmed(np.ones(66), [0, 3, 6, 9], blueprint.rules)
    same = before.offers(dealt, mine, blueprint.rules.replay("cr4c/cc/"))
    more = before.offers(dealt, mine, table().replay("cr5c/cc/"))
    assert same is not None
    assert more is not None
    np.testing.assert_allclose((same + 4) / 8, (more + 5) / 10)
    assert -4 <= np.nanmin(same) < np.nanmax(same) <= 20


def test_an_endgame_is_an_equilibrium_of_its_ranges() -> None:
    """Its strategy, measured as a game of its own."""
    rules = small(2, 4)
    draws = np.random.default_rng(2)
    ranges = draws.random(15), draws.random(15)
    found = _endgames.solved(rules, [], "cc/", "cc/", ((), (3,)), ranges, 400)
    assert found is not None
    assert found.iterations == 400
    assert evaluate(Strategy(found.form, found.behaviour)).exploitability < 5e-3


def test_bets_outside_an_endgame_are_added_and_solved_again(blueprint: Buckets) -> None:
    player = nyx.Agent(table(), strategy=blueprint, iterations=40, limit_ms=10**6, sizes="100%+a")
    seen = view(table(), "cr4c/cc/cc/r7", "AhQd", "AsKsQhJdAd")
    found = [
        player._solved_mixture(seen._replace(hole=(first, second)))
        for first, second in (("Ah", "Qd"), ("Ah", "Kd"), ("Kh", "Kd"), ("Jh", "Js"))
    ]
    answers = [shares(one) for one in found if one is not None]  # others never bet the flop
    assert answers
    for answer in answers:
        assert set(answer) <= {"f", "c", "r20"}  # the pot after a call is 14, so 100 % is all-in
        assert sum(answer.values()) == pytest.approx(1)
    stage = player._stage(seen, 3, player._dealt(seen, 3))
    assert stage is not None
    assert stage.endgame.root.history == "cr4c/cc/cc/"
    totals = [move.total for move in stage.endgame.root.choices if move.letter == "r"]
    assert 7 in totals
    assert player.mixture(seen) == player.mixture(seen)


def test_without_time_the_blueprint_answers(blueprint: Buckets, monkeypatch) -> None:
    rules = table()
    asked = nyx.Agent(rules, strategy=blueprint, limit_ms=1)
    monkeypatch.setattr("regretless.core.loop.interrupted", lambda: True)
    seen = view(rules, "cr4c/cc/", "AhQd", "AsKsQhJd")
    node = blueprint.rules.replay("cr4c/cc/")
    bucket = blueprint.map.of("AhQd", "AsKsQhJd")
    expected = blueprint.table(node)[bucket]
    assert sorted(shares(asked.mixture(seen)).values()) == pytest.approx(
        sorted(share for share in expected if share > 0)
    )


def test_whole_matches(blueprint: Buckets) -> None:
    """Any bets of the other player get a legal answer, and the same one again."""
    rules = table()

    def played() -> list[str]:
        player = nyx.Agent(rules, strategy=blueprint, iterations=16, limit_ms=10**6)
        return [
            hand.betting
            for hand in play_match(
                rules, [player, agent("random", rules, seed=1)], hands=12, seed=2
            )
        ]

    first = played()
    assert len(first) == 12
    assert first == played()
    assert any(betting.count("/") == 3 for betting in first)


def test_everything_is_compiled_before_a_match(blueprint: Buckets, monkeypatch) -> None:
    rules = table()
    player = nyx.Agent(rules, strategy=blueprint, limit_ms=1)
    solve, rounds = _endgames.solved, []

    def noted(rules, menus, line, start, dealt, ranges, iterations, limit_s, before):
        found = solve(rules, menus, line, start, dealt, ranges, iterations, limit_s, before)
        rounds.append((len(dealt), found is not None, iterations, limit_s))
        return found

    monkeypatch.setattr(nyx, "solved", noted)
    player.prepare()
    assert set(rounds) == {(3, True, 1, np.inf), (4, True, 1, np.inf)}
    assert (player.limit_s, player.iterations) == (0.001, 200)
    assert not player._endgames
    assert not player._stages


def test_bad_input(blueprint: Buckets) -> None:
    with pytest.raises(BadParameter, match="needs a blueprint"):
        agent("nyx", table())
    with pytest.raises(BadParameter, match="round=6: must be 2 to 5"):
        nyx.Agent(table(), strategy=blueprint, round=6)
    with pytest.raises(WrongGame, match="other rules"):
        nyx.Agent(table(24), strategy=blueprint)
    with pytest.raises(BadParameter, match="translation=linear"):
        nyx.Agent(table(), strategy=blueprint, translation="linear")
    with pytest.raises(BadParameter, match="'pot' is not a size"):
        nyx.Agent(table(), strategy=blueprint, sizes="pot")


def test_menus_shrink_until_there_is_time() -> None:
    """The estimate is the size of the form; the first menu below the budget is taken."""
    rules = table()
    menus = nyx._menus("50% 100% a", 4)
    dealt = ((), (0, 3, 6), (9,))
    ranges = np.ones(66), np.ones(66)
    given = menus, "cc/cc/", "cc/cc/", dealt, ranges, 16
    rich = _endgames.solved(rules, *given)
    assert rich is not None
    hands = [int(np.count_nonzero(one)) for one in rich.ranges]
    estimate = _endgames.sequences(rich.root, hands, np.inf)
    # Exchangeable suits make forms smaller, and a river card is held by some hands.
    assert 0.2 * estimate < sum(rich.form.sizes.sequences) < estimate
    short = 0.9 * estimate * 16 / _endgames.SWEPT_PER_S
    poorer = _endgames.solved(rules, *given, limit_s=short)
    assert poorer is not None
    assert len(poorer.root.choices) == len(rich.root.choices)
    assert sum(poorer.form.sizes.sequences) < sum(rich.form.sizes.sequences)
    assert _endgames.solved(rules, *given, limit_s=1e-9) is None
