"""Vectors over sequences, read and written decision by decision, for all hands of a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from regretless.cards.boards import canonical
from regretless.core.arrays import Floats, Ints
from regretless.forms.form import size
from regretless.forms.public import PublicForm
from regretless.forms.public_chances import actual_hands, hand_numbers
from regretless.games._betting import Betting

Cards = tuple[int, ...]
Chances = Callable[[Betting, tuple[Cards, ...]], Floats]  # [hand of the deck, action] on a board


def hand_rows(form: PublicForm, betting: Betting, dealt: Sequence[Cards], vector: Floats) -> Floats:
    """[hand of the deck, action] for the acting player; nan for hands without a lane.

    `dealt` has the new cards of every round, as many rounds as have begun or more."""
    player, cards = betting.actor, dealt[: betting.round + 1]
    board, numbers, lanes = board_lanes(form, player, cards)
    stage, n, prefix = form.lookup.histories[betting.history]
    places = form.lookup.sequences(stage, n, board, lanes, prefix)
    rows = np.full((len(form.layout.deck.hands), len(betting.choices)), np.nan)
    rows[numbers] = vector[int(form.layout.roots[player]) + places]
    return rows


def behaviour_by_hand(form: PublicForm, chances: Chances, players: Sequence[int] = ()) -> Floats:
    """The behaviour of some players, by default of all, that plays what `chances` says at every
    decision on every board; that of others is 0.

    If suits are renamed, the representative of a hand is asked for."""
    layout, lookup = form.layout, form.lookup
    behaviour = np.zeros(size(form))
    behaviour[layout.roots[:-1]] = 1.0
    for player, round in product(players or range(form.players), layout.rounds):
        level = layout.level(player, round)
        decisions = [
            (stage, n, prefix)
            for stage, n, prefix in lookup.histories.values()
            if layout.stages[stage].round == round
            and layout.stages[stage].nodes[n].player == player
        ]
        for board in range(len(level.boards)):
            hands = hand_numbers(level.hands[level.lanes(board)], layout.deck.kinds)
            lanes, dealt = np.arange(len(hands)), tuple(lookup.new_cards(round, board))
            for stage, n, prefix in decisions:
                places = lookup.sequences(stage, n, board, lanes, prefix)
                betting = layout.stages[stage].nodes[n].bettings[prefix]
                behaviour[layout.roots[player] + places] = chances(betting, dealt)[hands]
    return behaviour


def board_lanes(form: PublicForm, player: int, dealt: Sequence[Cards]) -> tuple[int, Ints, Ints]:
    """The board that represents this one, the numbers of all hands on it, their lanes."""
    side = form.layout.sides[player]
    board, moved = canonical(side, dealt)
    hands, lanes = actual_hands(side[len(dealt) - 1], board)
    back = np.argsort(moved)
    numbers = hand_numbers(np.sort(back[hands], axis=1), form.layout.deck.kinds)
    return board, numbers, lanes.astype(np.int64)
