"""Poker: the best response's last round is tried after any earlier betting (Münch 2015, Alg. 8)."""

from __future__ import annotations

import re

import numpy as np

from regretless.core.arrays import Flags, Ints
from regretless.forms.form import Form
from regretless.forms.labels import Label, read_label
from regretless.solvers.additions._addition import Addition

PASSIVE = ("fold", "check", "call")


class Rule(Addition):
    """Every sequence of the best response in the second round, or a later one, is added
    after all sequences of earlier rounds that allow it."""

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.alike = self._grouped()

    def add(self, player: int, response: Flags) -> Flags:
        played = np.unique(self.alike[response != 0])
        chosen = np.isin(self.alike, played[played >= 0]).astype(np.uint8)
        return self.closed(player, response | chosen)

    def _grouped(self) -> Ints:
        """A number per sequence: equal if cards, last round and action are."""
        groups: dict[tuple[int, str, str, str, int], int] = {}
        alike = np.full(int(self.form.plex.roots[-1]), -1, np.int64)
        sizes = self._sizes()
        for player, plex in enumerate(self.form.treeplexes):
            for name, places in zip(plex.labels, self.sequences(player), strict=True):
                label = read_label(name)
                if label.round == 0:
                    continue
                betting = _last_round(label, sizes)
                for action, place in enumerate(places):
                    key = (player, label.hole, label.board, betting, action)
                    alike[place] = groups.setdefault(key, len(groups))
        return alike

    def _sizes(self) -> dict[str, list[str]]:
        """The raises that follow every betting state, as the betting writes them."""
        return {
            "/".join(read_label(label).betting): [
                f"r{name.partition(' ')[2]}" for name in names if name not in PASSIVE
            ]
            for plex in self.form.treeplexes
            for label, names in zip(plex.labels, plex.actions, strict=True)
        }


def _last_round(label: Label, sizes: dict[str, list[str]]) -> str:
    """Betting of the last round, with raises given by their place among the sizes.

    Raises are written as totals, which would reveal what was spent in earlier rounds."""
    so_far, written = "/".join([*label.betting[:-1], ""]), ""
    for token in re.findall(r"r\d*|.", label.betting[-1]):
        written += f"r{sizes[so_far].index(token)}" if token[0] == "r" else token
        so_far += token
    return written
