"""A dealer without sockets or clocks: bytes and times go in, bytes and lines come out.

The driver looks at `waiting`, the seat that must act next, and reports what it did:
`receive`, `hang_up`, or `late` once `deadline` has passed. If no seat must act, `proceed`
continues. `out` holds what is to be sent, `log` the lines for the log, `notes` messages for
people; the driver empties them after every call. Seats and hands count from 0, times are in
seconds. Every line from the seat to act counts, from the moment it was asked; so an invalid line
counts as well as the one after it. Thinking while others act is free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import accumulate, chain, pairwise

from regretless.games._betting import PokerRules
from regretless.interfaces.acpc.betting_nodes import BettingNode, BettingNodes
from regretless.interfaces.acpc.lines import Lines
from regretless.interfaces.acpc.protocol import (
    END,
    LONGEST,
    VERSION,
    MatchState,
    Refused,
    is_comment,
    read_action,
    read_reply,
    read_state,
    read_version,
)
from regretless.play.deals import Deal
from regretless.play.fixture import Fixture, Limits
from regretless.play.histories.acpc_log import write_hand
from regretless.play.score import Score
from regretless.play.showdown import Order
from regretless.play.table import cards_text


class Views:
    """The constant parts of the lines of a hand, written once."""

    def __init__(
        self, rules: PokerRules, deal: Deal, number: int, positions: Sequence[int]
    ) -> None:
        self.deal, self.positions = deal, positions
        self._heads = [b"MATCHSTATE:%d:%d:" % (position, number) for position in positions]
        last = rules.players - 1
        self._holes = [
            f":{'|' * position}{''.join(deal.holes[position])}{'|' * (last - position)}".encode()
            for position in positions
        ]
        ends = list(accumulate(rules.board, initial=0))
        rounds = ["".join(deal.board[a:b]) for a, b in pairwise(ends)]
        self._boards = [f"{text}\r\n".encode() for text in accumulate(rounds, "{}/{}".format)]

    def lines(self, node: BettingNode) -> list[bytes]:
        """The line of every seat."""
        text = node.text
        if node.showdown:
            cards = [cards_text(self.deal, node.betting, place) for place in self.positions]
            return [
                b"%s%s:%s\r\n" % (head, text, shown.encode())
                for head, shown in zip(self._heads, cards, strict=True)
            ]
        board = self._boards[node.round]
        return [
            head + text + hole + board for head, hole in zip(self._heads, self._holes, strict=True)
        ]


class Clocks:
    """Seconds used by the seats of a match."""

    def __init__(self, limits: Limits, *, hands: int, seats: int) -> None:
        self.response_s = limits.response_ms / 1000
        self.hand_s = limits.hand_ms / 1000
        self.match_s = limits.per_hand_ms / 1000 * hands
        self.in_hand = [0.0] * seats
        self.in_match = [0.0] * seats

    def begin_hand(self) -> None:
        """Reset the time per hand."""
        self.in_hand = [0.0] * len(self.in_hand)

    def left(self, seat: int) -> float:
        """Seconds left for an answer in time."""
        return min(
            self.response_s, self.hand_s - self.in_hand[seat], self.match_s - self.in_match[seat]
        )

    def spend(self, seat: int, seconds: float) -> None:
        """Record a line that took this many seconds."""
        self.in_hand[seat] += seconds
        self.in_match[seat] += seconds


TELL_TIME = 100  # hands between notes about the time used
# Per match: a client that floods us must not flood our notes. All of them fit into a pipe that
# nobody reads, so they cannot block us either.
MOST_WARNINGS = 100
NOBODY = -1


class End(Enum):
    """Why a match is over."""

    FINISHED = "all hands were played"
    NOT_STARTED = "not every seat sent its version"
    FAILED = "a seat failed"


class Dealer:
    """One match from the first handshake to the score."""

    def __init__(
        self,
        match: Fixture,
        *,
        forfeit: bool = False,  # a failed seat folds from then on; otherwise the match ends
        quiet: bool = True,  # no notes about what is sent and received
        score: Score | None = None,  # of the hands played before this dealer began
    ) -> None:
        seats = range(len(match.names))
        self.match, self.forfeit, self.quiet = match, forfeit, quiet
        self.score = score or Score(match.rules.players, rotate=match.rotate)
        self.out: list[list[bytes]] = [[] for _ in seats]
        self.log: list[str] = []
        self.notes: list[bytes] = []
        self.end: End | None = None
        self.why = ""  # a sentence, if a seat failed
        self.gone = [False for _ in seats]
        self.waiting, self.deadline = NOBODY, 0.0
        self.clocks = Clocks(match.limits, hands=match.hands or 0, seats=len(seats))
        self._inbox = [Lines() for _ in seats]
        self._nodes = BettingNodes(match.rules)
        self._started = False
        self._asked, self._asked_at = b"", 0.0
        self._warnings = 0
        dealt = match.dealt(self.score.hands)
        # Drawing the first cards takes a moment: not while clients wait for them.
        self._dealt: Iterator[tuple[Deal, Order]] = chain([next(dealt)], dealt)

    # --- events

    def begin(self, now: float, *, start_s: float) -> None:
        """Wait for the versions of all seats, up to `start_s`."""
        self.waiting, self.deadline = 0, now + start_s

    def receive(self, seat: int, data: bytes, now: float) -> None:
        """Bytes came from a seat; they are kept for later unless it is to act."""
        inbox = self._inbox[seat]
        if seat == self.waiting and self._asked and not inbox and data.startswith(self._asked):
            # The usual answer: the line that was sent, and an action.
            said = data[len(self._asked) :]
            after = self._node.replies.get(said)
            if after is not None or (said[:1] == b":" and said.find(b"\n") == len(said) - 1):
                if not self.quiet:
                    self._note_line(data, now)
                if self._in_time(now):
                    self._play(after or self._after(said[: LONGEST - len(self._asked)]), now)
                data = b""
        if data:
            inbox.add(data)
        if self._inbox[self.waiting]:
            self._read(now)

    def hang_up(self, seat: int, now: float, why: str = "hung up") -> None:
        """The connection of a seat is gone."""
        if self.end is None and not self.gone[seat]:
            self._fail(seat, why, now)

    def late(self, now: float) -> None:
        """The deadline has passed."""
        if self.end is None and self.waiting != NOBODY:
            self._fail(self.waiting, "took too long", now)

    @property
    def automatic(self) -> bool:
        """Whether the match can continue without asking anybody."""
        return self.end is None and (self.waiting == NOBODY or self.gone[self.waiting])

    def proceed(self, now: float) -> None:
        """Act for a seat that is gone: fold, or check if there is nothing to fold to."""
        if not self.automatic:
            return
        node = self._node
        self._play(node if node.over else self._nodes.act(node, "f" if node.fold else "c"), now)
        self._read(now)

    # --- lines

    def _read(self, now: float) -> None:
        while self.end is None and not self.automatic:
            line = self._inbox[self.waiting].take()
            if line is None:
                return
            if self._started:
                self._reply(line, now)
            else:
                self._version(line, now)

    def _version(self, line: bytes, now: float) -> None:
        version = read_version(line)
        if version is None:
            self._fail(self.waiting, f"sent {_shown(line)}, expected VERSION:2.0.0", now)
            return
        if version[0] != VERSION[0] or version[1] > VERSION[1]:
            spoken = ".".join(map(str, version))
            self._note(f"ERROR: seat {self.waiting + 1} speaks {spoken}, this dealer speaks 2.0.0")
        self.waiting += 1
        if self.waiting == len(self.out):
            self._started = True
            if not self.quiet:
                self._note(f"STARTED at {now:.6f}")
            self._deal(now)

    def _reply(self, line: bytes, now: float) -> None:
        if is_comment(line):
            return
        self._note_line(line, now)
        if not self._in_time(now):
            return
        heard = read_reply(line, self._state(), self.match.rules)
        if isinstance(heard, Refused):
            self._warn(f"{heard.value}: {_shown(line)}")
            self.deadline = self._asked_at + self.clocks.left(self.waiting)
        else:
            self._play(self._after(heard), now)

    def _after(self, said: bytes) -> BettingNode:
        """The node after an action; `said` is what follows the state in an answer."""
        node, said = self._node, said.rstrip(END)
        no_limit = self.match.rules.raises is None
        action = read_action(said, fold=node.fold, raises=node.raises, no_limit=no_limit)
        if said != b":" + action.encode():
            self._warn(f"{_shown(said)} counts as {action}")
        return self._nodes.act(node, action)

    def _state(self) -> MatchState:
        """The state that was last sent to the seat to act."""
        return read_state(self._asked)

    def _in_time(self, now: float) -> bool:
        spent = now - self._asked_at
        self.clocks.spend(self.waiting, spent)
        if now <= self.deadline:
            return True
        used = self.clocks.in_hand[self.waiting]
        why = f"answered after {spent:.3f} s, which was too late: {used:.3f} s used in this hand"
        self._fail(self.waiting, why, now)
        return False

    # --- hands

    def _deal(self, now: float) -> None:
        """Begin the next hand."""
        number = self.score.hands
        self._deal_of_hand, self._order = next(self._dealt)
        self._seats, positions, _ = self.match.seating(number)
        self._views = Views(self.match.rules, self._deal_of_hand, number, positions)
        self.clocks.begin_hand()
        self._node = self._nodes.begin()
        if self._node.over:
            self.waiting = NOBODY  # the blinds took everybody's stack: `proceed` continues
        else:
            self._play(self._node, now)

    def _play(self, node: BettingNode, now: float) -> None:
        """The betting has reached this node: send it to all seats, and see what follows."""
        self._node = node
        lines = self._views.lines(node)
        for waiting, line, gone in zip(self.out, lines, self.gone, strict=True):
            if not gone:
                waiting.append(line)
        if not self.quiet:
            self._note_told(lines, now)
        if node.over:
            self._finish_hand(now)
        else:
            self.waiting = self._seats[node.actor]
            self._asked, self._asked_at = lines[self.waiting][:-2], now
            self.deadline = now + self.clocks.left(self.waiting)

    def _finish_hand(self, now: float) -> None:
        score, match = self.score, self.match
        hand = match.record(score.hands, self._deal_of_hand, self._order, self._node.betting)
        score.add(hand)
        self.log.append(write_hand(hand) + "\n")
        if not self.quiet and score.hands % TELL_TIME == 0:
            for seat, used in enumerate(self.clocks.in_match):
                self._note(f"Seconds cumulatively spent in match for seat {seat}: {int(used)}")
        if match.hands is None or score.hands < match.hands:
            self._deal(now)
            return
        self.waiting, self._asked, self.end = NOBODY, b"", End.FINISHED
        self.log.append(match.score_line(score.totals()))
        if not self.quiet:
            self._note(f"FINISHED at {now:.6f}")

    def _fail(self, seat: int, why: str, now: float) -> None:
        self.why = f"seat {seat + 1} ({self.match.names[seat]}) {why}"
        self.gone[seat] = True
        if self._started and self.forfeit and not all(self.gone):
            self._note(f"ERROR: {self.why}; it folds from hand {self.score.hands} on")
            return
        self._note(f"ERROR: {self.why}")
        self.end = End.FAILED if self._started else End.NOT_STARTED
        self.waiting, self._asked = NOBODY, b""

    # --- notes

    def _note(self, text: str) -> None:
        self.notes.append(text.encode("utf-8", "backslashreplace") + b"\n")

    def _note_told(self, lines: list[bytes], now: float) -> None:
        for seat, line in enumerate(lines):
            if not self.gone[seat]:
                self.notes.append(b"TO %d at %.6f %s" % (seat + 1, now, line))

    def _note_line(self, line: bytes, now: float) -> None:
        if not self.quiet:
            said = _printable(line)
            self.notes.append(b"FROM %d at %.6f %s" % (self.waiting + 1, now, said))

    def _warn(self, text: str) -> None:
        self._warnings += 1
        if self._warnings <= MOST_WARNINGS:
            where = f"hand {self.score.hands}, asked {_shown(self._asked)}"
            self._note(f"WARNING: seat {self.waiting + 1}, {where}: {text}")
        if self._warnings == MOST_WARNINGS:
            self._note("WARNING: further warnings are not shown")


def _printable(line: bytes) -> bytes:
    """A line without control characters; its end stays."""
    body = line.rstrip(b"\r\n")
    if body.isascii() and body.decode().isprintable():
        return line
    return _escaped(body).encode() + line[len(body) :]


def _shown(line: bytes, most: int = 80) -> str:
    body = line.rstrip(b"\r\n")
    return f"'{_escaped(body[:most])}{'…' if len(body) > most else ''}'"


def _escaped(body: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}" for byte in body)
