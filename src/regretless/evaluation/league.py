"""A league: every strategy against every set of opponents, from every position.

Reported as in computer poker tournaments: a cross table, means by position, and means
by cyclic order around the table. For two players the cross table is row against column,
the mean of both seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regretless.core.errors import UnknownName
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.tables import Column, Estimated, Shown, Table, csv_text, page, prose
from regretless.evaluation.entrants import Entrant, entrants
from regretless.evaluation.payoffs import Cell, Payoffs, computed, played
from regretless.evaluation.seatings import Mix, Seatings
from regretless.evaluation.winnings import Unit, stake_unit
from regretless.forms.tree import game_tree, require_small
from regretless.games._catalog import load
from regretless.games._state import Game
from regretless.kernels.compiled import announced

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class League(Shown):
    """Mean payoffs of all seatings, and the tables made of them."""

    game: str
    names: tuple[str, ...]
    seatings: Seatings
    payoffs: Payoffs
    unit: Unit
    seed: int = 0
    asked: int = 0  # deals requested; 0: computed over all deals

    def __repr__(self) -> str:
        how = f"{self.payoffs.deals:,} deals" if self.asked else "all deals"
        return f"League({self.game!r}, {', '.join(self.names)}; {how})"

    @property
    def players(self) -> int:
        return self.seatings.players

    @property
    def exact(self) -> bool:
        return not self.asked

    @property
    def interrupted(self) -> bool:
        return self.payoffs.deals < self.asked

    def against(self, name: str, *opponents: str) -> Cell:
        """What a strategy earns against these opponents, all seatings weighted equally."""
        rest = tuple(sorted(map(self._number, opponents)))
        return self._cell(self.seatings.against(self._number(name), rest))

    @cached_property
    def cross(self) -> dict[tuple[str, ...], dict[str, Cell]]:
        """Opponents -> strategy -> what the strategy earns against them."""
        seatings, count = self.seatings, range(len(self.names))
        return {
            tuple(self.names[i] for i in rest): {
                self.names[one]: self._cell(seatings.against(one, rest))
                for one in count
                if seatings.meets(one, rest)
            }
            for rest in seatings.opponents()
        }

    @cached_property
    def positions(self) -> dict[str, tuple[Cell, ...]]:
        """Strategy -> what it earns from every position; sets of opponents weigh equally."""
        return {
            name: tuple(
                self._cell(self.seatings.from_position(one, position))
                for position in range(self.players)
            )
            for one, name in enumerate(self.names)
        }

    @cached_property
    def overall(self) -> dict[str, Cell]:
        """Strategy -> what it earns, best first."""
        earned = {
            name: self._cell(self.seatings.overall(one)) for one, name in enumerate(self.names)
        }
        return dict(sorted(earned.items(), key=lambda pair: -pair[1].mean))

    @cached_property
    def orders(self) -> dict[tuple[str, ...], tuple[Cell, ...]]:
        """Cyclic order -> what each of its seats earns while positions rotate."""
        return {
            tuple(self.names[i] for i in order): tuple(
                self._cell(self.seatings.in_order(order, seat)) for seat in range(self.players)
            )
            for order in self.seatings.orders()
        }

    def facts(self) -> dict[str, Any]:
        """The numbers as JSON-compatible data."""
        return {
            "game": self.game,
            "strategies": list(self.names),
            "players": self.players,
            "unit": self.unit.name,
            "exact": self.exact,
            "deals": self.payoffs.deals,
            "hands": self.payoffs.deals * len(self.seatings.all),
            "interrupted": self.interrupted,
            "seed": self.seed,
            "cross": [
                {"strategy": name, "opponents": list(rest), **_fact(cell)}
                for rest, row in self.cross.items()
                for name, cell in row.items()
            ],
            "positions": {
                name: [_fact(cell) for cell in cells] for name, cells in self.positions.items()
            },
            "orders": [
                {"order": list(order), "seats": [_fact(cell) for cell in cells]}
                for order, cells in self.orders.items()
            ],
            "overall": {name: _fact(cell) for name, cell in self.overall.items()},
        }

    def tables(self) -> list[Table]:
        """Standings, cross table, and for three players or more the cyclic orders."""

        return tables(self)

    def markdown(self) -> str:
        """All tables as Markdown."""

        return page(f"League of {self.game}", about(self), self.tables())

    def csv(self) -> str:
        """All numbers, one per row."""

        return csv(self)

    def plot(self, path: str | Path | None = None) -> Figure:
        """The cross table as a heat map; written to a file if one is named."""
        from regretless.evaluation.league_picture import heat_map

        return heat_map(self, path)

    def _number(self, name: str) -> int:
        if name not in self.names:
            raise UnknownName("strategy", name, self.names)
        return self.names.index(name)

    def _cell(self, mix: Mix) -> Cell:
        mean = self.payoffs.mean(mix)
        return Cell(*(number * self.unit.scale for number in mean))


def league(
    game: str | Game,
    strategies: Sequence[Entrant] | Mapping[str, Entrant],
    *,
    hands: int | None = None,
    seed: int = 0,
    duplicates: bool = True,
    listen: Listener = nobody,
) -> League:
    """Play strategies (files, simple names, or a mapping of names to them) against each other.

    Without `hands`: expected payoffs over all deals. Otherwise that many deals are drawn, and
    each is played in every seating. `duplicates=False` leaves out tables at which a
    strategy plays against itself."""
    game = load(game) if isinstance(game, str) else game
    seatings = Seatings(len(strategies), game.players, duplicates)
    if hands is not None:
        require_small(game)
    with announced(lambda name: listen(Progress(f"compiling {name} (once per machine)"))):
        listen(Progress("building the form"))
        form, by_name = entrants(game, strategies, explicit=hands is not None)
        behaviours = [strategy.behaviour for strategy in by_name.values()]
        if hands is None:
            payoffs = computed(form, behaviours, seatings.all, listen=listen)
        else:
            tree = game_tree(game, form)
            payoffs = played(tree, behaviours, seatings.all, deals=hands, seed=seed, listen=listen)
    return League(game.spec, tuple(by_name), seatings, payoffs, unit_of(game), seed, hands or 0)


def unit_of(game: Game) -> Unit:
    """Thousandths of an ante where blinds are equal, otherwise of the big blind; or chips."""
    blinds = game.rules.blinds if game.rules else (0,)
    return stake_unit(max(blinds), antes=len(set(blinds)) == 1)


def _fact(cell: Cell) -> dict[str, float]:
    return {"mean": cell.mean, "half_width": cell.half_width, "plain_half_width": cell.plain}


COLUMNS = ("table", "strategy", "opponents", "order", "position", "mean", "half_width_95")


def tables(league: League) -> list[Table]:
    """Standings, cross table, and for three players or more the cyclic orders."""
    two = league.players == 2
    return [standings(league), *([_square(league)] if two else [_tall(league), _orders(league)])]


def about(league: League) -> str:
    """One line on how the numbers were obtained."""
    met = f"{len(league.seatings.all):,} seatings"
    if league.exact:
        return f"{league.game}: {met}, exact over all deals, in {league.unit.words}"
    cut = f" of {league.asked:,} requested (interrupted)" if league.interrupted else ""
    return (
        f"{league.game}: {league.payoffs.deals:,} deals{cut}, each played in {met}, "
        f"seed {league.seed}, in {league.unit.words}, ± is a 95 % confidence interval"
    )


def standings(league: League) -> Table:
    """Best first: by position, overall, and the variance reduction of playing the same deals."""
    heads = [*(f"position {i + 1}" for i in range(league.players)), "overall"]
    heads += [] if league.exact else ["± same deals", "± new deals"]
    rows = [
        (
            name,
            *(one.mean for one in league.positions[name]),
            cell.mean,
            *(() if league.exact else (cell.half_width, cell.plain)),
        )
        for name, cell in league.overall.items()
    ]
    return _table(league, "Standings", "strategy", heads, rows)


def _square(league: League) -> Table:
    """Two players: row against column."""
    names = league.names
    rows = [
        (name, *(_shown(league, league.cross[other,].get(name)) for other in names))
        for name in names
    ]
    return _table(league, "Row against column, both seats", "", names, rows)


def _tall(league: League) -> Table:
    """What the strategy of a column earns against the opponents of a row."""
    lines = [(", ".join(rest), row) for rest, row in league.cross.items()]
    rows = [
        (head, *(_shown(league, row.get(name)) for name in league.names))
        for head, row in [*lines, ("overall", league.overall)]
    ]
    title = "Column against the opponents of the row, all seatings"
    return _table(league, title, "opponents", league.names, rows)


def _orders(league: League) -> Table:
    rows = [
        (" → ".join(order), *(_shown(league, cell) for cell in cells))
        for order, cells in league.orders.items()
        if len(set(order)) > 1
    ]
    seats = [f"seat {i + 1}" for i in range(league.players)]
    return _table(league, "By order around the table", "order", seats, rows)


def _table(
    league: League, title: str, first: str, heads: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> Table:
    columns = (prose(first), *(Column(head, league.unit.format) for head in heads))
    return Table(f"{title} ({league.unit.name})", columns, rows)


def _shown(league: League, cell: Cell | None) -> float | Estimated | None:
    if cell is None or league.exact:
        return cell and cell.mean
    return Estimated(cell.mean, cell.half_width)


def csv(league: League) -> str:
    """One number per row; fields that do not apply to a table are empty."""
    rows: list[tuple[Any, ...]] = [
        ("cross", name, " ".join(rest), "", "", *cell)
        for rest, cells in league.cross.items()
        for name, cell in cells.items()
    ]
    rows += [
        ("position", name, "", "", position, *cell)
        for name, seats in league.positions.items()
        for position, cell in enumerate(seats, start=1)
    ]
    rows += [
        ("order", order[seat], "", " ".join(order), seat + 1, *cell)
        for order, seats in league.orders.items()
        for seat, cell in enumerate(seats)
    ]
    rows += [("overall", name, "", "", "", *cell) for name, cell in league.overall.items()]
    unit = league.unit.name
    names = (*COLUMNS, "half_width_95_new_deals", "unit")
    return csv_text(names, [(*row, unit) for row in rows])
