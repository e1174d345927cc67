"""One question, asked in every way we have: what does one strategy earn against another?

Over sockets, in one process, from the log with AIVAT, in a league that is played,
and in one that is computed. Seeds are fixed, bounds are four standard errors."""

import threading
from math import sqrt

import numpy as np
import pytest

import regretless as rl
from regretless.evaluation.league import league
from regretless.evaluation.statistics import CONFIDENCE_95
from regretless.interfaces.acpc.client import play
from regretless.interfaces.acpc.dealer import Dealer, End
from regretless.interfaces.acpc.server import Server, listen
from regretless.play.agents._saved import Agent
from regretless.play.fixture import Fixture as Match
from regretless.play.histories.acpc_log import read_log
from regretless.play.match import play_match, rules_of
from regretless.play.match_log import MatchLog
from regretless.play.variance_reduction import variance_reduced

LOCAL = "127.0.0.1"
SIGMAS = 4.0


@pytest.fixture(scope="module")
def leduc():
    """A good strategy and one that has only begun to learn."""
    form = rl.sequence_form("leduc")
    good = rl.solve(form, iterations=1000).strategy
    return {"good": good, "early": rl.solve(form, method="cfr", iterations=3).strategy}


@pytest.fixture(scope="module")
def kuhn3():
    form = rl.sequence_form("kuhn:players=3")
    early = [rl.solve(form, method="cfr", iterations=n).strategy for n in (2, 4)]
    good = rl.solve(form, method="cfr+", iterations=500).strategy
    return dict(zip(("good", "early", "earlier"), (good, *reversed(early)), strict=True))


def exact_order(spec, strategies):
    """Chips a hand of every name, seats in this order around the table and rotating."""
    found = league(spec, strategies)
    names = tuple(strategies)
    start = names.index(min(names, key=list(found.names).index))
    order = names[start:] + names[:start]
    cells = dict(zip(order, found.orders[order], strict=True))
    return {name: cells[name].mean / found.unit.scale for name in names}


def tallied(hands):
    """Mean and standard error of every name; every single hand is zero-sum."""
    won: dict[str, list[float]] = {}
    for hand in hands:
        assert abs(sum(hand.payoffs)) < 1e-9
        for name, chips in zip(hand.names, hand.payoffs, strict=True):
            won.setdefault(name, []).append(chips)
    return {
        name: (np.mean(chips), np.std(chips, ddof=1) / sqrt(len(chips)))
        for name, chips in won.items()
    }


def in_process(spec, strategies, *, hands, seed):
    rules = rules_of(spec)
    agents = [
        Agent(rules, strategy=strategy, seed=seed + seat)
        for seat, strategy in enumerate(strategies.values())
    ]
    names = list(strategies)
    return list(play_match(rules, agents, hands=hands, seed=seed, names=names))


def over_sockets(spec, strategies, path, *, hands, seed):
    """A dealer and its clients, each in a thread; what the dealer's log says."""
    rules = rules_of(spec)
    names = tuple(strategies)
    match = Match(name="agreement", game=spec, rules=rules, hands=hands, seed=seed, names=names)
    dealer = Dealer(match, quiet=True)
    log = MatchLog(path, match)
    log.take_up()
    server = Server(dealer, log, tell=lambda text: None)
    sockets = listen(LOCAL, [0] * len(names))
    ports = [each.getsockname()[1] for each in sockets]
    work = [threading.Thread(target=server.run, args=(sockets,), kwargs={"start_s": 30.0})]
    for seat, (port, strategy) in enumerate(zip(ports, strategies.values(), strict=True)):
        agent = Agent(rules, strategy=strategy, seed=seed + seat)
        work.append(threading.Thread(target=play, args=(rules, agent, LOCAL, port)))
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(240)
    assert dealer.end is End.FINISHED
    return list(read_log(path))


def agree(found, true):
    for name, (mean, error) in found.items():
        assert abs(mean - true[name]) < SIGMAS * error, name


def test_leduc_in_process(leduc):
    true = exact_order("leduc", leduc)
    assert true["good"] > 0.05
    assert true["good"] == pytest.approx(-true["early"])
    hands = in_process("leduc", leduc, hands=20_000, seed=11)
    agree(tallied(hands), true)
    for known in (["good"], ["early"], ["good", "early"]):
        corrected = variance_reduced(hands, "leduc", {name: leduc[name] for name in known})
        for name, found in corrected.items():
            assert abs(found.mean - true[name]) < SIGMAS * found.standard_error + 1e-9
            assert found.standard_error < found.plain_standard_error / 1.5


@pytest.mark.slow
def test_leduc_over_sockets(leduc, tmp_path):
    hands = over_sockets("leduc", leduc, tmp_path / "m.log", hands=10_000, seed=5)
    assert {hand.names for hand in hands} == {("good", "early"), ("early", "good")}
    agree(tallied(hands), exact_order("leduc", leduc))
    assert hands == in_process("leduc", leduc, hands=10_000, seed=5)


@pytest.mark.parametrize(("spec", "fixture"), [("leduc", "leduc"), ("kuhn:players=3", "kuhn3")])
def test_a_league_that_is_played(spec, fixture, request):
    strategies = request.getfixturevalue(fixture)
    exact = league(spec, strategies)
    played = league(spec, strategies, hands=20_000, seed=3)
    for rest, row in exact.cross.items():
        for name, cell in row.items():
            found = played.cross[rest][name]
            error = found.half_width / CONFIDENCE_95
            assert abs(found.mean - cell.mean) < SIGMAS * error + 1e-9, (name, rest)
    assert np.allclose(played.payoffs.means.sum(axis=1), 0.0, atol=1e-9)


def test_three_players_in_process(kuhn3):
    spec = "kuhn:players=3"
    for names in (("good", "early", "earlier"), ("early", "good", "earlier")):
        seated = {name: kuhn3[name] for name in names}
        true = exact_order(spec, seated)
        hands = in_process(spec, seated, hands=20_000, seed=2)
        agree(tallied(hands), true)
        corrected = variance_reduced(hands, spec, {"good": kuhn3["good"]})
        for name, found in corrected.items():
            assert abs(found.mean - true[name]) < SIGMAS * found.standard_error
        everybody = variance_reduced(hands, spec, seated)
        for name, found in everybody.items():
            # 20,000 is no multiple of three: one seating had a hand less than the others.
            assert found.mean == pytest.approx(true[name], abs=1e-4)
