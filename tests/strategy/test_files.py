"""Strategy files: what is damaged is refused, never misread."""

import errno
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file

from regretless.core.errors import BadFile, BadInput, RegretlessError, WrongGame
from regretless.core.files import locked, require_distinct, require_writable, write_atomically
from regretless.evaluation.exploitability import evaluate
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.runs.solve import solve
from regretless.strategy import compact, files
from regretless.strategy.files import load_strategy
from regretless.strategy.strategy import Strategy


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "kuhn.strategy"
    solution = solve("kuhn", iterations=20, out=path)
    return path, path.read_bytes(), solution.strategy.behaviour


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_damaged_files_are_refused_or_harmless(saved, tmp_path_factory, data):
    _, content, behaviour = saved
    damaged = bytearray(content)
    if data.draw(st.booleans()):
        del damaged[data.draw(st.integers(0, len(damaged) - 1)) :]
    else:
        for _ in range(data.draw(st.integers(1, 4))):
            place = data.draw(st.integers(0, len(damaged) - 1))
            damaged[place] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("damaged") / "x.strategy"
    path.write_bytes(damaged)
    try:
        loaded = load_strategy(path)
    except RegretlessError as error:
        told = str(error)
    else:  # only a byte that is not used
        assert np.array_equal(loaded.behaviour, behaviour)
        told = ""
    assert "\n" not in told


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"", "damaged"), (b"hello", "damaged"), (b"\xff" * 64, "damaged"), (b"\0" * 8, "damaged")],
)
def test_files_of_other_kinds(tmp_path, content, told):
    path = tmp_path / "x.strategy"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=told):
        load_strategy(path)


def test_foreign_tensors_and_descriptions(tmp_path, saved):
    path = tmp_path / "x.strategy"
    save_file({"weights": np.zeros(3)}, path)
    with pytest.raises(BadFile, match="not a strategy file"):
        load_strategy(path)
    for about in ("{", "[]", "{}", '{"game": 3}'):
        save_file(
            {"player_1": np.zeros(3)}, path, {"format": compact.WITHOUT_CHECKSUM, "about": about}
        )
        with pytest.raises(BadFile, match="damaged"):
            load_strategy(path)
    save_file(
        {"player_2": np.zeros(3)},
        path,
        {"format": compact.WITHOUT_CHECKSUM, "about": _about(saved)},
    )
    with pytest.raises(BadFile, match="player_1"):
        load_strategy(path)
    save_file(
        {"player_1": np.zeros(3)},
        path,
        {"format": compact.WITHOUT_CHECKSUM, "about": _about(saved)},
    )
    with pytest.raises(BadFile, match="players"):
        load_strategy(path)


def _about(saved):
    return json.dumps(files.read(saved[0]).about)


@pytest.mark.parametrize("value", [np.nan, np.inf, -0.5, 2.0])
def test_probabilities_that_are_none(tmp_path, value):
    form = sequence_form(load("kuhn"))
    behaviour = Strategy.uniform(form).behaviour
    behaviour[3] = value
    path = tmp_path / "x.strategy"
    files.write(path, Strategy.trusted(form, behaviour), {"method": "by hand"})
    with pytest.raises(BadFile, match="sum to 1"):
        load_strategy(path)


def test_strategies_of_other_games(tmp_path, saved):
    with pytest.raises(WrongGame, match="made for game kuhn"):
        load_strategy(saved[0], game="leduc")
    with pytest.raises(WrongGame, match="kuhn"):
        load_strategy(saved[0], game="kuhn:bet=2")
    with pytest.raises(BadFile, match="no such file"):
        load_strategy(tmp_path / "missing")
    with pytest.raises(BadFile, match="directory"):
        load_strategy(tmp_path)


OLD = Path(__file__).parent / "version_0_1"  # Kuhn after 20 iterations of CFR+, by version 0.1.0


def test_strategies_of_version_0_1_load_where_decisions_stand_as_they_did(tmp_path):
    found = evaluate(load_strategy(OLD / "kuhn-sequence.strategy"))
    assert found.values[0] == pytest.approx(-0.056033291872089275, abs=1e-12)
    assert found.best_responses == pytest.approx((-0.04381426585032827, 0.06403222058311933))


