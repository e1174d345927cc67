"""The program of a model for finitely many signals, which may depend on each other.

Two players. A threshold may fall into a signal, which then mixes: the unknowns are the shares of
every signal that lie below each threshold. They are 1 below the signal with the threshold, and 0
above it, which binaries state. A signal plays plans without regret: a binary says whether a
region and a signal overlap, and then its plan is as good as the signal's best one.

The answer is an exact equilibrium of the discrete game, ties and removal of cards included;
its size grows with the number of signals, unlike that of the continuous program."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from regretless.continuous.discrete import DiscreteGame, signal_values
from regretless.continuous.model import ParametricModel, parametric_model
from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, Unsuitable, shown
from regretless.core.progress import Listener, Progress, nobody
from regretless.programs.polynomial import Polynomial, Program, combined
from regretless.programs.products import maximised


@dataclass(frozen=True, eq=False)
class DiscreteSolution:
    """Mixed strategies [signal, plan] of an equilibrium that fits, or None."""

    game: DiscreteGame
    model: ParametricModel
    mixed: tuple[Floats, Floats] | None
    seconds: float

    @property
    def values(self) -> tuple[float, ...]:
        """What both players earn; empty without an equilibrium."""
        if self.mixed is None:
            return ()
        return tuple(
            float((signal_values(self.game, i, self.mixed[1 - i]) * self.mixed[i]).sum())
            for i in (0, 1)
        )

    @property
    def epsilon(self) -> float:
        """The largest gain of a player by a best response; nan without an equilibrium."""
        if self.mixed is None:
            return float("nan")
        best = [
            float(signal_values(self.game, i, self.mixed[1 - i]).max(axis=1).sum()) for i in (0, 1)
        ]
        return max(*(b - v for b, v in zip(best, self.values, strict=True)), 0.0)


def solve_discrete(
    game: DiscreteGame, model: str | ParametricModel, *, listen: Listener = nobody
) -> DiscreteSolution:
    """An equilibrium of a game with discrete signals that fits the model, or the proof of none."""
    if not isinstance(game, DiscreteGame):
        raise BadInput(f"game={shown(game)}: must be a discrete game")
    if game.players != 2:
        raise Unsuitable(f"{game.name} has {game.players} players: discrete models need 2")
    started = time.perf_counter()
    read = parametric_model(str(model), game.tree)
    task = _DiscreteProgram(game, read)
    point = maximised(
        task.program, "the program of the model", lambda n: listen(Progress("solving", news=n))
    )
    mixed = None if point is None else (task.mixed(point, 0), task.mixed(point, 1))
    return DiscreteSolution(game, read, mixed, time.perf_counter() - started)


class _DiscreteProgram:
    def __init__(self, game: DiscreteGame, model: ParametricModel) -> None:
        self.game, self.model = game, model
        self.program = Program()
        self.below = [self._shares(player) for player in (0, 1)]
        for (i, k), (j, m) in model.order:
            # The threshold is the sum of shares below it, since all cells have the same width.
            gap = [(1.0, share) for share in self.below[j][m]]
            gap += [(-1.0, share) for share in self.below[i][k]]
            self.program.at_least("order", combined(*gap), 0.0)
        for player in (0, 1):
            self._best_responses(player)

    def _shares(self, player: int) -> list[list[Polynomial]]:
        """[threshold][signal] share of the signal below it; first all 0, last all 1."""
        count, program = self.game.signals, self.program
        found: list[list[Polynomial]] = [[{}] * count]
        for k in range(1, len(self.model.plans[player])):
            own: list[Polynomial] = []
            for z in range(count):
                name = f"below{player + 1}_{k}_{z}"
                own.append({(program.variable(name, 0.0, 1.0),): 1.0})
                program.at_least("rising", combined((1.0, own[z]), (-1.0, found[-1][z])), 0.0)
                if z:  # entered only if the signal before lies below as a whole
                    full: Polynomial = {(program.variable(f"full{name}", 0, 1, binary=True),): 1.0}
                    program.at_least("full", combined((1.0, own[z - 1]), (-1.0, full)), 0.0)
                    program.at_least("full", combined((1.0, full), (-1.0, own[z])), 0.0)
            found.append(own)
        found.append([{(): 1.0}] * count)
        return found

    def share(self, player: int, region: int, signal: int) -> Polynomial:
        """The probability of a region's plan with a signal."""
        below = self.below[player]
        return combined((1.0, below[region + 1][signal]), (-1.0, below[region][signal]))

    def _best_responses(self, player: int) -> None:
        spread = self.game.tree.spread[player] or 1.0
        plans, own = self.game.plans[player], self.model.plans[player]
        marginal = self.game.marginal(player + 1)
        for z in range(self.game.signals):
            if marginal[z] <= 0:
                continue
            scale = 1 / (spread * float(marginal[z]))
            best: Polynomial = {
                (self.program.variable(f"best{player + 1}_{z}", -np.inf, np.inf),): 1.0
            }
            values = [self._value(player, number, z, scale) for number in range(len(plans))]
            for value in values:
                self._at_least(combined((1.0, best), (-1.0, value)))
            for region, plan in enumerate(own):
                name = f"plays{player + 1}_{region}_{z}"
                plays: Polynomial = {(self.program.variable(name, 0.0, 1.0, binary=True),): 1.0}
                self._at_least(combined((1.0, plays), (-1.0, self.share(player, region, z))))
                value = values[plans.index(plan)]
                self._at_least(
                    combined((1.0, value), (-1.0, best), (1.0, {(): 1.0}), (-1.0, plays))
                )

    def _at_least(self, terms: Polynomial) -> None:
        constant = terms.pop((), 0.0)
        self.program.at_least("row", terms, -constant)

    def _value(self, player: int, number: int, z: int, scale: float) -> Polynomial:
        other = 1 - player
        joint = self.game.joint[z] if player == 0 else self.game.joint[:, z]
        parts: list[tuple[float, Polynomial]] = []
        for region, plan in enumerate(self.model.plans[other]):
            theirs = self.game.plans[other].index(plan)
            end = self.game.tree.ends[(number, theirs) if player == 0 else (theirs, number)]
            for y in np.flatnonzero(joint > 0).tolist():
                deal = (z, y) if player == 0 else (y, z)
                paid = self.game.payoffs(end, deal)[player]
                parts.append((scale * float(joint[y]) * paid, self.share(other, region, y)))
        return combined(*parts)

    def mixed(self, point: Floats, player: int) -> Floats:
        """[signal, plan] at a point of the program."""
        plans = self.game.plans[player]
        found = np.zeros((self.game.signals, len(plans)))
        for region, plan in enumerate(self.model.plans[player]):
            for z in range(self.game.signals):
                terms = self.share(player, region, z)
                value = sum(c * (point[key[0]] if key else 1.0) for key, c in terms.items())
                found[z, plans.index(plan)] += max(float(value), 0.0)
        return np.asarray(found / found.sum(axis=1, keepdims=True))
