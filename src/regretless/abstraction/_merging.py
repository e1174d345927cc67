"""The sequence form of a game whose players cannot distinguish some decision points.

With perfect recall it is the table of terminals with sequences renumbered: terminals
reached by the same abstract sequences become one, whose chance is the sum and whose
payoffs are the means of theirs, weighted by chance. Otherwise its sequences are those of the
public form with shared cells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from regretless.abstraction._maps import PointMap
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import BadInput, ImperfectRecall
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.forms.sequence import SequenceForm, Terminals, assembled
from regretless.forms.treeplex import PointList, Treeplex

NOWHERE = -1
SHOWN = 4  # members that the label of a cell names


class Merged(NamedTuple):
    """An abstract form, and the abstract sequences of the full game's sequences."""

    form: SequenceForm
    links: tuple[Ints, ...]  # [player][sequence] abstract sequence, or NOWHERE if left out


def merged(form: SequenceForm, maps: tuple[PointMap | None, ...], spec: str) -> Merged:
    """The abstract game; decision points of a cell must have the same actions and past."""
    parts = [
        _cells(form, player, mine or PointMap(np.arange(len(plex.labels), dtype=np.int32)))
        for player, (plex, mine) in enumerate(zip(form.treeplexes, maps, strict=True))
    ]
    own = form.sequences - form.plex.roots[:-1]
    columns = [part.reached[own[:, player]] for player, part in enumerate(parts)]
    there = np.stack(columns, axis=1)
    stays = (there != NOWHERE).all(axis=1)
    if not stays.any():
        raise BadInput(f"abstraction of {form.spec}: no terminal can be reached")
    terminals = _summed(there[stays], form.chance[stays], form.payoffs[stays])
    abstract, numbers = assembled(spec, [part.layout for part in parts], terminals, nodes=0)
    links = tuple(
        np.where(part.links >= 0, moved[part.links] - root, NOWHERE)
        for part, moved, root in zip(parts, numbers, abstract.plex.roots[:-1], strict=True)
    )
    return Merged(replace(abstract, locked=form.locked), links)


def _summed(sequences: Ints, chance: Floats, payoffs: Floats) -> Terminals:
    """Merge terminals with equal sequences."""
    order = np.lexsort(sequences.T[::-1])
    ordered = sequences[order]
    fresh = np.any(ordered[1:] != ordered[:-1], axis=1)
    starts = np.concatenate([[0], np.flatnonzero(fresh) + 1])
    total = np.add.reduceat(chance[order], starts)
    paid = np.add.reduceat((chance[:, None] * payoffs)[order], starts, axis=0)
    return Terminals(ordered[starts], total, paid / total[:, None])


class _Cells(NamedTuple):
    layout: PointList
    links: Ints  # [sequence] of the cell's action
    reached: Ints  # the same, but NOWHERE if an action above is left out


def _cells(form: SequenceForm, player: int, mine: PointMap) -> _Cells:
    plex = form.treeplexes[player]
    members = first_members(form, player, mine)
    kept = np.ones(plex.size, bool) if mine.kept is None else mine.kept
    firsts, following = np.zeros(len(members), dtype=np.int64), 1
    names: list[tuple[str, ...]] = []
    for cell, points in enumerate(members):
        _check_alike(form, player, points, kept)
        leader = points[0]
        here = plex.sequences[leader]
        named = [name for name, s in zip(plex.actions[leader], here, strict=True) if kept[s]]
        if not named:
            raise BadInput(f"{_at(form, player, leader)}: the abstraction leaves no action")
        names.append(tuple(named))
        firsts[cell] = following
        following += len(named)
    links = np.full(plex.size, NOWHERE, dtype=np.int64)
    links[0] = 0
    for cell, points in enumerate(members):
        for point in points:
            here = plex.sequences[point]
            stays = here[kept[here]]
            links[stays] = firsts[cell] + np.arange(stays.size)
    parents = []
    for points in members:
        above = links[plex.parents[points]]
        if (above != above[0]).any():
            other = points[int(np.flatnonzero(above != above[0])[0])]
            raise ImperfectRecall(
                f"{_at(form, player, points[0])} and {plex.labels[other]!r} share a cell but have "
                "different pasts (own cells and actions)"
            )
        parents.append(int(above[0]))
    return _laid_out(form, player, members, names, parents, links)


