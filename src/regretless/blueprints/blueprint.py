"""A blueprint: a strategy of hold'em as tables over a betting tree and the buckets of a map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._hand_map import HandMap
from regretless.core.arrays import Floats, Indices
from regretless.core.errors import BadInput, BadParameter, Unsuitable
from regretless.evaluation.bucket_strategy import BucketStrategy
from regretless.games._betting import Betting, PokerRules, Ranking
from regretless.games._betting_tree import BettingTree

WHOLE = 65_535  # represents probability one
Table = npt.NDArray[np.uint16]  # [bucket, column]


@dataclass(frozen=True, eq=False)
class Blueprint(BucketStrategy):
    """Tables of both players, one per round.

    `tree.decisions` lists the decisions of the betting, parents first, and `tree.find` finds one by
    its betting. A decision has a `round`, a `player`, the `moves`, and `columns` in
    `tables[round][player]`, whose rows are buckets of the map. An entry is proportional to
    the probability of the move; a row of zeros means that nothing is known, and plays uniformly."""

    tree: BettingTree
    map: HandMap
    tables: tuple[tuple[Table, Table], ...]  # [round][player]
    about: Mapping[str, Any] = field(default_factory=dict, repr=False)  # how it was made

    def __post_init__(self) -> None:
        self.map.require(self.rules)
        for round, two in enumerate(self.tables):
            for player, table in enumerate(two):
                wanted = (self.map.counts[round], self.tree.widths[round][player])
                if table.shape != wanted or table.dtype != np.uint16:
                    raise BadInput(
                        f"table of round {round + 1} and player {player + 1} of shape "
                        f"{table.shape} and type {table.dtype}: must be {wanted}, uint16"
                    )

    def __repr__(self) -> str:
        buckets = "/".join(map(str, self.map.counts))
        return f"Blueprint({self.tree.sequences:,} betting sequences, {buckets} buckets)"

    @property
    def rules(self) -> PokerRules:
        """With the bet sizes of the tree."""
        return self.tree.rules

    def table(self, betting: str | Betting) -> Floats:
        """[bucket, move] probabilities at a decision, by its betting (`r300c/`)."""
        return self.rows(betting, slice(None))

    def rows(self, betting: str | Betting, buckets: Indices | slice) -> Floats:
        """The same for some buckets, which may be repeated."""
        decision = self.tree.find(betting)
        return shares(self.tables[decision.round][decision.player][:, decision.columns][buckets])

    def probabilities(
        self, betting: str | Betting, hand: str | Sequence[int], board: str | Sequence[int] = ()
    ) -> Floats:
        """[move] of a hand at a decision; the cards of the board are in the order of the deal."""
        decision = self.tree.find(betting)
        dealt = self.map.deal.read(board, "board")
        shown = self.map.deal.shown(decision.round)
        if len(dealt) < shown:
            raise BadParameter(
                f"board of {len(dealt)} cards: betting {decision.betting.history!r} needs {shown}"
            )
        bucket = self.map.of(hand, dealt[:shown])
        return shares(self.tables[decision.round][decision.player][bucket, decision.columns])


def shares(numbers: npt.NDArray[Any]) -> Floats:
    """Rows of numbers as probabilities; uniform if all are 0."""
    weights = numbers.astype(np.float64)
    total = weights.sum(axis=-1, keepdims=True)
    even: Floats = np.full_like(weights, 1 / weights.shape[-1])
    np.divide(weights, total, out=even, where=total > 0)
    return even


def packed(tree: BettingTree, round: int, player: int, sums: npt.NDArray[Any]) -> Table:
    """[bucket, column] 16-bit proportions of sums of reach."""
    table = np.zeros(sums.shape, np.uint16)
    for one in tree.decisions:
        if (one.round, one.player) == (round, player):
            mine = sums[:, one.columns].astype(np.float64)
            known = mine.sum(axis=1) > 0
            table[known, one.columns] = np.rint(shares(mine[known]) * WHOLE)
    return table


def require_suitable(rules: PokerRules) -> None:
    """Refuse rules that blueprints do not cover."""
    cards = rules.hole + sum(rules.board)
    for fits, what in (
        (rules.players == 2, f"two players, not {rules.players}"),
        (rules.hole == 2, f"two hole cards, not {rules.hole}"),
        (rules.ranking is Ranking.BEST_FIVE, "the best five cards to win"),
        (5 <= cards <= 7, f"hands of five to seven cards at the showdown, not {cards}"),
        (len(set(rules.stacks)) == 1, "equal stacks"),
        (not rules.dead and rules.rake is None and rules.utility is None, "plain chips"),
        (rules.raises is not None or rules.listed, "listed bet sizes, such as sizes=nyx"),
    ):
        if not fits:
            raise Unsuitable(f"a blueprint needs {what}")
