"""Numbers of a vector over sequences at one decision, hand by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regretless.cards.boards import canonical
from regretless.core.arrays import Floats, Ints
from regretless.forms.public import PublicForm
from regretless.forms.public_chances import actual_hands, hand_numbers
from regretless.games._betting import Betting

Cards = tuple[int, ...]


def hand_rows(form: PublicForm, betting: Betting, dealt: Sequence[Cards], vector: Floats) -> Floats:
    """[hand of the deck, action] for the acting player; nan for hands without a lane.

    `dealt` has the new cards of every round, as many rounds as have begun or more."""
    player, cards = betting.actor, dealt[: betting.round + 1]
    deck = form.layout.deck
    texts = [deck.text(tuple(part)) for part in cards if part]
    points = form.lookup.hands_at(texts, betting.history)
    sequences = np.array([point.sequences for *_, point in points])
    _, numbers, lanes = board_lanes(form, player, cards)
    found = np.full((len(deck.hands), len(betting.moves)), np.nan)
    found[numbers] = vector[int(form.layout.roots[player]) + sequences[lanes]]
    return found


def board_lanes(form: PublicForm, player: int, dealt: Sequence[Cards]) -> tuple[int, Ints, Ints]:
    """The board that represents this one, the numbers of all hands on it, their lanes."""
    side = form.layout.sides[player]
    board, moved = canonical(side, dealt)
    hands, lanes = actual_hands(side[len(dealt) - 1], board)
    back = np.argsort(moved)
    numbers = hand_numbers(np.sort(back[hands], axis=1), form.layout.deck.kinds)
    return board, numbers, lanes.astype(np.int64)
