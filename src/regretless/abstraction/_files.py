"""Abstractions as JSON, which can also be written by hand (docs/explanation/abstraction.md).

Every player has a map of `cards` (one object per round: cards to cell) or of `points` (label
to cell), and optionally `without` (label, or betting after a colon, to the actions left out); or
`null` for none. Cells are numbers or names of any kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._maps import CardMap, Deals, Map, PointMap, numbered
from regretless.core.errors import BadFile, BadInput, BadParameter, UnknownName, WrongGame, shown
from regretless.core.files import locked, read_text, require_writable, write_atomically
from regretless.forms.choice import FORMS, any_form, form_kind, form_of
from regretless.forms.form import Form
from regretless.games._catalog import named_in
from regretless.games._state import Game

FORMAT = "regretless abstraction 1"


def write(path: str | Path, abstraction: Abstraction) -> None:
    """Save an abstraction with its provenance."""
    from importlib.metadata import version

    require_writable(path)
    whole = {
        "format": FORMAT,
        "form": form_kind(abstraction.full),
        "fingerprint": abstraction.full.fingerprint(),
        "version": version("regretless"),
        **abstraction.facts(),
        "players": [
            _written(abstraction, player, mine) for player, mine in enumerate(abstraction.maps)
        ],
    }
    with locked(path):
        write_atomically(path, (json.dumps(whole, indent=1) + "\n").encode())


def _written(abstraction: Abstraction, player: int, mine: Map | None) -> dict[str, Any] | None:
    if mine is None:
        return None
    if isinstance(mine, CardMap):
        deals = abstraction.deals
        return {
            "cards": [
                dict(zip(deals.texts(player, round), mine.rows[round].tolist(), strict=True))
                for round in deals.rounds
            ]
        }
    points = list(abstraction.full.points(player))
    whole: dict[str, Any] = {
        "points": {p.label: int(c) for p, c in zip(points, mine.cells, strict=True)}
    }
    if mine.kept is not None:
        whole["without"] = {
            label: out
            for label, actions, sequences, _ in points
            if (out := [a for a, s in zip(actions, sequences, strict=True) if not mine.kept[s]])
        }
    return whole


def load_abstraction(
    path: str | Path, *, game: str | Game | Form | None = None, threads: int = 1
) -> Abstraction:
    """A saved or hand-written abstraction; `game` is needed if its name cannot be resolved."""
    about = _read(path)
    named = about["game"]
    kind = about.get("form", "auto")
    if game is None:
        form = _built(path, named_in(path, named), kind, threads)
    elif isinstance(game, str | Game):
        form = form_of(game, kind=kind, threads=threads)
    else:
        form = any_form(game)
    fingerprint = about.get("fingerprint")
    if (fingerprint or named) != (form.fingerprint() if fingerprint else form.spec):
        raise WrongGame(f"{path}: made for game {named}, does not fit game {form.spec}")
    if len(about["players"]) != form.players:
        raise BadFile(path, f"players: got {len(about['players'])}, {form.spec} has {form.players}")
    try:
        maps = tuple(_map(form, player, given) for player, given in enumerate(about["players"]))
    except BadInput as error:
        raise BadFile(path, str(error)) from None
    return Abstraction(form, maps, str(about.get("by", f"file {Path(path).name}")))


def _built(path: str | Path, game: str, kind: str, threads: int) -> Form:
    """The form of the game that a file names."""
    try:
        return form_of(game, kind=kind, threads=threads)
    except (BadParameter, UnknownName) as error:
        raise BadFile(path, str(error)) from None


def _read(path: str | Path) -> dict[str, Any]:
    try:
        about = json.loads(read_text(path, "JSON"))
    except (ValueError, RecursionError) as error:
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        reason = getattr(error, "msg", "nested too deeply")
        raise BadFile(path, f"not JSON: {reason}", line=line, column=column) from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        got = about.get("format") if isinstance(about, dict) else None
        raise BadFile(path, f"not an abstraction: format is {shown(got)}, must be {FORMAT!r}")
    if not isinstance(about.get("game"), str):
        raise BadFile(path, "has no game: must be a name such as 'leduc'")
    if about.get("form", "auto") not in FORMS:
        raise BadFile(path, f"form is {shown(about['form'])}, must be {', '.join(FORMS)}")
    if not isinstance(about.get("players"), list):
        raise BadFile(path, "has no players: must be a list with one map per player")
    return about


def _map(form: Form, player: int, given: Any) -> Map | None:
    who = f"map of player {player + 1}"
    if given is None:
        return None
    if not isinstance(given, dict) or not given.keys() <= {"cards", "points", "without"}:
        raise BadParameter(f"{who}: must be null or an object of cards, points and without")
    if "cards" in given and given.keys() != {"cards"}:
        raise BadParameter(f"{who}: cards cannot be combined with points or without")
    if "cards" in given:
        return _card_map(Deals(form), player, given["cards"], who)
    return _point_map(form, player, given, who)


def _card_map(deals: Deals, player: int, given: Any, who: str) -> CardMap:
    rounds = list(deals.rounds)
    if not isinstance(given, list) or len(given) != len(rounds):
        raise BadParameter(f"{who}: cards must be a list of {len(rounds)} rounds")
    keys: list[list[object]] = []
    for round, table in zip(rounds, given, strict=True):
        cells: list[object] = [None] * deals.count(player, round)
        for cards, cell in _table(table, f"{who}, round {round + 1}").items():
            there, lane = deals.find(player, cards)
            if there != round:
                raise BadParameter(f"{who}: {cards!r} belongs to round {there + 1}")
            if cells[lane] not in (None, cell):
                raise BadParameter(
                    f"{who}: {cards!r} is in cell {cell}, an equivalent hand in {cells[lane]}"
                )
            cells[lane] = cell
        if None in cells:
            missing = deals.texts(player, round)[cells.index(None)]
            raise BadParameter(f"{who}: {missing!r} has no cell")
        keys.append(cells)
    return deals.map_of(player, keys)


def _point_map(form: Form, player: int, given: Mapping[str, Any], who: str) -> PointMap:
    points = list(form.points(player))
    labels = {point.label for point in points}
    table = _table(given.get("points", {}), who)
    without = given.get("without", {})
    if not isinstance(without, dict):
        raise BadParameter(f"{who}: without must be an object of labels and lists of actions")
    for label in table:
        if label not in labels:
            raise BadParameter(f"{who}: no decision point {label!r} in {form.spec}")
    if table and len(table) < len(points):
        missing = next(point.label for point in points if point.label not in table)
        raise BadParameter(f"{who}: decision point {missing!r} has no cell")
    cells = [table.get(point.label, ("own", point.label)) for point in points]
    kept = np.ones(form.sizes.sequences[player], dtype=bool)
    used = set()
    for point in points:
        for key in (point.label, ":" + point.label.partition(":")[2]):
            if key not in without:
                continue
            used.add(key)
            for action in _actions(without[key], who):
                if action not in point.actions:
                    raise BadParameter(
                        f"{who}: no action {action!r} at {point.label!r}; expected one of "
                        f"{', '.join(point.actions)}"
                    )
                kept[point.sequences[point.actions.index(action)]] = False
    for key in without:
        if key not in used:
            raise BadParameter(f"{who}: no decision point {key!r} in {form.spec}")
    return PointMap(numbered(cells), None if kept.all() else kept)


def _table(given: Any, who: str) -> dict[str, int | str]:
    if not isinstance(given, dict):
        raise BadParameter(f"{who}: must be an object such as {{'K': 0, 'Q': 1}}")
    for key, cell in given.items():
        if isinstance(cell, bool) or not isinstance(cell, int | str):
            raise BadParameter(f"{who}: cell {shown(cell)} of {key!r} must be a number or a name")
    return given


def _actions(given: Any, who: str) -> list[str]:
    if not isinstance(given, list) or not all(isinstance(action, str) for action in given):
        raise BadParameter(f"{who}: without must list actions, such as ['bet']")
    return given
