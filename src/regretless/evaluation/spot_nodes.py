"""One decision of a solved spot, hand by hand: strategy, frequencies and EVs.

EVs are chips that a hand wins from here on, the pot included: folding is worth 0,
and without rake the EVs of both players sum to the pot. With ICM they are prizes, relative
to the stacks before the hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regretless.cards.deck import HOLDINGS
from regretless.cards.holdings import disjoint, without
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, Unsuitable
from regretless.forms.public import PublicForm
from regretless.forms.public_chances import lane_chances
from regretless.forms.public_rows import board_lanes, hand_rows
from regretless.games._betting import Betting
from regretless.games._lines import move_names, read_line
from regretless.games._spot import STREETS, Spot
from regretless.strategy.strategy import Strategy

Cards = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Node:
    """A decision; vectors have one number per hand of `holdings`."""

    line: str
    board: Cards
    betting: Betting
    actions: tuple[str, ...]
    weights: tuple[Floats, Floats]  # [player] range times the probability of its own actions
    reach: float  # how often play reaches this decision, if these cards are dealt
    strategy: Floats  # [hand, action] of the acting player; nan for hands outside its range
    action_ev: Floats  # [hand, action]; nan also if all of the other's hands are blocked

    @property
    def player(self) -> int:
        """Who acts: 0 is out of position."""
        return self.betting.actor

    @cached_property
    def share(self) -> Floats:
        """[hand] how likely the acting player holds it here, as weights that sum to 1."""
        both = self.weights[self.player] * (disjoint() @ self.weights[1 - self.player])
        total = both.sum()
        found: Floats = both / total if total > 0 else both
        return found

    @property
    def ev(self) -> Floats:
        """[hand] what it earns with its own strategy."""
        found: Floats = (self.strategy * self.action_ev).sum(axis=1)
        return found

    def mean(self, values: Floats) -> float:
        """Mean over the range of the acting player; nan if the decision is never reached."""
        kept = self.share > 0
        return float(self.share[kept] @ values[kept]) if kept.any() else float("nan")

    @property
    def frequencies(self) -> tuple[float, ...]:
        """How often every action is taken, over the range."""
        return tuple(self.mean(column) for column in self.strategy.T)


class Nodes:
    """Finds decisions of a solved spot."""

    def __init__(self, strategy: Strategy) -> None:
        form = strategy.form
        if not isinstance(form, PublicForm) or form.game.spot is None:
            raise Unsuitable(f"game {form.spec} is not a spot")
        self.form, self.behaviour = form, strategy.behaviour
        self.spot: Spot = form.game.spot

    def at(self, line: str = "") -> Node:
        """The decision at a line such as `check bet120 / 2s / check`."""
        betting, dealt = self._read(line)
        board = tuple(card for cards in dealt for card in cards)
        live = without(board)
        ranges = [np.where(live, mine, 0.0) for mine in self.spot.ranges]
        weights = [mine.copy() for mine in ranges]
        for before, move in _path(self.spot.rules.start(), betting):
            chosen = self._rows(before, dealt, self.behaviour)[:, move]
            weights[before.actor] *= np.nan_to_num(chosen)
        possible = ranges[0] @ disjoint() @ ranges[1]
        return Node(
            line=line,
            board=board,
            betting=betting,
            actions=move_names(betting),
            weights=(weights[0], weights[1]),
            reach=float(weights[0] @ disjoint() @ weights[1] / possible) if possible else 0.0,
            strategy=self._rows(betting, dealt, self.behaviour),
            action_ev=self._earned(betting, dealt, weights[1 - betting.actor]),
        )

    def _earned(self, betting: Betting, dealt: Sequence[Cards], rival: Floats) -> Floats:
        player, rules = betting.actor, self.spot.rules
        earned = self._rows(betting, dealt, self._values[player])
        met = disjoint() @ rival
        chances = self._chances(player, dealt[: betting.round + 1])
        with np.errstate(invalid="ignore", divide="ignore"):
            paid: Floats = earned / (chances * met)[:, None]
        paid[met <= 0] = np.nan
        # From payoffs to winnings, the pot included.
        return paid if rules.utility is not None else paid + rules.dead / 2 + betting.spent[player]

    @cached_property
    def _values(self) -> list[Floats]:
        return [self.form.action_values(player, self.behaviour) for player in range(2)]

    @cached_property
    def _lane_chances(self) -> tuple[Floats, ...]:
        return lane_chances(self.form.layout)

    def _rows(self, betting: Betting, dealt: Sequence[Cards], vector: Floats) -> Floats:
        """[hand, action] numbers of a vector over sequences; nan for hands without a lane."""
        return hand_rows(self.form, betting, dealt, vector)

    def _chances(self, player: int, dealt: Sequence[Cards]) -> Floats:
        """[hand] probability of all deals that its lane represents, before the rival's weight."""
        layout = self.form.layout
        side, round = layout.sides[player], len(dealt) - 1
        board, numbers, lanes = board_lanes(self.form, player, dealt)
        before = sum(len(side[r].counts) for r in layout.rounds if r < round)
        found = np.full(HOLDINGS, np.nan)
        found[numbers] = self._lane_chances[player][before + int(side[round].first[board]) + lanes]
        return found

    def _read(self, text: str) -> tuple[Betting, list[Cards]]:
        """The place that a line names, with the cards of each street."""
        rules = self.spot.rules
        betting, cards = read_line(rules, self.spot.board, text)
        if betting.over:
            raise BadParameter(f"line {text!r}: the hand is over, nobody acts")
        dealt: list[Cards] = [self.spot.board]
        for round in range(1, betting.round + 1):
            if len(cards[round - 1]) != rules.board[round]:
                street = STREETS[sum(rules.board[: round + 1])]
                raise BadParameter(
                    f"line {text!r}: expected the {street} between slashes, as in "
                    "'check check / 2s / bet'"
                )
            dealt.append(cards[round - 1])
        return betting, dealt


def _path(start: Betting, end: Betting) -> Iterator[tuple[Betting, int]]:
    """Decisions on the way to a betting state, and the moves made there."""
    now = start
    while now.history != end.history:
        move = next(
            n
            for n, child in enumerate(now.children)
            if end.history.startswith(child.history)
            and not end.history[len(child.history) :][:1].isdigit()
        )
        yield now, move
        now = now.children[move]
