"""The dealer on sockets: listens, reads from the seat to act, sends, writes the log.

Only the seat to act is read from, so what others send waits in their connections and takes no
memory here. Sending never blocks: a seat that leaves a megabyte unread counts as having hung
up."""

from __future__ import annotations

import contextlib
import selectors
import socket
import time
from collections.abc import Callable, Sequence

from regretless.core.errors import BadFile, BadParameter, within
from regretless.interfaces.acpc.dealer import Dealer, End
from regretless.play.match_log import MatchLog

RECEIVED = 1 << 16  # bytes read at a time
MOST_UNSENT = 1 << 20
HOLD_S = 0.001  # delay allowed for seats that are not to act
RETRY_S = 0.01  # between attempts to send what a connection did not take
CLOSING_S = 1.0  # for sending what is left when the match is over


def listen(host: str, ports: Sequence[int]) -> list[socket.socket]:
    """A listening socket for every seat; port 0 is any free one."""
    listeners: list[socket.socket] = []
    for port in ports:
        within("port", port, 0, 65535)
        try:
            listeners.append(socket.create_server((host, port), backlog=4))
        except OSError as error:
            for listener in listeners:
                listener.close()
            raise BadParameter(f"cannot listen on {host}:{port}: {error.strerror}") from error
    return listeners


class Connection:
    """One seat's connection; sends what it can and keeps the rest."""

    def __init__(self, connected: socket.socket) -> None:
        connected.setblocking(False)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = connected
        self.unsent = bytearray()
        self._readable = selectors.DefaultSelector()
        self._readable.register(connected, selectors.EVENT_READ)

    def send(self, data: bytes) -> None:
        """Send what the network takes now; OSError if the connection is gone."""
        if not self.unsent:
            try:
                sent = self.socket.send(data)
            except BlockingIOError:
                sent = 0
            if sent == len(data):
                return
            data = data[sent:]
        self.unsent += data
        if len(self.unsent) > MOST_UNSENT:
            raise ConnectionError("does not read what it is sent")

    def send_rest(self) -> None:
        """Try again with what is left."""
        if self.unsent:
            with contextlib.suppress(BlockingIOError):
                del self.unsent[: self.socket.send(self.unsent)]

    def receive(self, seconds: float) -> bytes | None:
        """Received bytes, waiting up to this long: None if there are none, empty at the end."""
        if not self._readable.select(seconds):
            return None
        try:
            return self.socket.recv(RECEIVED)
        except BlockingIOError:
            return None

    def finish(self, deadline: float) -> None:
        """Close cleanly; what still arrives is discarded.

        Closing with unread bytes would revoke lines that the other side has not read."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)
            while (left := deadline - time.monotonic()) > 0 and self.receive(left) != b"":
                pass
        self.close()

    def close(self) -> None:
        """Close at once."""
        self._readable.close()
        self.socket.close()


class Server:
    """Drives a dealer until its match is over."""

    def __init__(
        self,
        dealer: Dealer,
        log: MatchLog,
        *,
        tell: Callable[[bytes], object] = len,  # notes for people
        listen: Callable[[int], object] = abs,  # hands played so far
    ) -> None:
        self.dealer, self.log, self.tell, self.listen = dealer, log, tell, listen
        self.seats: dict[int, Connection] = {}
        # The time of day, without jumps.
        self._offset = time.time() - time.monotonic()
        self._held_since = 0.0  # monotonic time of the last line that was sent to everybody
        self._reason = ""

    def now(self) -> float:
        """Seconds."""
        return time.monotonic() + self._offset

    def run(self, listeners: Sequence[socket.socket], *, start_s: float) -> End:
        """Play the match with the clients that connect, all within `start_s`."""
        dealer, begun = self.dealer, self.now()
        try:
            dealer.begin(begun, start_s=start_s)
            self._accept(listeners, begun + start_s)
            while dealer.end is None:
                self._step()
            return dealer.end
        finally:
            for listener in listeners:
                listener.close()
            self._close()

    def _accept(self, listeners: Sequence[socket.socket], deadline: float) -> None:
        for seat, listener in enumerate(listeners):
            listener.settimeout(max(deadline - self.now(), 0.001))
            try:
                connected, _ = listener.accept()
            except TimeoutError:
                self.dealer.hang_up(seat, self.now(), "did not connect in time")
                return
            listener.close()
            self.seats[seat] = Connection(connected)

    def _step(self) -> None:
        """Wait for the next event, pass it to the dealer, and send what follows."""
        dealer, now = self.dealer, self.now()
        if dealer.automatic:
            dealer.proceed(now)
        elif now >= dealer.deadline:
            dealer.late(now)
        else:
            seat, data = dealer.waiting, self._receive(dealer.deadline - now)
            if data:
                dealer.receive(seat, data, self.now())
                self._deliver(only=dealer.waiting)
                return
            if data is not None:
                dealer.hang_up(seat, self.now(), self._reason)
        self._deliver()

    def _receive(self, seconds: float) -> bytes | None:
        """Bytes from the seat to act: None if there are none, empty if it has hung up."""
        if any(each.unsent for each in self.seats.values()):
            seconds = min(seconds, RETRY_S)
        connection, self._reason = self.seats[self.dealer.waiting], "hung up"
        try:
            # After a fast answer, seats that only watch need not be woken for every line.
            data = connection.receive(min(seconds, HOLD_S))
            if data is None and seconds > HOLD_S:
                self._deliver()
                data = connection.receive(seconds - HOLD_S)
        except OSError as error:
            self._reason, data = f"hung up: {error.strerror or error}", b""
        return data

    def _deliver(self, *, only: int | None = None) -> None:
        """Log first, then send: nobody has seen a hand that could be lost."""
        dealer = self.dealer
        if dealer.log:
            lines, dealer.log = dealer.log, []
            try:
                self.log.write("".join(lines))
                self.log.flush()
            except BadFile:
                dealer.out = [[] for _ in dealer.out]
                raise
            self.listen(dealer.score.hands)
        now = time.monotonic()
        if only in self.seats and now < self._held_since + HOLD_S and dealer.end is None:
            self._send(only)
        else:
            for seat in tuple(self.seats):
                self._send(seat)
            self._held_since = now
        if dealer.notes:
            notes, dealer.notes = dealer.notes, []
            self.tell(b"".join(notes))

    def _send(self, seat: int) -> None:
        connection, lines = self.seats[seat], self.dealer.out[seat]
        try:
            if connection.unsent:
                connection.send_rest()
            if lines:
                self.dealer.out[seat] = []
                connection.send(lines[0] if len(lines) == 1 else b"".join(lines))
        except OSError as error:
            self.dealer.hang_up(seat, self.now(), f"hung up: {error.strerror or error}")
            connection.unsent.clear()
        if self.dealer.gone[seat]:
            self.seats.pop(seat).close()

    def _close(self) -> None:
        """Send what is left, then close: this is how clients learn that the match is over."""
        deadline = time.monotonic() + CLOSING_S
        self._deliver()
        while any(each.unsent for each in self.seats.values()) and time.monotonic() < deadline:
            time.sleep(RETRY_S)
            self._deliver()
        for connection in self.seats.values():
            connection.finish(deadline)
        self.log.close()
