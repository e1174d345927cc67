"""Poker: cautious before the board, aggressive after it (Münch 2015, Algorithms 6 and 7)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from regretless.core.arrays import Flags
from regretless.forms.form import Form
from regretless.forms.labels import RANKS, Label, rank, read_label
from regretless.solvers.additions._addition import Addition

CHECK, BET = "c", "r"


class Rule(Addition):
    """Player 1 opens with a check, and bets if its card is not below the board; player 2
    answers a first check with a bet for the better half of the cards, otherwise with a check."""

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.hints = [self._hinted(0), self._hinted(1)]

    def add(self, player: int, response: Flags) -> Flags:
        return response | self.hints[player]

    def _hinted(self, player: int) -> Flags:
        plex = self.form.treeplexes[player]
        labels = [read_label(label) for label in plex.labels]
        lowest = min((rank(label.hole) for label in labels), default=0)
        wanted = self._opening(labels) if player == 0 else self._reply(labels, lowest)
        chosen = np.zeros(int(self.form.plex.roots[-1]), np.uint8)
        places = self.sequences(player)
        for point, letter in wanted:
            # The smallest bet follows the check, or the call if blinds differ.
            passive = int(plex.actions[point][0] == "fold")
            action = passive if letter == CHECK else passive + 1
            chosen[places[point][min(action, len(places[point]) - 1)]] = 1
        return self.closed(player, chosen)

    def _opening(self, labels: list[Label]) -> Iterator[tuple[int, str]]:
        for point, label in enumerate(labels):
            if label.betting[-1]:
                continue
            if label.round == 0:
                yield point, CHECK
            elif label.board and rank(label.hole) >= rank(label.board):
                yield point, BET

    def _reply(self, labels: list[Label], lowest: int) -> Iterator[tuple[int, str]]:
        highest = len(RANKS) - lowest  # ranks count from 1 in the paper
        for point, label in enumerate(labels):
            if label.betting == (CHECK,):
                value = rank(label.hole) - lowest + 1
                yield point, BET if value > highest / 2 else CHECK
