"""The program of a model: its points are the equilibria that fit (Ganzfried & Sandholm 2010).

Unknowns are the thresholds, as shares x_i = F_i(t) of every player's signals below them.
- Consistency: if distributions differ, a binary says which bends of theirs lie below t.
- Order: the model's; where it says nothing, a binary says which of two thresholds is lower.
- Indifference, and more: at both ends of a region, and at the others' thresholds within it, the
  region's plan is a best response. With two players values are linear in the shares and bend
  nowhere else, so a point is an equilibrium, and an equilibrium that fits is a point. With more
  players they are polynomials: `products` linearises them, and the answer is approximate.

Differs from the paper: it asks for indifference between neighbouring regions only, which
is not enough for an equilibrium. Of two players' solutions we prefer large regions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise, product

import numpy as np

from regretless.continuous.distribution import Distribution
from regretless.continuous.game import ContinuousGame, End
from regretless.continuous.model import Threshold
from regretless.continuous.refinement import HIGH, LOW, Refinement
from regretless.core.arrays import Floats
from regretless.programs.polynomial import Polynomial, Program, combined, multiplied
from regretless.programs.products import Linearised

ONE: Polynomial = {(): 1.0}


class ModelProgram:
    """Variables and rows; `thresholds` reads an answer."""

    def __init__(self, game: ContinuousGame, models: Refinement) -> None:
        self.game, self.models = game, models
        self.program = Program()
        self.kinds = _kinds(game.distributions)
        self.bends = np.unique(np.concatenate([own.places for own in game.distributions]))
        self._shares: dict[tuple[Threshold, int], Polynomial] = {}
        self._places: dict[Threshold, Polynomial] = {LOW: {}, HIGH: ONE}
        self._lower: dict[tuple[Threshold, Threshold], Polynomial] = {}
        self._smaller: dict[tuple[int, Threshold, Threshold], Polynomial] = {}
        self.chosen = self._choice()
        for threshold in models.thresholds:
            self._threshold(threshold)
        self._ordered()
        if game.players == 2:  # otherwise it would prefer what products get wrong
            self._prefer_large()
        for player in range(game.players):
            self._best_responses(player)

    # Thresholds

    def _choice(self) -> list[Polynomial]:
        """For every model, whether it is the one."""
        count = len(self.models.models)
        if count == 1:
            return [ONE]
        chosen = [self.program.variable(f"model{m}", 0.0, 1.0, binary=True) for m in range(count)]
        self.program.equal("model", {(variable,): 1.0 for variable in chosen}, 1.0)
        return [{(variable,): 1.0} for variable in chosen]

    def _threshold(self, threshold: Threshold) -> None:
        name = f"t{threshold[0] + 1}_{threshold[1]}"
        if len(self.kinds) == 1:
            share = self.program.variable(name, 0.0, 1.0)
            self._shares[threshold, 0] = self._places[threshold] = {(share,): 1.0}
            return
        # Filled from below: a cell between two bends is entered only if the one below is full.
        cells = len(self.bends) - 1
        fill = [self.program.variable(f"{name}_fill{c}", 0.0, 1.0) for c in range(cells)]
        for c, (below, here) in enumerate(pairwise(fill)):
            full = self.program.variable(f"{name}_full{c}", 0.0, 1.0, binary=True)
            self.program.at_most(f"{name}_fills", {(full,): 1.0, (below,): -1.0}, 0.0)
            self.program.at_most(f"{name}_fills", {(here,): 1.0, (full,): -1.0}, 0.0)
        widths = np.diff(self.bends) / (self.bends[-1] - self.bends[0])
        self._places[threshold] = self._named(f"{name}_place", fill, widths)
        for kind, own in enumerate(self.kinds):
            steps = np.diff(own.share(self.bends))
            self._shares[threshold, kind] = self._named(f"{name}_share{kind}", fill, steps)

    def _named(self, name: str, fill: Sequence[int], steps: Floats) -> Polynomial:
        """A variable for a sum, since sums would be multiplied term by term."""
        variable = self.program.variable(name, 0.0, 1.0)
        terms: Polynomial = {(f,): float(step) for f, step in zip(fill, steps, strict=True)}
        self.program.equal(name, combined((1.0, terms), (-1.0, {(variable,): 1.0})), 0.0)
        return {(variable,): 1.0}

    def share(self, player: int, threshold: Threshold) -> Polynomial:
        """The probability that a player's signal is below a threshold."""
        if threshold in (LOW, HIGH):
            return ONE if threshold == HIGH else {}
        return self._shares[threshold, self._kind(player)]

    def _kind(self, player: int) -> int:
        own = self.game.distributions[player]
        return next(k for k, kind in enumerate(self.kinds) if own.same(kind))

    def _ordered(self) -> None:
        models = self.models
        for m, chosen in enumerate(self.chosen):
            for first, second in product(models.thresholds, repeat=2):
                if first != second and models.holds(m, first, second):
                    slack = (
                        {} if models.certain(first, second) else combined((1, ONE), (-1, chosen))
                    )
                    self._at_most(first, second, slack)
            for threshold in models.thresholds:
                for end, (first, second) in ((LOW, (threshold, LOW)), (HIGH, (HIGH, threshold))):
                    if models.holds(m, threshold, end) and models.holds(m, end, threshold):
                        self._at_most(first, second, combined((1, ONE), (-1, chosen)))

    def _at_most(self, first: Threshold, second: Threshold, slack: Polynomial) -> None:
        """One threshold is at most another one, where slack is 0."""
        pairs = [(self._places[first], self._places[second])]
        if len(self.kinds) > 1:
            pairs += [
                (self.share(j, first), self.share(j, second)) for j in range(self.game.players)
            ]
        for a, b in pairs:
            self._row("order", combined((1.0, b), (-1.0, a), (1.0, slack)))

    def _row(self, name: str, terms: Polynomial) -> None:
        """A row that must be at least 0."""
        if terms:
            self.program.at_least(name, terms, 0.0)

    def lower(self, first: Threshold, second: Threshold) -> Polynomial:
        """1 if the first threshold is at most the second one, otherwise 0."""
        if self.models.certain(first, second):
            return ONE
        if self.models.certain(second, first):
            return {}
        if (first, second) not in self._lower:
            name = f"lower{first[0] + 1}_{first[1]}_{second[0] + 1}_{second[1]}"
            made: Polynomial = {(self.program.variable(name, 0.0, 1.0, binary=True),): 1.0}
            self._lower[first, second] = made
            self._lower[second, first] = combined((1.0, ONE), (-1.0, made))
            for a, b in ((first, second), (second, first)):
                self._at_most(a, b, combined((1.0, ONE), (-1.0, self._lower[a, b])))
        return self._lower[first, second]

    def smaller(self, player: int, point: Threshold, edge: Threshold) -> Polynomial:
        """The player's share below the smaller of two thresholds."""
        if self.models.certain(point, edge):
            return self.share(player, point)
        if self.models.certain(edge, point):
            return self.share(player, edge)
        key = (player, min(point, edge), max(point, edge))
        if key not in self._smaller:
            name = f"smaller{player + 1}_{len(self._smaller)}"
            made: Polynomial = {(self.program.variable(name, 0.0, 1.0),): 1.0}
            self._smaller[key] = made
            for a, b in ((point, edge), (edge, point)):
                share = self.share(player, a)
                self._row(name, combined((1.0, share), (-1.0, made)))
                away = combined((1.0, ONE), (-1.0, self.lower(a, b)))
                self._row(name, combined((1.0, made), (-1.0, share), (1.0, away)))
        return self._smaller[key]

    # Regions

    def edges(self, player: int, region: int) -> tuple[Threshold, Threshold]:
        """The thresholds at both ends of a region; regions count from 0."""
        last = len(self.models.plans[player]) - 1
        return (
            LOW if region == 0 else (player, region),
            HIGH if region == last else (player, region + 1),
        )

    def mass(self, player: int, region: int) -> Polynomial:
        """The probability of a region."""
        low, high = self.edges(player, region)
        return combined((1.0, self.share(player, high)), (-1.0, self.share(player, low)))

    def beaten(self, player: int, region: int, point: Threshold) -> Polynomial:
        """The probability of the part of a region that loses to a signal at this point."""
        low, high = self.edges(player, region)
        below = combined(
            (1.0, self.smaller(player, point, high)), (-1.0, self.smaller(player, point, low))
        )
        if not self.game.lower_wins:
            return below
        return combined((1.0, self.mass(player, region)), (-1.0, below))

    def _prefer_large(self) -> None:
        least = self.program.variable("least", 0.0, 1.0)
        self.program.objective = {(least,): 1.0}
        for player, own in enumerate(self.models.plans):
            for region in range(len(own)):
                unused = combined((1.0, ONE), (-1.0, self._used(player, region)))
                mass = self.mass(player, region)
                self._row("least", combined((1.0, mass), (1.0, unused), (-1.0, {(least,): 1.0})))

    def _used(self, player: int, region: int) -> Polynomial:
        users = self.models.users(player, region)
        if len(users) == len(self.chosen):
            return ONE
        return combined(*((1.0, self.chosen[m]) for m in users))

    # Best responses

    def _best_responses(self, player: int) -> None:
        spread = self._spread(player)
        plans, own = self.game.plans[player], self.models.plans[player]
        foreign = [t for t in self.models.thresholds if t[0] != player]

        @cache
        def values(point: Threshold) -> tuple[Polynomial, list[Polynomial]]:
            """The highest value at a point, and those of all plans, in units of the spread."""
            name = f"best{player + 1}_{point[0] + 1}_{point[1]}"
            best: Polynomial = {(self.program.variable(name, -np.inf, np.inf),): 1.0}
            listed = [
                combined((1 / spread, self._value(player, k, point))) for k in range(len(plans))
            ]
            for one in _different(listed):
                self._row(f"value{player + 1}", combined((1.0, best), (-1.0, one)))
            return best, listed

        for region, plan in enumerate(own):
            low, high = self.edges(player, region)
            unused = combined((1.0, ONE), (-1.0, self._used(player, region)))
            for point in (low, high, *foreign):
                inside = [] if point in (low, high) else [(low, point), (point, high)]
                away = [combined((1.0, ONE), (-1.0, self.lower(*pair))) for pair in inside]
                away.append(unused)
                if any(one == ONE for one in away):
                    continue
                best, listed = values(point)
                slack = [(1.0, one) for one in away]
                this = listed[plans.index(plan)]
                self._row(f"response{player + 1}", combined((1.0, this), (-1.0, best), *slack))

    def _value(self, player: int, number: int, point: Threshold) -> Polynomial:
        """The value of a plan with a signal at this point."""
        others = [j for j in range(self.game.players) if j != player]
        parts: list[tuple[float, Polynomial]] = []
        for regions in product(*(range(len(self.models.plans[j])) for j in others)):
            met = dict(zip(others, regions, strict=True))
            numbers = tuple(
                number if j == player else self.game.plans[j].index(self.models.plans[j][met[j]])
                for j in range(self.game.players)
            )
            parts += self._shares_of_end(self.game.ends[numbers], player, met, point)
        return combined(*parts)

    def _shares_of_end(
        self, end: End, player: int, met: dict[int, int], point: Threshold
    ) -> list[tuple[float, Polynomial]]:
        reach, wins = ONE, ONE
        for j, region in met.items():
            reach = multiplied(reach, self.mass(j, region))
            won = self.beaten(j, region, point) if j in end.contenders else self.mass(j, region)
            wins = multiplied(wins, won)
        parts = [(end.otherwise[player], reach)]
        if player in end.contenders:
            parts.append((end.best[player] - end.otherwise[player], wins))
        return parts

    # Answers

    def thresholds(self, point: Floats) -> list[Floats]:
        """Every player's thresholds, as signals, at a point of the program."""
        low, high = self.game.low, self.game.high
        found = []
        for player, own in enumerate(self.models.plans):
            places = []
            for k in range(1, len(own)):
                ((variable,),) = self._places[player, k]
                if len(self.kinds) == 1:
                    places.append(float(self.kinds[0].place(point[variable])))
                else:
                    places.append(low + (high - low) * float(point[variable]))
            found.append(np.maximum.accumulate(np.array([low, *places]))[1:])
        return found

    def bound(self, linear: Linearised) -> float:
        """The most that a plan gains at a signal that the program looks at."""
        if not linear.products:
            return 0.0
        worst = 0.0
        for player in range(self.game.players):
            errors = {
                kind: [linear.error(row.terms) for row in self.program.rows if row.name == name]
                for kind, name in enumerate((f"value{player + 1}", f"response{player + 1}"))
            }
            worst = max(worst, self._spread(player) * sum(map(max, errors.values())))
        return worst

    def _spread(self, player: int) -> float:
        return self.game.spread[player] or 1.0

    def model_chosen(self, point: Floats) -> int:
        """The number of the model that an answer fits."""
        if len(self.chosen) == 1:
            return 0
        return int(np.argmax([point[next(iter(one))[0]] for one in self.chosen]))


def _kinds(distributions: Sequence[Distribution]) -> list[Distribution]:
    kinds: list[Distribution] = []
    for own in distributions:
        if not any(own.same(kind) for kind in kinds):
            kinds.append(own)
    return kinds


def _different(listed: Sequence[Polynomial]) -> list[Polynomial]:
    found: list[Polynomial] = []
    for one in listed:
        if one not in found:
            found.append(one)
    return found
