"""Hold'em in the PHH format: variant codes and the fields of a table.

The format has codes for eleven casino games. Two of them are supported: FT, fixed-limit, and
NT, no-limit Texas hold'em. Players are in the order of our positions, heads-up too;
only blinds are always written small blind first."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.errors import BadParameter, Unsuitable
from regretless.games._betting import NO_CAP, NO_LIMIT_STACK, PokerRules, Ranking

HOLE, BOARD = 2, (0, 3, 1, 1)


class TableFields(NamedTuple):
    """What a PHH file says before the first card."""

    variant: str  # FT or NT
    blinds: tuple[int, int]  # small, big
    bets: tuple[int, int]  # of the first and the last two rounds; in no-limit the smallest
    stacks: tuple[int, ...]  # NO_LIMIT_STACK if stacks are unlimited


def fields_of(rules: PokerRules) -> TableFields:
    """The fields for these rules; other games than hold'em have none."""
    if (rules.hole, rules.board, rules.ranks, rules.suits) != (HOLE, BOARD, 13, 4):
        raise Unsuitable("PHH has no code for this game: must be Texas hold'em with 52 cards")
    small, big = rules.blinds[0], rules.blinds[1]
    if rules.players == 2:
        small, big = big, small
    bets = rules.raises or (big,) * 4
    if bets[0] != bets[1] or bets[2] != bets[3]:
        raise Unsuitable(f"PHH has a small and a big bet: got raises of {bets}")
    fields = TableFields(
        "NT" if rules.raises is None else "FT", (small, big), (bets[0], bets[2]), rules.stacks
    )
    expected = rules_from(fields)
    if (rules.blinds, rules.first) != (expected.blinds, expected.first):
        raise Unsuitable(
            f"PHH has a small and a big blind, which determine who acts first: got blinds "
            f"{rules.blinds} and first players {tuple(p + 1 for p in rules.first)}"
        )
    return fields


def rules_from(fields: TableFields) -> PokerRules:
    """The rules that these fields describe; PHH has no caps, so there are none."""
    players, (small, big) = len(fields.stacks), fields.blinds
    if not 0 <= small <= big or not big:
        raise BadParameter(
            f"blinds {small} and {big}: the big blind must not be 0 or the smaller one"
        )
    blinds = (big, small) if players == 2 else (small, big, *(0,) * (players - 2))
    low, high = fields.bets
    if fields.variant == "NT" and low != big:
        raise BadParameter(f"smallest bet {low}: must be the big blind, {big}")
    return PokerRules(
        players=players,
        ranks=13,
        suits=4,
        hole=HOLE,
        board=BOARD,
        blinds=blinds,
        first=(2 % players if players > 2 else 1, 0, 0, 0),
        caps=(NO_CAP,) * 4,
        raises=None if fields.variant == "NT" else (low, low, high, high),
        stacks=tuple(min(stack, NO_LIMIT_STACK) for stack in fields.stacks),
        ranking=Ranking.BEST_FIVE,
    )