def test_what_version_0_1_numbered_in_another_way_is_refused_with_a_clear_word(tmp_path):
    with pytest.raises(
        WrongGame, match=r"version 0\.1\.0, whose public forms.*solve game kuhn again"
    ):
        load_strategy(OLD / "kuhn-public.strategy")
    with pytest.raises(WrongGame, match="does not fit game kuhn:ranks=4"):
        load_strategy(OLD / "kuhn-public.strategy", game="kuhn:ranks=4")
    with pytest.raises(BadFile, match=r"version 0\.1\.0, whose runs cannot be resumed"):
        solve(resume=OLD / "kuhn-sequence.strategy", out=tmp_path / "x", iterations=30)
    saved = files.read(OLD / "kuhn-sequence.strategy")
    assert saved.is_old
    for version, old in [("0.2.0", False), ("1.0", False), ("", False), ("0.1.9", True)]:
        assert replace(saved, about=saved.about | {"version": version}).is_old is old


def test_states_of_this_version_are_refused_in_their_own_words(tmp_path):
    """A damaged state is not taken for an old one."""
    path = tmp_path / "x.strategy"
    solution = solve("kuhn", iterations=5, method="cfr")
    about = {"method": "cfr", "version": "0.2.0"}
    files.write(path, solution.strategy, about, {"clock": np.zeros(2)})
    with pytest.raises(BadInput, match="no vector 'regret'"):
        solve(resume=path, out=tmp_path / "y", iterations=9)


def test_writing_is_all_or_nothing(tmp_path):
    path = tmp_path / "x"
    write_atomically(path, b"first")
    with pytest.raises(BadFile, match="no such directory"):
        write_atomically(tmp_path / "no" / "x", b"second")
    with pytest.raises(TypeError):
        write_atomically(path, "text")
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(BadFile, match="no such directory"):
        require_writable(tmp_path / "no" / "x")
    with pytest.raises(BadFile, match="is a directory"):
        require_writable(tmp_path)


def test_probabilities_by_name():
    strategy = solve("rps", method="lp").strategy
    assert set(strategy.probabilities("choose", player=1)) == {"rock", "paper", "scissors"}
    with pytest.raises(RegretlessError, match="players 1 and 2: say which"):
        strategy.probabilities("choose")
    with pytest.raises(RegretlessError, match=r"did you mean|known"):
        strategy.probabilities("chose", player=1)
    with pytest.raises(RegretlessError, match=r"must be 1 to 2"):
        strategy.probabilities("choose", player=3)


def tensors_at(content):
    return 8 + int.from_bytes(content[:8], "little")


def test_every_flipped_byte_of_the_numbers_is_found(tmp_path, saved):
    _, content, _ = saved
    path = tmp_path / "x.strategy"
    for place in range(tensors_at(content), len(content), 37):
        for bit in (1, 128):
            damaged = bytearray(content)
            damaged[place] ^= bit
            path.write_bytes(damaged)
            with pytest.raises(BadFile, match="checksum"):
                load_strategy(path)


def test_a_changed_description_is_found(tmp_path, saved):
    path = tmp_path / "x.strategy"
    path.write_bytes(saved[1].replace(b'\\"iterations\\": 20', b'\\"iterations\\": 21'))
    assert path.read_bytes() != saved[1]
    with pytest.raises(BadFile, match="checksum"):
        load_strategy(path)


def rewritten(saved, path, tensors, form=compact.WITHOUT_CHECKSUM):
    """The same file with other tensors, as version 0.1 would have written it."""
    save_file(tensors, path, {"format": form, "about": _about(saved)})


def test_files_of_version_0_1_have_no_checksum_and_are_read(tmp_path, saved):
    path = tmp_path / "x.strategy"
    old = files.read(saved[0])
    tensors = {f"player_{i + 1}": part for i, part in enumerate(old.behaviours)}
    rewritten(saved, path, tensors | {f"state.{n}": v for n, v in old.state.items()})
    assert np.array_equal(load_strategy(path).behaviour, saved[2])
    again = solve(resume=path, iterations=25)
    assert np.array_equal(again.strategy.behaviour, solve("kuhn", iterations=25).strategy.behaviour)
    rewritten(saved, path, tensors, form=compact.FORMAT)
    with pytest.raises(BadFile, match="checksum"):
        load_strategy(path)


