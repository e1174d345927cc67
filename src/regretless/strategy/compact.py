"""Probabilities in 16 bits, and array files that can be read in part.

Files use the safetensors layout. The metadata include a checksum (CRC-32) per mebibyte, so that
damage is detected without reading the whole file."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadFile, BadInput
from regretless.core.files import require_readable

if TYPE_CHECKING:
    from regretless.forms.form import Form

FORMAT = "regretless strategy 2"
COMPACT = "regretless strategy 3"
BLUEPRINT = "regretless blueprint 1"  # tables over buckets, see blueprints/files.py
WITHOUT_CHECKSUM = "regretless strategy 1"  # written by version 0.1
HEAD = 200  # the first bytes of a file, which name its format
NEEDED = {"game": str, "fingerprint": str, "method": str}
WHOLE = 65_535  # represents probability one
PIECE = 2**20  # bytes that share a checksum
LONGEST_HEADER = 2**26
DTYPES = {
    "F32": np.float32,
    "F64": np.float64,
    "U8": np.uint8,
    "I16": np.int16,
    "U16": np.uint16,
    "U64": np.uint64,
    "I32": np.int32,
    "I64": np.int64,
}
KINDS = {np.dtype(kind).name: name for name, kind in DTYPES.items()}
AT_ONCE = 2**22  # numbers packed at a time


def packed(form: Form, behaviour: Floats) -> tuple[np.ndarray, ...]:
    """Every player's probabilities in 16 bits."""
    found = []
    for player in range(form.players):
        mine = behaviour[own_part(form, player)]
        whole = np.empty(mine.size, np.uint16)
        for start in range(0, mine.size, AT_ONCE):
            part = slice(start, start + AT_ONCE)
            whole[part] = np.rint(np.clip(mine[part], 0, 1) * WHOLE)
        found.append(whole)
    return tuple(found)


def own_part(form: Form, player: int) -> slice:
    """The player's part of a vector of sequences; does not need the parents of sequences."""
    roots = form.blocks.roots
    return slice(int(roots[player]), int(roots[player + 1]))


def unpacked(form: Form, numbers: tuple[np.ndarray, ...]) -> Floats:
    """The behaviour, rescaled so that probabilities sum to one."""
    behaviour = np.concatenate(numbers).astype(form.real)
    plex = form.blocks
    for first, actions, lanes, _ in plex.blocks.tolist():
        rows = behaviour[first : first + actions * lanes].reshape(actions, lanes)
        rows[:] = normalised(rows)
    behaviour[plex.roots[:-1]] = 1.0
    return behaviour


def normalised(rows: np.ndarray) -> Floats:
    """[action, lane] whole numbers as probabilities; uniform if all of them are 0."""
    rows = rows.astype(np.float64)
    rows[:, rows.sum(axis=0) <= 0] = 1.0
    found: Floats = rows / rows.sum(axis=0)
    return found


