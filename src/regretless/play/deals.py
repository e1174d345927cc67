"""Cards of every hand, drawn as the ACPC dealer draws them.

One Mersenne Twister serves a match. Every hand draws all its cards from it at once, hole
cards by position and then the whole board, whatever the betting: so the cards of a hand
depend only on the seed and its number. Hands are drawn in chunks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from regretless.cards.deck import RANKS, SUITS
from regretless.core.errors import within
from regretless.games._betting import PokerRules

Rows: TypeAlias = npt.NDArray[np.uint8]  # one row per hand, a card is rank * 4 + suit

CHUNK = 1024  # hands drawn at a time, after a few smaller chunks: matches may be short
_FIRST_CHUNK = 32
MOST_SEED = 2**32 - 1
NAMES = [rank + suit for rank in RANKS for suit in SUITS]
_SKIPPED = 2**20  # numbers skipped at a time on the way to a later hand


class Deal(NamedTuple):
    """The cards of one hand, in the order of dealing."""

    holes: tuple[tuple[str, ...], ...]  # by position, such as ("Qh", "2c")
    board: tuple[str, ...]  # of all rounds, even those not reached yet


def deals(rules: PokerRules, seed: int, *, first: int = 0) -> Iterator[Deal]:
    """The endless deals of a match, from hand `first` on."""
    for rows in dealt_rows(rules, seed, first=first):
        yield from named(rules, rows)


def dealt_rows(rules: PokerRules, seed: int, *, first: int = 0) -> Iterator[Rows]:
    """The same as numbers, one chunk of hands at a time; columns in the order of drawing."""
    within("seed", seed, 0, MOST_SEED)
    within("first hand", first, 0, 2**62)
    drawn = rules.players * rules.hole + sum(rules.board)
    twister = np.random.RandomState(seed)
    for start in range(0, first * drawn, _SKIPPED):
        _raw(twister, min(_SKIPPED, first * drawn - start))
    hands = _FIRST_CHUNK
    while True:
        yield _drawn(full_deck(rules), _raw(twister, hands * drawn).reshape(hands, drawn))
        hands = min(2 * hands, CHUNK)


def named(rules: PokerRules, rows: Rows) -> list[Deal]:
    """Rows of drawn cards as deals."""
    cuts = list(accumulate([rules.hole] * rules.players, initial=0))
    spans = [slice(*pair) for pair in pairwise(cuts)]
    board = slice(cuts[-1], None)
    texts = np.array(NAMES, object)[rows].tolist()
    return [Deal(tuple([row[span] for span in spans]), row[board]) for row in map(tuple, texts)]


def full_deck(rules: PokerRules) -> Rows:
    """The cards of a deck before the first is drawn: suit by suit, the top ranks."""
    ranks, suits = range(13 - rules.ranks, 13), range(4 - rules.suits, 4)
    return np.array([rank * 4 + suit for suit in suits for rank in ranks], np.uint8)


def _drawn(deck: Rows, numbers: npt.NDArray[np.uint32]) -> Rows:
    """Draw with each row of numbers; the last card replaces the one that was drawn."""
    hands, count = numbers.shape
    decks, every = np.tile(deck, (hands, 1)), np.arange(hands)
    rows = np.empty((hands, count), np.uint8)
    for draw in range(count):
        left = len(deck) - draw
        places = numbers[:, draw] % np.uint32(left)
        rows[:, draw] = decks[every, places]
        decks[every, places] = decks[:, left - 1]
    return rows


def _raw(twister: np.random.RandomState, count: int) -> npt.NDArray[np.uint32]:
    """The next raw outputs: over the full range nothing is scaled or rejected."""
    return twister.randint(0, 2**32, count, dtype=np.uint32)