@pytest.mark.parametrize("lengths", [(12, 14), (14, 12), (13, 12), (13, 14), (26, 0), (13, 13, 13)])
def test_tensors_of_the_wrong_length(tmp_path, saved, lengths):
    """Also where they add up to the right one: then only the split is wrong."""
    path = tmp_path / "x.strategy"
    numbers = np.resize(saved[2], sum(lengths))
    parts = np.split(numbers, np.cumsum(lengths)[:-1])
    rewritten(saved, path, {f"player_{i + 1}": part for i, part in enumerate(parts)})
    with pytest.raises(BadFile, match=r"damaged: has [0-9] players of sizes"):
        load_strategy(path)


def test_a_file_that_is_being_written_is_locked(tmp_path):
    path = tmp_path / "x.strategy"
    with locked(path):
        for write in (
            lambda: solve("kuhn", iterations=5, out=path),
            lambda: solve("kuhn", iterations=5).save(path),
            lambda: Strategy.uniform("kuhn").save(path),
        ):
            with pytest.raises(BadFile, match="is being written by another run"):
                write()
        assert not path.exists()
    solve("kuhn", iterations=5, out=path)
    with locked(path), pytest.raises(BadFile, match="is being written"):
        solve(resume=path, iterations=9)
    assert [found.name for found in tmp_path.iterdir()] == ["x.strategy"]


def test_a_drive_without_locks_is_written(tmp_path, monkeypatch):
    """Any error but "would block" says that there are no locks, not that there is a writer."""
    import fcntl

    def unsupported(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", unsupported)
    path = tmp_path / "x.strategy"
    with locked(path, wait=lambda: pytest.fail("waited for nobody")):
        pass
    solve("kuhn", iterations=5, out=path)
    assert [file.name for file in tmp_path.iterdir()] == ["x.strategy"]


def test_a_killed_writer_leaves_no_lock(tmp_path):
    path = tmp_path / "x.strategy"
    script = (
        "import os, signal, sys\n"
        "from regretless.core.files import locked\n"
        "with locked(sys.argv[1]): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)])
    assert [found.name for found in tmp_path.iterdir()] == [".x.strategy.lock"]
    solve("kuhn", iterations=5, out=path)
    assert [found.name for found in tmp_path.iterdir()] == ["x.strategy"]


def test_one_file_under_two_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = tmp_path / "g.efg"
    game.write_text("x")
    (tmp_path / "link.efg").symlink_to(game)
    for name in ("g.efg", "./g.efg", str(game), "link.efg"):
        with pytest.raises(BadFile, match="is both the game and --out"):
            require_distinct({"--out": name}, {"the game": "g.efg"})
    with pytest.raises(BadFile, match="is both --out and --plot"):
        require_distinct({"--out": "new", "--plot": "./new"}, {})
    require_distinct({"--out": "a", "--plot": None}, {"the game": None, "--resume": "b"})


def test_devices_are_not_replaced():
    with pytest.raises(BadFile, match="device or a pipe"):
        require_writable("/dev/full")
    with pytest.raises(BadFile, match="device or a pipe"):
        solve("kuhn", iterations=1, out="/dev/null")


def test_a_strategy_file_runs_no_code(tmp_path, monkeypatch):
    """The file names its game; a game in a Python file is run only if the user names it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(
        "import pathlib\nimport regretless as rl\n"
        "pathlib.Path('ran').touch()\ngame = rl.load('kuhn')\n"
    )
    solve("mine.py:game", iterations=5, out="x.strategy")
    (tmp_path / "ran").unlink()
    for use in (load_strategy, lambda path: solve(resume=path, iterations=9)):
        with pytest.raises(WrongGame, match=r"made for mine\.py:game, a Python file"):
            use("x.strategy")
    assert not (tmp_path / "ran").exists()
    assert load_strategy("x.strategy", game="mine.py:game").probabilities("K:")
    assert solve("mine.py:game", resume="x.strategy", iterations=9).iterations == 9


def test_saving_a_public_form_needs_no_parents(tmp_path):
    solution = solve("leduc", form="public", iterations=2)
    fresh = public_form("leduc")
    files.write(
        tmp_path / "x", Strategy.trusted(fresh, solution.strategy.behaviour), {"method": "cfr"}
    )
    assert "plex" not in vars(fresh)
