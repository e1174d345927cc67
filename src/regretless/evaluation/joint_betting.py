"""Two strategies over buckets at one table: all their betting, round by round.

Both may have betting trees of their own. Whoever acts takes an action of its tree, which becomes a
real one by reverse translation, and the other understands that in its own tree by translation,
randomised or not. A player that has left its tree checks and calls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable
from regretless.core.memory import require
from regretless.evaluation.bucket_strategy import BucketStrategy
from regretless.evaluation.joint_tiles import Answer, Beginning, round_of
from regretless.evaluation.table_cards import TableCards
from regretless.games._betting import Betting, PokerRules
from regretless.kernels.one_on_one import Round
from regretless.strategy.translation import Translation
from regretless.strategy.tree_walk import Step, TreeWalk, move_of

_CHECKED = 256  # beginnings of rounds between two looks at the memory


class JointBetting:
    """All betting of two strategies, position by position; rounds as tiles of columns."""

    def __init__(
        self, seats: tuple[BucketStrategy, BucketStrategy], translation: Translation | None = None
    ) -> None:
        self.seats = seats
        self.table = table_of(seats)
        self._walks = tuple(TreeWalk(self.table, one.rules, translation) for one in seats)
        self._beginnings = [list[Beginning]() for _ in range(self.table.rounds)]
        self._answers = [dict[tuple[int, int, int], Answer]() for _ in range(self.table.rounds)]
        self._size = self.ends = 0  # ways in which a hand can end
        start = self.table.start()
        steps = tuple(Step(start, one.rules.start()) for one in seats)
        self._begin(steps, Beginning(0, (np.ones(1), np.ones(1))))
        self.rounds = tuple(self._tiles())
        del self._beginnings, self._answers

    def _tiles(self) -> list[Round]:
        rounds, slots = list[Round](), np.zeros(1, np.int64)
        hands = TableCards(self.table).hands_left
        for number, beginnings in enumerate(self._beginnings):
            if not beginnings:
                break
            answers = self._answers[number]
            counts = [one.map.counts[number] for one in self.seats]
            one, slots = round_of(beginnings, list(answers.values()), counts, slots, hands)
            answers.clear()
            rounds.append(one)
        return rounds

    def _begin(self, steps: tuple[Step, ...], beginning: Beginning) -> None:
        """A new beginning of a round."""
        round = steps[0].real.round
        entry = len(self._beginnings[round])
        self._beginnings[round].append(beginning)
        counts = [one.map.counts[round] for one in self.seats]
        self._act(steps, entry, round, [np.ones(count) for count in counts])

    def _walk(
        self, steps: tuple[Step, ...], entry: int, round: int, shares: list[Floats], last: int
    ) -> None:
        """After an action of `last`."""
        real = steps[0].real
        if real.over:
            folded = any(real.folded)
            pays = real.settle((1, 0))[0]
            if not folded and real.settle((0, 1))[0] != -pays:
                raise Unsuitable("one-on-one: the game is not symmetric, for instance by a rake")
            self._end(round, entry, shares, last).add(shares[last], pays, folded=folded)
        elif real.round > round:
            self._begin(steps, Beginning(entry, (shares[0], shares[1])))
        else:
            self._act(steps, entry, round, shares)

    def _act(self, steps: tuple[Step, ...], entry: int, round: int, shares: list[Floats]) -> None:
        actor = steps[0].real.actor
        mine = steps[actor]
        if mine.node is None or mine.node.over:
            self._take(steps, "c", None, entry, round, shares)
            return
        table = np.asarray(self.seats[actor].table(mine.node), np.float64)
        for index, child in enumerate(mine.node.children):
            share = shares[actor] * table[:, index]
            if share.any():
                after = [share if p == actor else one for p, one in enumerate(shares)]
                text = self._walks[actor].reverse(mine, index)
                self._take(steps, text, child, entry, round, after)

    def _take(
        self,
        steps: tuple[Step, ...],
        text: str,
        child: Betting | None,
        entry: int,
        round: int,
        shares: list[Floats],
    ) -> None:
        """A real action; the other player may understand it in several ways."""
        real, actor = steps[0].real, steps[0].real.actor
        other, after = 1 - actor, real.act(text)
        own = Step(after, child)
        theirs = steps[other]
        understood = self._walks[other].choices(theirs, move_of(real, text))
        for index, chance in understood or ((-1, 1.0),):
            node = theirs.node.children[index] if index >= 0 and theirs.node else None
            pair = {actor: own, other: Step(after, node)}
            # The chance belongs to nobody: any one of the two tables may hold it.
            weighed = [shares[0] * chance, shares[1]] if chance < 1 else shares
            self._walk((pair[0], pair[1]), entry, round, weighed, actor)

    def _end(self, round: int, entry: int, shares: list[Floats], last: int) -> Answer:
        """The answer that the end belongs to: all ends after one action of the other."""
        waiting, self.ends = shares[1 - last], self.ends + 1
        key = (entry, last, id(waiting))  # kept alive by the answer
        answers = self._answers[round]
        if key not in answers:
            answers[key] = Answer(entry, last, waiting)
            self._size += 8 * (len(waiting) + len(shares[last]))
            if len(answers) % _CHECKED == 0:
                require(2 * self._size, "one-on-one: the tables of this betting tree")
        return answers[key]


def table_of(seats: tuple[BucketStrategy, BucketStrategy]) -> PokerRules:
    """The rules at the table: those of the trees, with any size unless both trees are the same."""
    first, second = (one.rules for one in seats)
    return first if first == second else replace(first, sizing=None, menus=())
