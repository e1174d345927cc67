"""Paths that cannot be used, and names that would disturb a terminal."""

import os
from pathlib import Path

import pytest

import regretless as rl
from regretless.core.errors import (
    BadFile,
    BadParameter,
    RegretlessError,
    UnknownName,
    printable,
    shown,
    whole,
    within,
)
from regretless.core.files import (
    is_file,
    locked,
    read_text,
    reading,
    require_readable,
    require_writable,
    write_atomically,
)

NAMES = {
    "null\0character": "is not a usable file name",
    "long" * 100: "is not a usable file name: File name too long",
    "folder": "is a directory: must be a file",
    "missing": "no such file",
    "no/such": "no such file",
    "file/below": "no such file",
    "pipe": "is a device or a pipe: must be a regular file",
    " ": "' ' is not a file name",
    "": "'' is not a file name",
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_what_cannot_be_read(place, name):
    with pytest.raises(RegretlessError) as found:
        require_readable(name)
    assert NAMES[name] in str(found.value)
    assert str(found.value).isprintable()
    assert not is_file(name)


def test_what_may_not_be_read(place, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.R_OK)
    with pytest.raises(BadFile, match="file: cannot be read: Permission denied"):
        require_readable("file")


@pytest.mark.parametrize("error", [PermissionError(13, "no"), IsADirectoryError(21, "no")])
def test_what_fails_while_it_is_read(place, monkeypatch, error):
    def fails(*_, **__):
        raise error

    monkeypatch.setattr(Path, "open", fails)
    with pytest.raises(BadFile, match="file: cannot be read: no"):
        read_text("file", "a text")


def test_a_text_is_read_whole_or_refused(place):
    (place / "file").write_bytes(b"\xef\xbb\xbfab\n")
    assert read_text("file", "a poem") == "ab\n"
    (place / "file").write_bytes(b"ab\xff")
    with pytest.raises(BadFile, match="file: not a poem: byte 3 is not UTF-8"):
        read_text("file", "a poem")
    with reading("file", "a poem", errors="replace") as stream:
        assert stream.read() == "ab\ufffd"


CALLS = {
    "evaluate": lambda p: rl.evaluate("kuhn", p),
    "evaluate_file": rl.research.evaluate_file,
    "load_strategy": rl.load_strategy,
    "load_abstraction": rl.abstraction.load_abstraction,
    "abstraction": lambda p: rl.solve("kuhn", abstraction=Path(p), iterations=1),
    "resume": lambda p: rl.solve(resume=p, iterations=1),
    "purify": rl.purify,
    "refine": lambda p: rl.refine(p, by="in-game"),
    "read_log": lambda p: list(rl.histories.read_log(p)),
    "read_spot": rl.read_spot,
    "report": lambda p: rl.research.report(Path(p)),
    "from_csv": lambda p: rl.Strategy.from_csv("kuhn", p),
    "SpotView": rl.research.SpotView.open,
    "game": lambda p: rl.load(f"{p}.efg"),
    "matrix": lambda p: rl.load(f"{p}.nfg"),
    "rules": lambda p: rl.load(f"{p}.game"),
    "spot": lambda p: rl.load(f"{p}.toml"),
    "python": lambda p: rl.load(f"{p}.py:game"),
    "agent": lambda p: rl.agent(p, "leduc"),
    "bot": lambda p: rl.agent(f"{p}.py:Bot", "leduc"),
    "league": lambda p: rl.league("kuhn", [p, "random"]),
}
WRITING = {
    "solve": lambda p: rl.solve("kuhn", iterations=1, out=p),
    "save": lambda p: rl.solve("kuhn", iterations=1).save(p),
    "write": lambda p: rl.solve("kuhn", iterations=1).write(p),
    "plot": lambda p: rl.solve("kuhn", iterations=1).plot(p),
    "strategy": lambda p: rl.solve("kuhn", iterations=1).strategy.save(p),
    "csv": lambda p: rl.solve("kuhn", iterations=1).strategy.to_csv(p),
    "purify": lambda p: rl.purify(rl.solve("kuhn", iterations=1), out=p),
    "match": lambda p: rl.Match(game="kuhn", agents=("random", "random"), hands=1).run(log=p),
    "atomically": lambda p: write_atomically(p, b""),
}


@pytest.mark.parametrize("what", CALLS)
def test_every_path_that_is_read(place, what):
    for name in NAMES:
        with pytest.raises(RegretlessError) as found:
            CALLS[what](name)
        assert str(found.value).isprintable(), name


@pytest.mark.parametrize("what", WRITING)
def test_every_path_that_is_written(place, what):
    before = {one.name: one.lstat().st_mode for one in place.iterdir()}
    for name in NAMES.keys() - {"missing"}:
        with pytest.raises(RegretlessError) as found:
            WRITING[what](name)
        assert str(found.value).isprintable(), name
    assert {one.name: one.lstat().st_mode for one in place.iterdir()} == before


def test_a_folder_without_the_right_to_write(place, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    with pytest.raises(BadFile, match=r"directory \. cannot be written"):
        require_writable("new")


def test_links_stay_links_and_share_their_lock(place):
    (place / "link").symlink_to("file")
    write_atomically("link", b"new")
    assert (place / "link").is_symlink()
    assert (place / "file").read_bytes() == b"new"
    with locked("file"), pytest.raises(BadFile, match="is being written"), locked("link"):
        pass


def test_control_characters_are_escaped_wherever_they_are_echoed():
    assert printable("a\x1b[31m\n\0\udcff é…") == r"a\x1b[31m\n\x00\udcff é…"
    for error in (
        RegretlessError("a\x1bb"),
        BadFile("a\x1bb", "x"),
        BadFile("x", "a\x1bb", line=1),
        UnknownName("game", "a\x1bb", ["x"]),
    ):
        assert "\x1b" not in str(error)
        assert r"a\x1bb" in str(error)
    assert len(shown("x" * 1000)) == 60
    assert len(str(UnknownName("game", "x" * 1000, ["y"]))) < 100


def test_pictures_by_the_ending_of_their_name(place):
    solution = rl.solve("kuhn", iterations=4)
    for name in ("x.png", "x.PNG"):
        solution.plot(name)
        assert (place / name).read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BadFile, match=r"x.doc: ends in '.doc': must be .*\.pdf.*\.png"):
        solution.plot("x.doc")


def test_bounds_are_written_with_separators():
    for got, low, high, told in (
        (5, 0, 4, "x=5: must be 0 to 4"),
        (5, 7, 7, "x=5: must be 7"),
        (-1, 0, 10**6, "x=-1: must be 0 to 1,000,000"),
        (2.5, 0.0, 1.5, "x=2.5: must be 0 to 1.5"),
    ):
        with pytest.raises(BadParameter) as found:
            within("x", got, low, high)
        assert str(found.value) == told
    with pytest.raises(BadParameter, match="must be a whole number, 1 to 1,000"):
        whole("x", 1.5, 1, 1000)
