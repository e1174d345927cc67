"""Endgames: the rest of a hand, solved with both players' ranges while it is played.

The game begins at a real betting and board, so pot and stacks are exact, and its sizes are those
of a menu and those that were really bet. Nothing protects the other player's values as in safe
re-solving (Ganzfried & Sandholm 2015, endgame solving)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, TooLarge
from regretless.core.interrupts import interrupted
from regretless.evaluation.table_cards import TableCards
from regretless.forms.public import PublicForm, public_form
from regretless.forms.public_rows import hand_rows
from regretless.games._betting import Betting, PokerRules, Sizing
from regretless.games._line_sizing import LineSizing
from regretless.games._poker import Root, poker_game
from regretless.solvers._catalog import solver

METHOD = "dcfr:gamma=4"  # the usual one of spots
STEPS = 8  # iterations between two looks at the clock
LEAST = 16  # iterations of an answer that is better than the blueprint's
RARE = 1e-4  # of the likeliest hand: hands below this weight are left out
Cards = tuple[int, ...]
Ranges = tuple[Floats, Floats]  # [player][hand]


@dataclass(frozen=True, eq=False)
class Endgame:
    """A solved endgame."""

    rules: PokerRules  # of the table, with the sizes of the endgame
    root: Betting
    form: PublicForm
    behaviour: Floats
    ranges: Ranges  # at the root
    iterations: int
    _known: dict[tuple[str, Sequence[Cards]], Floats] = field(default_factory=dict)

    def chances(self, betting: Betting, dealt: Sequence[Cards]) -> Floats:
        """[hand, move] what the acting player does here; nan for hands outside its range."""
        key = betting.history, dealt[: betting.round + 1]
        if key not in self._known:
            self._known[key] = hand_rows(self.form, betting, dealt, self.behaviour)
        return self._known[key]

    def follow(self, line: Sequence[str], dealt: Sequence[Cards]) -> tuple[Betting, Ranges, int]:
        """Where a line of actions from the root leads, the ranges there, and how many of its
        actions are in the tree; it ends before the first that is not."""
        node, found = self.root, list(self.ranges)
        for count, token in enumerate(line):
            index = place_of(node, token)
            if index is None:
                return node, (found[0], found[1]), count
            chosen = np.nan_to_num(self.chances(node, dealt)[:, index])
            found[node.actor] = taken(found[node.actor], chosen)
            node = node.children[index]
        return node, (found[0], found[1]), len(line)


def place_of(betting: Betting, token: str) -> int | None:
    """The place of an action, as ACPC text, among the moves."""
    for index, move in enumerate(betting.moves):
        sized = f"r{move.total}" if betting.rules.raises is None else "r"
        if token == (sized if move.letter == "r" else move.letter):
            return index
    return None


def taken(weights: Floats, chosen: Floats) -> Floats:
    """A range after an action; an action that is never taken says nothing."""
    after = weights * chosen
    return after if after.sum() > RARE * weights.sum() else weights


def solved(
    rules: PokerRules,
    menu: Sizing,
    line: str,
    start: str,
    dealt: Sequence[Cards],
    ranges: Ranges,
    iterations: int,
) -> Endgame | None:
    """The endgame after `start`, whose tree contains `line`; None if time or ranges do not do.

    `dealt` has the new board cards of every round begun."""
    sized = rules
    if rules.raises is None and not rules.listed:
        sized = replace(rules, sizing=LineSizing(menu, line))
    root = sized.replay(start)
    board = [card for part in dealt for card in part]
    kept = [_trimmed(weights, board, rules) for weights in ranges]
    if not all(weights.any() for weights in kept):
        return None
    try:
        game = poker_game(
            "endgame",
            sized,
            suits_distinct=True,
            root=Root(root, tuple(tuple(part) for part in dealt), (kept[0], kept[1])),
        )
        form = public_form(game, precision="single")
    except (BadParameter, TooLarge):  # the two ranges block each other, or too many sizes
        return None
    running, done = solver(METHOD, form), 0
    while done < iterations and not interrupted():
        running.step(min(STEPS, iterations - done))
        done += STEPS
    if done < min(LEAST, iterations):
        return None
    behaviour = np.asarray(running.behaviour())
    return Endgame(sized, root, form, behaviour, (kept[0], kept[1]), min(done, iterations))


def _trimmed(weights: Floats, board: Sequence[int], rules: PokerRules) -> Floats:
    """A range without rare hands and those that meet the board."""
    live = _free(rules, tuple(board))
    found = np.where(live, weights, 0.0)
    most = found.max(initial=0.0)
    return np.where(found >= RARE * most, found / most if most > 0 else found, 0.0)


@lru_cache(maxsize=256)
def _free(rules: PokerRules, board: Cards) -> npt.NDArray[np.bool_]:
    return TableCards(rules).free(board)
