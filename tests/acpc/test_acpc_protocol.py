"""Lines of the protocol: written, read back, and read leniently."""

from __future__ import annotations

from contextlib import suppress

import pytest
from acpc_text import write_reply, write_state
from driving import GAMES, KUHN_3P, LIMIT_2P, NO_LIMIT_2P, OPEN_CARD, asked, make_match, started
from hypothesis import given
from hypothesis import strategies as st

from regretless.core.errors import BadInput
from regretless.games._betting import Betting, PokerRules
from regretless.interfaces.acpc.protocol import (
    MatchState,
    Refused,
    is_comment,
    read_action,
    read_reply,
    read_state,
    read_version,
    write_version,
)
from regretless.play.deals import deals
from regretless.play.table import Table

ASKED = MatchState(1, 31, "r300c/r900", "|JdTc/2c3d4h")


def heard(line: bytes, state: MatchState = ASKED, rules: PokerRules = NO_LIMIT_2P) -> object:
    return read_reply(line, state, rules)


# --- versions and comments


def test_versions() -> None:
    assert write_version() == b"VERSION:2.0.0\r\n"
    assert read_version(write_version()) == (2, 0, 0)
    assert read_version(b"VERSION:10.2.33\n") == (10, 2, 33)
    for wrong in (b"", b"VERSION:2.0\n", b"version:2.0.0\n", b"# hi\n", b"VERSION:-2.0.0\n"):
        assert read_version(wrong) is None


def test_comments() -> None:
    assert is_comment(b"# hello")
    assert is_comment(b";")
    assert not is_comment(b"MATCHSTATE:0:0::|")


# --- round trips


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, int]:
    """A hand somewhere in its middle, and who looks at it."""
    rules = draw(st.sampled_from(list(GAMES.values())))
    deal = next(deals(rules, draw(st.integers(0, 2**32 - 1))))
    betting: Betting = rules.start()
    for _ in range(draw(st.integers(0, 12))):
        if betting.over:
            break
        raises = betting.raise_range()
        actions = ["c"] + (["f"] if betting.spent[betting.actor] < max(betting.spent) else [])
        if raises is not None:
            amount = "" if rules.raises else str(draw(st.integers(*raises)))
            actions.append(f"r{amount}")
        betting = betting.act(draw(st.sampled_from(actions)))
    table = Table(rules, deal, draw(st.integers(0, 10**9)), betting)
    return table, draw(st.integers(0, rules.players - 1))


@given(tables(), st.sampled_from(["f", "c", "r", "r300"]))
def test_round_trip(seen: tuple[Table, int], action: str) -> None:
    table, position = seen
    state = MatchState(position, table.number, table.betting.history, table.cards(position))
    line = write_state(state)
    assert read_state(line) == state
    assert read_reply(write_reply(line, action), state, table.rules) == b":" + action.encode()
    # A client that sees more than it should is answered all the same.
    everything = state._replace(cards=table.cards())
    reply = write_reply(write_state(everything), action)
    assert read_reply(reply, state, table.rules) == b":" + action.encode()
    for other in (
        state._replace(position=(position + 1) % table.rules.players),
        state._replace(hand=table.number + 1),
        state._replace(betting=state.betting + "c"),
    ):
        assert read_reply(write_reply(write_state(other), action), state, table.rules) in Refused


@given(st.binary(max_size=80), st.booleans())
def test_any_bytes_are_read(data: bytes, behind: bool) -> None:
    line = write_state(ASKED)[:-2] + data if behind else data
    found = heard(line)
    assert isinstance(found, bytes | Refused)
    if isinstance(found, bytes):
        action = read_action(found, fold=True, raises=(1500, 20_000), no_limit=True)
        assert action in ("f", "c") or 1500 <= int(action[1:]) <= 20_000
    with suppress(BadInput):
        assert isinstance(read_state(data), MatchState)


# --- what counts as the state that was asked for


@pytest.mark.parametrize(
    "line",
    [
        b"MATCHSTATE:1:31:r300c/r900:|JdTc/2c3d4h",
        b"MATCHSTATE:1:31:r300cr900:|JdTc/2c3d4h",  # rounds of betting not parted
        b"MATCHSTATE:1:31://r300/c/r900/:|JdTc/2c3d4h",
        b"MATCHSTATE:1:31:R300K/b900:|JdTc/2c3d4h",
        b"MATCHSTATE:1:31:r 300c/B  900:|JdTc/2c3d4h",
        b"MATCHSTATE:1:31:r300c/r900:|jDtC/2C3D4H",
        b"MATCHSTATE:1:31:r300c/r900:AsAd|JdTc/2c3d4h",  # others' cards are not compared
        b"MATCHSTATE:01:0031:r0300c/r900:|JdTc/2c3d4h",
    ],
)
def test_same_state(line: bytes) -> None:
    assert heard(line + b":c\r\n") == b":c"
    assert heard(line + b":c\n") == b":c"
    assert heard(line + b"\n") == b""
    assert heard(line + b":\n") == b":"


@pytest.mark.parametrize(
    "line",
    [
        b"MATCHSTATE:0:31:r300c/r900:|JdTc/2c3d4h",
        b"MATCHSTATE:1:30:r300c/r900:|JdTc/2c3d4h",
        b"MATCHSTATE:1:31:r300c/r901:|JdTc/2c3d4h",
        b"MATCHSTATE:1:31:r300c/:|JdTc/2c3d4h",
        b"MATCHSTATE:1:31:r300c/x:|JdTc/2c3d4h",
        b"MATCHSTATE:1:31:rc/r900:|JdTc/2c3d4h",
        b"MATCHSTATE:1:31:r300c/r900:|JdTd/2c3d4h",
        b"MATCHSTATE:1:31:r300c/r900:|TcJd/2c3d4h",  # cards stand in dealt order
        b"MATCHSTATE:1:31:r300c/r900:|/2c3d4h",
        b"MATCHSTATE:1:31:r300c/r900:|JdTc/2c3d5h",
        b"MATCHSTATE:1:31:r300c/r900:|JdTc",
    ],
)
def test_other_state(line: bytes) -> None:
    assert heard(line + b":c\r\n") is Refused.NOT_ASKED


