"""Spots: heads-up hold'em starting from a board, a pot, stacks and two ranges.

The player out of position is position 0. The first round deals the whole board at once. The
chips in the pot are dead: payoffs are relative to a state in which each player still owns half
of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.cards.holdings import card_name, meeting, read_cards, without
from regretless.cards.ranges import read_range
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter
from regretless.games._betting import NO_CAP, NO_LIMIT_STACK, PokerRules
from regretless.games._icm import IndependentChipModel
from regretless.games._locked import HandLock
from regretless.games._locks import SpotLock, read_locks
from regretless.games._poker import Root, poker_game
from regretless.games._settling import Rake
from regretless.games._sizing import Sizes, Sizing, Unit, read_sizes
from regretless.games._spot_tables import (
    PLAYERS,
    BadSpot,
    checked_table,
    fraction,
    listed,
    under,
    whole,
)
from regretless.games._state import Game

STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}  # by cards on the board
ROUNDS = {0: (0, 3, 1, 1), 3: (3, 1, 1), 4: (4, 1), 5: (5,)}
MOST_CHIPS = 10**9
_TARGET = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?)\s*(%?)\s*")


@dataclass(frozen=True, eq=False)
class Spot:
    """A heads-up hold'em situation; arrays are read-only."""

    board: tuple[int, ...]
    rules: PokerRules
    ranges: tuple[Floats, Floats]  # [hand] weights, 0 for hands that the board blocks
    pot: int  # before the first action, antes and blinds included
    locks: tuple[SpotLock, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict, repr=False)  # as given

    @property
    def street(self) -> str:
        """preflop, flop, turn or river."""
        return STREETS[len(self.board)]

    @property
    def spec(self) -> str:
        """A short name."""
        return f"spot:{''.join(map(card_name, self.board)) or self.street}"

    @property
    def hands(self) -> tuple[int, int]:
        """How many hands each player can hold."""
        oop, ip = (int(np.count_nonzero(weights)) for weights in self.ranges)
        return oop, ip

    @property
    def game(self) -> Game:
        """The spot as a game."""
        return game_of(self)

    def chips(self, target: str | float) -> float:
        """A target in chips: `0.5%` is of the pot, a plain number is in chips."""
        match = _TARGET.fullmatch(str(target))
        if match is None:
            raise BadParameter(
                f"target {target!r}: must be chips, or a share of the pot such as 0.5%"
            )
        return float(match[1]) * (self.pot / 100 if match[2] else 1)

    def percent(self, chips: float) -> float:
        """Chips as a percentage of the pot."""
        return 100 * chips / self.pot


def spot(
    *,
    board: str | Sequence[int] = "",
    pot: int | None = None,
    stack: int | None = None,
    stacks: Sequence[int] | None = None,
    ranges: Mapping[str, str | npt.ArrayLike],
    bets: str | Mapping[str, Any],
    raises: str | Mapping[str, Any] = "",
    donks: str | Mapping[str, Any] | None = None,
    tree: Mapping[str, Any] | None = None,
    locks: Sequence[Mapping[str, Any]] = (),
    rake: Mapping[str, float] | None = None,
    blinds: Sequence[int] | None = None,
    ante: int = 0,
    icm: Mapping[str, Sequence[float]] | None = None,
) -> Spot:
    """A spot, with the same parameters as a TOML file; BadSpot names the wrong one."""
    given = {k: v for k, v in locals().items() if v is not None}
    with under("board"):
        cards = _board(board)
    chips = _Chips(cards, pot, stack, stacks, blinds, ante)
    with under("tree"):
        options = checked_table(
            tree or {}, ("raise_cap", "min_bet", "add_allin", "force_allin", "merge", "limp")
        )
    rules = PokerRules(
        players=2,
        ranks=13,
        suits=4,
        hole=2,
        board=ROUNDS[len(cards)],
        blinds=chips.blinds,
        first=(1, 0, 0, 0) if not cards else (0,) * len(ROUNDS[len(cards)]),
        caps=_caps(options.get("raise_cap", NO_CAP), len(cards)),
        stacks=chips.stacks,
        sizing=read_sizing(_streets(len(cards)), bets, raises, donks, options, chips.stacks),
        dead=chips.dead,
        rake=_rake(rake),
        utility=_icm(icm),
        limps=_limp(options.get("limp", True), cards),
    )
    weights = _ranges(ranges, cards)
    with under("locks"):
        read = read_locks(rules, cards, weights, locks)
    return Spot(cards, rules, weights, chips.dead + sum(chips.blinds), read, given)


