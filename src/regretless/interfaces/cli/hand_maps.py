"""`abstract` with buckets by round: a map of hands for games of any size."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regretless.abstraction._hand_map import HandMap

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
        found = hand_map(game, by, out=out, seed=seed, threads=threads, listen=bar.show)
    seconds, sizes = time.perf_counter() - started, _sizes(game, found)
    if plots["plot"] is not None:
        found.plot(plots["plot"])
    if plots["plot_boards"] is not None:
        found.plot_boards(plots["plot_boards"])
    rows = [("game", game), ("by", f"{found.by}, in {seconds:.3g} s")]
    for name, one in zip(found.deal.rounds, found.rounds, strict=True):
        recall = ", remembering the previous round" if one.remembers else ""
        rows.append((name, f"{one.count:,} buckets of {one.index.size:,} hands{recall}"))
    for what, counts in sizes.items():
        before, after = (", ".join(f"{n:,}" for n in counts[key]) for key in ("before", "after"))
        rows.append((what.replace("_", " "), f"{after} instead of {before}"))
    rows.append(("fingerprint", found.fingerprint))
    facts = {"game": game, **found.facts(), **sizes, "seconds": seconds}
    finish(facts, facts_table(rows), as_json=as_json, written={"out": out, **plots})


def _sizes(game: str, found: HandMap) -> Sizes:
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
        after = tree.sizes(found.counts)
    except (Unsuitable, TooLarge):
        return {}
    rounds = range(len(found.rounds))
    before = tree.sizes([found.deal.index(round, ordered=True).size for round in rounds])
    names = ("decision_points", "sequences")
    return {
        name: {"before": old, "after": new}
        for name, old, new in zip(names, before, after, strict=True)
    }
