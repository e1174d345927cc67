"""River endgames with one raise per player, by qualitative models (Ganzfried & Sandholm 2010).

No cards are left to come, so a hand is its strength: a signal. Ranges give the distributions,
which are smoothed to a few straight pieces; that hands block each other is kept in the
probability of every hand, and lost in their dependence; ties are lost too. Thresholds are mapped to
mixed strategies of hands by the overlaps of the slides.

The paper does not list its three models. Ours follow from who bets and check-raises: the player
out of position bets and check-raises its best hands, or only bets, or only checks. They have a
common refinement, the first one, from which regions that turn out empty are left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regretless.cards.deck import HOLDINGS
from regretless.cards.holdings import disjoint, hands
from regretless.cards.plain_ranks import plain_ranks
from regretless.continuous.discrete import shares_of_regions
from regretless.continuous.distribution import Distribution
from regretless.continuous.game import ContinuousGame, Showdown, tree
from regretless.continuous.newton import Newton, Plans, by_newton
from regretless.continuous.response import Regions
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.games._betting import Betting

BETS_AND_RAISES = (
    "p1: bet/fold check/fold check/raise check/call bet/fold bet/call check/raise | "
    "p2: bet/fold/fold check/fold check/raise check/call bet/fold/call bet/call/call "
    "bet/call/raise"
)
BETS_ONLY = (
    "p1: bet/fold check/fold check/call bet/fold bet/call | "
    "p2: bet/fold/fold check/fold check/raise check/call bet/call/call bet/call/raise"
)
CHECKS_ONLY = (
    "p1: check/fold check/raise check/call check/raise | "
    "p2: bet/fold/fold check/fold check/call bet/fold/call bet/call/call bet/call/raise"
)
RIVER_MODELS = (BETS_AND_RAISES, BETS_ONLY, CHECKS_ONLY)
# Thresholds as shares of a player's hands, from which Newton's method starts: those of two
# uniform distributions and bets of half the pot.
STARTS = (
    ((0.0625, 0.354, 0.375, 0.75, 0.8125, 0.9375), (0.125, 0.333, 0.375, 0.625, 0.75, 0.875)),
    ((0.06, 0.35, 0.75, 0.81), (0.1, 0.33, 0.38, 0.7, 0.88)),
    ((0.33, 0.38, 0.93), (0.12, 0.36, 0.62, 0.75, 0.88)),
)
BENDS = (3, 6, 12)  # straight pieces of the distributions, refined step by step
LINES = {  # the tree with one raise per player
    "": ("check", "bet"),
    "p1:check": ("check", "bet"),
    "p1:check p2:bet": ("fold", "call", "raise"),
    "p1:check p2:bet p1:raise": ("fold", "call"),
    "p1:bet": ("fold", "call", "raise"),
    "p1:bet p2:raise": ("fold", "call"),
}


@dataclass(frozen=True, eq=False)
class River:
    """A river betting tree, the strength of every hand, and what both players hold."""

    root: Betting
    strength: Ints  # [hand] class of strength, from 0; -1 on the board
    held: tuple[Floats, Floats]  # [player of the model][hand] probability
    lines: dict[str, str]  # [betting history] line of the continuous game
    game: ContinuousGame  # with as many bends as there are classes

    @property
    def classes(self) -> int:
        return int(self.strength.max()) + 1

    @property
    def largest_class(self) -> float:
        """The largest share of a player's hands that are equally strong: models ignore ties."""
        return max(float(_by_class(own, self.strength).max()) for own in self.held)

    def smoothed(self, bends: int) -> ContinuousGame:
        """The same with distributions of fewer straight pieces."""
        both = sum(own.shares for own in self.game.distributions) / 2
        wanted = np.linspace(0, 1, bends + 1)[1:-1]
        inner = np.unique(np.round(np.interp(wanted, both, self.game.distributions[0].places), 9))
        places = np.concatenate([[self.game.low], inner, [self.game.high]])
        smooth = tuple(Distribution(places, own.share(places)) for own in self.game.distributions)
        return ContinuousGame(self.game.name, smooth, self.game.root)


@dataclass(frozen=True, eq=False)
class RiverSolution:
    """Thresholds of the smoothed game, the largest regret there, and strategies by hand."""

    river: River
    newton: Newton
    smooth: ContinuousGame
    model: int  # of RIVER_MODELS

    @property
    def regret(self) -> float:
        """The most that any plan gains at any signal of the smoothed game, in chips."""
        return self.newton.regret

    @cached_property
    def mixed(self) -> tuple[Floats, Floats]:
        """[player of the model] [hand, plan]."""
        return self._mixed(0), self._mixed(1)

    def _mixed(self, player: int) -> Floats:
        river = self.river
        own: Regions = self.newton.profile[player]
        edges = np.concatenate(
            [[0.0], self.smooth.distributions[player].share(own.thresholds), [1]]
        )
        by_class = shares_of_regions(river.game.distributions[player].shares, edges)
        plans = self.smooth.plans[player]
        found = np.zeros((river.classes, len(plans)))
        for k, plan in enumerate(own.plans):
            found[:, plans.index(plan)] += by_class[:, k]
        return np.asarray(np.where(river.strength[:, None] >= 0, found[river.strength], 0.0))

    def chances(self, betting: Betting, _: object = None) -> Floats:
        """[hand, action] what the acting player does; even where its plans never come."""
        line = self.river.lines[betting.history]
        player = line.count(":") % 2
        taken = _taken(line)
        chosen = np.zeros((HOLDINGS, len(LINES[line])))
        for number, moves in enumerate(self.smooth.moves[player]):
            if all(moves.get(at, action) == action for at, action in taken[player]):
                at_line = moves.get(line)
                if at_line is not None:
                    chosen[:, LINES[line].index(at_line)] += self.mixed[player][:, number]
        total = chosen.sum(axis=1, keepdims=True)
        even = 1 / len(LINES[line])
        return np.asarray(np.divide(chosen, total, out=np.full_like(chosen, even), where=total > 0))


