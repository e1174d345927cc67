"""A person at the table: what is asked, told and written, in a real terminal and without one."""

import contextlib
import io
import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest
from children import SOON
from random_hands import holdem, rules_of
from rich.console import Console

import regretless as rl
from regretless.core.errors import BadInput
from regretless.interfaces.terminal import words
from regretless.interfaces.terminal.screen import Screen
from regretless.interfaces.terminal.session import Seating, Session
from regretless.play.agents._agent import Agent
from regretless.play.agents._catalog import agents
from regretless.play.fixture import Fixture
from regretless.play.histories.acpc_log import read_log
from regretless.play.match_log import MatchLog

LEDUC = rules_of("leduc")


def sit(monkeypatch, rules, typed, *, hands=None, seed=1, seat=0, log=None, against="always-call"):
    """Play with these lines typed; what was on the screen."""
    lines = iter(typed)

    def answer(prompt):
        try:
            line = next(lines)
        except StopIteration:
            raise EOFError from None
        if isinstance(line, BaseException):
            raise line
        return line

    monkeypatch.setattr("builtins.input", answer)
    others = agents([against] * (rules.players - 1), rules, seed=seed)
    names = [f"a{n}" for n in range(rules.players - 1)]
    others.insert(seat, None)
    names.insert(seat, "you")
    out = io.StringIO()
    screen = Screen(Console(file=out, width=100))
    seating = Seating(rules=rules, agents=others, names=names, seed=seed, hands=hands)
    session = Session(seating, screen, log=log)
    session.run()
    return out.getvalue(), session


def fixture(hands):
    return Fixture(name="x", game="leduc", rules=LEDUC, hands=hands, seed=1, names=("you", "a0"))


def test_a_whole_game(monkeypatch, tmp_path):
    with MatchLog(tmp_path / "x.log", fixture(3)) as log:
        shown, session = sit(monkeypatch, LEDUC, ["c"] * 99, hands=3, log=log)
    assert shown.count("you hold") == 3 + 6
    assert shown.count("score ") == 4
    assert "hand 3 of 3" in shown
    assert "3 hands, score" in shown
    read = read_log(tmp_path / "x.log", check=LEDUC)
    hands = list(read)
    assert [hand.betting for hand in hands] == ["cc/cc"] * 3
    assert [hand.names for hand in hands] == [("you", "a0"), ("a0", "you"), ("you", "a0")]
    assert list(read.score.totals) == session.score.totals()


@pytest.mark.parametrize("leave", ["q", "quit", EOFError(), KeyboardInterrupt()])
def test_leaving_keeps_the_hands_that_were_played(monkeypatch, tmp_path, leave):
    with MatchLog(tmp_path / "x.log", fixture(None)) as log:
        shown, _ = sit(monkeypatch, LEDUC, ["c"] * 5 + [leave], log=log)
    assert len(list(read_log(tmp_path / "x.log", check=LEDUC))) == 2
    assert "2 hands, score" in shown
    assert f"log: {tmp_path / 'x.log'}" in shown


def test_wrong_input_is_told_and_asked_again(monkeypatch):
    shown, session = sit(
        monkeypatch, LEDUC, ["what", "f", "c 3", "r 3", "", "?", "raise", "k"], hands=1
    )
    assert "type f, c, r, r 300, ? or q" in shown
    assert "'f': legal actions are check, bet" in shown
    assert "only a raise has a size" in shown
    assert "'r3': legal actions are" not in shown  # a limit raise by its total is fine
    assert "all your chips of this hand together" in shown
    assert session.score.hands == 1


def test_bytes_that_are_no_text_are_asked_again(monkeypatch):
    broken = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    shown, session = sit(monkeypatch, LEDUC, [broken, "c", "c"], hands=1)
    assert "'no text': type f, c" in shown
    assert session.score.hands == 1


def test_no_limit_all_in_and_side_pots(monkeypatch):
    rules = holdem([300, 700, 1_200])
    shown, session = sit(monkeypatch, rules, ["a"] * 4, hands=3, seed=5)
    assert "all-in" in shown
    assert "left" in shown
    for word in ("flop", "turn", "river"):
        assert word in shown
    assert re.search(r"shows? .*(pair|high card|straight|flush|kind|house)", shown)
    assert sum(session.score.totals()) == pytest.approx(0)


