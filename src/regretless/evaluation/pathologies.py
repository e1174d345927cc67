"""Abstraction pathologies (Waugh, Schnizlein, Bowling & Szafron 2009): finer but worse.

All pairs of partitions of the cards are abstractions, one partition per player. For each, three
strategies of a player are measured in the full game: the equilibrium of the abstract game that a
linear program finds, the least exploitable of its equilibria, and the least exploitable of all
strategies that the player's partition can express. A pathology is a pair of abstractions, one
strictly finer than the other, where the least exploitable equilibrium of the finer one is more
exploitable: so the choice of equilibrium is not what makes it worse.

The last of the three measures never has pathologies, and is what CFR-BR finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._catalog import abstract
from regretless.cards.deck import rank_names
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsolved, Unsuitable
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.correlation import best_fixed
from regretless.forms.form import own, size
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.games._poker import PokerState
from regretless.games._state import Game
from regretless.programs.highs import Blocks, optimum
from regretless.programs.saddle import Saddle, maximin
from regretless.solvers._maximin import require_two_zero_sum

if TYPE_CHECKING:
    from scipy import sparse

SLACK = 1e-8  # of the largest payoff: strategies this near to an equilibrium count
WORSE = 1e-5  # of the largest payoff: smaller differences are rounding
FULL = "full"


@dataclass(frozen=True)
class Measured:
    """What a player's strategies of an abstraction give up in the full game."""

    partitions: tuple[str, ...]  # of player 1 and of player 2
    player: int  # counted from 1
    found: float  # the equilibrium of the abstract game that the linear program finds
    least: float  # its least exploitable equilibrium
    expressible: float  # the least exploitable strategy of this player's partition

    @property
    def name(self) -> str:
        return "-".join(self.partitions)


@dataclass(frozen=True)
class Pathology:
    """A finer abstraction whose least exploitable equilibrium is more exploitable."""

    coarser: Measured
    finer: Measured

    @property
    def worse(self) -> float:
        return self.finer.least - self.coarser.least


def find_pathologies(
    game: str | Game | SequenceForm,
    partitions: Sequence[str] | None = None,
    *,
    listen: Listener = nobody,
) -> tuple[list[Pathology], list[Measured]]:
    """Measure every pair of partitions and find the pathologies among them, worst first.

    For poker with one hole card. Default `partitions`: all partitions of the ranks, and `full`,
    which also sees the board."""
    form = game if isinstance(game, SequenceForm) else sequence_form(game)
    require_two_zero_sum(form, "pathologies")
    names = tuple(partitions) if partitions is not None else all_partitions(form)
    measured: list[Measured] = []
    full = FullGame(form)
    for number, pair in enumerate(product(names, names)):
        listen(Progress(f"{form.spec} {'-'.join(pair)}", done=number / len(names) ** 2))
        measured += full.measure(pair)
    return pathologies_among(measured, WORSE * form.largest_payoff), measured


def pathologies_among(measured: Sequence[Measured], slack: float) -> list[Pathology]:
    """Pairs whose finer abstraction is worse, worst first."""
    worse = [
        Pathology(coarser, finer)
        for coarser, finer in product(measured, measured)
        if coarser.player == finer.player
        and finer.least > coarser.least + slack
        and is_strictly_finer(finer, coarser)
    ]
    return sorted(worse, key=lambda one: -one.worse)


def is_strictly_finer(first: Measured, second: Measured) -> bool:
    """Whether the first abstraction is strictly finer than the second."""
    return first.partitions != second.partitions and all(
        map(is_finer, first.partitions, second.partitions)
    )


def is_finer(first: str, second: str) -> bool:
    """Whether the first partition is as fine as the second, or finer."""
    if FULL in (first, second):
        return first == FULL
    groups = [set(part) for part in second.split(".")]
    return all(any(set(part) <= group for group in groups) for part in first.split("."))


def all_partitions(form: SequenceForm) -> tuple[str, ...]:
    """All partitions of the ranks, coarsest first, and `full` if there is a board."""
    root = None if form.game is None else form.game.root
    if not isinstance(root, PokerState) or root.deck.rules.hole != 1:
        raise Unsuitable(f"partitions of {form.spec}: must be poker with one hole card")
    rules = root.deck.rules
    partitions = [
        ".".join("".join(part) for part in parts) for parts in _split(list(rank_names(rules.ranks)))
    ]
    partitions.sort(key=lambda text: text.count("."))
    return (*partitions, FULL) if rules.rounds > 1 else tuple(partitions)


