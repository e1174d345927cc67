"""Hands that share regrets, against enumerated games whose players see cells instead of cards."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from both_forms import close, game, one_card, random_range, two_cards
from slow_twins import SlowSharedRegrets

from regretless.core.errors import BadParameter, ImperfectRecall, Unsuitable
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.public import public_form
from regretless.forms.public_layout import Cells, lay_out
from regretless.forms.sequence import sequence_form
from regretless.games._locked import HandLock, locked
from regretless.games._poker import PokerState
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy


def cells_by(of, player, cell):
    """Cells of a player: `cell(hand, boards)` names one for every hand and board by round."""
    layout = lay_out(of, isomorphic=False)
    side = layout.sides[player]
    counts, rows, names = [], [], []
    for round, level in enumerate(side):
        order = np.arange(len(level.counts))
        if round == len(side) - 1:  # levels are given before they are sorted by strength
            order = np.argsort(layout.order[player])
        board = np.repeat(np.arange(len(level.boards)), np.diff(level.first))[order]
        hands = level.hands[order].tolist()
        named = [cell(tuple(h), level.boards[b]) for h, b in zip(hands, board, strict=True)]
        known = {name: number for number, name in enumerate(sorted(set(named)))}
        counts.append(len(known))
        rows.append(np.array([known[name] for name in named], dtype=np.int32))
        names.append({number: name for name, number in known.items()})
    return Cells(tuple(counts), tuple(rows)), names


class CellState(PokerState):
    """Poker whose players see the cell of their hand instead of hand and board."""

    __slots__ = ()
    cell: ClassVar = {}  # [player] function of hand and boards

    def view(self, player):
        if player not in self.cell:
            return super().view(player)
        board = tuple(kind for kinds in self.boards for kind in kinds)
        return f"{self.cell[player](self.holes[player], board)}:{self.betting.history}"

    def child(self, index):
        below = super().child(index)
        return type(self)(below.deck, below.betting, below.holes, below.boards, below.left)


def abstract(of, **cell):
    """The enumerated game with these cells, by player: one=, two=."""
    by_player = {("one", "two").index(name): found for name, found in cell.items()}
    kind = type("Abstract", (CellState,), {"cell": by_player, "__slots__": ()})
    root = of.root
    first = kind(root.deck, root.betting, root.holes, root.boards, root.left)
    return replace(of, root=first, count=None)


def label_of(point, names):
    """What the enumerated game calls a point of shared cells."""
    number, _, history = point.label.removeprefix("cell ").partition(":")
    return f"{names[history.count('/')][int(number) - 1]}:{history}"


def agreed(form, walked, names):
    """Where the sequences of the enumerated abstract game stand in the public form."""
    there = np.zeros(size(walked), dtype=int)
    for player in range(2):
        first, second = own(walked, player).start, int(form.layout.roots[player])
        there[first] = second
        points = {}
        for point in form.points(player):
            points[label_of(point, names[player]) if names[player] else point.label] = point
        for point in walked.points(player):
            there[first + point.sequences] = second + points[point.label].sequences
    return there


def pair(hand, board):
    """Aces, and all else."""
    return "ace" if hand[0] // 2 == 2 else "low"


def pair_and_board(hand, board):
    """Aces or not, and whether the board pairs the hand, on any board."""
    made = bool(board) and board[0] // 2 == hand[0] // 2
    return pair(hand, board) + (" made" if made else " open") * bool(board)


def high(hand, board):
    return f"{hand[0] // 2}{hand[1] // 2}"


ONE = game(one_card())
RANGES = game(one_card(), weights=(random_range(6, 5), random_range(6, 6)))
LOCK = np.full((6, 2), -1.0)
LOCK[[0, 4]] = [0.9, 0.1]  # a queen and an ace
# Where a player acts for the last time: below a lock, hands of a cell would differ in their past.
LOCKED = locked(ONE, HandLock("cc/cr", LOCK), HandLock("rc/cr", LOCK[:, ::-1], ((), (2,))))
TWO = game(two_cards(raises=(1, 2), stacks=(), caps=(1, 1)))
SHARED = {
    "two hands": (ONE, {"one": pair}),
    "across boards": (ONE, {"one": pair_and_board, "two": pair_and_board}),
    "one cell": (ONE, {"two": lambda hand, board: "any"}),
    "ranges": (RANGES, {"one": pair_and_board, "two": pair}),
    "cells of their own": (ONE, {"one": pair_and_board, "two": pair}),
    "locked hands": (LOCKED, {"one": pair_and_board, "two": pair}),
    "two cards": (TWO, {"one": high, "two": high}),
}


# kernels/public.py: a player without cells must not learn again after a sweep, locked lanes must
# not teach those that share their rows, and own weights count once in an average.


def built(name, **options):
    of, cell = SHARED[name]
    made = [
        cells_by(of, player, cell[who]) if who in cell else (None, None)
        for player, who in enumerate(("one", "two"))
    ]
    form = public_form(of, isomorphic=False, cells=tuple(found for found, _ in made), **options)
    return form, abstract(of, **cell), [names for _, names in made]


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("method", ["cfr", "pdcfr+", "hedge"])
def test_shared_regrets_are_those_of_the_abstract_game(name, method):
    """With perfect recall: the abstract game is a game, and both learn the same."""
    form, enumerated, names = built(name)
    walked = sequence_form(enumerated)
    there = agreed(form, walked, names)
    here, shared = solver(method, walked), solver(method, form)
    for _ in range(4):
        here.step()
        shared.step()
    for which in ("average", "current", "last"):
        ours, theirs = here.behaviour(which), shared.behaviour(which)[there]
        close(plan_of(walked, ours), plan_of(walked, theirs), 1e-9)
    for player in range(2):  # values alike; best responses may see all cards
        value, best = form.respond(player, shared.behaviour())
        seen, known = walked.respond(player, here.behaviour())
        assert value == pytest.approx(seen, abs=1e-9)
        assert best >= known - 1e-9


@pytest.mark.parametrize("name", SHARED)
def test_gradients_of_shared_rows_add_up(name):
    """Against a player who shares nothing, what a shared row earns is what its lanes do."""
    form, _, _ = built(name)
    of, cell = SHARED[name]
    plain = public_form(of, isomorphic=False)
    for player, who in enumerate(("one", "two")):
        if who not in cell or form.layout.cells[1 - player] is not None:
            continue
        rival = own(plain, 1 - player)
        plan = np.random.default_rng(1).random(size(plain))
        given = np.zeros(int(form.layout.roots[-1]))
        there = slice(int(form.layout.roots[1 - player]), int(form.layout.roots[2 - player]))
        given[there] = plan[rival]
        lanes, rows = np.zeros(size(plain)), np.zeros_like(given)
        plain.gradient(player, plan, lanes)
        form.gradient(player, given, rows)
        summed = np.zeros_like(rows)
        for point in plain.points(player):
            shared = form.find(player, point.label)
            start = int(form.layout.roots[player])
            summed[start + shared.sequences] += lanes[own(plain, player)][point.sequences]
        mine = slice(int(form.layout.roots[player]) + 1, int(form.layout.roots[player + 1]))
        close(summed[mine], rows[mine], 1e-12)


@pytest.mark.parametrize("name", [name for name in SHARED if name != "locked hands"])
def test_cells_that_remember_have_a_treeplex(name):
    """Plans and gradients of first-order methods are those of the enumerated abstract game."""
    form, enumerated, names = built(name)
    walked = sequence_form(enumerated)
    there = agreed(form, walked, names)
    given = behaviour_of(form, np.random.default_rng(2).random(size(form)))
    plan = plan_of(form, given)
    close(plan[there], plan_of(walked, given[there]), 1e-12)
    ours, theirs = np.zeros(size(form)), np.zeros(size(walked))
    for player in range(2):
        form.gradient(player, plan, ours)
        walked.gradient(player, plan[there], theirs)
    moved = np.setdiff1d(np.arange(size(walked)), walked.plex.roots[:-1])
    close(theirs[moved], ours[there][moved], 1e-12)


def test_cells_that_forget_have_none():
    cells, _ = cells_by(ONE, 0, forgets)
    form = public_form(ONE, isomorphic=False, cells=(cells, None))
    with pytest.raises(ImperfectRecall, match="of player 1 in round 2 has hands of several"):
        _ = form.plex
    with pytest.raises(ImperfectRecall, match="needs perfect recall"):
        solver("egt", form)


def forgets(hand, board):
    """In the second round only whether the board pairs: what was seen before is forgotten."""
    if not board:
        return pair(hand, board)
    return "made" if board[0] // 2 == hand[0] // 2 else "open"


@pytest.mark.parametrize("of", [ONE, RANGES])
def test_imperfect_recall_agrees_with_its_slow_twin(of):
    enumerated = abstract(of, one=forgets)
    with pytest.raises(ImperfectRecall):
        sequence_form(enumerated)
    cells, names = cells_by(of, 0, forgets)
    form = public_form(of, isomorphic=False, cells=(cells, None))
    slow, fast = SlowSharedRegrets(enumerated), solver("cfr", form)
    for _ in range(5):
        slow.iterate()
        fast.step()
    average = fast.behaviour()
    for player, found in ((0, slow.average_table(0)), (1, slow.average_table(1))):
        first = int(form.layout.roots[player])
        for point in form.points(player):
            label = label_of(point, names) if player == 0 else point.label
            if label not in found:
                continue  # a hand without a rival
            chosen = average[first + point.sequences]
            assert chosen == pytest.approx(found[label], abs=1e-9), label


def test_sharing_loses_something_and_best_responses_find_it():
    """A player whose hands are all one cell is exploited more than one who sees them."""
    form, _, _ = built("one cell")
    plain = public_form(ONE, isomorphic=False)
    found = []
    for one in (form, plain):
        running = solver("cfr+", one)
        running.step(400)
        found.append(one.respond(0, running.behaviour())[1])
    assert found[0] > found[1] + 0.05


def test_what_shared_rows_cannot_do():
    form, _, _ = built("two hands")
    with pytest.raises(Unsuitable, match="perfect recall"):
        form.respond(0, *np.zeros((2, int(form.layout.roots[-1]))))
    with pytest.raises(Unsuitable, match="cannot be enumerated"):
        form.expanded()
    wrong = Cells((2, 2), (np.zeros(6, np.int32), np.full(30, 2, np.int32)))
    with pytest.raises(BadParameter, match="one of 2 cells for each of 30 hands"):
        public_form(ONE, isomorphic=False, cells=(wrong, None))
    short = Cells((2, 2), (np.zeros(5, np.int32), np.zeros(30, np.int32)))
    with pytest.raises(BadParameter, match="for each of 6 hands"):
        public_form(ONE, isomorphic=False, cells=(short, None))
    prints = {form.fingerprint(), public_form(ONE, isomorphic=False).fingerprint()}
    assert len(prints) == 2


def test_threads_and_pauses_change_no_bit_of_shared_rows():
    found = []
    for threads in (1, 2, 3):
        form, _, _ = built("across boards", threads=threads)
        part = solver("dcfr", form)
        part.step(2)
        running = solver("dcfr", form)
        running.restore(part.state())
        running.step(3)
        found.append(running.behaviour())
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])
    assert Strategy(form, found[0]).check() is None
