"""Blueprints on disk: one safetensors file with 16 bits per number.

Tensors: `round_1.player_1`, … are the tables, `state.*` is what training needs to continue. The
description names the game, the map of hands with its fingerprint, and how it was made. The map is
a folder of its own and is not copied."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.abstraction._hand_map_files import load_hand_map
from regretless.blueprints.blueprint import Blueprint, require_suitable
from regretless.core import array_files
from regretless.core.array_files import Arrays, Kind
from regretless.core.errors import BadFile, BadInput, WrongGame
from regretless.games._betting import PokerRules
from regretless.games._betting_tree import BettingTree
from regretless.games._catalog import load, named_in
from regretless.games._state import Game
from regretless.strategy.compact import BLUEPRINT, is_blueprint

KIND = Kind(
    "blueprint",
    (BLUEPRINT,),
    needed={"game": str, "sequences": int, "map": dict, "method": str, "iterations": int},
)
Map = str | Path | HandMap
__all__ = ["Map", "is_blueprint", "load_blueprint", "opened", "save_blueprint"]


def save_blueprint(
    path: str | Path, blueprint: Blueprint, state: Mapping[str, np.ndarray] | None = None
) -> None:
    """Write the tables, the description, and the state of training if it is to continue."""
    tensors = {
        f"round_{round + 1}.player_{player + 1}": table
        for round, two in enumerate(blueprint.tables)
        for player, table in enumerate(two)
    }
    tensors |= {f"state.{name}": vector for name, vector in (state or {}).items()}
    array_files.write(path, tensors, blueprint.about, format=BLUEPRINT)


def load_blueprint(
    path: str | Path, *, map: Map | None = None, game: str | Game | None = None
) -> Blueprint:
    """A saved blueprint; `map` is needed if its folder has moved, `game` if its file has."""
    arrays = opened(path)
    about = arrays.about
    named = named_in(path, about["game"]) if game is None else game
    rules = (load(named) if isinstance(named, str) else named).rules
    if not isinstance(rules, PokerRules):
        raise WrongGame(f"{path}: game {about['game']} is not a poker game")
    require_suitable(rules)
    tree = BettingTree(rules)
    if tree.sequences != about["sequences"]:
        raise WrongGame(
            f"{path}: made for {about['sequences']:,} betting sequences, the game "
            f"{about['game']} has {tree.sequences:,}"
        )
    hand_map = _map(path, about, map)
    tables = [
        tuple(arrays.whole(f"round_{round + 1}.player_{player + 1}") for player in (0, 1))
        for round in range(rules.rounds)
    ]
    try:
        return Blueprint(tree, hand_map, tuple((first, second) for first, second in tables), about)
    except BadInput as error:
        raise BadFile(path, f"damaged: {error}") from None


def opened(path: str | Path) -> Arrays:
    """A file with its description; its arrays are not read yet."""
    return Arrays(path, KIND)


def _map(path: str | Path, about: Mapping[str, Any], given: Map | None) -> HandMap:
    """The map that the blueprint was made with."""
    made = about["map"]
    if isinstance(given, HandMap):
        hand_map = given
    else:
        places = [Path(given)] if given else _places(path, made)
        if not places:
            named = made.get("path")
            where = f"neither at {named} nor beside the file: move it there" if named else "unknown"
            raise BadFile(path, f"its map {made.get('by')} is {where}, or name it in Python")
        hand_map = load_hand_map(places[0])
    if hand_map.fingerprint != made.get("fingerprint"):
        raise WrongGame(f"{path}: made with another map, {made.get('by')}")
    return hand_map


def _places(path: str | Path, made: Mapping[str, Any]) -> list[Path]:
    """Where the map may be: as it was named, or beside the strategy."""
    named = made.get("path")
    if not isinstance(named, str):
        return []
    return [p for p in (Path(named), Path(path).parent / Path(named).name) if p.is_dir()]
