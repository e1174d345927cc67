"""Runs of spots: results in chips and percent of the pot, and the file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from regretless.cards.equities import equity
from regretless.core.errors import BadInput, BadParameter, number, shown
from regretless.evaluation.exploitability import Evaluation
from regretless.evaluation.hand_shares import Shares
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.games._betting import Betting
from regretless.games._icm import IndependentChipModel
from regretless.games._spot_files import to_toml
from regretless.games._spot_tree import tree_size
from regretless.strategy import compact, files
from regretless.strategy.node_indexing import early_values, index_of
from regretless.strategy.packed import PackedStrategy
from regretless.strategy.strategy import Strategy

DEFAULT_PERCENT = "0.5%"
DEFAULT_OF_PRIZES = "0.001%"  # pots are a small part of all prizes


def is_spot(form: Form) -> bool:
    """Whether a form belongs to a spot."""
    return form.game is not None and form.game.spot is not None


def start_of(form: Form) -> Betting:
    """Where the play of a spot begins."""
    assert isinstance(form, PublicForm)
    return form.layout.root.betting


def stake(form: Form) -> float:
    """What percentages refer to: the pot, or all prizes if payoffs are prizes."""
    utility = start_of(form).rules.utility
    if isinstance(utility, IndependentChipModel):
        return sum(utility.prizes)
    return float(start_of(form).pot)


def stake_name(form: Form) -> str:
    """The name of what percentages refer to."""
    return "the pot" if start_of(form).rules.utility is None else "all prizes"


def unit(form: Form) -> str:
    """The unit of payoffs."""
    return "chips" if start_of(form).rules.utility is None else "prizes"


def plain_target(target: str | float | None) -> float | None:
    """A target as a number, unless it is a percentage; refused if it is neither."""
    if target is None or str(target).strip().endswith("%"):
        return None
    if not isinstance(target, str):
        return number("target", target)
    try:
        return float(target)
    except ValueError:
        raise BadParameter(
            f"target={shown(target)}: must be a number, or for spots a percentage such as 0.5%"
        ) from None


def target_in_chips(form: Form, target: str | float | None) -> float | None:
    """A target as a number; percentages are of the pot of a spot."""
    plain = plain_target(target)
    if target is None or plain is not None:
        return plain
    if not is_spot(form):
        raise BadParameter(f"target={target}: percentages are for spots only; give a number")
    assert form.game is not None
    assert form.game.spot is not None
    spot = form.game.spot
    return spot.chips(target) / spot.pot * stake(form)


def default_target(form: Form) -> float:
    """When a run of a spot ends by default."""
    whole = start_of(form).rules.utility is None
    target = target_in_chips(form, DEFAULT_PERCENT if whole else DEFAULT_OF_PRIZES)
    assert target is not None
    return target


def evs(form: Form, values: tuple[float, ...]) -> list[float]:
    """What players win, the pot included: out of position first."""
    start = start_of(form)
    if start.rules.utility is not None:
        return list(values)
    shares = [start.rules.dead / 2 + spent for spent in start.spent]
    return [value + share for value, share in zip(values, shares, strict=True)]


def facts(form: Form, evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation as JSON-compatible data; of a spot also in chips."""
    return {
        "exploitability": evaluation.exploitability,
        "nash_conv": evaluation.nash_conv,
        "epsilon": list(evaluation.epsilon),
        "values": list(evaluation.values),
        "best_responses": list(evaluation.best_responses),
        **(in_chips(form, evaluation) if is_spot(form) else {}),
    }


def in_chips(form: Form, evaluation: Evaluation) -> dict[str, Any]:
    """What an evaluation means for a spot."""
    return {
        "ev": evs(form, evaluation.values),
        "exploitability_percent": 100 * evaluation.exploitability / stake(form),
        "unit": unit(form),
        "percent_of": stake_name(form),
    }


def sizes(form: Form) -> dict[str, Any]:
    """Equities of the ranges and the size of the tree."""
    assert isinstance(form, PublicForm)
    assert form.game.spot is not None
    root = form.layout.root
    board = tuple(card for cards in root.boards for card in cards)
    first, second = root.deck.weights
    shares = equity(first, second, board)
    facts: dict[str, Any] = {"equity": [shares.first, shares.second]}
    if not root.betting.history:
        tree = tree_size(form.game.spot)
        facts["tree"] = {"nodes": tree.nodes, "action_entries": tree.action_entries}
    return facts


def save(
    path: str | Path,
    strategy: Strategy,
    about: Mapping[str, Any],
    state: Mapping[str, np.ndarray],
) -> None:
    """Write a solution at 16 bits per number, with everything needed to browse it."""
    form = strategy.form
    assert isinstance(form, PublicForm)
    assert form.game.spot is not None
    if start_of(form).history:
        raise BadInput("a spot re-solved from a later line cannot be saved")
    index = index_of(form.layout)
    # Values are computed from the rounded strategy, so that they agree with it on rare lines.
    if isinstance(strategy, PackedStrategy):
        numbers = strategy.parts()
        values = early_values(form, strategy.numbers, index)
        # The strategy is the solver's average: it is not written twice.
        state = {name: v for name, v in state.items() if v is not strategy.numbers}
    else:
        numbers = compact.packed(form, strategy.behaviour)
        values = early_values(form, compact.unpacked(form, numbers), index)
    more = {f"values_{p + 1}": part.astype(np.float32) for p, part in enumerate(values)}
    more |= index.tensors() | {f"state.{name}": vector for name, vector in state.items()}
    if form.game.spot.street == "flop":
        more["equities"] = Shares.on(form.game.spot.board, form.game.spot.ranges).packed()
    told = {**about, "spot": to_toml(form.game.spot)}
    files.write_compact(path, form, numbers, told, more)
