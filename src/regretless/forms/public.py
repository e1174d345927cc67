"""The public form of poker: a tree of betting and boards, a lane per hand.

Terminals are never expanded into a matrix: a terminal pays its chips times the fold or
showdown matrix of its board, evaluated by running sums over sorted hands (Johanson et al.
2011) or by that small matrix (Gilpin & Sandholm's A = F⊗B + S⊗W). Isomorphic
suits share lanes; their multiplicities are part of the chance weights. The form describes and
traverses; the caller of a sweep brings a learner and its memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, Unsuitable, one_of, within
from regretless.core.memory import require
from regretless.forms.cell_groups import cell_parents
from regretless.forms.form import require_kernel_arguments, require_memory, require_written
from regretless.forms.leaves import Leaves
from regretless.forms.precision import Precision
from regretless.forms.public_chances import board_counts
from regretless.forms.public_expansion import expand
from regretless.forms.public_lanes import hands_by_round
from regretless.forms.public_layout import (
    LAYOUT_VERSION,
    Cells,
    PublicLayout,
    lay_out,
)
from regretless.forms.public_nodes import PAY_ROWS
from regretless.forms.public_points import Points
from regretless.forms.public_typed import baseline_places
from regretless.forms.schedule import NO_STEPS
from regretless.forms.sequence import SequenceForm
from regretless.forms.sweeper import Sweeper, sweeper_of
from regretless.forms.treeplex import Point, Treeplex, require_numbers
from regretless.forms.workspace import space_bytes
from regretless.games._betting import PokerRules
from regretless.games._betting_tree import BettingTree, Kind
from regretless.games._catalog import load
from regretless.games._poker import PokerState
from regretless.games._state import Game, Sizes
from regretless.kernels.compact_regrets import CompactMatching, CompactRegrets
from regretless.kernels.public_arrays import (
    AVERAGE,
    BEHAVIOUR,
    EARLY_VALUES,
    GRADIENT,
    JOINT,
    LEARNER,
    LOOK,
    MATRIX,
    MID,
    NET,
    PLAN,
    SHARED,
    SORTED,
    TIE,
    UPDATE,
    VALUES,
    Baselines,
    How,
    SharedRows,
    Task,
    no_records,
)
from regretless.kernels.regret_matching import RegretMatching, Regrets
from regretless.kernels.treeplex import Plex

TERMINALS = {"sorted": SORTED, "matrix": MATRIX, "joint": JOINT}
SINGLE_ABOVE = 1_000_000  # sequences: larger games use single precision
COMPACT_ABOVE = 30_000_000  # of a spot: larger ones use 16 bits per number
NOTHING = np.empty(0)
NO_DECISIONS, NO_OWNERS = no_records(0, SHARED), np.empty(0, np.int32)
NO_SINGLES: Any = np.empty(0, np.float32)
NOBODY = RegretMatching(0.0, 0.0, 0.0, 0.0, 0.0)
NOBODY_COMPACT = CompactMatching(0.0, 0.0, 0.0, 0)
NOTHING_COMPACT = CompactRegrets(
    np.empty(0, np.int16), np.empty(0, np.float32), np.empty(0, np.uint16), np.empty(0, np.float32)
)


@dataclass(frozen=True, eq=False)
class PublicForm:
    """A poker game in public form. Solvers see treeplexes and gradients as always."""

    spec: str
    players: int
    layout: PublicLayout
    terminal: str
    threads: int
    precision: Precision  # of the learner's memory
    leaves: Leaves | None = None
    _sweepers: dict[type, Sweeper] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"PublicForm({self.spec!r}, {sum(self.sizes.sequences):,} sequences)"

    @property
    def game(self) -> Game:
        return self.layout.game

    @cached_property
    def zero_sum(self) -> bool:
        if self.players > 2:
            return self._pots_are_paid_out()
        rows = self.layout.nodes.pay
        kinds = ((NET, -1.0), (MID, 1.0), (TIE, 1.0))  # what one wins by NET the other loses
        off = [
            abs(rows[k + column] + sign * rows[k + 3 + column]).max()
            for k in range(0, len(rows), PAY_ROWS)
            for column, sign in kinds
        ]
        return bool(max(off, default=0.0) <= 1e-9 * self.largest_payoff)

    def _pots_are_paid_out(self) -> bool:
        rows = self.layout.nodes.pay
        count = 1 + self.players
        lost = [
            abs(rows[k] - sum(rows[k + 1 : k + count])).max() for k in range(0, len(rows), count)
        ]
        return bool(max(lost, default=0.0) <= 1e-9 * self.largest_payoff)

    @property
    def largest_payoff(self) -> float:
        return self.layout.nodes.largest_payoff

    @property
    def real(self) -> Any:
        return np.float64 if self.precision is Precision.DOUBLE else np.float32

    @property
    def number_bytes(self) -> int:
        """The size of a number in a learner's memory."""
        return self.precision.dtype.itemsize

    @property
    def shortest_run(self) -> int:
        """The smallest number of lanes of an item."""
        return int(self.layout.lanes.min())

    @property
    def sizes(self) -> Sizes:
        return self.layout.sizes

    @property
    def nodes(self) -> int:
        return self.sizes.nodes

    @property
    def terminals(self) -> int:
        return self.sizes.terminals

    @cached_property
    def lookup(self) -> Points:
        """Decision points by label, board and betting."""
        return Points(self.layout)

    @cached_property
    def blocks(self) -> Plex:
        return self.lookup.blocks()

    @cached_property
    def plex(self) -> Plex:
        parents = [
            self.lookup.parents(player) if cells is None else cell_parents(self.lookup, player)
            for player, cells in enumerate(self.layout.cells)
        ]
        require_numbers(self.layout.roots, self.spec)
        return self.blocks._replace(parents=np.concatenate(parents).astype(np.int32))

    @cached_property
    def treeplexes(self) -> tuple[Treeplex, ...]:
        self._require_lanes("its treeplex")
        return tuple(
            Treeplex.of_points(self.points(player), self.sizes.sequences[player])
            for player in range(self.players)
        )

    @property
    def _shares(self) -> bool:
        """Whether lanes share rows."""
        return any(cell is not None for cell in self.layout.cells)

    def _require_lanes(self, what: str) -> None:
        if self._shares:
            raise Unsuitable(f"game {self.spec} with shared cells: {what} needs perfect recall")

    def points(self, player: int) -> Iterator[Point]:
        return self.lookup.all(player)

    def find(self, player: int, label: str) -> Point | None:
        return self.lookup.find(player, label)

    def gradient(
        self, player: int, plan: Floats, out: Floats, sites: Mapping[int, float] | None = None
    ) -> None:
        """`sites`: only these take part, with their payoffs multiplied by a factor."""
        require_kernel_arguments(self.layout.roots, player, plan, out)
        require_written(out)
        mine = slice(int(self.layout.roots[player]), int(self.layout.roots[player + 1]))
        if sites is not None or self.layout.cells[player] is not None:
            out[mine] = 0.0
        task = self._task(How(player, GRADIENT, PLAN, TERMINALS[self.terminal]), plan, out)
        out[mine.start] = self._sweep(np.float64, task, sites)[0]

    def respond(
        self, player: int, behaviour: Floats, answer: Floats = NOTHING
    ) -> tuple[float, float]:
        required = [behaviour, answer] if np.size(answer) else [behaviour]
        require_kernel_arguments(self.layout.roots, player, *required)
        require_written(answer)
        if answer.size:
            self._require_lanes("a best response")
        out = answer.astype(self.evaluation_dtype, copy=False)
        if behaviour.dtype == np.float32 and self._reads_singles:
            task = self._singles(player, behaviour, out)
        else:
            how = How(player, LOOK, BEHAVIOUR, TERMINALS[self.terminal])
            task = self._task(how, behaviour, out)
        values = self._sweep(self.evaluation_dtype, task, None)
        if out is not answer:
            answer[:] = out
        return values

    def root_values(self, player: int, behaviour: Floats) -> Floats:
        """[2, lane of the first round] what every hand earns as played and by its best response,
        times the probability of a deal in which it is held."""
        require_kernel_arguments(self.layout.roots, player, behaviour)
        how = How(player, LOOK, BEHAVIOUR, TERMINALS[self.terminal])
        sweeper = self._sweeper(self.evaluation_dtype)
        task = self._task(how, behaviour, NOTHING)._replace(rows=sweeper.rows)
        with sweeper.lock:
            sweeper.run(sweeper.whole, task)
            kept = [sweeper.shared.kept[:, places[player]] for _, places in sweeper.roots]
            return np.concatenate(kept, axis=1)

    def respond_to_average(self, player: int, learner: Any, memory: Any) -> tuple[float, float]:
        """The same for the average of a learner, without expanding it."""
        average = np.asarray(memory.average)
        require_kernel_arguments(self.layout.roots, player, average, whole=self._whole)
        if not self.looks_at(memory):
            raise Unsuitable(
                f"game {self.spec}: evaluated in {np.dtype(self.evaluation_dtype)} only"
            )
        if _real(memory) is not self.evaluation_dtype:
            return self._sweep(np.float64, self._singles(player, memory.average, NOTHING), None)
        sweeper = self._sweeper(_real(memory))
        how = How(player, LOOK, AVERAGE, TERMINALS[self.terminal])
        empty = sweeper.rows.play[:0]
        none = _no_baselines(sweeper.tree.pay.dtype)
        task = Task(how, empty, empty, learner, memory, memory, sweeper.rows, none)
        return self._sweep(_real(memory), task, None)

    def looks_at(self, memory: Any) -> bool:
        """Whether a learner's average is evaluated without expanding it. Otherwise the scratch of
        its precision has no room for best responses."""
        if _real(memory) is self.evaluation_dtype:
            return True
        return self._reads_singles and isinstance(memory, Regrets)

    @property
    def _reads_singles(self) -> bool:
        """Whether strategies are learned in single and evaluated in double precision."""
        return self.precision is Precision.SINGLE and self.evaluation_dtype is np.float64

    @property
    def _whole(self) -> type[np.uint16] | None:
        """The whole numbers that sweeps read as probabilities, if they do."""
        is_compact = self.precision is Precision.COMPACT and self.evaluation_dtype is np.float32
        return np.uint16 if is_compact else None

    def _singles(self, player: int, average: Any, out: Floats) -> Task:
        """Look at an average, or at probabilities, in single precision: a copy in double precision
        would be the largest array of a run."""
        how = How(player, LOOK, AVERAGE, TERMINALS[self.terminal])
        given = Regrets(NO_SINGLES, NO_SINGLES, average)
        return self._task(how, NOTHING, out)._replace(playing=given, memory=given)

    def action_values(self, player: int, behaviour: np.ndarray, *, early: bool = False) -> Floats:
        """The value of every sequence of the player if all play as given, times the probability
        that the others and the deal lead there.

        `early`: only sequences before the last round; the others stay 0 and take no memory.
        If memories are compact, a behaviour may be too: its numbers are proportions then."""
        require_kernel_arguments(self.layout.roots, player, behaviour, whole=self._whole)
        self._require_lanes("what actions earn")
        out = np.zeros(int(self.layout.roots[-1]), self.evaluation_dtype)
        mode = EARLY_VALUES if early else VALUES
        if behaviour.dtype == np.uint16:
            how = How(player, mode, AVERAGE, TERMINALS[self.terminal])
            task = self._task(how, out[:0], out)
            task = task._replace(playing=NOTHING_COMPACT._replace(average=behaviour))
        else:
            how = How(player, mode, BEHAVIOUR, TERMINALS[self.terminal])
            task = self._task(how, behaviour, out)
        out[self.layout.roots[player]] = self._sweep(self.evaluation_dtype, task, None)[0]
        return out

    @property
    def evaluation_dtype(self) -> Any:
        """The precision of evaluation: double, except for large spots, where single precision is
        accurate to a thousandth of a chip and halves compilation."""
        return self.real if self.game.spot is not None else np.float64

    def sweep(
        self,
        learner: Any,
        memory: Any,
        weights: Floats,
        simultaneous: bool,
        sites: Mapping[int, float] | None = None,
        baselines: Baselines | None = None,
    ) -> None:
        """`sites`: only these take part, with their payoffs multiplied by a factor. `baselines`:
        sites that take no part give back what is guessed of them."""
        require_memory(self.layout.roots, learner, memory)
        sweeper = self._sweeper(_real(memory))
        baselines = baselines or _no_baselines(sweeper.tree.pay.dtype)
        empty = sweeper.rows.play[:0]
        whole = sweeper.whole
        if sites is not None:
            whole = sweeper.some(sites).alone()
        if not len(weights):  # only compile
            whole = NO_STEPS
        how = How(0, UPDATE, LEARNER, TERMINALS[self.terminal])
        for part in weights[:, None] if simultaneous else [weights]:
            playing = type(memory)(*(v.copy() for v in memory)) if simultaneous else memory
            task = Task(how, empty, empty, learner, playing, memory, sweeper.rows, baselines)
            with sweeper.lock:
                sweeper.run(whole, task, part)

    def baselines(self, rate: float) -> Baselines:
        """Guesses of what every site gives back, 0 at first, for sweeps over some of them."""
        guesses, sums = baseline_places(self.layout)[2:]
        require(np.dtype(self.real).itemsize * (guesses + sums), f"baselines of game {self.spec}")
        return Baselines(np.zeros(guesses, self.real), np.zeros(sums, self.real), rate)

    def site_chances(self) -> Floats:
        """The chance reach probability of every site."""
        boards = board_counts(self.layout)
        chances = np.zeros(len(self.layout.sites))
        for number, sites in enumerate(self.layout.round_sites):
            counts = boards[self.layout.rounds[number]]
            for site in sites:
                first = int(self.layout.sites[site].board)
                chances[site] = counts[first : first + int(self.layout.sites[site].boards)].sum()
            chances[sites.start : sites.stop] /= counts.sum()
        return chances

    def parent_of(self, site: int) -> int:
        """The parent of a site, or -1."""
        return int(self.layout.sites[site].parent)

    def expanded(self) -> SequenceForm:
        """The same game as an explicit sequence form: every terminal of the public tree, for
        every pair of lanes."""
        return expand(self.layout, self.lookup, self.spec)

    def fingerprint(self) -> str:
        layout, root = self.layout, self.layout.root
        digest = hashlib.sha256()
        suits = f"{layout.deck.copies} {layout.isomorphic}"
        where = f"{root.betting.history} {root.boards}"
        digest.update(f"{layout.deck.rules!r} {suits} {where} layout {LAYOUT_VERSION}".encode())
        for weights in layout.deck.weights:
            digest.update(weights.tobytes())
        for lock in layout.locks:
            digest.update(f"{lock.history} {lock.board}".encode() + lock.play.tobytes())
        for mine in layout.cells:
            for rows in mine.rows if mine is not None else ():
                digest.update(rows.tobytes())
        if self.leaves is not None:
            for values in self.leaves.values:
                digest.update(values.tobytes())
        return digest.hexdigest()[:32]

    @property
    def memory_bytes(self) -> int:
        return space_bytes(self.layout, {self.real, self.evaluation_dtype}, self.threads)

    def _task(self, how: How, given: Floats, out: Floats) -> Task:
        size = int(self.layout.roots[-1])
        needed = 0 if how.reading == AVERAGE else size
        if given.shape != (needed,) or out.shape not in ((size,), (0,)):
            # Kernels check no bounds: they would read and write out of bounds.
            raise BadInput(
                f"game {self.spec}: got vectors of {given.size} and {out.size} numbers, "
                f"expected one number for each of {size} sequences"
            )
        kind = np.float64 if how.mode == GRADIENT else self.evaluation_dtype
        none: Floats = np.empty(0, kind)
        given = given.astype(kind, copy=False)
        nobody: Any = NOBODY
        nothing: Any = Regrets(none, none, none)
        if self._whole is not None and kind is np.float32:
            # Of the type that learns here: for another type the sweep would be compiled again.
            nobody, nothing = NOBODY_COMPACT, NOTHING_COMPACT
        unshared = SharedRows(NO_DECISIONS, NO_OWNERS, none, none, none)
        return Task(how, given, out, nobody, nothing, nothing, unshared, _no_baselines(kind))

    def _sweeper(self, kind: Any) -> Sweeper:
        if kind not in self._sweepers:
            self._sweepers[kind] = sweeper_of(
                self.layout,
                kind,
                self.terminal,
                self.leaves,
                threads=self.threads,
                learning=kind is self.real,
                evaluates=kind is self.evaluation_dtype,
            )
        return self._sweepers[kind]

    def free_scratch(self) -> None:
        """Free the arrays of sweeps; the next sweep builds them again."""
        self._sweepers.clear()

    def _sweep(
        self, kind: Any, task: Task, sites: Mapping[int, float] | None
    ) -> tuple[float, float]:
        """One pass without learning; returns value and best response at the root."""
        sweeper = self._sweeper(kind)
        whole = sweeper.whole if sites is None else sweeper.some(sites)
        if sites is not None or (self._shares and task.how.mode == GRADIENT):
            whole = whole.alone()  # sums of a gradient have no rows for groups
        with sweeper.lock:
            sweeper.run(whole, task._replace(rows=sweeper.rows))
            return sweeper.at_root(task.how.player, sites)


