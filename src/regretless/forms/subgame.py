"""A part of a game that can be solved by itself: decisions, and the terminals below them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regretless.core.arrays import Floats, Indices
from regretless.core.errors import whole
from regretless.forms.form import Form
from regretless.forms.treeplex import Point

MOST_SUBGAMES = 20_000  # that are solved one after another


@dataclass(frozen=True, eq=False)
class Subgame:
    """Decision points of both players, parents first, and every terminal below them."""

    form: Form
    name: str  # of its first decision point or public state
    points: tuple[tuple[Point, ...], tuple[Point, ...]]  # sequences count within the player
    sequences: Indices  # [terminal, player], counted over all players as in the form
    chance: Floats  # [terminal]
    payoffs: Floats  # [terminal, player]

    def __repr__(self) -> str:
        inside = " + ".join(str(len(mine)) for mine in self.points)
        return f"Subgame({self.form.spec!r}, {self.name!r}, {inside} decision points)"

    @cached_property
    def own(self) -> Indices:
        """[terminal, player] sequences, counted within the player."""
        return self.sequences - self.form.blocks.roots[:-1].astype(self.sequences.dtype)

    @cached_property
    def inside(self) -> tuple[dict[int, int], dict[int, int]]:
        """[player] for every sequence of the subgame, the one with which its player entered."""
        return self._entered(0), self._entered(1)

    def _entered(self, player: int) -> dict[int, int]:
        entered: dict[int, int] = {}
        for _, _, sequences, parent in self.points[player]:
            above = entered.get(parent, parent)
            entered.update((sequence, above) for sequence in sequences.tolist())
        return entered

    def entries(self, player: int) -> Indices:
        """[terminal] the player's last sequence before the subgame."""
        known, last = self.inside[player], self.own[:, player]
        unique, back = np.unique(last, return_inverse=True)
        above = np.array([known.get(s, s) for s in unique.tolist()], dtype=np.int32)
        return above[back]


def public_part(label: str) -> str:
    """A label of poker without the hole cards: `/Q:cr/` of `K/Q:cr/`."""
    cards, colon, history = label.partition(":")
    return "/".join(["", *cards.split("/")[1:]]) + colon + history


def require_round(depth: int | None, rounds: int) -> int:
    """The number of rounds before the subgames, validated."""
    return rounds - 1 if depth is None else whole("depth", depth, 0, rounds - 1)
