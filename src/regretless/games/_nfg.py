"""Gambit's normal-form files (NFG version 1), with payoffs or with outcomes.

Both list the combinations of strategies with the first player's strategy moving
fastest: NumPy's Fortran order, the payoffs of all players side by side."""

from __future__ import annotations

from math import prod
from pathlib import Path

import numpy as np

from regretless.core.errors import Unsuitable
from regretless.core.files import read_text
from regretless.games._gambit import (
    Reader,
    distinct,
    number_text,
    player_list,
    quoted,
    quoted_list,
)
from regretless.games._normal_form import MOST_PLAYERS, NormalFormState, normal_form_game
from regretless.games._state import Game


def read_nfg(path: str | Path) -> Game:
    """The game in an .nfg file."""
    return parse_nfg(read_text(path, "an .nfg file"), path)


def parse_nfg(text: str, source: str | Path) -> Game:
    """The game in the text of an .nfg file; errors name `source`."""
    reader = Reader(text, source)
    title, players = reader.first_line("NFG", "1")
    if len(players) > MOST_PLAYERS:
        problem = f"{len(players)} players: expected at most {MOST_PLAYERS}"
        raise reader.error(problem, reader.token)
    counts, names = _strategies(reader, len(players))
    reader.maybe_string()  # a comment
    body = _by_outcome if reader.sees("{") else _by_payoff
    numbers = body(reader, len(players), prod(counts))
    reader.end()
    payoffs = np.array(numbers).reshape((len(players), *counts), order="F")
    return normal_form_game(str(source), payoffs, names, title or Path(source).name)


def _strategies(reader: Reader, players: int) -> tuple[list[int], list[tuple[str, ...]] | None]:
    """How many strategies each player has, and their names if the file gives them."""
    reader.mark("{", "before the strategies")
    if not reader.sees("{"):
        counts = [_count(reader, player) for player in range(players)]
        reader.mark("}", f"after the strategies of {players} players")
        return counts, None
    blocks = [reader.strings("a strategy") for _ in range(players)]
    reader.mark("}", f"after the strategies of {players} players")
    names = [distinct(block, range(1, len(block) + 1)) for block in blocks]
    return [len(block) for block in blocks], names


def _count(reader: Reader, player: int) -> int:
    at = reader.token
    count = reader.whole(f"the number of strategies of player {player + 1}")
    if count < 1:
        raise reader.error(f"{count} strategies: expected 1 or more", at)
    return count


def _by_payoff(reader: Reader, players: int, combinations: int) -> list[float]:
    numbers: list[float] = []
    while len(numbers) < players * combinations:
        combination = len(numbers) // players + 1
        where = f" of combination {combination} of {combinations}"
        numbers.extend(reader.payoffs(players, where))
    return numbers


def _by_outcome(reader: Reader, players: int, combinations: int) -> list[float]:
    outcomes = [(0.0,) * players]  # number 0 means no outcome
    reader.mark("{", "before the outcomes")
    while not reader.sees("}"):
        reader.mark("{", "before an outcome")
        reader.string("the name of an outcome")
        outcomes.append(reader.payoffs(players))
        reader.mark("}", f"after {players} payoffs")
    reader.take()
    numbers: list[float] = []
    while len(numbers) < players * combinations:
        at = reader.token
        outcome = reader.whole("the number of an outcome")
        if not 0 <= outcome < len(outcomes):
            raise reader.error(f"outcome {outcome}: must be 0 to {len(outcomes) - 1}", at)
        numbers.extend(outcomes[outcome])
    return numbers


def to_nfg(game: Game, title: str | None = None) -> str:
    """The text of an .nfg file for a game in normal form."""
    if not isinstance(game.root, NormalFormState):
        raise Unsuitable(f"{game.spec} is not in normal form: write it as .efg instead")
    table = game.root.table
    title = game.about or game.spec if title is None else title
    lines = [f"NFG 1 R {quoted(title)} {player_list(game.players)}", "", "{"]
    lines += [quoted_list(own) for own in table.actions]
    lines += ["}", '""', ""]
    for combination in table.payoffs.reshape(game.players, -1, order="F").T.tolist():
        lines.append(" ".join(map(number_text, combination)))
    return "\n".join(lines) + "\n"
