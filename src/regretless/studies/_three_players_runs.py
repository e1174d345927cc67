"""The strategies, leagues and matches of the study of three-player poker.

Studies may not import the network code: for matches over the ACPC protocol, with dealer and agents
in separate processes, they start the commands that a user would."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsolved
from regretless.core.progress import Listener, Progress
from regretless.evaluation.correlation import coarse_correlated_gap
from regretless.evaluation.entrants import simple
from regretless.evaluation.exploitability import Evaluation, evaluate
from regretless.evaluation.kuhn_family import Member, kuhn_equilibrium
from regretless.forms.form import behaviour_of, own, plan_of
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.play.agents._saved import Agent
from regretless.play.histories.acpc_log import read_log
from regretless.play.match import play_match
from regretless.play.records import Hand
from regretless.play.rules import rules_of
from regretless.solvers._catalog import solver
from regretless.solvers._solver import Iterate, Solver
from regretless.solvers._teams import Team, guarantee
from regretless.strategy import files
from regretless.strategy.strategy import Strategy
from regretless.studies._study import finished

LOCAL = "127.0.0.1"
MOST_S = 300.0
COMMAND = [sys.executable, "-m", "regretless"]


def over_the_protocol(
    game: str, strategies: Mapping[str, Strategy], *, hands: int, seed: int
) -> list[Hand]:
    """A dealer, and one agent per seat that plays a strategy file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, strategy in enumerate(strategies.values()):
            about = {"game": game, "form": "sequence", "method": "study"}
            files.write(folder / f"{number}.strategy", strategy, about, {})
        log = folder / "match"
        names = [each.replace(" ", "_").replace(",", "") for each in strategies]
        deal = ["dealer", str(log), game, str(hands), str(seed), *names, "--quiet"]
        said = folder / "ports.txt"
        nowhere = subprocess.DEVNULL
        with said.open("w") as out:
            processes = [subprocess.Popen([*COMMAND, *deal], stdout=out, stderr=nowhere)]
        dealer = processes[0]
        try:
            for number, port in enumerate(_ports(said, dealer)):
                file = str(folder / f"{number}.strategy")
                play = ["agent", LOCAL, port, "--strategy", file, "--seed", str(seed + number)]
                playing = subprocess.Popen([*COMMAND, *play], stdout=nowhere, stderr=nowhere)
                processes.append(playing)
            dealer.wait(timeout=MOST_S)
        except subprocess.TimeoutExpired:
            raise Unsolved(f"the match of {game} took longer than {MOST_S:g} s") from None
        finally:
            for process in processes:
                if process.poll() is None:
                    process.terminate()
                process.wait()
        if dealer.returncode:
            raise Unsolved(f"the dealer of {game} ended with exit code {dealer.returncode}")
        return list(read_log(log.with_suffix(".log")))


def _ports(said: Path, dealer: subprocess.Popen[bytes]) -> list[str]:
    """The ports of the seats, once the dealer has printed them."""
    began = time.monotonic()
    while dealer.poll() is None and time.monotonic() - began < MOST_S:
        line, end, _ = said.read_text().partition("\n")
        if end:
            return line.split()
        time.sleep(0.05)
    raise Unsolved("the dealer did not open its ports")


def in_process(
    game: str, strategies: Mapping[str, Strategy], *, hands: int, seed: int
) -> list[Hand]:
    """The same match without the network."""
    rules = rules_of(game)
    agents = [
        Agent(rules, strategy=strategy, seed=seed + number)
        for number, strategy in enumerate(strategies.values())
    ]
    names = [each.replace(" ", "_").replace(",", "") for each in strategies]
    return list(play_match(rules, agents, hands=hands, seed=seed, names=names))


KUHN, LEDUC = "kuhn:players=3", "leduc:players=3,cap=1"
MM = "maxmin:learner=cfr"  # the thesis's, by plain CFR


@dataclass(frozen=True)
class Scale:
    """The size of every part of the study."""

    kuhn_iterations: int
    leduc_iterations: int
    certificate_iterations: int
    starts: int
    global_s: float  # for SCIP, per position; 0: local solves only
    leduc_s: float  # for local solves on Leduc, per position; 0: none
    hands: int  # of every match over the ACPC protocol


FULL = Scale(200_000, 30_000, 2_000, 2, 240.0, 120.0, 3_000)
QUICK = Scale(2_000, 100, 50, 1, 0.0, 0.0, 0)


@dataclass(frozen=True)
class Curve:
    """Iterations and seconds with the epsilon of every position."""

    iterations: int
    seconds: float
    evaluation: Evaluation


