"""Training a blueprint of hold'em: boards per second, threads, memory.

The tree has 2,513 betting sequences (25 big blinds, `sizes=nyx`), the map 169/1000/1000/1000
buckets with random labels, so that nothing has to be computed first: a real map has fewer buckets
per board, and is faster. A board is swept for all hands of both players. Rates include drawing
boards and looking up buckets, and exclude compilation."""

from __future__ import annotations

import numpy as np

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import all_cores, progress, rates
from regretless.abstraction._deal_rules import DealRules
from regretless.abstraction._hand_map import RoundMap
from regretless.blueprints.training import Trainer

GAME = "holdem_nolimit:stack=2500,sizes=nyx"
BUCKETS = (169, 1000, 1000, 1000)
THREADS = (1, 2)


def measure() -> list[Row]:
    """Boards per second on one and two threads."""
    rules = rl.load(GAME).rules
    assert rules is not None
    tree, hand_map = rl.BettingTree(rules), random_map()
    with all_cores():
        trainers = {count: Trainer(tree, hand_map, threads=count) for count in THREADS}
        for count, trainer in trainers.items():
            progress(f"{count} thread(s): compiling and warming up")
            trainer.step(20)
        progress("timing")
        found = rates({str(count): trainer.step for count, trainer in trainers.items()})
    boards = {count: found[str(count)] * trainers[count].boards for count in THREADS}
    rows = [Row(f"{count} thread(s)", round(boards[count], 1), "boards/s") for count in THREADS]
    rows.append(Row("speed-up of two threads", round(boards[2] / boards[1], 2), "times"))
    rows.append(Row("memory", round(trainers[1].memory_bytes / 2**20), "MiB"))
    return rows


def random_map() -> rl.HandMap:
    """The numbers of hands put into buckets at random; before the flop there are 169 classes."""
    deal, draws = DealRules(), np.random.default_rng(0)
    rounds = []
    for number, count in enumerate(BUCKETS):
        index = deal.index(number)
        labels = (
            np.arange(index.size) if count == index.size else draws.integers(count, size=index.size)
        )
        rounds.append(RoundMap(index, count, labels.astype(np.uint16)))
    return rl.HandMap(deal, tuple(rounds), "random")