def save(path: Path, tensors: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """Write arrays with a checksum per piece."""
    tensors = {name: np.ascontiguousarray(tensor) for name, tensor in _widest_first(tensors)}
    checks = {name: _checks(tensor) for name, tensor in tensors.items()}
    metadata = {**metadata, "checks": json.dumps(checks)}
    check = {"header_check": str(_check_of(metadata, _entries(tensors)))}
    write_arrays(path, tensors, metadata | check)


def write_arrays(
    path: Path, tensors: Mapping[str, np.ndarray], metadata: Mapping[str, str]
) -> None:
    """Write safetensors array by array: the library would copy all of them into one string."""
    tensors = dict(_widest_first(tensors))
    text = json.dumps({"__metadata__": metadata, **_entries(tensors)}).encode()
    text += b" " * (-len(text) % 8)  # arrays are aligned
    with path.open("wb") as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        for tensor in tensors.values():
            stream.write(np.ascontiguousarray(tensor).data)


def _widest_first(tensors: Mapping[str, np.ndarray]) -> list[tuple[str, np.ndarray]]:
    """In the order of the file: so all of them are aligned."""
    return sorted(tensors.items(), key=lambda item: -item[1].itemsize)


def _entries(tensors: Mapping[str, np.ndarray]) -> dict[str, object]:
    """The table of arrays, in the order of the file."""
    entries: dict[str, object] = {}
    end = 0
    for name, tensor in tensors.items():
        start, end = end, end + tensor.nbytes
        kind, shape = KINDS[str(tensor.dtype)], list(tensor.shape)
        entries[name] = {"dtype": kind, "shape": shape, "data_offsets": [start, end]}
    return entries


def _checks(tensor: np.ndarray) -> list[int]:
    data = tensor.reshape(-1).view(np.uint8) if tensor.size else np.empty(0, np.uint8)
    return [_crc(data[start : start + PIECE]) for start in range(0, data.size, PIECE)]


def _crc(data: np.ndarray) -> int:
    return zlib.crc32(np.ascontiguousarray(data).data)


def _check_of(metadata: Mapping[str, str], entries: Mapping[str, object]) -> int:
    """Checksum of the description and the table of arrays."""
    return zlib.crc32(json.dumps([metadata, entries], sort_keys=True).encode())


class Arrays:
    """The arrays of a file, opened but not read."""

    def __init__(self, path: str | Path) -> None:
        self.path = require_readable(path)
        try:
            with self.path.open("rb") as stream:
                length = int.from_bytes(stream.read(8), "little")
                if not 2 <= length <= min(LONGEST_HEADER, self.path.stat().st_size):
                    raise ValueError("no header")
                header = json.loads(stream.read(length))
            self.metadata: dict[str, str] = header.pop("__metadata__", {})
            self._entries: dict[str, Any] = header
            self._begin = 8 + length
            self._sums = json.loads(self.metadata.get("checks", "{}"))
            ends = [int(one["data_offsets"][1]) for one in header.values()]
            size = self._begin + max(ends, default=0)
        except (
            OSError,
            ValueError,
            OverflowError,
            LookupError,
            TypeError,
            AttributeError,
        ) as error:
            raise BadFile(path, f"not a strategy file, or damaged: {error}") from None
        wanted = self.metadata.pop("header_check", "")
        if str(_check_of(self.metadata, header)) != wanted:
            raise BadFile(path, "damaged: the checksum of its description is wrong")
        if self.path.stat().st_size != size:
            raise BadFile(path, f"damaged: has {self.path.stat().st_size} bytes instead of {size}")
        self._seen: set[tuple[str, int]] = set()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._entries)

    def size(self, name: str) -> int:
        """The number of entries of an array."""
        return int(np.prod(self._entries[name]["shape"], dtype=np.int64))

    def whole(self, name: str) -> np.ndarray:
        """A whole array, with its checksums verified."""
        if name not in self._entries:
            raise BadFile(self.path, f"damaged: tensor {name!r} is missing")
        return self.part(name, 0, self.size(name)).reshape(self._entries[name]["shape"])

    def part(self, name: str, start: int, end: int) -> np.ndarray:
        """A slice of an array, with the checksums of the pieces it covers verified."""
        entry = self._entries[name]
        try:
            kind = np.dtype(DTYPES[entry["dtype"]])
            begin, stop = map(int, entry["data_offsets"])
            if not 0 <= start <= end <= self.size(name) or stop - begin != (
                self.size(name) * kind.itemsize
            ):
                raise ValueError(f"entries {start} to {end} of {name} are out of range")
        except (KeyError, ValueError, TypeError) as error:
            raise BadFile(self.path, f"damaged: {error}") from None
        where = self._data[begin:stop]
        low, high = start * kind.itemsize, end * kind.itemsize
        for piece in range(low // PIECE, -(-high // PIECE)):
            self._verify(name, piece, where)
        return where[low:high].view(kind)

    def _verify(self, name: str, piece: int, data: np.ndarray) -> None:
        if (name, piece) in self._seen:
            return
        found = _crc(data[piece * PIECE : (piece + 1) * PIECE])
        sums = self._sums.get(name, [])
        if piece >= len(sums) or sums[piece] != found:
            raise BadFile(self.path, f"damaged: a checksum of {name} is wrong")
        self._seen.add((name, piece))

    @cached_property
    def _data(self) -> np.ndarray:
        whole = np.memmap(self.path, np.uint8, mode="r")
        return np.asarray(whole)[self._begin :]


def is_compact(path: str | Path) -> bool:
    """Whether a file has 16 bits per number, according to its first bytes."""
    return _names(path, COMPACT)


def is_blueprint(path: str | Path) -> bool:
    """Whether this is the file of a blueprint, according to its first bytes."""
    return _names(path, BLUEPRINT)


def _names(path: str | Path, format: str) -> bool:
    try:
        with require_readable(path).open("rb") as stream:
            return format.encode() in stream.read(HEAD)
    except (OSError, BadInput):
        return False


def open_compact(path: str | Path) -> tuple[dict[str, Any], Arrays] | None:
    """The description and arrays of a file with 16 bits per number; None for other files."""
    if not is_compact(path):
        return None
    arrays = Arrays(path)
    return about_of(path, arrays.metadata), arrays


def about_of(path: str | Path, metadata: Mapping[str, str]) -> dict[str, Any]:
    """The description in a strategy file."""
    if metadata.get("format") not in (FORMAT, COMPACT, WITHOUT_CHECKSUM):
        got = metadata.get("format", "none")
        raise BadFile(path, f"not a strategy file: format is {got!r}, must be {FORMAT!r}")
    try:
        about = json.loads(metadata.get("about", ""))
    except ValueError:
        raise BadFile(path, "damaged: its description is not JSON") from None
    for key, kind in NEEDED.items():
        if not isinstance(about, dict) or not isinstance(about.get(key), kind):
            raise BadFile(path, f"damaged: its description has no {key}")
    return dict(about)
