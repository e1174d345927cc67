"""`continuous`: equilibria of games with a continuum of signals, by qualitative models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regretless.interfaces.cli import options

if TYPE_CHECKING:
    from regretless.continuous.files import ModelledGame
    from regretless.continuous.solution import ModelSolution
    from regretless.core.tables import Table


def continuous(
    game: Annotated[
        str | None,
        typer.Argument(help="x.toml, or an example: von-neumann:bet=1 (none: list them)"),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="a model instead of the file's, e.g. 'p1: check bet | p2: fold call'"),
    ] = None,
    auto: Annotated[
        bool, typer.Option("--auto", help="find a model from a coarse solution by CFR+")
    ] = False,
    breakpoints: Annotated[
        int, typer.Option(help="of every factor of a product, with three or more players")
    ] = 5,
    signals: Annotated[
        int | None, typer.Option(help="also show mixed strategies for so many discrete signals")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="plot the regions to this file")] = None,
    write: Annotated[Path | None, typer.Option(help="write game and models as TOML")] = None,
    force: Annotated[bool, typer.Option("--force", help="replace --write if it exists")] = False,
    json_: options.Json = False,
) -> None:
    """Solve a game with a continuum of signals, given what an equilibrium looks like.

    A model divides each player's signals into regions with one plan each; the program finds the
    thresholds, or proves that no equilibrium fits."""
    from regretless.continuous.automatic import solve_automatically
    from regretless.continuous.examples import EXAMPLES
    from regretless.continuous.solution import solve_continuous
    from regretless.core.errors import BadInput
    from regretless.core.files import write_atomically
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar

    if game is None:
        names = {name: _first_line(make) for name, make in EXAMPLES.items()}
        finish(names, _listed(names), as_json=json_)
        return
    options.require_outputs({"--plot": plot, "--write": write}, {"the game": game})
    if plot is not None:
        from regretless.core.pictures import require_picture

        require_picture(plot)
    if write is not None and write.is_file() and not force:
        raise BadInput(f"--write {write}: exists already; add --force to replace it")
    if auto and model:
        raise BadInput("--auto finds a model: leave out --model")
    modelled = _modelled(game, model)
    if write is not None:
        write_atomically(write, modelled.to_toml().encode())
    if not modelled.models and not auto:
        raise BadInput(f"{game} has no models: give one with --model, or add --auto")
    with Bar() as bar:
        if auto:
            solution = solve_automatically(modelled.game, breakpoints=breakpoints, listen=bar.show)
        else:
            solution = solve_continuous(
                modelled.game, list(modelled.models), breakpoints=breakpoints, listen=bar.show
            )
    more = [] if signals is None or solution.found is None else _mixed(solution, signals)
    if plot is not None and solution.found is not None:
        from regretless.continuous.picture import draw_regions

        draw_regions(solution.game, solution.profile, plot)
    drawn = {"plot": plot if solution.found is not None else None, "write": write}
    tables = [*solution.tables(), *more]
    facts = {**_facts(solution), "mixed": [table.facts() for table in more]}
    finish(facts, *_apart(tables), as_json=json_, written=drawn)


def _modelled(game: str, models: list[str] | None) -> ModelledGame:
    from regretless.continuous.examples import example
    from regretless.continuous.files import ModelledGame, load_continuous

    found = load_continuous(game) if Path(game).suffix == ".toml" else example(game)
    return ModelledGame(found.game, tuple(models)) if models else found


def _apart(tables: list[Table]) -> list[Any]:
    return [part for table in tables for part in (table, "")][:-1]


def _mixed(solution: ModelSolution, signals: int) -> list[Table]:
    from regretless.continuous.discrete import discretised, mixed_strategy
    from regretless.continuous.game import JOIN
    from regretless.core.tables import Column, Table, prose

    discrete = discretised(solution.game, signals)
    tables = []
    for i, plans in enumerate(solution.game.plans):
        mixed = mixed_strategy(solution.game, solution.profile, discrete, i + 1)
        columns = [prose("signal"), *(Column(JOIN.join(plan), ".4f") for plan in plans)]
        rows = [(str(z + 1), *row) for z, row in enumerate(mixed.tolist())]
        tables.append(Table(f"player {i + 1}, signals 1 to {signals}", columns, rows))
    return tables


def _facts(solution: ModelSolution) -> dict[str, Any]:
    from regretless.continuous.game import JOIN

    told: dict[str, Any] = {
        "game": solution.game.name,
        "fits": solution.found is not None,
        "seconds": solution.seconds,
    }
    if solution.found is None or solution.model is None:
        return told
    players = [
        {"thresholds": own.thresholds.tolist(), "plans": [JOIN.join(plan) for plan in own.plans]}
        for own in solution.profile
    ]
    return {
        **told,
        "model": str(solution.models[solution.model]),
        "values": list(solution.values),
        "epsilon": solution.epsilon,
        "bound": solution.bound,
        "players": players,
    }


def _first_line(make: Any) -> str:
    return (make.__doc__ or "").strip().splitlines()[0]


def _listed(names: dict[str, str]) -> Table:
    from regretless.core.tables import Table, prose

    return Table("", (prose("example"), prose("what it is")), list(names.items()))