def game_of(spot: Spot) -> Game:
    """A spot as a game: it begins at a root with its board, ranges and locks."""
    board = (spot.board,) if spot.board else ((),)
    root = Root(spot.rules.start(), board, spot.ranges)
    made = poker_game(spot.spec, spot.rules, suits_distinct=True, root=root)
    return replace(made, spot=spot, locks=tuple(map(_hand_lock, spot.locks)))


def _hand_lock(lock: SpotLock) -> HandLock:
    chances = [chance for _, chance in lock.play]
    play = np.where(lock.hands[:, None], np.array(chances), -1.0)
    betting = lock.line.betting
    named = ((), *lock.line.cards[: betting.round])
    return HandLock(betting.history, play, named if any(named) else ())


class _Chips:
    """Validated stacks, blinds and dead chips."""

    def __init__(
        self,
        board: tuple[int, ...],
        pot: int | None,
        stack: int | None,
        stacks: Sequence[int] | None,
        blinds: Sequence[int] | None,
        ante: int,
    ) -> None:
        self.blinds = (0, 0) if board else self._posted(blinds)
        if board and (blinds is not None or ante):
            raise BadSpot("blinds" if blinds is not None else "ante", "only before the flop")
        ante = whole("ante", ante, 0, MOST_CHIPS)
        if pot is None and board:
            raise BadSpot("pot", "is missing")
        self.dead = whole("pot", pot or 0, 1 if board else 0, MOST_CHIPS) + 2 * ante
        if (stack is None) == (stacks is None):
            raise BadSpot("stack", "expected either stack or stacks")
        with under("stacks"):
            if stacks is not None and len(listed(stacks)) != 2:
                raise BadParameter(f"got {stacks!r}, expected two, out of position first")
        least = max(self.blinds) + ante + 1
        both = [whole("stacks", one, least, MOST_CHIPS) for one in stacks or ()]
        both = both or [whole("stack", stack, least, MOST_CHIPS)] * 2
        self.stacks = (both[0] - ante, both[1] - ante)
        assert max(self.stacks) < NO_LIMIT_STACK

    @staticmethod
    def _posted(blinds: Sequence[int] | None) -> tuple[int, int]:
        """Blinds by position: the small blind acts first before the flop, and last after it."""
        if not isinstance(blinds, Sequence) or len(blinds) != 2:
            raise BadSpot("blinds", "required before the flop: blinds = [small, big]")
        small, big = (whole("blinds", blind, 0, MOST_CHIPS) for blind in blinds)
        if not small <= big or not big:
            raise BadSpot("blinds", f"got {small} and {big}, expected the small blind first")
        return big, small


def _board(given: str | Sequence[int]) -> tuple[int, ...]:
    if isinstance(given, str):
        cards = read_cards(given)
    else:
        cards = tuple(whole("card", card, 0, 51) for card in listed(given))
    if len(set(cards)) < len(cards):
        raise BadParameter("a card appears twice")
    if len(cards) not in ROUNDS:
        raise BadParameter(f"got {len(cards)} cards, expected 0, 3, 4 or 5")
    return cards


def _streets(cards: int) -> tuple[str, ...]:
    return tuple(name for count, name in STREETS.items() if count >= cards)


def _caps(given: object, cards: int) -> tuple[int, ...]:
    """Bets and raises in every round: one number, or one per street."""
    streets = _streets(cards)
    if not isinstance(given, Mapping):
        return (whole("tree.raise_cap", given, 0, NO_CAP),) * len(streets)
    with under("tree.raise_cap"):
        table = checked_table(given, tuple(STREETS.values()))
    return tuple(
        whole(f"tree.raise_cap.{name}", table.get(name, NO_CAP), 0, NO_CAP) for name in streets
    )


def _limp(given: object, board: tuple[int, ...]) -> bool:
    if not isinstance(given, bool):
        raise BadSpot("tree.limp", f"got {given!r}, expected true or false")
    return given or bool(board)


def _rake(given: Mapping[str, float] | None) -> Rake | None:
    if given is None:
        return None
    with under("rake"):
        table = checked_table(given, ("rate", "cap"), needed=("rate",))
        cap = fraction("cap", table["cap"], MOST_CHIPS) if "cap" in table else float("inf")
        return Rake(fraction("rate", table["rate"], 1), cap)


