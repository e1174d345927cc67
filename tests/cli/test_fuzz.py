"""The whole command line, at random: never a traceback, always an exit code that is known."""

import contextlib
import inspect
import io
import random
import re
import sys
import time

import pytest
from typer.main import get_command

import regretless as rl
from regretless.interfaces.cli import main
from regretless.interfaces.cli.app import app

RUNS, BATCHES = 250, 4
CODES = {0, 1, 2, 3, 130}
COMMANDS = get_command(app).commands
GAMES = ["kuhn", "rps", "leduc:ranks=2", "kuhn:players=3", "x.efg", "x.nfg", "mine.py:game"]
STRATEGIES = ["x.strategy", "other.strategy", "x.strategy", "cut.strategy", "random"]
POOLS = {  # what fits a parameter of this name, or part of one
    "game": GAMES,
    "methods": ["cfr", "cfr+", "lp", "dcfr:alpha=2"],
    "method": ["cfr", "cfr+", "lp", "dcfr:alpha=2", "double-oracle:rough=0", "normal-lp"],
    "iterate": ["average", "current", "last"],
    "form": ["auto", "sequence", "public"],
    "agents": STRATEGIES,
    "strategies": STRATEGIES,
    "against": STRATEGIES,
    "resume": STRATEGIES,
    "files": ["x.log", "x.log", "bad.log"],
    "file": ["x.strategy", "other.strategy", "new.efg", "x.log"],
    "plot": ["new.png", "new.svg", "x.strategy"],
    "csv": ["new.csv"],
    "out": ["new.strategy", "new"],
    "filter": ["K", "cr"],
    "board": ["", "K"],
    "betting": ["c", "cr", ""],
    "first": ["nyx.strategy"],
    "second": ["nyx.strategy", "x.strategy"],
    "translation": ["pseudo-harmonic", "geometric"],
    "sizes": ["100%,a", "a"],
}
NUMBERS = ["0", "1", "2", "3", "-1", "1e-3", "0.5", "nan", "1.5"]
JUNK = [
    *("bad.efg", "x.game", "bad.py", "mine.py", "mine.py:Nothing", "leduc:ranks=0", "missing"),
    *("new.parquet", "new.log", "new.phhs", ".", "/dev/full", "no/such/x", "", " ", "é…", "a=b"),
    *("x=x.strategy", "--", "-", "inf", "99999999999999999999", "dcfr:alpha=nan", "cfr:x"),
    *("Kh/2c", "zz", "openspiel:kuhn_poker", "openspiel:nothing", "2,3", "empty", "cut.strategy"),
]
WAITING = {"dealer", "agent", "reproduce"}  # for others, or working for long: junk only
SHORT = {
    "solve": ["--iterations", "2"],
    "compare": ["--iterations", "2"],
    "match": ["--hands", "3"],
    "league": ["--deals", "4"],
    "lbr": ["--deals", "4"],
    "one-on-one": ["--boards", "4"],
    "play": ["--hands", "1"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One file of every kind, whole and broken."""
    place = tmp_path_factory.mktemp("fuzz")
    kuhn = rl.load("kuhn")
    (place / "x.efg").write_text(rl.games.to_efg(kuhn))
    (place / "x.nfg").write_text(rl.games.to_nfg(rl.load("rps")))
    (place / "bad.efg").write_text('EFG 2 R "x" { "A" ')
    (place / "x.game").write_text("GAMEDEF\nlimit\nnumPlayers = two\nEND GAMEDEF\n")
    (place / "mine.py").write_text("import regretless as rl\ngame = rl.load('kuhn')\n")
    (place / "bad.py").write_text("game = 1 / 0\n")
    rl.solve("kuhn", iterations=5, out=place / "x.strategy")
    rl.solve("leduc:ranks=2", iterations=5, form="public", out=place / "other.strategy")
    small = "holdem_nolimit:ranks=3,suits=3,small_blind=1,stack=4,sizes=a"
    rounds = ("preflop", "flop", "turn", "river")
    made = rl.abstraction.hand_map(small, ",".join(f"{name}=lossless" for name in rounds))
    made.save(place / "nyx.map")
    rl.train_blueprint(small, place / "nyx.map", iterations=2, out=place / "nyx.strategy")
    (place / "cut.strategy").write_bytes((place / "x.strategy").read_bytes()[:300])
    (place / "x.log").write_text("STATE:0:cc:Qh|Kh:-1|1:a|b\n")
    (place / "bad.log").write_text("STATE:nonsense\n")
    (place / "empty").touch()
    return place


def wants_number(verb, name):
    found = inspect.signature(COMMANDS[verb].callback, eval_str=True).parameters[name].annotation
    return bool(re.search(r"\b(int|float)\b", str(found)))


def word(rng, verb, name):
    """Often something that fits the parameter, otherwise anything."""
    if verb in WAITING or rng.random() < 0.15:
        return rng.choice(JUNK + NUMBERS)
    pools = [pool for part, pool in POOLS.items() if part in name]
    return rng.choice(NUMBERS if wants_number(verb, name) else pools[0] if pools else JUNK)


def words(rng):
    """A verb, some arguments, some options."""
    verb = rng.choice(sorted(COMMANDS))
    found = [verb]
    parameters = COMMANDS[verb].params
    arguments = [one for one in parameters if one.param_type_name == "argument"]
    options = [one for one in parameters if one.param_type_name == "option"]
    for one in arguments:
        count = rng.choice([1, 1, 1, 1, 0, 2]) if one.nargs == 1 else rng.randrange(4)
        found += [word(rng, verb, one.name) for _ in range(count)]
    for one in rng.sample(options, min(len(options), rng.randrange(4))):
        found.append(rng.choice(one.opts))
        if not one.is_flag or rng.random() < 0.05:
            found.append(word(rng, verb, one.name))
    if rng.random() < 0.03:
        found.append("--nonsense")
    return [one for one in found if one != "--"] + SHORT.get(verb, [])


def call(arguments, monkeypatch):
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "argv", ["regretless", *arguments])
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_commands(folder, monkeypatch, batch):
    monkeypatch.chdir(folder)
    rng, succeeded = random.Random(batch), 0
    for _ in range(RUNS):
        arguments = words(rng)
        started = time.monotonic()
        try:
            code, out, err = call(arguments, monkeypatch)
        except BaseException as error:
            raise AssertionError(f"regretless {arguments}") from error
        said = f"regretless {arguments}: {code}\n{out[-500:]}\n{err[-1500:]}"
        assert code in CODES, said
        assert "Traceback" not in err + out, said
        assert code != 2 or err.strip(), said
        assert time.monotonic() - started < 20, said
        succeeded += code == 0
        assert (folder / "x.strategy").is_file(), said
    assert succeeded > RUNS / 10, "most of it is not nonsense"
