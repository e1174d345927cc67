"""Files of named arrays with a JSON description: strategies and blueprints.

They have the layout of safetensors and can be read in part. Their metadata hold a checksum
(CRC-32) per mebibyte, so that damage is detected without reading the whole file, or one of
everything (SHA-256). Nothing in a file is ever executed."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from regretless.core.errors import BadFile, BadInput
from regretless.core.files import require_readable, write_with

HEAD = 200  # the first bytes of a file, which name its format
PIECE = 2**20  # bytes that share a checksum
LONGEST_HEADER = 2**26
DTYPES = {
    "F32": np.float32,
    "F64": np.float64,
    "BOOL": np.bool_,
    "U8": np.uint8,
    "I16": np.int16,
    "U16": np.uint16,
    "U32": np.uint32,
    "U64": np.uint64,
    "I32": np.int32,
    "I64": np.int64,
}
KINDS = {np.dtype(kind).name: name for name, kind in DTYPES.items()}


class Kind(NamedTuple):
    """A kind of file: its formats, the newest first, and what its description must have."""

    name: str
    formats: tuple[str, ...]
    needed: Mapping[str, type]
    unchecked: tuple[str, ...] = ()  # formats without checksums


def write(
    path: str | Path,
    tensors: Mapping[str, np.ndarray],
    about: Mapping[str, Any],
    *,
    format: str,
    in_pieces: bool = True,
) -> None:
    """Write arrays and their description, with a checksum per piece or one of everything."""
    # The widest numbers first: so all arrays are aligned.
    ordered = sorted(tensors.items(), key=lambda item: -item[1].itemsize)
    arrays = {name: np.ascontiguousarray(tensor) for name, tensor in ordered}
    metadata = {"format": format, "about": json.dumps(about, allow_nan=False)}
    entries = _entries(arrays)
    if in_pieces:
        metadata["checks"] = json.dumps({name: _checks(array) for name, array in arrays.items()})
        metadata["header_check"] = str(_check_of(metadata, entries))
    else:
        metadata["sha256"] = _digest(arrays, metadata["about"])
    text = json.dumps({"__metadata__": metadata, **entries}).encode()
    text += b" " * (-len(text) % 8)

    def write_to(beside: Path) -> None:
        # Array by array: the library would copy all of them into one string.
        with beside.open("wb") as stream:
            stream.write(len(text).to_bytes(8, "little") + text)
            for array in arrays.values():
                stream.write(array.data)

    write_with(path, write_to)


def has_format(path: str | Path, format: str) -> bool:
    """Whether a file has this format, according to its first bytes."""
    try:
        with require_readable(path).open("rb") as stream:
            return format.encode() in stream.read(HEAD)
    except (OSError, BadInput):
        return False


class Arrays:
    """The arrays of a file, opened but not read, and its description."""

    def __init__(self, path: str | Path, kind: Kind) -> None:
        self.path = require_readable(path)
        try:
            with self.path.open("rb") as stream:
                length = int.from_bytes(stream.read(8), "little")
                if not 2 <= length <= min(LONGEST_HEADER, self.path.stat().st_size):
                    raise ValueError("no header")
                header = json.loads(stream.read(length))
            metadata: dict[str, str] = header.pop("__metadata__", {})
            self.format = metadata.get("format", "none")
        except (OSError, ValueError, OverflowError, AttributeError, TypeError) as error:
            raise BadFile(path, f"not a {kind.name}, or damaged: {error}") from None
        if self.format not in kind.formats:
            wanted = f"format is {self.format!r}, must be {kind.formats[0]!r}"
            raise BadFile(path, f"not a {kind.name}: {wanted}")
        self._begin = 8 + length
        self._seen: set[tuple[str, int]] = set()
        try:
            self._entries = {name: _Entry.read(one) for name, one in header.items()}
            self._sums = json.loads(metadata["checks"]) if "checks" in metadata else None
            about = json.loads(metadata.get("about", ""))
        except (ValueError, OverflowError, LookupError, TypeError, AttributeError):
            raise BadFile(path, "damaged: its description is not JSON, or incomplete") from None
        for key, wanted_type in kind.needed.items():
            if not isinstance(about, dict) or not isinstance(about.get(key), wanted_type):
                raise BadFile(path, f"damaged: its description has no {key}")
        self.about: dict[str, Any] = about
        self._require_sound(metadata, header, kind)

    def _require_sound(
        self, metadata: dict[str, str], header: Mapping[str, object], kind: Kind
    ) -> None:
        has = self.path.stat().st_size
        size = self._begin + max((entry.end for entry in self._entries.values()), default=0)
        if has != size:
            raise BadFile(self.path, f"damaged: has {has} bytes instead of {size}")
        if "sha256" in metadata:
            arrays = {name: self.whole(name) for name in self.names}
            sound = metadata["sha256"] == _digest(arrays, metadata["about"])
        elif "header_check" in metadata:
            wanted = metadata.pop("header_check")
            sound = self._sums is not None and wanted == str(_check_of(metadata, header))
        else:
            sound = self.format in kind.unchecked
        if not sound:
            raise BadFile(self.path, "damaged: its checksum does not match its content")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._entries)

    def whole(self, name: str) -> np.ndarray:
        """A whole array, with its checksums verified."""
        if name not in self._entries:
            raise BadFile(self.path, f"damaged: tensor {name!r} is missing")
        entry = self._entries[name]
        return self.part(name, 0, prod(entry.shape)).reshape(entry.shape)

    def below(self, prefix: str) -> dict[str, np.ndarray]:
        """Copies of all arrays whose names begin so, by the rest of their names."""
        names = [name for name in self.names if name.startswith(prefix)]
        return {name.removeprefix(prefix): self.whole(name).copy() for name in names}

    def part(self, name: str, start: int, end: int) -> np.ndarray:
        """A slice of an array, with the checksums of the pieces it covers verified."""
        entry = self._entries[name]
        if not 0 <= start <= end <= prod(entry.shape):
            raise BadFile(self.path, f"damaged: entries {start} to {end} of {name} are missing")
        where = self._data[entry.begin : entry.end]
        low, high = start * entry.kind.itemsize, end * entry.kind.itemsize
        if self._sums is not None:
            sums = self._sums.get(name, [])
            for piece in range(low // PIECE, -(-high // PIECE)):
                self._verify(name, piece, where, sums)
        return where[low:high].view(entry.kind)

    def _verify(self, name: str, piece: int, data: np.ndarray, sums: list[int]) -> None:
        if (name, piece) in self._seen:
            return
        if piece >= len(sums) or sums[piece] != _crc(data[piece * PIECE : (piece + 1) * PIECE]):
            raise BadFile(self.path, f"damaged: a checksum of {name} is wrong")
        self._seen.add((name, piece))

    @cached_property
    def _data(self) -> np.ndarray:
        whole = np.memmap(self.path, np.uint8, mode="r")
        return np.asarray(whole)[self._begin :]


class _Entry(NamedTuple):
    """Where an array is, and what it is."""

    kind: np.dtype[Any]
    shape: tuple[int, ...]
    begin: int
    end: int

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> _Entry:
        kind, shape = np.dtype(DTYPES[entry["dtype"]]), tuple(map(int, entry["shape"]))
        begin, end = map(int, entry["data_offsets"])
        if min((*shape, begin)) < 0 or end - begin != prod(shape) * kind.itemsize:
            raise ValueError("an array has the wrong size")
        return cls(kind, shape, begin, end)


def _entries(arrays: Mapping[str, np.ndarray]) -> dict[str, object]:
    """The table of arrays, in the order of the file."""
    entries: dict[str, object] = {}
    end = 0
    for name, array in arrays.items():
        start, end = end, end + array.nbytes
        kind, shape = KINDS[str(array.dtype)], list(array.shape)
        entries[name] = {"dtype": kind, "shape": shape, "data_offsets": [start, end]}
    return entries


def _checks(array: np.ndarray) -> list[int]:
    data = array.reshape(-1).view(np.uint8) if array.size else np.empty(0, np.uint8)
    return [_crc(data[start : start + PIECE]) for start in range(0, data.size, PIECE)]


def _crc(data: np.ndarray) -> int:
    return zlib.crc32(np.ascontiguousarray(data).data)


def _check_of(metadata: Mapping[str, str], entries: Mapping[str, object]) -> int:
    """Checksum of the description and the table of arrays."""
    return zlib.crc32(json.dumps([metadata, entries], sort_keys=True).encode())


def _digest(arrays: Mapping[str, np.ndarray], about: str) -> str:
    """Of the description and of the name, type, shape and content of all arrays."""
    digest = hashlib.sha256(about.encode())
    for name, array in sorted(arrays.items()):
        digest.update(f"\0{name} {array.dtype.str} {array.shape}\0".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
