"""Games, matches, and a dealer driven without sockets."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from regretless.games._betting import PokerRules
from regretless.interfaces.acpc.client import Player
from regretless.interfaces.acpc.dealer import Dealer
from regretless.interfaces.acpc.protocol import write_version
from regretless.play.fixture import Fixture as Match
from regretless.play.match_log import MatchLog

TRANSCRIPTS = Path(__file__).parents[1] / "data" / "acpc"
HOLDEM: dict[str, Any] = {"ranks": 13, "suits": 4, "hole": 2, "board": (0, 3, 1, 1)}
LIMIT_2P = PokerRules(
    **HOLDEM,
    players=2,
    blinds=(10, 5),
    first=(1, 0, 0, 0),
    caps=(3, 4, 4, 4),
    raises=(10, 10, 20, 20),
)
NO_LIMIT_2P = PokerRules(
    **HOLDEM,
    players=2,
    blinds=(100, 50),
    first=(1, 0, 0, 0),
    caps=(255,) * 4,
    stacks=(20_000, 20_000),
)
NO_LIMIT_3P = PokerRules(
    **HOLDEM,
    players=3,
    blinds=(50, 100, 0),
    first=(2, 0, 0, 0),
    caps=(255,) * 4,
    stacks=(20_000, 900, 350),
)
KUHN_3P = PokerRules(
    players=3,
    ranks=4,
    suits=1,
    hole=1,
    board=(0,),
    blinds=(1, 1, 1),
    first=(0,),
    caps=(1,),
    raises=(1,),
)
LEDUC = PokerRules(
    players=2,
    ranks=3,
    suits=2,
    hole=1,
    board=(0, 1),
    blinds=(1, 1),
    first=(0, 0),
    caps=(2, 2),
    raises=(2, 4),
)
OPEN_CARD = PokerRules(  # a board card in the first round
    players=2,
    ranks=5,
    suits=2,
    hole=2,
    board=(1, 2),
    blinds=(1, 2),
    first=(0, 1),
    caps=(2, 2),
    raises=(2, 2),
)
TEN = PokerRules(
    **HOLDEM,
    players=10,
    blinds=(1, 2, *(0,) * 8),
    first=(2, 0, 0, 0),
    caps=(255,) * 4,
    stacks=tuple(range(20, 120, 10)),
)
ALL_IN = PokerRules(  # nobody has a decision: the blinds are the stacks
    players=2,
    ranks=3,
    suits=2,
    hole=1,
    board=(0, 1),
    blinds=(1, 1),
    first=(0, 0),
    caps=(2, 2),
    stacks=(1, 1),
)
GAMES = {
    "limit 2p": LIMIT_2P,
    "no-limit 2p": NO_LIMIT_2P,
    "no-limit 3p": NO_LIMIT_3P,
    "kuhn 3p": KUHN_3P,
    "leduc": LEDUC,
    "open card": OPEN_CARD,
    "ten": TEN,
    "all in": ALL_IN,
}


def make_match(rules: PokerRules, *, hands: int = 3, seed: int = 42, **more: Any) -> Match:
    names = tuple(f"p{seat + 1}" for seat in range(rules.players))
    given = {"name": "m", "game": "x.game", "rules": rules, "hands": hands, "seed": seed}
    return Match(**{**given, "names": names, **more})


def opened(match: Match, path: Path, *, resume: bool = False) -> MatchLog:
    """A log that is ready for the next hand."""
    log = MatchLog(path, match, resume=resume)
    try:
        log.take_up()
    except BaseException:
        log.close()
        raise
    return log


def started(match: Match, *, now: float = 0.0, **more: Any) -> Dealer:
    """A dealer whose seats have all said their version."""
    dealer = Dealer(match, **more)
    dealer.begin(now, start_s=60.0)
    for seat in range(len(match.names)):
        dealer.receive(seat, write_version(), now)
    return dealer


def take(dealer: Dealer, seat: int) -> bytes:
    """What waits to be sent to a seat."""
    lines, dealer.out[seat] = dealer.out[seat], []
    return b"".join(lines)


def asked(dealer: Dealer) -> bytes:
    """The last line that the seat to act was sent, without its end; nothing else is sent."""
    line = dealer.out[dealer.waiting][-1].rstrip(b"\r\n")
    for lines in dealer.out:
        lines.clear()
    return line


def play_out(dealer: Dealer, reply: Callable[[int, bytes], bytes], *, now: float = 0.0) -> None:
    """Play to the end; `reply` gets the seat and what it was sent, and answers."""
    while dealer.end is None:
        if dealer.automatic:
            dealer.proceed(now)
            continue
        seat = dealer.waiting
        dealer.receive(seat, reply(seat, take(dealer, seat)), now)


def players(rules: PokerRules, agents: Sequence[Any]) -> Callable[[int, bytes], bytes]:
    """Our own clients as repliers."""
    seated = [Player(rules, agent) for agent in agents]
    return lambda seat, data: seated[seat].receive(data)


def transcript(name: str) -> tuple[list[tuple[str, int, bytes]], list[str]]:
    """Messages (direction, seat, line with its end), and the lines of the log."""
    messages, log = [], []
    for line in (TRANSCRIPTS / f"{name}.txt").read_text().splitlines():
        if found := re.fullmatch(r"(TO|FROM) (\d+) (.*)", line):
            messages.append((found[1], int(found[2]) - 1, found[3].encode() + b"\r\n"))
        elif line.startswith("STATE:"):
            log.append(line + "\n")
    return messages, log
