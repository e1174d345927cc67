"""One hand being played: its deal, its betting, and what each position may know of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from regretless.core.errors import BadInput, IllegalMove, shown
from regretless.games._betting import Betting, PokerRules
from regretless.play.deals import Deal
from regretless.play.records import Hand
from regretless.play.showdown import order_of, settled

# Betting nodes are computed once and shared by all hands; no-limit has too many.
_KEPT_NODES = 2**16


class View(NamedTuple):
    """Everything that one position may know while a hand is played."""

    position: int
    number: int  # of the hand
    betting: Betting
    hole: tuple[str, ...]
    board: tuple[str, ...]  # shown so far


@dataclass(frozen=True, slots=True)
class Table:
    """A hand in progress; acting returns the next state."""

    rules: PokerRules
    deal: Deal
    number: int
    betting: Betting

    @classmethod
    def start(cls, rules: PokerRules, deal: Deal, number: int) -> Table:
        """The hand before anyone has acted."""
        return cls(rules, deal, number, opening(rules))

    @property
    def actor(self) -> int:
        """Position to act, -1 when the hand is over."""
        return self.betting.actor

    @property
    def over(self) -> bool:
        return self.betting.over

    def act(self, action: str) -> Table:
        """The hand after an action: `f`, `c`, `r` or `r300`."""
        return replace(self, betting=after(self.betting, action))

    def view(self, position: int) -> View:
        """What this position knows now."""
        shown = sum(self.rules.board[: self.betting.round + 1])
        hole, board = self.deal.holes[position], self.deal.board[:shown]
        return View(position, self.number, self.betting, hole, board)

    def cards(self, position: int | None = None) -> str:
        """Cards as ACPC text, as this position sees them; None sees everything."""
        return cards_text(self.deal, self.betting, position)

    def payoffs(self) -> tuple[float, ...]:
        """What every position has won."""
        self._require_over()
        contested = sum(self.betting.folded) < self.rules.players - 1
        return settled(self.betting, order_of(self.rules, self.deal) if contested else ())

    def record(self, names: Sequence[str]) -> Hand:
        """The finished hand; names by position."""
        payoffs = self.payoffs()
        return Hand(self.number, self.betting.history, self.cards(), payoffs, tuple(names))

    def _require_over(self) -> None:
        if not self.betting.over:
            raise BadInput(
                f"hand {self.number}, betting {self.betting.history!r}: not over, "
                f"position {self.actor + 1} is to act"
            )


@lru_cache
def opening(rules: PokerRules) -> Betting:
    """The betting before anyone has acted: one node for all hands."""
    return rules.start()


def after(betting: Betting, action: str) -> Betting:
    """The betting after an action; IllegalMove says what is legal."""
    if not isinstance(action, str):  # agents may be user code
        raise IllegalMove(f"{shown(action)}: must be a text such as 'c' or 'r300'")
    return _after(betting, action)


@lru_cache(maxsize=_KEPT_NODES)
def _after(betting: Betting, action: str) -> Betting:
    return betting.act(action)


def cards_text(deal: Deal, betting: Betting, position: int | None = None) -> str:
    """Cards as ACPC text, as this position sees them; None sees everything."""
    holes = deal.holes if position is None else _seen(deal, betting, position)
    return joined(holes, boards(betting.rules, deal)[: betting.round + 1])


def joined(holes: Sequence[Sequence[str]], rounds: Sequence[Sequence[str]]) -> str:
    """Cards as ACPC text: holes by position, then the boards of the rounds begun."""
    # In the protocol a board in the first round has no separator.
    return "|".join(map("".join, holes)) + "/".join(map("".join, rounds))


def boards(rules: PokerRules, deal: Deal) -> list[tuple[str, ...]]:
    """New board cards of every round."""
    cuts = accumulate(rules.board, initial=0)
    return [deal.board[begin:end] for begin, end in pairwise(cuts)]


def _seen(deal: Deal, betting: Betting, position: int) -> list[tuple[str, ...]]:
    """Hole cards as this position sees them: its own, and at a showdown all that did not fold."""
    shown = betting.over and sum(betting.folded) < len(deal.holes) - 1
    return [
        hole if other == position or (shown and not betting.folded[other]) else ()
        for other, hole in enumerate(deal.holes)
    ]
