"""Files that are never half-written, never have two writers, never overwrite an input."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from regretless.core.errors import BadFile, BadParameter, shown
from regretless.core.file_locks import BUSY, is_free

if TYPE_CHECKING:
    import numpy.typing as npt


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write a temporary file, flush it to disk, then replace the target."""
    write_with(path, lambda beside: beside.write_bytes(content))


def write_with(path: str | Path, write: Callable[[Path], object]) -> None:
    """The same, for content that is written piece by piece."""
    require_writable(path)  # or a device would be replaced by a file
    target = Path(path).resolve()  # a link stays one
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise BadFile(path, f"cannot be written: {error.strerror}") from None
    try:
        os.close(handle)
        write(Path(name))
        with Path(name).open("rb+") as stream:
            os.fsync(stream.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        # NumPy names no reason if the disk takes only a part of an array.
        raise BadFile(path, f"cannot be written: {error.strerror or 'is the disk full?'}") from None
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _flush_folder(target.parent)


def write_array(path: str | Path, array: npt.NDArray[Any]) -> None:
    """The same, for an array in NumPy's format."""
    import numpy as np  # the command line imports this file before it catches Ctrl-C

    def save(beside: Path) -> None:
        with beside.open("wb") as stream:  # by name, NumPy would add its own suffix
            np.save(stream, array)

    write_with(path, save)


def checksum(path: Path) -> int:
    """CRC-32 of a file that is not empty."""
    import zlib

    import numpy as np

    return zlib.crc32(np.memmap(path, np.uint8, "r").data)


def require_readable(path: str | Path) -> Path:
    """The path of an existing file; anything else is refused."""
    mode = _mode(path)
    target = Path(path)
    if mode is None:
        raise BadFile(path, "no such file")
    if stat.S_ISDIR(mode):
        raise BadFile(path, "is a directory: must be a file")
    if not stat.S_ISREG(mode):  # opening a pipe might wait forever
        raise BadFile(path, "is a device or a pipe: must be a regular file")
    if not os.access(target, os.R_OK):
        raise BadFile(path, "cannot be read: Permission denied")
    return target


def is_file(path: str | Path) -> bool:
    """Whether there is such a file; False for names that no file can have."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: str | Path) -> bool:
    """Whether there is such a folder; False for names that none can have."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


@contextmanager
def reading(
    path: str | Path,
    what: str,
    *,
    encoding: str = "utf-8-sig",
    errors: str = "strict",
    newline: str | None = None,
) -> Iterator[TextIO]:
    """An open text file; `what` it should be is named if it is not a text."""
    target = require_readable(path)
    try:
        with target.open(encoding=encoding, errors=errors, newline=newline) as stream:
            yield stream
    except OSError as error:
        raise BadFile(path, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        problem = f"not {what}: byte {error.start + 1} is not UTF-8"
        raise BadFile(path, problem) from error


def read_text(path: str | Path, what: str) -> str:
    """The text of a file; `what` it should be is named if it is not a text."""
    with reading(path, what) as stream:
        return stream.read()


def require_writable(path: str | Path) -> None:
    """Refuse a place that cannot be written before any work is done."""
    mode = _mode(path)
    target = Path(path)
    if mode is not None and stat.S_ISDIR(mode):
        raise BadFile(path, "is a directory: must be a file name")
    if mode is not None and not stat.S_ISREG(mode):
        raise BadFile(path, "is a device or a pipe: only regular files are written")
    if not target.parent.is_dir():
        raise BadFile(path, f"no such directory: {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise BadFile(path, f"directory {target.parent} cannot be written")


def require_folder(path: str | Path) -> None:
    """Refuse what is not a directory and cannot become one."""
    mode = _mode(path)
    if mode is not None and not stat.S_ISDIR(mode):
        raise BadFile(path, "is a file: must be a directory")


def _mode(path: str | Path) -> int | None:
    """Kind and rights of a file, None if there is none; impossible names are refused."""
    if not isinstance(path, str | Path) or not str(path).strip():
        raise BadParameter(f"{shown(path)} is not a file name")
    try:
        return Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:  # too long, a null character, half a character, …
        reason = getattr(error, "strerror", None) or "it contains an impossible character"
        raise BadFile(path, f"is not a usable file name: {reason}") from None


def require_distinct(
    outputs: Mapping[str, str | Path | None], inputs: Mapping[str, str | Path | None]
) -> None:
    """Refuse an output that is also an input, or another output; both are given by name."""
    seen = {_place(path): name for name, path in inputs.items() if path is not None}
    for name, path in outputs.items():
        if path is None:
            continue
        place = _place(path)
        if place in seen:
            raise BadFile(path, f"is both {seen[place]} and {name}: name another file")
        seen[place] = name


def _place(path: str | Path) -> tuple[int, int] | str:
    """Equal for two names of one file."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return os.path.realpath(path)
    return status.st_dev, status.st_ino


@contextmanager
def locked(path: str | Path, *, wait: Callable[[], None] | None = None) -> Iterator[None]:
    """Lock the file against other writers; a killed process leaves no lock behind.

    If another run holds the lock, this is an error, or `wait` is called until it does not."""
    if sys.platform == "win32":  # pragma: no cover - the last writer wins, file by file
        yield
        return
    target = Path(path).resolve()
    beside = target.parent / f".{target.name}.lock"
    while True:
        try:
            handle = os.open(beside, os.O_CREAT | os.O_RDWR, 0o666)
        except OSError as error:
            raise BadFile(path, f"cannot be written: {error.strerror}") from None
        free = is_free(handle)
        # Its holder may have removed the file between the two calls: then it locks nothing.
        if free and beside.exists() and os.fstat(handle).st_ino == beside.stat().st_ino:
            break
        os.close(handle)
        if not free and wait is None:
            raise BadFile(path, BUSY)
        if not free and wait is not None:
            wait()
    try:
        yield
    finally:
        with suppress(OSError):
            beside.unlink()
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _flush_folder(folder: Path) -> None:
    # Without this a power failure may lose the new name, though not the content.
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
