"""What a maker of buckets is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from regretless.abstraction._deal_rules import DealRules
from regretless.abstraction._hand_map import RoundMap
from regretless.cards.hand_index import HandIndex
from regretless.core.errors import Interrupted
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody


@dataclass(frozen=True, eq=False)
class Context:
    """A round to be made, the other rounds, and how to work."""

    deal: DealRules
    round: int
    folder: Path  # for unfinished work, which is resumed; removed once the round is finished
    other: Callable[[int], RoundMap]  # the map of another round, made first if necessary
    threads: int = 1
    seed: int = 0
    listen: Listener = nobody
    shared: Path | None = None  # as `folder`, for work that several rounds need

    @property
    def name(self) -> str:
        """Such as `flop`."""
        return self.deal.rounds[self.round]

    @property
    def is_last(self) -> bool:
        return self.round == len(self.deal.board) - 1

    @property
    def index(self) -> HandIndex:
        """Hands of this round up to suits, the board as a set of cards."""
        return self.deal.index(self.round)

    @property
    def earlier(self) -> tuple[RoundMap, ...]:
        """The maps of all earlier rounds."""
        return tuple(self.other(round) for round in range(self.round))

    @property
    def following(self) -> RoundMap:
        """The map of the next round, for potential-aware makers."""
        return self.other(self.round + 1)

    def report(self, stage: str, done: float, news: str = "") -> None:
        """Show progress; on Ctrl-C stop here, with the work in `folder` kept."""
        self.listen(Progress(f"{self.name}: {stage}", done=done, news=news))
        self.check()

    def tell(self, progress: Progress) -> None:
        """Show the progress of a part; Ctrl-C is its own business."""
        self.listen(replace(progress, stage=f"{self.name}: {progress.stage}"))

    def check(self) -> None:
        """Raise if Ctrl-C was pressed."""
        if interrupted():
            raise Interrupted(f"{self.name}: stopped; repeat the command to continue")
