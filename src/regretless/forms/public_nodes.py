"""The betting nodes of all stages as a table, and the payoffs of every terminal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.games._betting import Betting
from regretless.games._betting_tree import Kind, Stage, StageNode
from regretless.kernels.public_arrays import (
    MID,
    NET,
    NODES,
    SEGMENTS,
    STAGES,
    TIE,
    Records,
    records,
)

ROUNDING = 1e-9  # chips: a smaller difference is rounding
PAY_ROWS = 9  # of a terminal of two players


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes of all stages, one after another; rows as in kernels/public_arrays.py."""

    table: Records
    stage_table: Records
    segments: Records
    slots: Ints  # [player, node]
    firsts: Ints  # [round] first stage, then the total
    slot_counts: Ints  # [stage, player] rows of reach
    value_rows: Ints  # [stage]
    chosen_rows: Ints  # [stage]
    rows: Ints  # [stage, player] actions of the player
    deals: Ints  # [stage]
    pay: list[Floats]  # [row][prefix]
    live_sets: tuple[tuple[bool, ...], ...]

    largest_payoff: float  # the most that any player wins or loses

    @property
    def split_evenly(self) -> bool:
        """Two players: whether every tie pays the mean of win and loss."""
        return not any(self.pay[k + TIE].any() for k in self._both_players())

    @property
    def pots_are_shared(self) -> bool:
        """Two players: whether all payoffs are shares of a pot minus the player's chips in it."""
        first, second = self.pay[NET::PAY_ROWS], self.pay[3 + NET :: PAY_ROWS]
        pairs = zip(first, second, strict=True)
        return self.split_evenly and all(abs(one - two).max() <= ROUNDING for one, two in pairs)

    def _both_players(self) -> list[int]:
        """The first rows of every terminal, for one player and the other."""
        return [k + 3 * player for k in range(0, len(self.pay), PAY_ROWS) for player in (0, 1)]


def number_nodes(cut: tuple[Stage, ...], players: int) -> Nodes:
    """Assign every node its rows."""
    made = _Numbering(players)
    for stage in cut:
        made.add(stage)
    rounds = [stage.round for stage in cut]
    firsts = np.searchsorted(rounds, range(rounds[0], rounds[-1] + 2))
    segments, spans = _segments(cut)
    ends = np.cumsum([len(stage.nodes) for stage in cut])
    stage_rows = [
        [end - len(stage.nodes), end, stage.prefixes, *span, deals]
        for stage, end, span, deals in zip(cut, ends, spans, made.deals, strict=True)
    ]
    return Nodes(
        table=records(made.table, NODES),
        stage_table=records(stage_rows, STAGES),
        segments=segments,
        slots=np.array(made.slots, dtype=np.int64),
        firsts=firsts.astype(np.int64),
        slot_counts=np.array(made.slot_counts, dtype=np.int64),
        value_rows=np.array([len(stage.nodes) for stage in cut], dtype=np.int64),
        chosen_rows=np.array(made.chosen_rows, dtype=np.int64),
        rows=np.array(made.rows, dtype=np.int64),
        deals=np.array(made.deals, dtype=np.int64),
        pay=made.pay,
        live_sets=tuple(made.live_sets),
        largest_payoff=made.largest,
    )


