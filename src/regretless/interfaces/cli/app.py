"""Verbs and their options. What they need is imported when they run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from regretless.interfaces.cli import acpc, histories, leagues, play, playing, reproduce, spots

app = typer.Typer(
    help="Solve games of hidden information, poker first.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Game = Annotated[
    str | None, typer.Argument(help="kuhn, leduc:ranks=5, x.efg, x.game, spot.toml, …")
]
File = Annotated[Path, typer.Argument(help="a strategy file")]
Json = Annotated[bool, typer.Option("--json", help="print facts as one JSON object")]
Other = Annotated[str | None, typer.Option("--game", help="the game, if its file has moved")]


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"regretless {version('regretless')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="tell the version")
    ] = False,
) -> None:
    """Solve games of hidden information, poker first."""


@app.command()
def games(game: Game = None, json_: Json = False) -> None:
    """List the games with their sizes, or tell all about one."""
    from regretless.interfaces.cli import listing

    listing.one_game(game, as_json=json_) if game else listing.all_games(as_json=json_)


@app.command()
def methods(json_: Json = False) -> None:
    """List the algorithms and their parameters."""
    from regretless.interfaces.cli import listing

    listing.all_methods(as_json=json_)


@app.command()
def solve(
    game: Game = None,
    method: Annotated[
        str | None, typer.Option(help="algorithm, as in dcfr:alpha=2; see `regretless methods`")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(help="stop at this exploitability, or per cent of a spot's pot: 0.5%"),
    ] = None,
    iterations: Annotated[int | None, typer.Option(help="stop after this many")] = None,
    seconds: Annotated[float | None, typer.Option(help="stop after this time")] = None,
    strategy: Annotated[
        str | None, typer.Option(help="which iterate to keep: average, current or last")
    ] = None,
    oracle: Annotated[
        str | None, typer.Option(help="of double-oracle: sequence, generic or public")
    ] = None,
    terminal: Annotated[
        str | None, typer.Option(help="of its public oracle: sorted or matrix")
    ] = None,
    add: Annotated[
        str | None,
        typer.Option(
            help="what double-oracle adds: best-response, first-action, second-round or both"
        ),
    ] = None,
    form: Annotated[str, typer.Option(help="auto, sequence or public")] = "auto",
    threads: Annotated[int, typer.Option(help="threads, for a public form")] = 1,
    seed: Annotated[int, typer.Option(help="recorded with the result")] = 0,
    out: Annotated[Path | None, typer.Option(help="write the strategy here")] = None,
    resume: Annotated[Path | None, typer.Option(help="go on with this file")] = None,
    checkpoint: Annotated[float, typer.Option(help="seconds between saves of --out")] = 30.0,
    keep_state: Annotated[
        bool, typer.Option(help="of a spot: write what --resume needs after the end, too")
    ] = False,
    plot: Annotated[Path | None, typer.Option(help="draw the convergence here")] = None,
    json_: Json = False,
) -> None:
    """Find an equilibrium. Without a limit: exploitability 1e-6 or 100,000 iterations.

    A spot ends at 0.5 % of its pot."""
    from rich.console import Console

    from regretless.core.files import require_writable
    from regretless.interfaces.cli.progress import Bar, kept
    from regretless.runs.drawing import require_picture
    from regretless.runs.limits import Stop
    from regretless.runs.solve import solve as run
    from regretless.runs.solve import with_parameters

    if plot is not None:
        require_writable(plot)
        require_picture(plot)
    with Bar() as bar:
        solution = run(
            game,
            method=with_parameters(method, oracle=oracle, terminal=terminal, add=add),
            target=target,
            iterations=iterations,
            seconds=seconds,
            strategy=strategy,
            form=form,
            threads=threads,
            seed=seed,
            out=out,
            resume=resume,
            checkpoint_s=checkpoint,
            keep_state=keep_state,
            listen=bar.show,
        )
    solution = kept(solution)
    if plot is not None:
        solution.plot(plot)
    if json_:
        typer.echo(json.dumps({**solution.facts(), "plot": str(plot) if plot else None}))
    else:
        console = Console()
        console.print(solution)
        if plot is not None:
            console.print(f"plot             {plot}", markup=False, highlight=False)
    if solution.stop is Stop.FAILED:
        raise typer.Exit(2)


@app.command()
def show(
    file: File,
    player: Annotated[int | None, typer.Option(help="only this player, from 1")] = None,
    filter_: Annotated[
        str | None, typer.Option("--filter", help="only decision points with this text")
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="write all probabilities here")] = None,
    board: Annotated[
        str | None, typer.Option(help="all hands on this board, as in Kh/2c; with --betting")
    ] = None,
    betting: Annotated[str | None, typer.Option(help="after this betting, as in rc/cr")] = None,
    game: Other = None,
    at: Annotated[
        str | None, typer.Option(help="of a spot: a line, as in 'check bet120 / 2s / check'")
    ] = None,
    hands: Annotated[
        str | None, typer.Option(help="of a spot: list these hands, as in AK,QQ+; or random")
    ] = None,
    resolve: Annotated[
        bool, typer.Option("--resolve", help="of a spot: solve again from --at on")
    ] = False,
    target: Annotated[str, typer.Option(help="how far --resolve goes: chips or % of pot")] = "0.5%",
    png: Annotated[Path | None, typer.Option(help="of a spot: draw the grid here")] = None,
    svg: Annotated[Path | None, typer.Option(help="of a spot: draw the grid here")] = None,
    parquet: Annotated[Path | None, typer.Option(help="of a spot: write all hands here")] = None,
    json_: Json = False,
) -> None:
    """Show a strategy as tables of probabilities, or a solved spot as a grid of hands."""
    from regretless.core.errors import BadInput
    from regretless.strategy.files import is_compact

    if is_compact(file):
        if player or filter_ or board or betting or game:
            raise BadInput(f"{file} is a solution of a spot: choose with --at and --hands")
        from regretless.evaluation.spot_values import SpotView
        from regretless.interfaces.cli import spot_show

        wanted = spot_show.Wanted(
            at=at or "",
            hands=hands,
            resolve=target if resolve else None,
            outputs={"csv": csv, "parquet": parquet, "png": png, "svg": svg},
            as_json=json_,
        )
        spot_show.show(SpotView.open(file), wanted)
        return
    if at is not None or hands or resolve or png or svg or parquet or json_:
        raise BadInput(
            f"{file}: --at, --hands, --resolve, --png, --svg, --parquet and --json are for "
            "solutions of spots"
        )
    _show_tables(file, player, filter_, csv, board, betting, game)


def _show_tables(
    file: Path,
    player: int | None,
    filter_: str | None,
    csv: Path | None,
    board: str | None,
    betting: str | None,
    game: str | None,
) -> None:
    from regretless.interfaces.cli import tables
    from regretless.runs.solve import load_strategy

    strategy = load_strategy(file, game=game)
    if board is not None or betting is not None:
        tables.show_board(strategy, board or "", betting or "")
        return
    chosen = tables.chosen(strategy, player, filter_)
    if csv is not None:
        tables.write_csv(chosen, csv)
        typer.echo(f"{len(chosen):,} decision points written to {csv}")
        return
    tables.show(chosen)


@app.command()
def evaluate(
    file: File,
    game: Other = None,
    threads: Annotated[int, typer.Option(help="threads, for a public form")] = 1,
    json_: Json = False,
) -> None:
    """Measure a strategy: values, epsilons, exploitability."""
    from regretless.interfaces.cli import tables
    from regretless.evaluation.exploitability import evaluate as measure
    from regretless.runs import spot_runs
    from regretless.runs.solve import load_strategy

    strategy = load_strategy(file, game=game, threads=threads)
    found = measure(strategy)
    spot = spot_runs.measured(strategy.form, found) if spot_runs.is_spot(strategy.form) else {}
    if json_:
        facts = {
            "file": str(file),
            "exploitability": found.exploitability,
            "nash_conv": found.nash_conv,
            "epsilon": list(found.epsilon),
            "values": list(found.values),
            "best_responses": list(found.best_responses),
            **spot,
        }
        sys.stdout.write(json.dumps(facts) + "\n")
        return
    if spot:
        tables.show_spot_evaluation(found, spot)
    else:
        tables.show_evaluation(found)


@app.command()
def export(
    game: Annotated[str, typer.Argument(help="the game to write")],
    file: Annotated[Path, typer.Argument(help="FILE.efg or FILE.nfg")],
) -> None:
    """Write a game as a Gambit file."""
    from regretless.core.errors import BadFile
    from regretless.core.files import require_writable, write_atomically
    from regretless.games._catalog import load

    require_writable(file)
    if file.suffix == ".efg":
        from regretless.games._efg import write_efg as write
    elif file.suffix == ".nfg":
        from regretless.games._nfg import write_nfg as write
    else:
        raise BadFile(file, f"ends in {file.suffix!r}: allowed is .efg or .nfg")
    write_atomically(file, write(load(game)).encode())
    typer.echo(f"{game} written to {file}")


for command in (
    playing.match,
    leagues.league,
    acpc.dealer,
    acpc.agent,
    play.play,
    histories.histories,
    reproduce.reproduce,
    spots.spot,
    spots.equity,
):
    app.command()(command)
