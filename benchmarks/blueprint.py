"""Training a blueprint of hold'em: boards per second, threads, memory.

The tree has 2,513 betting sequences (25 big blinds, `sizes=nyx`), the map 169/1000/1000/1000
buckets. Nothing has to be computed first: on a board hands are ranked by their strength on the
river, with noise on flop and turn, and divided evenly into about as many buckets as a real map
(flop and turn by `distribution:1000`, river by `ochs:1000`) has per board. A board is swept for all
hands of both players. Rates include drawing boards and looking up buckets, and exclude
compilation; threads are measured in turn, and the fastest of seven repetitions counts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import all_cores, progress, rates
from regretless.abstraction._deal_rules import DealRules
from regretless.abstraction._hand_map import RoundMap
from regretless.blueprints.training import Trainer
from regretless.cards.evaluator import ranks_on_board
from regretless.cards.holdings import evaluator_order
from regretless.core.arrays import Indices

GAME = "holdem_nolimit:stack=2500,sizes=nyx"
BUCKETS = (169, 1000, 1000, 1000)
LEVELS, NOISE = (111, 77, 32), (2000.0, 1000.0, 0.0)  # of flop, turn and river
THREADS = (1, 2)


def measure() -> list[Row]:
    """Boards per second on one and two threads."""
    rules = rl.load(GAME).rules
    assert rules is not None
    tree, hand_map = rl.research.BettingTree(rules), strength_map()
    with all_cores():
        trainers = {count: Trainer(tree, hand_map, threads=count) for count in THREADS}
        for count, trainer in trainers.items():
            progress(f"{count} thread(s): compiling and warming up")
            trainer.step(20)
        progress("timing")
        speeds = rates({str(count): trainer.step for count, trainer in trainers.items()})
    boards = {count: speeds[str(count)] * trainers[count].boards for count in THREADS}
    rows = [Row(f"{count} thread(s)", round(boards[count], 1), "boards/s") for count in THREADS]
    rows.append(Row("speed-up of two threads", round(boards[2] / boards[1], 2), "times"))
    rows.append(Row("memory", round(trainers[1].memory_bytes / 2**20), "MiB"))
    return rows


class StrengthMap(rl.abstraction.HandMap):
    """Hands of a board are ranked; the tables only take the time of looking them up."""

    def buckets(self, boards: Sequence[Sequence[int]]) -> list[Indices]:
        """[round][hand] -1 where a hand shares a card with the board."""
        known = super().buckets(boards)
        board = [card for part in boards for card in part]
        strength = ranks_on_board(board)[evaluator_order()]
        draws = np.random.default_rng(board)
        for round, (levels, noise) in enumerate(zip(LEVELS, NOISE, strict=True), 1):
            wanted = strength + noise * draws.standard_normal(strength.size)
            place = np.empty(strength.size)
            place[np.argsort(wanted)] = np.arange(strength.size) / strength.size
            labels = ((place * levels).astype(np.int32) * 7 + sum(board)) % BUCKETS[round]
            known[round] = np.where(known[round] < 0, -1, labels).astype(np.int32)
        return known


def strength_map() -> rl.abstraction.HandMap:
    """Ranked hands, which take as long to look up as in any map."""
    plain = random_map()
    return StrengthMap(plain.deal, plain.rounds, "strength")


def random_map() -> rl.abstraction.HandMap:
    """The numbers of hands put into buckets at random; before the flop there are 169 classes."""
    deal, draws = DealRules(), np.random.default_rng(0)
    rounds = []
    for number, count in enumerate(BUCKETS):
        index = deal.index(number)
        labels = (
            np.arange(index.size) if count == index.size else draws.integers(count, size=index.size)
        )
        rounds.append(RoundMap(index, count, labels.astype(np.uint16)))
    return rl.abstraction.HandMap(deal, tuple(rounds), "random")
