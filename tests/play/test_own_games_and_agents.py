"""Games and agents of one's own: at a table, in a league, in Python files, over sockets."""

import json
import subprocess
import sys
import threading

import pytest
from children import SOON

import regretless as rl
from regretless.core.errors import BadFile, BadInput, IllegalMove, UnknownName, WrongGame
from regretless.evaluation.entrants import simple
from regretless.evaluation.league import league as of_strategies
from regretless.games._betting import Menu, PokerRules
from regretless.games._poker import poker_game
from regretless.interfaces.acpc.dealer import Dealer, End
from regretless.interfaces.acpc.server import Server, listen
from regretless.play.agents._catalog import agent, called
from regretless.play.fixture import Fixture
from regretless.play.match_log import MatchLog
from regretless.strategy.on_form import on_form

MINE = PokerRules(  # one round of pot-sized bets with four cards, in no catalog
    players=2,
    ranks=4,
    suits=2,
    hole=1,
    board=(0, 1),
    blinds=(1, 2),
    first=(0, 0),
    caps=(2, 2),
    stacks=(20, 20),
    menus=(Menu((2, 4), (6,)), Menu((4,), (8,))),
)
BOT = '''
import regretless as rl

class Bot(rl.MixingAgent):
    """Raises kings, folds half of the time to a bet otherwise."""

    def mixture(self, view):
        letters = [move.letter for move in view.betting.moves]
        if view.hole[0][0] == "K" and "r" in letters:
            return rl.Mixture(("r",))
        return rl.Mixture(("c", "f"), (0.5,)) if "f" in letters else rl.Mixture(("c",))

class Silent(rl.Agent):
    """Tells nobody what it mixes."""

    def act(self, view):
        return "c"

def caller(view):
    return "c"

def cheat(view):
    return "r999"

ANSWER = 42
'''


