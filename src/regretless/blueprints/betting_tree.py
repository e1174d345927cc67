"""The betting of two players as one tree, and where its decisions are in the tables of a strategy.

A betting sequence is any non-empty list of actions from the start of a hand, finished or not:
one per action of every decision. Tables of a strategy have one row per bucket and one column per
action, for each round and player: a decision has adjacent columns, from `first` on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from regretless.core.errors import BadParameter, TooLarge, Unsuitable
from regretless.games._betting import Betting, Move, PokerRules, Ranking

MOST_DECISIONS = 300_000


class Decision(NamedTuple):
    """A point of the betting at which a player acts."""

    round: int
    player: int
    first: int  # column of its first action in the table of its round and player
    betting: Betting

    @property
    def moves(self) -> tuple[Move, ...]:
        """Its actions, in the order of the columns."""
        return self.betting.choices

    @property
    def columns(self) -> slice:
        return slice(self.first, self.first + len(self.betting.choices))


class BettingTree:
    """All decisions of the betting, parents before children."""

    def __init__(self, rules: PokerRules) -> None:
        require_suitable(rules)
        self.rules = rules
        self.widths = [[0, 0] for _ in range(rules.rounds)]  # [round][player] columns
        self.decisions: list[Decision] = []
        stack = [rules.start()]
        while stack:
            betting = stack.pop()
            if betting.over:
                continue
            if len(self.decisions) == MOST_DECISIONS:
                raise TooLarge(
                    f"over {MOST_DECISIONS:,} betting decisions: list fewer bet sizes, "
                    "such as sizes=nyx"
                )
            width = self.widths[betting.round]
            place = Decision(betting.round, betting.actor, width[betting.actor], betting)
            self.decisions.append(place)
            width[betting.actor] += len(betting.choices)
            stack += reversed(betting.children)

    @cached_property
    def _by_history(self) -> dict[str, Decision]:
        return {one.betting.history: one for one in self.decisions}

    @property
    def sequences(self) -> int:
        """The number of betting sequences, finished ones included."""
        return sum(map(sum, self.widths))

    def sizes(self, hands: Sequence[int]) -> tuple[list[int], list[int]]:
        """[player] decision points and sequences of a game with so many hands, or buckets, per
        round."""
        points, sequences = [0, 0], [1, 1]
        for one in self.decisions:
            points[one.player] += hands[one.round]
            sequences[one.player] += hands[one.round] * len(one.betting.choices)
        return points, sequences

    def find(self, betting: str | Betting) -> Decision:
        """The decision after a betting, also as ACPC text such as `r300c/`."""
        history = betting if isinstance(betting, str) else betting.history
        found = self._by_history.get(history)
        if found is None:
            self.rules.replay(history)  # if illegal, it says where and what would be legal
            raise BadParameter(f"betting {history!r}: the hand is over, nobody acts")
        return found


def require_suitable(rules: PokerRules) -> None:
    """Refuse rules that blueprints do not cover."""
    cards = rules.hole + sum(rules.board)
    for fits, what in (
        (rules.players == 2, f"two players, not {rules.players}"),
        (rules.hole == 2, f"two hole cards, not {rules.hole}"),
        (rules.ranking is Ranking.BEST_FIVE, "the best five cards to win"),
        (5 <= cards <= 7, f"hands of five to seven cards at the showdown, not {cards}"),
        (len(set(rules.stacks)) == 1, "equal stacks"),
        (not rules.dead and rules.rake is None and rules.utility is None, "plain chips"),
        (rules.raises is not None or rules.listed, "listed bet sizes, such as sizes=nyx"),
    ):
        if not fits:
            raise Unsuitable(f"a blueprint needs {what}")
