"""Maps of hands as folders: a description and memory-mapped tables, one file per round.

A round is `flop.npy` (its labels), `flop-pairs.npy` if it remembers, and `flop.json`, which is
written last: a round without it is not finished. `about.json` makes the map whole.

Descriptions have a checksum of their own. In the first format they had none: the digest of a round,
which covers its tables and its number of buckets, is then computed again."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._deal_rules import ROUNDS, DealRules
from regretless.abstraction._hand_map import NO_PAIRS, NONE, HandMap, RoundMap
from regretless.cards.hand_index import HandIndex
from regretless.core.errors import BadFile, BadInput, BadParameter, shown
from regretless.core.files import checksum, locked, write_array, write_atomically
from regretless.games._betting import Ranking

FORMAT = "regretless hand map 2"
WITHOUT_CHECK = "regretless hand map 1"
ABOUT, WORK = "about.json", "work"


def write(path: str | Path, given: HandMap) -> None:
    """Save all rounds of a map."""
    place = map_folder(path)
    with locked(place):
        begin(place)
        for name, one in zip(given.deal.rounds, given.rounds, strict=True):
            write_round(place, name, one, {})
        finish(place, given)


def map_folder(path: str | Path) -> Path:
    """The folder of a map, which may exist already."""
    if not isinstance(path, str | Path) or not str(path).strip() or "\0" in str(path):
        raise BadParameter(f"{shown(path)} is not a folder name")
    place = Path(path)
    if place.exists() and not place.is_dir():
        raise BadFile(place, "is a file: must be the folder of a map")
    if place.is_dir() and any(place.iterdir()) and not _looks_like_a_map(place):
        raise BadFile(place, "is a folder with other files: must be a new folder or a map")
    if not place.parent.is_dir():
        raise BadFile(place, f"no such directory: {place.parent}")
    return place


def _looks_like_a_map(place: Path) -> bool:
    """Whether the folder has a description of a map, or only unfinished work."""
    if {path.name for path in place.iterdir()} == {WORK}:
        return True
    for name in (ABOUT, *(f"{name}.json" for name in ROUNDS)):
        with suppress(BadFile):
            _described(place / name)
            return True
    return False


def begin(place: Path) -> None:
    """Make the folder; until `finish` it is not a whole map."""
    try:
        place.mkdir(exist_ok=True)
        (place / WORK).mkdir(exist_ok=True)
        (place / ABOUT).unlink(missing_ok=True)
    except OSError as error:
        raise BadFile(place, f"cannot be written: {error.strerror}") from None


def finish(place: Path, whole: HandMap) -> None:
    """Make the map whole."""
    from importlib.metadata import version

    about = {"format": FORMAT, "version": version("regretless"), **whole.facts()}
    _describe(place / ABOUT, about)
    work = place / WORK
    if work.is_dir() and not any(work.iterdir()):
        work.rmdir()


def write_round(place: Path, name: str, one: RoundMap, recipe: Mapping[str, Any]) -> None:
    """Save a finished round and how it was made."""
    (place / f"{name}.json").unlink(missing_ok=True)
    tables = {}
    for key, table in (("", one.labels), ("-pairs", one.pairs)):
        target = place / f"{name}{key}.npy"
        if table.size:
            write_array(target, table)
            tables[target.name] = checksum(target)
        else:
            target.unlink(missing_ok=True)
    about = {
        "format": FORMAT,
        "count": one.count,
        "dealt": list(one.index.rounds),
        "digest": one.digest,
        "checksums": tables,
        "recipe": dict(recipe),
    }
    _describe(place / f"{name}.json", about)


def load_hand_map(path: str | Path) -> HandMap:
    """A saved map; its tables stay on disk until they are used."""
    place = Path(path)
    if not place.is_dir():
        raise BadFile(place, "no such map: must be a folder made by `regretless abstract`")
    if not (place / ABOUT).exists() and (place / WORK).exists():
        raise BadFile(place, "is not finished: repeat the command that makes it")
    about = _described(place / ABOUT)
    deal = _deal(place / ABOUT, about.get("deal"))
    rounds = tuple(read_round(place, name, deal)[0] for name in deal.rounds)
    try:
        map = HandMap(deal, rounds, str(about.get("by", "")))
    except BadInput as error:
        raise BadFile(place, str(error)) from None
    if about.get("fingerprint") != map.fingerprint:
        raise BadFile(place, "its rounds belong to different maps: rebuild it")
    return map


def read_round(place: Path, name: str, deal: DealRules) -> tuple[RoundMap, dict[str, Any]]:
    """A finished round and how it was made."""
    path = place / f"{name}.json"
    about = _described(path)
    count, dealt, digest = (about.get(key) for key in ("count", "dealt", "digest"))
    sums, recipe = about.get("checksums"), about.get("recipe")
    if (
        not (isinstance(count, int) and isinstance(digest, str) and digest)
        or not isinstance(sums, dict)
        or not isinstance(recipe, dict)
    ):
        raise BadFile(path, "damaged: must have count, dealt, digest, checksums and recipe")
    try:
        index = HandIndex(tuple(dealt or ()), deal.ranks, deal.suits)
        labels, pairs = (
            _table(place / f"{name}{key}.npy", sums, empty)
            for key, empty in (("", NONE), ("-pairs", NO_PAIRS))
        )
        one = RoundMap(index, count, labels, pairs, "" if about["format"] != FORMAT else digest)
    except BadFile:
        raise
    except (BadInput, TypeError) as error:
        raise BadFile(path, str(error)) from None
    if one.digest != digest:
        raise BadFile(path, "damaged: its digest is not that of its tables: rebuild the map")
    return one, recipe


def _table(path: Path, sums: dict[str, Any], empty: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if path.name not in sums:
        return empty
    try:
        sound = path.stat().st_size > 0 and checksum(path) == sums[path.name]
        table: npt.NDArray[Any] = np.load(path, mmap_mode="r") if sound else empty
    except FileNotFoundError:
        raise BadFile(path, "missing: rebuild the map") from None
    except (OSError, ValueError, EOFError, SyntaxError):
        raise BadFile(path, "invalid table; rebuild the map") from None
    if not sound:
        raise BadFile(path, "truncated or damaged: rebuild the map")
    kinds = (np.uint16, np.int32) if empty.ndim == 1 else (np.int32,)
    if table.ndim != empty.ndim or table.dtype not in kinds or not table.flags.c_contiguous:
        raise BadFile(path, f"holds {table.dtype} of shape {table.shape}: from another version")
    return table


def _describe(path: Path, about: Mapping[str, Any]) -> None:
    whole = {**about, "check": _check_of(about)}
    write_atomically(path, (json.dumps(whole, indent=1) + "\n").encode())


def _check_of(about: Mapping[str, Any]) -> int:
    """CRC-32 of a description."""
    rest = {key: value for key, value in about.items() if key != "check"}
    return zlib.crc32(json.dumps(rest, sort_keys=True).encode())


def _described(path: Path) -> dict[str, Any]:
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if path.name != ABOUT and (path.parent / ABOUT).exists():
            raise BadFile(path, "missing: rebuild the map") from None
        raise BadFile(path.parent, f"is not a map of hands: {path.name} is missing") from None
    except OSError as error:
        raise BadFile(path, f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise BadFile(path, "not JSON: rebuild the map") from None
    got = about.get("format") if isinstance(about, dict) else None
    if got not in (FORMAT, WITHOUT_CHECK):
        raise BadFile(path, f"format is {shown(got)}, must be {FORMAT!r}: rebuild the map")
    assert isinstance(about, dict)
    if (got == FORMAT or "check" in about) and about.get("check") != _check_of(about):
        raise BadFile(path, "damaged: its checksum is wrong: rebuild the map")
    return about


def _deal(path: Path, given: Any) -> DealRules:
    try:
        board = tuple(int(count) for count in given["board"])
        ranks, suits, hole = (int(given[key]) for key in ("ranks", "suits", "hole"))
        return DealRules(ranks, suits, hole, board, Ranking(given["ranking"]))
    except (KeyError, TypeError, ValueError, BadParameter) as error:
        raise BadFile(path, f"damaged, invalid deal: {shown(error)}") from None
