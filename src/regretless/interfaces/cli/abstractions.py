"""The command `abstract`: build a smaller game, and report how much smaller it is."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regretless.interfaces.cli import options

if TYPE_CHECKING:
    from regretless.abstraction._hand_map import HandMap


def abstract(
    game: Annotated[
        str | None, typer.Argument(help="game to abstract; without one, list the abstractions")
    ] = None,
    spec: Annotated[
        str | None,
        typer.Argument(
            metavar="BY",
            help="abstraction with parameters, e.g. binning:bins=5; classes of cards: JQ.K-J.QK; "
            "buckets by round: preflop=lossless,flop=distribution:50; or a map, e.g. map.json",
        ),
    ] = None,
    by: Annotated[
        str | None, typer.Option(help="abstraction with parameters, instead of BY")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="file to write (JSON); a folder for buckets by round")
    ] = None,
    force: options.Force = False,
    form: options.Form = "auto",
    plot: Annotated[
        Path | None, typer.Option(help="plot the sizes of buckets by round to this file")
    ] = None,
    plot_boards: Annotated[
        Path | None, typer.Option(help="plot which boards are in which public bucket to this file")
    ] = None,
    seed: Annotated[int, typer.Option(help="random seed of buckets by round")] = 0,
    threads: Annotated[int, typer.Option(help="number of threads for buckets by round")] = 1,
    json_: options.Json = False,
) -> None:
    """Abstract a game: decide which hands or decision points share a strategy. Use the map with
    `solve --abstraction`.

    Buckets by round are for games of any size. Ctrl-C keeps finished rounds in the folder."""
    if game is None:
        from regretless.interfaces.cli import listing

        listing.all_abstractions(as_json=json_)
        return
    from regretless.abstraction._composition import is_composition

    by = _chosen(spec, by)
    if is_composition(by):
        plots = {"plot": plot, "plot_boards": plot_boards}
        make_map(game, by, out=out, plots=plots, seed=seed, threads=threads, as_json=json_)
        return
    from regretless.abstraction._catalog import abstract as make
    from regretless.abstraction._catalog import is_saved
    from regretless.core.errors import BadParameter
    from regretless.core.specs import split
    from regretless.core.tables import facts_table
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar

    for name, path in (("--plot", plot), ("--plot-boards", plot_boards)):
        if path is not None:
            raise BadParameter(f"{name} is for buckets by round, such as preflop=lossless,flop=…")
    if out is not None:
        saved = is_saved(by)
        source = by if saved else split(by)[1].get("strategy")  # of strategy-based
        options.require_outputs(
            {"--out": out},
            {"the game": game_file(game), "the map" if saved else "the strategy": source},
        )
        options.require_new(out, force=force)
    from regretless.core.progress import Progress

    with Bar() as bar:
        bar.show(Progress("building the form"))
        from regretless.forms.choice import form_of

        full = game if is_saved(by) else form_of(game, kind=form)  # maps choose their form
        bar.show(Progress(f"abstracting by {by}"))
        started = time.perf_counter()
        made = make(full, by, form=form)
        seconds = time.perf_counter() - started
        bar.show(Progress("building the abstract game"))
        facts = {**made.facts(), "seconds": seconds, "out": str(out) if out else None}
        if out is not None:
            made.save(out)
    finish(facts, facts_table(_rows(facts)), as_json=json_)


def _chosen(spec: str | None, by: str | None) -> str:
    """What to do, as an argument or as an option."""
    from regretless.abstraction._catalog import maker_names
    from regretless.core.errors import BadParameter

    if spec is not None and by is not None:
        raise BadParameter(f"abstraction is given twice: {spec} and --by {by}")
    if spec is None and by is None:
        raise BadParameter(
            f"--by is missing: must be one of {', '.join(maker_names())}, or classes of cards "
            "such as JQ.K, or buckets by round such as preflop=lossless,flop=…"
        )
    return spec if spec is not None else str(by)


def _rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("game", facts["game"]), ("by", f"{facts['by']}, in {facts['seconds']:.3g} s")]
    rows += [
        (f"classes of player {player + 1}", ", ".join(f"{count:,}" for count in counts))
        for player, counts in enumerate(facts["classes"])
        if counts
    ]
    for key in ("decision_points", "sequences"):
        before, after = (
            ", ".join(f"{count:,}" for count in facts[key][when]) for when in ("before", "after")
        )
        rows.append((key.replace("_", " "), f"{after} instead of {before}"))
    rows.append(("recall", "perfect" if facts["perfect_recall"] else "imperfect"))
    if facts["lossless"] is not None:
        rows.append(("lossless", "yes" if facts["lossless"] else "no"))
    if facts["out"]:
        rows.append(("written", facts["out"]))
    return rows


Sizes = dict[str, dict[str, list[int]]]  # [what]["before" or "after"][player]


def make_map(
    game: str,
    by: str,
    *,
    out: Path | None,
    plots: Mapping[str, Path | None],
    seed: int,
    threads: int,
    as_json: bool,
) -> None:
    """Make a map, write it, and report its sizes."""
    from regretless.abstraction._composition import hand_map
    from regretless.core.files import require_distinct
    from regretless.core.tables import facts_table
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli import options
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar

    named = {f"--{name.replace('_', '-')}": path for name, path in plots.items()}
    require_distinct({"--out": out}, {"the game": game_file(game)})
    options.require_outputs(named, {"the game": game_file(game), "--out": out})
    started = time.perf_counter()
    with Bar() as bar:
        buckets = hand_map(game, by, out=out, seed=seed, threads=threads, listen=bar.show)
    seconds, sizes = time.perf_counter() - started, _sizes(game, buckets)
    if plots["plot"] is not None:
        buckets.plot(plots["plot"])
    if plots["plot_boards"] is not None:
        buckets.plot_boards(plots["plot_boards"])
    rows = [("game", game), ("by", f"{buckets.by}, in {seconds:.3g} s")]
    for name, one in zip(buckets.deal.rounds, buckets.rounds, strict=True):
        recall = ", remembering the previous round" if one.remembers else ""
        rows.append((name, f"{one.count:,} buckets of {one.index.size:,} hands{recall}"))
    for what, counts in sizes.items():
        before, after = (", ".join(f"{n:,}" for n in counts[key]) for key in ("before", "after"))
        rows.append((what.replace("_", " "), f"{after} instead of {before}"))
    rows.append(("fingerprint", buckets.fingerprint))
    facts = {"game": game, **buckets.facts(), **sizes, "seconds": seconds}
    finish(facts, facts_table(rows), as_json=as_json, written={"out": out, **plots})


def _sizes(game: str, buckets: HandMap) -> Sizes:
    """Decision points and sequences before and after; a map ignores betting, and neither does a
    game whose bets are not listed."""
    from regretless.blueprints.blueprint import require_suitable
    from regretless.core.errors import TooLarge, Unsuitable
    from regretless.games._betting_tree import BettingTree
    from regretless.games._catalog import load

    rules = load(game).rules
    try:
        if rules is None:
            return {}
        require_suitable(rules)
        tree = BettingTree(rules)
        after = tree.sizes(buckets.counts)
    except (Unsuitable, TooLarge):
        return {}
    rounds = range(len(buckets.rounds))
    before = tree.sizes([buckets.deal.index(round, ordered=True).size for round in rounds])
    names = ("decision_points", "sequences")
    return {
        name: {"before": old, "after": new}
        for name, old, new in zip(names, before, after, strict=True)
    }
