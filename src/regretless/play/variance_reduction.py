"""Variance-reduced winnings (AIVAT) of played hands, given the strategies of some players.

Hands are counted as they come; only the seating and the terminal of a hand matter.
`following` finds the terminals in the full tree, `evaluation.aivat` corrects their payoffs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from operator import itemgetter
from pathlib import Path

import numpy as np

from regretless.core.errors import BadInput, BadParameter, UnknownName, shown
from regretless.evaluation.aivat import CorrectedPayoffs, corrected_payoffs
from regretless.evaluation.entrants import simple_names
from regretless.evaluation.statistics import Estimate, estimate
from regretless.forms.tree import GameTree
from regretless.games._state import Game
from regretless.play.agents._catalog import require_named
from regretless.play.following import Follower
from regretless.play.records import Hand
from regretless.runs.opening import Openable, opened
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy

Names = tuple[str, ...]  # by position
_LIKE = itemgetter(slice(1, None))  # a hand without its number
_CHUNK = 2048  # hands counted at a time
_PENDING = 100_000  # distinct hands kept before they are followed


def variance_reduced(
    hands: Iterable[Hand],
    game: str | Game,
    known: Mapping[str, Openable],
    *,
    baseline: Strategy | None = None,
) -> dict[str, Estimate]:
    """What every player earns per hand in chips, by name, variance-reduced and plain.

    `known` maps player names to strategies: a Strategy, a file, or the name of a built-in
    agent. Hands must show the cards of all players."""
    recount = Recount(game, known, baseline=baseline)
    for hand in hands:
        recount.add(hand)
    return recount.estimates()


class Recount:
    """Counts hands for the variance-reduced result."""

    def __init__(
        self,
        game: str | Game,
        known: Mapping[str, Openable],
        *,
        baseline: Strategy | None = None,
    ) -> None:
        self.game, self._given, self._baseline = game, known, baseline
        self._follower: Follower | None = None
        self._fresh: list[Hand] = []
        self._pending: Counter[tuple[object, ...]] = Counter()  # hands without their number
        self._first: dict[tuple[object, ...], Hand] = {}
        self._ends: dict[Names, Counter[int]] = {}
        self._corrections: dict[tuple[str | None, ...], CorrectedPayoffs] = {}

    def add(self, hand: Hand) -> None:
        """Count a hand. Errors in it are reported when it is followed, by `settle`."""
        if not isinstance(hand, Hand):
            raise BadParameter(f"hand {shown(hand)}: must be a Hand")
        self._fresh.append(hand)
        if len(self._fresh) >= _CHUNK:
            self._count()

    def _count(self) -> None:
        """Most hands have occurred before, apart from their number: count equal ones first."""
        kinds = list(map(_LIKE, self._fresh))
        counts = Counter(kinds)
        if new := [kind for kind in counts if kind not in self._first]:
            # From the end, so that the first of every kind stays.
            firsts = dict(zip(reversed(kinds), reversed(self._fresh), strict=True))
            self._first.update((kind, firsts[kind]) for kind in new)
        self._pending.update(counts)
        self._fresh.clear()
        if len(self._pending) >= _PENDING:
            self.settle()

    def settle(self) -> GameTree:
        """Follow the hands added since the last call; the first call enumerates the game."""
        if self._follower is None:
            self._follower = follower = Follower(self.game)
            self._known = {
                name: strategy_of(follower.tree, one) for name, one in self._given.items()
            }
        tree = self._follower.tree
        if self._fresh:
            self._count()
        for key, hand in self._first.items():
            end = self._follower.end(hand)
            if not self._corrected(tree, hand.names).possible[end]:
                who = " or ".join(name for name in hand.names if name in self._known)
                raise BadInput(
                    f"hand {hand.number}: {who} did what its strategy never does: {hand.betting}"
                )
            self._ends.setdefault(hand.names, Counter())[end] += self._pending[key]
        self._pending.clear()
        self._first.clear()
        return tree

    def estimates(self) -> dict[str, Estimate]:
        """By name, over all counted hands; players with a single hand are left out."""
        tree = self.settle()
        seated = list(dict.fromkeys(name for names in self._ends for name in names))
        for name in self._known:
            if name not in seated:
                raise UnknownName("player", name, seated)
        played = Counter[str]()
        for names, ends in self._ends.items():
            played.update(dict.fromkeys(names, ends.total()))
        if max(played.values(), default=0) < 2:
            raise BadInput(f"hands: got {max(played.values(), default=0)}, expected 2 or more")
        return {name: self._estimate(tree, name) for name in seated if played[name] > 1}

    def _estimate(self, tree: GameTree, name: str) -> Estimate:
        """Seatings rotate by plan, so they are strata."""
        corrected, plain, strata, counts = [], [], [], []
        for stratum, names in enumerate(names for names in self._ends if name in names):
            position, payoffs = names.index(name), self._corrected(tree, names)
            ends = np.fromiter(self._ends[names], dtype=np.int64)
            corrected.append(payoffs.corrected[ends, position])
            plain.append(tree.form.payoffs[ends, position])
            strata.append(np.full(len(ends), stratum))
            counts.append(np.fromiter(self._ends[names].values(), dtype=np.int64))
        columns = (corrected, plain, strata, counts)
        return estimate(*(np.concatenate(column) for column in columns))

    def _corrected(self, tree: GameTree, names: Names) -> CorrectedPayoffs:
        """Corrections depend on the known players, not on the names of the others."""
        seats = tuple(name if name in self._known else None for name in names)
        if seats not in self._corrections:
            known = {p: self._known[name] for p, name in enumerate(seats, start=1) if name}
            self._corrections[seats] = corrected_payoffs(tree, known, baseline=self._baseline)
        return self._corrections[seats]


def strategy_of(tree: GameTree, given: Openable) -> Strategy:
    """Any strategy, on the form of the tree."""
    if isinstance(given, str | Path) and given not in simple_names():
        require_named(str(given))
        return on_form(opened(given).strategy, tree.form)
    return on_form(opened(given, game=tree.form).strategy, tree.form)
