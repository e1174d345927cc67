"""Commands and their options. Imports happen when a command runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from regretless.core.counts import counted
from regretless.interfaces.cli import (
    abstractions,
    acpc,
    blueprints,
    compare,
    continuous,
    histories,
    leagues,
    modelling,
    options,
    play,
    refining,
    reports,
    reproduce,
    spots,
    strength,
    tournament,
    tournaments,
    training,
)
from regretless.interfaces.cli.groups import Commands

app = typer.Typer(
    cls=Commands,
    help="Solve games of hidden information, poker first.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Game = Annotated[
    str | None,
    typer.Argument(
        help="kuhn, leduc:ranks=5, x.efg, x.game, spot.toml, mygame.py:Name, openspiel:NAME"
    ),
]


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"regretless {version('regretless')}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="show the version")
    ] = False,
) -> None:
    """Solve games of hidden information, poker first."""


def games(game: Game = None, json_: options.Json = False) -> None:
    """List the games with their sizes, or show size, memory and parameters of one."""
    from regretless.interfaces.cli import listing

    listing.one_game(game, as_json=json_) if game else listing.all_games(as_json=json_)


def methods(json_: options.Json = False) -> None:
    """List the algorithms and their parameters."""
    from regretless.interfaces.cli import listing

    listing.all_methods(as_json=json_)


def agents(json_: options.Json = False) -> None:
    """List the built-in agents and their parameters."""
    from regretless.interfaces.cli import listing

    listing.all_agents(as_json=json_)


def solve(
    game: Game = None,
    method: options.Method = None,
    target: options.Target = None,
    iterations: options.Iterations = None,
    seconds: options.Seconds = None,
    iterate: Annotated[
        str | None, typer.Option(help="which iterate to keep: average, current or last")
    ] = None,
    form: options.Form = "auto",
    threads: options.Threads = 1,
    precision: Annotated[
        str | None,
        typer.Option(help="numbers in memory: single or double (public form; default: by size)"),
    ] = None,
    seed: options.SamplingSeed = None,
    out: options.StrategyOut = None,
    force: options.Force = False,
    resume: Annotated[
        Path | None, typer.Option(help="strategy file of the run to continue")
    ] = None,
    checkpoint: Annotated[
        float | None, typer.Option(help="seconds between saves of --out (default: 30)")
    ] = None,
    keep_state: Annotated[
        bool,
        typer.Option("--keep-state", help="spots and blueprints: always save what --resume needs"),
    ] = False,
    abstraction: Annotated[
        str | None,
        typer.Option(
            help="solve this abstraction: a file, e.g. binning:bins=5, JQ.K-J.QK, or a map of "
            "hands; hold'em on a map is trained by sampled boards"
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="plot convergence to this file, e.g. leduc.png")
    ] = None,
    json_: options.Json = False,
) -> None:
    """Find an equilibrium. Default limits: exploitability 1e-6 (spots: 0.5 % of the pot), 100,000
    iterations."""
    from regretless.core.files import require_distinct, require_writable
    from regretless.core.pictures import require_picture
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar, kept
    from regretless.runs.limits import Stop
    from regretless.runs.request import Request
    from regretless.runs.solution import Solution
    from regretless.runs.solve import fulfilled

    inputs: dict[str, str | Path | None] = {
        "the game": game_file(game),
        "--resume": resume if out != resume else None,
        "--abstraction": abstraction,
    }
    require_distinct({"--out": out, "--plot": plot}, inputs)
    options.require_new(out, force=force, resumed=resume)
    if plot is not None:
        require_writable(plot)
        require_picture(plot)
    request = Request(
        game=game,
        method=method,
        target=target,
        iterations=iterations,
        seconds=seconds,
        strategy=iterate,
        form=form,
        threads=threads,
        precision=precision,
        seed=seed,
        out=out,
        resume=resume,
        checkpoint_s=checkpoint,
        keep_state=keep_state,
        abstraction=abstraction,
    )
    if request.trains:
        training.require(request, plot)
    with Bar() as bar:
        solution = fulfilled(request, bar.show)
    if not isinstance(solution, Solution):
        training.told(solution, request, json_)
        return
    solution = kept(solution)
    if plot is not None:
        solution.plot(plot)
    again = f": continue with `regretless solve --resume {solution.out}`" if solution.out else ""
    finish(
        solution.facts(),
        *solution.tables(),
        as_json=json_,
        written={"plot": plot},
        interrupted=f"interrupted{again}" if solution.stop is Stop.INTERRUPTED else "",
    )
    if solution.stop is Stop.FAILED:
        raise typer.Exit(2)


def show(
    file: options.StrategyFile,
    player: Annotated[int | None, typer.Option(help="show only this player, from 1")] = None,
    filter_: Annotated[
        str | None,
        typer.Option("--filter", help="show only decision points that contain this text"),
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="write all probabilities to a CSV file")] = None,
    board: Annotated[
        str | None, typer.Option(help="show all hands on this board, e.g. Kh/2c; with --betting")
    ] = None,
    betting: Annotated[
        str | None, typer.Option(help="show the decision after this betting, e.g. rc/cr")
    ] = None,
    game: options.GameOfFile = None,
    at: Annotated[
        str | None, typer.Option(help="spots: the decision, e.g. 'check bet120 / 2s / check'")
    ] = None,
    hands: Annotated[
        str | None,
        typer.Option("--range", help="spots: list these hands, e.g. AK,QQ+; random for all"),
    ] = None,
    resolve: Annotated[
        bool, typer.Option("--resolve", help="spots: re-solve from --at on")
    ] = False,
    target: Annotated[
        str | None,
        typer.Option(help="spots: exploitability of --resolve, as in solve (default: 0.5%)"),
    ] = None,
    png: Annotated[Path | None, typer.Option(help="spots: write the grid to a PNG file")] = None,
    svg: Annotated[Path | None, typer.Option(help="spots: write the grid to an SVG file")] = None,
    parquet: Annotated[
        Path | None, typer.Option(help="spots: write all hands to a Parquet file")
    ] = None,
    json_: options.Json = False,
) -> None:
    """Show a strategy as tables of probabilities, or a solved spot as a grid of hands."""
    from regretless.core.errors import BadParameter
    from regretless.strategy.compact import is_blueprint, is_compact

    if is_blueprint(file):
        others = (player, filter_, csv, game, at, resolve or None, target, png, svg, parquet)
        if any(given is not None for given in others):
            raise BadParameter(f"{file} is a blueprint: choose with --betting, --board and --range")
        training.show(file, betting, board, hands, json_)
        return
    outputs = {"csv": csv, "parquet": parquet, "png": png, "svg": svg}
    of_spots = (at, hands, resolve or None, target, png, svg, parquet)
    if is_compact(file):
        if any(given is not None for given in (player, filter_, board, betting, game)):
            raise BadParameter(f"{file} is a solved spot: choose with --at and --range")
        if target is not None and not resolve:
            raise BadParameter("--target needs --resolve")
        from regretless.interfaces.cli import spot_show

        again = (target or "0.5%") if resolve else None
        wanted = spot_show.Wanted(
            file, at=at or "", hands=hands, resolve=again, outputs=outputs, as_json=json_
        )
        spot_show.show(wanted)
        return
    if any(given is not None for given in of_spots):
        raise BadParameter(
            f"{file} is not a solved spot: --at, --range, --resolve, --target, --png, --svg and "
            "--parquet need one"
        )
    _show_tables(file, player, filter_, csv, board, betting, game, json_)


def _show_tables(
    file: Path,
    player: int | None,
    filter_: str | None,
    csv: Path | None,
    board: str | None,
    betting: str | None,
    game: str | None,
    json_: bool,
) -> None:
    from regretless.core.errors import BadParameter
    from regretless.core.files import require_distinct, require_writable
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli import tables
    from regretless.interfaces.cli.finish import finish
    from regretless.strategy.files import load_strategy
    from regretless.strategy.tables import write_csv

    one_board = board is not None or betting is not None
    if one_board and (player is not None or filter_ is not None or csv is not None):
        raise BadParameter(
            "--board and --betting cannot be combined with --player, --filter, --csv"
        )
    if csv is not None and json_:
        raise BadParameter("--csv and --json cannot be combined")
    if csv is not None:
        require_writable(csv)
        require_distinct({"--csv": csv}, {"the strategy": file, "--game": game_file(game)})
    strategy = load_strategy(file, game=game)
    if one_board:
        tables.show_board(strategy, board or "", betting or "", as_json=json_)
        return
    chosen = tables.chosen(strategy, player, filter_, all_=csv is not None or json_)
    if csv is not None:
        write_csv(chosen, csv)
        finish({}, f"{counted(len(chosen), 'decision point')} written to {csv}", as_json=False)
    elif json_:
        finish([decision._asdict() for decision in chosen], as_json=True)
    else:
        tables.show(chosen)


def evaluate(
    file: options.StrategyFile,
    game: options.GameOfFile = None,
    threads: options.Threads = 1,
    json_: options.Json = False,
) -> None:
    """Measure a strategy: values, best responses, exploitability. Blueprints need a small deck."""
    from regretless.evaluation.exploitability import evaluate as measure
    from regretless.interfaces.cli import tables
    from regretless.interfaces.cli.finish import finish
    from regretless.runs import spot_runs
    from regretless.runs.opening import on_its_form

    strategy = on_its_form(file, game=game, threads=threads)
    evaluation = measure(strategy)
    facts = {"file": str(file), **spot_runs.facts(strategy.form, evaluation)}
    shown = tables.spot_lines(evaluation, facts) if "ev" in facts else evaluation.tables()
    finish(facts, *shown, as_json=json_)


def export(
    game: Annotated[str, typer.Argument(help="the game to write")],
    file: Annotated[Path, typer.Argument(help="FILE.efg, FILE.nfg or FILE.gms")],
    leader: Annotated[
        int | None, typer.Option(help=".gms only: the player who commits, from 1 (default: 1)")
    ] = None,
    formulation: Annotated[
        int | None, typer.Option(help=".gms only: 3 (NLP) or 4 (mixed-integer) (default: 4)")
    ] = None,
) -> None:
    """Write a game as a Gambit file, or a leader's program as a GAMS model."""
    from regretless.core.errors import BadFile, BadParameter
    from regretless.core.files import require_distinct, require_writable, write_atomically
    from regretless.games._catalog import game_file, load
    from regretless.interfaces.cli.console import say

    require_writable(file)
    require_distinct({"the file to write": file}, {"the game": game_file(game)})
    if file.suffix == ".gms":
        from regretless.forms.sequence import sequence_form
        from regretless.solvers._leader_program import gams_model

        leader = 1 if leader is None else leader
        formulation = 4 if formulation is None else formulation
        text = gams_model(sequence_form(game), leader=leader, formulation=formulation)
        write_atomically(file, text.encode())
        say(f"program of leader {leader} in {game} written to {file}")
        return
    if leader is not None or formulation is not None:
        raise BadParameter("--leader and --formulation are for .gms files only")
    if file.suffix == ".efg":
        from regretless.games._efg import to_efg as write
    elif file.suffix == ".nfg":
        from regretless.games._nfg import to_nfg as write
    else:
        raise BadFile(file, f"ends in {file.suffix!r}: must be .efg, .nfg or .gms")
    write_atomically(file, write(load(game)).encode())
    say(f"{game} written to {file}")


PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Solve": (games, methods, solve, show, evaluate, refining.purify, refining.refine, export),
    "Spots": (spots.spot, spots.equity, strength.strength, reports.report, reports.diff),
    "Tournaments": (
        tournament.tournament,
        tournaments.pushfold,
        tournaments.icm,
        tournaments.three_hands,
    ),
    "Play": (agents, play.match, play.play, histories.histories, acpc.dealer, acpc.agent),
    "Opponents": (modelling.model, modelling.exploit),
    "Research": (
        compare.compare,
        leagues.league,
        abstractions.abstract,
        continuous.continuous,
        blueprints.one_on_one,
        blueprints.lbr,
        reproduce.reproduce,
    ),
}
for panel, commands in PANELS.items():
    for command in commands:
        app.command(rich_help_panel=panel)(command)
