"""Continuous games as TOML files, with their models."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regretless.continuous.game import ContinuousGame, End, Showdown, continuous_game, leaves
from regretless.continuous.model import parametric_model
from regretless.core.errors import BadFile, BadInput, UnknownName, shown
from regretless.core.files import read_text

KEYS = ("name", "wins", "signals", "ends", "models")
SHOWDOWN = {"best", "otherwise"}


@dataclass(frozen=True)
class ModelledGame:
    """A game and models of its equilibria, as texts; some of them may be wrong."""

    game: ContinuousGame
    models: tuple[str, ...]

    def to_toml(self) -> str:
        """The text of a file that `load_continuous` reads."""
        game = self.game
        signals = [
            [[float(place), float(share)] for place, share in zip(d.places, d.shares, strict=True)]
            for d in game.distributions
        ]
        lines = [
            f"name = {json.dumps(game.name)}",
            f'wins = "{"lower" if game.lower_wins else "higher"}"  # signal, at a showdown',
            f"signals = {signals}  # per player: [signal, share of signals up to it]",
            "models = [",
            *(f"    {json.dumps(model)}," for model in self.models),
            "]",
            "",
            "[ends]",
            *(f"{json.dumps(end.line)} = {_payoffs(end)}" for end in leaves(game.root)),
        ]
        return "\n".join([*lines, ""])


def load_continuous(path: str | Path) -> ModelledGame:
    """The game and the models in a TOML file."""
    text = read_text(path, "a continuous game")
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadFile(path, f"not TOML: {error or 'nested too deeply'}") from None
    try:
        return _read(table)
    except BadInput as error:
        raise BadFile(path, str(error)) from None


def _read(table: dict[str, Any]) -> ModelledGame:
    for key in table:
        if key not in KEYS:
            raise UnknownName("key", key, KEYS)
    for key in ("signals", "ends"):
        if key not in table:
            raise BadInput(f"{key} is missing")
    if not isinstance(table["ends"], dict):
        raise BadInput(f"ends={shown(table['ends'])}: must be a table, line → payoffs")
    ends = {line: _end(line, given) for line, given in table["ends"].items()}
    game = continuous_game(
        table["signals"],
        ends,
        wins=table.get("wins", "higher"),
        name=str(table.get("name", "continuous game")),
    )
    models = table.get("models", [])
    if not isinstance(models, list) or not all(isinstance(model, str) for model in models):
        raise BadInput(f"models={shown(models)}: must be a list of texts")
    for number, model in enumerate(models, start=1):
        try:
            parametric_model(model, game)
        except BadInput as error:
            raise BadInput(f"{error} (of model {number})") from None
    return ModelledGame(game, tuple(models))


def _end(line: str, given: Any) -> Any:
    if not isinstance(given, dict):
        return given
    if set(given) != SHOWDOWN:
        raise BadInput(f"end {line!r}: must have the keys best and otherwise, not {shown(given)}")
    return Showdown(given["best"], given["otherwise"])


def _payoffs(end: End) -> str:
    if not end.contenders:
        return str(list(end.best))
    return f"{{ best = {list(end.best)}, otherwise = {list(end.otherwise)} }}"
