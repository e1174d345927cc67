"""The equilibrium family of three-player Kuhn poker (Szafron, Gibson & Sturtevant 2013).

Cards 1 to 4 are J, Q, K, A. Letters a, b, c are the players; x_jk is the probability of betting or
calling with card j in situation k:

    a: opening, after pass-pass-bet, pass-bet-pass, pass-bet-bet
    b: after pass, bet, pass-pass-bet-pass, pass-pass-bet-bet
    c: after pass-pass, pass-bet, bet-pass, bet-bet

The parameters are b_11, b_21, c_11, within limits b_23, b_32, c_33, and without limits c_34. With β
the larger of b_11 and b_21, the players earn -(1/2 + β)/24, -1/48 and (1 + β)/24: player 2 decides,
at no cost, what player 1 loses to player 3.

Differs from the paper: c_11 (3 + 2 b_11 + 2 b_21) <= 2 - b_11, otherwise player 1's queen gains by
calling player 3's bet; for c_11 = 1/2 this is 2 b_11 + b_21 <= 1/2. The limits on b_32 + c_33 are
those within which player 1 gains by no opening bet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.errors import BadParameter, WrongGame
from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import Form, own, size
from regretless.strategy.strategy import Strategy

GAME = "kuhn:players=3"
CARDS = "JQKA"
SITUATIONS = (("", "ccr", "crf", "crc"), ("c", "r", "ccrf", "ccrc"), ("cc", "cr", "rf", "rc"))
LETTERS = "abc"
CLOSE = 1e-9


class Member(NamedTuple):
    """The free parameters of the family."""

    b11: float = 0.25
    b21: float = 0.25
    c11: float = 0.25
    b23: float = 0.0
    b32: float = 0.25
    c33: float = 0.25
    c34: float = 0.0

    @property
    def beta(self) -> float:
        return max(self.b11, self.b21)

    @property
    def values(self) -> tuple[float, float, float]:
        """What the players earn."""
        return -(0.5 + self.beta) / 24, -1 / 48, (1 + self.beta) / 24


def kuhn_equilibrium(form: Form, member: Member | None = None) -> Strategy:
    """A member of the family as a strategy; refused if its parameters are outside the limits."""
    _require_kuhn(form)
    member = member or Member()
    chances = numbers(member)
    if failed := failures(chances):
        raise BadParameter(f"{member}: {failed[0]} fails")
    behaviour = np.zeros(size(form))
    behaviour[form.plex.roots[:-1]] = 1.0
    for player, situations in enumerate(SITUATIONS):
        mine = behaviour[own(form, player)]
        for k, history in enumerate(situations):
            for j, card in enumerate(CARDS):
                point = form.find(player, f"{card}:{history}")
                assert point is not None
                chance = chances[f"{LETTERS[player]}{j + 1}{k + 1}"]
                mine[point.sequences] = (1 - chance, chance)
    return Strategy(form, behaviour)


def numbers(member: Member) -> dict[str, float]:
    """All 48 probabilities of a member."""
    chances = {
        f"{letter}{j}{k}": 0.0 for letter in LETTERS for j in range(1, 5) for k in range(1, 5)
    }
    chances |= {name: 1.0 for name in chances if name[1] == "4" and name not in ("a41", "b41")}
    b11, b21, b23 = member.b11, member.b21, member.b23
    chances |= member._asdict()
    chances |= {"a33": 0.5, "b41": 2 * b11 + 2 * b21, "c21": 0.5 - member.c11}
    chances["b33"] = _called(b11, b21, b23)
    return chances


def _called(b11: float, b21: float, b23: float) -> float:
    """How often player 2's king calls for player 3's bluff to earn as much as a pass."""
    return 0.5 + max(b11 + b21 / 2 - (1 - b21) * b23, b21 + b11 / 2)


def read(strategy: Strategy) -> dict[str, float]:
    """The 48 probabilities of a strategy."""
    _require_kuhn(strategy.form)
    chances = {}
    for player, situations in enumerate(SITUATIONS):
        for k, history in enumerate(situations):
            for j, card in enumerate(CARDS):
                point = strategy.form.find(player, f"{card}:{history}")
                assert point is not None
                chosen = list(strategy.at_point(player, point).values())
                chances[f"{LETTERS[player]}{j + 1}{k + 1}"] = chosen[1]
    return chances


def in_family(strategy: Strategy, *, tolerance: float = CLOSE) -> list[str]:
    """The conditions of the family that a strategy fails; if none, it is a member."""
    failed = failures(read(strategy), tolerance=tolerance)
    if not failed:
        gains = evaluate(strategy).epsilon
        failed += [
            f"player {i + 1} gains {gain:.2g}"
            for i, gain in enumerate(gains)
            if gain > max(10 * tolerance, CLOSE)
        ]
    return failed


def failures(chances: dict[str, float], *, tolerance: float = CLOSE) -> list[str]:
    """The conditions that these probabilities fail, in words."""
    free = set(Member._fields) | {"a33", "b41", "b33", "c21"}
    failed = []

    def require(text: str, short: float) -> None:
        if short > tolerance:
            failed.append(f"{text} (off by {short:.3g})")

    b11, b21, b23, c11 = (chances[name] for name in ("b11", "b21", "b23", "c11"))
    require("a33 = 1/2", abs(chances["a33"] - 0.5))
    require("b11 <= 1/4", b11 - 0.25)
    require("b21 <= 1/4", b21 - 0.25)
    require("b41 = 2 b11 + 2 b21", abs(chances["b41"] - 2 * b11 - 2 * b21))
    require("c21 = 1/2 - c11", abs(chances["c21"] - 0.5 + c11))
    if c11 < 0.5 - tolerance:
        require("c11 < 1/2 needs b21 >= b11", b11 - b21)
        require("c11 < 1/2 needs b23 = 0", b23)
    if c11 > tolerance:
        require("c11 > 0 needs b11 >= b21", b21 - b11)
    require(
        "c11 (3 + 2 b11 + 2 b21) <= 2 - b11 (for c11 = 1/2: 2 b11 + b21 <= 1/2)",
        c11 * (3 + 2 * b11 + 2 * b21) - 2 + b11,
    )
    if abs(c11 - 0.5) <= tolerance:
        require("b23 <= (b11 - b21) / (2 (1 - b21))", b23 - max((b11 - b21) / (2 * (1 - b21)), 0.0))
    require("b33 as follows from b11, b21, b23", abs(chances["b33"] - _called(b11, b21, b23)))
    calls = chances["b32"] + chances["c33"]
    most = 0.5 + b11 + b21 - (b11 * chances["c21"] + b21 * c11) / 2
    require("b32 + c33 >= 1/2", 0.5 - calls)
    require("b32 + c33 <= 1/2 + b11 + b21 - (b11 c21 + b21 c11) / 2", calls - most)
    for name, chance in chances.items():
        if name in free:
            require(f"0 <= {name} <= 1", max(-chance, chance - 1))
        else:
            wanted = float(name[1] == "4" and name != "a41")
            require(f"{name} = {wanted:g}", abs(chance - wanted))
    return failed


def _require_kuhn(form: Form) -> None:
    if form.spec != GAME:
        raise WrongGame(f"the equilibrium family is of {GAME}: got a strategy of {form.spec}")