class _Numbering:
    """Rows of nodes, stage by stage."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.table: list[list[int]] = []
        self.slots: list[list[int]] = [[] for _ in range(players)]
        self.slot_counts: list[list[int]] = []
        self.chosen_rows: list[int] = []
        self.rows: list[list[int]] = []
        self.deals: list[int] = []
        self.pay: list[Floats] = []
        self.live_sets: list[tuple[bool, ...]] = []
        self.largest = 0.0

    def add(self, stage: Stage) -> None:
        count = len(stage.nodes)
        value = [0] * count  # row of values: siblings are adjacent
        slots = [[0] * count for _ in range(self.players)]
        following_value, following_slot = 1, [1] * self.players
        rows, chosen, deals, leaves = [0] * self.players, 0, 0, 0
        for n, node in enumerate(stage.nodes):
            entry = {"kind": int(node.kind), "player": node.player, "value": value[n], "lock": -1}
            entry["live"] = self._live(node.bettings[0])
            if node.kind is Kind.DECISION:
                p = node.player
                entry |= {"actions": len(node.children), "row": rows[p], "chosen": chosen}
                entry |= {"below": following_value, "mine": following_slot[p]}
                for child in node.children:
                    for q in range(self.players):
                        slots[q][child] = slots[q][n]
                    value[child], slots[p][child] = following_value, following_slot[p]
                    following_value += 1
                    following_slot[p] += 1
                rows[p] += len(node.children)
                chosen += len(node.children)
            elif node.kind is Kind.DEAL:
                entry["number"] = deals
                deals += 1
            elif node.kind is Kind.LEAF:
                entry["number"] = leaves
                leaves += 1
            else:
                entry["pay"] = len(self.pay)
                pay = _pays(node, self.players)
                self.pay += pay
                self.largest = max(self.largest, _largest(node, pay))
            self.table.append([entry.get(name, 0) for name in NODES.names or ()])
        for q in range(self.players):
            self.slots[q] += slots[q]
        self.slot_counts.append(following_slot)
        self.chosen_rows.append(chosen)
        self.rows.append(rows)
        self.deals.append(deals)

    def _live(self, betting: Betting) -> int:
        live = tuple(not gone for gone in betting.folded)
        if live not in self.live_sets:
            self.live_sets.append(live)
        return self.live_sets.index(live)


def _segments(cut: tuple[Stage, ...]) -> tuple[Records, list[tuple[int, int]]]:
    """Which deals of which stage lead to which prefixes of every stage: adjacent deals that lead to
    adjacent prefixes are one segment."""
    by_stage: list[list[tuple[int, int, int, int]]] = [[] for _ in cut]
    for number, stage in enumerate(cut):
        deals = [node for node in stage.nodes if node.kind is Kind.DEAL]
        for deal, node in enumerate(deals):
            segments, count = by_stage[node.next_stage], len(node.bettings)
            source, first, so_far, start = segments[-1] if segments else (-1, 0, 0, 0)
            follows = source == number and first + so_far // count == deal
            if follows and start + so_far == node.next_prefix:
                segments[-1] = source, first, so_far + count, start
            else:
                segments.append((number, deal, count, node.next_prefix))
    rows = [row for segments in by_stage for row in segments]
    ends = np.cumsum([len(segments) for segments in by_stage]).tolist()
    spans = [(end - len(segments), end) for segments, end in zip(by_stage, ends, strict=True)]
    return records(rows, SEGMENTS), spans


def _pays(node: StageNode, players: int) -> list[Floats]:
    """Rows of `pay` of a terminal, by prefix: with two players NET, MID and TIE of each; then
    the pot, and the chips of every player."""
    paid = [_outcomes(betting, node, players) for betting in node.bettings]
    return list(np.ascontiguousarray(np.array(paid).T))


def _largest(node: StageNode, rows: list[Floats]) -> float:
    """The most that any player wins or loses at a terminal."""
    if len(node.bettings[0].folded) == 2:
        players = (rows[:3], rows[3:6])
        amounts = [abs(pay[MID]) + abs(pay[NET]) for pay in players]
        amounts += [abs(pay[MID] + pay[TIE]) for pay in players]
    else:
        live = [p for p, gone in enumerate(node.bettings[0].folded) if not gone]
        amounts = [abs(rows[0] - rows[1 + p]) for p in live]
        amounts += [paid for p, paid in enumerate(rows[1:]) if [p] != live]
    return max(float(row.max()) for row in amounts)


def _outcomes(betting: Betting, node: StageNode, players: int) -> list[float]:
    if players > 2:
        return _pot(betting)
    if node.kind is Kind.FOLD:
        paid = betting.settle((0, 0))
        lost = -paid[1 - node.player]
        pot = paid[node.player] + lost
        return [x for payoff in paid for x in (0.0, payoff, 0.0)] + [pot, lost, lost]
    ahead, even, behind = (betting.settle(pair) for pair in ((1, 0), (0, 0), (0, 1)))
    outcomes: list[float] = []
    for win, tie, loss in zip(ahead, even, behind, strict=True):
        best, worst = (win, loss) if not outcomes else (loss, win)
        outcomes += [(best - worst) / 2, (best + worst) / 2, tie - (best + worst) / 2]
    outcomes += [ahead[0] - behind[0], -behind[0], -ahead[1]]
    return [0.0 if abs(x) < ROUNDING else x for x in outcomes]


def _pot(betting: Betting) -> list[float]:
    """What the winners share, and what every player has paid, including its part of dead chips."""
    live = {chips for chips, gone in zip(betting.spent, betting.folded, strict=True) if not gone}
    if len(live) > 1:
        raise Unsuitable("the public form of more than two players does not support side pots")
    if betting.rules.utility is not None:
        raise Unsuitable(
            "the public form of more than two players does not support utilities, only chips"
        )
    strengths = [0 if gone else 1 for gone in betting.folded]
    paid = [chips + betting.rules.dead / len(betting.spent) for chips in betting.spent]
    return [sum(betting.settle(strengths)) + sum(paid), *paid]
