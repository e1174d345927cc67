"""Tournaments from stacks, blinds and payouts to strategies: the loop, its file, and one hand."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from regretless.cards.showdowns import Showdowns, holdem_showdowns
from regretless.core import array_files
from regretless.core.array_files import Arrays, Kind
from regretless.core.arrays import Floats
from regretless.core.errors import BadFile, BadInput, BadParameter, Interrupted, one_of, within
from regretless.core.interrupts import heard, interrupted, interrupts, time_limit
from regretless.core.progress import Listener, Progress, nobody
from regretless.forms.jam_fold import JamFoldStage, jam_fold_stage
from regretless.runs.request import at_work, require_same
from regretless.stochastic.algorithms import pi_fp, vi_fp
from regretless.stochastic.algorithms._outer import InnerPlay
from regretless.stochastic.certificate import Certificate, certified
from regretless.stochastic.game import OpenGame
from regretless.stochastic.inner import fictitious_play
from regretless.stochastic.layers import layer_game, layer_seats, layers
from regretless.stochastic.tournament import (
    MOST_PLAYERS,
    SLIGHT,
    Blinds,
    Tournament,
    TournamentRules,
    around,
    tournament,
)
from regretless.stochastic.values import Profile, first_plan

KIND = Kind("tournament file", ("regretless-tournament-1",), {"tournament": dict, "layer": int})
METHODS: dict[str, type[InnerPlay]] = {"pi-fp": pi_fp.Method, "vi-fp": vi_fp.Method}
EPSILON = 0.001  # of the first prize
UNITS = {2: 45, 3: 15}  # players: units of the default grid
RECENCY = 4.0  # of responses in fictitious play: docs/explanation/stochastic-games.md
WARM = 8.0  # iterations that plans of the outer iteration before count
MOST_INNER = 500
ONE_HAND = 1e-6  # gain allowed in a hand off the grid, as a share of the first prize


@dataclass(frozen=True)
class Step:
    """Where a run was after an outer iteration."""

    seconds: float
    layer: int
    change: float  # of values, in the unit of prizes


@dataclass(frozen=True, eq=False)
class TournamentSolution:
    """Values and strategies in all states, and the hand with the stacks that were asked for."""

    rules: TournamentRules
    stacks: tuple[float, ...]
    showdowns: Showdowns
    game: Tournament
    values: Floats  # [seat]
    profile: Profile
    check: Certificate | None
    steps: tuple[Step, ...] = ()
    seconds: float = 0.0
    stopped: bool = False  # by Ctrl-C or a limit, before values converged
    level: int = 0  # of the blinds in that hand

    @cached_property
    def hand(self) -> JamFoldStage:
        """The hand with the stacks that were asked for."""
        return jam_fold_stage(self.rules.levels[self.level].hand(self.stacks), self.showdowns)

    def at(self, stacks: Sequence[float], level: int = 0) -> TournamentSolution:
        """The hand with other stacks, also of fewer players; a state is played as solved."""
        within("players", len(stacks), 2, self.rules.players)
        within("level", level, 0, len(self.rules.levels) - 1)
        if abs(sum(stacks) - self.rules.chips) > SLIGHT * self.rules.chips:
            raise BadParameter(f"stacks {_listed(stacks)}: must be {self.rules.chips:g} chips")
        found = replace(self, stacks=tuple(map(float, stacks)), level=level)
        chance, units = next(iter(around(found.stacks, self.game.unit)))
        if chance == 1:
            found._plans["tournament"] = self.profile[self.game.numbers[level, units]]
        return found

    def utility(self, kind: str = "tournament") -> Floats:
        """[outcome, player] what the hand's outcomes are worth: `tournament`, `icm` or `chips`."""
        one_of("utility", kind, ("tournament", "icm", "chips"))
        finals = self.hand.final_stacks
        if kind == "chips":
            return np.asarray(finals * (sum(self.rules.prizes) / self.rules.chips))
        if kind == "icm":
            return np.array([self.rules.horizon(self.stacks, final) for final in finals])
        return np.array(
            [self.game.expected(self.level, self.stacks, final, self.values) for final in finals]
        )

    def plan(self, kind: str = "tournament") -> Floats:
        """The equilibrium of the hand when outcomes are worth this."""
        if kind not in self._plans:
            stage, utility = self.hand, self.utility(kind)
            played = fictitious_play(
                stage,
                utility,
                first_plan(stage),
                regret=ONE_HAND * self.rules.places[0],
                most=MOST_INNER,
                recency=RECENCY,
            )
            self._plans[kind] = played.plan
        return self._plans[kind]

    @cached_property
    def _plans(self) -> dict[str, Floats]:
        return {}

    def worth(self, kind: str = "tournament", plan: str | None = None) -> Floats:
        """[player] what the hand is worth in one utility, if all play the plan of another."""
        chances = self.hand.outcome_chances(self.plan(plan or kind))
        return np.asarray(chances @ self.utility(kind))


