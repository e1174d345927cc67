"""Models from recorded hands."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from pictures import assert_drawn

import regretless as rl
from regretless.errors import (
    BadFile,
    BadInput,
    BadParameter,
    IllegalMove,
    RegretlessError,
    UnknownName,
    Unsuitable,
    WrongGame,
)
from regretless.exploitation.evidence import decisions_of
from regretless.exploitation.files import load_model, save_model
from regretless.exploitation.leaks import find_leaks, leak_table, missing_table, summary
from regretless.exploitation.leaks_picture import picture
from regretless.exploitation.model import Model
from regretless.forms.form import own
from regretless.play.following import Follower
from regretless.play.histories.acpc_log import write_hand
from regretless.play.modelling import model
from regretless.play.observing import Cards, Watcher
from regretless.play.records import Hand


def hands_of(game, *agents, hands=300, seed=1):
    rules = rl.rules_of(game)
    seated = [rl.agent(one, game, seed=seed) for one in agents]
    names = ("hero", "villain", "third")[: len(agents)]
    return list(rl.play_match(rules, seated, hands=hands, seed=seed, names=names))


@pytest.mark.parametrize("cards", ["all", "showdown", "none"])
@pytest.mark.parametrize("game", ["kuhn", "leduc", "kuhn:players=3"])
def test_hidden_cards_may_be_all_that_pay_the_same(game, cards):
    """The slow twin tries every deal and keeps those that the visible part allows."""
    players = rl.rules_of(game).players
    hands = hands_of(game, *["random"] * players, hands=25)
    watcher, follower = Watcher(game, Cards(cards)), Follower(game)
    many = hands_of(game, *["random"] * players, hands=400)
    deck = sorted({hole for hand in many for hole in hand.holes})
    for hand in hands:
        for position in range(players):
            observation = watcher.observation(hand, position)
            truth = int(watcher.form.sequences[follower.end(hand), position])
            assert truth in dict(observation.ends)
            assert sum(chance for _, chance in observation.ends) == pytest.approx(1, abs=1e-9)
            folded = follower.deck.rules.replay(hand.betting).folded
            shown = not folded[position] and sum(folded) < players - 1
            if cards == "all" or (cards == "showdown" and shown):
                assert observation.ends == ((truth, 1.0),)
                continue
            possible = Counter()
            used = {card for p, card in enumerate(hand.holes) if p != position}
            used |= set(hand.boards)
            for card in deck:
                if card in used:
                    continue
                holes = [card if p == position else c for p, c in enumerate(hand.holes)]
                text = "/".join(["|".join(holes), *hand.boards])
                try:
                    end = follower.end(hand._replace(cards=text))
                except WrongGame:
                    continue
                possible[int(watcher.form.sequences[end, position])] += 1
            total = sum(possible.values())
            expected = {s: times / total for s, times in possible.items()}
            assert dict(observation.ends) == pytest.approx(expected, abs=1e-9)


def test_cards_of_everybody_may_be_hidden():
    (hand,) = [h for h in hands_of("leduc", "random", "random") if h.betting == "rf"][:1]
    bare = hand._replace(cards="|")
    watcher = Watcher("leduc")
    observation = watcher.observation(bare, 1)
    # Any of the three ranks, two cards each: equally likely before anything else is known.
    assert [chance for _, chance in observation.ends] == pytest.approx([1 / 3] * 3)
    # If only aces bet, an ace is less likely to have folded to one.
    aces = {f"{card}:": {"check": float(card != "A"), "bet": float(card == "A")} for card in "AKQ"}
    watcher.suppose(rl.Strategy.uniform("leduc").edited({1: aces}))
    assert dict(watcher.observation(bare, 1).ends) == pytest.approx(
        dict(zip([s for s, _ in observation.ends], _shares(watcher, observation), strict=True)),
        abs=1e-3,
    )


def _shares(watcher, observation):
    """One ace is left for the opponent, and two of every other rank."""
    owner = decisions_of(watcher.form).owner
    first = int(owner[watcher.form.plex.roots[1] + 1])
    labels = [watcher.form.treeplexes[1].labels[owner[s] - first] for s, _ in observation.ends]
    return [0.2 if label.startswith("A") else 0.4 for label in labels]


def test_a_model_from_a_log(tmp_path):
    log = tmp_path / "m.log"
    rl.Match(game="leduc", agents=("random", "always-call"), hands=400, seed=2).run(log=log)
    found = model(log, player="always-call")
    assert found.hands == 400
    assert found.name == "always-call"
    calls = found.strategy.probabilities("K:r", 2)
    assert calls["call"] > 0.9
    again = model(list(hands_of("leduc", "random", "always-call")), player="villain", game="leduc")
    assert again.strategy.probabilities("K:r", 2)["call"] > 0.8
    two = model([log, log], player="always-call")
    assert two.hands == 800
    np.testing.assert_allclose(two.counts, 2 * found.counts)


@pytest.mark.parametrize("cards", list(Cards))
def test_the_truth_is_approached_whatever_is_seen_of_an_opponent(cards):
    hands = hands_of("kuhn", "random", "always-call", hands=3000)
    found = model(hands, player="villain", game="kuhn", cards=cards)
    for label in ("A:r", "K:r", "Q:r"):
        assert found.strategy.probabilities(label, 2)["call"] > 0.95


def test_strategies_and_saved_models_are_models(tmp_path):
    strategy = rl.Strategy.uniform("kuhn")
    known = model(strategy)
    assert known.known
    strategy.save(tmp_path / "u.strategy")
    np.testing.assert_array_equal(model(tmp_path / "u.strategy").behaviour, known.behaviour)
    learned = model(
        hands_of("kuhn", "random", "random"), player="villain", game="kuhn", cards="none"
    )
    for one in (known, learned):
        save_model(one, tmp_path / "v.model")
        again = model(tmp_path / "v.model")
        np.testing.assert_array_equal(again.behaviour, one.behaviour)
        np.testing.assert_array_equal(again.prior, one.prior)
        np.testing.assert_array_equal(again.counts, one.counts)
        assert (again.strength, again.by, again.name) == (one.strength, one.by, one.name)
        assert again.hands == one.hands
    assert model(again) is again


def test_costs_of_leaks_add_up_to_the_difference_of_values():
    found = model(hands_of("leduc", "random", "aggressive"), player="villain", game="leduc")
    total = sum(leak.cost for leak in find_leaks(found))
    mixed = found.prior.copy()
    for player in (0, 1):
        mine = own(found.form, player)
        mixed[mine] = found.behaviour[mine]
        lost = found.form.respond(player, found.prior)[0] - found.form.respond(player, mixed)[0]
        mixed[mine] = found.prior[mine]
        total -= lost
    assert total == pytest.approx(0, abs=1e-9)


def test_the_largest_deviation_is_the_first_leak():
    found = model(
        hands_of("kuhn", "random", "always-call", hands=2000), player="villain", game="kuhn"
    )
    ranked = find_leaks(found)
    assert [leak.played for leak in ranked] == sorted((x.played for x in ranked), reverse=True)
    for leak in ranked:
        same = [guess for guess in found.guesses(leak.player) if guess.label == leak.label]
        assert list(leak.guesses) == same
        distance = sum(abs(guess.probability - guess.prior) for guess in same) / 2
        assert leak.played == pytest.approx(leak.share * distance)
        assert leak.missing() == pytest.approx(max(0, 96 - leak.seen) / leak.share)
    first = ranked[0].largest
    assert first.probability > 0.9 or first.probability < 0.1
    assert ranked[0].certain


def test_shares_of_hands_are_how_often_decisions_are_made():
    found = Model.of(rl.Strategy.uniform("leduc"))
    watcher, seen = Watcher("leduc"), Counter()
    hands = hands_of("leduc", "random", "random", hands=4000)
    above, _ = decisions_of(watcher.form)
    for hand in hands:
        at = watcher.observation(hand, 0).ends[0][0]
        while above[at] >= 0:
            seen[at] += 1
            at = above[at]
    for leak in find_leaks(found):
        if leak.player == 1:
            point = found.form.find(0, leak.label)
            times = sum(seen[int(s)] for s in point.sequences)
            assert times / len(hands) == pytest.approx(leak.share, abs=0.03)


def test_tables_and_picture(tmp_path):
    found = model(
        hands_of("kuhn", "random", "always-call", hands=30), player="villain", game="kuhn"
    )
    ranked = find_leaks(found)
    text = "\n".join(t.text() for t in (leak_table(ranked, found), missing_table(ranked)))
    assert "villain: largest deviations" in text
    assert "equilibrium is inside the interval" in text
    assert "hands until ± 10 %" in text
    picture(ranked, found, tmp_path / "leaks.png")
    assert_drawn(tmp_path / "leaks.png")
    few = model(hands_of("kuhn", "random", "random", hands=4), player="villain", game="kuhn")
    assert "too little data" in str(summary(few))
    assert "too little data" not in str(summary(found))
    known = Model.of(rl.Strategy.uniform("kuhn"))
    assert "no deviations" in leak_table(find_leaks(known), known).text()


def test_bad_input(tmp_path):
    hands = hands_of("leduc", "random", "random", hands=5)
    with pytest.raises(UnknownName, match="unknown player 'vilain'; did you mean villain"):
        model(hands, player="vilain", game="leduc")
    with pytest.raises(BadParameter, match="player: name the opponent"):
        model(hands, game="leduc")
    with pytest.raises(BadInput, match="does not name its game"):
        model(hands, player="villain")
    with pytest.raises(BadInput, match="no hands"):
        model([], player="villain", game="leduc")
    with pytest.raises(BadParameter, match="cards=some: must be all, showdown or none"):
        model(hands, player="villain", game="leduc", cards="some")
    with pytest.raises(BadParameter, match="must be a file, several files, hands or a strategy"):
        model(3, player="villain")
    with pytest.raises(WrongGame):
        model(hands, player="villain", game="kuhn:players=3")
    with pytest.raises(WrongGame, match="it pays"):
        model([hands[0]._replace(payoffs=(17.0, -17.0))], player="villain", game="leduc")
    impossible = Hand(0, "cc/cc", "Ks|Ks/Qs", (0.0, 0.0), ("hero", "villain"))
    with pytest.raises(IllegalMove, match="a card appears twice"):
        model([impossible], player="villain", game="leduc")
    save_model(model(hands, player="villain", game="leduc"), tmp_path / "v.model")
    with pytest.raises(WrongGame, match="does not fit game kuhn"):
        load_model(tmp_path / "v.model", game="kuhn")
    (tmp_path / "w.model").write_bytes((tmp_path / "v.model").read_bytes()[:-9])
    with pytest.raises(BadFile, match="damaged"):
        load_model(tmp_path / "w.model")
    log = tmp_path / "x.log"
    log.write_text("".join(write_hand(hand) + "\n" for hand in hands))
    with pytest.raises(BadInput, match="does not name its game"):
        model(log, player="villain")


def test_games_that_are_too_large_are_refused_at_once(tmp_path):
    hands = hands_of("holdem_limit", "random", "random", hands=3)
    with pytest.raises(Unsuitable, match="name a blueprint as the prior"):
        model(hands, player="villain", game="holdem_limit")
    cash = Path(__file__).parents[1] / "data" / "pokerstars" / "cash.txt"
    with pytest.raises(BadInput, match=r"cash.txt'?: does not name its game"):
        model(cash, player="hero")
    with pytest.raises(RegretlessError):
        model(cash, player="hero", game="leduc", prior=rl.Strategy.uniform("leduc"))
    with pytest.raises(Unsuitable, match="dbbr needs a game that can be enumerated"):
        rl.agent("dbbr", "holdem_limit")
