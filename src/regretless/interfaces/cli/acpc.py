"""`dealer` and `agent`: matches over sockets, in the ACPC protocol.

What a dealer prints is fixed by the protocol: ports first and the score last on stdout, the
rest on stderr."""

from __future__ import annotations

import contextlib
import gc
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

import typer

from regretless.core.errors import BadParameter, UnknownName, within

if TYPE_CHECKING:
    from regretless.games._betting import PokerRules
    from regretless.interfaces.acpc.client import Tally
    from regretless.interfaces.acpc.match import Match
    from regretless.play.agents._agent import Agent

FAILED, NOT_STARTED, INTERRUPTED = 1, 3, 130  # exit codes; 2 is wrong use
EVERY_S = 2.0  # between two looks at how far a match is


def dealer(
    name: Annotated[str, typer.Argument(help="of the match: the log is NAME.log")],
    game: Annotated[str, typer.Argument(help="x.game, leduc, holdem_limit, …")],
    hands: Annotated[int, typer.Argument(help="how many to play")],
    seed: Annotated[int, typer.Argument(help="of the cards")],
    players: Annotated[list[str], typer.Argument(help="a name for every seat")],
    ports: Annotated[
        str | None,
        typer.Option("-p", "--ports", help="one a seat, as in 5001,5002; else free ones"),
    ] = None,
    fixed: Annotated[bool, typer.Option("-f", "--fixed", help="seats keep their position")] = False,
    response: Annotated[
        int, typer.Option("--t-response", "--t_response", help="most ms for an answer")
    ] = 600_000,
    hand: Annotated[int, typer.Option("--t-hand", "--t_hand", help="most ms in a hand")] = 600_000,
    per_hand: Annotated[
        int, typer.Option("--t-per-hand", "--t_per_hand", help="most ms a hand, over the match")
    ] = 7_000,
    start: Annotated[
        int, typer.Option("--start-timeout", "--start_timeout", help="most ms until all are there")
    ] = 600_000,
    host: Annotated[str, typer.Option(help="address to listen on")] = "127.0.0.1",
    on_failure: Annotated[
        str, typer.Option(help="when a seat fails: abort the match, or fold for it")
    ] = "abort",
    resume: Annotated[bool, typer.Option(help="go on with NAME.log")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="no line for every message")] = False,
) -> None:
    """Deal a match over the network. Players connect by the ACPC protocol, one port a seat.

    Exit codes: 0 all hands were played, 1 a seat failed, 2 wrong use, 3 not everybody came,
    130 interrupted."""
    from regretless.interfaces.acpc.match import Limits, Match
    from regretless.play.match import rules_of

    if on_failure not in ("abort", "fold"):
        raise BadParameter(f"--on-failure {on_failure!r}: allowed is abort, fold")
    within("start timeout in ms", start, 1, 2**40)
    match = Match(
        name=name,
        game=game,
        rules=rules_of(game),
        hands=hands,
        seed=seed,
        names=tuple(players),
        rotate=not fixed,
        limits=Limits(response, hand, per_hand),
    )
    _deal(
        match,
        Path(f"{name}.log"),
        listeners=(host, _ports(ports, len(players))),
        start_s=start / 1000,
        forfeit=on_failure == "fold",
        resume=resume,
        quiet=quiet,
    )


def agent(
    host: Annotated[str, typer.Argument(help="where the dealer is")],
    port: Annotated[int, typer.Argument(help="of a seat, as the dealer printed it")],
    strategy: Annotated[Path | None, typer.Option(help="play this file")] = None,
    builtin: Annotated[str | None, typer.Option(help="play this built-in agent")] = None,
    game: Annotated[
        str | None, typer.Option(help="the game of the match; a strategy knows its own")
    ] = None,
    seed: Annotated[int, typer.Option(help="of the agent's choices")] = 0,
    json_: Annotated[bool, typer.Option("--json", help="print facts as one JSON object")] = False,
) -> None:
    """Play at an ACPC dealer until the match is over."""
    from regretless.interfaces.acpc.client import play

    if (strategy is None) == (builtin is None):
        raise BadParameter("the agent to play: needed is one of --strategy and --builtin")
    within("port", port, 1, 65535)
    rules, player = _player(strategy, builtin, game, seed)
    _settle()
    with _Count("hands played") as count:
        done = play(rules, player, host, port, listen=count.show if count.wanted else None)
    if json_:
        _say(json.dumps({"hands": done.hands, "actions": done.actions}) + "\n")
    else:
        _say(f"{done.hands:,} hands, {done.actions:,} actions\n")


