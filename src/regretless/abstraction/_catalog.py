"""Makers of abstractions by name: the module `strategy_based` is the maker `strategy-based`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from regretless.abstraction import _partitions
from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._composition import hand_map, is_composition
from regretless.abstraction._files import load_abstraction
from regretless.abstraction._hand_map_files import load_hand_map
from regretless.core import specs
from regretless.core.errors import BadParameter, shown
from regretless.core.files import is_file, is_folder
from regretless.core.folders import Registry
from regretless.forms.choice import any_form, form_of
from regretless.forms.form import Form
from regretless.games._spot import Spot
from regretless.games._state import Game

MAKERS: Registry[Any] = Registry(
    "regretless.abstraction", "abstraction", "make", also=("JQ.K-J.QK",)
)
maker_names, maker_about, maker = MAKERS.names, MAKERS.about, MAKERS.made


def abstract(
    game: str | Game | Spot | Form,
    by: str,
    *,
    form: str = "auto",
    threads: int = 1,
) -> Abstraction:
    """An abstraction of a game: `binning:bins=5`, `gameshrink`, a partition such as `JQ.K-J.QK`,
    buckets by round, `preflop=lossless,flop=distribution:10`, or a map that was saved or written by
    hand, `map.json`."""
    if not isinstance(by, str):
        raise BadParameter(f"by={shown(by)}: must be a text such as 'binning:bins=5'")
    game = game.game if isinstance(game, Spot) else game
    if is_saved(by):
        if isinstance(game, str | Game) and form != "auto":
            game = form_of(game, kind=form, threads=threads)
        return any_abstraction(by, game, threads=threads)
    if isinstance(game, str | Game):
        full = form_of(game, kind=form, threads=threads)
    else:
        full = any_form(game)
    if is_composition(by):
        return hand_map(full, by, threads=threads).abstraction(full)
    if _partitions.is_partition(by):
        return Abstraction(full, _partitions.maps_of(full, by), by.strip())
    named = specs.read(by, maker, "abstraction")
    return Abstraction(full, named.make(full, **named.parameters), named.text)


def is_saved(by: str) -> bool:
    """Whether a text names a file or a folder; names of makers come first."""
    if by.partition(":")[0].strip() in maker_names():
        return False
    return by.endswith((".json", ".map")) or is_file(by) or is_folder(by)


def any_abstraction(
    given: str | Path | Abstraction, game: str | Game | Form | None, *, threads: int = 1
) -> Abstraction:
    """The abstraction given as an object, a file or a spec."""
    if isinstance(given, Abstraction):
        return given
    if not isinstance(given, str | Path):
        raise BadParameter(
            f"abstraction={shown(given)}: must be a file or a spec such as 'binning:bins=5'"
        )
    is_text = isinstance(given, str) and not is_saved(given)
    if not is_text and is_folder(given):
        if game is None:
            raise BadParameter(f"abstraction={given}: name the game as well")
        map = load_hand_map(given)
        map.require(game)
        full = form_of(game, threads=threads) if isinstance(game, str | Game) else any_form(game)
        return map.abstraction(full)
    if not is_text:
        return load_abstraction(given, game=game, threads=threads)
    if game is None:
        raise BadParameter(f"abstraction={given}: name the game as well")
    return abstract(game, str(given), threads=threads)
