"""Hands from any kind of history: logs of the ACPC dealer, PHH, text files of PokerStars.

PHH files are recognised by their suffix, text files of PokerStars by their first line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from regretless.core.errors import RegretlessError
from regretless.core.files import reading
from regretless.games._betting import PokerRules
from regretless.games._catalog import game_names, load, named_in
from regretless.play.histories.acpc_log import read_log
from regretless.play.histories.phh_seen import read_seen
from regretless.play.histories.pokerstars import is_pokerstars, parse_pokerstars, read_pokerstars
from regretless.play.histories.seen import SeenHand, Unreadable
from regretless.play.records import Hand


class Recorded(NamedTuple):
    """A hand, its rules as far as they are known, and its place in the file."""

    hand: Hand
    rules: PokerRules | None
    source: str
    line: int  # 0 if unknown
    expected: int = 0  # planned number of hands, if the log says so
    seen: SeenHand | None = None  # for a hand of a real table
    part: int = 0  # which of several logs in one file


def read_history(
    source: str | Path | Iterable[str], *, rules: PokerRules | None = None, name: str = ""
) -> Iterator[Recorded | Unreadable]:
    """The hands of a file or of lines of a log; `rules` override those of the file.

    An unreadable hand of a real table is yielded as its error: others may follow."""
    if isinstance(source, str | Path):
        yield from _of_file(source, rules)
        return
    lines = iter(source)
    first = next(lines, "")
    if is_pokerstars(first):
        yield from _real(parse_pokerstars(chain([first], lines), name=name), name, rules)
    else:
        yield from _log(chain([first] if first else [], lines), Path(), rules, name)


def is_of_a_table(path: str | Path) -> bool:
    """Whether a file has hands of a real table, which is hold'em, and is no log of a dealer."""
    return Path(path).suffix in (".phh", ".phhs") or is_pokerstars(_first_line(path))


def _of_file(path: str | Path, rules: PokerRules | None) -> Iterator[Recorded | Unreadable]:
    if Path(path).suffix in (".phh", ".phhs"):
        yield from _real(read_seen(path), str(path), rules)
    elif is_pokerstars(_first_line(path)):
        yield from _real(read_pokerstars(path), str(path), rules)
    else:
        yield from _log(path, Path(path).parent, rules, "")


def _first_line(path: str | Path) -> str:
    with reading(path, "a hand history", errors="replace") as stream:
        return next((line for line in stream if line.strip()), "")


def _real(
    hands: Iterator[SeenHand | Unreadable], source: str, rules: PokerRules | None
) -> Iterator[Recorded | Unreadable]:
    for seen in hands:
        if isinstance(seen, Unreadable):
            yield seen
        else:
            yield Recorded(seen.hand(), rules, source, 0, seen=seen)


def _log(
    source: str | Path | Iterable[str], folder: Path, rules: PokerRules | None, name: str
) -> Iterator[Recorded]:
    log = read_log(source, name=name)
    header, known, part = None, rules, 0
    for hand in log:
        if log.header is not header:
            header, part = log.header, part + 1
            known = rules or (named_rules(header.game, folder) if header else None)
        yield Recorded(hand, known, log.name, log.line, header.hands if header else 0, part=part)


# Definitions that come with the ACPC dealer, and our games with the same rules.
DEALERS_GAMES = {
    "holdem.limit.2p.reverse_blinds.game": "holdem_limit",
    "holdem.limit.3p.game": "holdem_limit:players=3",
    "holdem.nolimit.2p.reverse_blinds.game": "holdem_nolimit",
    "holdem.nolimit.3p.game": "holdem_nolimit:players=3",
    "holdem.nolimit.6p.game": "holdem_nolimit:players=6",
    "kuhn.limit.3p.game": "kuhn:players=3",
    "leduc.limit.2p.game": "leduc",
    "leduc.limit.3p.game": "leduc:players=3",
}


@lru_cache
def named_rules(game: str, folder: Path) -> PokerRules | None:
    """Rules of a spec, a file here or in that folder, or a game of the dealer; otherwise None."""
    specs = [game] if game.partition(":")[0] in game_names() else []
    if game.endswith(".game"):
        places = (Path(game), folder / game, folder / Path(game).name)
        specs += [str(path) for path in places if path.is_file()]
    if Path(game).name in DEALERS_GAMES:
        specs.append(DEALERS_GAMES[Path(game).name])
    for spec in specs:
        try:
            rules = load(named_in(folder, spec)).rules
        except RegretlessError:
            continue
        if rules is not None:
            return rules
    return None
