"""Values for leaves: what the end of a round is worth if both players continue as given.

Every terminal below the end of a round adds its payoff, times the probability that deals and
both players' actions lead from the end of the round to it, to a matrix of pairs of hands."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable, within
from regretless.forms.form import plan_of
from regretless.forms.leaves import Leaves, arranged
from regretless.forms.public import PublicForm
from regretless.forms.public_chances import lane_chances, lane_weights
from regretless.forms.public_expansion import terminal_rows
from regretless.forms.public_layout import PublicLayout, lay_out
from regretless.games._betting_tree import Kind

Matrices = dict[tuple[int, str], tuple[Floats, Floats]]  # per player, by board and betting


def continuation_values(form: PublicForm, behaviour: Floats, after: int) -> Leaves:
    """Leaves after a round, with the values of this behaviour in the following rounds.

    They are for the form of the same game that ends with that round (`leaves` of
    `public_form`): two players, without run-outs."""
    layout = form.layout
    kinds = {node.kind for stage in layout.stages for node in stage.nodes}
    if layout.players != 2 or kinds & {Kind.LEAF, Kind.RUNOUT}:
        raise Unsuitable("values of leaves need a form of two players without run-outs or leaves")
    within("round before the leaves", after, layout.first, layout.rounds[-1] - 1)
    trunk = lay_out(layout.game, isomorphic=layout.isomorphic, last=after)
    return arranged(trunk, _matrices(form, behaviour, after))


def _matrices(form: PublicForm, behaviour: Floats, after: int) -> Matrices:
    """Values of pairs of hands at every end of the round, including chance.

    The rival's weights are left out: they are part of its reach."""
    layout, points = form.layout, form.lookup
    plan = plan_of(form, _from(form, behaviour, after))
    histories, boards, hands = _origins(layout, after)
    matrices = _zeros(layout, after)
    scale = lane_chances(layout)[0], lane_weights(layout)[1]
    weights = [_hand_weights(layout, player, after) for player in (0, 1)]
    entering = [points.entering(player) for player in (0, 1)]
    for item, number in enumerate(layout.items.stage.tolist()):
        stage = layout.stages[number]
        if stage.round <= after:
            continue
        lanes = [np.arange(len(entering[player][item])) for player in (0, 1)]
        for n, node in enumerate(stage.nodes):
            if node.kind not in (Kind.FOLD, Kind.SHOWDOWN):
                continue
            last = [points.last(player, item, n, entering[player][item]) for player in (0, 1)]
            pairs, chance, payoffs = terminal_rows(layout, item, n, lanes, scale)
            chance = chance * plan[last[0][pairs[:, 0]]] * plan[last[1][pairs[:, 1]]]
            prefix = _by_lane(layout, item, np.arange(stage.prefixes), 0)[pairs[:, 0]]
            board = boards[item][pairs[:, 0]]
            own = [hands[player][item][pairs[:, player]] for player in (0, 1)]
            for key in set(zip(board.tolist(), prefix.tolist(), strict=True)):
                rows = (board == key[0]) & (prefix == key[1])
                both = matrices[key[0], histories[number][key[1]]]
                i, j = own[0][rows], own[1][rows]
                paid = chance[rows, None] * payoffs[rows]
                np.add.at(both[0], (i, j), paid[:, 0] / weights[1][key[0]][j])
                np.add.at(both[1], (j, i), paid[:, 1] / weights[0][key[0]][i])
    return matrices


def _from(form: PublicForm, behaviour: Floats, after: int) -> Floats:
    """The behaviour, as if both players had reached the end of the round with certainty."""
    layout, certain = form.layout, behaviour.astype(np.float64)
    for player in (0, 1):
        for item, _, start, actions in form.lookup.decisions(player):
            if layout.stages[int(layout.items[item].stage)].round <= after:
                certain[start : start + actions * layout.widths(item, player)] = 1.0
    return certain


def _zeros(layout: PublicLayout, after: int) -> Matrices:
    one, two = (layout.level(player, after) for player in (0, 1))
    matrices: Matrices = {}
    for stage in layout.stages:
        for node in stage.nodes:
            if stage.round != after or node.kind is not Kind.DEAL:
                continue
            for betting in node.bettings:
                for board in range(len(one.boards)):
                    size = np.diff(one.first)[board], np.diff(two.first)[board]
                    matrices[board, betting.history] = np.zeros(size), np.zeros(size[::-1])
    return matrices


def _hand_weights(layout: PublicLayout, player: int, after: int) -> list[Floats]:
    """[board][hand] of a player's range, on the boards of a round."""
    level = layout.level(player, after)
    start = sum(len(layout.level(player, r).counts) for r in layout.rounds if r < after)
    weights = lane_weights(layout)[player][start : start + len(level.counts)]
    return [weights[level.lanes(board)] for board in range(len(level.boards))]


def _origins(
    layout: PublicLayout, after: int
) -> tuple[dict[int, list[str]], list[Ints], tuple[list[Ints], list[Ints]]]:
    """The origin of what follows a round: by stage the betting of every prefix at the end of
    the round, by item and lane the board, and for each player the hand on that board."""
    histories: dict[int, list[str]] = {
        number: [""] * stage.prefixes
        for number, stage in enumerate(layout.stages)
        if stage.round > after
    }
    for number, stage in enumerate(layout.stages):
        for node in stage.nodes:
            if stage.round >= after and node.kind is Kind.DEAL:
                known = [b.history for b in node.bettings]
                if stage.round > after:
                    known = histories[number]
                span = slice(node.next_prefix, node.next_prefix + stage.prefixes)
                histories[node.next_stage][span] = known
    boards: list[Ints] = []
    hands: tuple[list[Ints], list[Ints]] = ([], [])
    for item, number in enumerate(layout.items.stage.tolist()):
        stage = layout.stages[number]
        site = layout.sites[layout.site_of_item[item]]
        numbers = range(int(site.board), int(site.board + site.boards))
        for player in (0, 1):
            rows = [_hands_before(layout, player, stage.round, b, after) for b in numbers]
            here = np.stack(rows, axis=1)[:, :, None]
            hands[player].append(_by_lane(layout, item, here, player))
            if player == 0:
                above = np.array([_board_before(layout, stage.round, b, after) for b in numbers])
                boards.append(_by_lane(layout, item, above[None, :, None], player))
    return histories, boards, hands


def _by_lane(layout: PublicLayout, item: int, values: Ints, player: int) -> Ints:
    """Values by hand, board and prefix, lane by lane."""
    by_lane = np.empty(int(layout.lanes[item, player]), dtype=np.int64)
    layout.grid(by_lane, item)[:] = values
    return by_lane


def _board_before(layout: PublicLayout, round: int, board: int, after: int) -> int:
    """The board of an earlier round that this one continues."""
    while round > after:
        board = int(layout.level(0, round).parents[board])
        round -= 1
    return board


def _hands_before(layout: PublicLayout, player: int, round: int, board: int, after: int) -> Ints:
    """For every hand on a board, the same hand on the board of an earlier round."""
    hands: Ints = np.arange(int(np.diff(layout.level(player, round).first)[board]))
    while round > after:
        level = layout.level(player, round)
        hands = level.above[level.lanes(board)][hands].astype(np.int64)
        board, round = int(level.parents[board]), round - 1
    return hands
