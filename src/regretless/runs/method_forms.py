"""The form of a game that a method needs."""

from __future__ import annotations

from regretless.core.errors import TooLarge, Unsuitable
from regretless.forms.choice import any_game, form_of
from regretless.forms.form import Form
from regretless.games._poker import PokerState
from regretless.games._state import Game
from regretless.solvers._catalog import needed_form
from regretless.solvers._needs import learners


def kind_for(method: str, kind: str) -> str:
    """The kind of form: as given, otherwise what the method needs, if one is named."""
    return (kind == "auto" and method and needed_form(method)) or kind


def form_for(
    game: str | Game,
    method: str,
    kind: str = "auto",
    threads: int = 1,
    precision: str | None = None,
) -> Form:
    """The form of a game for a method. An error names methods that do without this form."""
    game, kind = any_game(game), kind_for(method, kind)
    needed = bool(method) and kind == needed_form(method)
    try:
        return form_of(game, kind=kind, threads=threads, precision=precision)
    except Unsuitable as error:
        if not (needed and kind == "public"):
            raise
        reason = f"method {method} needs the public form of a poker game: {error}"
        raise Unsuitable(f"{reason}; methods that do not: {learners()}") from None
    except TooLarge as error:
        poker = isinstance(game.root, PokerState) and game.root.deck.rules.hole == 1
        if not (needed and kind == "sequence" and poker):
            raise
        reason = f"{error}; method {method} enumerates the game"
        raise TooLarge(f"{reason}, methods that do not: {learners()}") from None
