"""Endgames: the rest of a hand, solved while it is played.

The game begins at a real betting and board, so pot and stacks are exact, and its sizes are those
of a menu and those that were really bet. The player who solves it has a range. So has the rival in
endgame solving (Ganzfried & Sandholm 2015); in safe re-solving (Burch, Johanson & Bowling 2014) it
may hold anything, and has a choice in front: with every hand it enters, or takes what its best
response to the strategy played so far would earn from there on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import comb, inf

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, TooLarge
from regretless.core.loop import Loop
from regretless.evaluation.table_cards import TableCards
from regretless.forms.gadget_form import hand_values, with_gadget
from regretless.forms.public import PublicForm, public_form
from regretless.forms.public_rows import Chances, behaviour_by_hand, hand_rows
from regretless.games._betting import Betting, PokerRules
from regretless.games._betting_tree import BettingTree, Kind
from regretless.games._poker import Root, poker_game
from regretless.games._sizing import Sizing
from regretless.solvers._catalog import solver

METHOD = "dcfr:gamma=4"  # the usual one of spots
ENOUGH = 60  # iterations that there should be time for
LEAST = 16  # iterations of an answer that is better than the blueprint's
RARE = 0.01  # of the likeliest hand: hands below this weight are left out
NEVER = 1e-4  # of a range: an action taken less often says nothing about the hand
# Measured for endgames of the turn, on one core, including construction.
SWEPT_PER_S = 1.4e8  # sequences times iterations
SOLVING = 0.75  # share of the time in a safe endgame; offers take the rest
ANYTHING = 0.5  # weight of a hand that may be held; ranges begin with 1, so that players differ
Cards = tuple[int, ...]
Ranges = tuple[Floats, Floats]  # [player][hand]


@dataclass(frozen=True, eq=False)
class Before:
    """What the player who solves has played until now: a strategy from a betting on."""

    player: int
    root: Betting  # of the strategy's own tree
    chances: Chances

    def offers(self, dealt: Sequence[Cards], mine: Floats, real: Betting) -> Floats | None:
        """[hand] what the rival's best response to this strategy earns from the root on, in chips
        of a real betting with perhaps another pot."""
        rival, rules = 1 - self.player, self.root.rules
        ranges = _open(mine, self.player, dealt, rules)
        form = form_of(rules, self.root, dealt, ranges)
        if form is None:
            return None
        played = behaviour_by_hand(form, self.chances, (self.player,))
        _, best = hand_values(form, rival, played)
        share = (best + self.root.spent[rival]) / self.root.pot
        offered: Floats = share * real.pot - real.spent[rival]
        return offered


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

    def before(self, player: int, node: Betting) -> Before:
        """The solution from a node on, as what a player has played until now."""
        return Before(player, node, self.chances)

    def follow(self, line: Sequence[str], dealt: Sequence[Cards]) -> tuple[Betting, Ranges, int]:
        """Where a line of actions from the root leads, the ranges there, and how many of its
        actions are in the tree; it ends before the first that is not."""
        node, ranges = self.root, list(self.ranges)
        for count, token in enumerate(line):
            index = place_of(node, token)
            if index is None:
                return node, (ranges[0], ranges[1]), count
            chosen = np.nan_to_num(self.chances(node, dealt)[:, index])
            ranges[node.actor] = taken(ranges[node.actor], chosen)
            node = node.children[index]
        return node, (ranges[0], ranges[1]), len(line)


def place_of(betting: Betting, token: str) -> int | None:
    """The place of an action, as ACPC text, among the moves."""
    for index, move in enumerate(betting.choices):
        sized = f"r{move.total}" if betting.rules.raises is None else "r"
        if token == (sized if move.letter == "r" else move.letter):
            return index
    return None


def taken(weights: Floats, chosen: Floats) -> Floats:
    """A range after an action; an action that is never taken says nothing."""
    after = weights * chosen
    return after if after.sum() > NEVER * weights.sum() else weights


def solved(
    rules: PokerRules,
    menus: Sequence[Sizing],
    line: str,
    start: str,
    dealt: Sequence[Cards],
    ranges: Ranges,
    iterations: int,
    limit_s: float = inf,
    before: Before | None = None,
) -> Endgame | None:
    """The endgame after `start`, whose tree contains `line`, with the first menu that there is time
    for; None if there is none, or the ranges leave no hands.

    `dealt` has the new board cards of every round begun. With `before` it is re-solved safely."""
    board = [card for part in dealt for card in part]
    first, second = (trimmed(weights, board, rules) for weights in ranges)
    kept, held = (first, second), (first, second)
    if before is not None:
        held = _open(kept[before.player], before.player, dealt, rules)
    hands = [int(np.count_nonzero(weights)) for weights in held]
    share = 1.0 if before is None else SOLVING
    most = share * limit_s * SWEPT_PER_S / min(ENOUGH, iterations)
    fixed = rules.raises is not None or rules.listed
    for sized in [rules] if fixed else [_with(rules, menu, line) for menu in menus]:
        root = sized.replay(start)
        if all(hands) and sequences(root, hands, most) <= most:
            break
    else:
        return None
    form = form_of(sized, root, dealt, held)
    if form is None:
        return None
    if before is not None:
        offers = before.offers(dealt, kept[before.player], root)
        if offers is None:
            return None
        form = with_gadget(form, 1 - before.player, offers)
    running = solver(METHOD, form)
    Loop(work=running, iterations=iterations).advance()
    if running.iteration < min(LEAST, iterations):
        return None
    behaviour = np.asarray(running.behaviour())
    return Endgame(sized, root, form, behaviour, kept, running.iteration)


def form_of(
    rules: PokerRules, root: Betting, dealt: Sequence[Cards], ranges: Ranges
) -> PublicForm | None:
    """The game from a betting and board on; None if the ranges block each other."""
    begins = Root(root, tuple(tuple(part) for part in dealt), ranges)
    try:
        game = poker_game("endgame", rules, suits_distinct=True, root=begins)
        # Counting the nodes of the full tree and matrices for all-ins take a third of a second on
        # the turn: nobody asks for the one, and the other saves less in some hundred iterations.
        return public_form(replace(game, count=None), precision="single", runouts=False)
    except (BadParameter, TooLarge):
        return None


def _open(mine: Floats, player: int, dealt: Sequence[Cards], rules: PokerRules) -> Ranges:
    """Ranges of a player and a rival who may hold anything."""
    live = _free(rules, tuple(card for part in dealt for card in part))
    other = np.where(live, ANYTHING, 0.0)
    return (mine, other) if player == 0 else (other, mine)


def _with(rules: PokerRules, menu: Sizing, line: str) -> PokerRules:
    return replace(rules, sizing=replace(menu, line=line))


def sequences(root: Betting, hands: Sequence[int], most: float) -> float:
    """About how many sequences both players have from here on; counting ends above `most`."""
    rules = root.rules
    left = rules.ranks * rules.suits - sum(rules.board[: root.round + 1])
    boards = {root.round: 1}
    for number in range(root.round + 1, rules.rounds):
        boards[number] = boards[number - 1] * comb(left, rules.board[number])
        left -= rules.board[number]
    count = 0.0
    for kind, player, number, betting in BettingTree(root).walk(inf):
        if kind is Kind.DECISION:
            count += boards[number] * hands[player] * len(betting.choices)
            if count > most:
                break
    return count


def trimmed(weights: Floats, board: Sequence[int], rules: PokerRules) -> Floats:
    """A range without rare hands and those that meet the board."""
    live = _free(rules, tuple(board))
    kept = np.where(live, weights, 0.0)
    most = kept.max(initial=0.0)
    return np.where(kept >= RARE * most, kept / most if most > 0 else kept, 0.0)


@lru_cache(maxsize=256)
def _free(rules: PokerRules, board: Cards) -> npt.NDArray[np.bool_]:
    return TableCards(rules).free(board)
