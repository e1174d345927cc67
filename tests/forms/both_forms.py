"""The same game in both forms, and all in which they must agree.

A decision point of the enumerated game is one of the public form, or one of several that
suits make alike: a behaviour of the public form is one of the enumerated game, and what
its sequences earn adds up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from regretless.forms.form import Form, behaviour_of, own, plan_of, size
from regretless.forms.public import PublicForm, public_form
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.games._betting import PokerRules
from regretless.games._poker import Root, poker_game
from regretless.games._state import Game
from regretless.solvers._catalog import solver

EXACTLY = 1e-12


@dataclass(frozen=True, eq=False)
class Both:
    """A game enumerated and in public form; `there` is where sequences of the first stand."""

    walked: SequenceForm
    public: PublicForm
    there: np.ndarray

    @classmethod
    def of(cls, game: str | Game, **options: object) -> Both:
        walked, public = sequence_form(game), public_form(game, **options)
        return cls(walked, public, places(walked, public))

    @property
    def apart(self) -> bool:
        """Whether suits are kept apart: every decision point has one of its own."""
        return len(set(self.there.tolist())) == self.there.size

    def pulled(self, behaviour: np.ndarray) -> np.ndarray:
        """A behaviour of the public form, in the enumerated game."""
        return behaviour[self.there]

    def behaviour(self, seed: int = 0) -> np.ndarray:
        """A random behaviour of the public form, with some actions that are never taken."""
        rng = np.random.default_rng(seed)
        plan = rng.random(size(self.public)) * (rng.random(size(self.public)) > 0.2)
        return behaviour_of(self.public, plan)

    def check(self, *, iterations: int = 4, methods: tuple[str, ...] = ("cfr",)) -> None:
        """All at once."""
        self.check_sizes()
        self.check_gradients()
        self.check_responses()
        for method in methods:
            if method == "hedge" and not self.apart:
                continue  # its rate means more where one decision stands for several
            self.check_iterations(method, iterations)

    def check_sizes(self) -> None:
        assert self.walked.zero_sum == self.public.zero_sum
        if self.public.layout.deck.weights:  # a hand that never wins may be all there is
            assert self.walked.largest_payoff <= self.public.largest_payoff + EXACTLY
        else:
            assert self.walked.largest_payoff == pytest.approx(self.public.largest_payoff)
        assert self.walked.sizes.nodes == self.public.sizes.nodes
        assert self.walked.sizes.terminals == self.public.sizes.terminals
        if not self.apart or self.walked.locked:
            return
        if self.public.layout.deck.weights:  # a hand may have no rival on some boards
            assert self.walked.sizes.sequences <= self.public.sizes.sequences
        else:
            assert self.walked.sizes == self.public.sizes
            assert np.array_equal(np.sort(self.there), np.arange(size(self.public)))

    def check_gradients(self, seed: int = 1) -> None:
        given = self.behaviour(seed)
        here, there = plan_of(self.walked, self.pulled(given)), plan_of(self.public, given)
        np.testing.assert_allclose(here, there[self.there], atol=1e-14)
        for player in range(self.public.players):
            ours, theirs = np.zeros(size(self.walked)), np.zeros(size(self.public))
            self.walked.gradient(player, here, ours)
            self.public.gradient(player, there, theirs)
            mine, moved = own(self.walked, player), np.zeros(size(self.public))
            np.add.at(moved, self.there[mine], ours[mine])
            part = own(self.public, player)
            np.testing.assert_allclose(theirs[part], moved[part], atol=EXACTLY, rtol=0)

    def check_responses(self, seed: int = 2) -> None:
        given = self.behaviour(seed)
        for player in range(self.public.players):
            answer = np.zeros(size(self.public))
            here = self.walked.respond(player, self.pulled(given))
            there = self.public.respond(player, given, answer)
            np.testing.assert_allclose(there, here, atol=EXACTLY)
            taken = given.copy()
            taken[own(self.public, player)] = answer[own(self.public, player)]
            value = self.walked.respond(player, self.pulled(taken))[0]
            np.testing.assert_allclose(value, there[1], atol=EXACTLY)

    def check_iterations(self, method: str = "cfr", iterations: int = 4) -> None:
        """The first iterations of a regret minimiser: averages, and what comes next."""
        here, there = solver(method, self.walked), solver(method, self.public)
        for _ in range(iterations):
            here.step()
            there.step()
        for which in ("average", "current", "last"):
            ours, theirs = here.behaviour(which), self.pulled(there.behaviour(which))
            close(plan_of(self.walked, ours), plan_of(self.walked, theirs), 1e-9)


def close(ours: np.ndarray, theirs: np.ndarray, tolerance: float) -> None:
    np.testing.assert_allclose(theirs, ours, atol=tolerance, rtol=0)


def places(walked: Form, public: Form) -> np.ndarray:
    """Where the sequences of an enumerated game stand in its public form."""
    there = np.full(size(walked), -1)
    for player in range(walked.players):
        there[walked.plex.roots[player]] = public.plex.roots[player]
        first, second = own(walked, player).start, own(public, player).start
        for point in walked.points(player):
            other = public.find(player, point.label)
            assert other is not None, point.label
            assert other.actions == point.actions
            there[point.sequences + first] = other.sequences + second
    assert there.min() >= 0
    return there


def one_card(**changes: object) -> PokerRules:
    """A small game with one hole card and one board card: Leduc with a cap of one bet."""
    rules: dict[str, object] = {
        "players": 2,
        "ranks": 3,
        "suits": 2,
        "hole": 1,
        "board": (0, 1),
        "blinds": (1, 1),
        "first": (0, 0),
        "caps": (1, 1),
        "raises": (2, 4),
    }
    return PokerRules(**rules | changes)  # type: ignore[arg-type]


def two_cards(**changes: object) -> PokerRules:
    """A small game with two hole cards, no-limit, with side pots."""
    rules: dict[str, object] = {
        "players": 2,
        "ranks": 3,
        "suits": 2,
        "hole": 2,
        "board": (0, 1),
        "blinds": (2, 1),
        "first": (1, 0),
        "caps": (2, 2),
        "stacks": (6, 5),
    }
    return PokerRules(**rules | changes)  # type: ignore[arg-type]


def game(
    rules: PokerRules,
    *,
    suits_distinct: bool = True,
    history: str = "",
    board: tuple[tuple[int, ...], ...] | None = None,
    weights: tuple[np.ndarray, ...] = (),
) -> Game:
    """A game of these rules, from a root if there is anything to say about it."""
    if not history and board is None and not weights:
        return poker_game("small", rules, suits_distinct=suits_distinct)
    root = Root(rules.replay(history), board or ((),), weights)
    return poker_game("small", rules, suits_distinct=suits_distinct, root=root)


def random_range(hands: int, seed: int) -> np.ndarray:
    """Weights of hands: some out, some in part, some whole."""
    rng = np.random.default_rng(seed)
    return np.round(rng.random(hands), 3) * (rng.random(hands) > 0.3)
