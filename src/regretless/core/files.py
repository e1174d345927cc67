"""Files that are never half-written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from regretless.core.errors import BadFile


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write beside the file, flush to the disk, then take its place."""
    write_with(path, lambda beside: beside.write_bytes(content))


def write_with(path: str | Path, write: Callable[[Path], object]) -> None:
    """The same, for what is written piece by piece."""
    target = Path(path)
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
        raise BadFile(path, f"cannot be written: {error.strerror}") from None
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    _flush_folder(target.parent)


def require_writable(path: str | Path) -> None:
    """Refuse a place that cannot be written before any work is done."""
    target = Path(path)
    if target.is_dir():
        raise BadFile(path, "is a directory: a file name is needed")
    if not target.parent.is_dir():
        raise BadFile(path, f"no such directory: {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise BadFile(path, f"directory {target.parent} cannot be written")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _flush_folder(folder: Path) -> None:
    # Without this the new name may be lost with the power, though not the content.
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
