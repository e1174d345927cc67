"""A tournament while it is played: stacks carry over, the button moves, prizes are paid.

Hands are jam or fold. What players know of each other's cards is up to the caller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from regretless.core.errors import BadParameter, IllegalMove
from regretless.games._jam_fold import FOLD, LETTERS, Ending, JamFold
from regretless.runs.tournament_charts import Chart, charts
from regretless.runs.tournaments import TournamentSolution
from regretless.stochastic.tournament import SLIGHT, TournamentRules, seated


@dataclass(frozen=True)
class TournamentTable:
    """Seats, chips and the betting of the present hand. Positions count in the order of action."""

    rules: TournamentRules
    stacks: tuple[float, ...]  # by seat, before the hand; 0: out
    order: tuple[int, ...]  # [position] its seat
    won: tuple[float, ...]  # by seat: prizes
    level: int = 0
    hands: int = 0  # complete
    history: str = ""

    @classmethod
    def start(cls, rules: TournamentRules, stacks: Sequence[float]) -> TournamentTable:
        """The first hand; seats are numbered in its order of action."""
        if len(stacks) != rules.players or abs(sum(stacks) - rules.chips) > SLIGHT * rules.chips:
            raise BadParameter(
                f"{len(stacks)} stacks with {sum(stacks):g} chips: "
                f"must be {rules.players} with {rules.chips:g}"
            )
        seats = range(rules.players)
        return cls(rules, tuple(map(float, stacks)), tuple(seats), (0.0,) * len(seats))._moved_on()

    @property
    def over(self) -> bool:
        """Whether one player has all chips."""
        return len(self.order) < 2

    @property
    def present(self) -> tuple[float, ...]:
        """[position] chips before the hand."""
        return tuple(self.stacks[seat] for seat in self.order)

    @cached_property
    def hand(self) -> JamFold:
        """The rules of the present hand."""
        return self.rules.levels[self.level].hand(self.present)

    @property
    def bet(self) -> bool:
        """Whether the betting of the hand is complete."""
        return len(self.history) == len(self.order)

    @property
    def inside(self) -> tuple[int, ...]:
        """The positions that have not folded."""
        return tuple(p for p in range(len(self.order)) if self.history[p : p + 1] != FOLD)

    def act(self, letter: str) -> TournamentTable:
        """The next player jams or folds; moves without a choice follow by themselves."""
        if self.over or self.bet:
            raise IllegalMove(f"{letter!r}: nobody is to act")
        if letter not in LETTERS:
            raise IllegalMove(f"{letter!r}: legal is {' or '.join(LETTERS)}")
        return replace(self, history=self.history + letter)._moved_on()

    def _moved_on(self) -> TournamentTable:
        table = self
        while not table.over and not table.bet and (letter := table.hand.move(table.history)):
            table = replace(table, history=table.history + letter)
        return table

    def settle(self, strengths: Sequence[int], *, up: bool = False) -> TournamentTable:
        """The next hand; [position] strengths compare like the hands. `up`: blinds go up."""
        if self.over or not self.bet:
            raise IllegalMove("the hand is not complete")
        better = sorted({strengths[p] for p in self.inside}, reverse=True)
        ranks = [better.index(strengths[p]) for p in self.inside]
        after = [
            stack if stack > SLIGHT * self.rules.chips else 0.0  # rounding of split pots
            for stack in self.hand.settled(Ending(self.history, self.inside), ranks)
        ]
        stacks, won = list(self.stacks), list(self.won)
        prizes = self.rules.paid(self.present, after)
        for position, seat in enumerate(self.order):
            stacks[seat] = after[position]
            won[seat] += float(prizes[position])
        return TournamentTable(
            self.rules,
            tuple(stacks),
            tuple(self.order[position] for position in seated(after)),
            tuple(won),
            min(self.level + up, len(self.rules.levels) - 1),
            self.hands + 1,
        )._moved_on()


class Advice:
    """What a solution plays at a table, for any stacks."""

    def __init__(self, solution: TournamentSolution) -> None:
        self.solution = solution
        self._charts: dict[tuple[int, tuple[float, ...]], dict[str, Chart]] = {}

    def chart(self, table: TournamentTable) -> Chart:
        """The decision of the player who acts next."""
        key = table.level, table.present
        if key not in self._charts:
            hand = self.solution.at(table.present, table.level)
            histories = [h for own in hand.hand.rules.decisions for h in own]
            found = charts(hand, ("tournament",))
            self._charts[key] = dict(zip(histories, found, strict=True))
        return self._charts[key][table.history]
