"""Jam/fold tournaments as stochastic games: four algorithms, and what differs from ICM and cash.

Ganzfried & Sandholm 2008 and 2009, as shown in Sandholm's slides on solving large games: three
players, 13,500 chips, blinds 300/600, prizes 50/30/20 dollars. Miltersen & Sørensen 2007: two
players with 8,000 chips."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

import numpy as np

from regretless.cards.orders import orders
from regretless.cards.showdowns import Showdowns, holdem_showdowns
from regretless.core.arrays import Floats
from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Column, Table
from regretless.forms.jam_fold import jam_fold_stage
from regretless.games._jam_fold import JamFold
from regretless.runs.tournament_charts import charts, values_table
from regretless.runs.tournaments import TournamentSolution, solve_tournament
from regretless.stochastic.algorithms import vi_fp
from regretless.stochastic.algorithms._outer import OuterLoop
from regretless.stochastic.catalog import stochastic_solver
from regretless.stochastic.certificate import certified
from regretless.stochastic.game import StochasticGame
from regretless.stochastic.inner import fictitious_play
from regretless.stochastic.shapley import shapley_game, shapley_value
from regretless.stochastic.soccer import soccer_game
from regretless.stochastic.tournament import Blinds, Tournament, TournamentRules, tournament
from regretless.stochastic.values import Profile, first_plan, uniform_profile
from regretless.studies._study import Beside, Picture

ABOUT = """Tournaments near their end, where every player goes all-in or folds, as undiscounted
stochastic games of imperfect information (Ganzfried & Sandholm 2008, 2009): what four algorithms
reach in which time, checked by every player's best deviation; where tournament play differs
from the independent chip model and from cash games; and two players, where jam or fold is nearly
optimal and winning is nearly proportional to chips (Miltersen & Sørensen 2007)."""
PRIZES, BLINDS, CHIPS = (50.0, 30.0, 20.0), Blinds(300, 600), 13_500.0
TARGET = 0.05  # dollars: 0.1 % of the first prize
THREADS = 2


@dataclass(frozen=True)
class Size:
    """How much of the study is done."""

    units: dict[str, float]  # by algorithm: chips between states
    outer: dict[str, int]  # most outer iterations
    heads_up: float  # chips between states with two players
    chart_unit: float
    recency: float = 4.0  # of responses: less where few hands are mixed with much weight
    most: int = 500  # inner iterations
    wrong_unit: float = 1500.0


QUICK = Size(
    {"pi-fp": 4500, "vi-fp": 4500, "fp-mdp": 4500, "ftpl-mdp": 4500},
    {"pi-fp": 4, "vi-fp": 4, "fp-mdp": 2, "ftpl-mdp": 2},
    1000,
    4500,
    recency=1.0,
    most=60,
    wrong_unit=4500.0,
)
USUAL = Size(
    {"pi-fp": 900, "vi-fp": 900, "fp-mdp": 1500, "ftpl-mdp": 1500},
    {"pi-fp": 12, "vi-fp": 12, "fp-mdp": 12, "ftpl-mdp": 12},
    200,
    900,
)
FULL = replace(
    USUAL,
    units=dict.fromkeys(USUAL.units, 300.0),
    outer={"pi-fp": 20, "vi-fp": 20, "fp-mdp": 20, "ftpl-mdp": 20},
    chart_unit=300,
)
ALGORITHMS = ("pi-fp", "vi-fp", "fp-mdp", "ftpl-mdp")
PUBLISHED = {
    "pi-fp": "first to reach $0.05",
    "vi-fp": "second",
    "fp-mdp": "never reached it",
    "ftpl-mdp": None,
}


def tables(
    listen: Listener, *, quick: bool = False, full: bool = False
) -> Iterator[Table | Picture]:
    """Small games, two players, three players; `quick` uses a deck of five cards for three, and
    `full` all 946 states of three players for every algorithm."""
    size = QUICK if quick else FULL if full else USUAL
    yield _small_games(listen)
    yield _ten_big_blinds()
    yield _shares(size, listen)
    listen(Progress("the table of three hands"))
    showdowns = five_cards() if quick else holdem_showdowns(3, listen)
    runs = [run for name in ALGORITHMS for run in _curve(name, size, showdowns, listen)]
    yield _reached(runs)
    yield Picture("epsilon", lambda path: _draw(runs, path))
    yield _wrong_start(size, showdowns, listen)
    solution = solve_tournament(
        [4500.0] * 3,
        BLINDS,
        PRIZES,
        unit=size.chart_unit,
        threads=THREADS,
        showdowns=showdowns,
        listen=listen,
    )
    yield replace(values_table(solution), title="Equal stacks")
    yield differences(solution)


def five_cards() -> Showdowns:
    """A deck of five cards: the higher one wins."""
    pairs, triples = np.zeros((5, 5, 3)), np.zeros((5, 5, 5, 13))
    for table, count in ((pairs, 2), (triples, 3)):
        for deal in permutations(range(5), count):
            best = sorted(deal, reverse=True)
            order = tuple(best.index(card) for card in deal)
            table[(*deal, orders(count).index(order))] = 1
        table /= table.sum()
    return Showdowns(("T", "J", "Q", "K", "A"), pairs, triples)


def _small_games(listen: Listener) -> Table:
    games: list[tuple[str, StochasticGame, float, int]] = [
        ("shapley, stay 0.5", shapley_game(stay=0.5), shapley_value(0.5), 0),
    ]
    field = soccer_game(rows=2, columns=2, discount=0.9)
    start = [state.name for state in field.states].index("0,0 1,1 1")
    games.append(("soccer 2 × 2", field, float("nan"), 2 * start))
    rows = []
    for label, game, value, seat in games:
        for name in ALGORITHMS:
            listen(Progress(f"{label}, {name}"))
            running = _running(
                name, game, uniform_profile(game), regret=2e-3, recency=0.0, most=1000
            )
            for _ in range(12 if name.endswith("i-fp") else 100):
                running.step()
            check = certified(game, running.profile)
            ours = float(check.values[seat])
            rows.append((f"{label}: {name}", running.iteration, Beside(value, ours), check.epsilon))
    columns = ("game: algorithm", "iterations", "value, known → ours", "epsilon")
    return Table("Small games", columns, rows, SMALL)


def _running(
    name: str,
    game: StochasticGame,
    profile: Profile,
    *,
    regret: float,
    recency: float,
    most: int,
    **more: object,
) -> OuterLoop:
    inner = {"regret": regret, "recency": recency, "most": most} if name.endswith("i-fp") else {}
    return stochastic_solver(name, game, profile=profile, **inner, **more)


def _ten_big_blinds() -> Table:
    stage = jam_fold_stage(JamFold((10.0, 10.0), (0.5, 1.0)), holdem_showdowns(2))
    utility = stage.final_stacks - 10.0
    played = fictitious_play(stage, utility, first_plan(stage), regret=1e-7, most=3000, recency=4.0)
    alone = stage.showdowns.alone
    percent = [float(100 * alone @ played.plan[stage.own(p)][1:].reshape(2, -1)[1]) for p in (0, 1)]
    rows = [
        ("value of the small blind, big blinds", Beside(-0.04537, float(played.values[0]))),
        ("small blind jams, %", Beside(58.284, percent[0])),
        ("big blind calls, %", Beside(37.376, percent[1])),
        ("gain of any deviation, big blinds", Beside(None, float(played.gains.max()))),
    ]
    return Table("Two players, ten big blinds", ("", "another program → ours"), rows)


def _shares(size: Size, listen: Listener) -> Table:
    solution = solve_tournament(
        [4000.0, 4000.0],
        BLINDS,
        [1.0],
        unit=size.heads_up,
        epsilon=1e-4,
        threads=THREADS,
        listen=listen,
    )
    game, check = solution.game, solution.check
    assert check is not None
    rows = []
    for s in range(len(game.keys)):
        stacks = game.stacks(s)
        share = float(stacks[0] / stacks.sum())
        won = float(check.values[game.seats[s]])
        rows.append((float(stacks[0]), 100 * share, 100 * won, 100 * (won - share)))
    worst = max(abs(row[3]) for row in rows)
    columns = (
        Column("chips of the small blind", ",.0f"),
        Column("share, %", ".1f"),
        Column("wins, %", ".2f"),
        Column("difference", "+.2f"),
    )
    note = f"{SHARES} Largest difference: {worst:.2f} points. Gain of any deviation: at most "
    return Table("Two players, 8,000 chips", columns, rows, f"{note}{check.epsilon:.1e} of a win.")


@dataclass(frozen=True)
class Run:
    """An algorithm after an outer iteration."""

    name: str
    unit: float
    iteration: int
    seconds: float  # checks apart
    epsilon: float
    states: int


def _curve(name: str, size: Size, showdowns: Showdowns, listen: Listener) -> Iterator[Run]:
    unit = size.units[name]
    game = tournament(TournamentRules(PRIZES, CHIPS, 3, (BLINDS,)), unit, showdowns)
    values, profile = game.chip_values, [first_plan(state.stage) for state in game.states]
    started = time.perf_counter()
    if not name.endswith("i-fp"):  # they begin with equilibria for ICM
        begin = vi_fp.Method(
            game,
            regret=TARGET,
            recency=size.recency,
            most=size.most,
            values=values,
            profile=profile,
            threads=THREADS,
        )
        begin.step()
        profile = begin.profile
    running = _running(
        name,
        game,
        profile,
        regret=TARGET / 50,
        recency=size.recency,
        most=size.most,
        values=values,
        threads=THREADS,
        listen=listen,
    )
    checking = 0.0
    for _ in range(size.outer[name]):
        running.step()
        spent = time.perf_counter() - started - checking
        epsilon = certified(game, running.profile, threads=THREADS, listen=listen).epsilon
        checking = time.perf_counter() - started - spent
        yield Run(name, unit, running.iteration, spent, epsilon, len(game.states))
        if epsilon <= TARGET / 10:
            return


def _reached(runs: Sequence[Run]) -> Table:
    rows = []
    for name in ALGORITHMS:
        own = [run for run in runs if run.name == name]
        hits = [run for run in own if run.epsilon <= TARGET]
        best = min(own, key=lambda run: run.epsilon)
        rows.append(
            (
                name,
                own[0].states,
                hits[0].iteration if hits else None,
                hits[0].seconds if hits else None,
                best.epsilon,
                best.iteration,
                best.seconds,
                PUBLISHED[name] or "–",
            )
        )
    columns = (
        "algorithm",
        "states",
        "iterations to $0.05",
        Column("seconds to $0.05", ".0f"),
        Column("least epsilon, $", ".4f"),
        "iterations",
        Column("seconds", ".0f"),
        Column("published", align="left"),
    )
    return Table("Three players, 13,500 chips", columns, rows, REACHED)


def _wrong_start(size: Size, showdowns: Showdowns, listen: Listener) -> Table:
    """The slides' example: states of three players are believed to be worth $100 to everybody."""
    rules = TournamentRules(PRIZES, CHIPS, 3, (BLINDS,))
    game = tournament(rules, size.wrong_unit, showdowns)
    rows = []
    for name in ("vi-fp", "pi-fp"):
        running = _running(
            name,
            game,
            [first_plan(state.stage) for state in game.states],
            regret=TARGET / 50,
            recency=size.recency,
            most=size.most,
            values=wrong_values(game),
            threads=THREADS,
            listen=listen,
        )
        for _ in range(6):
            running.step()
            check = certified(game, running.profile, threads=THREADS, listen=listen)
            rows.append((f"{name}, iteration {running.iteration}", running.change, check.epsilon))
    columns = (
        "algorithm",
        Column("values changed by, $", ".3f"),
        Column("epsilon, $", ".3f"),
    )
    return Table("Values that are too high", columns, rows, WRONG)


