"""An index of the decisions of a two-card public tree that does not need the tree.

A strategy of a spot is one vector per player. Showing one decision needs only its few hundred
numbers: this index says where they are and which hands they belong to. It is small, is stored
with the strategy, and is read without building the game's form and without loading kernels;
`node_indexing` builds it.

Hands and cards are numbered as in `cards.holdings`. A board and its hands represent all their
images under renaming of suits; results are for the board that was requested."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from regretless.cards.deck import DECK, HOLDINGS
from regretless.cards.holdings import hands
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import BadInput

FULL_BOARD = 5
# Columns of `nodes`: round, number of the stage within it, prefix and their number, row of the
# first action among the player's sequences of the stage, player, actions.
NODE_ROUND, STAGE, PREFIX, PREFIXES, FIRST_ROW, PLAYER, ACTIONS = range(7)
Board = tuple[tuple[int, ...], ...]  # cards of every round


class Place(NamedTuple):
    """A decision on a board: where its numbers are in the player's vector."""

    player: int
    actions: int
    start: int  # of the first action
    stride: int  # from one action to the next
    offset: int  # of the first lane
    lanes: int
    lane_of: Indices  # [hand] its lane, or -1
    first_lane: int  # of the board, among all lanes of the player

    def of(self, read: Callable[[int, int], np.ndarray]) -> np.ndarray:
        """[action, lane] from a player's vector, which `read` reads in part."""
        rows = read(self.start, self.start + self.actions * self.stride)
        rows = rows.reshape(self.actions, self.stride)
        return rows[:, self.offset : self.offset + self.lanes]


