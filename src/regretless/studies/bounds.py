"""Abstraction of stochastic games with bounds: regret never exceeds the bound.

Sandholm & Singh 2012, "Lossy stochastic game abstraction with bounds", as shown in Sandholm's
slides on solving large games: the attacker and the defender, whose finer abstraction is worse,
and the two algorithms, on random games, since the slides have no table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Table
from regretless.stochastic.abstraction import StandIn, StochasticAbstraction
from regretless.stochastic.game import Stage
from regretless.stochastic.induction import regrets, solve_stochastic
from regretless.stochastic.level_game import LevelGame, random_stochastic_game, stochastic_game
from regretless.stochastic.levels import abstract_stochastic
from regretless.studies._study import Beside, Picture

ABOUT = """Abstractions of finite stochastic games are made under a bound on regret; the
equilibrium of the abstract game is lifted, and its regret measured in the game itself (Sandholm &
Singh 2012)."""
SEED = 2012
BOUNDS = (0.5, 1.0, 2.0, 4.0, 8.0)
WAYS = {
    "greedy, actions first": ("greedy", "actions"),
    "greedy, states first": ("greedy", "states"),
    "integer program": ("integer-program", "actions"),
}
NAMES = ("A", "Between", "B")


def tables(listen: Listener, *, quick: bool = False) -> Iterator[Table | Picture]:
    """The example, then random games: 6 with `quick`, otherwise 30."""
    yield _example()
    runs = list(_runs(listen, games=6 if quick else 30))
    yield _random(runs)
    yield _monotonic(runs)
    yield Picture("bounds", lambda path: _picture(runs, path))


def attacker_and_defender() -> LevelGame:
    """The slides' game: in every equilibrium the attacker plays A and B equally often."""
    attacker = [[0, 1, 2], [2, 1, 0]]
    defender = [[2, 1, 0], [0, 1, 2]]
    stage = Stage([attacker, defender], actions=(("A", "B"), NAMES))
    return stochastic_game([{"attack": stage}], "attacker and defender")


def example_abstractions() -> dict[str, StochasticAbstraction]:
    """The game, an abstraction of the attacker's actions, and a coarser one."""
    game = attacker_and_defender()
    both, one = np.array([0, 1]), np.array([0, 0])
    every, two = np.array([0, 1, 2]), np.array([2, 1, 2])
    maps = {"the game": (both, every), "attacker has A only": (one, every)}
    maps["and the defender not A"] = (one, two)
    return {
        name: StochasticAbstraction(game, ((StandIn(0, pair),),)) for name, pair in maps.items()
    }


def _example() -> Table:
    rows = []
    theirs = {"attacker has A only": "A", "and the defender not A": "Between"}
    for name, made in example_abstractions().items():
        solution = solve_stochastic(made.abstract)
        profile = made.lift(solution)
        gains = regrets(made.game, profile)[0][:, 0]
        _, defender = solution.profile[0][0]
        names = made.abstract.levels[0][0].actions[1]
        plays = ", ".join(f"{n} {p:.2g}" for n, p in zip(names, defender, strict=True) if p > 1e-9)
        rows.append(
            {
                "abstraction": name,
                "defender, published": theirs.get(name),
                "defender, ours": plays,
                "attacker's regret": float(gains[0]),
                "defender's regret": float(gains[1]),
                "bound": float(made.bound.max()),
            }
        )
    return Table.of("The attacker and the defender", rows, EXAMPLE)


@dataclass(frozen=True)
class Run:
    """One abstraction of one game."""

    game: int
    way: str
    allowed: float
    states: float  # share that remains
    actions: float
    bound: float
    published: float
    measured: float
    seconds: float


def _runs(listen: Listener, *, games: int) -> Iterator[Run]:
    for number in range(games):
        rng = np.random.default_rng([SEED, number])
        game = random_stochastic_game(
            rng, levels=3, states=4, kinds=2, noise=0.02, zero_sum=bool(number % 2)
        )
        for way in WAYS:
            listen(Progress(f"game {number + 1} of {games}, {way}", done=number / games))
            for allowed in BOUNDS:
                yield measured(game, allowed, way, number)


