"""Strategies on disk: safetensors, with a JSON text that says what they are.

Tensors: `player_1`, `player_2`, … hold the probability of every sequence's last action;
`state.*` is what the solver needs to go on. Strategies of spots are written in 16 bits, with
what single decisions are found by (`index.*`), what actions earn (`values_1`, `values_2`), the
text of the spot and checksums. Nothing in a file is ever executed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open

from regretless.core.errors import BadFile, BadInput, WrongGame
from regretless.core.files import write_with
from regretless.forms.form import Form, own
from regretless.strategy import compact
from regretless.strategy.strategy import Strategy

FORMAT = "regretless strategy 1"
COMPACT = "regretless strategy 2"
HEAD = 200  # bytes of a file in which its format is named
NEEDED = {"game": str, "fingerprint": str, "method": str}


@dataclass(frozen=True)
class Saved:
    """The content of a strategy file, before it is tied to a game."""

    path: Path
    about: dict[str, Any]
    behaviours: tuple[np.ndarray, ...]
    state: dict[str, np.ndarray]

    @property
    def is_compact(self) -> bool:
        """Whether probabilities are whole numbers of 16 bits."""
        return all(part.dtype == np.uint16 for part in self.behaviours)

    def strategy(self, form: Form) -> Strategy:
        """The strategy, if it belongs to this form."""
        if self.about["fingerprint"] != form.fingerprint():
            raise WrongGame(
                f"{self.path}: made for game {self.about['game']}, does not fit game {form.spec}"
            )
        shapes = [behaviour.shape for behaviour in self.behaviours]
        if shapes != [(size,) for size in form.sizes.sequences]:
            raise BadFile(self.path, f"damaged: has {len(shapes)} players of sizes {shapes}")
        try:
            if self.is_compact:
                return Strategy(form, compact.unpacked(form, self.behaviours))
            strategy = Strategy(form, np.concatenate(self.behaviours))
            strategy.check()
        except BadInput as error:
            raise BadFile(self.path, f"damaged: {error}") from None
        return strategy


def write(
    path: str | Path,
    strategy: Strategy,
    about: Mapping[str, Any],
    state: Mapping[str, np.ndarray] | None = None,
) -> None:
    """Save a strategy, what is known about it, and the state of its solver."""
    form = strategy.form
    tensors = {
        f"player_{i + 1}": np.ascontiguousarray(strategy.behaviour[own(form, i)])
        for i in range(form.players)
    }
    tensors |= {f"state.{name}": vector for name, vector in (state or {}).items()}
    told = {**about, "game": form.spec, "fingerprint": form.fingerprint()}
    metadata = {"format": FORMAT, "about": json.dumps(told, allow_nan=False)}
    write_with(path, lambda beside: _save(tensors, beside, metadata))


def write_compact(
    path: str | Path,
    form: Form,
    numbers: Sequence[np.ndarray],
    about: Mapping[str, Any],
    more: Mapping[str, np.ndarray],
) -> None:
    """Save probabilities of 16 bits, and other arrays beside them."""
    tensors = {f"player_{i + 1}": part for i, part in enumerate(numbers)} | dict(more)
    told = {**about, "game": form.spec, "fingerprint": form.fingerprint()}
    metadata = {"format": COMPACT, "about": json.dumps(told, allow_nan=False)}
    write_with(path, lambda beside: compact.save(beside, tensors, metadata))


def open_compact(path: str | Path) -> tuple[dict[str, Any], compact.Arrays] | None:
    """What a file with 16 bits per number says of itself, and its arrays; None for others."""
    if not is_compact(path):
        return None
    arrays = compact.Arrays(path)
    return _about(path, arrays.metadata), arrays


def is_compact(path: str | Path) -> bool:
    """Whether a file has 16 bits per number: its beginning says so."""
    try:
        with Path(path).open("rb") as stream:
            return COMPACT.encode() in stream.read(HEAD)
    except OSError:
        return False


def _save(tensors: Mapping[str, np.ndarray], path: Path, metadata: Mapping[str, str]) -> None:
    """Write safetensors piece by piece: the library would copy all tensors into one text."""
    header: dict[str, object] = {"__metadata__": metadata}
    end = 0
    # The widest numbers stand first, so that all are aligned.
    tensors = dict(sorted(tensors.items(), key=lambda item: -item[1].itemsize))
    for name, tensor in tensors.items():
        start, end = end, end + tensor.nbytes
        kind = {"float32": "F32", "float64": "F64", "uint8": "U8", "uint64": "U64"}[
            str(tensor.dtype)
        ]
        header[name] = {"dtype": kind, "shape": tensor.shape, "data_offsets": [start, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # tensors are aligned
    with path.open("wb") as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        for tensor in tensors.values():
            stream.write(np.ascontiguousarray(tensor).data)


def read(path: str | Path) -> Saved:
    """Load a strategy file; what is damaged, cut short or foreign is refused."""
    opened = open_compact(path)
    if opened is not None:
        return _read_compact(path, *opened)
    if not Path(path).is_file():
        raise BadFile(path, "is a directory" if Path(path).is_dir() else "no such file")
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError, TypeError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadFile(path, f"not a strategy file, or damaged: {reason}") from None
    about = _about(path, metadata)
    count = sum(name.startswith("player_") for name in tensors)
    try:
        behaviours = tuple(tensors[f"player_{i + 1}"] for i in range(count))
    except KeyError as error:
        raise BadFile(path, f"damaged: tensor {error} is missing") from None
    state = {
        name.removeprefix("state."): tensor
        for name, tensor in tensors.items()
        if name.startswith("state.")
    }
    return Saved(Path(path), about, behaviours, state)


def _read_compact(path: str | Path, about: dict[str, Any], arrays: compact.Arrays) -> Saved:
    count = sum(name.startswith("player_") for name in arrays.names)
    behaviours = tuple(arrays.whole(f"player_{i + 1}") for i in range(count))
    state = {
        name.removeprefix("state."): arrays.whole(name).copy()
        for name in arrays.names
        if name.startswith("state.")
    }
    return Saved(Path(path), about, behaviours, state)


def _about(path: str | Path, metadata: Mapping[str, str]) -> dict[str, Any]:
    if metadata.get("format") not in (FORMAT, COMPACT):
        got = metadata.get("format", "none")
        raise BadFile(path, f"not a strategy file: format is {got!r}, needed is {FORMAT!r}")
    try:
        about = json.loads(metadata.get("about", ""))
    except ValueError:
        raise BadFile(path, "damaged: its description is not JSON") from None
    for key, kind in NEEDED.items():
        if not isinstance(about, dict) or not isinstance(about.get(key), kind):
            raise BadFile(path, f"damaged: its description has no {key}")
    return dict(about)