def solve_tournament(
    stacks: Sequence[float],
    blinds: Blinds | Sequence[Blinds],
    payouts: Sequence[float],
    *,
    hands: float = inf,
    unit: float | None = None,
    method: str = "pi-fp",
    epsilon: float | None = None,
    iterations: int = 40,
    seconds: float | None = None,
    threads: int = 1,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    showdowns: Showdowns | None = None,
    listen: Listener = nobody,
) -> TournamentSolution:
    """Jam/fold strategies of a tournament, in the order in which players act.

    Two or three players are solved to the end, on stacks that are multiples of `unit`; stacks
    between these are interpolated. `blinds` may be several levels, each of `hands` hands in the
    mean. Values are solved until the ex-post gain of any deviation should be at most `epsilon`
    (default: 0.1 % of the first prize). `out` is written after every iteration, and `resume`
    continues it."""
    levels = (blinds,) if isinstance(blinds, Blinds) else tuple(blinds)
    given = tuple(map(float, stacks))
    rules = TournamentRules(
        tuple(map(float, payouts)), float(sum(given)), len(given), levels, hands
    )
    within("players", rules.players, 2, MOST_PLAYERS)
    one_of("method", method, METHODS)
    within("iterations", iterations, 1, 10**6)
    aim = EPSILON * rules.prizes[0] if epsilon is None else epsilon
    if not aim > 0:
        raise BadParameter(f"epsilon={aim:g}: must be above 0")
    first = levels[0].hand(given)
    if not any(first.decisions):
        raise BadParameter(
            f"stacks {_listed(given)}: below the blinds, so that nobody has a choice"
        )
    with at_work(out, listen), interrupts(), time_limit(seconds):
        known = showdowns or holdem_showdowns(rules.players, listen)
        step = unit or rules.chips / UNITS[rules.players]
        listen(Progress("laying out the states"))
        run = _Run(tournament(rules, step, known), given, method, aim, iterations, threads)
        if resume is not None:
            run.restore(resume)
        return run.go(None if out is None else Path(out), listen)


def open_tournament(
    path: str | Path, *, showdowns: Showdowns | None = None, listen: Listener = nobody
) -> TournamentSolution:
    """The solution in the file of a run, as far as the run had come; it is not checked again."""
    about = Arrays(path, KIND).about
    try:
        made, stacks = about["tournament"], tuple(map(float, about["stacks"]))
        rules = TournamentRules(
            tuple(made["payouts"]),
            made["chips"],
            made["players"],
            tuple(Blinds(*level) for level in made["blinds"]),
            inf if made["hands"] is None else made["hands"],
        )
        unit, method = made["unit"], made["method"]
    except (KeyError, TypeError):
        raise BadFile(path, "does not describe a tournament") from None
    game = tournament(rules, unit, showdowns or holdem_showdowns(rules.players, listen))
    run = _Run(game, stacks, method, EPSILON * rules.prizes[0], 1, 1)
    run.restore(path)
    return run.solution(None, stopped=run.layer < len(run.layers))


