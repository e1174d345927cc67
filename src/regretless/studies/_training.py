"""Blueprints of studies: trained once, continued by larger budgets, kept in files, compared."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from regretless.blueprints.blueprint import Blueprint
from regretless.blueprints.files import load_blueprint, opened
from regretless.core.errors import BadFile, Interrupted
from regretless.core.progress import Listener
from regretless.evaluation.one_on_one import OneOnOne, one_on_one
from regretless.runs.blueprint_runs import DEFAULT_METHOD, train_blueprint
from regretless.runs.limits import Stop

THREADS = min(2, os.cpu_count() or 1)


def trained(
    game: str,
    map: Path,
    path: Path,
    iterations: int,
    listen: Listener,
    *,
    earlier: Sequence[Path] = (),
) -> Blueprint:
    """The blueprint of a map after some iterations: read from its file, or continued from what it
    or an earlier file has, or made."""
    known = {one: count for one in (*earlier, path) if (count := _iterations(one))}
    if known.get(path, 0) >= iterations:
        return load_blueprint(path, map=map)
    before = max(known, key=lambda one: known[one], default=None)
    blueprint = train_blueprint(
        None if before else game,
        map,
        method=DEFAULT_METHOD,
        iterations=iterations,
        threads=THREADS,
        out=path,
        resume=before,
        keep_state=True,
        listen=listen,
    )
    if blueprint.about["stop"] == Stop.INTERRUPTED:
        raise Interrupted("training was interrupted; repeat the command to continue")
    return blueprint


def compared(first: Blueprint, second: Blueprint, boards: int, listen: Listener) -> OneOnOne:
    """What the first blueprint wins from the second."""
    result = one_on_one(first, second, boards=boards, threads=THREADS, listen=listen)
    if result.interrupted:
        raise Interrupted("the comparison was interrupted")
    return result


def _iterations(path: Path) -> int:
    """Of a blueprint that was made before; 0 if there is none."""
    try:
        return int(opened(path).about["iterations"])
    except (BadFile, OSError):
        return 0
