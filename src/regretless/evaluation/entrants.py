"""Who takes part: strategies from files, and four simple ones by name.

A simple strategy is a rule over the names of actions, so it works in every game with
bets, raises, calls and checks; `random` works everywhere, and in no-limit takes
every kind of action equally often, as the agent of that name does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from regretless.core.errors import BadInput, BadParameter, UnknownName, shown
from regretless.core.files import is_file
from regretless.forms.choice import form_kind, form_of
from regretless.forms.form import Form, own, size
from regretless.forms.treeplex import Point
from regretless.games._betting import PokerRules
from regretless.games._state import Game
from regretless.strategy import files
from regretless.strategy.files import Saved
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy

RAISES, CALLS, FOLDS = ("raise", "bet"), ("call", "check"), ("fold",)
Entrant = str | Path | Strategy
Rule = Callable[[Point, PokerRules | None], int]  # the index of the action that is taken


def entrants(
    game: Game, given: Sequence[Entrant] | Mapping[str, Entrant], *, explicit: bool = False
) -> tuple[Form, dict[str, Strategy]]:
    """The strategies by name, on one form of the game; `explicit` requires its sequence form."""
    named = given if isinstance(given, Mapping) else _named(given)
    given_by_name = {name: _read(one) for name, one in named.items()}
    form = _form(game, list(given_by_name.values()), explicit=explicit)
    return form, {name: _on(form, game, one) for name, one in given_by_name.items()}


def simple_names() -> tuple[str, ...]:
    """Names of the strategies that need no file."""
    return ("random", *RULES)


def simple(name: str, form: Form, game: Game) -> Strategy:
    """The strategy of this name."""
    rules = game.rules
    if name == "random":
        sized = rules is not None and rules.raises is None
        return _by_kind(form) if sized else Strategy.uniform(form)
    behaviour = np.zeros(size(form))
    behaviour[form.plex.roots[:-1]] = 1.0
    for player in range(form.players):
        mine = behaviour[own(form, player)]
        for point in form.points(player):
            try:
                mine[point.sequences[RULES[name](point, rules)]] = 1.0
            except LookupError:
                raise BadInput(
                    f"{name} at {point.label!r}: actions are {', '.join(point.actions)}, expected "
                    f"one of {', '.join(RAISES + CALLS)}"
                ) from None
    return Strategy(form, behaviour)


def _by_kind(form: Form) -> Strategy:
    """Fold, call and raise with equal probability, and all sizes of a raise likewise."""
    behaviour = np.zeros(size(form))
    behaviour[form.plex.roots[:-1]] = 1.0
    for player in range(form.players):
        mine = behaviour[own(form, player)]
        for point in form.points(player):
            raises = _of_kind(point, RAISES)
            kinds = len(point.actions) - len(raises) + bool(raises)
            for i, sequence in enumerate(point.sequences):
                mine[sequence] = 1 / kinds / (len(raises) if i in raises else 1)
    return Strategy(form, behaviour)


def _call(point: Point, rules: PokerRules | None) -> int:
    return _of_kind(point, CALLS)[0]


def _raise(point: Point, rules: PokerRules | None) -> int:
    """Raise by the pot in no-limit, or the nearest legal size; call if no raise is legal."""
    sizes = _of_kind(point, RAISES)
    if not sizes:
        return _call(point, rules)
    if rules is None or rules.raises is not None:
        return sizes[0]
    betting = rules.replay(point.label.partition(":")[2])
    most = max(betting.spent)
    pot = most + betting.pot + most - betting.spent[betting.actor]
    return min(sizes, key=lambda i: abs(int(point.actions[i].rpartition(" ")[2]) - pot))


def _fold(point: Point, rules: PokerRules | None) -> int:
    """Fold if possible, otherwise check."""
    return (_of_kind(point, FOLDS) or _of_kind(point, CALLS))[0]


RULES: dict[str, Rule] = {"always-call": _call, "aggressive": _raise, "always-fold": _fold}


def _of_kind(point: Point, words: tuple[str, ...]) -> list[int]:
    numbered = enumerate(point.actions)
    return [i for i, action in numbered if action.lower().startswith(words)]


def _named(given: Sequence[Entrant]) -> dict[str, Entrant]:
    """Files are named by their stem, unless two have the same."""
    texts = [repr(one) if isinstance(one, Strategy) else str(one) for one in given]
    for text in texts:
        if texts.count(text) > 1:
            raise BadInput(f"strategy {text} is given twice: seatings already repeat strategies")
    stems = [text if text in simple_names() else Path(text).stem for text in texts]
    names = [
        stem if stems.count(stem) == 1 else text for stem, text in zip(stems, texts, strict=True)
    ]
    return dict(zip(names, given, strict=True))


def _read(one: Entrant) -> str | Saved | Strategy:
    if isinstance(one, Strategy):
        return one
    if not isinstance(one, str | Path):
        raise BadParameter(f"strategy {shown(one)}: must be a name, a file or a Strategy")
    text = str(one)
    if text in simple_names():
        return text
    if not is_file(text) and Path(text).name == text and not Path(text).suffix:
        raise UnknownName("strategy", text, (*simple_names(), "FILE"))
    return files.read(text)


def _kind(saved: Saved) -> str:
    return str(saved.about.get("form", "sequence"))


def _form(game: Game, given: Sequence[str | Saved | Strategy], *, explicit: bool) -> Form:
    """The form of the files: then none of them needs to be converted."""
    forms = [one.form for one in given if isinstance(one, Strategy)]
    kinds = [_kind(one) for one in given if isinstance(one, Saved)] + [*map(form_kind, forms)]
    kind = "sequence" if explicit else "public" if "public" in kinds else kinds[0] if kinds else ""
    matching = [form for form in forms if form_kind(form) == kind and form.spec == game.spec]
    return matching[0] if matching else form_of(game, kind=kind or "auto")


def _on(form: Form, game: Game, one: str | Saved | Strategy) -> Strategy:
    if isinstance(one, str):
        return simple(one, form, game)
    if isinstance(one, Saved):
        kind = _kind(one)
        one = one.strategy(form if kind == form_kind(form) else form_of(game, kind=kind))
    return on_form(one, form)