def river_of(root: Betting, board: Sequence[int], ranges: Sequence[Floats]) -> River:
    """The river that begins with this betting; `ranges` are by player of the betting."""
    lines = {root.history: ""}
    ends: dict[str, object] = {}
    _walk(root, root, "", lines, ends)
    strength = _strength(board, [np.asarray(own) for own in ranges])
    order = (root.actor, 1 - root.actor)
    weights = [np.where(strength >= 0, np.asarray(ranges[i], dtype=np.float64), 0.0) for i in order]
    meet = disjoint()
    held = [own * (meet @ weights[1 - i]) for i, own in enumerate(weights)]
    if not all(one.sum() > 0 for one in held):
        raise Unsuitable("river: the ranges block each other")
    first, second = (one / one.sum() for one in held)
    places = np.arange(int(strength.max()) + 2, dtype=np.float64)
    own = tuple(
        Distribution(
            places, np.concatenate([[0.0], np.cumsum(_by_class(one, strength))[:-1], [1.0]])
        )
        for one in (first, second)
    )
    game = ContinuousGame("river", own, tree(ends, 2))
    return River(root, strength, (first, second), lines, game)


def solve_river(river: River) -> RiverSolution:
    """The answer with the least regret of any model."""
    best: RiverSolution | None = None
    scale = max(river.game.spread)
    for number, start in enumerate(STARTS):
        plans = _plans(river.game, RIVER_MODELS[number])
        found: Newton | None = None
        smooth = river.game
        for bends in BENDS:
            smooth = river.smoothed(bends)
            if found is None:
                places = tuple(
                    np.asarray(d.place(np.array(own)), dtype=np.float64)
                    for d, own in zip(smooth.distributions, start, strict=True)
                )
                found = by_newton(smooth, plans, (places[0], places[1]))
                continue
            before = found.profile
            kept = (before[0].plans, before[1].plans)
            found = by_newton(smooth, kept, (before[0].thresholds, before[1].thresholds))
        assert found is not None
        if best is None or found.regret < best.regret:
            best = RiverSolution(river, found, smooth, number)
        if best.regret < 1e-6 * scale:
            break
    assert best is not None
    return best


def _plans(game: ContinuousGame, text: str) -> Plans:
    from regretless.continuous.model import parametric_model

    first, second = parametric_model(text, game).plans
    return first, second


def _walk(
    root: Betting, betting: Betting, line: str, lines: dict[str, str], ends: dict[str, object]
) -> None:
    names = [_name(move.letter, betting) for move in betting.choices]
    if line not in LINES or tuple(names) != LINES[line]:
        raise Unsuitable(
            f"river: after {line or 'the start'!r} got {', '.join(names)}; models are for one size "
            "and one raise per player"
        )
    lines[betting.history] = line
    for name, child in zip(names, betting.children, strict=True):
        who = 1 if betting.actor == root.actor else 2
        below = f"{line} p{who}:{name}".strip()
        if not child.over:
            _walk(root, child, below, lines, ends)
            continue
        order = (root.actor, 1 - root.actor)
        paid = [float(child.spent[i] - root.spent[i]) for i in order]
        wins = [float(child.pot) - own for own in paid]
        if name == "fold":
            ends[below] = [-paid[k] if order[k] == betting.actor else wins[k] for k in (0, 1)]
        else:
            ends[below] = Showdown(wins, [-own for own in paid])


def _name(letter: str, betting: Betting) -> str:
    faced = betting.spent[betting.actor] < max(betting.spent)
    names = {"f": "fold", "c": "call" if faced else "check", "r": "raise" if faced else "bet"}
    return names[letter]


def _strength(board: Sequence[int], ranges: Sequence[Floats]) -> Ints:
    """[hand] its class of strength among the hands that somebody may hold; -1: none or blocked."""
    cards = hands()
    possible = ~np.isin(cards, list(board)).any(axis=1) & (sum(ranges) > 0)
    found = np.full(HOLDINGS, -1, dtype=np.int64)
    live = np.flatnonzero(possible)
    ranks = plain_ranks(np.concatenate([cards[live], np.tile(board, (len(live), 1))], axis=1))
    found[live] = np.unique(ranks, return_inverse=True)[1]
    return found


def _by_class(held: Floats, strength: Ints) -> Floats:
    live = strength >= 0
    counts = np.bincount(strength[live], held[live], int(strength.max()) + 1)
    return np.asarray(counts, dtype=np.float64)


def _taken(line: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Per player, the decisions on the way to a line and the actions there."""
    found: tuple[list[tuple[str, str]], list[tuple[str, str]]] = ([], [])
    at = ""
    for step in line.split():
        who, _, action = step.partition(":")
        found[int(who[1:]) - 1].append((at, action))
        at = f"{at} {step}".strip()
    return found
