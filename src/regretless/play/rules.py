"""The rules of a poker game, given as a spec, a Game or rules."""

from __future__ import annotations

from typing import TypeAlias

from regretless.core.errors import BadInput, BadParameter, shown
from regretless.games._betting import PokerRules
from regretless.games._catalog import load
from regretless.games._state import Game

Playable: TypeAlias = PokerRules | Game | str


def rules_of(game: Playable) -> PokerRules:
    """The rules of a poker game."""
    if isinstance(game, PokerRules):
        return game
    loaded = load(game) if isinstance(game, str) else game
    if not isinstance(loaded, Game):
        raise BadParameter(f"game={shown(game)}: must be a text, a Game or rules of poker")
    if loaded.spot is not None:
        raise BadInput(
            f"game {loaded.spec}: a spot cannot be played, as tables deal whole hands; "
            "look at its solution with `regretless show`"
        )
    if loaded.rules is None:
        raise BadInput(f"game {loaded.spec}: not a poker game, and only poker is played at a table")
    return loaded.rules
