"""Poker: what is best in the last round is tried after any betting before (Algorithm 8)."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Flags, Ints
from regretless.forms.form import Form
from regretless.forms.labels import read_label
from regretless.solvers.additions._addition import Addition


class Rule(Addition):
    """Every sequence of the best response within the second round, or a later one, is added
    behind all sequences of the rounds before that allow it."""

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.alike = self._grouped()

    def add(self, player: int, response: Flags) -> Flags:
        played = np.unique(self.alike[response != 0])
        chosen = np.isin(self.alike, played[played >= 0]).astype(np.uint8)
        return self.closed(player, response | chosen)

    def _grouped(self) -> Ints:
        """A number for every sequence: equal where cards, last round and action are."""
        groups: dict[tuple[int, str, str, str, str], int] = {}
        alike = np.full(int(self.form.plex.roots[-1]), -1, np.int64)
        for player, plex in enumerate(self.form.treeplexes):
            for name, actions, places in zip(
                plex.labels, plex.actions, self.sequences(player), strict=True
            ):
                label = read_label(name)
                if label.round == 0:
                    continue
                for action, place in zip(actions, places, strict=True):
                    key = (player, label.hole, label.board, label.betting[-1], action)
                    alike[place] = groups.setdefault(key, len(groups))
        return alike