def _deal(
    match: Match,
    path: Path,
    *,
    listeners: tuple[str, Sequence[int]],
    start_s: float,
    forfeit: bool,
    resume: bool,
    quiet: bool,
) -> None:
    from regretless.interfaces.acpc.dealer import Dealer, End
    from regretless.interfaces.acpc.match import MatchLog
    from regretless.interfaces.acpc.server import Server, listen

    sockets = listen(*listeners)
    log = MatchLog(match, path, resume=resume)
    if log.complete:
        for each in sockets:
            each.close()
        log.close()
        _tell(f"{path}: all {match.hands:,} hands were played before\n".encode())
        _say(match.score_line(log.played.totals))
        return
    table = Dealer(match, forfeit=forfeit, quiet=quiet, played=log.played)
    _settle()
    _say(" ".join(str(each.getsockname()[1]) for each in sockets) + "\n")
    _tell(match.header().encode())
    try:
        with _Count(f"of {match.hands:,} hands") as count:
            server = Server(table, log, tell=_tell)
            if quiet and count.wanted:
                server.listen = count.show_hands
            end = server.run(sockets, start_s=start_s)
    except KeyboardInterrupt:
        _tell(f"interrupted after {table.played.hands:,} hands: --resume goes on\n".encode())
        raise typer.Exit(INTERRUPTED) from None
    if end is not End.FINISHED:
        raise typer.Exit(FAILED if end is End.FAILED else NOT_STARTED)
    score = match.score_line(table.played.totals)
    _tell(score.encode())
    _say(score)


def _ports(text: str | None, seats: int) -> list[int]:
    if text is None:
        return [0] * seats
    words = text.split(",")
    if len(words) != seats or not all(word.strip().isdecimal() for word in words):
        raise BadParameter(f"ports {text!r}: needed are {seats} numbers, as in 5001,5002")
    return [int(word) for word in words]


def _player(
    strategy: Path | None, builtin: str | None, game: str | None, seed: int
) -> tuple[PokerRules, Agent]:
    from regretless.play.agents import _catalog, _saved
    from regretless.play.match import rules_of
    from regretless.strategy.files import load_strategy

    if strategy is not None:
        saved = load_strategy(strategy, game=game)
        rules = rules_of(saved.form.spec)
        return rules, _saved.Agent(rules, strategy=saved, seed=seed)
    if game is None:
        raise BadParameter("--builtin needs --game: the protocol does not tell which is played")
    if builtin not in _catalog.agent_names():
        raise UnknownName("agent", str(builtin), _catalog.agent_names())
    rules = rules_of(game)
    return rules, _catalog.agent(builtin, rules, seed=seed)


class _Count:
    """On a terminal: how far a long match is, now and then."""

    def __init__(self, what: str) -> None:
        self.what, self.wanted = what, sys.stderr.isatty()
        self._next = time.monotonic() + EVERY_S
        self._shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            _tell(b"\r\x1b[K")

    def show(self, tally: Tally) -> None:
        self.show_hands(tally.hands)

    def show_hands(self, hands: int) -> None:
        if time.monotonic() > self._next:
            self._next = time.monotonic() + EVERY_S
            self._shown = True
            _tell(f"\r{hands:,} {self.what}".encode())


def _settle() -> None:
    """Spare the garbage collector what stays: it took a third of the time of a match."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _tell(text: bytes) -> None:
    # A match goes on when nobody reads its notes any more.
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.buffer.write(text)
        sys.stderr.buffer.flush()