def _split(items: list[str]) -> Iterator[list[list[str]]]:
    """All partitions of a list, in its order."""
    if not items:
        yield []
        return
    *before, last = items
    for parts in _split(before):
        for number, part in enumerate(parts):
            yield [*parts[:number], [*part, last], *parts[number + 1 :]]
        yield [*parts, [last]]


class FullGame:
    """The full game as matrices."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        first, second = (plex.constraints for plex in form.treeplexes)
        A = form.matrix(0)
        self.value = maximin(A, first, second).value
        self.games = ((A, first, second), (-A.T, second, first))  # [player]: payoffs, own, other
        self.expressible: dict[tuple[str, int], float] = {}

    def measure(self, pair: tuple[str, str]) -> tuple[Measured, Measured]:
        """What each player's strategies of an abstraction give up."""
        made = abstract(self.form, "-".join(pair))
        inner = made.form()
        if not isinstance(inner, SequenceForm):
            raise Unsuitable(f"{inner.spec}: needs an abstraction with perfect recall")
        E, F = (plex.constraints for plex in inner.treeplexes)
        A = inner.matrix(0)
        saddle = maximin(A, E, F)
        mirrored = Saddle(saddle.columns, saddle.rows, -saddle.value)
        return (
            self._measured(made, pair, 0, (A, E, F), saddle),
            self._measured(made, pair, 1, (-A.T, F, E), mirrored),
        )

    def _measured(
        self, made: Abstraction, pair: tuple[str, str], i: int, inner: Any, saddle: Saddle
    ) -> Measured:
        from scipy import sparse

        A, E, _ = inner
        payoffs, _, other = self.games[i]
        value = self.value if i == 0 else -self.value
        links = own_links(made, i)
        rows = (links, np.arange(links.size))
        lifting = sparse.csr_matrix((np.ones(links.size), rows), shape=(A.shape[0], links.size))
        lifted = (lifting @ payoffs).tocsr()  # own abstract sequences against the other's full ones
        if (pair[i], i) not in self.expressible:
            self.expressible[pair[i], i] = value - maximin(lifted, E, other).value
        return Measured(
            partitions=pair,
            player=i + 1,
            found=value - self._guaranteed(lifted, i, saddle.rows),
            least=value - self._best(inner, lifted, other, saddle.value),
            expressible=self.expressible[pair[i], i],
        )

    def _guaranteed(self, lifted: sparse.csr_matrix, player: int, x: Floats) -> float:
        """What a plan of a player earns against a best response."""
        rival, values = 1 - player, np.zeros(size(self.form))
        values[own(self.form, rival)] = -(lifted.T @ x)
        return -best_fixed(self.form, rival, values)

    def _best(
        self, inner: Any, lifted: sparse.csr_matrix, other: sparse.csr_matrix, value: float
    ) -> float:
        """What the best equilibrium plan of the abstract game earns against a best response.

        Columns: x; p, which shows that x is an equilibrium inside; q, the values of the best
        response: F'q <= A'x, and q[0] is to be maximised."""
        A, E, F = inner
        start = np.eye(1, E.shape[0]).ravel()
        least = np.full(F.shape[0], -np.inf)
        least[0] = value - SLACK * self.form.largest_payoff
        first = np.eye(1, other.shape[0]).ravel()
        program = Blocks()
        x, p = program.columns(A.shape[0]), program.columns(F.shape[0], least)
        q = program.columns(other.shape[0], -np.inf, gain=first)
        program.rows({x: E}, start, start)
        program.rows({x: -A.T, p: F.T}, -np.inf, 0.0)
        program.rows({x: -lifted.T, q: other.T}, -np.inf, 0.0)
        columns = optimum(program.model())
        if columns is None:
            raise Unsolved(f"HiGHS could not solve a program of {self.form.spec}")
        return float(columns[A.shape[0] + F.shape[0]])


def own_links(made: Abstraction, player: int) -> Ints:
    """[sequence of the full game] the abstract sequence of this player that it maps to."""
    form = made.form()
    mine = own(form, player)
    numbers = np.arange(mine.stop, dtype=np.float64)
    padded = np.concatenate([numbers, np.zeros(sum(form.sizes.sequences) - mine.stop)])
    links: Ints = made.lift_behaviour(padded)[own(made.full, player)].astype(np.int64) - mine.start
    links[0] = 0  # the empty sequence
    return links
