"""The log of a match: written while it is played, continued after it was killed.

Lines are those of the ACPC dealer. Comments at the top name everything that the hands depend on,
so a log can only be continued by its own match; only the number of hands may differ, so a match
can be extended. Every existing hand is compared with what the seed deals and the rules pay. The
file is locked while it is open."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import IO, NoReturn, Self

from regretless.core.errors import BadFile, BadInput, IllegalMove
from regretless.core.file_locks import lock
from regretless.core.files import require_writable
from regretless.play.fixture import Fixture
from regretless.play.histories.acpc_log import write_hand
from regretless.play.records import Hand
from regretless.play.score import Score

FLUSH_S = 0.25  # at most this much is lost when a match is killed
KEPT = 50_000  # bettings that are cached while a log is checked
_HANDS = re.compile(rb"(# name/game/hands/seed .* )([0-9]+)( [0-9]+\n)")


class MatchLog:
    """A log; it is not changed before `begin`."""

    def __init__(self, path: Path, fixture: Fixture, *, resume: bool = False) -> None:
        require_writable(path)
        if resume and not path.is_file():
            raise BadFile(path, "no such file: there is no match to continue")
        self.path, self.fixture = path, fixture
        self.score = Score(
            fixture.rules.players, rotate=fixture.rotate, duplicate=fixture.duplicate
        )
        self.complete = False  # the log already has a score
        self._stream = self._opened()
        try:
            if not resume and os.fstat(self._stream.fileno()).st_size:
                raise BadFile(path, "exists: continue it, or choose another name")
            self._told = self._header() if resume else b""  # the header of the file
        except BaseException:
            self._stream.close()
            raise
        self._kept = len(self._told)  # bytes
        self._flushed = time.monotonic()

    def hands(self) -> Iterator[Hand]:
        """The hands in the log; they are counted in `score`."""
        if not self._told:
            return
        checking = _Checking(self.fixture, self.path)
        score, line = "", self._told.count(b"\n")
        self._stream.seek(self._kept)
        for raw in self._stream:
            line += 1
            if not raw.endswith(b"\n"):
                break  # killed while it wrote this
            try:
                text = raw.decode()
            except UnicodeDecodeError as error:
                raise BadFile(self.path, "not a log: not a text file") from error
            if score:
                raise BadFile(self.path, f"got {text.rstrip()!r} after the score", line=line)
            if text.startswith("SCORE:"):
                score = text
                continue
            hand = checking.hand(self.score.hands, text, line)
            self.score.add(hand)
            self._kept += len(raw)
            yield hand
        self._judge(score, line)

    def take_up(self) -> None:
        """Count the hands in the log, and get ready for the next."""
        for _ in self.hands():
            pass
        self.begin()

    def begin(self) -> None:
        """Remove an unfinished line and update the header; `write` may follow."""
        header = self.fixture.header().encode()
        try:
            if not self._told:
                self._stream.truncate(0)
                self._stream.seek(0)
                self._stream.write(header)
            elif self._told != header:
                self._replace(header)
            elif not self.complete:
                self._stream.truncate(self._kept)
            self._stream.seek(0, os.SEEK_END)
        except OSError as error:
            raise self._unwritable(error) from None
        if self.score.hands == self.fixture.hands and not self.complete:
            self.finish(self.score)
        self.flush()

    def write(self, text: str) -> None:
        """Append whole lines; they are on the disk soon after."""
        try:
            self._stream.write(text.encode())
        except OSError as error:
            raise self._unwritable(error) from None
        if time.monotonic() - self._flushed > FLUSH_S:
            self.flush()

    def finish(self, score: Score) -> None:
        """Write the score, unless it is there: the match is complete."""
        if not self.complete:
            self.write(self.fixture.score_line(score.totals()))
            self.complete = True

    def flush(self) -> None:
        """Flush all lines to the file."""
        try:
            self._stream.flush()
        except OSError as error:
            raise self._unwritable(error) from None
        self._flushed = time.monotonic()

    def close(self) -> None:
        """Close the file and release the lock."""
        with suppress(OSError):  # `write` has reported it
            self._stream.close()

    def __enter__(self) -> Self:
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

    def _opened(self) -> IO[bytes]:
        try:
            # Not "w": an existing file is truncated to the part that is kept.
            stream = self.path.open("a+b" if not self.path.exists() else "r+b")
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            lock(stream, self.path)
        except BaseException:
            stream.close()
            raise
        return stream

    def _header(self) -> bytes:
        """The header of the file, if it is that of this match; empty if it is incomplete."""
        self._stream.seek(0)
        expected = self.fixture.header().encode().splitlines(keepends=True)
        header = b""
        for number, needed in enumerate(expected, start=1):
            got = self._stream.readline()
            if not got.endswith(b"\n"):
                self._require_header(got, needed, number)
                return b""  # killed while it wrote this
            if _HANDS.sub(rb"\1\3", got) != _HANDS.sub(rb"\1\3", needed):
                self._refuse(got, needed, number)
            header += got
        return header

    def _require_header(self, got: bytes, needed: bytes, number: int) -> None:
        """Refuse an incomplete line that does not begin a header: this is some other file."""
        if not needed.startswith(got) and not got.startswith(b"# name/game/hands/seed"):
            self._refuse(got, needed, number)

    def _judge(self, score: str, line: int) -> None:
        """Check an existing score against the hands before it."""
        most, hands = self.fixture.hands, self.score.hands
        if most is not None and hands > most:
            raise BadInput(f"{self.path}: has {hands} hands, must be at most {most}")
        if not score:
            return
        needed = self.fixture.score_line(self.score.totals())
        if score != needed:
            problem = f"got {score.rstrip()!r}, expected {needed.rstrip()!r}"
            raise BadFile(self.path, problem, line=line, column=1)
        told = _HANDS.match(self._told)
        if told is not None and int(told[2]) != hands:
            raise BadFile(self.path, f"got the score after {hands} of {int(told[2])} hands")
        self.complete = hands == most

    def _replace(self, header: bytes) -> None:
        """Replace the header; the new file is locked before it takes the place of the old one."""
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        fresh = os.fdopen(handle, "r+b")
        try:
            lock(fresh, self.path)
            fresh.write(header)
            self._stream.seek(len(self._told))
            left = self._kept - len(self._told)
            while left and (part := self._stream.read(min(left, 1 << 20))):
                fresh.write(part)
                left -= len(part)
            fresh.flush()
            os.fsync(fresh.fileno())
            Path(name).chmod(self.path.stat().st_mode & 0o777)
            Path(name).replace(self.path)
        except BaseException:
            fresh.close()
            Path(name).unlink(missing_ok=True)
            raise
        self._stream.close()
        self._stream = fresh

    def _unwritable(self, error: OSError) -> BadFile:
        return BadFile(self.path, f"cannot be written: {error.strerror}")

    def _refuse(self, line: bytes, expected: bytes, number: int) -> NoReturn:
        got, needed = (text.decode(errors="replace").strip() for text in (line[:200], expected))
        problem = f"belongs to another match: got {got!r}, expected {needed!r}"
        raise BadFile(self.path, problem, line=number, column=1)


class _Checking:
    """Compares the hands of a log with what the match must have written."""

    def __init__(self, fixture: Fixture, path: Path) -> None:
        self.fixture, self.path = fixture, path
        self._dealt = fixture.dealt(0)
        self._replay = lru_cache(maxsize=KEPT)(fixture.rules.replay)

    def hand(self, number: int, text: str, line: int) -> Hand:
        """The hand of a line, if it is the expected one."""
        fields = text.split(":")
        if fields[0] == "STATE" and fields[1:2] != [str(number)]:
            problem = f"got hand {fields[1]}, expected hand {number}"
            raise BadFile(self.path, problem, line=line, column=1)
        try:
            betting = self._replay("".join(fields[2:3]))
            hand = self.fixture.record(number, *next(self._dealt), betting)
        except IllegalMove as error:
            problem = str(error).replace("hand 0", f"hand {number}", 1)
            if not problem.startswith("hand"):
                problem = f"hand {number}: {problem}"
            raise BadFile(self.path, problem, line=line, column=1) from error
        needed = write_hand(hand) + "\n"
        if text != needed:
            problem = f"got {text.rstrip()!r}, expected {needed.rstrip()!r}"
            raise BadFile(self.path, problem, line=line, column=1)
        return hand