def wrong_values(game: Tournament) -> Floats:
    """ICM for two players, $100 for each of three."""
    values = game.chip_values.copy()
    for s, state in enumerate(game.states):
        if state.stage.players == 3:
            values[game.seats[s] : game.seats[s + 1]] = 100.0
    return values


def differences(solution: TournamentSolution) -> Table:
    """Where the charts of a hand differ from those for ICM and for chips."""
    rows = []
    for chart in charts(solution):
        for kind in ("icm", "chips"):
            change = np.abs(chart.jams["tournament"] - chart.jams[kind])
            order = np.argsort(-np.nan_to_num(change * chart.chances))
            names = [chart.names[c] for c in order[:5] if change[c] > 0.5]
            rows.append(
                (
                    f"{chart.title}: {'ICM' if kind == 'icm' else 'chip EV'}",
                    chart.percent,
                    float(100 * chart.chances @ chart.jams[kind]),
                    chart.differing(kind),
                    ", ".join(names) or "–",
                )
            )
    columns = (
        "decision: compared with",
        Column("tournament jams, %", ".1f"),
        Column("it jams, %", ".1f"),
        Column("differs in, %", ".1f"),
        Column("most common of these", align="left"),
    )
    return Table("Where tournament play differs", columns, rows, DIFFERS)


