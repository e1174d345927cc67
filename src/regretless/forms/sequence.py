"""The sequence form of any game, enumerated terminal by terminal.

Von Stengel 1996; Koller, Megiddo & von Stengel 1994. Built by walking the states of a
game once. It needs perfect recall, which is checked during the walk."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import BadInput, ImperfectRecall, Interrupted, TooLarge
from regretless.core.interrupts import interrupted, interrupts, time_limit
from regretless.core.memory import RESERVE, require
from regretless.core.progress import Listener, Progress, nobody
from regretless.forms.form import require_kernel_arguments, require_memory, require_written
from regretless.forms.gradient_form import GradientForm
from regretless.forms.treeplex import PointList, Treeplex, require_numbers
from regretless.forms.walking_checks import (
    checked_actions,
    checked_chances,
    checked_child,
    checked_game,
    checked_payoff,
    checked_player,
    checked_view,
)
from regretless.games._catalog import load
from regretless.games._locked import given_play
from regretless.games._state import CHANCE, TERMINAL, Game, Sizes, State
from regretless.kernels import sequence as kernels
from regretless.kernels.sequence import LANES, Payoffs
from regretless.kernels.treeplex import Playing, Plex

if TYPE_CHECKING:
    from scipy import sparse

# Python lists of terminals, and the dictionaries of decision points with their labels, while
# walking; an overestimate: 7.4 MB for leduc:ranks=8,suits=4, which took 7.0, and 10.7 MB for
# liars_dice:faces=5, which took 5.8.
TERMINAL_BYTES = 240
DECISION_BYTES = 900
CHECK_EVERY, CHECK_S = 32, 0.05  # nodes between two looks at the clock, seconds between two checks
TINY = 1e-3  # payoffs below this have more than nine decimals in a fingerprint
ROUNDING = 1e-9  # payoffs that sum to less than this times the largest are zero-sum


class Locked(NamedTuple):
    """A decision point with a fixed strategy: a chance move without sequences."""

    player: int
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class SequenceForm(GradientForm):
    """Treeplexes, and a table of terminals: sequences, chance, payoffs."""

    spec: str
    players: int
    zero_sum: bool
    treeplexes: tuple[Treeplex, ...]
    plex: Plex
    nodes: int
    sequences: Indices  # [terminal, player], counted over all players
    chance: Floats  # [terminal]
    payoffs: Floats  # [terminal, player]
    table: Payoffs = field(repr=False)
    game: Game | None = field(repr=False, default=None)  # from which it was built
    locked: tuple[Locked, ...] = field(repr=False, default=())  # decisions with a fixed strategy

    def __repr__(self) -> str:
        return f"SequenceForm({self.spec!r}, {self.terminals:,} terminals)"

    @property
    def terminals(self) -> int:
        return len(self.chance)

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        require_kernel_arguments(self.plex.roots, player, plan, out)
        require_written(out)
        kernels.gradient(self.plex, self.table, player, plan, out)

    @cached_property
    def constant(self) -> float | None:
        """What the players earn together, if that is the same at every terminal."""
        total = 0.0 if self.zero_sum else float(np.mean(self.payoffs.sum(axis=1)))
        shifted = self.payoffs - total / self.players
        return total if self.zero_sum or is_zero_sum(shifted) else None

    @cached_property
    def largest_payoff(self) -> float:
        return float(np.abs(self.payoffs).max(initial=0.0))

    def sweep(self, learner: Any, memory: Any, weights: Floats, simultaneous: bool) -> None:
        require_memory(self.plex.roots, learner, memory)
        rows = np.ascontiguousarray(weights)
        kernels.iterate(
            self.plex, self.table, learner, memory, self._scratch.playing, rows, simultaneous
        )

    def matrix(self, player: int = 0) -> sparse.csr_matrix:
        """Two players: the payoff of every pair of sequences to this player, including chance."""
        from scipy import sparse  # slow to import, needed by exact methods only

        sizes = tuple(plex.size for plex in self.treeplexes)
        own = self.sequences - self.plex.roots[:-1]
        entries = (self.chance * self.payoffs[:, player], (own[:, 0], own[:, 1]))
        return sparse.csr_matrix(entries, shape=sizes)

    def fingerprint(self) -> str:
        digest = hashlib.sha256()
        for plex in self.treeplexes:
            for label, actions in zip(plex.labels, plex.actions, strict=True):
                digest.update("\0".join((label, *actions, "")).encode())
            digest.update(plex.parents.tobytes())
        digest.update(self.sequences.tobytes())
        # Rounded, so that the last bit of a product does not change the digest.
        digest.update(np.round(self.chance, 12).tobytes())
        digest.update(np.round(self.payoffs + 0.0, self._decimals).tobytes())
        return digest.hexdigest()[:32]

    @property
    def _decimals(self) -> int:
        """Of payoffs, in a fingerprint: nine, or as many as tiny payoffs differ in."""
        largest = self.largest_payoff
        return 9 if largest >= TINY or not largest else 6 - floor(log10(largest))

    @property
    def sizes(self) -> Sizes:
        return Sizes(
            self.nodes,
            self.terminals,
            tuple(len(plex.labels) for plex in self.treeplexes),
            tuple(plex.size for plex in self.treeplexes),
        )

    @property
    def memory_bytes(self) -> int:
        return memory_bytes(self.sizes)


def memory_bytes(sizes: Sizes) -> int:
    """Memory to build the form of a game of these sizes and to sweep over it."""
    players = len(sizes.sequences)
    table = players * (8 + 4 * (players - 1)) + 12 * players + 8
    return (
        len(Playing._fields) * 8 * sum(sizes.sequences)
        + sizes.terminals * (TERMINAL_BYTES + table)
        + sum(sizes.decision_points) * DECISION_BYTES
    )


def sequence_form(game: str | Game) -> SequenceForm:
    """Walk the game and build its sequence form."""
    game = checked_game(load(game) if isinstance(game, str) else game)
    if game.count is not None:
        require(memory_bytes(game.count()), f"game {game.spec}")
    walk = _Walk(game)
    walk.run()
    return walk.form()


def game_sizes(
    game: str | Game, *, seconds: float | None = None, listen: Listener = nobody
) -> Sizes:
    """Sizes of a game, from its own count if it has one, otherwise by walking.

    If that takes longer, is ended by Ctrl-C or does not fit, they are what was counted so far."""
    game = checked_game(load(game) if isinstance(game, str) else game)
    if game.count is not None:
        return game.count()
    walk = _Walk(game, listen)
    try:
        with interrupts(), time_limit(seconds):
            walk.run()
    except (Interrupted, TooLarge):
        return replace(walk.sizes, complete=False)
    return walk.sizes


class _Walk:
    """Decision points and terminals in the order in which a depth-first walk finds them."""

    def __init__(self, game: Game, listen: Listener = nobody) -> None:
        self.game, self.listen = game, listen
        self.checked = time.monotonic()
        self.foreign = game.rules is None  # poker is our own: its states need no checks
        players = range(game.players)
        self.points: list[dict[str, int]] = [{} for _ in players]
        self.parents: list[list[int]] = [[] for _ in players]
        self.actions: list[list[tuple[str, ...]]] = [[] for _ in players]
        self.firsts: list[list[int]] = [[] for _ in players]
        self.depths: list[list[int]] = [[] for _ in players]
        self.following = [1] * game.players
        self.sequences: list[tuple[int, ...]] = []
        self.chance: list[float] = []
        self.payoffs: list[tuple[float, ...]] = []
        self.locked: dict[tuple[int, str], Locked] = {}
        self.nodes = 0

    def run(self) -> None:
        stack: list[tuple[State, tuple[int, ...], float, int]] = [
            (self.game.root, (0,) * self.game.players, 1.0, 0)
        ]
        while stack:
            state, sequences, chance, depth = stack.pop()
            self.nodes += 1
            if self.nodes % CHECK_EVERY == 0 and time.monotonic() - self.checked > CHECK_S:
                self._check(depth)
            player = checked_player(self.game, state) if self.foreign else state.player
            if player == TERMINAL:
                self.sequences.append(sequences)
                self.chance.append(chance)
                self.payoffs.append(self._payoff(state))
                continue
            chances = self._outcomes(state) if player == CHANCE else self._locked(state, player)
            if chances is not None:
                for index in range(len(chances) - 1, -1, -1):
                    if chances[index] > 0:
                        child = self._child(state, index, depth)
                        stack.append((child, sequences, chance * chances[index], depth + 1))
                continue
            first, count = self._decision(state, player, sequences[player], depth)
            for index in range(count - 1, -1, -1):
                below = (*sequences[:player], first + index, *sequences[player + 1 :])
                stack.append((self._child(state, index, depth), below, chance, depth + 1))

    def _child(self, state: State, index: int, depth: int) -> State:
        if self.foreign:
            return checked_child(self.game, state, index, depth)
        return state.child(index)

    def _locked(self, state: State, player: int) -> list[float] | None:
        """A locked decision is a move of chance."""
        chosen = given_play(self.game, state, player)
        if chosen is None:
            return None
        label, actions = state.view(player), tuple(state.actions)
        self.locked[player, label] = Locked(player, label, actions, tuple(chosen.tolist()))
        return list(map(float, chosen))

    def _payoff(self, state: State) -> tuple[float, ...]:
        return checked_payoff(self.game, state) if self.foreign else tuple(state.payoff)

    def _outcomes(self, state: State) -> Sequence[float]:
        if not self.foreign:
            return state.chances
        return checked_chances(self.game, state, len(checked_actions(self.game, state, CHANCE)))

    def _decision(self, state: State, player: int, parent: int, depth: int) -> tuple[int, int]:
        """First sequence and number of actions of the decision point of this state."""
        if self.foreign:
            label = checked_view(self.game, state, player)
            actions = checked_actions(self.game, state, player)
        else:
            label, actions = state.view(player), tuple(state.actions)
        point = self.points[player].get(label)
        if point is None:
            point = self.points[player][label] = len(self.parents[player])
            self.parents[player].append(parent)
            self.actions[player].append(actions)
            self.firsts[player].append(self.following[player])
            self.depths[player].append(depth)
            self.following[player] += len(actions)
        elif self.parents[player][point] != parent:
            raise ImperfectRecall(
                f"game {self.game.spec}: player {player + 1} forgets its own past at {label!r}; "
                "the sequence form needs perfect recall"
            )
        elif self.actions[player][point] != actions:
            raise BadInput(
                f"game {self.game.spec}: player {player + 1} has different actions at {label!r}: "
                f"{', '.join(actions)} and {', '.join(self.actions[player][point])}"
            )
        elif depth < self.depths[player][point]:
            self.depths[player][point] = depth
        return self.firsts[player][point], len(actions)

    @property
    def sizes(self) -> Sizes:
        """As far as it was walked."""
        points, sequences = tuple(map(len, self.parents)), tuple(self.following)
        return Sizes(self.nodes, len(self.chance), points, sequences)

    def _check(self, depth: int) -> None:
        """Whether to go on: states that wait, of a game that never ends, can fill any memory."""
        size = f"more than {self.nodes:,} nodes"
        self.listen(Progress("walking the game", news=size))
        if interrupted():
            raise Interrupted(f"game {self.game.spec} has {size}: they were not all walked")
        # Stored data is already allocated: require as much again, for the arrays built from it.
        needed = max(memory_bytes(self.sizes), RESERVE)
        require(needed, f"game {self.game.spec} ({size}, at a depth of {depth:,} moves)")
        self.checked = time.monotonic()

    def form(self) -> SequenceForm:
        layouts = [
            PointList(parents, actions, list(points), depths)
            for parents, actions, points, depths in zip(
                self.parents, self.actions, self.points, self.depths, strict=True
            )
        ]
        terminals = Terminals(
            np.array(self.sequences, dtype=np.int64).reshape(-1, self.game.players),
            np.array(self.chance),
            np.array(self.payoffs, dtype=np.float64),
        )
        locked = tuple(self.locked.values())
        made, _ = assembled(self.game.spec, layouts, terminals, nodes=self.nodes)
        return replace(made, game=self.game, locked=locked)


class Terminals(NamedTuple):
    """Terminals in the order found, with sequences counted within each player."""

    sequences: Ints  # [terminal, player]
    chance: Floats  # [terminal]
    payoffs: Floats  # [terminal, player]


def assembled(
    spec: str, layouts: Sequence[PointList], found: Terminals, *, nodes: int
) -> tuple[SequenceForm, list[Ints]]:
    """A sequence form from the decision points of every player, and terminals.

    Also returns [player][sequence as found] the number of the sequence in the form."""
    blocked = [layout.blocked() for layout in layouts]
    plex = joined([(treeplex, blocks) for treeplex, blocks, _ in blocked])
    numbers = [made + root for (_, _, made), root in zip(blocked, plex.roots[:-1], strict=True)]
    columns = [numbers[player][found.sequences[:, player]] for player in range(len(layouts))]
    sequences = np.stack(columns, axis=1).astype(np.int32)
    form = SequenceForm(
        spec=spec,
        players=len(layouts),
        zero_sum=is_zero_sum(found.payoffs),
        treeplexes=tuple(treeplex for treeplex, _, _ in blocked),
        plex=plex,
        nodes=nodes,
        sequences=sequences,
        chance=found.chance,
        payoffs=found.payoffs,
        table=table(sequences, found.chance[:, None] * found.payoffs),
    )
    return form, numbers


class Decisions(Protocol):
    """Of one player: a treeplex, or a part of one."""

    @property
    def size(self) -> int: ...
    @property
    def parents(self) -> Indices: ...


def is_zero_sum(payoffs: Floats) -> bool:
    """Whether the payoffs of every terminal sum to zero up to rounding."""
    scale = float(np.abs(payoffs).max(initial=0.0))
    return bool(np.abs(payoffs.sum(axis=1)).max(initial=0.0) <= ROUNDING * scale)


def joined(parts: Sequence[tuple[Decisions, Ints]], spec: str = "this form") -> Plex:
    """Concatenate the players' decisions."""
    roots = np.cumsum([0] + [mine.size for mine, _ in parts])
    require_numbers(roots, spec)
    points = np.cumsum([0] + [len(mine.parents) for mine, _ in parts])
    shifted = [
        blocks + np.array([roots[player], 0, 0, points[player]])
        for player, (_, blocks) in enumerate(parts)
    ]
    parents = [mine.parents + roots[player] for player, (mine, _) in enumerate(parts)]
    return Plex(
        roots=roots.astype(np.int64),
        ranges=np.cumsum([0] + [len(blocks) for blocks in shifted]).astype(np.int64),
        blocks=np.concatenate(shifted).astype(np.int64),
        parents=np.concatenate(parents).astype(np.int32),
    )