def public_form(
    game: str | Game,
    *,
    isomorphic: bool = True,
    terminal: str | None = None,
    threads: int = 1,
    precision: str | None = None,
    cells: tuple[Cells | None, ...] | None = None,
    leaves: Leaves | None = None,
    runouts: bool | None = None,
) -> PublicForm:
    """The public form of a poker game.

    `isomorphic=False` keeps suits distinct, to prove that it makes no difference. `terminal` is
    sorted or matrix for two players, joint for more. `cells` make hands share regrets,
    `leaves` end the game after a round with given values, `runouts` evaluates an all-in with
    one matrix instead of dealing all boards to come."""
    game = load(game) if isinstance(game, str) else game
    if not isinstance(game.root, PokerState):
        raise Unsuitable(f"{game.spec} is not a poker game: it has no public form")
    within("threads", threads, 1, 256)
    kinds = terminal_kinds(game.root.deck.rules)
    if terminal is not None:
        one_of("terminal", terminal, kinds)
    rules = game.root.deck.rules
    if runouts is None:
        runouts = (
            rules.hole == 2 and rules.players == 2 and leaves is None and bool(game.root.boards)
        )
    last = leaves.after if leaves is not None else None
    layout = lay_out(game, isomorphic=isomorphic, runouts=runouts, last=last, cells=cells)
    terminal = _terminal_kind(layout, terminal, kinds)
    total = sum(layout.sizes.sequences)
    fits = bool((layout.lanes > 0).all()) and not any(layout.cells)
    precision = precision or _usual_precision(game, total, fits)
    one_of("precision", precision, Precision)
    kept = Precision(precision)
    if kept is Precision.COMPACT and not fits:
        raise Unsuitable("precision=compact needs hands on every board, and no shared cells")
    form = PublicForm(game.spec, game.players, layout, terminal, threads, kept, leaves)
    require(form.memory_bytes + 3 * form.number_bytes * total, f"game {game.spec}")
    return form


