"""Strategies of every kind, from wherever they are: files, names, results of runs, agents.

`opened` is the strategy itself; `on_its_form` is the same as a strategy of a form, which can be
evaluated exactly, refined and simplified. Whoever accepts a strategy asks one of the two."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from regretless.blueprints.files import is_blueprint, load_blueprint
from regretless.core.errors import BadInput, BadParameter, TooLarge, shown
from regretless.core.files import is_file
from regretless.core.specs import Spec
from regretless.evaluation.bucket_strategy import BucketStrategy
from regretless.evaluation.entrants import simple, simple_names
from regretless.exploitation.files import is_model, load_model
from regretless.forms.choice import any_form, form_kind, form_of
from regretless.forms.form import Form
from regretless.games._catalog import load
from regretless.games._poker import poker_game
from regretless.games._spot import Spot
from regretless.games._state import Game
from regretless.strategy import files
from regretless.strategy.face import Face, Result
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy

GameLike: TypeAlias = str | Game | Spot | Form


Openable: TypeAlias = str | Path | Face | Result | Mapping[Any, Any]


class Opened(NamedTuple):
    """A strategy, and what is known about how it was made."""

    strategy: Face
    about: dict[str, Any]


def opened(given: Any, *, game: GameLike | None = None, threads: int = 1) -> Opened:
    """Any strategy, with its provenance."""
    if isinstance(given, str | Path):
        return _of_file(given, game, threads)
    if isinstance(given, Mapping):
        return Opened(
            Strategy.from_dict(_form(_required(game, "a table of probabilities")), given), {}
        )
    if isinstance(given, Result):
        return Opened(given.strategy, _of_result(given))
    if isinstance(given, Strategy | Face):
        return Opened(given, dict(getattr(given, "about", {})))
    raise BadParameter(
        f"strategy={shown(given)}: must be a Strategy, a Blueprint, a Solution or another result "
        "with a strategy, an agent that knows its probabilities, a dictionary or a strategy file"
    )


def open_strategy(given: Openable, *, game: GameLike | None = None, threads: int = 1) -> Face:
    """A strategy of any kind: a file, a name, a table of probabilities, a result, or itself.

    It knows what it plays with every hand: `at(betting, board)`. `game` is needed for names and
    tables, and for files whose game cannot be found by its name."""
    return opened(given, game=game, threads=threads).strategy


def on_its_form(given: Any, *, game: GameLike | None = None, threads: int = 1) -> Strategy:
    """Any strategy as one of a form: of the form or game that is given, or of its own game."""
    return with_provenance(given, game=game, threads=threads)[0]


def with_provenance(
    given: Any, *, game: GameLike | None = None, threads: int = 1
) -> tuple[Strategy, dict[str, Any]]:
    """The same, and what is known about how it was made."""
    if threads != 1 and isinstance(given, Strategy | Result):
        raise BadInput("threads: only for a strategy that is not in memory yet")
    strategy, about = opened(given, game=game, threads=threads)
    if isinstance(strategy, Strategy):
        if game is None or isinstance(given, str | Path | Mapping):
            return strategy, about
        return on_form(strategy, _form(game, form_kind(strategy.form))), about
    wanted: Any = about.get("game") if game is None else game
    if wanted is None:
        wanted = poker_game("the strategy's game", strategy.rules)
    try:
        kind = "public" if isinstance(strategy, BucketStrategy) else "auto"
        return on_form(strategy, _form(wanted, kind, threads)), about
    except TooLarge as error:
        raise TooLarge(
            f"{shown(given)}: a strategy of a game too large to evaluate exactly, see one-on-one "
            f"and lbr ({error})"
        ) from None


def _of_file(given: str | Path, game: GameLike | None, threads: int) -> Opened:
    text = str(given)
    if text in simple_names() and not is_file(text):
        form = _form(_required(game, f"strategy {text}"), threads=threads)
        return Opened(simple(text, form, form.game or load(form.spec)), {"method": text})
    if not is_file(text) and Path(text).name == text and not Path(text).suffix:
        known = ", ".join(simple_names())
        raise BadInput(f"strategy {shown(text)}: no such file, and none of {known}")
    if is_blueprint(given):
        named = game if isinstance(game, str | Game) else getattr(game, "game", None)
        blueprint = load_blueprint(given, game=named)
        return Opened(blueprint, dict(blueprint.about))
    saved = files.read(given)
    return Opened(files.tied(saved, game, threads=threads), saved.about)


def _of_result(given: Any) -> dict[str, Any]:
    about = dict(given.facts())
    if hasattr(given, "by"):  # refined
        about |= {"method": given.method, "refinement": given.by}
    return about


def _form(game: GameLike, kind: str = "auto", threads: int = 1) -> Form:
    if isinstance(game, str | Game | Spot):
        return form_of(game, kind=kind, threads=threads)
    return any_form(game)


def _required(game: GameLike | None, what: str) -> GameLike:
    if game is None:
        raise BadInput(f"{what} fits many games: name its game, or make a Strategy of it")
    return game


def with_model(method: Spec, form: Form) -> Spec:
    """The method with its model opened, if it names the file of one: solvers read no files."""
    named = method.parameters.get("model")
    if not isinstance(named, str) or named == "uniform":
        return method
    if is_model(named):
        model: Any = load_model(named, game=form)
    else:
        model = on_its_form(named, game=form)
    return method._replace(parameters={**method.parameters, "model": model})