def table(sequences: Indices, utility: Floats) -> Payoffs:
    """Terminals by own sequence, for every player, in chunks of rows of similar length.

    Terminals that all players reach with the same sequences are one entry; those that pay
    nothing are left out."""
    order = np.lexsort(sequences.T[::-1])
    ordered = sequences[order]
    fresh = np.any(ordered[1:] != ordered[:-1], axis=1)
    starts = np.concatenate([[0], np.flatnonzero(fresh) + 1])
    merged, paid = ordered[starts], np.add.reduceat(utility[order], starts, axis=0)
    parts = []
    for player in range(sequences.shape[1]):
        earning = np.flatnonzero(paid[:, player])
        mine = earning[np.argsort(merged[earning, player], kind="stable")]
        others = np.delete(merged[mine], player, axis=1)
        parts.append(_chunked(merged[mine, player], others, paid[mine, player]))
    lengths, rows, others_parts, weights = zip(*parts, strict=True)
    return Payoffs(
        chunks=np.cumsum([0] + [len(part) for part in lengths]),
        starts=np.concatenate([[0], np.cumsum(np.concatenate(lengths))]),
        rows=np.concatenate(rows),
        others=np.concatenate(others_parts),
        weights=np.concatenate(weights),
    )


def _chunked(
    own: Indices, others: Indices, weights: Floats
) -> tuple[Ints, Indices, Indices, Floats]:
    """Rows of equal `own`, longest first, eight to a chunk; the last chunk is padded."""
    rows, starts, lengths = np.unique(own, return_index=True, return_counts=True)
    order = np.argsort(-lengths, kind="stable")
    filled = -(-rows.size // LANES) * LANES
    order = np.concatenate([order, np.repeat(order[-1:], filled - rows.size)])
    deepest = lengths[order].reshape(-1, LANES).max(axis=1)
    first = np.concatenate([[0], np.cumsum(deepest)])
    entries = int(first[-1])
    repeated = lengths[order]
    within = np.arange(repeated.sum()) - np.repeat(np.cumsum(repeated) - repeated, repeated)
    source = np.repeat(starts[order], repeated) + within
    entry = np.repeat(np.repeat(first[:-1], LANES), repeated) + within
    lane = np.repeat(np.arange(filled) % LANES, repeated)
    out_others = np.zeros((entries, others.shape[1], LANES), dtype=np.int32)
    out_weights = np.zeros((entries, LANES))
    out_others[entry, :, lane] = others[source]
    out_weights[entry, lane] = weights[source]
    return deepest, rows[order].reshape(-1, LANES).astype(np.int32), out_others, out_weights
