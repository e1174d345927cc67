"""Strategies on disk: arrays with a JSON description and a checksum.

Tensors: `player_1`, `player_2`, … hold the probability of every sequence's last action;
`state.*` is what the solver needs to continue. Solutions of spots are stored in 16 bits, with
an index of decisions (`index.*`), action values (`values_1`, `values_2`), the text of the spot,
and a checksum per piece."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from regretless.core import array_files
from regretless.core.array_files import Arrays
from regretless.core.errors import BadFile, BadInput, WrongGame
from regretless.forms.choice import any_form, form_of
from regretless.forms.form import Form, own
from regretless.games._catalog import named_in
from regretless.games._spot import Spot
from regretless.games._spot_files import parse_spot
from regretless.games._state import Game
from regretless.strategy import compact
from regretless.strategy.compact import COMPACT, FORMAT, STRATEGY, is_blueprint
from regretless.strategy.strategy import Strategy

RENUMBERED = (0, 2)  # the first version with the current public forms and solver states


@dataclass(frozen=True)
class Saved:
    """The content of a strategy file, before it is tied to a game."""

    path: Path
    about: dict[str, Any]
    behaviours: tuple[np.ndarray, ...]
    state: dict[str, np.ndarray]

    @property
    def is_old(self) -> bool:
        """Whether it is from a version with different public forms and solver states."""
        numbers = re.match(r"(\d+)\.(\d+)", str(self.about.get("version", "")))
        return numbers is not None and tuple(map(int, numbers.groups())) < RENUMBERED

    def strategy(self, form: Form) -> Strategy:
        """The strategy, if it belongs to this form."""
        self.require_fit(form)
        try:
            if self.is_packed:
                return Strategy(form, compact.unpacked(form, self.behaviours))
            return Strategy(form, np.concatenate(self.behaviours))
        except BadInput as error:
            raise BadFile(self.path, f"damaged: {error}") from None

    @property
    def is_packed(self) -> bool:
        """Whether it has 16 bits per number."""
        return all(part.dtype == np.uint16 for part in self.behaviours)

    def require_fit(self, form: Form) -> None:
        """Refuse it if it was made for another form."""
        game = self.about["game"]
        if self.about["fingerprint"] != form.fingerprint():
            if self.is_old and self.about.get("form") == "public" and game == form.spec:
                raise WrongGame(
                    f"{self.path}: made by version {self.about['version']}, whose public forms "
                    f"number decisions differently: solve game {game} again"
                )
            raise WrongGame(f"{self.path}: made for game {game}, does not fit game {form.spec}")
        shapes = [behaviour.shape for behaviour in self.behaviours]
        if shapes != [(size,) for size in form.sizes.sequences]:
            raise BadFile(self.path, f"damaged: has {len(shapes)} players of sizes {shapes}")


def load_strategy(
    path: str | Path, *, game: str | Game | Spot | Form | None = None, threads: int = 1
) -> Strategy:
    """A saved strategy; `game` is needed if the name in the file does not identify it."""
    return tied(read(path), game, threads=threads)


def tied(saved: Saved, game: str | Game | Spot | Form | None, *, threads: int = 1) -> Strategy:
    """The strategy in a file, on the form of its game."""
    game = game.game if isinstance(game, Spot) else game
    if game is not None and not isinstance(game, str | Game):
        return saved.strategy(any_form(game))
    return saved.strategy(saved_form(saved, game, threads=threads))


def saved_form(
    saved: Saved, game: str | Game | None, *, threads: int, precision: str | None = None
) -> Form:
    """The form that a file was made on."""
    named = saved.about["game"]
    wanted = named_in(saved.path, named) if game is None else game
    kind = str(saved.about.get("form", "sequence"))
    if game is None and isinstance(saved.about.get("spot"), str):
        spot = parse_spot(saved.about["spot"], name=f"{saved.path}: its spot")
        named_spot = replace(spot.game, spec=named)
        return form_of(named_spot, kind=kind, threads=threads, precision=precision)
    try:
        return form_of(wanted, kind=kind, threads=threads, precision=precision)
    except BadFile as error:
        if game is None and named in str(error):
            raise BadFile(saved.path, f"made for {error}; name the game") from None
        raise


def write(
    path: str | Path,
    strategy: Strategy,
    about: Mapping[str, Any],
    state: Mapping[str, np.ndarray] | None = None,
) -> None:
    """Save a strategy, its description, and the state of its solver."""
    form = strategy.form
    numbers = [strategy.behaviour[own(form, i)] for i in range(form.players)]
    more = {f"state.{name}": vector for name, vector in (state or {}).items()}
    _write(path, form, numbers, about, more, FORMAT)


def write_compact(
    path: str | Path,
    form: Form,
    numbers: Sequence[np.ndarray],
    about: Mapping[str, Any],
    more: Mapping[str, np.ndarray],
) -> None:
    """Save 16-bit probabilities together with other arrays."""
    _write(path, form, numbers, about, more, COMPACT)


def _write(
    path: str | Path,
    form: Form,
    numbers: Sequence[np.ndarray],
    about: Mapping[str, Any],
    more: Mapping[str, np.ndarray],
    format: str,
) -> None:
    tensors = {f"player_{i + 1}": part for i, part in enumerate(numbers)} | dict(more)
    whole = {**about, "game": form.spec, "fingerprint": form.fingerprint()}
    array_files.write(path, tensors, whole, format=format, in_pieces=format == COMPACT)


def read(path: str | Path) -> Saved:
    """Load a strategy file; damaged, truncated and foreign files are refused."""
    if is_blueprint(path):
        raise BadFile(path, "is a blueprint, not a strategy of a form: open it by open_strategy")
    arrays = Arrays(path, STRATEGY)
    for name in arrays.names:
        arrays.whole(name)  # or refused: here the whole file is read
    count = sum(name.startswith("player_") for name in arrays.names)
    behaviours = tuple(arrays.whole(f"player_{i + 1}") for i in range(count))
    state = arrays.below("state.")
    if state and arrays.format == COMPACT and "average" not in state:
        state["average"] = np.concatenate(behaviours)  # of a large spot: it is the strategy
    return Saved(Path(path), arrays.about, behaviours, state)
