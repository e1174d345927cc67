"""An agent at the table of any ACPC dealer.

`Player` knows the protocol but no sockets: bytes from the dealer go in, replies come out.
`play` connects one to a dealer and lets it play until the dealer closes the connection."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import NamedTuple

from regretless.core.counts import counted
from regretless.core.errors import BadInput, IllegalMove
from regretless.games._betting import PokerRules
from regretless.interfaces.acpc.betting_nodes import BettingNode, BettingNodes
from regretless.interfaces.acpc.lines import Lines
from regretless.interfaces.acpc.protocol import is_comment, read_state, write_version
from regretless.play.agents import _saved
from regretless.play.agents._agent import Agent
from regretless.play.deals import NAMES, Deal
from regretless.play.records import Hand
from regretless.play.showdown import Order, order_of, settled
from regretless.play.table import View
from regretless.strategy.strategy import Strategy

RECEIVED = 1 << 16  # bytes read at a time
OWN, OTHERS = "self", "other"  # player names: the protocol sends none


_DECK = frozenset(NAMES)


class Tally(NamedTuple):
    """What a client has done."""

    hands: int
    actions: int


class Player:
    """Answers for one seat."""

    def __init__(self, rules: PokerRules, agent: Agent) -> None:
        self.rules, self.agent = rules, agent
        self.hands = self.actions = 0
        self._nodes = BettingNodes(rules)
        self._inbox = Lines()
        self._seen = b""  # cards of the last state in which we acted, and their parsed form
        self._hole: tuple[str, ...] = ()
        self._board: tuple[str, ...] = ()
        # Most agents ignore finished hands; for those none are assembled.
        self._listens = agent.learns

    @property
    def tally(self) -> Tally:
        return Tally(self.hands, self.actions)

    def receive(self, data: bytes) -> bytes:
        """The reply to bytes from the dealer; usually empty."""
        if not self._inbox and data.endswith(b"\n"):
            return b"".join([self._reply(line) for line in data.splitlines() if line])
        self._inbox.add(data)
        replies = []
        while (line := self._inbox.take()) is not None:
            replies.append(self._reply(line.rstrip(b"\r\n")))
        return b"".join(replies)

    def _reply(self, line: bytes) -> bytes:
        if is_comment(line) or not line:
            return b""
        try:
            _, position, _, betting, cards = line.split(b":")
            node = self._nodes.find(betting)
        except (ValueError, IllegalMove) as error:
            raise self._misfit(line, error) from error
        if node.over:
            self._finish(line, node)
        elif node.acting == position:
            return self._act(line, node, cards)
        return b""

    def _act(self, line: bytes, node: BettingNode, cards: bytes) -> bytes:
        if cards != self._seen:
            holes, self._board = self._cards(line, node, cards)
            self._hole, self._seen = holes[node.actor], cards
        action = self.agent.act(
            View(node.actor, int(line.split(b":")[2]), node.betting, self._hole, self._board)
        )
        self._nodes.act(node, action)  # rejects an illegal action before it is sent
        self.actions += 1
        return b"%s:%s\r\n" % (line, action.encode())

    def _finish(self, line: bytes, node: BettingNode) -> None:
        self.hands += 1
        self._nodes.begin()
        if self._listens:
            self.agent.saw(self._record(line, node), read_state(line).position)

    def _record(self, line: bytes, node: BettingNode) -> Hand:
        """The finished hand, as far as it was visible."""
        state, folded = read_state(line), node.betting.folded
        order: Order = ()
        if node.showdown:
            holes, board = self._cards(line, node, state.cards.encode())
            # Folded hands take no part in the showdown, but need some cards.
            some = next(hole for hole, gone in zip(holes, folded, strict=True) if not gone)
            shown = tuple(some if gone else hole for hole, gone in zip(holes, folded, strict=True))
            order = order_of(self.rules, Deal(shown, board))
        names = [OTHERS] * self.rules.players
        names[state.position] = OWN
        payoffs = settled(node.betting, order)
        return Hand(state.hand, state.betting, state.cards, payoffs, tuple(names))

    def _cards(
        self, line: bytes, node: BettingNode, cards: bytes
    ) -> tuple[list[tuple[str, ...]], tuple[str, ...]]:
        """Hole cards by position, and the board."""
        rules = self.rules
        front, *boards = cards.decode("ascii", "replace").split("/")
        if glued := 2 * rules.board[0]:
            # Board cards of the first round follow the last hole cards without a mark.
            front, boards = front[:-glued], [front[-glued:], *boards]
        holes, board = [_split(text) for text in front.split("|")], _split("".join(boards))
        if (
            len(holes) != rules.players
            or any(hole and len(hole) != rules.hole for hole in holes)
            or len(board) != sum(rules.board[: node.round + 1])
            or not (node.over or holes[node.actor])
            or not _DECK.issuperset(board)
            or not _DECK.issuperset(holes[node.actor])
        ):
            raise self._misfit(line, f"cards {cards!r} are not dealt in it")
        return holes, board

    def _misfit(self, line: bytes, problem: object) -> BadInput:
        read_state(line)
        shown = line[:80].decode("ascii", "backslashreplace")
        return BadInput(f"the dealer plays another game: {shown!r}: {problem}")


def play(
    rules: PokerRules,
    agent: Agent,
    host: str,
    port: int,
    *,
    listen: Callable[[Tally], object] | None = None,
) -> Tally:
    """Play until the dealer ends the match. `listen` receives the progress now and then."""
    player = Player(rules, agent)
    agent.prepare()
    replies = write_version()
    with _reached(host, port) as connection:
        while True:
            # Only here: an OSError of the agent is not one of the connection.
            try:
                connection.sendall(replies)
                data = connection.recv(RECEIVED)
            except OSError as error:
                raise _unreached(host, port, player.hands, error) from error
            if not data:
                return player.tally
            replies = player.receive(data)
            if listen is not None:
                listen(player.tally)


def _reached(host: str, port: int) -> socket.socket:
    try:
        connection = socket.create_connection((host, port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except (OSError, OverflowError, UnicodeError) as error:
        raise _unreached(host, port, 0, error) from error
    return connection


def _unreached(host: str, port: int, hands: int, error: Exception) -> BadInput:
    reason = getattr(error, "strerror", None) or str(error)
    after = f" after {counted(hands, 'hand')}" if hands else ""
    return BadInput(f"no dealer at {host}:{port}{after}: {reason.lower()}")


def connect(host: str, port: int, agent: Agent | Strategy) -> Tally:
    """Play at any ACPC dealer until it ends the match, with an agent or a strategy."""
    if isinstance(agent, Strategy):
        agent = _saved.Agent(_saved.game_of(agent), strategy=agent)
    return play(agent.rules, agent, host, port)


def _split(cards: str) -> tuple[str, ...]:
    return tuple([cards[i : i + 2] for i in range(0, len(cards), 2)])