@pytest.mark.parametrize(
    "line",
    [b"", b"\r\n", b"c", b"STATE:1:31", b"MATCHSTATE", b"MATCHSTATE:1:31:", b"MATCHSTATE:x:31::|"],
)
def test_no_state(line: bytes) -> None:
    assert heard(line) is Refused.NOT_A_STATE


def test_three_players_and_a_board_in_the_first_round() -> None:
    state = MatchState(1, 0, "r", "|As|")
    assert heard(b"MATCHSTATE:1:0:r:Ks|As|Qs:f", state, KUHN_3P) == b":f"
    assert heard(b"MATCHSTATE:1:0:r:As||:f", state, KUHN_3P) is Refused.NOT_ASKED
    state = MatchState(1, 0, "", "|AsAh" + "Ks")
    assert heard(b"MATCHSTATE:1:0::|AsAhKs:r", state, OPEN_CARD) == b":r"
    assert heard(b"MATCHSTATE:1:0::|AsAhKh:r", state, OPEN_CARD) is Refused.NOT_ASKED
    state = MatchState(0, 0, "", "AsAh|" + "Ks")
    assert heard(b"MATCHSTATE:0:0::AsAh|Ks:r", state, OPEN_CARD) == b":r"
    assert heard(b"MATCHSTATE:0:0::AsAh|QsQhKs:r", state, OPEN_CARD) == b":r"


# --- what counts as an action


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        *((b":" + letter, "f") for letter in (b"f", b"F", b"fold", b"f!")),
        *((b":" + letter, "c") for letter in (b"c", b"C", b"k", b"K", b"call")),
        *((b":" + letter, "r") for letter in (b"r", b"R", b"b", b"B", b"r 12", b"raise")),
        *((text, "c") for text in (b"", b":", b":x", b": c", b":5", b"c", b":\xff", b"::r")),
    ],
)
def test_limit_actions(said: bytes, counts: str) -> None:
    assert read_action(said, fold=True, raises=(20, 20), no_limit=False) == counts


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        *((b":" + word, "r300") for word in (b"r300", b"R300", b"b300", b"B300", b"r 300")),
        *((b":" + word, "r300") for word in (b"r  300", b"r300x", b"r300 500", b"r+300", b"r0300")),
        *((b":" + word, "r200") for word in (b"r199", b"r0", b"r-5")),
        *((b":" + word, "r20000") for word in (b"r20001", b"r999999999999999999999")),
        *((b":" + word, "c") for word in (b"r", b"rx300", b"r-", b"b", b"", b"300", b"q")),
    ],
)
def test_no_limit_actions(said: bytes, counts: str) -> None:
    assert read_action(said, fold=True, raises=(200, 20_000), no_limit=True) == counts


def test_illegal_actions_are_calls() -> None:
    assert read_action(b":f", fold=False, raises=(20, 20), no_limit=False) == "c"
    assert read_action(b":r", fold=True, raises=None, no_limit=False) == "c"
    assert read_action(b":r300", fold=True, raises=None, no_limit=True) == "c"


# --- the same at the table: each line by itself decides what the next state shows


@pytest.mark.parametrize(
    ("rules", "said", "betting"),
    [
        (LIMIT_2P, b":r", b"r"),
        (LIMIT_2P, b":B", b"r"),
        (LIMIT_2P, b":k", b"c"),
        (LIMIT_2P, b":F", b"f"),
        (LIMIT_2P, b"", b"c"),
        (LIMIT_2P, b":?", b"c"),
        (NO_LIMIT_2P, b":r300", b"r300"),
        (NO_LIMIT_2P, b":r 300 # why not", b"r300"),
        (NO_LIMIT_2P, b":r1", b"r200"),
        (NO_LIMIT_2P, b":r99999", b"r20000"),
        (NO_LIMIT_2P, b":r", b"c"),
    ],
)
@pytest.mark.parametrize("end", [b"\r\n", b"\n"])
def test_replies_at_the_table(rules: PokerRules, said: bytes, betting: bytes, end: bytes) -> None:
    dealer = started(make_match(rules))
    line = asked(dealer)
    dealer.receive(1, line + said + end, 0.0)
    assert dealer.out[0][0].split(b":")[3] == betting


def test_lines_that_are_no_answer_are_passed_over() -> None:
    dealer = started(make_match(LIMIT_2P), quiet=True)
    line = asked(dealer)
    for noise in (b"# thinking\r\n", b";\n", b"\r\n", b"hello\n", line.replace(b":0:", b":7:")):
        dealer.receive(1, noise.rstrip(b"\n") + b"\n", 0.0)
        assert not any(dealer.out)
    dealer.receive(1, line + b":r\r\n" + line + b":r\r\n", 0.0)  # a duplicate is harmless
    assert [out[0].split(b":")[3] for out in dealer.out] == [b"r", b"r"]
    assert b"".join(dealer.notes).count(b"WARNING") == 3
    answer = asked(dealer)
    dealer.receive(1, b"early\n", 0.0)  # waits until its seat is to act
    assert not any(dealer.out)
    dealer.receive(0, answer + b":r\r\n", 0.0)
    assert b"".join(dealer.notes).count(b"WARNING") == 5
