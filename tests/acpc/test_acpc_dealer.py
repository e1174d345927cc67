"""The dealer without sockets: seats, handshakes, time, failures, and any bytes at all."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from driving import (
    ALL_IN,
    GAMES,
    KUHN_3P,
    LEDUC,
    LIMIT_2P,
    NO_LIMIT_2P,
    NO_LIMIT_3P,
    asked,
    make_match,
    opened,
    play_out,
    players,
    started,
    take,
)

from regretless.core.errors import BadFile, BadParameter
from regretless.games._betting import PokerRules
from regretless.interfaces.acpc.dealer import MOST_WARNINGS, Dealer, End
from regretless.interfaces.acpc.lines import MOST_KEPT, Lines
from regretless.interfaces.acpc.protocol import LONGEST
from regretless.interfaces.acpc.server import Server
from regretless.play.agents._catalog import agent
from regretless.play.fixture import Limits
from regretless.play.histories.acpc_log import read_log, write_hand
from regretless.play.match import play_match

VERSION = b"VERSION:2.0.0\r\n"
CALL = b":c\r\n"


def random_agents(rules: PokerRules) -> list[Any]:
    return [agent("random", rules, seed=seat) for seat in range(rules.players)]


def notes(dealer: Dealer) -> str:
    return b"".join(dealer.notes).decode()


# --- a whole match is the one that is played in process


@pytest.mark.parametrize("rotate", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_same_match_as_in_process(name: str, rotate: bool) -> None:
    rules = GAMES[name]
    match = make_match(rules, hands=60, rotate=rotate)
    dealer = started(match)
    play_out(dealer, players(rules, random_agents(rules)))
    assert dealer.end is End.FINISHED
    hands = play_match(
        rules, random_agents(rules), hands=60, seed=42, rotate=rotate, names=match.names
    )
    assert dealer.log[:-1] == [write_hand(hand) + "\n" for hand in hands]
    assert dealer.log[-1].startswith("SCORE:")
    # Duplicate: same cards, whoever sits where.
    again = started(make_match(rules, hands=60, rotate=rotate))
    play_out(again, players(rules, random_agents(rules)[::-1]))
    cards = [[hand.holes for hand in read_log(log)] for log in (dealer.log, again.log)]
    assert cards[0] == cards[1]


def test_notes_tell_every_message() -> None:
    dealer = started(make_match(KUHN_3P, hands=101), quiet=False, now=7.25)
    play_out(dealer, players(KUHN_3P, random_agents(KUHN_3P)), now=9.5)
    told = notes(dealer).splitlines()
    assert told[0] == "STARTED at 7.250000"
    assert told[1] == "TO 1 at 7.250000 MATCHSTATE:0:0::Ks||"
    assert told[4].startswith("FROM 1 at 9.500000 MATCHSTATE:0:0::Ks||:")
    assert "Seconds cumulatively spent in match for seat 0: 2" in told
    assert told[-1] == "FINISHED at 9.500000"
    assert b"TO 1 at 7.250000 MATCHSTATE:0:0::Ks||\r\n" in dealer.notes


def test_a_game_without_decisions_needs_nobody() -> None:
    dealer = started(make_match(ALL_IN, hands=2000))
    play_out(dealer, lambda _seat, _data: pytest.fail("nobody is to act"))
    assert len(dealer.log) == 2001
    assert take(dealer, 0).count(b"\n") == 2000


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"names": ("a",)}, "1 player names: the game has 2 seats"),
        ({"names": ("a", "b|c")}, "player name"),
        ({"hands": 0}, "hands=0"),
        ({"seed": 2**32}, "seed="),
        ({"limits": Limits(0, 1, 1)}, "response_ms=0"),
    ],
)
def test_impossible_matches(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadParameter, match=problem):
        make_match(LEDUC, **changes)


# --- handshake


def test_versions_in_any_order_and_in_pieces() -> None:
    dealer = Dealer(make_match(LEDUC))
    dealer.begin(0.0, start_s=10.0)
    dealer.receive(1, b"VERSION:2.0.0\n", 0.0)
    assert (dealer.waiting, dealer.deadline) == (0, 10.0)
    for byte in VERSION:
        dealer.receive(0, bytes([byte]), 1.0)
    assert take(dealer, 0).startswith(b"MATCHSTATE:0:0::")


@pytest.mark.parametrize(
    "said", [b"\n", b"# hello\n", b"VERSION:2\n", b"\xff\x00\n", b"x" * 9999 + b"\n"]
)
@pytest.mark.parametrize("forfeit", [True, False])
def test_no_version_ends_it(said: bytes, forfeit: bool) -> None:
    dealer = Dealer(make_match(LEDUC), forfeit=forfeit)
    dealer.begin(0.0, start_s=10.0)
    dealer.receive(0, said, 0.0)
    assert dealer.end is End.NOT_STARTED
    assert "ERROR: seat 1 (p1) sent" in notes(dealer)


@pytest.mark.parametrize("said", [b"VERSION:1.0.0\n", b"VERSION:2.1.0\n", b"VERSION:3.0.0\n"])
def test_other_versions_are_told_and_served(said: bytes) -> None:
    dealer = Dealer(make_match(LEDUC))
    dealer.begin(0.0, start_s=10.0)
    dealer.receive(0, said, 0.0)
    dealer.receive(1, VERSION, 0.0)
    assert dealer.end is None
    assert take(dealer, 0)
    assert "ERROR: seat 1 speaks" in notes(dealer)


def test_nobody_speaks() -> None:
    dealer = Dealer(make_match(LEDUC))
    dealer.begin(5.0, start_s=10.0)
    assert dealer.deadline == 15.0
    dealer.late(15.0)
    assert dealer.end is End.NOT_STARTED
    assert "took too long" in dealer.why


# --- time


def test_time_for_an_answer() -> None:
    limits = Limits(response_ms=1000, hand_ms=5000, per_hand_ms=5000)
    dealer = started(make_match(LEDUC, limits=limits), now=100.0)
    line = asked(dealer)
    assert dealer.deadline == 101.0
    dealer.receive(0, line + CALL, 101.0)
    assert dealer.end is None
    line = asked(dealer)
    assert dealer.deadline == 102.0  # the other seat has thought for nothing so far
    dealer.receive(1, line + CALL, 102.001)
    assert dealer.end is End.FAILED
    assert "seat 2 (p2) answered after 1.001 s" in dealer.why


def test_comments_do_not_stop_the_clock() -> None:
    limits = Limits(response_ms=1000, hand_ms=5000, per_hand_ms=5000)
    dealer = started(make_match(LEDUC, limits=limits))
    line = asked(dealer)
    dealer.receive(0, b"# thinking\n", 0.9)
    assert dealer.deadline == 1.0
    dealer.receive(0, b"# still thinking\n" + line + CALL, 1.1)
    assert dealer.end is End.FAILED


def test_time_in_a_hand_is_summed_and_begins_anew() -> None:
    limits = Limits(response_ms=1000, hand_ms=1500, per_hand_ms=60_000)
    dealer, now = started(make_match(LEDUC, limits=limits, hands=2)), 0.0
    for _ in range(2):  # checked down: two actions for each seat
        for _ in range(4):
            line, now = asked(dealer), now + 0.75
            dealer.receive(dealer.waiting, line + CALL, now)
    assert dealer.end is End.FINISHED
    dealer, now = started(make_match(LEDUC, limits=limits)), 0.0
    for spent in (0.8, 0.1, 0.8):
        line, now = asked(dealer), now + spent
        dealer.receive(dealer.waiting, line + CALL, now)
    assert dealer.end is End.FAILED
    assert "seat 1" in dealer.why


def test_time_in_the_match_is_summed() -> None:
    limits = Limits(response_ms=1000, hand_ms=2000, per_hand_ms=500)
    dealer, now, answers = started(make_match(LEDUC, limits=limits, hands=3)), 0.0, 0
    while dealer.end is None:
        slow = dealer.waiting == 1
        line, now, answers = asked(dealer), now + 0.4 * slow, answers + slow
        assert dealer.deadline >= now or answers == 4
        dealer.receive(dealer.waiting, line + CALL, now)
    assert (dealer.end, answers) == (End.FAILED, 4)  # 4 * 0.4 s are more than 3 * 0.5 s


def test_lines_that_are_no_answer_count() -> None:
    limits = Limits(response_ms=1000, hand_ms=1000, per_hand_ms=60_000)
    dealer = started(make_match(LEDUC, limits=limits))
    line = asked(dealer)
    dealer.receive(0, b"what?\n", 0.6)
    assert dealer.deadline == pytest.approx(0.4)
    dealer.receive(0, line + CALL, 0.7)  # 0.6 s and 0.7 s, as the reference counts
    assert dealer.end is End.FAILED


def test_nothing_comes() -> None:
    dealer = started(make_match(LEDUC))
    dealer.late(601.0)
    assert dealer.end is End.FAILED
    assert not any(line.startswith("SCORE") for line in dealer.log)


# --- seats that fail


def test_forfeiting_seats_fold_or_check() -> None:
    match = make_match(NO_LIMIT_3P, hands=30)
    dealer = started(match, forfeit=True)
    reply = players(NO_LIMIT_3P, random_agents(NO_LIMIT_3P))
    for _ in range(5):
        seat = dealer.waiting
        dealer.receive(seat, reply(seat, take(dealer, seat)), 0.0)
    before = dealer.score.hands
    dealer.hang_up(2, 0.0)
    dealer.hang_up(2, 0.0)
    play_out(dealer, reply)
    assert dealer.end is End.FINISHED
    assert notes(dealer).count("ERROR: seat 3 (p3) hung up; it folds") == 1
    for hand in list(read_log(dealer.log, check=NO_LIMIT_3P))[before + 1 :]:
        position = hand.names.index("p3")
        assert hand.payoffs[position] in (-NO_LIMIT_3P.blinds[position], 0) or (
            hand.payoffs[position] > 0  # the others folded, or checked down against its blind
        )


def test_all_but_one_gone_goes_on_and_nobody_left_ends() -> None:
    dealer = started(make_match(KUHN_3P, hands=5), forfeit=True)
    dealer.hang_up(0, 0.0)
    dealer.hang_up(1, 0.0)
    reply = players(KUHN_3P, random_agents(KUHN_3P))
    while dealer.score.hands < 2:
        if dealer.automatic:
            dealer.proceed(0.0)
        else:
            dealer.receive(2, reply(2, take(dealer, 2)), 0.0)
    assert dealer.end is None
    dealer.hang_up(2, 0.0)
    assert dealer.end is End.FAILED
    assert len(dealer.log) == 2


# --- memory and noise


def test_long_lines_are_cut() -> None:
    lines = Lines()
    for _ in range(100):
        lines.add(b"x" * 100_000)
        assert len(lines) <= LONGEST
    lines.add(b"y\nnext\n")
    assert lines.take() == b"x" * LONGEST + b"\n"
    assert lines.take() == b"next\n"
    assert lines.take() is None
    lines.add(b"z" * 5000 + b"\nafter\n")
    assert lines.take() == b"z" * LONGEST + b"\n"
    assert lines.take() == b"after\n"


def test_short_lines_do_not_pile_up() -> None:
    lines = Lines()
    for _ in range(100):
        lines.add(b"\n" * 10_000)
        lines.add(b"abc\n" * 10_000)
    assert len(lines) <= MOST_KEPT
    taken = list(iter(lines.take, None))
    # What fits: two and a half rounds of both kinds, in the order in which they came.
    empty, short = taken.count(b"\n"), taken.count(b"abc\n")
    assert (empty, short, len(taken)) == (30_000, 25_268, 55_268)
    assert empty + 4 * short == MOST_KEPT
    lines.add(b"rest\nwhole\n")
    assert list(iter(lines.take, None)) == [b"\n", b"whole\n"]
    assert len(lines) == 0


def test_an_answer_before_a_megabyte_counts() -> None:
    dealer = started(make_match(LIMIT_2P))
    line = asked(dealer)
    dealer.receive(1, line + b":r " + b"x" * 1_000_000, 0.0)
    assert not any(dealer.out)
    dealer.receive(1, b"\n", 0.0)
    assert b":r:" in dealer.out[1][0]


def test_warnings_name_the_hand_and_the_state() -> None:
    dealer = started(make_match(LIMIT_2P))
    state = asked(dealer).rstrip().decode()
    dealer.receive(1, b"hello\n", 0.0)
    (note,) = dealer.notes
    assert note.decode().startswith(f"WARNING: seat 2, hand 0, asked '{state}': ")
    assert note.endswith(b": 'hello'\n")


def test_warnings_come_to_an_end() -> None:
    dealer = started(make_match(LIMIT_2P))
    dealer.receive(1, b"x\n" * 5000, 0.0)
    assert len(dealer.notes) == MOST_WARNINGS + 1


def test_notes_are_safe_for_terminals() -> None:
    dealer = started(make_match(LIMIT_2P), quiet=False)
    dealer.receive(1, b"\x1b[2J\x00\xff\r\n", 0.0)
    told = notes(dealer)
    assert "\\x1b[2J\\x00\\xff\r\n" in told
    assert "\x1b" not in told


# --- any bytes at all


def malformed(rng: random.Random, line: bytes) -> bytes:
    """What a broken client might say when asked this."""
    kind = rng.randrange(9)
    if kind == 0:
        return rng.randbytes(rng.randrange(60)) + b"\n"
    if kind == 1:
        return line[: rng.randrange(len(line))] + b"\r\n"
    if kind == 2:
        data = bytearray(line + b":r300\r\n")
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data) + b"\n"
    if kind == 3:
        return line + b":" + rng.randbytes(rng.randrange(12)) + b"\n"
    if kind == 4:
        return line + rng.choice([b":r", b":b ", b":R-", b":r+"]) + b"%d\n" % rng.getrandbits(40)
    if kind == 5:
        return b"A" * rng.randrange(9000) + b"\n"
    if kind == 6:
        return rng.choice([b"#", b";"]) + rng.randbytes(9).replace(b"\n", b"") + b"\n"
    if kind == 7:
        return line + b":" + rng.choice([b"f", b"F", b"k", b"K", b"c", b"B", b"q", b""]) + b"\n"
    return rng.randbytes(5).replace(b"\n", b"")  # a line without its end


@pytest.mark.parametrize("name", ["limit 2p", "no-limit 2p", "no-limit 3p", "kuhn 3p"])
def test_fuzz(name: str) -> None:
    """4,000 malformed lines for each of four games; all hands are legal and add up."""
    rules, rng = GAMES[name], random.Random(name)
    dealer = started(make_match(rules, hands=10_000), forfeit=True)
    told = 0
    line = dealer.out[dealer.waiting][-1].rstrip(b"\r\n")
    while told < 4000:
        seat = dealer.waiting
        if dealer.out[seat]:
            line = dealer.out[seat][-1].rstrip(b"\r\n")
            for lines in dealer.out:
                lines.clear()
        said = malformed(rng, line)
        if rng.random() < 0.05:
            dealer.receive((seat + 1) % rules.players, malformed(rng, line), 0.0)
        dealer.receive(seat, said, 0.0)
        told += 1
        if rng.random() < 0.1:  # and a good one now and then; the one before may have no end
            dealer.receive(seat, b"\n" + line + b":c\r\n", 0.0)
        assert dealer.end is None
    assert dealer.score.hands > 50
    checked = list(read_log(dealer.log, check=rules))  # replays and settles every hand
    assert len(checked) == dealer.score.hands
    assert all(abs(sum(hand.payoffs)) < 1e-9 for hand in checked)
    assert sum(dealer.score.totals()) == pytest.approx(0.0, abs=1e-6)


# --- logs


@pytest.mark.parametrize("cut", [0, 1, 30])
def test_resumed_match_is_identical(tmp_path: Path, cut: int) -> None:
    match = make_match(NO_LIMIT_3P, hands=40)
    whole = started(match)
    play_out(whole, players(NO_LIMIT_3P, random_agents(NO_LIMIT_3P)))
    path = tmp_path / "m.log"
    text = match.header() + "".join(whole.log[:23])
    path.write_text(text[: len(text) - cut])
    log = opened(match, path, resume=True)
    assert log.score.hands == (23 if cut == 0 else 22)
    assert not log.complete
    dealer = started(match, score=log.score)
    play_out(dealer, players(NO_LIMIT_3P, random_agents(NO_LIMIT_3P)))
    log.write("".join(dealer.log))
    log.close()
    assert path.read_text() == match.header() + "".join(whole.log)
    log = opened(match, path, resume=True)
    log.close()
    assert log.complete
    assert log.score.totals() == whole.score.totals()


def test_only_its_own_log_is_taken_up(tmp_path: Path) -> None:
    match = make_match(LEDUC, hands=20)
    dealer = started(match)
    play_out(dealer, players(LEDUC, random_agents(LEDUC)))
    path = tmp_path / "m.log"
    header, lines = match.header(), "".join(dealer.log)
    for text, problem in [
        (make_match(LEDUC, hands=20, seed=1).header() + lines, "another match"),
        (header + lines.replace("STATE:3:", "STATE:4:"), "m.log:8:1: got"),
        (header + lines.replace(":p1|p2", ":p2|p1", 1), "expected"),
        (header + lines.replace("SCORE:", "SCORE:1"), "expected .SCORE"),
        (header + "nonsense\n", "hand 0"),
        (header + "STATE:0:zz:Qh|Ks:1|-1:p1|p2\n", "hand 0"),
    ]:
        path.write_text(text)
        with pytest.raises(BadFile, match=problem):
            opened(match, path, resume=True)
        assert path.read_text() == text
    with pytest.raises(BadFile, match="no such directory"):
        opened(match, tmp_path / "absent" / "m.log")
    path.write_bytes(header.encode() + b"\xff\xfe\n")
    with pytest.raises(BadFile, match="not a text file"):
        opened(match, path, resume=True)


def test_a_log_begins_with_the_limits(tmp_path: Path) -> None:
    log = opened(make_match(NO_LIMIT_2P, hands=7), tmp_path / "m.log")
    log.close()
    assert log.path.read_bytes() == (
        b"# name/game/hands/seed m x.game 7 42\n"
        b"#--t_response 600000\n#--t_hand 600000\n#--t_per_hand 7000\n"
    )


def test_a_log_cut_anywhere_is_taken_up(tmp_path: Path) -> None:
    """In the header, in a hand, between the last hand and the score."""
    match, path = make_match(NO_LIMIT_3P, hands=3), tmp_path / "m.log"
    whole = started(match)
    play_out(whole, players(NO_LIMIT_3P, random_agents(NO_LIMIT_3P)))
    text = match.header() + "".join(whole.log)
    for cut in range(len(text) + 1):
        path.write_text(text[:cut])
        log = opened(match, path, resume=True)
        if not log.complete:
            dealer = started(match, score=log.score)
            play_out(dealer, players(NO_LIMIT_3P, random_agents(NO_LIMIT_3P)))
            log.write("".join(dealer.log))
        log.close()
        assert path.read_text() == text
    path.write_text(text + "STATE:3:\n")
    with pytest.raises(BadFile, match="got 'STATE:3:' after the score"):
        opened(match, path, resume=True)


def test_names_with_odd_line_ends_are_taken_up(tmp_path: Path) -> None:
    match, path = make_match(LEDUC, names=("a\u2028b", "c\x0bd"), hands=2), tmp_path / "m.log"
    dealer = started(match)
    play_out(dealer, players(LEDUC, random_agents(LEDUC)))
    path.write_text(match.header() + "".join(dealer.log), newline="")
    log = opened(match, path, resume=True)
    log.close()
    assert log.complete


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk_is_told_and_nobody_hears_of_the_hand(tmp_path: Path) -> None:
    match, full = make_match(LEDUC, hands=1), Path("/dev/full")
    log = opened(match, tmp_path / "m.log")
    log.close()
    log._stream = full.open("wb")
    dealer = started(match)
    server = Server(dealer, log)
    play_out(dealer, players(LEDUC, random_agents(LEDUC)))
    assert any(dealer.out)
    with pytest.raises(BadFile, match=r"m\.log: cannot be written: No space left"):
        server._deliver()
    assert not any(dealer.out)
    log.close()
