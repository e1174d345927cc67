"""Games with finitely many signals: the same trees, ties, and signals that depend on each other.

A continuous game becomes one by cells of signals; a deck without replacement is another. Signals
are numbers from 0; `joint[z1, z2, …]` is their probability. Contenders with equal best signals
share the pot: each has the mean of its two payoffs, weighted by the number of winners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.continuous.game import (
    MOST_PLAYERS,
    ContinuousGame,
    End,
    Node,
    Plan,
    tree,
)
from regretless.continuous.response import Profile, require_profile
from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, one_of, shown, whole
from regretless.games._state import CHANCE, TERMINAL, Game, State

MOST_SIGNALS = 10_000
SUM = 1e-9  # how far probabilities may be from 1


@dataclass(frozen=True, eq=False)
class DiscreteGame:
    """A tree, the joint probabilities of signals, and which signal wins."""

    name: str
    joint: Floats
    tree: ContinuousGame  # its distributions are those of the signals, each spread over a cell

    @property
    def players(self) -> int:
        return self.joint.ndim

    @property
    def signals(self) -> int:
        return int(self.joint.shape[0])

    @property
    def plans(self) -> tuple[tuple[Plan, ...], ...]:
        return self.tree.plans

    def marginal(self, player: int) -> Floats:
        """The probability of each of a player's signals; players count from 1."""
        whole("player", player, 1, self.players)
        others = tuple(j for j in range(self.players) if j != player - 1)
        return np.asarray(self.joint.sum(axis=others))

    def payoffs(self, end: End, signals: tuple[int, ...]) -> tuple[float, ...]:
        """What everybody earns at an end."""
        if not end.contenders:
            return end.best
        held = [signals[j] for j in end.contenders]
        best = min(held) if self.tree.lower_wins else max(held)
        winners = held.count(best)
        return tuple(
            end.otherwise[i] + (end.best[i] - end.otherwise[i]) / winners
            if i in end.contenders and signals[i] == best
            else end.otherwise[i]
            for i in range(self.players)
        )

    @cached_property
    def deals(self) -> list[tuple[int, ...]]:
        """All combinations of signals that occur."""
        return [tuple(int(z) for z in at) for at in np.argwhere(self.joint > 0)]

    @cached_property
    def game(self) -> Game:
        """As a game that every method of the package solves."""
        return Game(self.name, self.players, SignalState(self), f"{self.name}, discrete signals")


def discretised(game: ContinuousGame, signals: int) -> DiscreteGame:
    """The game with cells of equal width instead of a continuum; equal cells tie."""
    whole("signals", signals, 1, MOST_SIGNALS)
    edges = np.linspace(game.low, game.high, signals + 1)
    joint = np.ones(())
    for own in game.distributions:
        joint = np.multiply.outer(joint, np.diff(own.share(edges)))
    return DiscreteGame(f"{game.name}, {signals} signals", joint, game)


def deck_game(game: ContinuousGame, cards: int) -> DiscreteGame:
    """The game with a deck: one card per player, all different; signals depend on each other."""
    whole("cards", cards, game.players, MOST_SIGNALS)
    if cards**game.players > MOST_SIGNALS**2:
        raise BadInput(f"cards={cards}: too many deals for {game.players} players")
    indices = np.indices((cards,) * game.players)
    joint = np.ones((cards,) * game.players)
    for i, j in product(range(game.players), repeat=2):
        if i < j:
            joint[indices[i] == indices[j]] = 0.0
    return DiscreteGame(f"{game.name}, {cards} cards", joint / joint.sum(), game)


