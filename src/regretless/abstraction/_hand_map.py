"""Maps of hands on boards to buckets, round by round, for games of any size.

A round is a table over `HandIndex`: the number of a hand on its board, up to suits, gives a label.
Without memory the label is the bucket. A round that remembers also has a table of pairs: bucket of
the previous round and label give the bucket. Betting is unknown here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._deal_rules import Cards, DealRules, deal_rules
from regretless.abstraction._maps import CardMap, Deals
from regretless.cards.hand_index import HandIndex
from regretless.core.arrays import Indices
from regretless.core.errors import BadInput, BadParameter, WrongGame
from regretless.forms.form import Form
from regretless.kernels.hand_buckets import BucketTables, bucket_board

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_BUCKETS = 2**31 - 1
NONE, NO_PAIRS = np.empty(0, np.uint16), np.empty((0, 0), np.int32)


@dataclass(frozen=True, eq=False)
class RoundMap:
    """The buckets of one round."""

    index: HandIndex  # of hole cards and board; the board in order of rounds, or as a set
    count: int  # buckets
    # [number in `index`] label; empty: the label is the number
    labels: npt.NDArray[Any] = field(default_factory=lambda: NONE)
    # [bucket of the previous round, label] bucket; empty: the bucket is the label
    pairs: Indices = field(default_factory=lambda: NO_PAIRS)
    known_digest: str = ""  # of a map that was read from files

    def __post_init__(self) -> None:
        labels = self.labels.size or self.index.size
        if labels != self.index.size or self.labels.dtype not in (np.uint16, np.int32):
            raise BadInput(
                f"labels of shape {self.labels.shape} and type {self.labels.dtype}: must be one "
                f"uint16 or int32 per hand, {self.index.size:,}"
            )
        if not 1 <= self.count <= MOST_BUCKETS:
            raise BadParameter(f"{self.count:,} buckets: must be 1 to {MOST_BUCKETS:,}")
        for name in ("labels", "pairs"):  # read-only, so that kernels are compiled once
            table = np.ascontiguousarray(getattr(self, name)).view()
            table.setflags(write=False)
            object.__setattr__(self, name, table)
        self._check_range()

    def _check_range(self) -> None:
        """Kernels trust tables, so no number may point outside."""
        labels = (int(self.labels.min()), int(self.labels.max())) if self.labels.size else (0, 0)
        last = labels[1] if self.labels.size else self.index.size - 1
        buckets = (int(self.pairs.min()), int(self.pairs.max())) if self.remembers else (0, last)
        most = self.pairs.shape[1] if self.remembers else self.count
        if min(*labels, *buckets) < 0 or last >= most or buckets[1] >= self.count:
            raise BadInput(
                f"a label or bucket is outside its range: buckets are 0 to {self.count - 1:,}"
            )

    @property
    def remembers(self) -> bool:
        """Whether a bucket depends on the bucket of the previous round."""
        return self.pairs.size > 0

    @cached_property
    def tables(self) -> BucketTables:
        """The arrays that kernels read."""
        return BucketTables(self.index.tables, self.labels, self.pairs)

    def of(self, hands: Cards, board: Cards, previous: Indices | None = None) -> Indices:
        """[hand] buckets of hands on one board, whose cards are in the order of the deal.

        -1 if a hand shares a card with the board; `previous` has the buckets of the previous
        round, if this one remembers."""
        out, numbers = np.empty(len(hands), np.int32), np.empty(len(hands), np.int64)
        before = np.empty(0, np.int32) if previous is None else previous
        if self.remembers and before.shape != out.shape:
            raise BadInput(f"previous buckets of shape {before.shape}: must be {out.shape}")
        bucket_board(self.tables, hands, board, before, numbers, out)
        return out

    @cached_property
    def digest(self) -> str:
        """Equal for equal maps."""
        if self.known_digest:
            return self.known_digest
        hashed = hashlib.sha256(repr((self.index, self.count)).encode())
        for table in (self.labels, self.pairs):
            hashed.update(f"{table.shape}{table.dtype}".encode())
            hashed.update(table.data if table.size else b"")
        return hashed.hexdigest()


@dataclass(frozen=True, eq=False)
class HandMap:
    """A map for every round. Hands are in the order of `DealRules.hands`."""

    deal: DealRules
    rounds: tuple[RoundMap, ...]
    by: str = "by hand"

    def __post_init__(self) -> None:
        if len(self.rounds) != len(self.deal.board):
            raise BadInput(f"{len(self.rounds)} rounds: the game has {len(self.deal.board)}")
        for number, (name, one) in enumerate(zip(self.deal.rounds, self.rounds, strict=True)):
            fits = self.deal.index(number), self.deal.index(number, ordered=True)
            if one.index not in fits:
                raise BadInput(
                    f"{name}: hands are dealt {one.index.rounds}, must be {fits[0].rounds}"
                )
            before = self.rounds[number - 1].count if number else 0
            if one.remembers and (not number or len(one.pairs) != before):
                raise BadInput(f"{name}: pairs with {len(one.pairs)} earlier buckets, not {before}")

    def __repr__(self) -> str:
        return f"HandMap({self.by!r}, counts={self.counts})"

    @property
    def ranks(self) -> int:
        return self.deal.ranks

    @property
    def suits(self) -> int:
        return self.deal.suits

    @property
    def counts(self) -> tuple[int, ...]:
        """Buckets per round."""
        return tuple(one.count for one in self.rounds)

    @cached_property
    def fingerprint(self) -> str:
        """Equal for equal maps of equal cards."""
        parts = [json.dumps(self.deal.facts()), *(one.digest for one in self.rounds)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def buckets(self, boards: Sequence[Sequence[int]]) -> list[Indices]:
        """[round][hand] buckets of all hands; `boards` has the new cards of each round so far.

        The first round has an empty board; -1 where a hand shares a card with the board."""
        return self._follow(self.deal.hands, boards)

    def of(self, hand: str | Sequence[int], board: str | Sequence[int] = ()) -> int:
        """The bucket of a hand; the cards of the board are in the order of the deal."""
        held, shown = self.deal.read(hand, "hand"), self.deal.read(board, "board")
        for card in held:
            if card in shown:
                raise BadParameter(f"{self.deal.names[card]} is both in the hand and on the board")
        if len(held) != self.deal.hole:
            raise BadParameter(f"hand of {len(held)} cards: must be {self.deal.hole}")
        hands = np.array([held], np.uint8)
        return int(self._follow(hands, self.split(shown))[-1][0])

    def split(self, board: Sequence[int]) -> list[tuple[int, ...]]:
        """The cards of a board by round."""
        sizes = [self.deal.shown(round) for round in range(len(self.rounds))]
        if len(board) not in sizes:
            allowed = ", ".join(map(str, dict.fromkeys(sizes)))
            raise BadParameter(f"board of {len(board)} cards: must be one of {allowed}")
        last = sizes.index(len(board))
        begins = [0, *sizes[:last]]
        return [tuple(board[a:b]) for a, b in zip(begins, sizes[: last + 1], strict=True)]

    def _follow(self, hands: Cards, boards: Sequence[Sequence[int]]) -> list[Indices]:
        dealt = tuple(map(len, boards))
        if not dealt or dealt != self.deal.board[: len(dealt)]:
            raise BadParameter(
                f"boards of {dealt} cards: must be {self.deal.board}, or its beginning"
            )
        cards = np.array([card for part in boards for card in part], np.int64)
        if cards.size and (cards.min() < 0 or cards.max() >= self.deal.cards):
            raise BadParameter(f"board {cards.tolist()}: cards are 0 to {self.deal.cards - 1}")
        if np.unique(cards).size < cards.size:
            raise BadParameter(f"board {cards.tolist()}: a card appears twice")
        return follow(self.rounds[: len(boards)], self.deal, hands, cards.astype(np.uint8))

    def abstraction(self, form: Form) -> Abstraction:
        """The same buckets for all players of a form, so that small games can be solved exactly."""
        deals = Deals(form)
        maps = tuple(self._card_map(form, deals, player) for player in range(form.players))
        return Abstraction(form, maps, self.by)

    def _card_map(self, form: Form, deals: Deals, player: int) -> CardMap:
        self.require(form)
        suits = self.deal.suits if deals.layout.deck.copies > 1 else 0
        keys: list[list[object]] = []
        for round in deals.rounds:
            cells = list[object]()
            for board, lanes in groupby(deals.lanes(player, round), key=lambda lane: lane.board):
                hands = [lane.hand for lane in lanes]
                cells += self._buckets_of(hands, board, suits)
            keys.append(cells)
        return deals.map_of(player, keys)

    def _buckets_of(
        self, hands: list[tuple[int, ...]], board: tuple[tuple[int, ...], ...], suits: int
    ) -> list[int]:
        if suits:  # they never matter in this game, so cards have only ranks: choose any
            dealt = [card for part in board for card in part]
            hands = [tuple(_with_suits([*dealt, *hand], suits)[len(dealt) :]) for hand in hands]
            left = iter(_with_suits(dealt, suits))
            board = tuple(tuple(islice(left, len(part))) for part in board)
        return list(self._follow(np.array(hands, np.uint8), board)[-1].tolist())

    def require(self, game: str | Form | Any) -> None:
        """Refuse a game with other cards."""
        wanted = deal_rules(game)
        if wanted != self.deal:
            raise WrongGame(f"map of {_words(self.deal)}: does not fit {_words(wanted)}")

    def save(self, path: str | Path) -> None:
        """Write a folder of tables."""
        from regretless.abstraction._hand_map_files import write

        write(path, self)

    def plot(self, path: str | Path | None = None) -> Figure:
        """The sizes of all buckets, measured on random boards; written if a file is named."""
        from regretless.abstraction._hand_pictures import size_picture

        return size_picture(self, path)

    def plot_boards(self, path: str | Path | None = None) -> Figure:
        """The boards of every public bucket; written if a file is named."""
        from regretless.abstraction._hand_pictures import board_picture
        from regretless.abstraction._public_buckets import public_round

        return board_picture(self, public_round(self), path)

    def facts(self) -> dict[str, Any]:
        """As JSON-compatible data."""
        return {
            "by": self.by,
            "deal": self.deal.facts(),
            "classes": list(self.counts),
            "hands": [one.index.size for one in self.rounds],
            "remembers": [one.remembers for one in self.rounds],
            "fingerprint": self.fingerprint,
        }


def follow(
    rounds: Sequence[RoundMap], deal: DealRules, hands: Cards, board: Cards
) -> list[Indices]:
    """[round][hand] buckets of hands on a board, whose cards are in the order of the deal."""
    buckets = list[Indices]()
    for number, one in enumerate(rounds):
        buckets.append(one.of(hands, board[: deal.shown(number)], buckets[-1] if buckets else None))
    return buckets


def _with_suits(ranks: Sequence[int], suits: int) -> list[int]:
    """Cards of a deck whose suits never matter: equal ranks get different suits, in order."""
    return [rank * suits + ranks[:place].count(rank) for place, rank in enumerate(ranks)]


def _words(deal: DealRules) -> str:
    hole = f"{deal.hole} hole card{'s' if deal.hole > 1 else ''}"
    board = "/".join(map(str, deal.board))
    return f"{deal.ranks}×{deal.suits} cards, {hole}, boards of {board} cards ({deal.ranking})"