@dataclass(frozen=True, eq=False)
class NodeIndex:
    """The layout of a spot's strategy, as needed to look up decisions."""

    first: int  # round in which play begins
    shown: tuple[int, ...]  # cards on the board in every round, starting with the first
    histories: tuple[str, ...]  # betting before every decision
    nodes: Ints
    permutations: Ints  # [renaming, card]
    boards: tuple[Ints, ...]  # [round][board, card] in the order of the rounds
    lanes: tuple[Ints, Ints]  # [player][boards of all rounds + 1] first lane of every board
    hands: tuple[Ints, Ints]  # [player][lane] number of its hand
    items: tuple[Ints, ...]  # [round][board, stage, player] first sequence in its vector
    chances: tuple[Floats, Floats]  # [player][lane before the river] of its deals

    @cached_property
    def early(self) -> tuple[int, int]:
        """The number of sequences per player before the river, which come first."""
        if self.shown[-1] < FULL_BOARD:
            return (-1, -1)
        mine, other = self.items[-1][0, 0].tolist()
        return mine, other

    def knows(self, history: str) -> bool:
        """Whether there is a decision after this betting history."""
        return history in self._numbers

    def find(self, history: str, board: Board) -> Place:
        """The decision after a betting history, on a board given round by round."""
        row = self.nodes[self._numbers[history]].tolist()
        number = row[NODE_ROUND] - self.first
        at, renamings = self._find_board(number, board)
        player = row[PLAYER]
        before = sum(len(boards) for boards in self.boards[:number])
        begin, end = self.lanes[player][before + at : before + at + 2].tolist()
        stride = (end - begin) * row[PREFIXES]
        start = int(self.items[number][at, row[STAGE], player]) + row[FIRST_ROW] * stride
        return Place(
            player,
            row[ACTIONS],
            start,
            stride,
            row[PREFIX] * (end - begin),
            end - begin,
            _lane_of(self.hands[player][begin:end], renamings),
            begin,
        )

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {history: number for number, history in enumerate(self.histories)}

    def _find_board(self, number: int, board: Board) -> tuple[int, Ints]:
        """The representative of this board, and all renamings that map to it."""
        sizes = [len(cards) for cards in board]
        table = self.boards[number]
        edges = np.cumsum([0, *sizes])
        sorted_table = _sorted_parts(table, edges)
        flat = np.array([card for cards in board for card in cards], dtype=np.int64)
        images = _sorted_parts(self.permutations[:, flat], edges)
        for image in images:
            places = np.flatnonzero((sorted_table == image).all(axis=1))
            if places.size:
                same = (images == image).all(axis=1)
                return int(places[0]), self.permutations[same]
        raise BadInput(f"board {board}: no such board")

    def tensors(self) -> dict[str, np.ndarray]:
        """The index as named arrays."""
        text = "\n".join(self.histories).encode()
        return {
            "index.first": np.array([self.first, *self.shown], np.uint8),
            "index.histories": np.frombuffer(text, np.uint8),
            "index.nodes": self.nodes.astype(np.int32),
            "index.permutations": self.permutations.astype(np.uint8),
            "index.boards": np.concatenate([part.ravel() for part in self.boards]).astype(np.uint8),
            "index.board_counts": np.array([len(part) for part in self.boards], np.int32),
            "index.items": np.concatenate([part.ravel() for part in self.items]).astype(np.int64),
            **{f"index.lanes_{p + 1}": self.lanes[p].astype(np.int32) for p in range(2)},
            **{f"index.hands_{p + 1}": self.hands[p].astype(np.uint16) for p in range(2)},
            **{f"index.chances_{p + 1}": self.chances[p].astype(np.float64) for p in range(2)},
        }

    @classmethod
    def of_tensors(cls, tensors: Mapping[str, np.ndarray]) -> NodeIndex:
        """Rebuild the index from named arrays; inconsistent ones are refused."""
        try:
            return cls._read({name: np.asarray(tensor) for name, tensor in tensors.items()})
        except (KeyError, ValueError, IndexError) as error:
            raise BadInput(f"damaged: its index of decisions is inconsistent ({error})") from None

    @classmethod
    def _read(cls, given: Mapping[str, np.ndarray]) -> NodeIndex:
        first, *shown = given["index.first"].tolist()
        counts = given["index.board_counts"].tolist()
        nodes = given["index.nodes"].astype(np.int64).reshape(-1, 7)
        histories = bytes(given["index.histories"]).decode("ascii").split("\n")
        if len(histories) != len(nodes) or len(counts) != len(shown):
            raise ValueError(f"{len(histories)} bettings, {len(nodes)} decisions")
        cards = np.split(
            given["index.boards"].astype(np.int64), np.cumsum(np.multiply(counts, shown))[:-1]
        )
        stages = [
            1 + int(nodes[nodes[:, NODE_ROUND] == first + n, STAGE].max(initial=-1))
            for n in range(len(shown))
        ]
        widths = np.cumsum([2 * n * k for n, k in zip(counts, stages, strict=True)])
        items = np.split(given["index.items"].astype(np.int64), widths[:-1])
        index = cls(
            first=first,
            shown=tuple(shown),
            histories=tuple(histories),
            nodes=nodes,
            permutations=given["index.permutations"].astype(np.int64).reshape(-1, DECK),
            boards=tuple(
                part.reshape(k, n) for part, k, n in zip(cards, counts, shown, strict=True)
            ),
            lanes=_both(given, "lanes", np.int64),
            hands=_both(given, "hands", np.int64),
            items=tuple(
                part.reshape(n, k, 2) for part, n, k in zip(items, counts, stages, strict=True)
            ),
            chances=_both(given, "chances", np.float64),
        )
        for lanes, own in zip(index.lanes, index.hands, strict=True):
            if len(lanes) != sum(counts) + 1 or lanes[-1] != len(own) or own.max() >= HOLDINGS:
                raise ValueError("hands and boards")
        return index


def _both(given: Mapping[str, np.ndarray], name: str, kind: type) -> tuple[np.ndarray, np.ndarray]:
    return given[f"index.{name}_1"].astype(kind), given[f"index.{name}_2"].astype(kind)


def hand_numbers(cards: Indices) -> Ints:
    """[lane] the number of the hand of two sorted cards."""
    low, high = cards.astype(np.int64).T
    numbers: Ints = low * (2 * DECK - 1 - low) // 2 + high - low - 1
    return numbers


def _sorted_parts(table: Ints, edges: Ints) -> Ints:
    """The cards of each round, sorted."""
    parts = [np.sort(table[:, begin:end], axis=1) for begin, end in pairwise(edges.tolist())]
    boards: Ints = np.concatenate(parts, axis=1)
    return boards


def _lane_of(numbers: Ints, renamings: Ints) -> Indices:
    """[hand] its lane on the requested board, after a renaming."""
    lane = np.full(HOLDINGS, -1, dtype=np.int32)
    lane[numbers] = np.arange(len(numbers))
    lanes = np.full(HOLDINGS, -1, dtype=np.int32)
    for renaming in renamings:
        image = lane[hand_numbers(np.sort(renaming[hands()], axis=1).astype(np.int32))]
        lanes = np.maximum(lanes, image)
    return lanes
