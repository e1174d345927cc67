"""Subgames of a public form: a node of the betting on a board, and all that follows.

Only this part of the tree is enumerated, in the sequences of the whole form. Boards that are
equal up to suits share their lanes: solving one of them solves all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np

from regretless.cards.boards import canonical
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import BadParameter, TooLarge, UnknownName, Unsuitable
from regretless.forms.public import PublicForm
from regretless.forms.public_chances import lane_chances, lane_weights
from regretless.forms.public_expansion import terminal_rows
from regretless.forms.subgame import MOST_SUBGAMES, Subgame, public_part, require_round
from regretless.forms.treeplex import Point
from regretless.games._betting_tree import Kind

MOST_TERMINALS = 4_000_000  # of one subgame: half a gigabyte


class Place(NamedTuple):
    """A node of a stage, for one betting history and one board."""

    stage: int
    node: int
    prefix: int
    board: int


class PublicSubgames:
    """Subgames of a public form."""

    def __init__(self, form: PublicForm) -> None:
        layout = form.layout
        kinds = {node.kind for stage in layout.stages for node in stage.nodes}
        if kinds & {Kind.LEAF, Kind.RUNOUT} or layout.locks or any(layout.cells):
            raise Unsuitable(
                f"subgames of {form.spec}: the public form must have no leaves, run-outs, locks "
                "or shared cells"
            )
        self.form, self.layout, self.points = form, layout, form.lookup
        self._entered: tuple[dict[int, Ints], dict[int, Ints]] = ({}, {})

    @cached_property
    def _scale(self) -> tuple[Floats, Floats]:
        return lane_chances(self.layout)[0], lane_weights(self.layout)[1]

    def at(self, where: str) -> Subgame:
        return self._made(self._find(where))

    def cut(self, depth: int | None = None) -> list[Subgame]:
        rounds = self.layout.rounds
        if depth is None and len(rounds) == 1:
            raise BadParameter(
                f"{self.form.spec} has one round of betting: choose a subgame with at=, e.g. at=:cr"
            )
        before = require_round(depth, rounds[-1] + 1)
        places = list(islice(self._beginning(before), MOST_SUBGAMES + 1))
        if len(places) > MOST_SUBGAMES:
            raise TooLarge(
                f"over {MOST_SUBGAMES:,} subgames of {self.form.spec}: choose one with at="
            )
        return [self._made(place) for place in places]

    def children(self, subgame: Subgame) -> list[Subgame]:
        """The subgames that follow the first decision of this one."""
        stage, node, prefix, board = self._find(subgame.name)
        return [
            self._made(place)
            for child in self.layout.stages[stage].nodes[node].children
            for place in self._decisions(Place(stage, child, prefix, board))
        ]

    def _find(self, where: str) -> Place:
        cards, colon, history = where.partition(":")
        hole, *board = cards.split("/")
        known = self.points.histories
        if not colon or history not in known:
            raise UnknownName("betting", history, known)
        stage, node, prefix = known[history]
        player = self.layout.stages[stage].nodes[node].player
        if hole and self.points.find(player, where) is None:
            some = [point.label for point in islice(self.points.all(player), 9999)]
            raise UnknownName("decision point", where, some)
        round = self.layout.stages[stage].round
        side = self.layout.sides[player]
        number, _ = canonical(side, self.points.dealt(board, round))
        return Place(stage, node, prefix, number)

    def _beginning(self, round: int) -> Iterator[Place]:
        """Every board and every betting history with which a round begins."""
        for number, stage in enumerate(self.layout.stages):
            if stage.round == round and stage.nodes[0].kind is Kind.DECISION:
                boards = len(self.layout.level(0, round).boards)
                for board in range(boards):
                    yield from (Place(number, 0, p, board) for p in range(stage.prefixes))

    def _decisions(self, place: Place) -> Iterator[Place]:
        """The node itself if a player decides there, or the nodes that follow a deal."""
        node = self.layout.stages[place.stage].nodes[place.node]
        if node.kind is Kind.DECISION:
            yield place
        if node.kind is Kind.DEAL:
            for following in self._dealt(place):
                yield from self._decisions(following)

    def _dealt(self, place: Place) -> Iterator[Place]:
        stage = self.layout.stages[place.stage]
        node = stage.nodes[place.node]
        parents = self.layout.level(0, stage.round + 1).parents
        for board in np.flatnonzero(np.asarray(parents) == place.board).tolist():
            yield Place(node.next_stage, 0, node.next_prefix + place.prefix, board)

    def _below(self, place: Place) -> Iterator[Place]:
        """All nodes below a place, parents first."""
        stack = [place]
        while stack:
            here = stack.pop()
            node = self.layout.stages[here.stage].nodes[here.node]
            yield here
            stack += [here._replace(node=child) for child in reversed(node.children)]
            if node.kind is Kind.DEAL:
                stack += list(self._dealt(here))[::-1]

    def _made(self, place: Place) -> Subgame:
        points: tuple[list[Point], list[Point]] = ([], [])
        tables: list[tuple[Ints, Floats, Floats]] = []
        count = 0
        for here in self._below(place):
            node = self.layout.stages[here.stage].nodes[here.node]
            if node.kind is Kind.DECISION:
                points[node.player].extend(self._points(here))
            if node.kind in (Kind.FOLD, Kind.SHOWDOWN):
                tables.append(self._terminals(here))
                count += len(tables[-1][0])
                if count > MOST_TERMINALS:
                    raise TooLarge(
                        f"the subgame of {self.form.spec} at {self._name(place)!r} has over "
                        f"{MOST_TERMINALS:,} terminals: name one further down"
                    )
        sequences, chance, payoffs = (np.concatenate(part) for part in zip(*tables, strict=True))
        inside = (tuple(points[0]), tuple(points[1]))
        return Subgame(
            self.form, self._name(place), inside, sequences.astype(np.int32), chance, payoffs
        )

    def _name(self, place: Place) -> str:
        stage = self.layout.stages[place.stage]
        history = stage.nodes[place.node].bettings[place.prefix].history
        return public_part(f"{self.points.hand_text(0, stage.round, place.board, 0)}:{history}")

    def _points(self, place: Place) -> Iterator[Point]:
        """The decision points of all hands at a node."""
        stage = self.layout.stages[place.stage]
        node = stage.nodes[place.node]
        item, number = self.points.place(place.stage, place.board)
        player, betting = node.player, node.bettings[place.prefix]
        last = self.layout.grid(self._last(player, item, place.node), item)
        parents = last[:, number, place.prefix] - self.layout.roots[player]
        hands = np.arange(len(parents))
        rows = self.points.sequences(place.stage, place.node, place.board, hands, place.prefix)
        names = tuple(move.name for move in betting.choices)
        for hand, parent in enumerate(parents.tolist()):
            cards = self.points.hand_text(player, stage.round, place.board, hand)
            sequences: Indices = rows[hand].astype(self.points.index)
            yield Point(f"{cards}:{betting.history}", names, sequences, parent)

    def _last(self, player: int, item: int, n: int) -> Ints:
        """The player's last sequence before a node of an item, for every lane."""
        entering = self.points.entered(player, item, self._entered[player])
        return self.points.last(player, item, n, entering)

    def _terminals(self, place: Place) -> tuple[Ints, Floats, Floats]:
        item, number = self.points.place(place.stage, place.board)
        last = [self._last(player, item, place.node) for player in (0, 1)]
        only = (number, place.prefix)
        return terminal_rows(self.layout, item, place.node, last, self._scale, only)