@dataclass(eq=False)
class _Run:
    """Layer by layer, each until its values settle."""

    game: Tournament
    stacks: tuple[float, ...]
    method: str
    epsilon: float
    iterations: int
    threads: int
    layer: int = 0
    before_s: float = 0.0
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.layers = layers(self.game)
        self.values = self.game.chip_values.copy()
        self.profile = [first_plan(state.stage) for state in self.game.states]
        self.started = time.perf_counter()
        self.running = self._begun() if self.layers else None
        self.listen: Listener = nobody

    def _begun(self) -> InnerPlay:
        states = self.layers[self.layer]
        inner: OpenGame = layer_game(self.game, states, self.values)
        return METHODS[self.method](
            inner,
            regret=self.epsilon / 50,
            first_regret=self.epsilon,
            most=MOST_INNER,
            weight=WARM,
            recency=RECENCY,
            values=self.values[layer_seats(self.game, states)],
            profile=[self.profile[s] for s in states],
            threads=self.threads,
            listen=lambda progress: self.listen(self._placed(progress)),
        )

    def _placed(self, progress: Progress) -> Progress:
        count = f"layer {self.layer + 1} of {len(self.layers)}, "
        change = "" if not self.steps else f", values changed by {self.steps[-1].change:.2g}"
        return Progress(
            self.method, progress.iteration, done=progress.done, news=count + progress.news + change
        )

    def go(self, out: Path | None, listen: Listener) -> TournamentSolution:
        self.listen, stopped = listen, False
        try:
            while self.layer < len(self.layers):
                if not self._solve_layer(out):  # the file stays where the run can go on
                    stopped, out = True, None
                self.layer += 1
                if self.layer < len(self.layers):
                    self.running = self._begun()
            if out is not None:
                self.save(out)
            check = certified(self.game, self.profile, threads=self.threads, listen=listen)
        except Interrupted:
            heard()
            self._keep()
            check, stopped = None, True
        return self.solution(check, stopped=stopped)

    def solution(self, check: Certificate | None, *, stopped: bool) -> TournamentSolution:
        """What there is now."""
        return TournamentSolution(
            rules=self.game.rules,
            stacks=self.stacks,
            showdowns=self.game.states[0].stage.showdowns,  # type: ignore[attr-defined]
            game=self.game,
            values=self.values,
            profile=self.profile,
            check=check,
            steps=tuple(self.steps),
            seconds=self._spent(),
            stopped=stopped,
        )

    def _solve_layer(self, out: Path | None) -> bool:
        """Whether the values settled."""
        running = self.running
        assert running is not None
        while running.iteration < self.iterations:
            if interrupted():
                raise Interrupted("a layer was not complete")
            running.step()
            self._keep()
            self.steps.append(Step(self._spent(), self.layer, running.change))
            if out is not None:
                self.save(out)
            if running.change <= self.epsilon / 20 and running.allowed <= running.regret:
                return True
        return False

    def _keep(self) -> None:
        """Take over what the layer has."""
        if self.layer >= len(self.layers) or self.running is None:
            return
        states = self.layers[self.layer]
        self.values[layer_seats(self.game, states)] = self.running.values
        for state, plan in zip(states, self.running.profile, strict=True):
            self.profile[state] = plan

    def _spent(self) -> float:
        return self.before_s + time.perf_counter() - self.started

    def save(self, out: Path) -> None:
        running = self.running.state() if self.running and self.layer < len(self.layers) else {}
        tensors = {f"run.{name}": array for name, array in running.items()}
        tensors |= {"values": self.values, "profile": np.concatenate(self.profile)}
        about = {
            "tournament": self._facts(),
            "stacks": list(self.stacks),
            "layer": self.layer,
            "seconds": self._spent(),
            "steps": [[step.seconds, step.layer, step.change] for step in self.steps],
        }
        array_files.write(out, tensors, about, format=KIND.formats[0])

    def restore(self, path: str | Path) -> None:
        arrays = Arrays(path, KIND)
        made = arrays.about["tournament"]
        require_same(str(path), **{n: (v, made.get(n)) for n, v in self._facts().items()})
        self.values = np.array(arrays.whole("values"))
        sizes = [len(plan) for plan in self.profile]
        flat = np.array(arrays.whole("profile"))
        if len(flat) != sum(sizes) or len(self.values) != int(self.game.seats[-1]):
            raise BadFile(path, "holds another number of states")
        self.profile = np.split(flat, np.cumsum(sizes)[:-1])
        self.layer, self.before_s = arrays.about["layer"], float(arrays.about.get("seconds", 0))
        self.steps = [Step(float(s), int(n), float(c)) for s, n, c in arrays.about["steps"]]
        if self.layer < len(self.layers):
            self.running = self._begun()
            try:
                self.running.restore({n: arrays.whole(f"run.{n}") for n in self.running.state()})
            except BadInput as error:
                raise BadFile(path, str(error)) from None

    def _facts(self) -> dict[str, Any]:
        rules = self.game.rules
        return {
            "payouts": list(rules.prizes),
            "chips": rules.chips,
            "players": rules.players,
            "blinds": [list(asdict(level).values()) for level in rules.levels],
            "hands": None if rules.hands == inf else rules.hands,
            "unit": self.game.unit,
            "method": self.method,
        }


def _listed(stacks: Sequence[float]) -> str:
    return ",".join(f"{stack:g}" for stack in stacks)
