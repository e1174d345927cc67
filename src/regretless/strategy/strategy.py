"""A strategy for every player: the probability of each action at each decision point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, BadParameter, UnknownName, shown, whole
from regretless.forms.choice import any_form
from regretless.forms.form import Form, own, plan_of, uniform
from regretless.forms.treeplex import Point
from regretless.games._betting import Betting, PokerRules
from regretless.games._state import Game
from regretless.kernels.treeplex import first_wrong

if TYPE_CHECKING:
    import pandas as pd

    from regretless.core.tables import Table
    from regretless.strategy.face import Play

SLACK = 1e-5  # tolerance for sums of probabilities: large games use single precision


class Decision(NamedTuple):
    """One decision point of a strategy, in readable form."""

    player: int  # counted from 1
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[float, ...]
    reach: float  # probability that the player's own actions lead here


@dataclass(frozen=True, eq=False)
class Strategy:
    """Behaviour of all players of a form."""

    form: Form
    behaviour: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "form", any_form(self.form))
        object.__setattr__(self, "behaviour", require_vector(self.form, self.behaviour))
        self.check()

    @classmethod
    def trusted(cls, form: Form, behaviour: Floats) -> Strategy:
        """A strategy fresh from one of our solvers, which needs no validation."""
        made = object.__new__(cls)
        object.__setattr__(made, "form", form)
        object.__setattr__(made, "behaviour", behaviour)
        return made

    @classmethod
    def uniform(cls, game: str | Game | Form) -> Strategy:
        """Every action with equal probability."""
        form = any_form(game)
        return cls.trusted(form, uniform(form))

    @classmethod
    def from_dict(
        cls, game: str | Game | Form, table: Mapping[Any, Any], *, missing: str = "refuse"
    ) -> Strategy:
        """A strategy from `{"K:": {"check": 0.3, "bet": 0.7}, …}`.

        If a label belongs to several players: `{1: {label: …}, 2: {label: …}}`. Omitted actions
        get probability 0. Omitted decision points are an error, or play uniformly with
        `missing="uniform"`."""
        from regretless.strategy.tables import filled

        form = any_form(game)
        return cls(form, filled(cls.uniform(form), table, missing=missing))

    @classmethod
    def from_pandas(
        cls, game: str | Game | Form, frame: pd.DataFrame, *, missing: str = "refuse"
    ) -> Strategy:
        """A strategy from a table with the columns player, decision, action and probability."""
        from regretless.strategy.tables import table_of_frame

        return cls.from_dict(game, table_of_frame(frame), missing=missing)

    @classmethod
    def from_csv(
        cls, game: str | Game | Form, path: str | Path, *, missing: str = "refuse"
    ) -> Strategy:
        """A strategy from a CSV file as written by `to_csv` and `regretless show --csv`."""
        from regretless.strategy.tables import table_of_csv

        return cls.from_dict(game, table_of_csv(path), missing=missing)

    @classmethod
    def from_openspiel(cls, game: str | Game | Form, policy: Any) -> Strategy:
        """An OpenSpiel policy as a strategy of the game `openspiel:NAME`."""
        from regretless.strategy.openspiel import from_openspiel

        return from_openspiel(game, policy)

    def to_openspiel(self) -> Any:
        """The strategy as an OpenSpiel `TabularPolicy`, for a game `openspiel:NAME`."""
        from regretless.strategy.openspiel import to_openspiel

        return to_openspiel(self)

    def edited(self, changes: Mapping[Any, Any]) -> Strategy:
        """The same strategy with new probabilities at some decision points, as in `from_dict`."""
        from regretless.strategy.tables import filled

        return Strategy(self.form, filled(self, changes, missing="keep"))

    def purified(
        self, *, threshold: float | None = None, steps: str | float | None = None
    ) -> Strategy:
        """A simpler strategy: only the most likely action; or, with `threshold`, no actions below
        this probability; or, with `steps`, probabilities in steps such as "25%".

        `strategy.purification` describes how ties are broken."""
        from regretless.strategy.purification import Rounding, rounded

        return Strategy.trusted(self.form, rounded(self, Rounding.of(threshold, steps)))

    def to_dict(self) -> dict[int, dict[str, dict[str, float]]]:
        """Player → label → action → probability; players count from 1."""
        tables: dict[int, dict[str, dict[str, float]]] = {}
        for player, label, actions, chosen, _ in self.decisions():
            tables.setdefault(player, {})[label] = dict(zip(actions, chosen, strict=True))
        return tables

    def to_pandas(self) -> pd.DataFrame:
        """One row per action: player, decision, action, probability, reach."""
        from regretless.strategy.tables import frame

        return frame(self.decisions())

    def to_csv(self, path: str | Path) -> None:
        """Write the same rows to a CSV file."""
        from regretless.strategy.tables import write_csv

        write_csv(self.decisions(), path)

    def save(self, path: str | Path, *, method: str = "by hand") -> None:
        """Write a strategy file; `method` says how the strategy was made."""
        from regretless.core.files import locked, require_writable
        from regretless.forms.choice import form_kind
        from regretless.strategy.files import write

        require_writable(path)
        with locked(path):
            write(path, self, {"method": method, "form": form_kind(self.form)})

    def probabilities(self, label: str, player: int | None = None) -> dict[str, float]:
        """Probability of every action at a decision point; players count from 1."""
        i, point = self.find(label, player)
        return self.at_point(i, point)

    def find(self, label: str, player: int | None = None) -> tuple[int, Point]:
        """The decision point with this label, and its player, counted from 0."""
        numbers = self._players(player)
        if not isinstance(label, str):
            raise BadParameter(f"decision point {shown(label)}: must be a text such as 'K:'")
        points = {i: point for i in numbers if (point := self.form.find(i, label))}
        if not points:
            some = [point.label for i in numbers for point in islice(self.form.points(i), 9999)]
            raise UnknownName("decision point", label, some)
        if len(points) > 1:
            who = " and ".join(str(i + 1) for i in points)
            raise BadInput(f"decision point {label!r} belongs to players {who}: say which")
        ((i, point),) = points.items()
        return i, point

    @property
    def rules(self) -> PokerRules:
        """Of its game, which must be poker."""
        from regretless.strategy.by_hand import deck_of

        return deck_of(self).rules

    def at(self, betting: str | Betting, board: str | Sequence[int] = ()) -> Play:
        """What it plays after a betting on a board, with every hand of a poker game."""
        from regretless.strategy.by_hand import play

        return play(self, betting, board)

    def at_point(self, player: int, point: Point) -> dict[str, float]:
        """Probability of every action at a decision point; here players count from 0."""
        chosen = self.behaviour[own(self.form, player)][point.sequences]
        return dict(zip(point.actions, map(float, chosen), strict=True))

    def decisions(self, player: int | None = None) -> Iterator[Decision]:
        """All decision points of a player (counted from 1), or of all players."""
        numbers = self._players(player)
        plan = plan_of(self.form, self.behaviour)
        for i in numbers:
            mine = own(self.form, i)
            for label, actions, sequences, parent in self.form.points(i):
                chosen = tuple(map(float, self.behaviour[mine][sequences]))
                yield Decision(i + 1, label, actions, chosen, float(plan[mine][parent]))

    def check(self) -> None:
        """Raise unless the probabilities of every decision point are ≥ 0 and sum to 1."""
        plex = self.form.blocks
        behaviour = require_vector(self.form, self.behaviour)
        for player in range(self.form.players):
            wrong = first_wrong(plex, player, behaviour, SLACK)
            if wrong >= 0:
                raise BadInput(_complaint(self.form, player, behaviour, wrong))

    def _players(self, player: int | None) -> range:
        if player is None:
            return range(self.form.players)
        first = whole("player", player, 1, self.form.players) - 1
        return range(first, first + 1)

    def __eq__(self, other: object) -> bool:
        """Same game, same form, same probabilities to the last bit."""
        if not isinstance(other, Strategy):
            return NotImplemented
        if self.form is not other.form and self.form.fingerprint() != other.form.fingerprint():
            return False
        return bool(np.array_equal(self.behaviour, other.behaviour))

    def __hash__(self) -> int:
        return hash(self.form.sizes)

    def __repr__(self) -> str:
        points = " + ".join(f"{count:,}" for count in self.form.sizes.decision_points)
        return f"Strategy({self.form.spec!r}, {points} decision points)"

    def __str__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        from regretless.strategy.tables import SHOWN_ROWS

        return self.table(10 * SHOWN_ROWS).html()

    def table(self, most: int | None = None) -> Table:
        """The first decision points, one per line."""
        from regretless.strategy.tables import SHOWN_ROWS, table

        return table(self, SHOWN_ROWS if most is None else most)


def require_vector(form: Form, given: Any, what: str = "behaviour") -> Floats:
    """Input for kernels: one contiguous vector of floats, one number per sequence."""
    needed = sum(form.sizes.sequences)
    try:
        vector = np.asarray(given)
    except (TypeError, ValueError):
        raise BadInput(f"{what} of {form.spec}: must be {needed:,} numbers") from None
    if vector.shape != (needed,):
        raise BadInput(
            f"{what} of shape {vector.shape}: {form.spec} has {needed:,} sequences, so it "
            f"must be ({needed},)"
        )
    if vector.dtype.kind in "iub":
        vector = vector.astype(np.float64)
    native = vector.dtype.newbyteorder("=")
    if native not in (np.float32, np.float64):
        raise BadInput(f"{what} of type {vector.dtype}: must be float64 or float32")
    return np.ascontiguousarray(vector, dtype=native)


def _complaint(form: Form, player: int, behaviour: Floats, sequence: int) -> str:
    plex = form.blocks
    if sequence == plex.roots[player]:
        return f"probability of player {player + 1}'s empty sequence: must be 1"
    for first, actions, lanes, _ in plex.blocks[plex.ranges[player] : plex.ranges[player + 1]]:
        if first <= sequence < first + actions * lanes:
            chosen = behaviour[sequence : sequence + actions * lanes : lanes][:actions]
            probabilities = ", ".join(f"{p:.3g}" for p in chosen)
    return (
        f"probabilities of player {player + 1} are {probabilities} at a decision point: "
        "must be ≥ 0 and sum to 1"
    )