def _usual_precision(game: Game, total: int, fits: bool) -> Precision:
    """Spots are reported in chips and percent: single precision is enough for them."""
    if game.spot is None:
        return Precision.SINGLE if total > SINGLE_ABOVE else Precision.DOUBLE
    return Precision.COMPACT if fits and total > COMPACT_ABOVE else Precision.SINGLE


def _no_baselines(kind: Any) -> Baselines:
    none = np.empty(0, kind)
    return Baselines(none, none, 0.0)


def _real(memory: Any) -> Any:
    """The precision in which a learner with this memory observes."""
    kind = memory.average.dtype.type
    return kind if issubclass(kind, np.floating) else np.float32


def _terminal_kind(layout: PublicLayout, wanted: str | None, kinds: tuple[str, ...]) -> str:
    """How terminals are evaluated: as requested if possible, otherwise the fastest valid way."""
    if layout.players > 2:
        return kinds[0]
    kind = wanted or (kinds[0] if layout.nodes.split_evenly else "matrix")
    if kind == "sorted" and not layout.nodes.split_evenly:
        raise Unsuitable("ties do not pay half the pot: terminal must be matrix")
    if kind == "joint":
        last = {node.kind for stage in layout.stages for node in stage.nodes}
        if not layout.nodes.pots_are_shared or Kind.LEAF in last:
            raise Unsuitable("terminal=joint: needs plain shared pots, and no leaves")
        if layout.sides[0] is not layout.sides[1]:
            raise Unsuitable("terminal=joint: needs the same range for both players")
    return kind


def terminal_kinds(rules: PokerRules) -> tuple[str, ...]:
    """The ways to evaluate terminals under these rules, fastest first."""
    if rules.players > 2:
        return ("joint",)
    return {1: ("sorted", "matrix", "joint"), 2: ("sorted", "matrix"), 3: ("matrix",)}[rules.hole]


@dataclass(frozen=True)
class PublicSizes:
    """The size of a public form, without listing boards."""

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
    points, sequences = BettingTree(game.root.betting).sizes(lanes)
    return PublicSizes(lanes, tuple(points), tuple(sequences))
