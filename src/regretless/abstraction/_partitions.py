"""The notation `JQ.K-J.QK` for partitions of cards (Waugh et al. 2009; Ganzfried et al. 2012).

The part before the hyphen is what player 1 distinguishes, the part after it player 2; a single part
applies to all players. `JQ.K`: jacks and queens look the same. `full`: nothing is hidden. Letters
denote ranks in order: J, Q, K are the three ranks of Leduc, whatever its deck calls them.

Anything but `full` also hides the board: the player sees whether its card pairs the cards of
every later round, but not which they are. The slides do not say so, but their J.Q.K, which
distinguishes all cards, is a different strategy from full; only pairing remains to be seen.

A strategy `own-opponent` of the published table plays both seats: the first is player 1 of the
abstraction `own-opponent`, the second player 2 of `opponent-own`."""

from __future__ import annotations

import re

from regretless.abstraction._maps import CardMap, Deals
from regretless.cards.deck import RANKS, rank_names
from regretless.core.errors import BadParameter, Unsuitable
from regretless.forms.form import Form

FULL = "full"


def is_partition(text: str) -> bool:
    """Whether a text is a partition rather than the name of a maker."""
    part = r"(full|[2-9TJQKA]+(\.[2-9TJQKA]+)*)"
    return re.fullmatch(rf"{part}(-{part})*", text.strip()) is not None


def maps_of(form: Form, text: str) -> tuple[CardMap | None, ...]:
    """The map of every player."""
    parts = text.strip().split("-")
    if len(parts) not in (1, form.players):
        raise BadParameter(
            f"partition {text!r}: has {len(parts)} parts, must be one or {form.players}"
        )
    if len(parts) == 1:
        parts *= form.players
    deals = Deals(form)
    if deals.layout.deck.rules.hole != 1:
        raise Unsuitable(f"partition {text!r}: needs a game with one hole card, not {form.spec}")
    return tuple(
        None if part == FULL else _map(deals, player, part) for player, part in enumerate(parts)
    )


def _map(deals: Deals, player: int, part: str) -> CardMap:
    rules = deals.layout.deck.rules
    named = {rank: number for number, cards in enumerate(part.split(".")) for rank in cards}
    if not len(named) == len(part.replace(".", "")) == rules.ranks:
        raise BadParameter(
            f"partition {part!r}: must name {rules.ranks} different ranks, such as "
            f"{'.'.join(rank_names(rules.ranks))}"
        )
    group = [named[rank] for rank in sorted(named, key=RANKS.index)]
    per_rank = deals.layout.deck.kinds // rules.ranks
    keys: list[list[object]] = []
    for round in deals.rounds:
        cells: list[object] = []
        for (card,), board in deals.lanes(player, round):
            rank = card // per_rank
            pairs = [sorted(kind // per_rank == rank for kind in cards) for cards in board]
            cells.append((group[rank], str(pairs)))
        keys.append(cells)
    return deals.map_of(player, keys)
