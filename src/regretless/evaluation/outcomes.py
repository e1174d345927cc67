"""How strategies win and lose: by bluff or with the best hand, by position, by card.

Münch 2017, Tables 6.6 and 6.7 and Figures 6.1 to 6.4, but over all deals instead of a sample. Every
end of a hand is described once: who had the best hand (folded or not, ties included), who folded,
what was paid. A strategy's hands are then probabilities of these ends, for every position, with
all tables and seating orders weighted equally."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, Unsuitable, whole
from regretless.core.tables import plain
from regretless.evaluation.entrants import Entrant, entrants
from regretless.forms.form import plan_of
from regretless.forms.sequence import SequenceForm
from regretless.forms.tree import require_small
from regretless.games._catalog import load
from regretless.games._state import TERMINAL, Game

if TYPE_CHECKING:
    from regretless.games._poker import PokerState

Flags = npt.NDArray[np.bool_]
Seated = tuple[str, ...]  # the strategies at a table, in any order


class Behaviour(NamedTuple):
    """Shares of hands, as fractions; nan where the whole is empty."""

    wins: float  # of all hands
    first_round_wins: float  # of all hands: won before any board card
    best_hand_wins: float  # of wins
    best_hand_wins_uncalled: float  # of wins with the best hand: everybody else folded
    best_hand_losses: float  # of losses
    folds: float  # of losses
    ante_folds: float  # of losses: folded, and lost no more than the ante


@dataclass(frozen=True, eq=False)
class Ends:
    """Facts about every terminal, [terminal, position] unless noted."""

    payoffs: Floats
    best: Flags
    folded: Flags
    cards: np.ndarray  # own hole cards, as text
    first_round: Flags  # [terminal]
    ante: float


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Probabilities of all ends, by strategy and position."""

    game: str
    ends: Ends
    mass: Mapping[str, Floats]  # strategy -> [position, terminal]; each row sums to 1

    def behaviour(self, name: str) -> Behaviour:
        """Tables 6.6 and 6.7: how a strategy wins and loses."""
        weight = self.mass[name].T / len(self.mass[name])
        ends = self.ends
        won, lost = ends.payoffs > 0, ends.payoffs < 0
        uncalled = (~ends.folded).sum(axis=1, keepdims=True) == 1
        wins, losses = weight[won].sum(), weight[lost].sum()
        best_wins = weight[won & ends.best].sum()
        ante = ends.payoffs >= -ends.ante
        return Behaviour(
            float(wins),
            float(weight[won & ends.first_round[:, None]].sum()),
            _share(best_wins, wins),
            _share(weight[won & ends.best & uncalled].sum(), best_wins),
            _share(weight[lost & ends.best].sum(), losses),
            _share(weight[lost & ends.folded].sum(), losses),
            _share(weight[lost & ends.folded & ante].sum(), losses),
        )

    def mean(self, name: str, position: int | None = None) -> float:
        """Chips per hand, from one position (counted from 1) or from all."""
        if position is not None:
            whole("position", position, 1, len(self.mass[name]))
        each = np.einsum("pt,tp->p", self.mass[name], self.ends.payoffs)
        return float(each.mean() if position is None else each[position - 1])

    def by_position(self, name: str) -> dict[str, dict[float, float]]:
        """Figures 6.1 and 6.2: position -> payoff -> share of its hands."""
        return {
            f"position {position + 1}": _shares(self.ends.payoffs[:, position], row)
            for position, row in enumerate(self.mass[name])
        }

    def by_card(self, name: str) -> dict[str, dict[float, float]]:
        """Figures 6.3 and 6.4: own card -> payoff -> share of the hands with it."""
        weight = self.mass[name].T
        return {
            card: _shares(self.ends.payoffs[held], weight[held])
            for card in self.cards
            if (held := self.ends.cards == card).any()
        }

    @cached_property
    def cards(self) -> list[str]:
        """Hole cards, in the order they are dealt."""
        return list(dict.fromkeys(self.ends.cards.ravel().tolist()))

    def facts(self) -> dict[str, Any]:
        """The numbers as JSON-compatible data."""
        return {
            name: {
                **{k: plain(v) for k, v in self.behaviour(name)._asdict().items()},
                "mean": self.mean(name),
                "by_position": _texts(self.by_position(name)),
                "by_card": _texts(self.by_card(name)),
            }
            for name in self.mass
        }


def outcomes(
    game: str | Game,
    strategies: Sequence[Entrant] | Mapping[str, Entrant],
    *,
    tables: Iterable[Seated] | None = None,
) -> Outcomes:
    """How strategies win and lose at these tables; by default all tables without duplicates."""
    game = load(game) if isinstance(game, str) else game
    if game.rules is None:
        raise Unsuitable(f"game {game.spec} is not a poker game: there are no hands to describe")
    require_small(game)
    form, by_name = entrants(game, strategies, explicit=True)
    assert isinstance(form, SequenceForm)
    plans = {name: plan_of(form, strategy.behaviour) for name, strategy in by_name.items()}
    chosen = list(combinations(plans, form.players)) if tables is None else list(tables)
    for table in chosen:
        if len(table) != form.players or not set(table) <= set(plans):
            raise BadInput(
                f"table {', '.join(table)}: expected {form.players} of {', '.join(plans)}"
            )
    mass = {name: np.zeros((form.players, form.terminals)) for name in plans}
    counts = {name: np.zeros(form.players) for name in plans}
    for table in chosen:
        for seating in set(permutations(table)):
            reach = form.chance.copy()
            for position, name in enumerate(seating):
                reach *= plans[name][form.sequences[:, position]]
            for position, name in enumerate(seating):
                mass[name][position] += reach
                counts[name][position] += 1
    for name in [name for name in plans if counts[name].min() == 0]:
        raise BadInput(f"strategy {name} sits at no table")
    means = {name: mass[name] / counts[name][:, None] for name in plans}
    return Outcomes(game.spec, ends_of(game), means)


def ends_of(game: Game) -> Ends:
    """Describe every terminal, in the order in which a sequence form lists them."""
    payoffs, best, folded, cards, first_round = [], [], [], [], []
    stack = [game.root]
    while stack:
        state = stack.pop()
        if state.player != TERMINAL:
            chances = state.chances or (1.0,) * len(state.actions)
            stack += [state.child(i) for i, p in reversed(list(enumerate(chances))) if p > 0]
            continue
        hand = cast("PokerState", state)
        board = tuple(kind for kinds in hand.boards for kind in kinds)
        strengths = [hand.deck.strength(tuple(sorted(hole + board))) for hole in hand.holes]
        payoffs.append(state.payoff)
        best.append([each == max(strengths) for each in strengths])
        folded.append(list(hand.betting.folded))
        cards.append([hand.deck.text(hole) for hole in hand.holes])
        first_round.append(not board)
    assert game.rules is not None
    return Ends(
        np.array(payoffs, dtype=np.float64),
        np.array(best),
        np.array(folded),
        np.array(cards),
        np.array(first_round),
        float(max(game.rules.blinds)),
    )


def _shares(payoffs: Floats, weight: Floats) -> dict[float, float]:
    values, where = np.unique(payoffs, return_inverse=True)
    sums = np.bincount(where.ravel(), weight.ravel(), minlength=len(values))
    shown = zip(values.tolist(), (sums / sums.sum()).tolist(), strict=True)
    return {value: share for value, share in shown if share > 0}


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole > 0 else float("nan")


def _texts(shares: dict[str, dict[float, float]]) -> dict[str, dict[str, float]]:
    return {name: {f"{k:g}": share for k, share in row.items()} for name, row in shares.items()}
