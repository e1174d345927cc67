"""What to do with every hand of a tournament: charts, what they are worth, tables and lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretless.cards.holdings import CLASSES
from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, UnknownName
from regretless.core.tables import Column, Table
from regretless.runs.tournaments import TournamentSolution

RANKS = 13
KINDS = ("tournament", "icm", "chips")
TITLES = {"tournament": "tournament", "icm": "ICM", "chips": "chip EV"}
PURE = 0.98  # a hand that jams as often as this always does


@dataclass(frozen=True, eq=False)
class Chart:
    """One decision: how often every class jams, and what that gains over folding."""

    position: str
    jammed: tuple[str, ...]  # positions all-in before
    names: tuple[str, ...]
    jams: dict[str, Floats]  # by utility: [class] frequency
    gains: Floats  # [class] value of jamming less that of folding, in prizes
    chances: Floats  # [class] to be here with it, if the player is

    @property
    def title(self) -> str:
        """The decision in words."""
        return f"{self.position} " + (
            f"calls {' and '.join(self.jammed)}" if self.jammed else "first in"
        )

    @property
    def percent(self) -> float:
        """Hands that jam."""
        return float(100 * self.chances @ self.jams["tournament"])

    def differing(self, kind: str) -> float:
        """Percent of hands that another utility would play otherwise."""
        change = np.abs(self.jams["tournament"] - self.jams[kind])
        return float(100 * self.chances @ change)

    def lines(self, kind: str = "tournament") -> list[str]:
        """13 lines of a grid, aces first: a name jams, a number is a percentage, a dot folds."""
        cells = [
            name if jam >= PURE else "·" if jam <= 1 - PURE else f"{100 * jam:.0f}"
            for name, jam in zip(self.names, self.jams[kind], strict=True)
        ]
        if len(cells) != CLASSES:
            return [" ".join(cells)]
        rows = np.array(cells, dtype=object).reshape(RANKS, RANKS)[::-1, ::-1]
        return [" ".join(f"{cell:<3}" for cell in row).rstrip() for row in rows]


def charts(solution: TournamentSolution, kinds: tuple[str, ...] = KINDS) -> list[Chart]:
    """The charts of one hand, in the order in which players act."""
    stage, found = solution.hand, []
    plans = {kind: solution.plan(kind) for kind in kinds}
    names, positions = solution.showdowns.names, stage.rules.positions
    for player, histories in enumerate(stage.rules.decisions):
        chances = stage.chances(player, plans["tournament"])
        earned = solution.utility()[:, player] @ chances
        reach = chances.sum(axis=0)
        for at, history in enumerate(histories):
            fold = 1 + at * len(names) + np.arange(len(names))
            jam = fold + len(histories) * len(names)
            with np.errstate(invalid="ignore", divide="ignore"):
                gains = np.where(reach[jam] > 0, (earned[jam] - earned[fold]) / reach[jam], np.nan)
            jams = {kind: plan[stage.own(player)][jam] for kind, plan in plans.items()}
            total = float(reach[jam].sum())
            shares = reach[jam] / total if total > 0 else np.full(len(names), np.nan)
            jammed = tuple(positions[p] for p, letter in enumerate(history) if letter not in "fx")
            found.append(Chart(positions[player], jammed, names, jams, gains, shares))
    return found


def values_table(solution: TournamentSolution) -> Table:
    """Every player's chips in prizes, by three measures, and what other charts would cost."""
    stage, rules = solution.hand, solution.rules
    plans = {kind: solution.plan(kind) for kind in KINDS}
    worth = solution.worth()
    rows = []
    for player, stack in enumerate(solution.stacks):
        mine = stage.own(player)
        earned = solution.utility()[:, player] @ stage.chances(player, plans["tournament"])
        own = earned @ plans["tournament"][mine]
        costs = [float(own - earned @ plans[kind][mine]) for kind in ("icm", "chips")]
        share = stack / rules.chips
        rows.append(
            (
                stage.rules.positions[player],
                stack,
                float(worth[player]),
                float(rules.worth(solution.stacks)[player]),
                float(share * sum(rules.prizes)),
                *costs,
            )
        )
    columns = (
        "position",
        Column("chips", ",.0f"),
        Column("worth", ".2f"),
        Column("ICM before the hand", ".2f"),
        Column("share of chips", ".2f"),
        Column("cost of ICM's chart", ".4f"),
        Column("cost of chip EV's", ".4f"),
    )
    return Table("What the stacks are worth", columns, rows, NOTE)


def decisions_table(found: list[Chart]) -> Table:
    """One line per decision."""
    rows = [(one.title, one.percent, one.differing("icm"), one.differing("chips")) for one in found]
    columns = (
        "decision",
        Column("jams, %", ".1f"),
        Column("ICM differs, %", ".1f"),
        Column("chip EV differs, %", ".1f"),
    )
    return Table("Decisions", columns, rows)


def hands_table(found: list[Chart]) -> Table:
    """One line per decision and class, for files."""
    rows = [
        (one.title, name, *(float(one.jams[kind][c]) for kind in one.jams), float(one.gains[c]))
        for one in found
        for c, name in enumerate(one.names)
    ]
    kinds = [Column(TITLES[kind], ".4f") for kind in (found[0].jams if found else KINDS)]
    return Table("Hands", ("decision", "hand", *kinds, Column("gain", "+.4f")), rows)


def chart_at(found: list[Chart], position: str, after: str | None) -> Chart:
    """The decision of a position after who has jammed before, by default the first one.

    `position` is `button`, `small`, `big`, or as in charts; `after` is `fold`, or the positions
    that are all-in, such as `BTN+SB`."""
    known = {one.position.lower(): one.position for one in found}
    first = found[0].position.lower() if found else ""
    words = {"button": "btn" if "btn" in known else first, "small": "sb", "big": "bb"}
    name = known.get(words.get(position.lower(), position.lower()))
    if name is None:
        raise UnknownName("position", position, ["button", "small", "big", *known.values()])
    mine = [one for one in found if one.position == name]
    if after is None:
        return mine[0]
    wanted = {part for part in after.lower().split("+") if part != "fold"}
    for one in mine:
        if wanted == {jammed.lower() for jammed in one.jammed}:
            return one
    ways = [" and ".join(one.jammed) or "fold" for one in mine]
    raise BadInput(f"after={after}: {name} decides after {', '.join(ways)}")


NOTE = """In the unit of the prizes: the value of the hand if all play the tournament's charts; the
independent chip model; the share of chips. What a player would lose per hand by playing the charts
of an equilibrium for ICM or for chips, while the others play the tournament's."""
