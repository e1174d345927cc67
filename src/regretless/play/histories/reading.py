"""Hands out of any kind of history: a log of the ACPC dealer, or PHH by the end of its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from regretless.games._betting import PokerRules
from regretless.play.histories._named_rules import named_rules
from regretless.play.histories.acpc_log import read_log
from regretless.play.histories.phh_reading import read_phh, read_phhs
from regretless.play.records import Hand


class Recorded(NamedTuple):
    """A hand, its rules as far as they are known, and where it stands."""

    hand: Hand
    rules: PokerRules | None
    source: str
    line: int  # 0 where that is not known
    expected: int = 0  # hands that the match was to have, if the log says so


def read_history(
    source: str | Path | Iterable[str], *, rules: PokerRules | None = None, name: str = ""
) -> Iterator[Recorded]:
    """The hands of a file or of lines of a log; `rules` go before those the file tells."""
    if isinstance(source, str | Path) and Path(source).suffix in (".phh", ".phhs"):
        several = Path(source).suffix == ".phhs"
        for told, hand in read_phhs(source) if several else [read_phh(source)]:
            yield Recorded(hand, rules or told, str(source), 0)
        return
    log = read_log(source, name=name)
    folder = Path(source).parent if isinstance(source, str | Path) else Path()
    header, known = None, rules
    for hand in log:
        if log.header is not header:
            header = log.header
            known = rules or (named_rules(header.game, folder) if header else None)
        yield Recorded(hand, known, log.name, log.line, header.hands if header else 0)
