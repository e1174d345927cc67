"""Purification and thresholding: random matrix games, Leduc hold'em (Table 2), exploitability.

Ganzfried, Sandholm & Waugh 2012, "Strategy purification and thresholding", as shown in Sandholm's
slides on solving large games.

A strategy `own-opponent` of Leduc combines seats of two abstract games: player 1 of `own-opponent`
and player 2 of `opponent-own`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._catalog import abstract
from regretless.core.arrays import Floats
from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Table
from regretless.evaluation.equilibrium_opponents import EquilibriumOpponents, Range
from regretless.evaluation.exploitability import measured
from regretless.evaluation.pathologies import own_links
from regretless.forms.form import own, plan_of
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.runs.solve import solve
from regretless.strategy.purification import Rounding
from regretless.strategy.strategy import Strategy
from regretless.studies import _matrix_games
from regretless.studies._study import Beside, Cell, Picture

PARTITIONS = ("JQK", "J.QK", "JQ.K", "J.Q.K", "full")
PAIRS = tuple(
    f"{mine}-{theirs}"
    for mine, theirs in product(PARTITIONS, PARTITIONS)
    if (mine, theirs) != ("full", "full")
)
ROUNDS, STARTS = 3, 3  # of the search over all equilibria
EPSILON = 0.001  # chips that an equilibrium of the abstract game may give up: a millibet
MILLI = 1000.0  # millibets; a bet is one chip, the ante


class Earned(NamedTuple):
    """Mean over both seats, in mb/h."""

    base: Range
    purified: Range


@dataclass
class Leduc:
    """The full game, its equilibria, and strategies from abstractions of it."""

    form: SequenceForm = field(default_factory=lambda: sequence_form("leduc"))
    made: dict[tuple[str, str], Strategy] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.opponents = EquilibriumOpponents(self.form)

    def strategy(self, pair: str, method: str) -> Strategy:
        """The strategy `own-opponent`, both seats, in the full game."""
        if (pair, method) not in self.made:
            behaviour = np.empty(sum(self.form.sizes.sequences))
            for player, by in enumerate((pair, reverse(pair))):
                seat = self.seat(by, method)
                behaviour[own(self.form, player)] = seat.behaviour[own(self.form, player)]
            self.made[pair, method] = Strategy(self.form, behaviour)
        return self.made[pair, method]

    def seat(self, by: str, method: str) -> Strategy:
        """An equilibrium of the abstract game, lifted."""
        made = abstract(self.form, by)
        name, _, iterations = method.partition(", ")
        limit = int(iterations.split()[0]) if iterations else None
        return made.lift(solve(made.form(), method=name, iterations=limit).strategy)

    def earned(self, pair: str, method: str) -> Earned:
        """Against equilibrium opponents, before and after purification."""
        base = self.strategy(pair, method)
        return Earned(self._range(base), self._range(base.purified()))

    def exploitability(self, strategy: Strategy) -> float:
        """In mb/h."""
        return MILLI * measured(strategy).exploitability

    def _range(self, strategy: Strategy) -> Range:
        seats = [self.opponents.range(strategy, player) for player in (1, 2)]
        return Range(*(MILLI * float(part) for part in np.mean(seats, axis=0)))


def reverse(pair: str) -> str:
    """`b-a` for `a-b`."""
    mine, theirs = pair.split("-")
    return f"{theirs}-{mine}"


def of_all_equilibria(leduc: Leduc, pair: str) -> tuple[float, float]:
    """The range of what the strategy may earn over all equilibria: its own in the abstract game, to
    within a millibet, and the opponent's in the full game. mb/h, mean over both seats.

    The two are improved in turn from several starts, so the true range may be wider."""
    ends = [_ends(leduc, abstract(leduc.form, pair), 1)]
    ends.append(_ends(leduc, abstract(leduc.form, reverse(pair)), 2))
    least, most = np.mean(ends, axis=0)
    return MILLI * float(least), MILLI * float(most)


def _ends(leduc: Leduc, made: Abstraction, player: int) -> tuple[float, float]:
    form = made.form()
    assert isinstance(form, SequenceForm)
    inside, full = EquilibriumOpponents(form, epsilon=EPSILON), leduc.opponents
    links = own_links(made, player - 1)
    extremes = []
    for sign in (-1.0, 1.0):
        ends = []
        for plan in _starts(inside, player):
            for _ in range(ROUNDS):
                other = full.extreme(player, plan[links], sign)
                gain = np.zeros(plan.size)
                np.add.at(gain, links, full.earned(player, other))
                plan = inside.own_extreme(player, sign * gain)
            ends.append(sign * float(gain @ plan))
        extremes.append(sign * max(ends))
    return extremes[0], extremes[1]


def _starts(inside: EquilibriumOpponents, player: int) -> Iterator[Floats]:
    """Own plans of the abstract game: a vertex, an average of CFR+, and vertices at random."""
    yield inside.plans[player - 1]
    average = solve(inside.form, method="cfr+", iterations=200).strategy.behaviour
    yield plan_of(inside.form, average)[own(inside.form, player - 1)]
    rng = np.random.default_rng(player)
    for _ in range(STARTS):
        yield inside.own_extreme(player, rng.normal(size=inside.plans[player - 1].size))


ABOUT = """Strategies of abstractions against equilibrium opponents of the full game, before and
after purification (Ganzfried, Sandholm & Waugh 2012)."""
# Table 2: base EV, purified EV, mb/h.
PUBLISHED = {
    "JQ.K-J.QK": (-119.46, -37.75),
    "J.QK-full": (-115.63, -41.83),
    "J.QK-J.Q.K": (-96.66, -27.35),
    "JQ.K-J.Q.K": (-96.48, -28.76),
    "JQ.K-full": (-99.30, -39.13),
    "JQ.K-JQK": (-80.14, -24.50),
    "JQ.K-JQ.K": (-59.97, -8.31),
    "J.Q.K-J.QK": (-60.28, -13.97),
    "J.Q.K-J.Q.K": (-46.23, -1.86),
    "J.Q.K-JQ.K": (-44.61, -3.85),
    "full-JQK": (-43.80, -10.95),
    "J.QK-J.QK": (-96.60, -67.42),
    "J.QK-JQK": (-95.69, -67.14),
    "full-J.QK": (-52.94, -24.55),
    "J.QK-JQ.K": (-77.86, -52.62),
    "J.Q.K-full": (-68.10, -46.43),
    "full-JQ.K": (-55.52, -36.38),
    "full-J.Q.K": (-51.14, -40.32),
    "JQK-J.QK": (-282.94, -279.44),
    "JQK-full": (-273.87, -279.99),
    "JQK-J.Q.K": (-258.29, -279.99),
    "J.Q.K-JQK": (-156.35, -188.00),
    "JQK-JQK": (-386.89, -433.64),
    "JQK-JQ.K": (-274.69, -322.41),
}
# Exploitability of two bots for limit hold'em by threshold, mb/h.
BOTS = {
    "none": (463.591, 235.209),
    "0.05": (326.119, 243.705),
    "0.15": (318.465, 258.53),
    "0.25": (335.048, 277.841),
    "purified": (349.873, 437.242),
}
THRESHOLDS = {"none": 0.0, "0.05": 0.05, "0.15": 0.15, "0.25": 0.25, "purified": None}
METHODS = ("cfr+, 1000 iterations", "lp")  # the first is that of the tables
QUICK = ("JQ.K-J.QK", "J.Q.K-J.Q.K", "full-JQK", "JQK-JQK")
SEED = 2012


def tables(listen: Listener, *, quick: bool = False) -> Iterator[Table | Picture]:
    """Matrix games, Table 2, and exploitability; `quick` uses four pairs and fewer games."""
    yield matrix_games(listen, 20_000 if quick else 200_000)
    leduc, pairs = Leduc(), QUICK if quick else tuple(PUBLISHED)
    earned: dict[str, Earned] = {}
    wide: dict[str, tuple[float, float]] = {}
    for number, pair in enumerate(pairs):
        listen(Progress(f"Leduc {pair}", done=number / len(pairs)))
        earned[pair] = leduc.earned(pair, METHODS[0])
        wide[pair] = of_all_equilibria(leduc, pair)
    yield _table_2(earned, wide)
    yield _by_method(listen, leduc, earned)
    curves = _curves(listen, leduc, pairs)
    yield _by_threshold(curves)
    yield Picture("table-2", lambda path: _draw_table(earned, wide, path))
    yield Picture("thresholds", lambda path: _draw_thresholds(curves, path))


def matrix_games(listen: Listener, count: int) -> Table:
    """4×4 games; the abstraction ignores the last row and column."""
    gains: list[Floats] = []
    at_once = 20_000
    for start in range(0, count, at_once):
        listen(Progress("random matrix games", done=start / count))
        games = _matrix_games.random_games((SEED, start), min(at_once, count - start), 4, 4)
        gains.append(played(games))
    base, purified, worst_base, worst_purified = np.concatenate(gains, axis=1)
    rows = []
    pairs = {
        "against an equilibrium opponent": (base, purified),
        "against a best response": (worst_base, worst_purified),
    }
    for name, (before, after) in pairs.items():
        change = after - before
        margin = 1.96 * float(change.std(ddof=1)) / np.sqrt(len(change))
        rows.append(
            {
                "opponent": name,
                "base": float(before.mean()),
                "purified": float(after.mean()),
                "change ± 95 %": f"{change.mean():+.5f} ± {margin:.5f}",
                "% better": 100 * float(np.mean(change > 1e-9)),
                "% worse": 100 * float(np.mean(change < -1e-9)),
            }
        )
    title = f"{len(base):,} random 4×4 games, last row and column ignored"
    return Table.of(title, rows, MATRICES)


def played(games: Floats) -> Floats:
    """[4, game] base and purified, against an equilibrium opponent, then against a best response;
    relative to the value of the game."""
    _, y, values = _matrix_games.solved(games)
    small, _, inner = _matrix_games.solved(np.ascontiguousarray(games[:, :-1, :-1]))
    good = ~(np.isnan(values) | np.isnan(inner))
    games, y, values = games[good], y[good], values[good]
    base = np.pad(small[good], ((0, 0), (0, 1)))
    purified = Rounding.of()(base.T).T
    earned = [np.einsum("gr,grc->gc", x, games) for x in (base, purified)]
    against = [np.einsum("gc,gc->g", own, y) - values for own in earned]
    return np.array([*against, *(own.min(axis=1) - values for own in earned)])


def _table_2(earned: dict[str, Earned], wide: dict[str, tuple[float, float]]) -> Table:
    rows = []
    for pair, (base, pure) in earned.items():
        theirs, purified = PUBLISHED[pair]
        least, most = wide[pair]
        rows.append(
            {
                "strategy": pair,
                "base": Beside(theirs, base.given),
                "over opponents": _span(base.least, base.most),
                "over all equilibria": _span(least, most),
                "includes published": "yes" if least <= theirs <= most else "no",
                "purified": Beside(purified, pure.given),
                "over opponents, purified": _span(pure.least, pure.most),
                "improvement": Beside(round(purified - theirs, 2), pure.given - base.given),
            }
        )
    return Table.of("Table 2: Leduc, mb/h against an equilibrium opponent", rows, TABLE_2)


def _span(least: float, most: float) -> str:
    return f"{least:.1f} … {most:.1f}"


def _by_method(listen: Listener, leduc: Leduc, exact: dict[str, Earned]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    theirs = np.array([PUBLISHED[pair] for pair in exact])
    rows.append(_summary("published", theirs[:, 0], theirs[:, 1]))
    for method in METHODS:
        earned = exact
        if method != METHODS[0]:
            listen(Progress(f"Leduc, {method}"))
            earned = {pair: leduc.earned(pair, method) for pair in exact}
        base = np.array([one.base.given for one in earned.values()])
        pure = np.array([one.purified.given for one in earned.values()])
        rows.append(_summary(method, base, pure))
    columns = ("abstract game solved by", "base, mean", "purified, mean", "improved", "of")
    return Table("Table 2 by method, mb/h", columns, rows, BY_METHOD)


def _summary(name: str, base: Floats, pure: Floats) -> tuple[Cell, ...]:
    improved = int(np.count_nonzero(pure > base + 1e-9))
    return (name, float(base.mean()), float(pure.mean()), improved, len(base))


def _curves(listen: Listener, leduc: Leduc, pairs: tuple[str, ...]) -> dict[str, list[float]]:
    """pair → exploitability by threshold."""
    curves = {}
    for pair in pairs:
        listen(Progress(f"exploitability of {pair}"))
        base = leduc.strategy(pair, METHODS[0])
        curves[pair] = [
            leduc.exploitability(base.purified(threshold=c)) for c in THRESHOLDS.values()
        ]
    return curves


def _by_threshold(curves: dict[str, list[float]]) -> Table:
    numbers = np.array(list(curves.values()))
    best = np.bincount(numbers.argmin(axis=1), minlength=len(THRESHOLDS))
    rows = [
        {
            "threshold": name,
            "hold'em bot of 2010": BOTS[name][0],
            "hold'em bot of U. Alberta": BOTS[name][1],
            "ours: Leduc, mean": float(numbers[:, k].mean()),
            "ours: best for": int(best[k]),
        }
        for k, name in enumerate(THRESHOLDS)
    ]
    title = f"Exploitability by threshold, mb/h; ours: {len(curves)} strategies of Leduc"
    return Table.of(title, rows, BY_THRESHOLD)


def _draw_table(
    earned: dict[str, Earned], wide: dict[str, tuple[float, float]], path: Path
) -> None:
    figure, (panel,) = panels(1, width=9, height=1.2 + 0.32 * len(earned))
    for row, (pair, (base, pure)) in enumerate(earned.items()):
        panel.plot(wide[pair], [row + 0.15] * 2, c="#9ec5ea", lw=6, solid_capstyle="butt")
        panel.plot([base.least, base.most], [row + 0.15] * 2, c="#1f5fa8", lw=3)
        panel.plot([pure.least, pure.most], [row - 0.15] * 2, c="#e6862c", lw=3)
        panel.plot([base.given], [row + 0.15], "o", c="#1f5fa8", ms=4)
        panel.plot([pure.given], [row - 0.15], "o", c="#e6862c", ms=4)
        theirs = PUBLISHED[pair]
        panel.plot(theirs, [row + 0.15, row - 0.15], "kx", ms=5)
    names = {"base": "#1f5fa8", "base, all equilibria": "#9ec5ea", "purified": "#e6862c"}
    for name, colour in names.items():
        panel.plot([], [], c=colour, lw=4, label=name)
    panel.plot([], [], "kx", ms=5, label="published")
    panel.set_yticks(range(len(earned)), list(earned), fontsize=8)
    panel.invert_yaxis()
    panel.set_xlabel("mb/h against equilibrium opponents of the full game")
    panel.legend(fontsize=8)
    write_figure(figure, path)


def _draw_thresholds(curves: dict[str, list[float]], path: Path) -> None:
    figure, (panel,) = panels(1, width=7)
    for numbers in curves.values():
        panel.plot(range(len(numbers)), numbers, c="#9ec5ea", lw=1)
    mean = np.mean(list(curves.values()), axis=0)
    panel.plot(range(len(mean)), mean, c="#1f5fa8", lw=2.5, marker="o", label="mean")
    panel.set_xticks(range(len(mean)), list(THRESHOLDS))
    panel.set(xlabel="threshold", ylabel="exploitability, mb/h")
    panel.legend()
    write_figure(figure, path)


MATRICES = """Payoffs are uniform from -1 to 1. What the row player's strategy of the 3×3 game earns
in the 4×4 game, relative to its value. The slides state the sign for an equilibrium opponent, at
the 95 % level, without numbers. Games in which the 3×3 equilibrium is pure are not changed."""
TABLE_2 = """Cells read published → ours. Mean over both seats; a millibet is a thousandth of the
ante, which is what the published numbers fit. Equilibria are not unique, neither of the full game
nor of the abstract ones. Ours is for the average of CFR+ in the abstract game against the
equilibrium that the linear program finds; "over opponents" is the exact range over all equilibrium
opponents of the full game; "over all equilibria" also ranges over all strategies that are an
equilibrium of the abstract game to within a millibet, the accuracy of iterative methods (found by
improving both in turn, so the true range may be wider). The published numbers outside it involve
J.QK; the slides do not say how that partition treats the board card."""
BY_METHOD = """Means over the strategies of the table above; `lp` finds vertices, which mix less.
Purification helps most strategies with either method."""
BY_THRESHOLD = """Exploitability in the full game, mean of both seats. The published bots are for
limit hold'em: different strategies and amounts, shown for the shape. Ours is the mean over the
strategies of Table 2, and the number of strategies for which a threshold is best."""
