"""Random strategies over random buckets, for any rules with a small deck."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._deal_rules import deal_rules
from regretless.abstraction._hand_map import HandMap, RoundMap
from regretless.evaluation.bucket_strategy import BucketStrategy
from regretless.games._betting import PokerRules


def random_map(given: PokerRules, seed: int) -> HandMap:
    """A few random buckets per round; the last round remembers."""
    deal, draws, rounds = deal_rules(given), np.random.default_rng(seed), []
    for number in range(len(deal.board)):
        index = deal.index(number)
        labels = draws.integers(0, 3, index.size).astype(np.uint16)
        pairs = np.empty((0, 0), np.int32)
        if number and number == len(deal.board) - 1:
            pairs = draws.integers(0, 5, (3, 3)).astype(np.int32)
        rounds.append(RoundMap(index, 5 if pairs.size else 3, labels, pairs))
    return HandMap(deal, tuple(rounds), "random")


class Buckets(BucketStrategy):
    """Random play with a few buckets per round; some actions are never taken."""

    def __init__(self, given: PokerRules, seed: int) -> None:
        self.given, self.seed, self.map = given, seed, random_map(given, seed)

    @property
    def rules(self) -> PokerRules:
        return self.given

    def table(self, betting):
        draws = np.random.default_rng([self.seed, *map(ord, betting.history)])
        shares = draws.random((self.map.counts[betting.round], len(betting.choices))) ** 3
        shares[shares < 0.02] = 0
        shares[:, -1] += 1e-3
        return shares / shares.sum(axis=1, keepdims=True)