def _laid_out(
    form: SequenceForm,
    player: int,
    members: list[Indices],
    names: list[tuple[str, ...]],
    parents: list[int],
    links: Ints,
) -> _Cells:
    """Without the cells that no kept action reaches."""
    plex = form.treeplexes[player]
    counts = np.array([len(one) for one in names], dtype=np.int64)
    owner = np.repeat(np.arange(len(names)), counts)
    alive: list[bool] = []
    for parent in parents:
        alive.append(parent == 0 or (parent > 0 and alive[owner[parent - 1]]))
    numbers = np.full(1 + int(counts.sum()), NOWHERE, dtype=np.int64)
    numbers[0] = 0
    living = np.flatnonzero(np.repeat(alive, counts)) + 1
    numbers[living] = 1 + np.arange(living.size)
    chosen = [cell for cell, lives in enumerate(alive) if lives]
    layout = PointList(
        [int(numbers[parents[cell]]) for cell in chosen],
        [names[cell] for cell in chosen],
        [_label(plex.labels, members[cell]) for cell in chosen],
    )
    kept = np.where(links >= 0, numbers[links], NOWHERE)
    return _Cells(layout, kept, _reached(plex, kept))


def _reached(plex: Treeplex, links: Ints) -> Ints:
    """Sequences below an action that is left out are not reached, even if their cell is."""
    reached = links.copy()
    for point, parent in enumerate(plex.parents):
        if reached[parent] == NOWHERE:
            reached[plex.sequences[point]] = NOWHERE
    return reached


def first_members(form: SequenceForm, player: int, mine: PointMap) -> list[Indices]:
    """The decision points of every cell, cells in the order of their first points."""
    plex = form.treeplexes[player]
    if mine.cells.shape != (len(plex.labels),):
        raise BadInput(
            f"map of player {player + 1}: got {mine.cells.size} cells, "
            f"{form.spec} has {len(plex.labels)} decision points"
        )
    order = np.argsort(mine.cells, kind="stable")
    edges = np.flatnonzero(np.diff(mine.cells[order])) + 1
    groups: list[Any] = np.split(order, edges) if order.size else []
    return sorted(groups, key=lambda points: int(points[0]))


def _check_alike(form: SequenceForm, player: int, points: Indices, kept: np.ndarray) -> None:
    plex = form.treeplexes[player]
    leader = points[0]
    here = plex.actions[leader], tuple(kept[plex.sequences[leader]])
    for point in points[1:]:
        there = plex.actions[point], tuple(kept[plex.sequences[point]])
        if there != here:
            raise BadInput(
                f"{_at(form, player, leader)} and {plex.labels[point]!r} share a cell but have "
                f"different actions: {', '.join(here[0])} and {', '.join(there[0])}"
                + ("" if here[0] != there[0] else " (others are left out)")
            )


def _at(form: SequenceForm, player: int, point: int) -> str:
    label = form.treeplexes[player].labels[point]
    return f"abstraction of {form.spec}: player {player + 1} at {label!r}"


def _label(labels: tuple[str, ...], points: Indices) -> str:
    """Names of the members, those of poker with the betting once."""
    shown = [labels[point] for point in points[:SHOWN]]
    more = ["…"] if len(points) > SHOWN else []
    betting = {label.partition(":")[2] for label in shown}
    if len(betting) == 1 and all(":" in label for label in shown):
        cards = [label.partition(":")[0] for label in shown]
        return f"{'|'.join(cards + more)}:{betting.pop()}"
    return "|".join(shown + more)


def cell_links(full: Form, shared: PublicForm, player: int) -> Ints:
    """[sequence of the full form] the sequence of its cell; both count within the player."""
    links = np.zeros(full.sizes.sequences[player], dtype=np.int64)
    if isinstance(full, PublicForm):
        _link_lanes(full, shared, player, links)
        return links
    for point in full.points(player):
        there = shared.find(player, point.label)
        assert there is not None, point.label
        links[point.sequences] = there.sequences
    return links


def _link_lanes(full: PublicForm, shared: PublicForm, player: int, links: Ints) -> None:
    """Block by block: a lane is a hand on a board after a line of betting."""
    layout, cells = full.layout, shared.layout.cells[player]
    start = int(layout.roots[player])
    if cells is None:
        links[:] = np.arange(links.size)
        return
    begins = {
        (int(shared.layout.items[item].stage), n): (first, shared.layout.widths(item, player))
        for item, n, first, _ in shared.lookup.decisions(player)
    }
    offset = int(shared.layout.roots[player])
    last = len(layout.sides[player]) - 1
    for item, n, first, actions in full.lookup.decisions(player):
        stage = int(layout.items[item].stage)
        round, prefixes = layout.stages[stage].round, layout.stages[stage].prefixes
        site = int(layout.site_of_item[item])
        boards = range(int(layout.sites[site].board), int(layout.sites[site].boards))
        boards = range(boards.start, boards.start + boards.stop)
        hands = int(layout.site_sides[site, player].hands)
        level = layout.level(player, round)
        lanes = np.stack([level.first[board] + np.arange(hands) for board in boards], axis=1)
        if round == last:
            lanes = layout.order[player][lanes]
        rows = cells.rows[round][lanes][:, :, None] * prefixes + np.arange(prefixes)
        width = layout.widths(item, player)
        there, span = begins[stage, n]
        for action in range(actions):
            numbers = first - start + action * width + np.arange(width)
            grid = layout.grid(numbers, item)
            links[grid] = there - offset + action * span + rows