def test_the_cards_of_others_are_not_shown_before_the_showdown(monkeypatch):
    shown, _ = sit(monkeypatch, LEDUC, ["c", "q"], seed=3)
    assert "shows" not in shown
    assert len(re.findall(r"hold ..\b", shown)) == 3


def test_going_on_with_a_log(monkeypatch, tmp_path):
    header = fixture(None)
    with MatchLog(tmp_path / "x.log", header) as log:
        sit(monkeypatch, LEDUC, ["c"] * 5, log=log)
    with MatchLog(tmp_path / "x.log", header, resume=True) as log:
        shown, _ = sit(monkeypatch, LEDUC, ["c"] * 5, log=log)
    assert "hand 3" in shown
    with MatchLog(tmp_path / "y.log", header) as log:
        sit(monkeypatch, LEDUC, ["c"] * 9, log=log)
    texts = [list(read_log(tmp_path / name)) for name in ("x.log", "y.log")]
    assert texts[0] == texts[1]


TYPED = [
    ("r 300", "r300"),
    ("r300", "r300"),
    ("raise to 1,200", "r1200"),
    ("bet 500", "r500"),
    ("b", "r"),
    ("all-in", "r20000"),
    ("check", "c"),
    ("fold", "f"),
]


@pytest.mark.parametrize(("typed", "action"), TYPED)
def test_what_people_type(typed, action):
    assert words.understood(typed, holdem([20_000] * 2).start()) == action


@pytest.mark.parametrize("typed", ["x", "r -3", "r 3 4", "300", "r" + "9" * 20, "f 3", "é", "r²"])
def test_what_is_not_understood(typed):
    with pytest.raises(BadInput):
        words.understood(typed, holdem([20_000] * 2).start())


def test_what_may_be_typed_and_what_was_done():
    betting = holdem([20_000, 500]).start()
    assert words.choices(betting) == ["f fold", "c call 50", "r 200..500 raise to that total"]
    raised = betting.act("r500")
    assert words.done("you", betting, raised) == "you raise to 500 and are all-in"
    assert words.done("bob", raised, raised.act("c")) == "bob calls 400"
    called = betting.act("c")
    assert words.choices(called)[0] == "c check"
    assert words.done("bob", called, called.act("c")) == "bob checks"
    assert words.done("bob", betting, betting.act("f")) == "bob folds"


class Terminal:
    """`regretless play …` in a pseudo-terminal."""

    def __init__(self, folder, *arguments, **environment):
        self.master, slave = pty.openpty()
        base = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "regretless", "play", *arguments],
            cwd=folder,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**base, "PYTHONUTF8": "0", "COLUMNS": "90", **environment},
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(slave)
        self.shown = ""

    def until(self, text, *, count=1, seconds=SOON):
        """Read until this was shown that many times."""
        end = time.monotonic() + seconds
        while self.shown.count(text) < count and time.monotonic() < end:
            if not select.select([self.master], [], [], 0.1)[0]:
                continue
            try:
                self.shown += os.read(self.master, 65536).decode(errors="replace")
            except OSError:  # the other side has closed
                break
        assert self.shown.count(text) >= count, self.shown

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        """Read all that is left; the exit code."""
        self.until(", score")
        code = self.process.wait(timeout=SOON)
        with contextlib.suppress(OSError):  # how a pseudo-terminal says that it is closed
            while rest := os.read(self.master, 65536):
                self.shown += rest.decode(errors="replace")
        os.close(self.master)
        return code


def _take_terminal():
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


