"""Kinds of flops in a report: every flop is of one kind by suits, by ranks and by high card."""

from collections import Counter
from itertools import combinations

from regretless.cards.deck import RANKS, SUITS
from regretless.runs.report_tables import KINDS_OF_FLOPS

DECK = [rank + suit for rank in RANKS for suit in SUITS]
BY_SUITS, BY_RANKS = ("rainbow", "two-tone", "monotone"), ("unpaired", "paired", "trips")
# Of all 22,100 flops, in closed form.
COUNTED = {
    "monotone": 4 * 286,
    "rainbow": 4 * 13**3,
    "trips": 13 * 4,
    "paired": 13 * 6 * 48,
    "unpaired": 286 * 64,
    "2 high": 4,  # three deuces
    "A high": 22_100 - 48 * 47 * 46 // 6,
}


def test_every_flop_has_one_kind_of_each():
    counts: Counter[str] = Counter()
    for flop in combinations(DECK, 3):
        board = "".join(sorted(flop, key=DECK.index, reverse=True))
        names = [name for name, belongs in KINDS_OF_FLOPS if belongs(board)]
        assert names == [name for name, belongs in KINDS_OF_FLOPS if belongs("".join(flop))]
        counts.update(names)
        suits, ranks, high = names
        assert suits in BY_SUITS
        assert ranks in BY_RANKS
        assert high == f"{board[0]} high"
    assert {name: counts[name] for name in COUNTED} == COUNTED
    assert sum(counts.values()) == 3 * 22_100
