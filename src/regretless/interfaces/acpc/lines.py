"""Bytes of one connection, cut into lines, in bounded memory.

At most `LONGEST` bytes of a line are kept, and at most `MOST_KEPT` bytes of lines not yet
read. The rest is dropped up to the next line end."""

from __future__ import annotations

from regretless.interfaces.acpc.protocol import LONGEST

MOST_KEPT = 1 << 17


class Lines:
    """Bytes that were received but not yet taken."""

    __slots__ = ("_kept", "_skipping")

    def __init__(self) -> None:
        self._kept = bytearray()
        self._skipping = False  # the rest of a line that was too long is still to come

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, data: bytes) -> None:
        """Append what was received."""
        if self._skipping:
            end = data.find(b"\n")
            if end < 0:
                return
            data, self._skipping = data[end:], False
        self._kept += data
        begun = self._kept.rfind(b"\n") + 1  # a line whose end has not arrived yet
        most = min(begun + LONGEST, MOST_KEPT)
        if len(self._kept) > most:
            del self._kept[most:]
            self._skipping = True

    def take(self) -> bytes | None:
        """The next line with its end; None if there is no complete one."""
        end = self._kept.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._kept[: min(end, LONGEST)]) + b"\n"
        del self._kept[: end + 1]
        return line
