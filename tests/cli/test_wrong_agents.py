"""Agents that a user got wrong: the message says what is wrong, and where."""

import re

import pytest

import regretless as rl
from regretless.core.errors import BadFile, BadInput, BadParameter, IllegalMove, RegretlessError
from regretless.interfaces.acpc.client import Player

BOTS = """
import regretless as rl

class NoGame(rl.Agent):
    def __init__(self): pass
    def act(self, view): return "c"

class NoView(rl.Agent):
    def act(self): return "c"

class NoHand(rl.Agent):
    def act(self, view): return "c"
    def finished(self): pass

class Abstract(rl.Agent):
    pass

class Silent(rl.Agent):
    def act(self, view): pass

class Folds(rl.Agent):
    def act(self, view): return "f"

class Escapes(rl.Agent):
    def act(self, view): return "\\x1b[31m"

class Looks(rl.Agent):
    def act(self, view): return {}["key"]

class Breaks(rl.Agent):
    def __init__(self, game, *, seed=0): raise ValueError("no luck")
    def act(self, view): return "c"

class Learns(rl.Agent):
    def act(self, view): return "c"
    def finished(self, hand): return 1 / 0

class Leaves(rl.Agent):
    def act(self, view): raise SystemExit(7)

class Forgets(rl.MixingAgent):
    def __init__(self, game, *, seed=0): pass
    def mixture(self, view): return rl.Mixture(("c", "r"), (0.5,))

class Mixes(rl.MixingAgent):
    def mixture(self, view): pass

class Words(rl.MixingAgent):
    def mixture(self, view): return rl.Mixture(("c", "r"), ("half",))

class Falls(rl.MixingAgent):
    def mixture(self, view): return rl.Mixture(("c", "r", "c"), (0.6, 0.5))

class Nothing(rl.MixingAgent):
    def mixture(self, view): return rl.Mixture(())

class Plain:
    def act(self, view): return "c"

def two(view, more): return "c"
def none(view): pass
def number(view): return 3
def raises(view): raise KeyError("key")
TEXT = "c"
"""
MIXTURE = "must be a Mixture of n actions and n - 1 rising numbers from 0 to 1"
MESSAGES = {
    "NoGame": r"bots.py: NoGame\(game, seed=…\) failed: .*unexpected keyword argument 'seed'",
    "NoView": "bots.py: NoView.act is called with a view: too many positional arguments",
    "NoHand": "bots.py: NoHand.finished is called with a hand: too many positional arguments",
    "Abstract": r"bots.py: Abstract\(game, seed=…\) failed: .*abstract method '?act",
    "Silent": "hand 0, bots, betting '': action None: must be a text such as 'c' or 'r300'",
    "Folds": "hand 0, bots, betting '': action 'f': legal actions are check, bet",
    "Escapes": r"hand 0, bots, betting '': action '\\x1b\[31m': legal actions are check, bet",
    "Looks": r"bots.py:\d+:1: KeyError: 'key'",
    "Breaks": r"bots.py:\d+:1: ValueError: no luck",
    "Learns": r"bots.py:\d+:1: ZeroDivisionError: division by zero",
    "Leaves": r"bots.py:\d+:1: SystemExit: 7",
    "Forgets": r"agent Forgets: __init__ must call super\(\).__init__\(game, seed=seed\)",
    "Mixes": f"mixture None: {MIXTURE}",
    "Words": f"mixture .*'half'.*: {MIXTURE}",
    "Falls": f"mixture .*0.6, 0.5.*: {MIXTURE}",
    "Nothing": f"mixture .*: {MIXTURE}",
    "Plain": "bots.py: Plain is neither a class derived from regretless.Agent nor a function",
    "TEXT": "bots.py: TEXT is neither a class derived from regretless.Agent nor a function",
    "two": "bots.py: two is called with a view: missing a required argument: 'more'",
    "none": "hand 0, bots, betting '': action None: must be a text such as 'c' or 'r300'",
    "number": "hand 0, bots, betting '': action 3: must be a text such as 'c' or 'r300'",
    "raises": r"bots.py:\d+:1: KeyError: 'key'",
}


@pytest.fixture
def bots(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots.py").write_text(BOTS)


@pytest.mark.parametrize("name", MESSAGES)
def test_on_the_command_line(bots, command, name):
    # `command` has its own folder, which is this one.
    for verb, *options in (("match", "--hands", "20"), ("league", "--deals", "20", "--seed", "1")):
        code, out, err = command(verb, "kuhn", f"bots.py:{name}", "random", *options)
        assert code == 2, out
        assert len(err.splitlines()) == 1, err
        wanted = MESSAGES[name].replace("hand 0, bots", "hand 0, (bots|seat 1)")
        assert re.search(wanted, err), err


def test_in_python():
    class Mine(rl.Agent):
        def act(self, view):
            return "x"

    def wrong(given):
        return rl.Match(game="kuhn", agents=(given, "random"), hands=3).run()

    for given in (Mine, print, object(), None, 3):
        for calling in (wrong, lambda given: rl.agent(given, "kuhn")):
            with pytest.raises(BadParameter, match="must be a name, a file, a Strategy or an Ag"):
                calling(given)
        with pytest.raises(BadParameter, match="must be an Agent: make one with rl"):
            rl.play_match("kuhn", [given, Mine("kuhn")], hands=1, seed=1)
        with pytest.raises(RegretlessError, match="must be a name, a file"):
            rl.league("kuhn", [given, "random"])
    with pytest.raises(IllegalMove, match="hand 0, Mine, betting '': action 'x': legal actions"):
        wrong(Mine("kuhn"))


def test_an_error_of_the_agent_is_not_one_of_the_connection(monkeypatch):
    """An OSError is reported as it is, unless it is the socket's."""

    def fails(self, data):
        raise FileNotFoundError(2, "mine", "table.txt")

    class Dealer:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def sendall(self, data):
            return None

        def setsockopt(self, *_):
            return None

        def recv(self, most):
            return b"x"

    monkeypatch.setattr("socket.create_connection", lambda place: Dealer())
    monkeypatch.setattr(Player, "receive", fails)
    with pytest.raises(FileNotFoundError, match="table"):
        rl.connect("localhost", 1, rl.agent("random", "kuhn"))
    monkeypatch.setattr(Player, "receive", lambda self, data: b"")
    monkeypatch.setattr(Dealer, "recv", fails)
    with pytest.raises(BadInput, match="no dealer at localhost:1: mine"):
        rl.connect("localhost", 1, rl.agent("random", "kuhn"))
    monkeypatch.undo()
    for host, port in (("é" * 80, 1), ("localhost", 2**20), ("nowhere\0", 1)):
        with pytest.raises(BadInput, match="no dealer at"):
            rl.connect(host, port, rl.agent("random", "kuhn"))


def test_a_file_that_ends_the_program(tmp_path, command):
    (tmp_path / "exit.py").write_text("import sys\nsys.exit(3)\n")
    with pytest.raises(BadFile, match=r"exit.py:2:1: SystemExit: 3"):
        rl.agent(str(tmp_path / "exit.py") + ":Bot", "kuhn")
    code, _, err = command("solve", "exit.py:game")
    assert code == 2
    assert err == "regretless: exit.py:2:1: SystemExit: 3\n"
