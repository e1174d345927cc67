"""`play` and `match`: a person in the terminal against agents, and agents against each other."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regretless.core.counts import counted
from regretless.interfaces.cli import options

if TYPE_CHECKING:
    from regretless.core.tables import Table
    from regretless.games._betting import PokerRules
    from regretless.play.agents._agent import Agent, MixingAgent
    from regretless.play.agents._catalog import Seatable
    from regretless.play.fixture import Fixture


PERSON = "you"


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            help="leduc, holdem_limit, x.game, … (default: from the strategy file), "
            "or a run of `regretless tournament --out`"
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            help="random, always-call, aggressive, FILE.strategy or mybot.py:Bot; may be repeated"
        ),
    ] = None,
    hands: Annotated[
        int | None, typer.Option(help="number of hands (default: until you leave)")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="random seed of cards and agents (default: any)")
    ] = None,
    seat: Annotated[
        int,
        typer.Option(help="your seat, from 1; positions rotate (tournaments: the first to act)"),
    ] = 1,
    hints: Annotated[
        bool, typer.Option("--hints", help="show what a strategy would do, next to what you did")
    ] = False,
    hints_by: Annotated[
        Path | None, typer.Option(help="strategy for the hints (default: the first of --against)")
    ] = None,
    log: options.Log = None,
    continued: options.Continue = False,
) -> None:
    """Play against agents or a solved strategy. Without a game, choose from a menu."""
    from rich.console import Console

    from regretless.core.errors import BadInput, Interrupted, within
    from regretless.interfaces.terminal.screen import Screen
    from regretless.interfaces.terminal.session import Seating, Session
    from regretless.play.agents._catalog import agents
    from regretless.play.rules import rules_of

    if game is not None and _is_tournament(game):
        unused = {"--against": against, "--hands": hands, "--hints-by": hints_by, "--log": log}
        _tournament(Path(game), seat, seed, hints, {**unused, "--continue": continued or None})
        return
    if continued and log is None:
        raise BadInput("--continue needs --log")
    screen = Screen(Console())
    names: list[Seatable] = list(against or ["random"])
    if game is None and against is None and not continued:
        from regretless.interfaces.terminal.offer import offer

        offered = offer(screen)
        if offered is None:
            return
        spec, names = offered.spec, [offered.strategy]
    else:
        spec = game or _game_of(names)
    rules = rules_of(spec)
    within("seat", seat, 1, rules.players)
    if hands is not None:
        within("hands", hands, 1, 10**9)
    seed = _seed(seed, log if continued else None)
    opponents: list[Agent | None] = list(agents(_filled(names, rules), spec, seed=seed))
    adviser = _adviser(rules, names, hints_by) if hints or hints_by else None
    opponents.insert(seat - 1, None)
    called = _called(_filled(names, rules), seat)
    with ExitStack() as stack:
        kept = None
        if log is not None:
            from regretless.play.match_log import MatchLog

            fixture = _fixture(spec, rules, called, hands, seed)
            kept = stack.enter_context(MatchLog(log, fixture, resume=continued))
        seating = Seating(rules=rules, agents=opponents, names=called, seed=seed, hands=hands)
        session = Session(seating, screen, log=kept, adviser=adviser)
        screen.say(f"{spec}, seed {seed}; ? for help, q to leave", style="dim")
        screen.say("")
        session.run()
    if session.interrupted:
        raise Interrupted("interrupted")


def _is_tournament(game: str) -> bool:
    from regretless.core.array_files import has_format
    from regretless.runs.tournaments import KIND

    return has_format(game, KIND.formats[0])


def _tournament(
    path: Path, seat: int, seed: int | None, hints: bool, unused: dict[str, object]
) -> None:
    """Play a solved tournament, against its solution in the other seats."""
    from rich.console import Console

    from regretless.core.errors import BadInput, Interrupted, within
    from regretless.interfaces.cli.progress import Bar
    from regretless.interfaces.terminal.screen import Screen
    from regretless.interfaces.terminal.tournament import TournamentSession
    from regretless.runs.tournaments import open_tournament

    for option, value in unused.items():
        if value is not None:
            raise BadInput(f"{option}: not in a tournament")
    with Bar() as bar:
        solution = open_tournament(path, listen=bar.show)
    within("seat", seat, 1, solution.rules.players)
    seed, screen = _seed(seed, None), Screen(Console())
    session = TournamentSession(solution, screen, seat=seat - 1, seed=seed, hints=hints)
    prizes = ", ".join(f"{prize:g}" for prize in solution.rules.prizes)
    screen.say(f"prizes {prizes}, seed {seed}; ? for help, x to leave", style="dim")
    screen.say("")
    session.run()
    if session.interrupted:
        raise Interrupted("interrupted")


def _game_of(names: list[Seatable]) -> str:
    """The game of the first strategy file among the opponents."""
    from regretless.core.errors import BadInput
    from regretless.play.agents._catalog import is_built_in, table_of

    for name in names:
        if isinstance(name, str) and not is_built_in(name) and Path(name).is_file():
            return table_of(name)
    raise BadInput("no game: name one, e.g. `regretless play leduc`, or --against a strategy file")


def _filled(names: list[Seatable], rules: PokerRules) -> list[Seatable]:
    """One opponent for every other seat; a single one may take all of them."""
    from regretless.core.errors import BadInput

    others = rules.players - 1
    if len(names) not in (1, others):
        raise BadInput(f"--against: got {len(names)} opponents, expected {others}, or 1 for all")
    return names * others if len(names) == 1 else names


def _called(names: list[Seatable], seat: int) -> list[str]:
    """Names by seat: file names without folder and suffix, numbered if they repeat."""
    from regretless.play.agents._catalog import called

    texts = [name if isinstance(name, str) else "solver" for name in names]
    by_seat = called(texts, taken=[PERSON])
    by_seat.insert(seat - 1, PERSON)
    return by_seat


def _adviser(rules: PokerRules, names: list[Seatable], strategy: Path | None) -> MixingAgent:
    from regretless.core.errors import BadInput
    from regretless.play.agents._agent import MixingAgent
    from regretless.play.agents._catalog import agent, is_built_in

    files = [strategy] if strategy else [n for n in names if not is_built_in(n)]
    if not files:
        raise BadInput("--hints: no strategy file is at the table: add --hints-by FILE")
    adviser = agent(files[0], rules)
    if not isinstance(adviser, MixingAgent):
        raise BadInput(f"--hints: {files[0]} has no probabilities to show")
    return adviser


def _seed(given: int | None, resumed: Path | None) -> int:
    """The given seed, that of the resumed game, or a random one."""
    import secrets

    from regretless.play.histories.acpc_log import read_log

    if given is not None:
        return given
    if resumed is not None and resumed.is_file():
        log = read_log(resumed)
        next(log, None)
        if log.header is not None:
            return log.header.seed
    return secrets.randbelow(10**6)


def _fixture(
    spec: str, rules: PokerRules, names: list[str], hands: int | None, seed: int
) -> Fixture:
    from regretless.play.fixture import Fixture

    return Fixture(
        name="-vs-".join(names),
        game=spec,
        rules=rules,
        hands=hands,
        seed=seed,
        names=tuple(names),
        comments=(f"seats rotating {'|'.join(names)}",),
    )


def match(
    game: Annotated[str, typer.Argument(help="a poker game: leduc, holdem_limit, x.game, …")],
    agents: Annotated[
        list[str],
        typer.Argument(
            help="one per seat: random, always-call, aggressive, FILE.strategy or mybot.py:Bot"
        ),
    ],
    hands: Annotated[int, typer.Option(help="number of hands to play")] = 10_000,
    seed: Annotated[int, typer.Option(help="random seed of cards and agents")] = 0,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="play every deal in each rotation of the seats")
    ] = False,
    fixed: options.Fixed = False,
    log: options.Log = None,
    continued: options.Continue = False,
    names: Annotated[str | None, typer.Option(help="names by seat, e.g. a,b")] = None,
    aivat: Annotated[
        bool, typer.Option(help="also show the variance-reduced result (AIVAT)")
    ] = True,
    plot: Annotated[
        Path | None, typer.Option(help="plot winnings per hand so far, with bands, to this file")
    ] = None,
    json_: options.Json = False,
) -> None:
    """Let agents play: winnings per player with a 95 % confidence interval."""
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.play.match_run import Match, Stop

    wanted = Match(
        game=game,
        agents=tuple(agents),
        hands=hands,
        seed=seed,
        rotate=not fixed,
        duplicate=duplicate,
        names=tuple(name.strip() for name in names.split(",")) if names is not None else (),
    )
    options.require_outputs({"--plot": plot, "--log": log}, {})
    with Bar() as bar:
        result = wanted.run(log=log, resume=continued, aivat=aivat, listen=bar.show)
    facts, cut = result.facts(), ""
    if result.stop is Stop.INTERRUPTED:
        further = f"; continue with --log {log} --continue" if log else ""
        cut = f"interrupted after {facts['hands']:,} of {hands:,} hands{further}"
    if plot is not None:
        result.plot(plot)
    written = {"plot": plot} if plot is not None else None
    finish(facts, _table(facts, game, log), as_json=json_, written=written, interrupted=cut)


def _table(facts: dict[str, Any], game: str, log: Path | None) -> Table:
    from regretless.core.tables import Column, Estimated, Table, prose

    corrected = any(player["aivat"] for player in facts["players"])
    columns = [
        Column("seat"),
        prose("player"),
        Column("chips", "+,.10g"),
        Column("chips per hand", "+z,.4f"),
        Column(f"{facts['unit']}s per hand", "+z,.1f"),
        *([Column("AIVAT")] if corrected else []),
    ]
    rows = [
        (
            player["seat"],
            player["name"],
            player["chips"],
            Estimated(player["chips_per_hand"], player["chips_per_hand_half_width"]),
            Estimated(player["milli_per_hand"], player["milli_per_hand_half_width"]),
            *([_aivat(player["aivat"])] if corrected else []),
        )
        for player in facts["players"]
    ]
    told = f"{counted(facts['hands'], 'hand')} of {game} in {facts['seconds']:.1f} s"
    told += "; ± is half the 95 % interval"
    told += "; AIVAT: variance-reduced" if corrected else ""
    return Table("", columns, rows, told + (f"\nlog: {log}" if log else ""))


def _aivat(corrected: dict[str, Any]) -> str:
    """In thousandths, as the column before, and how many times smaller the interval is."""
    from regretless.core.tables import Estimated

    if corrected["times_smaller"] is None:
        return f"{corrected['milli_per_hand']:+z,.1f} exact"
    told = Estimated(corrected["milli_per_hand"], corrected["milli_per_hand_half_width"])
    return f"{told:+z,.1f} ({corrected['times_smaller']:,.1f}×)"