def measured(game: LevelGame, allowed: float, way: str, number: int = 0) -> Run:
    """Abstract, solve, lift, and measure the largest regret of a player at the first level."""
    started = time.perf_counter()
    by, first = WAYS[way]
    made = abstract_stochastic(game, allowed, by=by, first=first)
    seconds = time.perf_counter() - started
    abstract = made.abstract
    gains = regrets(game, made.lift(solve_stochastic(abstract)))[0]
    return Run(
        game=number,
        way=way,
        allowed=allowed,
        states=abstract.size / game.size,
        actions=abstract.actions / game.actions,
        bound=float(made.bound.max()),
        published=float(made.published.max()),
        measured=float(gains.max()),
        seconds=seconds,
    )


def _random(runs: list[Run]) -> Table:
    rows = []
    for way, allowed in product(WAYS, BOUNDS):
        some = [run for run in runs if (run.way, run.allowed) == (way, allowed)]
        mean = {
            name: float(np.mean([getattr(run, name) for run in some]))
            for name in ("states", "actions", "published", "bound", "measured", "seconds")
        }
        rows.append(
            {
                "algorithm; bound allowed": f"{way}; {allowed:g}",
                "% of states": 100 * mean["states"],
                "% of actions": 100 * mean["actions"],
                "their bound → ours": Beside(mean["published"], mean["bound"]),
                "regret, mean": mean["measured"],
                "regret, largest": max(run.measured for run in some),
                "runs above the bound": sum(run.measured > run.bound + 1e-9 for run in some),
                "seconds": mean["seconds"],
            }
        )
    count = len({run.game for run in runs})
    return Table.of(f"{count} random games of 3 levels, 4 states, 3 × 3 actions", rows, RANDOM)


def _monotonic(runs: list[Run]) -> Table:
    rows = []
    for way in WAYS:
        worse = total = 0
        for number in {run.game for run in runs}:
            own = [run for run in runs if (run.game, run.way) == (number, way)]
            for finer in own:
                for coarser in own:
                    if coarser.actions < finer.actions and coarser.allowed > finer.allowed:
                        total += 1
                        worse += finer.measured > coarser.measured + 1e-9
        share = 100 * worse / total if total else None
        rows.append((way, total, worse, share))
    columns = ("algorithm", "pairs", "larger one has more regret", "%")
    return Table("Non-monotonicity on the random games", columns, rows, MONOTONIC)


def _picture(runs: list[Run], path: Path) -> None:
    figure, (left, right) = panels(2)
    for way, colour in zip(WAYS, ("#8c8c8c", "#e6862c", "#1f5fa8"), strict=True):
        own = [run for run in runs if run.way == way]
        some = [run for run in own if run.measured > 0]
        left.scatter(
            [run.bound for run in some], [run.measured for run in some], s=12, c=colour, label=way
        )
        sizes = [np.mean([run.actions for run in own if run.allowed == b]) for b in BOUNDS]
        right.plot(BOUNDS, 100 * np.array(sizes), marker="o", c=colour, label=way)
    ends = [min(run.bound for run in runs), max(run.bound for run in runs)]
    left.plot(ends, ends, c="black", lw=1, label="regret = bound")
    left.set_xscale("log")
    left.set_yscale("log")
    left.set_xticks(BOUNDS, [f"{bound:g}" for bound in BOUNDS])
    left.set_xticks([], minor=True)
    left.set(xlabel="bound on regret", ylabel="measured regret")
    right.set(xlabel="bound allowed", ylabel="% of actions left", ylim=(0, 100))
    left.legend(fontsize=8)
    right.legend(fontsize=8)
    write_figure(figure, path)


EXAMPLE = """Dropped actions map to a kept one and share its probability when a strategy is lifted:
the attacker's B maps to A, the defender's A to B. The finer abstraction makes the
defender choose A, which the attacker could exploit; in the coarser one the defender chooses
Between, and nobody can gain: abstraction is not monotonic. Both are within their bounds."""
RANDOM = """Payoffs from -1 to 1 at every level. States and actions come in two kinds that differ
by noise of 2 %, so there is something to abstract. Bounds: 2 k f_k as published, and ours, which
sums f over the levels and combines payoffs and chances. Regret: the most that any player could
gain in any state of the first level, by strategies of the whole game. Every other
game is zero-sum."""
MONOTONIC = """Pairs of abstractions of one game by one algorithm, made under two bounds, whose
sizes differ: how often the larger abstraction has more regret than the smaller."""
