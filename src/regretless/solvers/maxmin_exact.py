"""The most that one player can guarantee against all the others together, exact.

`share=plans`: the others agree on plans before the deal (TMECor; Celli & Gatti 2018), by column
generation. Against a player who has committed, opponents who draw their plans independently are
as dangerous, so this is the MaxMin strategy of Münch 2017, Definition 12, in games without
communication during play. `share=cards`: they also show each other their cards; a two-player
linear program. By default every position's strategy goes into the result."""

from __future__ import annotations

from typing import Any

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, within
from regretless.forms.form import Form, own, plan_of, uniform
from regretless.forms.sequence import SequenceForm
from regretless.forms.teams import sharing_cards
from regretless.programs.saddle import maximin
from regretless.solvers._exact import ExactSolver, Work
from regretless.solvers._leader_program import explicit_form
from regretless.solvers._teams import guarantee

SHARES = ("plans", "cards")


class Method(ExactSolver):
    """One linear program per position, or a growing one."""

    def __init__(self, form: Form, *, player: int = 0, share: str = "plans") -> None:
        """`player=0`: every position; `share`: what the others share in addition to payoffs."""
        within("player", player, 0, form.players)
        if share not in SHARES:
            raise BadParameter(f"share={share}: must be {' or '.join(SHARES)}")
        self.explicit: SequenceForm = explicit_form(form)
        super().__init__(form)
        self.player, self.share = player, share
        self.guaranteed: dict[int, float] = {}

    def solve(self) -> Work:
        form = self.explicit
        plan = plan_of(form, uniform(form))
        for player in [self.player - 1] if self.player else range(form.players):
            yield f"position {player + 1}"
            value, guaranteed = (
                self._plans(player) if self.share == "plans" else self._cards(player)
            )
            self.guaranteed[player] = value
            mine = own(form, player)
            plan[mine] = guaranteed[mine]
            if self.player and self.share == "plans":
                plan = guaranteed
        return plan

    def proved(self, exploitability: float) -> bool:
        """Against a team every program ends with the team's best response. A single opponent's
        is the exploitability, if the game is zero-sum and both positions are known."""
        alone = self.form.players == 2 and self.form.zero_sum and not self.player
        return super().proved(exploitability) if alone else True

    def _plans(self, player: int) -> tuple[float, Floats]:
        best = guarantee(self.explicit, player)
        return best.value, best.plan

    def _cards(self, player: int) -> tuple[float, Floats]:
        """The player's sequences are matched by their labels."""
        form = self.explicit
        pair = sharing_cards(form, player)
        first, second = pair.treeplexes
        saddle = maximin(pair.matrix(), first.constraints, second.constraints)
        plan = plan_of(form, uniform(form))
        mine = plan[own(form, player)]
        for point in form.points(player):
            there = pair.find(0, point.label)
            assert there is not None
            mine[point.sequences] = saddle.rows[there.sequences]
        return saddle.value, plan

    def details(self) -> dict[str, Any]:
        if not self.guaranteed:
            return {}
        told: dict[str, Any] = {
            "guaranteed": {str(player + 1): value for player, value in self.guaranteed.items()}
        }
        if self.player:
            value = self.guaranteed[self.player - 1]
            others = [each for each in range(self.form.players) if each != self.player - 1]
            rest = [self.form.respond(each, self.behaviour())[0] for each in others]
            order = [self.player, *(each + 1 for each in others)]
            told |= {"players": order, "values": [value, *rest], "bound": value, "gap": 0.0}
        return told

    def remarks(self) -> list[tuple[str, str]]:
        texts = [f"player {player + 1} {value:.9f}" for player, value in self.guaranteed.items()]
        return [("guaranteed", ", ".join(texts))] if texts else []
