"""A file is data: whatever game it names, reading it runs no code. Code that is named runs once."""

from contextlib import nullcontext

import pytest

import regretless as rl
from regretless.abstraction._composition import hand_map
from regretless.abstraction._files import write as write_abstraction
from regretless.core.errors import RegretlessError
from regretless.play.agents._catalog import agents, table_of
from regretless.play.histories.reading import read_history
from regretless.play.rules import rules_of
from regretless.runs.opening import opened

GAME = "holdem_nolimit:ranks=4,suits=3,stack=200,sizes=100%-a"
CODE = f"""
import pathlib
import regretless as rl
with pathlib.Path("runs").open("a") as stream:
    stream.write("x")
game = rl.load({GAME!r})
"""

READERS = {
    "strategy": {
        "load_strategy": rl.load_strategy,
        "opened": opened,
        "resume": lambda path: rl.solve(resume=path, iterations=9),
        "refine": lambda path: rl.refine(path, by="in-game"),
        "purify": rl.purify,
        "agent": lambda path: agents([path], "leduc"),
        "table": lambda path: rules_of(table_of(path)),
        "lbr": lambda path: rl.research.local_best_response(path, hands=9),
    },
    "blueprint": {
        "load_blueprint": rl.research.load_blueprint,
        "opened": opened,
        "resume": lambda path: rl.train_blueprint(resume=path, iterations=9),
        "agent": lambda path: agents([path], "leduc"),
        "table": lambda path: rules_of(table_of(path)),
        "one-on-one": lambda path: rl.research.one_on_one(path, path, boards=2),
        "lbr": lambda path: rl.research.local_best_response(path, hands=9),
    },
    "abstraction": {
        "load_abstraction": rl.abstraction.load_abstraction,
        "solve": lambda path: rl.solve("leduc", abstraction=path, iterations=9),
        "least": lambda path: rl.research.least_exploitable("leduc", path, iterations=9),
    },
    "log": {"read_history": lambda path: list(read_history(path))},
}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Files of every kind, made for a game in a Python file."""
    place = tmp_path_factory.mktemp("files")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        (place / "trap.py").write_text(CODE)
        solution = rl.solve("trap.py", iterations=3, out="strategy", keep_state=True)
        assert (place / "runs").read_text() == "x", "one run, one execution"
        hand_map(GAME, "preflop=lossless,flop=lossless,turn=lossless,river=lossless", out="map")
        rl.train_blueprint("trap.py", "map", iterations=3, out="blueprint", keep_state=True)
        write_abstraction("abstraction", rl.abstract(solution.strategy.form, "lossless"))
        rl.Match(game="trap.py", agents=("random", "random"), hands=3).run(log="log")
        assert (place / "runs").read_text() == "x"
    return place


@pytest.mark.parametrize(
    ("kind", "reader"), [(kind, name) for kind, readers in READERS.items() for name in readers]
)
def test_no_reader_runs_the_python_file_that_a_file_names(written, monkeypatch, kind, reader):
    monkeypatch.chdir(written)
    (written / "trap.py").write_text(CODE + f"# changed for {kind} {reader}, or it is not run")
    (written / "runs").write_text("")
    refused = pytest.raises(RegretlessError, match=r"made for (game )?trap\.py")
    with nullcontext() if kind == "log" else refused:
        READERS[kind][reader](kind)
    assert (written / "runs").read_text() == ""
