"""Many hands: seats, luck that cancels, results, and matches that are taken up again."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tables import any_rules, rules_named, seated, tables

import regretless as rl
from regretless.core.errors import BadFile, BadInput, BadParameter, IllegalMove
from regretless.play import match as match_module
from regretless.play.agents import _agent, _python_file
from regretless.play.agents._catalog import agents
from regretless.play.deals import deals
from regretless.play.histories.acpc_log import read_log, write_hand
from regretless.play.match import arrangements, play_match, rules_of
from regretless.play.match_log import MatchLog
from regretless.play.match_run import Match, Stop
from regretless.play.records import Hand
from regretless.play.score import Score, unit
from regretless.runs.solve import solve

LEDUC, KUHN3 = rules_named("leduc"), rules_named("kuhn:players=3")
LEDUC_VALUE = -0.0856  # of position 0, in chips per hand


@pytest.fixture(scope="module")
def equilibrium(tmp_path_factory):
    path = tmp_path_factory.mktemp("strategies") / "leduc.strategy"
    solve("leduc", target=1e-4, out=path)
    return str(path)


# --- hands


@settings(max_examples=15, deadline=None)
@given(any_rules(), st.integers(0, 10**6), st.booleans())
def test_every_hand_of_any_game_adds_up_to_zero_and_is_that_of_a_table(rules, seed, rotate):
    players = seated(rules, "random", seed=seed)
    for hand in play_match(rules, players, hands=5, seed=seed, rotate=rotate):
        assert sum(hand.payoffs) == pytest.approx(0, abs=1e-9)
        *_, end = tables(rules, seated(rules, "random", seed=seed), seed=seed, number=hand.number)
        assert hand == end.record(hand.names)


def test_seats_rotate_by_one_position_a_hand():
    names = ["a", "b", "c"]
    hands = play_match(KUHN3, seated(KUHN3, "random"), hands=4, seed=1, names=names)
    assert [hand.names for hand in hands] == [
        ("a", "b", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
        ("a", "b", "c"),
    ]
    hands = play_match(KUHN3, seated(KUHN3, "random"), hands=2, seed=1, rotate=False)
    assert {hand.names for hand in hands} == {("seat 1", "seat 2", "seat 3")}
    assert arrangements(3)[1] == (1, 2, 0)


def test_agents_sit_where_their_names_say():
    folder, caller = "aggressive", "always-call"
    hands = play_match(LEDUC, agents([folder, caller], LEDUC), hands=50, seed=1, names=["r", "c"])
    for hand in hands:
        assert hand.betting[0] == ("r" if hand.names[0] == "r" else "c")


def test_a_match_begun_later_is_the_rest_of_the_whole():
    for rules, name in ((LEDUC, "random"), (rules_named("holdem_nolimit:players=3"), "random")):
        for duplicate in (False, True):
            how = {"hands": 1100, "seed": 4, "duplicate": duplicate}
            whole = list(play_match(rules, seated(rules, name), **how))
            for first in (1, 511, 1025, 1100):
                rest = list(play_match(rules, seated(rules, name), first=first, **how))
                assert rest == whole[first:]


def test_known_deals_change_nothing(equilibrium, monkeypatch):
    names = [equilibrium, "aggressive"]
    fast = list(play_match(LEDUC, agents(names, LEDUC), hands=3000, seed=2))
    monkeypatch.setattr(match_module, "_KNOWN_DEALS", 0)
    assert list(play_match(LEDUC, agents(names, LEDUC), hands=3000, seed=2)) == fast


def test_an_agent_learns_what_its_seat_may_see():
    class Watcher(_agent.Agent):
        heard: tuple[Hand, ...] = ()

        def act(self, view):
            return "c" if view.number % 2 else _agent.legal_letters(view.betting)[0]

        def finished(self, hand):
            self.heard = (*self.heard, hand)

    players = [Watcher(KUHN3), *agents(["aggressive", "always-call"], KUHN3)]
    hands = list(play_match(KUHN3, players, hands=40, seed=3, rotate=False))
    assert [hand.number for hand in players[0].heard] == list(range(40))
    for heard, hand in zip(players[0].heard, hands, strict=True):
        folded = rules_of("kuhn:players=3").replay(hand.betting).folded
        assert heard.holes[0] == hand.holes[0]
        for other in (1, 2):
            assert heard.holes[other] == ("" if folded[other] else hand.holes[other])


def test_an_illegal_action_ends_the_match_with_its_place():
    players = [_python_file.Asked(LEDUC, ask=lambda view: "f"), *agents(["random"], LEDUC)]
    with pytest.raises(
        IllegalMove, match="hand 0, seat 1, betting '': action 'f': legal actions are check"
    ):
        list(play_match(LEDUC, players, hands=2, seed=0))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"hands": 0}, r"hands=0: must be 1 to"),
        ({"seed": 2**32}, r"seed=4294967296: must be 0 to"),
        ({"first": 11}, r"first hand=11: must be 0 to 10"),
        ({"names": ["a"]}, "names: got 1, expected 2"),
        ({"names": ["a", "a"]}, "names a, a: all names must differ"),
        ({"rotate": False, "duplicate": True}, "fixed seats and a duplicate match"),
    ],
)
def test_what_is_wrong_is_told_before_the_first_hand(change, problem):
    with pytest.raises(BadParameter, match=problem):
        play_match(LEDUC, seated(LEDUC, "random"), **{"hands": 10, "seed": 0, **change})
    with pytest.raises(BadParameter, match="agents: got 3, expected 2"):
        play_match(LEDUC, seated(KUHN3, "random"), hands=1, seed=0)


# --- duplicate


@pytest.mark.parametrize("name", ["always-call", "aggressive", "random"])
@pytest.mark.parametrize("spec", ["leduc", "kuhn:players=3", "holdem_limit:players=4"])
def test_equal_agents_win_exactly_nothing_in_a_duplicate_match(spec, name):
    rules = rules_named(spec)
    score = Score(rules.players, duplicate=True)
    hands = list(play_match(rules, seated(rules, name), hands=120, seed=1, duplicate=True))
    for hand in hands:
        score.add(hand)
    assert score.totals() == [0.0] * rules.players
    assert score.samples == 120 // rules.players
    for number, deal in enumerate(islice(deals(rules, 1), 120 // rules.players)):
        same = hands[number * rules.players : (number + 1) * rules.players]
        assert {hand.holes for hand in same} == {tuple("".join(hole) for hole in deal.holes)}
        assert len({hand.names for hand in same}) == rules.players


# --- results


@settings(max_examples=20, deadline=None)
@given(any_rules(), st.integers(0, 10**6), st.booleans(), st.integers(2, 40))
def test_scores_are_means_and_their_errors(rules, seed, duplicate, hands):
    score = Score(rules.players, duplicate=duplicate)
    logged = Score(rules.players, duplicate=duplicate)
    seats = arrangements(rules.players)
    won = np.zeros((hands, rules.players))
    match = play_match(rules, seated(rules, "random"), hands=hands, seed=seed, duplicate=duplicate)
    for hand in match:
        score.add(hand)
        logged.add(next(read_log([write_hand(hand)])))
        won[hand.number, seats[hand.number % rules.players]] = hand.payoffs
    assert score.totals() == pytest.approx(won.sum(axis=0))
    assert sum(score.totals()) == pytest.approx(0, abs=1e-6)
    times = rules.players if duplicate else 1
    deals_ = won[: hands // times * times].reshape(-1, times, rules.players).mean(axis=1)
    if len(deals_) > 1:
        assert score.means() == pytest.approx(deals_.mean(axis=0))
        error = deals_.std(axis=0, ddof=1) / len(deals_) ** 0.5
        assert score.intervals() == pytest.approx(1.959964 * error, rel=1e-5, abs=1e-9)
    else:
        assert score.intervals() == [None] * rules.players
    for ours in ("totals", "means", "intervals"):
        assert getattr(logged, ours)() == getattr(score, ours)()


def test_an_equilibrium_against_itself_has_the_value_of_the_game(equilibrium):
    score = Score(2, rotate=False)
    players = agents([equilibrium] * 2, LEDUC, seed=1)
    for hand in play_match(LEDUC, players, hands=60_000, seed=7, rotate=False):
        score.add(hand)
    assert abs(score.means()[0] - LEDUC_VALUE) < score.intervals()[0]
    assert score.intervals()[0] < 0.05


def test_results_are_told_in_blinds_or_antes():
    assert unit(LEDUC) == ("ante", 1)
    assert unit(rules_named("holdem_limit")) == ("big-blind", 10)


# --- whole matches


def small(**change):
    return Match(**{"game": "kuhn:players=3", "agents": ("random",) * 3, "hands": 300, **change})


def test_names_tell_agents_apart():
    match = small(agents=("random", "a/b/x.strategy", "random"))
    assert match.names == ("random", "x", "random-2")
    with pytest.raises(BadParameter, match=r"name 'a\|b'"):
        small(names=("a|b", "c", "d"))


def test_a_log_says_it_all(tmp_path):
    result = small(seed=5, names=("a", "b", "c")).run(log=tmp_path / "x.log")
    log = read_log(tmp_path / "x.log", check=KUHN3)
    hands = list(log)
    assert hands == list(
        play_match(KUHN3, seated(KUHN3, "random", seed=5), hands=300, seed=5, names="abc")
    )
    assert log.header[1:] == ("kuhn:players=3", 300, 5)
    assert log.score == (tuple(result.score.totals()), ("a", "b", "c"))
    assert result.stop is Stop.COMPLETE
    facts = result.facts()
    assert facts["unit"] == "milli-ante"
    for player in facts["players"]:
        assert player["milli_per_hand"] == pytest.approx(1000 * player["chips_per_hand"])
        assert player["chips"] == pytest.approx(300 * player["chips_per_hand"])


@pytest.mark.parametrize("kept", [0, 10, 60, 200, 1000, 5000, None])
@pytest.mark.parametrize("duplicate", [False, True])
def test_a_killed_match_goes_on_to_the_identical_result(tmp_path, kept, duplicate):
    match, log = small(duplicate=duplicate), tmp_path / "x.log"
    whole = match.run(log=log)
    text = log.read_bytes()
    log.write_bytes(text[:kept])
    again = match.run(log=log, resume=True)
    assert log.read_bytes() == text
    assert {**again.facts(), "seconds": 0} == {**whole.facts(), "seconds": 0}


def test_only_the_same_match_goes_on(tmp_path):
    log = tmp_path / "x.log"
    small().run(log=log)
    text = log.read_bytes()
    with pytest.raises(BadFile, match=r"x\.log:1:1: belongs to another match: got .* 300 0'"):
        small(seed=1).run(log=log, resume=True)
    with pytest.raises(BadFile, match="belongs to another match"):
        small(duplicate=True).run(log=log, resume=True)
    with pytest.raises(BadFile, match="exists: continue it"):
        small().run(log=log)
    with pytest.raises(BadFile, match="no such file"):
        small().run(log=tmp_path / "y.log", resume=True)
    with pytest.raises(BadInput, match="no log is given"):
        small().run(resume=True)
    assert log.read_bytes() == text


def test_changed_agents_are_noticed(tmp_path):
    path, log = tmp_path / "k.strategy", tmp_path / "x.log"
    match = Match(game="kuhn", agents=(str(path), "always-call"), hands=200)
    solve("kuhn", iterations=1, out=path)
    match.run(log=log)
    lines = log.read_text().splitlines(keepends=True)
    solve("kuhn", iterations=1000, out=path)
    (strategy,) = agents([str(path)], rules_named("kuhn"))
    cut = next(  # somewhere the new strategy does what the old one did not
        at for at, line in enumerate(lines) if line.startswith("STATE") and played(line, strategy)
    )
    kept = "".join(lines[: cut + 1])
    log.write_text(kept)
    with pytest.raises(BadInput, match=r"hand \d+ was .* and is now .*: agents have changed"):
        match.run(log=log, resume=True)
    assert log.read_text() == kept


def played(line, agent):
    """Whether the first player of a logged hand, now this agent, would do something else."""
    hand = next(read_log([line]))
    if hand.names[0] != "k":
        return False
    again = play_match(
        agent.rules,
        [agent, *agents(["always-call"], agent.rules)],
        hands=hand.number + 1,
        first=hand.number,
        seed=0,
        names=["k", "always-call"],
    )
    return next(again).betting != hand.betting


def test_ctrl_c_keeps_the_log(tmp_path, monkeypatch):
    log, acted = tmp_path / "x.log", iter(range(400))
    calls = agents(["random"], KUHN3)[0].__class__

    def act(self, view, usual=calls.act):
        if next(acted, None) is None:
            raise KeyboardInterrupt
        return usual(self, view)

    with monkeypatch.context() as patched:
        patched.setattr(calls, "act", act)
        stopped = small().run(log=log)
    assert stopped.stop is Stop.INTERRUPTED
    assert 0 < stopped.score.hands == len(list(read_log(log))) < 300
    assert small().run(log=log, resume=True).facts()["players"] == small().run().facts()["players"]


def test_arguments_of_the_wrong_kind_are_named():
    with pytest.raises(BadParameter, match="game=5: must be a text or a Game"):
        rl.Match(game=5, agents=("random", "random"), hands=10)
    with pytest.raises(BadParameter, match="game=5: must be a text, a Game or rules of poker"):
        rl.rules_of(5)
    with pytest.raises(BadParameter, match="hand 5: must be a Hand"):
        rl.histories.variance_reduced([5], "kuhn", {"a": "random"})


def test_only_poker_is_played():
    with pytest.raises(BadInput, match="game rps: not a poker game"):
        Match(game="rps", agents=("random", "random"), hands=1).run()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk_is_told(tmp_path):
    full, score = Path("/dev/full"), Score(3)
    log = MatchLog(tmp_path / "m.log", small().fixture())
    log._stream.close()
    log._stream = full.open("ab")
    log.write("a line\n")
    with pytest.raises(BadFile, match="cannot be written: No space left"):
        log.flush()
    with pytest.raises(BadFile, match="cannot be written: No space left"):
        log.__exit__(None, None, None)
    log._stream = full.open("ab")
    log.finish(score)
    log.__exit__(BadFile, BadFile("m.log", "told already"), None)