LEAVING = [("q\n", {}), ("\x04", {"TERM": "dumb"}), ("\x03", {})]


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals of POSIX")
@pytest.mark.parametrize(("leave", "environment"), LEAVING)
def test_in_a_real_terminal(tmp_path, leave, environment):
    wanted = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
    options = ("--against", "always-call", "--seed", "1", "--log", "x.log")
    terminal = Terminal(tmp_path, "leduc", *options, **wanted)
    for number in range(2):
        terminal.until("> ", count=number + 1)
        terminal.type("c\n")
    terminal.until("hand 2")
    terminal.until("> ", count=3)
    time.sleep(0.5)  # the prompt is shown before it waits, and a Ctrl-C in between comes too early
    terminal.type(leave)
    assert terminal.end() == (130 if leave == "\x03" else 0)
    assert "log: x.log" in terminal.shown
    assert "Traceback" not in terminal.shown
    assert len(list(read_log(tmp_path / "x.log", check=LEDUC))) == 1
    coloured = wanted["TERM"] != "dumb"
    assert bool(re.search("[♠♥♦♣]", terminal.shown)) == coloured
    assert ("\x1b[" in terminal.shown) == coloured


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals of POSIX")
def test_plain_letters_where_the_terminal_has_no_unicode(tmp_path):
    wanted = {"TERM": "xterm", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    terminal = Terminal(tmp_path, "leduc", "--seed", "1", "--hands", "1", **wanted)
    terminal.until("> ")
    terminal.type("c\nc\nc\nc\n")
    assert terminal.end() == 0
    assert terminal.shown.isascii()
    assert re.search(r"you hold [QKA][hs]", terminal.shown)


def run(folder, *arguments, typed=""):
    """Without a terminal: exit code, stdout, stderr."""
    done = subprocess.run(
        [sys.executable, "-m", "regretless", *arguments],
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        timeout=SOON,
    )
    return done.returncode, done.stdout, done.stderr


def test_hints_of_a_strategy_that_knows_its_game(tmp_path):
    rl.solve("kuhn", iterations=99).save(tmp_path / "k")
    typed = "c\n" * 9
    code, out, err = run(tmp_path, "play", "--against", "k", "--hints", "--hands", "2", typed=typed)
    assert (code, err) == (0, "")
    assert re.search(r"strategy: (check|fold|call|bet) \d+%", out)
    assert "the strategy would have played" in out
    assert re.search(r"; you: c(heck|all), \d+%", out)


def test_three_players_and_a_seat(tmp_path):
    options = ("--against", "random", "--against", "aggressive", "--seat", "3", "--seed", "1")
    code, out, _ = run(tmp_path, "play", "kuhn:players=3", *options, typed="c\n" * 9)
    assert code == 0
    assert "3  you" in out
    assert "random" in out
    assert "aggressive" in out


def test_without_a_game_some_are_offered_and_solved(tmp_path):
    typed = "9\nrps\nholdem_limit\n\nkuhn\n" + "c\n" * 8
    code, out, err = run(tmp_path, "play", "--seed", "1", "--hands", "2", "--hints", typed=typed)
    assert (code, err) == (0, "")
    for told in (
        "2  leduc",
        "9: type 1 to 4",
        "game rps: not a poker game",
        "holdem_limit is too large to solve in a second",
        "solving kuhn",
        "exploitability",
        "solver",
        "strategy: ",
        "2 hands, score",
    ):
        assert told in out
    assert run(tmp_path, "play", typed="q\n")[0] == 0
    assert run(tmp_path, "play", typed="")[0] == 0


BAD = [
    (("--against", "random"), "no game"),
    (("chess9",), "unknown game"),
    (("rps",), "poker"),
    (("leduc", "--against", "nobody"), "unknown agent"),
    (("leduc", "--seat", "3"), "seat=3: must be 1 to 2"),
    (("leduc", "--hands", "0"), "hands=0"),
    (("leduc", "--hints"), "add --hints-by FILE"),
    (("kuhn:players=4", "--against", "random", "--against", "random"), "expected 3, or 1"),
    (("leduc", "--log", "no/such/x"), "no such directory"),
    (("leduc", "--seed", "-1"), "seed"),
]


@pytest.mark.parametrize(("words_", "told"), BAD)
def test_bad_input_is_one_line(monkeypatch, capsys, tmp_path, words_, told):
    from regretless.interfaces.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["regretless", "play", *words_])
    with pytest.raises(SystemExit) as stop:
        main()
    out, err = capsys.readouterr()
    assert stop.value.code == 2
    assert told in err
    assert len(err.splitlines()) == 1
    assert out == ""


def test_agents_that_learn_are_shown_the_hands_of_an_earlier_session(monkeypatch, tmp_path):
    class Watching(Agent):
        def act(self, view):
            return "c"

        def begin(self):
            self.seen = []

        def saw(self, hand, position):
            self.seen.append((hand, position))

    watching = Watching(LEDUC)
    with MatchLog(tmp_path / "x.log", fixture(None)) as log:
        sit(monkeypatch, LEDUC, ["r", "c", "r", "c", "c", "q"], log=log, against=watching)
    before = watching.seen
    assert len(before) > 1
    with MatchLog(tmp_path / "x.log", fixture(None), resume=True) as log:
        sit(monkeypatch, LEDUC, ["q"], log=log, against=watching)
    assert watching.seen == before
