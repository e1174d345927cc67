"""Jam or fold for any number of players, whose hands are dealt in turn.

The model: a player is dealt its hand when its turn comes, from a deck without the cards of those
who are already in; a hand that is folded goes back into the deck. So card removal is exact among
the at most three players in a pot, and folded hands are not removed. Two players are exact; of
more, only what folded hands say about the others' cards is missing. It is a game of its own, in
which gains of best responses are exact."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from regretless.cards.orders import orders
from regretless.cards.showdowns import Showdowns
from regretless.core.arrays import Floats
from regretless.forms.form import own, require_kernel_arguments
from regretless.forms.jam_fold import JamFoldForm, Utility, chips_won, laid_out_stage
from regretless.games._jam_fold import FOLD, LETTERS, JamFold

FREE = "".join(LETTERS)  # of a player who chooses
TWO = 2  # players in


@dataclass(frozen=True, eq=False)
class Walked:
    """What one walk of the betting found for a plan of all players."""

    plan: Floats
    gradient: Floats
    values: list[float] = field(default_factory=list)  # [player]
    two_in: dict[str, Floats] = field(default_factory=dict)  # where a second player came in


@dataclass(frozen=True, eq=False)
class DealtInTurn(JamFoldForm):
    """The jam/fold game of this model, as solvers read it.

    Vectors over hands have one entry per class of every player who is in, in order."""

    def paying(self, utility: Utility | Floats) -> DealtInTurn:
        """The same game with another utility."""
        return DealtInTurn(self.stage, super().paying(utility).utility)

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        require_kernel_arguments(self.plex.roots, player, plan, out)
        mine = own(self, player)
        out[mine] = self.walked(plan).gradient[mine]

    def walked(self, plan: Floats, two_in: dict[str, Floats] | None = None) -> Walked:
        """Values and gradients of all players at once.

        With `two_in` of an earlier walk, what follows a second player is not walked again."""
        walk = Walked(plan, np.zeros_like(plan), two_in={} if two_in is None else two_in)
        walk.values[:] = self._below(walk, "", np.ones(1))[:, 0].tolist()
        return walk

    def _below(self, walk: Walked, history: str, reach: Floats) -> Floats:
        """[player, hands of those in] the chance of the hands, times what is earned from here.

        `reach` is how often they come here with these hands, and the others fold."""
        if len(history) == self.players:
            return self._settled[history]
        entered_now = _count(history) == TWO > _count(history[:-1])
        if entered_now and history in walk.two_in:
            return walk.two_in[history]
        choices = self.stage.rules.move(history) or FREE
        if choices == FREE:
            found = self._chosen(walk, history, reach)
        else:
            found = self._forced(walk, history, choices, reach)
        if entered_now:
            walk.two_in[history] = found
        return found

    def _forced(self, walk: Walked, history: str, letter: str, reach: Floats) -> Floats:
        """The next player has no choice, and one sequence for all its hands."""
        player = len(history)
        if letter == FOLD:
            found = self._below(walk, history + FOLD, reach)
        elif _count(history) == TWO:
            return self._third(walk, history + letter, reach, np.ones(self._classes), player)[0]
        else:
            found = self._entered(walk, history + letter, reach, np.ones(self._classes)).sum(axis=2)
        walk.gradient[self.plex.roots[player]] += reach @ found[player]
        return found

    def _chosen(self, walk: Walked, history: str, reach: Floats) -> Floats:
        """The next player jams some hands; with the others it folds, as often as that happens."""
        player, count = len(history), _count(history)
        fold, jam = self.cells[history]
        jams, chance = walk.plan[jam], self._chances[count]
        if count == TWO:
            joined, dealt = self._third(walk, history + FREE[1], reach, jams, player + 1)
        else:
            entered = self._entered(walk, history + FREE[1], reach, jams)
            joined, table = entered @ jams, self._chances[count + 1].reshape(len(reach), -1)
            dealt = table @ jams
        folds = np.maximum(1.0 - _shares(dealt, chance), 0.0)
        folded = self._below(walk, history + FOLD, reach * folds)
        lost = _shares(reach * folded[player], chance)
        if count == TWO:
            met, walk.gradient[fold] = self.stage.showdowns.third(reach, lost)
            walk.gradient[jam] = met @ self._ending_of(history + FREE[1])[:, player]
        else:
            walk.gradient[jam] = reach @ entered[player]
            walk.gradient[fold] = lost @ table
        return joined + folds * folded

    def _entered(self, walk: Walked, history: str, reach: Floats, jams: Floats) -> Floats:
        """[player, hands of those in before, own hand] if the first or second has come in."""
        below = self._below(walk, history, np.outer(reach, jams).ravel())
        return below.reshape(self.players, len(reach), self._classes)

    def _third(
        self, walk: Walked, history: str, reach: Floats, jams: Floats, first: int
    ) -> tuple[Floats, Floats]:
        """[player, hands of the two before], and the chance, if the third has come in.

        The others fold: the players from `first` on choose nothing in this line."""
        joined, chance = self.stage.showdowns.third_in(jams, self._ending_of(history))
        joined = joined.reshape(self.players, -1)
        for player in range(first, self.players):
            walk.gradient[self.plex.roots[player]] += reach @ joined[player]
        return joined, chance.ravel()

    def _ending_of(self, history: str) -> Floats:
        """[order, player] if everybody else folds."""
        return self._worth[history.ljust(self.players, FOLD)]

    @property
    def _classes(self) -> int:
        return self.stage.showdowns.classes

    @cached_property
    def _chances(self) -> list[Floats]:
        """[players in][their hands]"""
        cards = self.stage.showdowns
        return [np.ones(1), cards.alone, cards.pairs.sum(axis=2).ravel()]

    @cached_property
    def _worth(self) -> dict[str, Floats]:
        """[ending][order, player] what its outcomes are worth."""
        ends = np.cumsum([len(ending.orders) for ending in self.stage.rules.endings])
        parts = np.split(self.utility, ends[:-1])
        names = [ending.history for ending in self.stage.rules.endings]
        return dict(zip(names, parts, strict=True))

    @cached_property
    def _settled(self) -> dict[str, Floats]:
        """[ending][player, hands] of one or two players in."""
        cards = self.stage.showdowns
        tables = {1: cards.alone[:, None], TWO: cards.pairs.reshape(-1, len(orders(TWO)))}
        return {
            history: (tables[_count(history)] @ worth).T
            for history, worth in self._worth.items()
            if _count(history) in tables
        }

    @cached_property
    def cells(self) -> dict[str, tuple[slice, slice]]:
        """[history] the sequences of folding and of jamming there."""
        found, classes = {}, self._classes
        for player, histories in enumerate(self.stage.rules.decisions):
            first = int(self.plex.roots[player]) + 1
            for at, history in enumerate(histories):
                fold, jam = (first + (a * len(histories) + at) * classes for a in range(2))
                found[history] = slice(fold, fold + classes), slice(jam, jam + classes)
        return found


def dealt_in_turn(
    rules: JamFold, showdowns: Showdowns, utility: Utility | Floats | None = None
) -> DealtInTurn:
    """The form of this model; without a utility players are paid the chips that they win."""
    stage = laid_out_stage(rules, showdowns)
    paid = stage.paying(chips_won(rules) if utility is None else utility)
    return DealtInTurn(stage, paid.utility)


def _count(history: str) -> int:
    """How many are in."""
    return len(history) - history.count(FOLD)


def _shares(part: Floats, whole: Floats) -> Floats:
    """part / whole; hands that cannot be dealt together have none."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
