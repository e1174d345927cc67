"""Maps of hands made round by round: `preflop=lossless,flop=distribution:1000,...`.

Every round names its maker; parameters without a default come first, without names, separated by
x: `public:20x50`. Others follow as name=value. In a folder, rounds that are finished are kept, and
rebuilt only if their recipe changes."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from inspect import Parameter
from pathlib import Path
from typing import Any

from regretless.abstraction._deal_rules import ROUNDS, DealRules, deal_rules
from regretless.abstraction._hand_map import HandMap, RoundMap
from regretless.abstraction._hand_map_files import (
    WORK,
    begin,
    finish,
    map_folder,
    read_round,
    write_round,
)
from regretless.abstraction.rounds._context import Context
from regretless.core import specs
from regretless.core.errors import BadFile, BadParameter, shown, whole
from regretless.core.files import locked
from regretless.core.folders import Registry
from regretless.core.interrupts import interrupts
from regretless.core.progress import Listener, nobody
from regretless.forms.form import Form
from regretless.games._betting import PokerRules
from regretless.games._state import Game

ROUND_MAKERS: Registry[Any] = Registry("regretless.abstraction.rounds", "maker of buckets", "make")
round_makers, round_maker = ROUND_MAKERS.names, ROUND_MAKERS.made


def is_composition(by: str) -> bool:
    """Whether a text describes a map round by round."""
    return by.strip().partition("=")[0].strip() in ROUNDS and "=" in by


@dataclass(frozen=True)
class Recipe:
    """How a round is made."""

    name: str
    given: Mapping[str, Any]  # parameters, converted

    def __str__(self) -> str:
        known = specs.parameters(round_maker(self.name))
        first = [specs.text(self.given[key]) for key in _leading(self.name)]
        rest = [
            f"{key}={specs.text(value)}"
            for key, value in self.given.items()
            if key not in _leading(self.name) and value != known[key].default
        ]
        parts = ["x".join(first), *rest] if first else rest
        return f"{self.name}:{','.join(parts)}" if parts else self.name


def _leading(name: str) -> list[str]:
    known = specs.parameters(round_maker(name))
    return [key for key, one in known.items() if one.default is Parameter.empty]


def read_composition(by: str, deal: DealRules) -> tuple[Recipe, ...]:
    """The recipe of every round."""
    parts: dict[str, list[str]] = {}
    for part in by.split(","):
        key, equals, value = (text.strip() for text in part.partition("="))
        if equals and key in ROUNDS:
            if key not in deal.rounds:
                raise BadParameter(f"{key} in {by!r}: rounds are {', '.join(deal.rounds)}")
            if key in parts:
                raise BadParameter(f"{key} is given twice in {by!r}")
            parts[key] = [value]
        elif not parts:
            raise BadParameter(f"{part.strip()!r} in {by!r}: must begin with {deal.rounds[0]}=…")
        else:
            parts[list(parts)[-1]].append(part.strip())
    for name in deal.rounds:
        if name not in parts:
            raise BadParameter(f"{name} is missing in {by!r}: rounds are {', '.join(deal.rounds)}")
    return tuple(_recipe(name, *parts[name]) for name in deal.rounds)


def _recipe(round: str, word: str, *more: str) -> Recipe:
    name, _, first = (text.strip() for text in word.partition(":"))
    make, known = round_maker(name), _leading(name)
    usage = ":".join(filter(None, (name, "x".join(key.upper() for key in known))))
    given = {}
    for part in ([first] if first else []) + list(more):
        key, equals, value = (text.strip() for text in part.partition("="))
        if equals:
            given[key] = value
            continue
        values = re.split("[x×]", part)
        if given or len(values) > len(known):
            raise BadParameter(f"{part!r} in {round}={word}: must be {usage}")
        given = dict(zip(known, values, strict=False))
    bound = specs.bind(make, given, f"{round}={name}")
    for key in known:
        if key not in bound:
            raise BadParameter(f"{round}={word}: {key} is missing: must be {usage}")
    return Recipe(name, bound)


def hand_map(
    game: str | Game | Form | PokerRules | DealRules,
    by: str,
    *,
    out: str | Path | None = None,
    seed: int = 0,
    threads: int = 1,
    listen: Listener = nobody,
) -> HandMap:
    """A map of hands to buckets for every round of a poker game of any size.

    With `out` it is written to that folder round by round: Ctrl-C keeps what is finished, and
    the same call continues."""
    if not isinstance(by, str):
        raise BadParameter(f"by={shown(by)}: must be a text such as 'preflop=lossless,flop=…'")
    whole("seed", seed, 0, 2**63 - 1)
    whole("threads", threads, 1, 1024)
    deal = deal_rules(game)
    recipes = read_composition(by, deal)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as beside, interrupts():
        place = map_folder(out) if out is not None else None
        with locked(place) if place else nullcontext():
            work = _Rounds(deal, recipes, place, place or Path(beside), seed, threads, listen)
            if place:
                begin(place)
            rounds = tuple(work.made(number) for number in range(len(recipes)))
            spec = ",".join(f"{n}={r}" for n, r in zip(deal.rounds, recipes, strict=True))
            whole_map = HandMap(deal, rounds, spec)
            if place:
                shutil.rmtree(work.shared, ignore_errors=True)
                finish(place, whole_map)
    return whole_map


@dataclass(eq=False)
class _Rounds:
    """Rounds made so far, each after those that it asks for."""

    deal: DealRules
    recipes: tuple[Recipe, ...]
    place: Path | None  # of the map, if it is to be saved
    folder: Path
    seed: int
    threads: int
    listen: Listener
    finished: dict[int, RoundMap] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)

    @property
    def shared(self) -> Path:
        """Unfinished work of several rounds."""
        return self.folder / WORK / f"shared-{self.seed}"

    def made(self, round: int) -> RoundMap:
        """The map of a round."""
        if round not in self.finished:
            if round in self.waiting:
                names = [self.deal.rounds[one] for one in (*self.waiting, round)]
                raise BadParameter(f"circular dependency between rounds: {' needs '.join(names)}")
            self.waiting.append(round)
            self.finished[round] = self._kept(round) or self._make(round)
            self.waiting.pop()
        return self.finished[round]

    def _key(self, round: int) -> dict[str, Any]:
        return {"by": str(self.recipes[round]), "seed": self.seed, "deal": self.deal.facts()}

    def _kept(self, round: int) -> RoundMap | None:
        """A round that is finished and made by the same recipe from the same other rounds."""
        name = self.deal.rounds[round]
        if self.place is None or not (self.place / f"{name}.json").exists():
            return None
        try:
            one, recipe = read_round(self.place, name, self.deal)
        except BadFile:
            return None
        used = recipe.pop("used", {})
        if recipe != self._key(round) or not isinstance(used, dict):
            return None
        for other, digest in used.items():
            if other not in self.deal.rounds:
                return None
            if self.made(self.deal.rounds.index(other)).digest != digest:
                return None
        return one

    def _make(self, round: int) -> RoundMap:
        name, recipe, used = self.deal.rounds[round], self.recipes[round], dict[str, str]()

        def other(asked: int) -> RoundMap:
            if not 0 <= asked < len(self.recipes):
                raise BadParameter(f"{name}={recipe.name}: needs a round that does not exist")
            made = self.made(asked)
            used[self.deal.rounds[asked]] = made.digest
            return made

        # Unfinished work is only continued by the same recipe.
        work = self.folder / WORK / re.sub(r"[^\w.=-]", "_", f"{name}-{recipe}-{self.seed}")
        work.mkdir(parents=True, exist_ok=True)
        context = Context(
            self.deal, round, work, other, self.threads, self.seed, self.listen, self.shared
        )
        made: RoundMap = round_maker(recipe.name)(context, **recipe.given)
        if self.place is not None:
            write_round(self.place, name, made, {**self._key(round), "used": used})
        shutil.rmtree(work, ignore_errors=True)
        return made