@pytest.fixture
def bot(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot.py").write_text(BOT)
    return tmp_path


# --- games


@pytest.mark.parametrize("form", ["sequence", "public"])
def test_a_game_that_is_in_no_catalog_is_played(form):
    game = poker_game("my own game", MINE)
    solution = rl.solve(game, iterations=200, form=form)
    strategy = solution.strategy
    result = rl.Match(game=game, agents=(strategy, "random"), hands=3000, seed=1).run(aivat=True)
    assert result.match.names == ("my own game", "random")
    assert result.aivat
    exact = rl.league(game, {"mine": strategy, "random": "random"}).against("mine", "random")
    estimate = result.aivat["my own game"]
    assert 500 * estimate.mean == pytest.approx(exact.mean)  # both are known: no noise is left
    players = [rl.agent(strategy, game), rl.agent("always-call", game)]
    assert sum(1 for _ in rl.play_match(game, players, hands=10, seed=1)) == 10


def test_a_log_of_such_a_game_goes_on(tmp_path):
    game, log = poker_game("my own game", MINE), tmp_path / "x.log"
    strategy = rl.solve(game, iterations=50).strategy
    agents = (strategy, "random")
    whole = rl.Match(game=game, agents=agents, hands=60).run(log=tmp_path / "whole.log")
    rl.Match(game=game, agents=agents, hands=20).run(log=log)
    again = rl.Match(game=game, agents=agents, hands=60).run(log=log, resume=True)
    assert again.facts()["players"] == whole.facts()["players"]
    assert log.read_bytes() == (tmp_path / "whole.log").read_bytes()


def test_a_strategy_of_another_game_is_not_seated():
    strategy = rl.solve("kuhn", iterations=10).strategy
    with pytest.raises(WrongGame, match="strategy of kuhn: the game at this table has other rules"):
        rl.agent(strategy, "leduc")
    matrix = rl.solve("rps", iterations=10).strategy
    with pytest.raises(WrongGame, match="strategy of rps: not a poker game"):
        rl.agent(matrix, "leduc")


# --- Python files


def test_agents_out_of_python_files(bot):
    assert type(agent("mybot.py:Bot", "leduc")).__name__ == "Bot"
    assert agent(str(bot / "mybot.py") + ":Silent", "leduc").act(None) == "c"
    assert called(["mybot.py:Bot", "mybot.py:Silent", "random"]) == ["Bot", "Silent", "random"]
    match = rl.Match(game="leduc", agents=("mybot.py:Bot", "mybot.py:caller"), hands=500)
    assert match.run().score.hands == 500
    with pytest.raises(IllegalMove, match="hand 0, mybot, betting '': action 'r999'"):
        rl.Match(game="leduc", agents=("mybot.py:cheat", "random"), hands=1).run()


@pytest.mark.parametrize(
    ("text", "kind", "problem"),
    [
        ("absent.py:Bot", BadFile, "absent.py: no such file"),
        ("mybot.py:caler", UnknownName, "did you mean caller"),
        ("mybot.py:ANSWER", BadFile, "ANSWER is neither a class derived from"),
        ("mybot.py", BadFile, "defines these agents: Bot, Silent; name one"),
        ("broken.py:Bot", BadFile, "broken.py:2:1: ZeroDivisionError"),
        ("wrong.py:Bot", BadFile, "wrong.py:1:1: SyntaxError"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(bot, text, kind, problem):
    (bot / "broken.py").write_text("x = 1\nx / 0\n")
    (bot / "wrong.py").write_text("class\n")
    with pytest.raises(kind, match=problem):
        agent(text, "leduc")


def test_the_only_agent_of_a_file_needs_no_name(bot):
    (bot / "one.py").write_text(BOT.partition("class Silent")[0])
    assert type(agent("one.py", "leduc")).__name__ == "Bot"


# --- leagues


def test_an_agent_that_tells_what_it_mixes_is_a_strategy(bot):
    """In a league it earns what its strategy earns, and what a match says."""
    for spec in ("kuhn", "leduc", "generic_poker"):
        game = rl.load(spec)
        form = rl.sequence_form(game)
        for name in ("always-call", "aggressive"):
            mine = on_form(rl.agent(name, game), form)
            assert (mine.behaviour == simple(name, form, game).behaviour).all()
        on_form(agent("mybot.py:Bot", game), form).check()
    found = rl.league("leduc", ["mybot.py:Bot", "random"])
    strategy = on_form(agent("mybot.py:Bot", "leduc"), form_of("leduc"))
    same = of_strategies("leduc", {"mybot": strategy, "random": "random"})
    assert found.facts()["cross"] == same.facts()["cross"]
    result = rl.Match(game="leduc", agents=("mybot.py:Bot", "random"), hands=40_000).run()
    mean, half = result.score.means()[0], result.score.intervals()[0]
    assert abs(1000 * mean - found.against("mybot", "random").mean) < 2 * 1000 * half


def form_of(spec):
    return rl.sequence_form(rl.load(spec))


def test_a_league_of_agents_that_only_act(bot):
    with pytest.raises(BadInput, match="mybot: not a MixingAgent"):
        rl.league("leduc", ["mybot.py:Silent", "random"])
    found = rl.league("leduc", ["mybot.py:Silent", "aggressive", "random"], hands=1500)
    exact = rl.league("leduc", ["always-call", "aggressive", "random"])
    assert found.names == ("mybot", "aggressive", "random")
    for other in ("aggressive", "random"):
        cell, true = found.against("mybot", other), exact.against("always-call", other)
        assert abs(cell.mean - true.mean) <= 2.5 * cell.half_width + 1e-9 < 1000
    mixed = rl.league(
        "leduc", {"me": rl.agent("mybot.py:Silent", "leduc"), "r": "random"}, hands=50
    )
    assert mixed.names == ("me", "r")
    again = rl.league("leduc", ["mybot.py:Silent", "aggressive", "random"], hands=1500)
    assert again.facts() == found.facts()


def test_the_command_takes_python_files(bot):
    done = subprocess.run(
        [sys.executable, "-m", "regretless", "league", "leduc", "mybot.py:Bot", "random", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = rl.league("leduc", ["mybot.py:Bot", "random"]).against("mybot", "random")
    (cell,) = [
        cell
        for cell in json.loads(done.stdout)["cross"]
        if (cell["strategy"], cell["opponents"]) == ("mybot", ["random"])
    ]
    assert cell["mean"] == pytest.approx(found.mean)


# --- over sockets


def test_connecting_an_agent_and_a_strategy(tmp_path):
    strategy = rl.solve("leduc", iterations=100).strategy
    fixture = Fixture(
        name="m", game="leduc", rules=rl.rules_of("leduc"), hands=200, seed=4, names=("a", "b")
    )
    log = MatchLog(tmp_path / "m.log", fixture)
    log.take_up()
    dealer = Dealer(fixture)
    sockets = listen("127.0.0.1", [0, 0])
    ports = [each.getsockname()[1] for each in sockets]
    server = Server(dealer, log)
    running = threading.Thread(target=server.run, args=(sockets,), kwargs={"start_s": 30})
    running.start()
    tallies = {}

    def plays(seat, player):
        tallies[seat] = rl.connect("127.0.0.1", ports[seat], player)

    seats = [
        threading.Thread(target=plays, args=(0, strategy)),
        threading.Thread(target=plays, args=(1, rl.agent("random", "leduc"))),
    ]
    for seat in seats:
        seat.start()
    for thread in (*seats, running):
        thread.join(60)
    assert dealer.end is End.FINISHED
    assert tallies[0].hands == tallies[1].hands == 200
    local = rl.play_match(
        "leduc",
        [rl.agent(strategy, "leduc"), rl.agent("random", "leduc")],
        hands=200,
        seed=4,
        names=["a", "b"],
    )
    assert list(rl.histories.read_log(tmp_path / "m.log")) == list(local)


def test_a_dealer_starts_its_agents(bot):
    command = [sys.executable, "-m", "regretless"]
    words = ["dealer", "m", "leduc", "300", "7", "ann=mybot.py:Bot", "bob=random", "-q"]
    done = subprocess.run(
        [*command, *words], capture_output=True, text=True, timeout=SOON, check=True
    )
    assert done.stdout.splitlines()[-1].startswith("SCORE:")
    match = rl.Match(
        game="leduc", agents=("mybot.py:Bot", "random"), hands=300, seed=7, names=("ann", "bob")
    )
    match.run(log=bot / "local.log")
    hands = [list(rl.histories.read_log(bot / name)) for name in ("m.log", "local.log")]
    assert hands[0] == hands[1]
    again = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert "m.log: exists: continue it" in again.stderr
    words[3] = "400"  # extended
    subprocess.run([*command, *words, "--continue"], capture_output=True, timeout=SOON, check=True)
    assert list(rl.histories.read_log(bot / "m.log"))[:300] == hands[0]
