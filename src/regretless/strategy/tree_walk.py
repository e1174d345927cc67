"""Follows a real hand, with bets of any size, through a betting tree with few sizes.

Every real action becomes one action of the tree, by the same player:

    fold, call    themselves
    a bet         a size of the tree, by translation. A bet smaller than all of them may become a
                  check or call, as long as that does not end the round

and an action of the tree becomes a real one by reverse translation: the same fraction of the pot,
at least the smallest legal raise, and all-in for all-in. So chips in the middle may differ between
the two, rounds never do. A real bet that is the reverse translation of a size is that size: two
players with the same tree understand each other exactly.

A hand leaves the tree when the tree has no such action, for instance after a raise that was
translated to all-in and called: from there on the node is None."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable, WrongGame
from regretless.games._betting import Betting, Move, PokerRules
from regretless.games._sizing import nearest
from regretless.strategy.face import Face, Play, hands_of, place
from regretless.strategy.translation import Translation

SCALED = ("blinds", "stacks", "raises", "caps")
Draw = Callable[[int], float]  # a number in [0, 1) for the action at this place of the history


class Choice(NamedTuple):
    """An action of the tree that a real action may be translated to."""

    move: int  # its place among the moves of the node
    chance: float


class Step(NamedTuple):
    """Where a hand is, at the table and in the tree."""

    real: Betting
    node: Betting | None  # None: the hand has left the tree


class TreeWalk:
    """Two betting trees of the same game: that of the table, and one with few sizes."""

    def __init__(
        self,
        table: PokerRules,
        tree: PokerRules,
        translation: Translation | None = None,
        *,
        scaled: bool = False,
    ) -> None:
        """`scaled`: blinds, stacks and caps may differ, because sizes are fractions of the pot."""
        if table.players != 2:
            raise Unsuitable(f"translation is for two players: the game has {table.players}")
        mine, theirs = _unsized(tree), _unsized(table)
        for field in fields(mine):
            got, needed = getattr(mine, field.name), getattr(theirs, field.name)
            if scaled and field.name in SCALED and (got is None) == (needed is None):
                continue
            if got != needed:
                raise WrongGame(
                    f"the betting tree is of a game with other rules than the table: {field.name} "
                    f"{_plain(got)} in the tree, {_plain(needed)} at the table"
                )
        self.table, self.tree = table, tree
        self.translation = translation or Translation()

    def start(self) -> Step:
        """Before the first action."""
        return Step(self.table.start(), self.tree.start())

    def choices(self, step: Step, move: Move) -> tuple[Choice, ...]:
        """What a real action may be translated to; empty if it leaves the tree."""
        real, node = step
        if node is None or node.over:
            return ()
        letters = [one.letter for one in node.choices]
        if move.letter != "r":
            return (Choice(letters.index(move.letter), 1.0),) if move.letter in letters else ()
        same = [i for i, to in self._written(step) if to == move.total]
        if same:  # several sizes may be rounded to the same bet: the largest is the nearest
            return (Choice(same[-1], 1.0),)
        sized = [
            (i, fraction(node, one.total))
            for i, one in enumerate(node.choices)
            if one.letter == "r"
        ]
        passive = letters.index("c") if "c" in letters else -1
        if passive >= 0 and _stays(node, node.children[passive]):
            sized.insert(0, (passive, 0.0))
        if not sized:
            return ()
        shares = self.translation.shares([size for _, size in sized], fraction(real, move.total))
        return tuple(Choice(i, p) for (i, _), p in zip(sized, shares, strict=True) if p > 0)

    def after(self, step: Step, move: Move, draw: float = 0.0) -> Step:
        """The step after a real action; `draw` in [0, 1) decides between several sizes."""
        real = step.real.act(f"r{move.total}" if move.letter == "r" else move.letter)
        return Step(real, self._child(step, move, draw))

    def _child(self, step: Step, move: Move, draw: float) -> Betting | None:
        options = self.choices(step, move)
        if not options or step.node is None:
            return None
        for index, chance in options:
            draw -= chance
            if draw < 0:
                return step.node.children[index]
        return step.node.children[options[-1].move]

    def follow(self, history: str, draw: Draw = lambda place: 0.0) -> Step:
        """The step after a real betting text such as `r300c/cr450`."""
        return self.path(history, draw)[-1]

    def path(self, history: str, draw: Draw = lambda place: 0.0) -> list[Step]:
        """All steps on the way, the first one before any action."""
        steps = [self.start()]
        for token in tokens(history):
            real = steps[-1].real
            steps.append(self.after(steps[-1], move_of(real, token), draw(len(real.history))))
        return steps

    def reverse(self, step: Step, index: int) -> str:
        """A real action for an action of the tree, as ACPC text."""
        real, node = step
        assert node is not None
        move = node.choices[index]
        if move.letter != "r":
            owes = real.spent[real.actor] < max(real.spent)
            return "c" if move.letter == "c" or not owes else "f"
        limits = real.raise_range()
        if limits is None:
            return "c"
        return f"r{self._total(step, move, limits)}"

    def _written(self, step: Step) -> list[tuple[int, int]]:
        """The raises of the tree with their real totals."""
        real, node = step
        limits = real.raise_range()
        if limits is None or node is None:
            return []
        return [
            (i, self._total(step, move, limits))
            for i, move in enumerate(node.choices)
            if move.letter == "r"
        ]

    def _total(self, step: Step, move: Move, limits: tuple[int, int]) -> int:
        real, node = step
        assert node is not None
        low, high = limits
        most = min(high, max(low, min(real.rules.stacks)))
        if move.total >= min(node.rules.stacks):
            wanted = most
        else:
            wanted = max(real.spent) + nearest(after_call(real) * fraction(node, move.total))
        wanted = min(max(wanted, low), most)
        if real.rules.listed:  # the table itself may have few sizes
            return min(real.raise_totals, key=lambda one: (abs(one - wanted), one))
        return wanted


def after_call(betting: Betting) -> int:
    """The pot after the actor has called."""
    return betting.pot + max(betting.spent) - betting.spent[betting.actor]


def fraction(betting: Betting, total: int) -> float:
    """A bet or raise to this total as a fraction of the pot after a call."""
    return (total - max(betting.spent)) / after_call(betting)


def tokens(history: str) -> list[str]:
    """The actions of a betting text."""
    return re.findall(r"r[0-9]*|[fc]", history)


def move_of(betting: Betting, token: str) -> Move:
    """A real action, without listing all raises that would be legal."""
    if token[0] != "r":
        return Move(token, 0, token)
    digits = token[1:]
    limits = betting.raise_range()
    return Move("r", int(digits) if digits else limits[0] if limits else 0, token)


def _stays(node: Betting, child: Betting) -> bool:
    """Whether the other player acts next in the same round."""
    return not child.over and child.round == node.round and child.actor != node.actor


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _unsized(rules: PokerRules) -> PokerRules:
    return replace(rules, sizing=None, menus=())


_KEPT_LINES = 65_536


class _Line(NamedTuple):
    """A betting history at the table, as the strategy understands it."""

    node: Betting | None  # of its tree
    actions: tuple[str, ...]
    same: Floats  # [move of the node, action] 1 where they are the same


class AtTable:
    """A strategy whose bets are translated, deterministically: the translation then
    does not depend on the hand. A player that has left its tree checks and calls."""

    def __init__(
        self, strategy: Face, table: PokerRules | None = None, *, by: str = "pseudo-harmonic"
    ) -> None:
        """`table`: the rules of the table, by default with any bet size."""
        self.rules = table or replace(strategy.rules, sizing=None, menus=())
        self.strategy = strategy
        self.walk = TreeWalk(self.rules, strategy.rules, Translation(by, randomised=False))
        self._line = lru_cache(maxsize=_KEPT_LINES)(self._followed)

    def at(self, betting: str | Betting, board: str | Sequence[int] = ()) -> Play:
        real, cards = place(self.rules, betting, board)
        node, actions, same = self._line(real.history)
        hands = hands_of(self.rules)
        if node is None:
            return Play(actions, hands.free(cards)[:, None].astype(np.float64), hands)
        return Play(actions, self.strategy.at(node, cards).chances @ same, hands)

    def _followed(self, history: str) -> _Line:
        """The decision of its tree that it sees here, if it is still in it."""
        step = self.walk.follow(history)
        if step.node is None or step.node.over:
            return _Line(None, ("c",), np.ones((1, 1)))
        texts = [self.walk.reverse(step, index) for index in range(len(step.node.choices))]
        actions = tuple(dict.fromkeys(texts))
        # Sizes that are the same at the table are one action.
        same = np.array([[text == action for action in actions] for text in texts], np.float64)
        return _Line(step.node, actions, same)
