"""Abstractions of a game solved side by side, and what their strategies earn from each other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import partial
from itertools import permutations
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from regretless.abstraction._catalog import abstract
from regretless.core.errors import Interrupted
from regretless.core.loop import Loop
from regretless.core.progress import Listener, Progress
from regretless.evaluation.exploitability import measured
from regretless.evaluation.payoffs import computed
from regretless.forms.public import PublicForm
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

METHOD = "dcfr"
AT_ONCE = 3  # abstractions solved side by side, each on one thread

Key = TypeVar("Key", bound=Hashable)


class Contestant(NamedTuple):
    """The solution of one abstraction."""

    behaviour: npt.NDArray[np.float32]  # in the full game
    classes: tuple[int, ...]
    value: float  # of player 1, if both play it
    exploitability: float  # in the full game


def solved(
    listen: Listener, form: PublicForm, jobs: Mapping[Key, str], iterations: int
) -> dict[Key, Contestant]:
    """The agent of every abstraction."""
    agents: dict[Key, Contestant] = {}
    progress = dict.fromkeys(jobs, 0)
    stop: list[bool] = []

    def told(job: Key, told: Progress) -> None:
        if stop:
            raise Interrupted("another abstraction could not be solved")
        progress[job] = told.iteration

    def work(job: Key) -> Contestant:
        made = abstract(form, jobs[job])
        running = solver(METHOD, made.form())
        Loop(work=running, iterations=iterations, listen=partial(told, job)).advance()
        lifted = made.lift(Strategy.trusted(made.form(), running.behaviour()))
        result = measured(lifted)
        kept = lifted.behaviour.astype(np.float32)
        return Contestant(kept, made.classes[0] or (), result.values[0], result.exploitability)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        waiting = {pool.submit(work, job): job for job in jobs}
        try:
            while waiting:
                done, _ = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
                for one in done:
                    agents[waiting.pop(one)] = one.result()
                share = sum(progress.values()) / (iterations * len(jobs))
                news = f"{len(agents)} of {len(jobs)} abstractions"
                listen(Progress("solving abstractions", done=share, news=news))
        finally:
            stop.append(True)
            pool.shutdown(cancel_futures=True)
    return {job: agents[job] for job in jobs}


def payoffs(
    form: PublicForm, agents: Mapping[Key, Contestant], keys: Sequence[Key]
) -> dict[tuple[Key, Key], float]:
    """What each earns from each other one, exactly, mean of both seats; chips per hand."""
    seatings = list(permutations(range(len(keys)), 2))
    behaviours = [agents[key].behaviour.astype(np.float64) for key in keys]
    means = dict(zip(seatings, computed(form, behaviours, seatings).means, strict=True))
    return {(keys[a], keys[b]): float(means[a, b][0] + means[b, a][1]) / 2 for a, b in seatings}


def with_buckets(by: str, sizes: Sequence[int | str]) -> str:
    """The text of a maker with its buckets."""
    return f"{by}{',' if ':' in by else ':'}buckets={'/'.join(map(str, sizes))}"


def text(classes: Sequence[int]) -> str:
    """Such as 13-205-1774."""
    return "-".join(map(str, classes))
