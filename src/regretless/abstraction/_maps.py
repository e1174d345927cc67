"""What one player does not distinguish: hands by round, or decision points one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from regretless.cards.boards import lane_of
from regretless.core.arrays import Flags, Floats, Indices, Ints
from regretless.core.errors import BadParameter, Unsuitable
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.forms.public_chances import board_counts
from regretless.forms.public_layout import Cells, PublicLayout, lay_out
from regretless.forms.public_points import Points
from regretless.games._poker import PokerState


@dataclass(frozen=True, eq=False)
class PointMap:
    """The cell of every decision point, in the order of the form, and the kept actions."""

    cells: Indices  # [decision point]
    kept: Flags | None = None  # [sequence of the player]; None: all of them


# Hands on boards, up to suits, to cells of every round: betting is always distinguished.
CardMap = Cells
Map = CardMap | PointMap


class Lane(NamedTuple):
    """A hand on a board, cards as kinds of the deck."""

    hand: tuple[int, ...]
    board: tuple[tuple[int, ...], ...]  # by round


class Deals:
    """The hands on boards of a poker game, round by round, in the order that card maps use."""

    def __init__(self, form: Form) -> None:
        self.layout = _layout(form)
        self.points = Points(self.layout)

    @property
    def rounds(self) -> range:
        return self.layout.rounds

    def count(self, player: int, round: int) -> int:
        return len(self.layout.level(player, round).counts)

    @cached_property
    def _boards(self) -> dict[int, Floats]:
        return board_counts(self.layout)

    def in_order(self, player: int, round: int, values: np.ndarray) -> np.ndarray:
        """Numbers by lane of the layout, whose last level is sorted, in the order of card maps."""
        if round < len(self.layout.sides[player]) - 1:
            return values
        ordered = np.empty_like(values)
        ordered[self.layout.order[player]] = values
        return ordered

    def lanes(self, player: int, round: int) -> list[Lane]:
        """Every hand on every board."""
        level = self.layout.level(player, round)
        numbers = self.in_order(player, round, np.arange(len(level.counts)))
        board = np.repeat(np.arange(len(level.boards)), np.diff(level.first))
        dealt = [tuple(self.points.new_cards(round, b)) for b in range(len(level.boards))]
        hands = [tuple(hand) for hand in level.hands.tolist()]
        return [Lane(hands[k], dealt[board[k]]) for k in numbers]

    def texts(self, player: int, round: int) -> list[str]:
        """Hole cards and board of every lane, as in the labels of decision points."""
        text = self.layout.deck.text
        return [
            "/".join([text(hand), *(text(cards) for cards in board if cards)])
            for hand, board in self.lanes(player, round)
        ]

    def weights(self, player: int, round: int) -> Floats:
        """How many deals of hand and board every lane represents."""
        level = self.layout.level(player, round)
        boards = np.repeat(self._boards[round], np.diff(level.first))
        return self.in_order(player, round, boards * level.counts)

    def above(self, player: int, round: int) -> Ints:
        """The lane of the previous round that every lane continues."""
        level = self.layout.level(player, round)
        before = self.layout.level(player, round - 1)
        parents = np.repeat(level.parents, np.diff(level.first))
        return self.in_order(player, round, before.first[parents] + level.above)

    def remembers(self, player: int, mine: CardMap) -> bool:
        """Whether every cell has exactly one parent cell in the previous round."""
        for round in self.rounds[1:]:
            before = mine.rows[round - 1][self.above(player, round)]
            cells = mine.rows[round]
            first = np.zeros(mine.counts[round], dtype=np.int64)
            first[cells] = before
            if (first[cells] != before).any():
                return False
        return True

    def find(self, player: int, cards: str) -> tuple[int, int]:
        """Round and lane of a text such as K/Q; suits may be any equivalent ones."""
        hole, *board = cards.split("/")
        shown = [count > 0 for count in self.layout.deck.rules.board]
        for round in self.rounds:
            if sum(shown[: round + 1]) != len(board):
                continue
            side, deck = self.layout.sides[player], self.layout.deck
            dealt = self.points.dealt(board, round)
            number, lane = lane_of(side, dealt, deck.read(hole))
            at = int(side[round].first[number]) + lane
            if round == len(side) - 1:
                at = int(self.layout.order[player][at])
            return round, at
        raise BadParameter(f"cards {cards!r}: no round has a board of {len(board)} parts")

    def map_of(self, player: int, keys: list[list[object]]) -> CardMap:
        """Lanes with equal keys share a cell; cells are numbered by first occurrence."""
        counts, rows = [0] * self.rounds.start, [np.empty(0, np.int32)] * self.rounds.start
        for named in keys:
            rows.append(numbered(named))
            counts.append(int(rows[-1].max(initial=-1)) + 1)
        return CardMap(tuple(counts), tuple(rows))

    def point_map(self, form: Form, player: int, mine: CardMap) -> PointMap:
        """This map for the decision points of a form: cell and betting."""
        cells: list[object] = []
        cached: dict[str, tuple[int, int]] = {}
        for point in form.points(player):
            cards, _, history = point.label.partition(":")
            if cards not in cached:
                round, lane = self.find(player, cards)
                cached[cards] = round, int(mine.rows[round][lane])
            cells.append((*cached[cards], history))
        return PointMap(numbered(cells))


def _layout(form: Form) -> PublicLayout:
    if isinstance(form, PublicForm):
        return form.layout
    game = form.game
    if game is None or not isinstance(game.root, PokerState):
        raise Unsuitable(f"{form.spec} is not a poker game: this abstraction needs cards")
    return lay_out(game)


def numbered(values: Iterable[object]) -> Indices:
    """Equal values get equal numbers, by first occurrence."""
    known: dict[object, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int32)