def _icm(given: Mapping[str, Sequence[float]] | None) -> IndependentChipModel | None:
    if given is None:
        return None
    with under("icm"):
        table = checked_table(given, ("prizes", "others"), needed=("prizes",))
        lists = {}
        for name in ("prizes", "others"):
            with under(name):
                values = listed(table.get(name, ()))
            lists[name] = tuple(fraction(name, one, MOST_CHIPS) for one in values)
        return IndependentChipModel(lists["prizes"], lists["others"])


def _ranges(
    given: Mapping[str, str | npt.ArrayLike], board: tuple[int, ...]
) -> tuple[Floats, Floats]:
    with under("ranges"):
        table = checked_table(given, PLAYERS, needed=PLAYERS)
    live, ranges = without(board), []
    for player in PLAYERS:
        with under(f"ranges.{player}"):
            weights = read_range(table[player])
            if not weights.any():
                raise BadParameter("the range is empty: name at least one hand")
            if not weights[live].any():
                raise BadParameter("no hand is left: the board blocks every one")
        kept = np.where(live, weights, 0.0)
        kept.setflags(write=False)
        ranges.append(kept)
    if not ranges[0] @ meeting(ranges[1]) > 0:
        raise BadSpot("ranges", "every hand of one shares a card with every hand of the other")
    return ranges[0], ranges[1]


ALL, PREFLOP = "all", "preflop"
MOST_POTS = 1e6

Listed = str | Mapping[str, Any]


def read_sizing(
    streets: Sequence[str],
    bets: Listed,
    raises: Listed,
    donks: Listed | None,
    options: Mapping[str, Any],
    stacks: tuple[int, int],
) -> Sizing:
    """The sizes of the remaining streets."""
    tables = {"bets": _flat("bets", bets), "raises": _flat("raises", raises)}
    tables["donks"] = _flat("donks", donks if donks is not None else {})
    for key, sizes in ((f"{n}.{k}", s) for n, t in tables.items() for k, s in t.items()):
        _check_chips(key, sizes, min(stacks))
    least = options.get("min_bet", 1)

    def threshold(name: str) -> float:
        return fraction(f"tree.{name}", options.get(name, 0), MOST_POTS)

    return Sizing(
        sizes=tuple(
            tuple(
                tuple(_entry(tables[name], street, player) or () for name in ("bets", "raises"))
                for player in PLAYERS
            )
            for street in streets
        ),
        rounds=len(streets),
        donks=tuple(_entry(tables["donks"], street, PLAYERS[0]) for street in streets),
        min_bet=whole("tree.min_bet", least, 1, min(stacks)),
        add_allin=threshold("add_allin"),
        force_allin=threshold("force_allin"),
        merge=threshold("merge"),
    )


def _flat(name: str, given: Listed) -> dict[str, Sizes]:
    """Sizes by key, such as `all`, `river` or `river.ip`."""
    if isinstance(given, str):
        given = {ALL: given}
    players = PLAYERS if name != "donks" else PLAYERS[:1]
    sizes: dict[str, Sizes] = {}
    with under(name):
        for key, value in checked_table(given, (ALL, *players, *STREETS.values())).items():
            if isinstance(value, Mapping) and key in STREETS.values():
                with under(key):
                    inner = checked_table(value, (ALL, *players))
                for player, text in inner.items():
                    own = key if player == ALL else f"{key}.{player}"
                    sizes[own] = _sizes(name, f"{key}.{player}", text)
            else:
                sizes[key] = _sizes(name, key, value)
    return sizes


def _sizes(name: str, key: str, text: object) -> Sizes:
    if not isinstance(text, str):
        raise BadSpot(key, f"got {text!r}, expected a text such as '60%, a'")
    # Before the flop there is always a big blind to multiply.
    faced = name == "raises" or key.split(".")[0] == PREFLOP
    with under(key):
        return read_sizes(text, faced=faced)


def _check_chips(key: str, sizes: Sizes, stack: int) -> None:
    for size in sizes:
        if size.unit is Unit.CHIPS and size.number > stack:
            raise BadSpot(key, f"{size.number:.0f} chips cannot be bet: the stack is {stack}")


def _entry(table: Mapping[str, Sizes], street: str, player: str) -> Sizes | None:
    for key in (f"{street}.{player}", street, player, ALL):
        if key in table:
            return table[key]
    return None
