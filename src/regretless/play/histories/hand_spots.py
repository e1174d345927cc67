"""A street of a recorded hold'em hand as a spot: board, pot and stacks as they were then.

Ranges and sizes are not in a history: the caller gives them. Two players must be left on the
street; what others have put in is part of the pot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from regretless.core.errors import BadInput, BadParameter, UnknownName
from regretless.games._betting import NO_LIMIT_STACK, PokerRules
from regretless.games._spot import STREETS, Spot, spot
from regretless.play.histories.reading import Recorded
from regretless.play.histories.seen import BOARDS, ENDLESS, SeenHand, Unreadable, seen_of
from regretless.play.records import Hand

NAMES = tuple(STREETS.values())
HOLDEM = (2, (0, 3, 1, 1), 13, 4)  # hole cards, board cards, ranks, suits


@dataclass(frozen=True)
class HandSpot:
    """A spot, and how the hand continued."""

    spot: Spot
    names: tuple[str, str]  # out of position first
    holes: tuple[str, str]  # empty if unknown
    played: str  # betting from the spot on, as in the history
    unit: int = 1  # amounts per chip: 100 if they are cents


def find_hand(hands: Iterable[Recorded | Unreadable], number: int | None) -> Recorded:
    """The hand of this number, or the only one."""
    seen = 0
    first = problem = None
    for recorded in hands:
        if isinstance(recorded, Unreadable):
            problem = problem or recorded
            continue
        seen += 1
        if number is not None and recorded.hand.number == number:
            return recorded
        first = first or recorded
        if number is None and seen > 1:
            raise BadInput(f"{recorded.source} has several hands: choose one by its number")
    if number is None and first is not None:
        return first
    if problem is not None and not seen:
        raise problem
    what = f"no hand {number}" if seen else "no hands"
    span = f"; the first of {seen} is hand {first.hand.number}" if first else ""
    raise BadInput(f"{what} in {first.source if first else 'the history'}{span}")


def spot_of_hand(
    hand: Hand, rules: PokerRules, *, street: str | None = None, **parameters: Any
) -> HandSpot:
    """The spot at the start of a street; by default the last on which anybody acted.

    Parameters are those of `spot`, such as ranges and bets."""
    if (rules.hole, rules.board, rules.ranks, rules.suits) != HOLDEM or rules.raises is not None:
        raise BadInput(f"hand {hand.number}: only no-limit hold'em with 52 cards has spots")
    if len(hand.names) != rules.players:
        told = f"has {len(hand.names)} players, the given rules have {rules.players}"
        raise BadInput(f"hand {hand.number}: {told}")
    rules.replay(hand.betting, hand=hand.number)
    return _spot(seen_of(hand, rules), rules.first, street, parameters)


def spot_of_seen(seen: SeenHand, *, street: str | None = None, **parameters: Any) -> HandSpot:
    """The same for a hand of a real table, with its antes and posts."""
    if seen.posts.limits is not None:
        raise BadInput(f"hand {seen.number}: only no-limit hold'em with 52 cards has spots")
    return _spot(seen, (0,) * len(BOARDS), street, parameters)


def _spot(
    seen: SeenHand, first: Sequence[int], street: str | None, parameters: dict[str, Any]
) -> HandSpot:
    """The spot of a hand; `first` are the positions that act first, round by round."""
    posts, at = seen.posts, _chosen(seen.number, [bool(acts) for acts in seen.rounds], street)
    spent, folded = list(posts.antes), [False] * len(seen.names)
    for number, acts in enumerate(seen.rounds[:at]):
        now = list(posts.blinds) if not number else [0] * len(seen.names)
        for act in acts:
            now[act.position] = act.to
            folded[act.position] |= act.letter == "f"
        spent = [before + more for before, more in zip(spent, now, strict=True)]
    live = _two_left(seen.number, folded, at)
    order = sorted(live, key=lambda p: (p - first[max(at, 1)]) % len(seen.names))
    if any(seen.stacks[p] in (ENDLESS, NO_LIMIT_STACK) for p in order):
        raise BadInput(f"hand {seen.number}: stacks are not known")
    stacks = [seen.stacks[p] - (spent[p] if at else 0) for p in order]
    situation: dict[str, Any] = {"board": "".join(seen.boards[:at]), "stacks": stacks}
    if at:
        situation["pot"] = sum(spent)
    elif posts.odd or len(set(posts.antes)) > 1:
        raise BadInput(
            f"hand {seen.number}: before the flop only two blinds and equal antes are supported"
        )
    else:
        blinds = [posts.blinds[p] for p in reversed(order)]
        situation |= {"blinds": blinds, "ante": posts.antes[0]}
    return HandSpot(
        spot(**situation, **parameters),
        (seen.names[order[0]], seen.names[order[1]]),
        (seen.holes[order[0]], seen.holes[order[1]]),
        "/".join(seen.betting().split("/")[at:]),
        posts.unit,
    )


def _chosen(hand: int, acts: list[bool], street: str | None) -> int:
    """The requested street: somebody must act on it."""
    acted = [number for number, any_act in enumerate(acts) if any_act]
    if not acted:
        raise BadInput(f"hand {hand}: nobody acts")
    at = acted[-1] if street is None else _street(street)
    if at not in acted:
        there = ", ".join(NAMES[number] for number in acted)
        raise BadInput(f"hand {hand}: nobody acts on the {street}: must be {there}")
    return at


def _two_left(hand: int, folded: Sequence[bool], at: int) -> list[int]:
    live = [position for position, out in enumerate(folded) if not out]
    if len(live) != 2:
        where = f"on the {NAMES[at]}" if at else "before the flop"
        raise BadParameter(f"hand {hand}: {len(live)} players are left {where}, must be 2")
    return live


def _street(name: str) -> int:
    if name not in NAMES:
        raise UnknownName("street", name, NAMES)
    return NAMES.index(name)