def discrete_game(
    joint: npt.ArrayLike,
    ends: Mapping[str, Any],
    *,
    wins: str = "higher",
    name: str = "discrete game",
) -> DiscreteGame:
    """A game from joint probabilities of signals, `joint[z1, z2, …]`, and its ends."""
    one_of("wins", wins, ("higher", "lower"))
    try:
        table = np.array(joint, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.empty(0)
    if not 2 <= table.ndim <= MOST_PLAYERS or len(set(table.shape)) != 1 or not table.size:
        raise BadInput(f"joint={shown(joint)}: must be one probability per combination of signals")
    wrong = np.argwhere(~(table >= 0) | ~np.isfinite(table))
    if len(wrong):
        at = tuple(int(k) for k in wrong[0])
        raise BadInput(f"joint{list(at)}: must be a probability, not {table[at]:g}")
    if abs(table.sum() - 1) > SUM:
        raise BadInput(f"joint: probabilities must sum to 1, not {table.sum():g}")
    return DiscreteGame(name, table, _spread(table, ends, wins, name))


def _spread(joint: Floats, ends: Mapping[str, Any], wins: str, name: str) -> ContinuousGame:
    from regretless.continuous.distribution import distribution

    count = joint.shape[0]
    own = []
    for i in range(joint.ndim):
        others = tuple(j for j in range(joint.ndim) if j != i)
        shares = np.concatenate([[0.0], np.cumsum(joint.sum(axis=others))])
        own.append(distribution(np.column_stack([np.arange(count + 1) / count, shares])))
    return ContinuousGame(name, tuple(own), tree(ends, joint.ndim), wins == "lower")


def mixed_strategy(
    game: ContinuousGame, profile: Profile, discrete: DiscreteGame, player: int
) -> Floats:
    """Thresholds as a mixed strategy [signal, plan]: their overlaps; players count from 1.

    A signal z occupies the shares from F(z - 1) to F(z), a region those between its thresholds;
    the signal plays a region's plan with the part of its interval that they have in common."""
    require_profile(game, profile)
    i = whole("player", player, 1, game.players) - 1
    own = profile[i]
    cumulated = np.concatenate([[0.0], np.cumsum(discrete.marginal(player))])
    edges = np.concatenate([[0.0], game.distributions[i].share(own.thresholds), [1.0]])
    by_region = shares_of_regions(cumulated, edges)
    mixed = np.zeros((discrete.signals, len(game.plans[i])))
    for k, plan in enumerate(own.plans):
        mixed[:, game.plans[i].index(plan)] += by_region[:, k]
    return mixed


def shares_of_regions(cumulated: Floats, edges: Floats) -> Floats:
    """[signal, region] the part of each signal's interval of shares that lies in a region.

    Both are rising shares from 0 to 1; a signal without probability is in one region."""
    low, high = np.clip(edges[:-1], 0, 1), np.clip(edges[1:], 0, 1)
    common = np.minimum(cumulated[1:, None], high) - np.maximum(cumulated[:-1, None], low)
    common = np.maximum(common, 0.0)
    never = np.diff(cumulated) <= 0
    at = np.searchsorted(edges[1:-1], cumulated[:-1][never], side="right")
    common[np.flatnonzero(never), at] = 1.0
    return np.asarray(common / common.sum(axis=1, keepdims=True))


def signal_values(discrete: DiscreteGame, player: int, other: Floats) -> Floats:
    """[signal, plan] of one of two players against a mixed strategy of the other one.

    Values include the probability of the signal."""
    joint = discrete.joint if player == 0 else discrete.joint.T
    higher, lower = np.tril(joint, -1), np.triu(joint, 1)  # the player's signal against the other
    wins, loses = (lower, higher) if discrete.tree.lower_wins else (higher, lower)
    ties = np.diag(joint)[:, None] * other
    reach = {"best": wins @ other, "otherwise": loses @ other}
    values = np.zeros((discrete.signals, len(discrete.plans[player])))
    for numbers, end in discrete.tree.ends.items():
        mine, theirs = numbers[player], numbers[1 - player]
        best, otherwise = end.best[player], end.otherwise[player]
        values[:, mine] += (
            best * reach["best"][:, theirs] + otherwise * reach["otherwise"][:, theirs]
        )
        values[:, mine] += (best + otherwise) / 2 * ties[:, theirs]
    return values


class SignalState(State):
    """Chance deals all signals, then the players act."""

    __slots__ = ("deal", "discrete", "node")

    def __init__(
        self,
        discrete: DiscreteGame,
        deal: tuple[int, ...] = (),
        node: Node | End | None = None,
    ) -> None:
        self.discrete, self.deal = discrete, deal
        self.node = discrete.tree.root if node is None else node

    @property
    def player(self) -> int:
        if not self.deal:
            return CHANCE
        return self.node.player if isinstance(self.node, Node) else TERMINAL

    @property
    def actions(self) -> tuple[str, ...]:
        if not self.deal:
            return tuple(" ".join(map(str, deal)) for deal in self.discrete.deals)
        return self.node.actions if isinstance(self.node, Node) else ()

    @property
    def chances(self) -> tuple[float, ...]:
        return (
            ()
            if self.deal
            else tuple(float(self.discrete.joint[deal]) for deal in self.discrete.deals)
        )

    def child(self, index: int) -> SignalState:
        if not self.deal:
            return SignalState(self.discrete, self.discrete.deals[index])
        assert isinstance(self.node, Node)
        return SignalState(self.discrete, self.deal, self.node.children[index])

    def view(self, player: int) -> str:
        """The signal and the line; the same for all players who hold it, hence the player."""
        line = self.node.line if isinstance(self.node, Node | End) else ""
        return f"{self.deal[player]}: {line}"

    @property
    def payoff(self) -> tuple[float, ...]:
        assert isinstance(self.node, End)
        return self.discrete.payoffs(self.node, self.deal)
