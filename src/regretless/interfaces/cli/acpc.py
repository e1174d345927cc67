"""`dealer` and `agent`: matches over sockets, in the ACPC protocol.

What a dealer prints is fixed by the protocol: ports first and the score last on stdout, the
rest on stderr."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regretless.core.counts import counted
from regretless.core.errors import BadParameter, Interrupted, UnknownName, within
from regretless.interfaces.cli import options

if TYPE_CHECKING:
    from regretless.play.agents._agent import Agent
    from regretless.play.fixture import Fixture

FAILED, NOT_STARTED = 1, 3  # exit codes; 2 is bad usage
MOST_HANDS = 10**9


def dealer(
    name: Annotated[str, typer.Argument(help="name of the match; the log is NAME.log")],
    game: Annotated[str, typer.Argument(help="x.game, leduc, holdem_limit, …")],
    hands: Annotated[int, typer.Argument(help="number of hands to play")],
    seed: Annotated[int, typer.Argument(help="random seed of the cards")],
    players: Annotated[
        list[str],
        typer.Argument(help="one per seat: NAME waits for a player, NAME=AGENT starts that agent"),
    ],
    ports: Annotated[
        str | None,
        typer.Option(
            "-p", "--ports", help="one port per seat, e.g. 5001,5002 (default: free ports)"
        ),
    ] = None,
    fixed: options.Fixed = False,
    response: Annotated[
        int, typer.Option("--t-response", "--t_response", help="time limit per action, in ms")
    ] = 600_000,
    hand: Annotated[
        int, typer.Option("--t-hand", "--t_hand", help="time limit per hand, in ms")
    ] = 600_000,
    per_hand: Annotated[
        int,
        typer.Option(
            "--t-per-hand", "--t_per_hand", help="time limit of the match, in ms per hand"
        ),
    ] = 7_000,
    start: Annotated[
        int,
        typer.Option("--start-timeout", "--start_timeout", help="time limit for connecting, in ms"),
    ] = 600_000,
    host: Annotated[str, typer.Option(help="address to listen on")] = "127.0.0.1",
    on_failure: Annotated[
        str, typer.Option(help="when a seat fails: abort the match, or fold for it")
    ] = "abort",
    continued: options.Continue = False,
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="do not print every message")
    ] = False,
) -> None:
    """Deal a match over the network. Players connect with the ACPC protocol, one port per seat.

    Exit codes: 0 all hands played, 1 a seat failed, 2 bad usage, 3 a player did not connect,
    130 interrupted."""
    from regretless.play.fixture import Fixture, Limits
    from regretless.play.rules import rules_of

    if on_failure not in ("abort", "fold"):
        raise BadParameter(f"--on-failure {on_failure!r}: must be abort or fold")
    within("start timeout in ms", start, 1, 2**40)
    within("hands", hands, 1, MOST_HANDS)
    names, agents = _seats(players)
    match = Fixture(
        name=name,
        game=game,
        rules=rules_of(game),
        hands=hands,
        seed=seed,
        names=names,
        rotate=not fixed,
        limits=Limits(response, hand, per_hand),
    )
    _deal(
        match,
        Path(f"{name}.log"),
        listeners=(host, _ports(ports, len(players))),
        start_s=start / 1000,
        forfeit=on_failure == "fold",
        resume=continued,
        quiet=quiet,
        agents=agents,
    )


def agent(
    host: Annotated[str, typer.Argument(help="address of the dealer")],
    port: Annotated[int, typer.Argument(help="port of the seat, as printed by the dealer")],
    strategy: Annotated[Path | None, typer.Option(help="strategy file to play")] = None,
    builtin: Annotated[str | None, typer.Option(help="built-in agent to play")] = None,
    bot: Annotated[
        str | None,
        typer.Option(help="agent to play: mybot.py:Bot, or any name or file that `match` accepts"),
    ] = None,
    game: Annotated[
        str | None, typer.Option(help="game of the match; strategy files name theirs")
    ] = None,
    seed: Annotated[int, typer.Option(help="random seed of the agent")] = 0,
    json_: options.Json = False,
) -> None:
    """Connect to an ACPC dealer and play until the match is over."""
    from regretless.interfaces.acpc.client import play
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Count

    if sum(given is not None for given in (strategy, builtin, bot)) != 1:
        raise BadParameter(
            "no agent to play, or several: give one of --strategy, --builtin and --bot"
        )
    within("port", port, 1, 65535)
    player = _player(strategy, builtin, bot, game, seed)
    _settle()
    try:
        with Count() as count:
            listen = (lambda tally: count.show(tally.hands)) if count.wanted else None
            done = play(player.rules, player, host, port, listen=listen)
    except KeyboardInterrupt:
        raise Interrupted("interrupted") from None
    told = f"{counted(done.hands, 'hand')}, {counted(done.actions, 'action')}"
    finish({"hands": done.hands, "actions": done.actions}, told, as_json=json_)


def _deal(
    match: Fixture,
    path: Path,
    *,
    listeners: tuple[str, Sequence[int]],
    start_s: float,
    forfeit: bool,
    resume: bool,
    quiet: bool,
    agents: dict[int, str],
) -> None:
    from regretless.interfaces.acpc.dealer import Dealer, End
    from regretless.interfaces.acpc.hosted import hosted
    from regretless.interfaces.acpc.server import Server, listen
    from regretless.interfaces.cli.progress import Count
    from regretless.play.match_log import MatchLog

    with contextlib.ExitStack() as opened:
        log = opened.enter_context(MatchLog(path, match, resume=resume and path.exists()))
        log.take_up()
        if log.complete:
            _tell(f"{path}: {counted(match.hands or 0, 'hand')} played already\n".encode())
            _say(match.score_line(log.score.totals()))
            return
        sockets = listen(*listeners)
        table = Dealer(match, forfeit=forfeit, quiet=quiet, score=log.score)
        _settle()
        ports = [each.getsockname()[1] for each in sockets]
        _say(" ".join(map(str, ports)) + "\n")
        _tell(match.header().encode())
        try:
            opened.enter_context(
                hosted(agents, ports, game=match.game, seed=match.seed, host=listeners[0])
            )
            with Count() as count:
                server = Server(table, log, tell=_tell)
                if quiet:
                    server.listen = lambda hands: count.show(hands, match.hands or 0)
                end = server.run(sockets, start_s=start_s)
        except KeyboardInterrupt:
            done = counted(table.score.hands, "hand")
            raise Interrupted(f"interrupted after {done}; continue with --continue") from None
    if end is not End.FINISHED:
        raise typer.Exit(FAILED if end is End.FAILED else NOT_STARTED)
    score = match.score_line(table.score.totals())
    _tell(score.encode())
    _say(score)


def _ports(text: str | None, seats: int) -> list[int]:
    if text is None:
        return [0] * seats
    words = text.split(",")
    if len(words) != seats or not all(word.strip().isdecimal() for word in words):
        raise BadParameter(f"ports {text!r}: must be {seats} numbers, e.g. 5001,5002")
    return [int(word) for word in words]


def _seats(players: Sequence[str]) -> tuple[tuple[str, ...], dict[int, str]]:
    """Names by seat, and the agents to start."""
    from regretless.play.agents._catalog import require_named

    names, agents = [], {}
    for seat, text in enumerate(players):
        name, equals, agent = text.partition("=")
        names.append(name)
        if equals:
            require_named(agent)
            agents[seat] = agent
    return tuple(names), agents


def _player(
    strategy: Path | None, builtin: str | None, bot: str | None, game: str | None, seed: int
) -> Agent:
    from regretless.blueprints.files import is_blueprint
    from regretless.play.agents import _catalog, _saved
    from regretless.strategy.files import load_strategy

    if bot is not None and not _is_code(bot):
        strategy = Path(bot)
    if strategy is not None:
        _catalog.require_named(str(strategy))
        if is_blueprint(strategy):
            return _catalog.agent(strategy, game or _catalog.table_of(strategy), seed=seed)
        saved = load_strategy(strategy, game=game)
        return _saved.Agent(_saved.game_of(saved), strategy=saved, seed=seed)
    if game is None:
        option = "--builtin" if builtin else "--bot"
        raise BadParameter(f"{option} needs --game: the protocol does not name the game")
    if bot is None and not _catalog.is_built_in(builtin):
        raise UnknownName("agent", str(builtin), _catalog.agent_names())
    return _catalog.agent(str(bot or builtin), game, seed=seed)


def _is_code(bot: str) -> bool:
    """Whether the text names a built-in agent or a Python file rather than a strategy."""
    from regretless.play.agents import _catalog, _python_file

    return _catalog.is_built_in(bot) or _python_file.names_one(bot)


def _settle() -> None:
    """Exempt long-lived objects from garbage collection, which took a third of a match's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _tell(text: bytes) -> None:
    # A match continues even if nobody reads its notes any more.
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.buffer.write(text)
        sys.stderr.buffer.flush()
