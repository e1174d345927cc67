"""One-on-one between blueprints of hold'em: boards per second on one core.

The tree has 2,513 betting sequences (25 big blinds, `sizes=nyx`), the map 169/1000/1000/1000 random
buckets, and every action is taken with every bucket, so that no end of the betting can be left
out. A board is traversed for all hands of both players, from one seat or both. Rates include
drawing boards and looking up buckets, and exclude compilation and joining the trees."""

from __future__ import annotations

import numpy as np

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import progress, rates
from benchmarks.blueprint import GAME, random_map
from regretless.core.arrays import Floats
from regretless.evaluation.bucket_strategy import BucketStrategy
from regretless.evaluation.meeting import Meeting
from regretless.games._betting import Betting, PokerRules

SEATS = 2


def measure() -> list[Row]:
    """Boards per second, both seats and per seat."""
    rules = rl.load(GAME).rules
    assert rules is not None
    hand_map = random_map()
    progress("joining the betting trees")
    meeting = Meeting(_Random(hand_map, 1), _Random(hand_map, 2))
    draws = np.random.default_rng(0)

    def play(count: int) -> None:
        meeting.values_of([meeting.dealt(draws) for _ in range(count)])

    progress("compiling and warming up")
    play(2)
    progress("timing")
    boards = rates({"boards": play})["boards"]
    return [
        Row("boards, both seats", round(boards, 1), "boards/s"),
        Row("boards, one seat", round(SEATS * boards, 1), "boards/s"),
        Row("ends of the betting, both seats", meeting.ends, ""),
    ]


class _Random(BucketStrategy):
    """Random play with every bucket."""

    def __init__(self, hand_map: rl.abstraction.HandMap, seed: int) -> None:
        self.map, self.seed = hand_map, seed

    @property
    def rules(self) -> PokerRules:
        rules = rl.load(GAME).rules
        assert rules is not None
        return rules

    def table(self, betting: Betting) -> Floats:
        draws = np.random.default_rng([self.seed, *map(ord, betting.history)])
        shares = draws.random((self.map.counts[betting.round], len(betting.moves)))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))
