"""Local best response: a lower bound on exploitability in games of any size (Lisý & Bowling 2017).

The responder knows the strategy it plays against and follows its range by Bayes' rule. At each
decision it compares fold, call and a few raises as if both players only checked and called from
then on, except that a raise may also make the other fold, and takes the best. This is one strategy
of the full game: its winnings are at most those of a best response, so their mean is an unbiased
estimate of a lower bound.

Differs from the paper: the other player's hand is never dealt. Its actions are drawn from its
whole range, and the showdown is against all that is left of it, which is the conditional
expectation of the paper's samples. Every deal is played from both seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, whole
from regretless.core.interrupts import interrupts
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.table_cards import Board, TableCards
from regretless.evaluation.winnings import Winnings
from regretless.games._betting import Betting
from regretless.games._sizing import same_sizes
from regretless.strategy.face import Face, Play

SEATS = 2
MOST_HANDS = 10**9
MOST_SEED = 2**63 - 1
_KEPT = 1024  # decisions on boards
SIZES = "100%,a"  # of the responder's raises: pot and all-in, as in the paper


@dataclass(frozen=True, kw_only=True)
class LocalBestResponse(Winnings):
    """What the responder wins, in chips per hand."""

    hands: int  # deals, each played from both seats

    def facts(self) -> dict[str, Any]:
        """The numbers as JSON-compatible data."""
        return self.winnings(deals=self.hands)

    def __str__(self) -> str:
        mean, half_width = self.mbb
        how = f"{self.hands:,} deals from both seats"
        return f"a local best response wins {mean:.1f} ± {half_width:.1f} {self.unit.name} ({how})"


class _Option(NamedTuple):
    worth: float  # chips from here on, as if both checked and called after it
    action: str


class Responder:
    """The decisions of the local best response to a strategy."""

    def __init__(self, against: Face, *, sizes: str = SIZES, first_round: int = 1) -> None:
        """`sizes` of raises where any size is legal; before `first_round` it only calls."""
        self.against, self.rules = against, against.rules
        if self.rules.players != SEATS:
            raise BadParameter(f"local best response: {self.rules.players} players: must be 2")
        self.first_round = whole("first_round", first_round, 1, self.rules.rounds) - 1
        self.cards = TableCards(self.rules)
        self._known: dict[tuple[str, Board], Play] = {}
        self._sizing = same_sizes(sizes, self.rules.rounds, what="sizes of the local best response")

    def _at(self, betting: Betting, board: Board) -> Play:
        """What the other plays; many deals come to the same early decisions."""
        key = (betting.history, board)
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = self.against.at(betting, board)
        return self._known[key]

    def action(self, hand: int, betting: Betting, board: Board, theirs: Floats) -> str:
        """The best action by one look ahead; ties go to the more passive one."""
        held = tuple(self.cards.hands[hand].tolist())
        weights = np.where(self.cards.free((*board, *held)), theirs, 0.0)
        total = weights.sum()
        if not total > 0:  # play never comes here
            return "c"
        shares = self.cards.shares(hand, board)
        options = [self._call(weights / total, shares, betting)]
        if betting.round >= self.first_round:
            options += [
                self._raise(weights / total, shares, betting, board, to)
                for to in self._totals(betting)
            ]
        best = max(options, key=lambda option: option.worth)
        owed = max(betting.spent) - betting.spent[betting.actor]
        return best.action if best.worth >= 0 or not owed else "f"

    def _call(self, weights: Floats, shares: Floats, betting: Betting) -> _Option:
        owed = max(betting.spent) - betting.spent[betting.actor]
        equity = float(weights @ shares)
        return _Option(equity * betting.pot - (1 - equity) * owed, "c")

    def _raise(
        self, weights: Floats, shares: Floats, betting: Betting, board: Board, to: int
    ) -> _Option:
        """The other folds some hands, and calls with the rest."""
        action = "r" if self.rules.raises is not None else f"r{to}"
        after = betting.act(action)
        kept = np.ones(len(weights))
        if not after.over:
            actions, chances, _ = self._at(after, board)
            kept -= chances[:, actions.index("f")] if "f" in actions else 0.0
        staying = weights * kept
        stays = float(staying.sum())
        equity = float(staying @ shares) / stays if stays > 0 else 0.0
        most = max(betting.spent)
        price = to - betting.spent[betting.actor]  # call and raise
        won = betting.pot + to - most  # what a called raise wins
        called = equity * won - (1 - equity) * price
        return _Option((1 - stays) * betting.pot + stays * called, action)

    def _totals(self, betting: Betting) -> tuple[int, ...]:
        totals = betting.raise_totals
        return totals if isinstance(totals, tuple) else self._sizing.totals(betting)

    def winnings(self, seat: int, hand: int, board: Board, draws: np.random.Generator) -> float:
        """What the responder wins with this hand on this board, in expectation over the hands of
        the other player; `draws` decides the other's actions."""
        live = self.cards.free((*board, *self.cards.hands[hand].tolist())).astype(np.float64)
        theirs, betting = np.ones(len(live)), self.rules.start()
        while not betting.over:
            seen = board[: sum(self.rules.board[: betting.round + 1])]
            if betting.actor == seat:
                betting = betting.act(self.action(hand, betting, seen, theirs))
                continue
            actions, chances, _ = self._at(betting, seen)
            # Cards to come are never held by the other, although nobody knows them yet.
            masses = (theirs * live) @ chances
            chosen = int(np.searchsorted(np.cumsum(masses), draws.random() * masses.sum(), "right"))
            chosen = min(chosen, int(np.flatnonzero(masses)[-1]))
            theirs = theirs * chances[:, chosen]
            betting = betting.act(actions[chosen])
        return self._settled(betting, seat, hand, board, theirs * live)

    def _settled(
        self, betting: Betting, seat: int, hand: int, board: Board, theirs: Floats
    ) -> float:
        if any(betting.folded):
            return betting.settle((0, 0))[seat]
        strengths = self.cards.strengths(tuple(sorted(board)))
        won = 0.0
        for outcome in (-1, 0, 1):
            mass = theirs[np.sign(strengths[hand] - strengths) == outcome].sum()
            order = (outcome, 0) if seat == 0 else (0, outcome)
            won += float(mass) * betting.settle(order)[seat]
        return won / float(theirs.sum())


def local_best_response(
    against: Face,
    *,
    hands: int = 1000,
    seed: int = 0,
    sizes: str = SIZES,
    first_round: int = 1,
    listen: Listener = nobody,
) -> LocalBestResponse:
    """What a local best response wins against a strategy, over this many deals, from both seats."""
    responder = Responder(against, sizes=sizes, first_round=first_round)
    hands = whole("hands", hands, 2, MOST_HANDS)
    whole("seed", seed, 0, MOST_SEED)
    responder.cards.prepare(listen)
    won, done = np.zeros((hands, SEATS)), 0
    with interrupts() as asked:
        while done < hands and not (asked() and done >= 2):
            draws = np.random.default_rng([seed, done])
            hand, board = _dealt(responder.cards, draws)
            for seat in range(SEATS):
                won[done, seat] = responder.winnings(seat, hand, board, draws)
            done += 1
            listen(Progress("local best response", done=done / hands))
    return LocalBestResponse.of(won[:done], responder.rules, asked=hands, hands=done)


def _dealt(cards: TableCards, draws: np.random.Generator) -> tuple[int, Board]:
    """A hand and a whole board."""
    hole = cards.rules.hole
    dealt = draws.permutation(cards.deck)[: hole + cards.shown].tolist()
    return cards.hand_numbers[tuple(sorted(dealt[:hole]))], tuple(dealt[hole:])