@dataclass
class Runs:
    """Everything is computed once, on first use."""

    listen: Listener
    scale: Scale
    forms: dict[str, SequenceForm] = field(default_factory=dict)
    strategies: dict[str, Strategy] = field(default_factory=dict)
    curves: dict[str, list[Curve]] = field(default_factory=dict)
    last: dict[str, Strategy] = field(default_factory=dict)  # of CFR, by game
    leaders: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    unsolved: list[int] = field(default_factory=list)  # positions of Leduc without a commitment
    done: int = 0

    def tell(self, stage: str, done: float | None = None) -> None:
        self.done += 1
        self.listen(Progress(stage, done=min(self.done / 60, 0.99) if done is None else done))

    def form(self, game: str) -> SequenceForm:
        if game not in self.forms:
            self.forms[game] = sequence_form(game)
        return self.forms[game]

    def iterations(self, game: str) -> int:
        return self.scale.kuhn_iterations if game == KUHN else self.scale.leduc_iterations

    def learned(self, game: str, method: str) -> Strategy:
        """The average strategy of a regret minimiser; its curve is kept as well."""
        key = f"{game} {method}"
        if key not in self.strategies:
            self.tell(key)
            running = solver(method, self.form(game))
            running.step(0)
            self.curves[key] = list(self._curve(running, self.iterations(game)))
            self.strategies[key] = Strategy(self.form(game), running.behaviour())
            if method == "cfr":
                self.last[game] = Strategy(self.form(game), running.behaviour(Iterate.LAST))
        return self.strategies[key]

    def _curve(self, running: Solver, total: int) -> list[Curve]:
        spent, curves = 0.0, []
        for part in (100, 10, 1):
            began = time.perf_counter()
            running.step(max(total // part - running.iteration, 0))
            spent += time.perf_counter() - began
            evaluation = evaluate(Strategy(running.form, running.behaviour()))
            curves.append(Curve(running.iteration, spent, evaluation))
        return curves

    def cfr(self, game: str) -> Strategy:
        return self.learned(game, "cfr")

    def mm(self, game: str) -> Strategy:
        return self.learned(game, MM)

    def leader(self, game: str, position: int) -> dict[str, Any]:
        """A leader's commitment from one position: facts, and its plan."""
        key = (game, position)
        if key not in self.leaders:
            self.tell(f"{game}: Stackelberg, position {position + 1}")
            self.leaders[key] = self._lead(game, position)
        return self.leaders[key]

    def _lead(self, game: str, position: int) -> dict[str, Any]:
        scale = self.scale
        kind, seconds = ("scip", scale.global_s) if scale.global_s else ("ipopt", 60.0)
        starts = scale.starts
        if game == LEDUC:
            kind, seconds, starts = "ipopt", scale.leduc_s, 1
        options = f"solver={kind},seconds={seconds:g},starts={starts}"
        began = time.perf_counter()
        running = solver(f"stackelberg:leader={position + 1},{options}", self.form(game))
        while not running.finished:
            running.step()
            self.listen(
                Progress(f"{game}: Stackelberg, position {position + 1}", news=running.news())
            )
        plan = plan_of(self.form(game), running.behaviour(Iterate.AVERAGE))
        return {**running.details(), "plan": plan, "seconds": time.perf_counter() - began}

    def leading(self, game: str, *, first: Strategy | None = None) -> Strategy:
        """Every position's commitment in one strategy; `first` plays position 1 instead."""
        form = self.form(game)
        parts = [self._commitment(game, position) for position in range(form.players)]
        plan = np.concatenate([part[own(form, i)] for i, part in enumerate(parts)])
        if first is not None:
            plan[own(form, 0)] = plan_of(form, first.behaviour)[own(form, 0)]
        return Strategy(form, behaviour_of(form, plan))

    def _commitment(self, game: str, position: int) -> Floats:
        """The leader's plan, or CFR's if Leduc's program is not solved in time."""
        try:
            plan: Floats = self.leader(game, position)["plan"]
        except Unsolved:
            if game == KUHN:
                raise
            self.unsolved.append(position)
            plan = plan_of(self.form(game), self.cfr(game).behaviour)
        return plan

    def simple(self, game: str, name: str) -> Strategy:
        form = self.form(game)
        assert form.game is not None
        return simple(name, form, form.game)

    def kuhn(self) -> dict[str, Strategy]:
        """The six strategies of the thesis."""
        return {
            "mm": self.mm(KUHN),
            "cfr": self.cfr(KUHN),
            "se3": self.leading(KUHN),
            "se2": self.leading(KUHN, first=self.cfr(KUHN)),
            "aggro": self.simple(KUHN, "aggressive"),
            "rnd": self.simple(KUHN, "random"),
        }

    def leduc(self) -> dict[str, Strategy]:
        """The four strategies of the thesis."""
        return {
            "mm": self.mm(LEDUC),
            "cfr": self.cfr(LEDUC),
            "aggro": self.simple(LEDUC, "aggressive"),
            "rnd": self.simple(LEDUC, "random"),
        }

    def more_kuhn(self) -> dict[str, Strategy]:
        """The thesis's strategies and those beyond it."""
        form = self.form(KUHN)
        return {
            "mm, exact": Strategy(form, finished(solver("maxmin-exact", form)).behaviour()),
            "mm": self.mm(KUHN),
            "equilibrium": kuhn_equilibrium(form, Member(0.0, 0.0, 0.0, b32=0.25, c33=0.25)),
            "se, global": self.leading(KUHN),
            "cfr": self.cfr(KUHN),
            "fold": self.simple(KUHN, "always-fold"),
            "aggro": self.simple(KUHN, "aggressive"),
            "rnd": self.simple(KUHN, "random"),
        }


def guarantees(form: SequenceForm, strategy: Strategy) -> list[float]:
    """What every position's strategy earns against the worst joint plan of the others."""
    plan = plan_of(form, strategy.behaviour)
    return [Team(form, player).harm(plan).value for player in range(form.players)]


def most_guaranteed(form: SequenceForm) -> list[float]:
    """What every position can guarantee at most."""
    return [guarantee(form, player).value for player in range(form.players)]


def coarse_certificate(form: SequenceForm, iterations: int) -> tuple[Floats, Floats]:
    """CFR's play as a coarse correlated equilibrium: values, and what players could gain."""
    play = coarse_correlated_gap(solver("cfr:simultaneous=true", form), iterations)
    return np.array(play.values), np.array(play.epsilon)