def _draw(runs: Sequence[Run], path: Path) -> None:
    figure, (axes,) = panels(1, width=6.5)
    for name in ALGORITHMS:
        own = [run for run in runs if run.name == name]
        label = f"{name} ({own[0].states} states)"
        axes.plot([r.seconds for r in own], [r.epsilon for r in own], marker="o", label=label)
    axes.axhline(TARGET, color="black", lw=1, ls=":")
    axes.set(xlabel="seconds", ylabel="epsilon, dollars", yscale="log", xscale="log")
    axes.legend(fontsize=8)
    write_figure(figure, path)


SMALL = """Shapley's game of one state has a value in closed form. Soccer (Littman 1994) on the
smallest grid with a goal of both rows, player 1 with the ball in a corner. Fictitious play as
published: all responses count the same."""
SHARES = """The small blind's chance to win everything if both play the equilibrium of jam or fold,
next to its share of the chips."""
REACHED = """Epsilon is the most that any player could gain by any deviation in any state, computed
for the whole game by policy iteration after every outer iteration; the time for that is not
counted. VI-FP and PI-FP begin with ICM values, the others with an equilibrium for these. In the
inner fictitious play the response of iteration t counts t⁴ times. Published: the order in which
the algorithms reached the target, and that no player can gain more than $0.049."""
WRONG = """All states of three players are believed to be worth $100 to everybody, more than any
prize: whoever has a choice folds, which nearly confirms the belief, so that VI-FP does not recover.
PI-FP evaluates what the profile really earns, and does."""
DIFFERS = """Equal stacks of 4,500. The same hand with three utilities: values of the stochastic
game, ICM of the stacks after the hand, and chips. Percentages are of the hands that a player holds
when it has to decide."""
