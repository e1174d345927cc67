"""The public form of poker: betting and boards as a tree, private hands as lanes.

Terminals are never written out as a matrix: a terminal pays its chips times the fold or
showdown matrix of its board, evaluated by running sums over sorted hands (Johanson et al.
2011) or by that small matrix (Gilpin & Sandholm's A = F⊗B + S⊗W). Suits that can be
renamed without a change share lanes; their multiplicities stand in the chance weights."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, Unsuitable, within
from regretless.core.memory import require
from regretless.forms.public_expansion import expand
from regretless.forms.public_numbering import hands_by_round, lay_out
from regretless.forms.public_tree import LAYOUT_VERSION, Layout
from regretless.forms.public_typed import typed
from regretless.forms.sequence import SequenceForm
from regretless.forms.stages import Kind, stages
from regretless.forms.treeplex import Point, Treeplex
from regretless.games._betting import PokerRules
from regretless.games._catalog import load
from regretless.games._poker import PokerState
from regretless.games._state import Game, Sizes
from regretless.kernels import public as kernels
from regretless.kernels.public_arrays import (
    BEHAVIOUR,
    BEST,
    GRADIENT,
    JOINT,
    MATRIX,
    PLAN,
    REGRETS,
    SORTED,
    UPDATE,
    VALUE,
    How,
    Kept,
    Public,
    Shared,
    Work,
)
from regretless.kernels.treeplex import TINY, Plex, plan_to_behaviour

TERMINALS = {"sorted": SORTED, "matrix": MATRIX, "joint": JOINT}
SINGLE_ABOVE = 1_000_000  # sequences: larger games are kept in single precision
WORTH_SHARING = (
    20_000  # lanes of a round and below it; with fewer, waking a thread costs more than it saves
)
SPANS_PER_THREAD = 8  # a thread that the machine slows down leaves spans to the others
NOTHING = np.empty(0)


class PublicRegrets(NamedTuple):
    """What a regret minimiser keeps, one number a sequence."""

    regret: Floats
    predicted: Floats  # empty if nothing is predicted
    average: Floats


@dataclass(eq=False)
class _Machine:
    """A tree in one precision with its shared vectors, and one workspace a thread."""

    tree: Public
    exits: Floats
    values: Floats
    returns: Floats
    work: list[Work]


@dataclass(frozen=True, eq=False)
class PublicForm:
    """A poker game in public form. Solvers see treeplexes and gradients as always."""

    spec: str
    players: int
    layout: Layout
    terminal: str
    threads: int
    precision: str  # of regrets and averages: "single" or "double"
    zero_sum: bool = True
    _machines: dict[type, _Machine] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"PublicForm({self.spec!r}, {sum(self.sizes.sequences):,} sequences)"

    @cached_property
    def tiny(self) -> float:
        """Regrets up to this are rounding, not regret."""
        # In single precision rounding is too coarse to be told from small regrets.
        return TINY * float(self.layout.pay.max()) if self.precision == "double" else 0.0

    @property
    def sizes(self) -> Sizes:
        return self.layout.sizes

    @property
    def nodes(self) -> int:
        return self.sizes.nodes

    @property
    def terminals(self) -> int:
        return self.sizes.terminals

    @property
    def blocks(self) -> Plex:
        return self.layout.blocks

    @cached_property
    def plex(self) -> Plex:
        return self.layout.plex()

    @cached_property
    def treeplexes(self) -> tuple[Treeplex, ...]:
        return tuple(
            Treeplex.of_points(self.points(player), self.sizes.sequences[player])
            for player in range(self.players)
        )

    def points(self, player: int) -> Iterator[Point]:
        return self.layout.points(player)

    def find(self, player: int, label: str) -> Point | None:
        return self.layout.find(player, label)

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        how = self._how(player, GRADIENT, PLAN)
        value = self._sweep(np.float64, plan, Kept(out, NOTHING, NOTHING), how)
        out[self.layout.roots[player]] = value

    def respond(
        self, player: int, behaviour: Floats, answer: Floats = NOTHING
    ) -> tuple[float, float]:
        kept = Kept(answer, NOTHING, NOTHING)
        value = self._sweep(np.float64, behaviour, kept, self._how(player, VALUE, BEHAVIOUR))
        best = self._sweep(np.float64, behaviour, kept, self._how(player, BEST, BEHAVIOUR))
        return value, best

    def start(self, *, predictive: bool) -> PublicRegrets:
        kind: Any = np.float32 if self.precision == "single" else np.float64
        total = int(self.layout.roots[-1])
        predicted: Floats = np.zeros(total if predictive else 0, dtype=kind)
        return PublicRegrets(np.zeros(total, kind), predicted, np.zeros(total, kind))

    def sweep(self, state: Any, weights: Floats, simultaneous: bool) -> None:
        kind = state.regret.dtype.type
        live = state.predicted if state.predicted.size else state.regret
        source = live.copy() if simultaneous else live
        if self.threads == 1:
            how = self._how(0, UPDATE, REGRETS)
            unused = live if simultaneous else live[:0]
            self._on_one_thread(kind, source, Kept(*state), how, weights, unused)
            return
        for row in weights:
            if simultaneous:
                source[:] = live
            for player in range(self.players):
                how = self._how(player, UPDATE, REGRETS)
                self._on_threads(kind, source, Kept(*state), how, row)

    def played(self, state: Any, which: str) -> Floats:
        """Behaviour of the average or the current strategy."""
        if which == "last":
            raise Unsuitable("the public form keeps the average and the current strategy only")
        kept = state.predicted if state.predicted.size else state.regret
        plan = state.average if which == "average" else np.maximum(kept, 0)
        behaviour: Floats = np.empty_like(plan)
        for player in range(self.players):
            plan_to_behaviour(self.layout.blocks, player, plan, behaviour)
        return behaviour

    def expanded(self) -> SequenceForm:
        """The same game as an explicit sequence form: every terminal of the public tree, for
        every pair of lanes."""
        return expand(self.layout, self.spec)

    def fingerprint(self) -> str:
        rules = self.layout.deck.rules
        suits = f"{self.layout.deck.copies} {self.layout.isomorphic}"
        text = f"{rules!r} {suits} layout {LAYOUT_VERSION}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def solving_bytes(self) -> int:
        return solving_bytes(self.layout, self.precision)

    def _how(self, player: int, mode: int, reading: int) -> How:
        return How(player, mode, reading, TERMINALS[self.terminal], self.tiny)

    def _machine(self, kind: Any) -> _Machine:
        if kind not in self._machines:
            tree = typed(self.layout, kind, self.terminal)
            ends = int(self.layout.exits[-1]) + 1  # there may be none
            exits: Floats = np.zeros((self.players, ends), dtype=kind)
            returns: Floats = np.zeros(ends, dtype=kind)
            values: Floats = np.zeros(self.layout.entries, dtype=kind)
            work = [self.layout.workspace(kind) for _ in range(self.threads)]
            self._machines[kind] = _Machine(tree, exits, values, returns, work)
        return self._machines[kind]

    def _sweep(self, kind: Any, source: Floats, kept: Kept, how: How) -> float:
        """One pass that is no iteration; returns the value at the root."""
        if self.threads == 1:
            self._on_one_thread(kind, source, kept, how, np.zeros((1, 4)), source[:0])
        else:
            self._on_threads(kind, source, kept, how, np.zeros(4))
        return float(self._machine(kind).values[: self.layout.entry_lanes].sum())

    def _on_one_thread(
        self, kind: Any, source: Floats, kept: Kept, how: How, weights: Floats, live: Floats
    ) -> None:
        machine = self._machine(kind)
        shared = Shared(source, machine.exits, machine.values, machine.returns)
        kernels.iterate(machine.tree, shared, kept, machine.work[0], how, weights, live)

    def _on_threads(self, kind: Any, source: Floats, kept: Kept, how: How, weights: Floats) -> None:
        """Round by round; the items of a large round are shared by the threads."""
        machine = self._machine(kind)
        tree = machine.tree
        shared = Shared(source, machine.exits, machine.values, machine.returns)
        kernels.sweep_down(tree, shared, machine.work[0], how, (0, int(tree.rounds[-2])))
        for number in range(len(tree.rounds) - 2, -1, -1):
            first, end = int(tree.rounds[number]), int(tree.rounds[number + 1])
            spans = iter(self._cuts(first, end))

            def take(work: Work, spans: Iterator[tuple[int, int]] = spans) -> None:
                # Who takes which span is no matter: items write to places of their own.
                for span in spans:
                    kernels.sweep_up(tree, shared, kept, work, how, weights, span)

            if self.layout.item_lanes[first:].sum() < WORTH_SHARING:
                take(machine.work[0])
            else:
                # The calling thread takes part: with all work on woken threads, the system
                # tends to put two of them on one core for as long as such a sweep takes.
                others = [self._pool.submit(take, work) for work in machine.work[1:]]
                take(machine.work[0])
                for other in others:
                    other.result()
            if number:
                kernels.give_back(tree, shared, number)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads - 1)

    def _cuts(self, first: int, end: int) -> list[tuple[int, int]]:
        """Spans of items with about equally many lanes, a few for every thread."""
        lanes = np.cumsum(self.layout.item_lanes[first:end])
        pieces = self.threads * SPANS_PER_THREAD
        inner = first + np.searchsorted(lanes, lanes[-1] * np.arange(1, pieces) / pieces)
        edges = [first, *map(int, inner), end]
        return [(low, high) for low, high in pairwise(edges) if low < high]


def public_form(
    game: str | Game,
    *,
    isomorphic: bool = True,
    terminal: str | None = None,
    threads: int = 1,
    precision: str | None = None,
) -> PublicForm:
    """The public form of a poker game.

    `isomorphic=False` keeps suits apart, to prove that it makes no difference. `terminal` is
    sorted or matrix with two players, joint with more."""
    game = load(game) if isinstance(game, str) else game
    if not isinstance(game.root, PokerState):
        raise Unsuitable(f"{game.spec} is not a poker game: it has no public form")
    within("threads", threads, 1, 256)
    deck = game.root.deck
    kinds = terminal_kinds(deck.rules)
    terminal = terminal or kinds[0]
    if terminal not in kinds:
        raise BadParameter(f"terminal={terminal}: allowed is {', '.join(kinds)}")
    layout = lay_out(deck, isomorphic=isomorphic)
    total = sum(layout.sizes.sequences)
    precision = precision or ("single" if total > SINGLE_ABOVE else "double")
    if precision not in ("single", "double"):
        raise BadParameter(f"precision={precision}: allowed is single, double")
    require(solving_bytes(layout, precision), f"game {game.spec}")
    return PublicForm(game.spec, game.players, layout, terminal, threads, precision)


def terminal_kinds(rules: PokerRules) -> tuple[str, ...]:
    """The ways to evaluate terminals that these rules allow, the fastest first."""
    if rules.players > 2:
        return ("joint",)
    return {1: ("sorted", "matrix", "joint"), 2: ("sorted", "matrix"), 3: ("matrix",)}[rules.hole]


@dataclass(frozen=True)
class PublicSizes:
    """How large a public form is, without listing boards."""

    lanes: tuple[int, ...]  # hands on boards of every round, up to renaming of suits
    decision_points: tuple[int, ...]
    sequences: tuple[int, ...]

    @property
    def memory_bytes(self) -> int:
        number = 4 if sum(self.sequences) > SINGLE_ABOVE else 8
        return 3 * number * sum(self.sequences) + 4 * sum(self.decision_points)


def public_sizes(game: Game) -> PublicSizes | None:
    """Sizes of the public form of a poker game; None for other games."""
    if not isinstance(game.root, PokerState):
        return None
    deck = game.root.deck
    lanes = hands_by_round(deck)
    points, sequences = [0] * game.players, [1] * game.players
    for stage in stages(deck.rules):
        for node in stage.nodes:
            if node.kind is Kind.DECISION:
                points[node.player] += stage.prefixes * lanes[stage.round]
                sequences[node.player] += stage.prefixes * lanes[stage.round] * len(node.children)
    return PublicSizes(lanes, tuple(points), tuple(sequences))


def solving_bytes(layout: Layout, precision: str) -> int:
    """Regrets, average, one strategy to look at, and what rounds hand to each other."""
    number = 4 if precision == "single" else 8
    sequences = sum(layout.sizes.sequences)
    shared = (layout.entries + int(layout.exits[-1]) * layout.players) * (8 + number)
    return 3 * number * sequences + shared + 4 * sum(layout.sizes.decision_points)
