"""The log of a match: written while it is played, and taken up again after it was killed.

Lines are those of the ACPC dealer. Comments at the top say all that the hands depend on, so
that a log is only continued by the match that it belongs to."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

from regretless.core.errors import BadFile
from regretless.core.files import require_writable
from regretless.play.histories.acpc_log import read_log, write_hand, write_score
from regretless.play.records import Hand

FLUSH_S = 0.25  # no more than this is lost when a match is killed


class MatchLog:
    """A log; nothing in it is changed before it is entered."""

    def __init__(self, path: Path, header: str, *, resume: bool = False) -> None:
        require_writable(path)
        if not resume and path.exists() and path.stat().st_size:
            raise BadFile(path, "exists: go on with it by --resume, or choose another name")
        self.path, self.header = path, header
        self._kept = self._found() if resume else 0  # bytes

    def hands(self) -> Iterator[Hand]:
        """The hands that are there already."""
        for count, hand in enumerate(read_log(self._lines(), name=str(self.path))):
            if hand.number != count:
                raise BadFile(self.path, f"got hand {hand.number} where hand {count} was due")
            yield hand

    def __enter__(self) -> Self:
        try:
            # Not "w": a file that is there is cut to what is kept of it.
            self._stream = self.path.open("a", encoding="utf-8", newline="\n")
            self._stream.truncate(self._kept)
        except OSError as error:
            raise self._unwritable(error) from None
        if not self._kept:
            self._write(self.header)
        self.flush()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._stream.close()
        except OSError as failed:
            if error is None:
                raise self._unwritable(failed) from None

    def write(self, hand: Hand) -> None:
        """Add a hand; it is on the disk soon after."""
        self._write(write_hand(hand))
        if time.monotonic() - self._flushed > FLUSH_S:
            self.flush()

    def finish(self, totals: Sequence[float], names: Sequence[str]) -> None:
        """Write the last line: the match is complete."""
        self._write(write_score(totals, names))

    def flush(self) -> None:
        """Bring all lines to the file."""
        try:
            self._stream.flush()
        except OSError as error:
            raise self._unwritable(error) from None
        self._flushed = time.monotonic()

    def _write(self, line: str) -> None:
        try:
            self._stream.write(line + "\n")
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> BadFile:
        return BadFile(self.path, f"cannot be written: {error.strerror}")

    def _lines(self) -> Iterator[str]:
        left = self._kept
        if left:
            with self.path.open("rb") as stream:
                while left > 0 and (line := stream.readline()):
                    left -= len(line)
                    yield line.decode(errors="backslashreplace")

    def _found(self) -> int:
        """Bytes of the file to keep: whole lines of this match, without its score."""
        if not self.path.is_file():
            raise BadFile(self.path, "no such file: there is no match to go on with")
        expected = (self.header + "\n").encode().splitlines(keepends=True)
        kept = 0
        with self.path.open("rb") as stream:
            for number, line in enumerate(stream):
                if not line.endswith(b"\n") or line.startswith(b"SCORE:"):
                    break
                if number < len(expected) and line != expected[number]:
                    self._refuse(line, expected[number], number + 1)
                kept += len(line)
        # A header that was cut is written anew.
        return kept if kept >= sum(map(len, expected)) else 0

    def _refuse(self, line: bytes, expected: bytes, number: int) -> NoReturn:
        got, needed = (text.decode(errors="replace").strip() for text in (line, expected))
        problem = f"belongs to another match: got {got!r}, needed is {needed!r}"
        raise BadFile(self.path, problem, line=number, column=1)
