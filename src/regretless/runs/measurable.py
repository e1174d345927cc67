"""Saved strategies of either kind as strategies of a form, which can be evaluated exactly."""

from __future__ import annotations

from pathlib import Path

from regretless.blueprints.files import is_blueprint, load_blueprint
from regretless.blueprints.lifting import lifted
from regretless.core.errors import BadParameter, TooLarge
from regretless.forms.form import Form
from regretless.forms.public import public_form
from regretless.games._state import Game
from regretless.strategy.files import load_strategy
from regretless.strategy.strategy import Strategy


def measurable(
    path: str | Path, *, game: str | Game | Form | None = None, threads: int = 1
) -> Strategy:
    """A saved strategy; a blueprint becomes one of the public form, which needs a small deck."""
    if not is_blueprint(path):
        return load_strategy(path, game=game, threads=threads)
    if game is not None and not isinstance(game, str | Game):
        raise BadParameter(f"{path} is a blueprint: name its game instead of a form")
    blueprint = load_blueprint(path, game=game)
    named = blueprint.about["game"] if game is None else game
    try:
        form = public_form(named, threads=threads)
    except TooLarge as error:
        raise TooLarge(
            f"{path}: a blueprint of a game too large to evaluate exactly, see one-on-one and lbr "
            f"({error})"
        ) from None
    return lifted(blueprint, form)
