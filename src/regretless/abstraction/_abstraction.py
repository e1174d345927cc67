"""An abstraction: which decision points share a strategy, and which actions are left out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from regretless.abstraction._equitable import is_lossless
from regretless.abstraction._maps import CardMap, Deals, Map, PointMap
from regretless.abstraction._merging import NOWHERE, Merged, cell_links, merged
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import (
    BadInput,
    BadParameter,
    ImperfectRecall,
    Unsuitable,
    WrongGame,
    shown,
)
from regretless.forms.form import Form, own, uniform
from regretless.forms.public import PublicForm, public_form
from regretless.forms.sequence import SequenceForm
from regretless.games._state import Sizes
from regretless.solvers._catalog import without_recall
from regretless.strategy.strategy import Strategy

MOST_LANES = 10**7  # of the public form: with more, losslessness is not checked


@dataclass(frozen=True, eq=False)
class Abstraction:
    """One map per player over the decision points of a full game's form; None: no abstraction.

    `form()` is the abstract game for any solver: a merged sequence form if the maps have
    perfect recall, otherwise the public form of poker with shared cells. `lift` turns a strategy
    of the abstract game into one of the full game, where it can be measured."""

    full: Form
    maps: tuple[Map | None, ...]
    by: str = "by hand"

    def __post_init__(self) -> None:
        if len(self.maps) != self.full.players:
            raise BadInput(
                f"abstraction of {self.full.spec}: got {len(self.maps)} maps, "
                f"must be one for each of {self.full.players} players"
            )

    def __repr__(self) -> str:
        return f"Abstraction({self.full.spec!r}, by={self.by!r})"

    @property
    def spec(self) -> str:
        """The name of the abstract game."""
        return f"{self.full.spec} [{self.by}]"

    def form(self) -> Form:
        """The abstract game. It is built once."""
        return self._built[0]

    @cached_property
    def has_perfect_recall(self) -> bool:
        """Whether every cell remembers the cells and actions that led to it."""
        return self.is_merged or all(
            isinstance(mine, CardMap) and self.deals.remembers(player, mine)
            for player, mine in enumerate(self.maps)
            if mine is not None
        )

    def require_recall(self, method: str) -> None:
        """Refuse a method that needs perfect recall, naming the first place that violates it."""
        if isinstance(self.full, SequenceForm) and not self.is_merged:
            try:
                self._merged()
            except ImperfectRecall as error:
                raise without_recall(method, error) from None

    @property
    def is_merged(self) -> bool:
        """Whether the abstract game is a sequence form, where best responses are abstract too; in
        a public form with shared cells a best response distinguishes all hands."""
        return isinstance(self.form(), SequenceForm)

    @property
    def classes(self) -> tuple[tuple[int, ...] | None, ...]:
        """[player][round] cells of hands, for maps of cards; beside one, a player without a map
        distinguishes all hands."""
        beside = any(isinstance(mine, CardMap) for mine in self.maps)
        counts: list[tuple[int, ...] | None] = []
        for player, mine in enumerate(self.maps):
            if isinstance(mine, CardMap):
                counts.append(mine.counts[self.deals.rounds.start :])
            elif mine is None and beside:
                counts.append(tuple(self.deals.count(player, r) for r in self.deals.rounds))
            else:
                counts.append(None)
        return tuple(counts)

    @cached_property
    def is_lossless(self) -> bool | None:
        """Whether an equilibrium of the abstract game is one of the full game, judged by the hands
        that share a cell; None if unknown."""
        if all(mine is None for mine in self.maps):
            return True
        if not self._is_of_cards or self.full.players != 2:
            return None
        layout = self.deals.layout
        if layout.deck.weights or layout.locks or layout.lanes.sum() > MOST_LANES:
            return None
        cards = [mine if isinstance(mine, CardMap) else None for mine in self.maps]
        return is_lossless(self.deals, tuple(cards))

    @property
    def sizes(self) -> tuple[Sizes, Sizes]:
        """Sizes before and after."""
        return self.full.sizes, self.form().sizes

    @cached_property
    def deals(self) -> Deals:
        """The hands that card maps refer to."""
        return Deals(self.full)

    def lift(self, strategy: Strategy) -> Strategy:
        """A strategy of the abstract game as one of the full game.

        Actions left out are never taken; at points that no kept action reaches, all kept actions
        are equally likely."""
        if not isinstance(strategy, Strategy):
            raise BadParameter(f"strategy={shown(strategy)}: must be a Strategy")
        form = self.form()
        if strategy.form is not form and strategy.form.fingerprint() != form.fingerprint():
            raise WrongGame(f"strategy of {strategy.form.spec}: must be one of {form.spec}")
        return Strategy.trusted(self.full, self.lift_behaviour(strategy.behaviour))

    def lift_behaviour(self, behaviour: Floats) -> Floats:
        """Like `lift`, for probabilities alone."""
        lifted = self._unreached.copy()
        for player, links in enumerate(self._built[1]):
            mine, theirs = own(self.full, player), own(self.form(), player)
            there = links != NOWHERE
            lifted[mine][there] = behaviour[theirs][links[there]]
        return lifted

    def then(self, second: Abstraction) -> Abstraction:
        """This abstraction, followed by another one of the abstract game."""
        form = self.form()
        if second.full is not form and second.full.fingerprint() != form.fingerprint():
            raise WrongGame(f"abstraction of {second.full.spec}: must be one of {form.spec}")
        if not isinstance(self.full, SequenceForm) or not isinstance(form, SequenceForm):
            raise Unsuitable(f"{self.spec}: only merged sequence forms can be abstracted again")
        maps = tuple(self._composed(player, second) for player in range(form.players))
        return Abstraction(self.full, maps, f"{self.by}, then {second.by}")

    def _composed(self, player: int, second: Abstraction) -> PointMap:
        assert isinstance(self.full, SequenceForm)
        first_map, second_map = self.point_map(player), second.point_map(player)
        links = self._built[1][player]
        plex, abstract = self.full.treeplexes[player], second.full.treeplexes[player]
        owner = np.full(abstract.size, NOWHERE, dtype=np.int64)
        for point, sequences in enumerate(abstract.sequences):
            owner[sequences] = point
        apart = int(second_map.cells.max(initial=0)) + 1
        cells = np.zeros(len(plex.labels), dtype=np.int32)
        kept = np.zeros(plex.size, dtype=bool)
        kept[0] = True
        for point, sequences in enumerate(plex.sequences):
            there = links[sequences]
            alive = there != NOWHERE
            # A point that is unreachable after the first keeps its own cell.
            reached = alive.any()
            cells[point] = (
                second_map.cells[owner[there[alive][0]]]
                if reached
                else apart + int(first_map.cells[point])
            )
            kept[sequences[alive]] = second_map.kept is None or second_map.kept[there[alive]]
            if not reached:
                kept[sequences] = first_map.kept is None or first_map.kept[sequences]
        return PointMap(cells, kept)

    def point_map(self, player: int) -> PointMap:
        """The player's map, decision point by decision point."""
        mine = self.maps[player]
        if isinstance(mine, CardMap):
            return self.deals.point_map(self.full, player, mine)
        if mine is not None:
            return mine
        return PointMap(np.arange(self.full.sizes.decision_points[player], dtype=np.int32))

    def save(self, path: str | Path) -> None:
        """Write the maps as JSON."""
        from regretless.abstraction._files import write

        write(path, self)

    def facts(self) -> dict[str, Any]:
        """Sizes before and after as JSON-compatible data."""
        before, after = self.sizes
        return {
            "game": self.full.spec,
            "by": self.by,
            "perfect_recall": self.has_perfect_recall,
            "lossless": self.is_lossless,
            "classes": [list(counts) if counts else None for counts in self.classes],
            "decision_points": {
                "before": list(before.decision_points),
                "after": list(after.decision_points),
            },
            "sequences": {"before": list(before.sequences), "after": list(after.sequences)},
        }

    @cached_property
    def _built(self) -> tuple[Form, tuple[Ints, ...]]:
        """The abstract form, and for every player the abstract sequence of each full one."""
        if isinstance(self.full, SequenceForm):
            try:
                return self._merged()
            except ImperfectRecall:
                if not self._is_of_cards:
                    raise
        return self._shared()

    def _merged(self) -> Merged:
        assert isinstance(self.full, SequenceForm)
        maps = tuple(
            self.point_map(player) if mine is not None else None
            for player, mine in enumerate(self.maps)
        )
        return merged(self.full, maps, self.spec)

    def _shared(self) -> tuple[Form, tuple[Ints, ...]]:
        """The public form of poker with shared cells."""
        game = self.full.game
        if game is None or not self._is_of_cards:
            raise Unsuitable(f"{self.spec}: the public form supports card maps only")
        cells = tuple(mine if isinstance(mine, CardMap) else None for mine in self.maps)
        threads = self.full.threads if isinstance(self.full, PublicForm) else 1
        form = public_form(game, cells=cells, threads=threads)
        return form, tuple(cell_links(self.full, form, player) for player in range(form.players))

    @property
    def _is_of_cards(self) -> bool:
        return all(mine is None or isinstance(mine, CardMap) for mine in self.maps)

    @cached_property
    def _unreached(self) -> Floats:
        """Play at points that no kept action reaches: uniform over the kept actions."""
        behaviour = uniform(self.full)
        for player, mine in enumerate(self.maps):
            if not isinstance(mine, PointMap) or mine.kept is None:
                continue
            part = behaviour[own(self.full, player)]
            for point in self.full.points(player):
                stays = mine.kept[point.sequences]
                part[point.sequences] = stays / max(stays.sum(), 1)
        return behaviour
