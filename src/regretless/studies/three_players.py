"""Three-player Kuhn and Leduc: CFR, MaxMin, Stackelberg, and the tournament that compares them.

Münch 2017 (thesis), Tables 5.1 to 5.3 and 6.1 to 6.10, Figures 6.1 to 6.4. Leagues are computed
over all deals; the thesis played 10 million hands per table for Kuhn and 5 million for Leduc."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from math import sqrt

import numpy as np

from regretless.core.errors import Interrupted, RegretlessError
from regretless.core.progress import Listener
from regretless.core.tables import Table
from regretless.evaluation.exploitability import evaluate
from regretless.evaluation.league import League
from regretless.evaluation.outcomes import Outcomes, outcomes
from regretless.evaluation.outcomes_report import payoffs_by_card, payoffs_by_position
from regretless.evaluation.payoffs import Cell as Payoff
from regretless.forms.teams import sharing_cards
from regretless.play.league import league
from regretless.solvers._catalog import solver
from regretless.studies import _three_players_published as published
from regretless.studies._study import Beside, Cell, Picture, finished
from regretless.studies._three_players_published import ABOUT, NOTES
from regretless.studies._three_players_runs import (
    FULL,
    KUHN,
    LEDUC,
    QUICK,
    Runs,
    coarse_certificate,
    guarantees,
    in_process,
    most_guaranteed,
    over_the_protocol,
)

__all__ = ["ABOUT", "tables"]

POSITIONS = ("position 1", "position 2", "position 3")
SEED = 2017
RATIONAL = ("mm", "cfr", "se3", "se2")


def tables(listen: Listener, *, quick: bool = False) -> Iterator[Table | Picture]:
    """All tables and figures; failures are listed in a separate table."""
    made = _Tables(Runs(listen, QUICK if quick else FULL))
    problems: list[tuple[Cell, ...]] = []
    for name, make in made.makers():
        try:
            yield make()
        except Interrupted:
            raise
        except RegretlessError as error:
            problems.append((name, str(error)))
    if problems:
        yield Table("What is missing", ("part", "why"), problems)
    with suppress(RegretlessError):  # already reported in the tables
        yield from made.pictures()


class _Tables:
    """Every table, from shared runs."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs

    def makers(self) -> Iterator[tuple[str, Callable[[], Table]]]:
        """In the order of the thesis, then ours beyond it."""
        all_, few, p = published.NAMES, published.LEDUC_NAMES, published
        yield "5.1", lambda: self._cfr("5.1", KUHN, (p.KUHN_VALUES, p.KUHN_RESPONSES))
        yield "5.2", lambda: self._cfr("5.2", LEDUC, (p.LEDUC_VALUES, p.LEDUC_RESPONSES))
        yield "5.3", self._kinds
        yield "6.1", lambda: self._cross("6.1", self.kuhn, p.KUHN_CROSS, all_)
        yield "6.2", lambda: self._cross("6.2", self.kuhn, _rational(p.KUHN_CROSS), RATIONAL)
        yield "6.3", lambda: self._cross("6.3", self.leduc, p.LEDUC_CROSS, few)
        yield "6.4", lambda: self._positions("6.4", self.kuhn_ends, p.KUHN_POSITIONS)
        yield "6.5", lambda: self._positions("6.5", self.leduc_ends, p.LEDUC_POSITIONS)
        yield "6.6", lambda: self._behaviour("6.6", "Kuhn", self.kuhn_ends, p.KUHN_BEHAVIOUR)
        yield "6.7", lambda: self._behaviour("6.7", "Leduc", self.leduc_ends, p.LEDUC_BEHAVIOUR)
        yield "6.8", lambda: self._orders("6.8", self.kuhn, p.KUHN_ORDERS, all_)
        yield "6.9", lambda: self._orders("6.9", self.leduc, p.LEDUC_ORDERS, few)
        yield "6.10", self._twice
        beyond = [self.speed, self.certificate, self.sharing, self.commitments, self.more_kuhn]
        beyond += [self.more_leduc] * bool(self.runs.scale.leduc_s)
        beyond += [self.matches] * bool(self.runs.scale.hands)
        for make in beyond:
            yield make.__name__, make

    # Leagues and outcomes, once each.

    @cached_property
    def kuhn(self) -> League:
        return league(KUHN, self.runs.kuhn(), listen=self.runs.listen)

    @cached_property
    def leduc(self) -> League:
        return league(LEDUC, self.runs.leduc(), listen=self.runs.listen)

    @cached_property
    def kuhn_ends(self) -> Outcomes:
        triples = combinations(published.NAMES, 3)
        tables = [table for table in triples if not {"se2", "se3"} <= set(table)]
        return outcomes(KUHN, self.runs.kuhn(), tables=tables)

    @cached_property
    def leduc_ends(self) -> Outcomes:
        return outcomes(LEDUC, self.runs.leduc())

    # Chapter 5.

    def _cfr(self, number: str, game: str, theirs: tuple[tuple[float, ...], ...]) -> Table:
        self.runs.cfr(game)
        evaluation = self.runs.curves[f"{game} cfr"][-1].evaluation
        gaps = [best - value for value, best in zip(*theirs, strict=True)]
        rows: list[tuple[Cell, ...]] = [
            ("CFR", *map(Beside, theirs[0], evaluation.values)),
            ("best response", *map(Beside, theirs[1], evaluation.best_responses)),
            ("epsilon", *map(Beside, gaps, evaluation.epsilon)),
        ]
        last = evaluate(self.runs.last[game])
        rows.append(("epsilon of the last iterate", *last.epsilon))
        title = f"Table {number}: expected values of CFR, {game}"
        return Table(title, ("", *POSITIONS), rows, NOTES[number])

    def _kinds(self) -> Table:
        runs, form = self.runs, self.runs.form(KUHN)
        cfr = runs.cfr(KUHN)
        values = runs.curves[f"{KUHN} cfr"][-1].evaluation.values
        leading = [runs.leader(KUHN, position)["values"][0] for position in range(3)]
        team = []
        for position in range(3):
            running = solver(f"maxmin:learner=cfr,player={position + 1}", form)
            running.step(runs.iterations(KUHN))
            team.append(running.details()["values"][0])
        rows: list[tuple[Cell, ...]] = [
            ("CFR", *map(Beside, published.KUHN_VALUES, values)),
            ("SE3", *map(Beside, published.SE_VALUES, leading)),
            ("MM", *map(Beside, published.MM_VALUES, team)),
        ]
        assert cfr.form is form
        return Table("Table 5.3: expected values, Kuhn", ("", *POSITIONS), rows, NOTES["5.3"])

    # Chapter 6.

    def _cross(
        self, number: str, league: League, theirs: published.Cross, names: tuple[str, ...]
    ) -> Table:
        rows: list[tuple[Cell, ...]] = []
        ours: dict[str, list[float]] = {name: [] for name in names}
        for pair, row in theirs.items():
            cells: list[Cell] = []
            for name in names:
                if name not in row:
                    cells.append(None)
                    continue
                ours[name].append(league.against(name, *pair).mean)
                cells.append(Beside(row[name], ours[name][-1]))
            rows.append((", ".join(pair), *cells))
        printed = {name: [row[name] for row in theirs.values() if name in row] for name in names}
        last = [Beside(float(np.mean(printed[n])), float(np.mean(ours[n]))) for n in names]
        rows.append(("overall", *last))
        title = f"Table {number}: column against the row, {league.game}, {league.unit.name}"
        return Table(title, ("opponents", *names), rows, NOTES[number])

    def _positions(
        self, number: str, outcomes: Outcomes, theirs: Mapping[str, tuple[float, ...]]
    ) -> Table:
        scale = 1000 / outcomes.ends.ante
        rows: list[tuple[Cell, ...]] = []
        for name, printed in theirs.items():
            ours = [scale * outcomes.mean(name, position) for position in (1, 2, 3)]
            rows.append((name, *map(Beside, printed, [*ours, scale * outcomes.mean(name)])))
        title = f"Table {number}: means by position, {outcomes.game}, ma/h"
        return Table(title, ("strategy", *POSITIONS, "overall"), rows, NOTES[number])

    def _behaviour(
        self, number: str, game: str, outcomes: Outcomes, theirs: Mapping[str, tuple[float, ...]]
    ) -> Table:
        shown = published.BEHAVIOUR[number]
        rows: list[tuple[Cell, ...]] = []
        for name, printed in theirs.items():
            ours = outcomes.behaviour(name)._asdict()
            cells = zip(printed, shown.values(), strict=True)
            rows.append((name, *(Beside(a, 100 * ours[key]) for a, key in cells)))
        title = f"Table {number}: how hands are won and lost, {game}, %"
        return Table(title, ("strategy", *shown), rows, NOTES[number])

    def _orders(
        self, number: str, league: League, theirs: published.Orders, names: tuple[str, ...]
    ) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for (a, b), row in theirs.items():
            for which, place in enumerate(("A, B, C", "A, C, B")):
                cells: list[Cell] = []
                for c in names:
                    order = (a, b, c) if which == 0 else (a, c, b)
                    if c not in row:
                        cells.append(None)
                    else:
                        cells.append(Beside(row[c][which], in_order(league, order, c)))
                rows.append((f"A = {a}, B = {b}: {place}", *cells))
        title = f"Table {number}: by order around the table, {league.game}, {league.unit.name}"
        return Table(title, ("order; C in the column", *names), rows, NOTES[number])

    def _twice(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for order, printed in published.LEDUC_TWICE.items():
            ours = [cell.mean for cell in rotated(self.leduc, order)]
            rows.append((", ".join(order), *map(Beside, printed, ours)))
        columns = ("order", "first", "second", "third")
        title = "Table 6.10: the same strategy twice, Leduc, ma/h"
        return Table(title, columns, rows, NOTES["6.10"])

    # Beyond the thesis.

    def speed(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        for key, curves in self.runs.curves.items():
            for curve in curves:
                epsilon = max(curve.evaluation.epsilon)
                rows.append((f"{key}, {curve.iterations:,}", curve.seconds, epsilon))
        columns = ("run, iterations", "seconds", "largest epsilon")
        title = "Beyond the thesis: epsilon against seconds"
        return Table(title, columns, rows, NOTES["speed"])

    def certificate(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        count = self.runs.scale.certificate_iterations
        for game in (KUHN, LEDUC):
            self.runs.tell(f"{game}: coarse correlated equilibrium")
            values, gains = coarse_certificate(self.runs.form(game), count)
            rows.append((f"{game}: values", *map(float, values)))
            rows.append((f"{game}: gains", *map(float, gains)))
        title = f"Beyond the thesis: coarse correlated play by CFR, {count:,} iterations"
        return Table(title, ("", *POSITIONS), rows, NOTES["certificate"])

    def sharing(self) -> Table:
        form, runs = self.runs.form(KUHN), self.runs
        runs.tell("what can be guaranteed")
        cards = []
        for player in range(3):
            running = finished(solver("lp", sharing_cards(form, player)))
            cards.append(round(running.form.respond(0, running.behaviour())[0], 12) + 0.0)
        rows: list[tuple[Cell, ...]] = [
            ("most that can be guaranteed, opponents share cards", *cards),
            ("the same, opponents agree on plans (TMECor)", *most_guaranteed(form)),
            ("guaranteed by MM", *guarantees(form, runs.mm(KUHN))),
            ("guaranteed by CFR", *guarantees(form, runs.cfr(KUHN))),
            ("guaranteed by SE", *guarantees(form, runs.leading(KUHN))),
        ]
        title = "Beyond the thesis: guarantees against all others as a team, Kuhn"
        return Table(title, ("", *POSITIONS), rows, NOTES["sharing"])

    def commitments(self) -> Table:
        most = most_guaranteed(self.runs.form(KUHN))
        leaders = [self.runs.leader(KUHN, position) for position in range(3)]
        secured = [-(sum(most) - most[position]) for position in range(3)]
        rows: list[tuple[Cell, ...]] = [
            ("thesis", *published.SE_VALUES),
            ("no leader earns more than (followers' guarantees)", *secured),
            ("ours", *(one["values"][0] for one in leaders)),
            ("bound", *(one["bound"] for one in leaders)),
            ("gap", *(one["gap"] for one in leaders)),
            ("largest regret of a follower", *(max(one["follower_regrets"]) for one in leaders)),
            ("seconds", *(one["seconds"] for one in leaders)),
        ]
        title = "Beyond the thesis: Stackelberg, Kuhn, with proofs"
        return Table(title, ("", *POSITIONS), rows, NOTES["commitments"])

    def more_kuhn(self) -> Table:
        played = league(KUHN, self.runs.more_kuhn(), duplicates=False, listen=self.runs.listen)
        return _standings(played, "Beyond the thesis: a larger Kuhn league, ma/h", "more")

    def more_leduc(self) -> Table:
        given = {**self.runs.leduc(), "se, local": self.runs.leading(LEDUC)}
        played = league(LEDUC, given, duplicates=False, listen=self.runs.listen)
        table = _standings(played, "Beyond the thesis: Leduc with local SE, ma/h", "more leduc")
        solved = {p: one for (game, p), one in self.runs.leaders.items() if game == LEDUC}
        texts = [
            f"Position {p + 1} leads for {one['values'][0]:.4f} chips, followers' regrets "
            f"{max(one['follower_regrets']):.1g}, in {one['seconds']:.0f} s."
            for p, one in sorted(solved.items())
        ]
        texts += [
            f"Position {p + 1} plays as CFR: no solution in time." for p in self.runs.unsolved
        ]
        return replace(table, note=" ".join([table.note, *texts]))

    def matches(self) -> Table:
        rows: list[tuple[Cell, ...]] = []
        hands = self.runs.scale.hands
        kuhn, leduc = self.runs.kuhn(), self.runs.leduc()
        tables = [
            (KUHN, {name: kuhn[name] for name in ("mm", "cfr", "se3")}, self.kuhn),
            (LEDUC, {name: leduc[name] for name in ("mm", "cfr", "rnd")}, self.leduc),
        ]
        for game, seated, exact_league in tables:
            self.runs.tell(f"{game}: {hands:,} hands over the ACPC protocol")
            log = over_the_protocol(game, seated, hands=hands, seed=SEED)
            same = log == in_process(game, seated, hands=hands, seed=SEED)
            for name in seated:
                won = np.array([hand.payoffs[hand.names.index(name)] for hand in log])
                half = 1.96 * won.std(ddof=1) / sqrt(len(won))
                exact = in_order(exact_league, tuple(seated), name)
                played = f"{1000 * won.mean():.1f} ± {1000 * half:.1f}"
                rows.append((f"{game}: {name}", exact, played, "yes" if same else "no"))
        columns = ("strategy", "exact", "over the protocol, 95 %", "same hands as in process")
        title = f"Beyond the thesis: matches over the ACPC protocol, {hands:,} hands each, ma/h"
        return Table(title, columns, rows, NOTES["matches"])

    def pictures(self) -> tuple[Picture, ...]:
        kuhn, leduc = self.kuhn_ends, self.leduc_ends
        return (
            Picture("figure-6.1", lambda path: payoffs_by_position(kuhn, path)),
            Picture("figure-6.2", lambda path: payoffs_by_position(leduc, path)),
            Picture("figure-6.3", lambda path: payoffs_by_card(kuhn, path)),
            Picture("figure-6.4", lambda path: payoffs_by_card(leduc, path)),
        )


def _rational(cross: published.Cross) -> published.Cross:
    """The part of a cross table that is about rational strategies."""
    return {
        pair: {name: cell for name, cell in row.items() if name in RATIONAL}
        for pair, row in cross.items()
        if set(pair) <= set(RATIONAL)
    }


def _standings(played: League, title: str, note: str) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, *(cell.mean for cell in played.positions[name]), overall.mean)
        for name, overall in played.overall.items()
    ]
    return Table(title, ("strategy", *POSITIONS, "overall"), rows, NOTES[note])


def rotated(league: League, order: tuple[str, ...]) -> list[Payoff]:
    """Cells of an order around the table, seats as given, for any rotation in the league."""
    for shift in range(len(order)):
        turned = order[shift:] + order[:shift]
        if turned in league.orders:
            cells = list(league.orders[turned])
            return cells[len(order) - shift :] + cells[: len(order) - shift]
    raise KeyError(order)


def in_order(league: League, order: tuple[str, ...], name: str) -> float:
    """What a strategy earns while this order rotates."""
    return float(rotated(league, order)[order.index(name)].mean)
