"""`strength`: how strong a hand of hold'em is, now and on the river."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regretless.interfaces.cli import options

if TYPE_CHECKING:
    from regretless.core.arrays import Floats, Ints
    from regretless.core.tables import Table

EIGHTHS = " ▁▂▃▄▅▆▇█"
PLAIN = " .:-=+*%#"  # for terminals without block characters
HEIGHT = 6  # lines of the picture


def strength(
    hand: Annotated[str, typer.Argument(help="two cards, e.g. AsKd")],
    board: options.Board = "",
    clusters: Annotated[int, typer.Option(help="opponent clusters to compare with")] = 8,
    map_: Annotated[
        Path | None, typer.Option("--map", help="show the bucket of the hand in this map")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="plot the histogram to this file")] = None,
    json_: options.Json = False,
) -> None:
    """Expected hand strength, its distribution on the river, and equity against clusters of hands.

    Strength is the equity against a uniformly random hand, ties count half; all exact."""
    from regretless.abstraction._opponents import opponent_clusters, preflop_cluster_strengths
    from regretless.cards.holdings import card_name, class_of, number_of
    from regretless.cards.strengths import arranged, cluster_strengths
    from regretless.cards.strengths import strength as exact
    from regretless.core.errors import within
    from regretless.core.tables import facts_table
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar

    held, shown = arranged(hand, board)
    names = ["".join(map(card_name, cards)) for cards in (held, shown)]
    within("clusters", clusters, 1, 169)  # before tables are computed, which may take long
    options.require_outputs({"--plot": plot}, {})
    bucket = _bucket(map_, held, shown)
    with Bar() as bar:
        measured = exact(held, shown, listen=bar.show)
        groups = opponent_clusters(clusters, listen=bar.show)
        if shown:
            vector = cluster_strengths(held, shown, groups)
        else:
            cell = int(class_of()[number_of(*held)])
            vector = preflop_cluster_strengths(cell, groups, listen=bar.show)
    where = names[0] + (f" on {names[1]}" if names[1] else " before the flop")
    if plot is not None:
        from regretless.abstraction._hand_pictures import strength_picture

        strength_picture(measured, where, plot)
    told = {
        "hand": names[0],
        "board": names[1],
        "ehs": measured.ehs,
        "ehs2": measured.ehs2,
        "histogram": measured.histogram.tolist(),
        "ochs": vector.tolist(),
        "clusters": [_members(groups, k) for k in range(len(vector))],
        "bucket": bucket[0] if bucket else None,
        "buckets": bucket[1] if bucket else None,
    }
    rows = [
        ("hand", where),
        ("E[HS]", f"{measured.ehs:.4f}"),
        ("E[HS²]", f"{measured.ehs2:.4f}"),
        *([("bucket", f"{bucket[0]:,} (0 to {bucket[1] - 1:,})")] if bucket else []),
    ]
    drawn = ("", "strength on the river", *picture(measured.histogram), "")
    table = _cluster_table(vector, groups)
    finish(told, facts_table(rows), *drawn, table, as_json=json_, written={"plot": plot})


def _bucket(path: Path | None, held: Sequence[int], shown: Sequence[int]) -> tuple[int, int] | None:
    """The bucket of a hand in a map of hold'em, and how many there are."""
    if path is None:
        return None
    from regretless.abstraction._deal_rules import DealRules
    from regretless.abstraction._hand_map_files import load_hand_map

    hand_map = load_hand_map(path)
    hand_map.require(DealRules())
    round = len(hand_map.split(shown)) - 1
    return hand_map.of(held, shown), hand_map.counts[round]


def picture(histogram: Floats) -> list[str]:
    """Lines that draw a histogram, and its scale."""
    try:
        EIGHTHS.encode(sys.stdout.encoding or "ascii")
        blocks = EIGHTHS
    except (LookupError, UnicodeEncodeError):
        blocks = PLAIN
    most = float(histogram.max())
    parts = [round(8 * HEIGHT * float(share) / most) for share in histogram]
    # A share above 0 is always visible.
    parts = [max(p, 1) if share > 0 else 0 for p, share in zip(parts, histogram, strict=True)]
    lines = []
    for row in range(HEIGHT - 1, -1, -1):
        line = "".join(blocks[min(max(part - 8 * row, 0), 8)] for part in parts)
        label = f"{most:6.1%} " if row == HEIGHT - 1 else " " * 7
        lines.append((label + line).rstrip())
    lines.append(" " * 7 + "0" + " " * (len(parts) - 2) + "1")
    return lines


def _members(groups: Ints, cluster: int) -> list[str]:
    """The classes of a cluster, the best first."""
    from regretless.cards.holdings import class_names
    from regretless.cards.ranges import BEST_FIRST

    names = class_names()
    mine = {names[cell] for cell, group in enumerate(groups.tolist()) if group == cluster}
    return [name for name in BEST_FIRST.split() if name in mine]


def _cluster_table(vector: Floats, groups: Ints) -> Table:
    from regretless.core.tables import Column, Table, prose

    members = [_members(groups, k) for k in range(len(vector))]
    rows = [
        (k, len(mine), share, " ".join(mine[:5]) + (" …" if len(mine) > 5 else ""))
        for k, (mine, share) in enumerate(zip(members, vector.tolist(), strict=True), start=1)
    ]
    columns = (Column("cluster"), "classes", Column("equity", ".4f"), prose("e.g."))
    return Table("", columns, rows)
