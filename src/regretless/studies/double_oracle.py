"""Double oracle with accelerated best responses on Leduc hold'em: Tables 5.1 to 5.6.

The source is Münch 2015, a thesis on double oracles for poker, which builds on the double oracle
of Bošanský et al. 2014 for general games."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import exp, log
from statistics import mean, stdev
from typing import cast

from regretless.core.progress import Listener, Progress
from regretless.core.tables import Table
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.runs.solve import solve
from regretless.solvers._catalog import needed_form, solver
from regretless.solvers.double_oracle import Method
from regretless.studies._study import Cell, Pair, finished

Deck = tuple[int, int]  # kinds of cards, cards of each kind

# Table 5.1: original best response, ABR without and with first-action heuristics.
ITERATIONS: dict[Deck, tuple[int, int, int]] = {
    (2, 2): (59, 49, 43),
    (3, 2): (38, 36, 32),
    (4, 2): (44, 46, 31),
    (5, 2): (39, 47, 32),
    (3, 3): (43, 45, 33),
    (6, 3): (43, 45, 33),
    (8, 3): (42, 45, 39),
    (5, 4): (40, 43, 37),
    (10, 4): (36, 43, 34),
}
# Table 5.3: ABR with both heuristics.
BOTH_ITERATIONS: dict[Deck, int] = dict(
    zip(ITERATIONS, (37, 28, 34, 28, 36, 34, 33, 30, 32), strict=True)
)
# Table 5.5, milliseconds: original best response, ABR with both heuristics.
RUNTIME_MS: dict[Deck, tuple[int, int]] = {
    (2, 2): (2423, 3289),
    (3, 2): (5129, 6947),
    (4, 2): (13738, 11769),
    (5, 2): (19353, 17344),
    (3, 3): (6568, 7827),
    (6, 3): (37379, 32196),
    (8, 3): (77815, 62640),
    (5, 4): (22795, 19741),
    (10, 4): (106503, 102475),
    (12, 4): (269136, 202510),
}
# Table 5.6: iterations and milliseconds with sorted, then with matrix terminal evaluation.
TERMINALS: dict[Deck, tuple[int, int, int, int]] = {
    (2, 2): (37, 3323, 37, 3162),
    (3, 2): (28, 5985, 28, 5857),
    (4, 2): (31, 11305, 29, 10684),
    (5, 2): (37, 17052, 37, 14163),
    (3, 3): (36, 6346, 34, 6063),
    (6, 3): (30, 23355, 35, 26531),
    (8, 3): (34, 50950, 33, 54944),
    (5, 4): (30, 18509, 30, 17705),
    (10, 4): (33, 85642, 32, 87818),
}
# Tables 5.2 and 5.4: percent of the original's iterations saved, over all decks together.
# ABR without heuristics is printed as 3.91; by its counts it needs that many more.
DIFFERENCES = {"ABR": -3.91, "ABR, first action": 18.23, "ABR, both": 25.52}
SMALL: tuple[Deck, ...] = ((2, 2), (3, 2), (4, 2), (5, 2), (3, 3))
TARGET = 1e-6  # exploitability that PCFR+ is timed to

# The paper's algorithm: a linear program at every iteration, temporary leaves.
PAPER = "double-oracle:rough=0,leaves=best-response"
ORIGINAL = f"{PAPER},oracle=generic"
ABR = f"{PAPER},oracle=public,terminal=matrix"
FIRST = f"{ABR},add=first-action"
BOTH = f"{ABR},add=both"
BOTH_SORTED = f"{PAPER},oracle=public,terminal=sorted,add=both"
OURS = "double-oracle:oracle=public,add=both"


@dataclass(frozen=True)
class Run:
    """One run of the double oracle."""

    iterations: int
    seconds: float  # from the rules of the game to the equilibrium
    share: float  # of all sequences: those ever needed
    value: float


@dataclass
class Runs:
    """Runs are shared between tables."""

    listen: Listener
    total: int
    made: dict[tuple[str, str], Run] = field(default_factory=dict)

    def __call__(self, deck: Deck, method: str, **rules: int) -> Run:
        game = spec(deck, **rules)
        key = (game, method)
        if key not in self.made:
            done = min(len(self.made) / self.total, 1.0)
            self.listen(Progress(f"{game} {method}", done=done))
            self.made[key] = timed(game, method)
        return self.made[key]


def tables(listen: Listener, *, quick: bool = False) -> Iterator[Table]:
    """All tables, one after the other; `quick` stops at the small decks."""
    decks = list(SMALL) if quick else list(RUNTIME_MS)
    runs = Runs(listen, total=len(decks) * 6 + len(CHOICES) * len(SMALL))
    for method in (ORIGINAL, ABR, BOTH_SORTED, OURS):
        timed("leduc:ranks=2", method)  # compiles
    counted = [deck for deck in decks if deck in ITERATIONS]
    yield _iterations(runs, counted)
    yield _percent(runs, counted)
    yield _both(runs, counted)
    yield _runtime(runs, decks)
    yield _terminals(runs, counted)
    yield _speed(runs, decks)
    yield _needed(runs, decks)
    yield _choices(runs)


def spec(deck: Deck, **rules: int) -> str:
    """The game of a deck."""
    more = "".join(f",{name}={value}" for name, value in rules.items())
    return f"leduc:ranks={deck[0]},suits={deck[1]}{more}"


def timed(game: str, method: str) -> Run:
    """Solve a game from its rules."""
    started = time.perf_counter()
    form = public_form(game) if needed_form(method) == "public" else sequence_form(game)
    running = finished(solver(method, form))
    assert isinstance(running, Method)
    seconds = time.perf_counter() - started
    share = running.details()["share_of_sequences"]
    return Run(running.iteration, seconds, share, (running.low + running.high) / 2)


def _name(deck: Deck) -> str:
    return f"{deck[0]}×{deck[1]}"


def _iterations(runs: Runs, decks: Sequence[Deck]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for deck in decks:
        ours = [runs(deck, method).iterations for method in (ORIGINAL, ABR, FIRST)]
        rows.append((_name(deck), *map(Pair, ITERATIONS[deck], ours)))
    columns = ("deck", "original", "ABR", "ABR, first action")
    return Table("Table 5.1: iterations", columns, rows, PAIRS)


def _percent(runs: Runs, decks: Sequence[Deck]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    original = [runs(deck, ORIGINAL).iterations for deck in decks]
    for name, method in (("ABR", ABR), ("ABR, first action", FIRST), ("ABR, both", BOTH)):
        ours = [runs(deck, method).iterations for deck in decks]
        saved = [100 * (1 - ours / theirs) for ours, theirs in zip(ours, original, strict=True)]
        total = 100 * (1 - sum(ours) / sum(original))
        rows.append((name, DIFFERENCES[name], total, stdev(saved)))
    columns = ("variant", "thesis", "ours", "our standard deviation over decks")
    return Table("Tables 5.2 and 5.4: iterations saved, %", columns, rows)


def _both(runs: Runs, decks: Sequence[Deck]) -> Table:
    rows = [
        (
            _name(deck),
            Pair(ITERATIONS[deck][2], runs(deck, FIRST).iterations),
            Pair(BOTH_ITERATIONS[deck], runs(deck, BOTH).iterations),
        )
        for deck in decks
    ]
    return Table("Table 5.3: iterations", ("deck", "ABR, first action", "ABR, both"), rows)


def _runtime(runs: Runs, decks: Sequence[Deck]) -> Table:
    rows = [
        (
            _name(deck),
            Pair(RUNTIME_MS[deck][0] / 1000, runs(deck, ORIGINAL).seconds),
            Pair(RUNTIME_MS[deck][1] / 1000, runs(deck, BOTH).seconds),
        )
        for deck in decks
    ]
    note = "From the rules of the game to the equilibrium; excluding compilation."
    return Table("Table 5.5: seconds", ("deck", "original", "ABR, both"), rows, note)


def _terminals(runs: Runs, decks: Sequence[Deck]) -> Table:
    rows = []
    for deck in decks:
        sorted_its, sorted_ms, matrix_its, matrix_ms = TERMINALS[deck]
        by_sort, by_matrix = runs(deck, BOTH_SORTED), runs(deck, BOTH)
        rows.append(
            {
                "deck": _name(deck),
                "iterations, sorted": Pair(sorted_its, by_sort.iterations),
                "iterations, matrix": Pair(matrix_its, by_matrix.iterations),
                "seconds, sorted": Pair(sorted_ms / 1000, by_sort.seconds),
                "seconds, matrix": Pair(matrix_ms / 1000, by_matrix.seconds),
            }
        )
    return Table.of("Table 5.6: terminal evaluation, ABR with both heuristics", rows)


def _speed(runs: Runs, decks: Sequence[Deck]) -> Table:
    rows = []
    for deck in decks:
        ours, game = runs(deck, OURS).seconds, spec(deck)
        runs.listen(Progress(f"{game} lp and pcfr+"))
        rows.append(
            {
                "deck": _name(deck),
                "double oracle, both, s": Pair(RUNTIME_MS[deck][1] / 1000, ours),
                "full LP, s": _lp_seconds(game),
                f"PCFR+ to {TARGET:g}, s": _pcfr_seconds(game),
            }
        )
    return Table.of("Beyond the thesis: speed", rows, SPEED)


def _needed(runs: Runs, decks: Sequence[Deck]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for deck in decks:
        shares = [100 * runs(deck, method).share for method in (ORIGINAL, BOTH, OURS)]
        ours = runs(deck, OURS)
        rows.append((_name(deck), *shares, ours.iterations, f"{ours.value:.9f}"))
    columns = ("deck", "original", "ABR, both", "rough at first", "its iterations", "value")
    note = "Percent of all sequences that were ever in the restricted game; value of player 1."
    return Table("Beyond the thesis: sequences used", columns, rows, note)


def _lp_seconds(game: str) -> float:
    started = time.perf_counter()
    finished(solver("lp", public_form(game).expanded()))
    return time.perf_counter() - started


def _pcfr_seconds(game: str) -> float:
    started = time.perf_counter()
    form = public_form(game).expanded()
    built = time.perf_counter() - started
    return built + solve(form, method="pcfr+", target=TARGET).seconds


@dataclass(frozen=True)
class Choice:
    """Rules that the thesis leaves open."""

    cap: int  # bets and raises in a round
    default: str
    leaves: str

    @property
    def method(self) -> str:
        """The original with these rules."""
        chosen = f"default={self.default},leaves={self.leaves}"
        return f"double-oracle:rough=0,oracle=generic,{chosen}"

    def __str__(self) -> str:
        named = {"first": "fold or check", "last": "raise or bet", "call": "call or check"}
        return f"{self.cap}; {named[self.default]}; {self.leaves}"


CHOICES = [
    Choice(cap, default, leaves)
    for cap in (1, 2, 3)
    for default in ("first", "last", "call")
    for leaves in ("best-response", "extended")
]


def _choices(runs: Runs) -> Table:
    rows: list[tuple[Cell, ...]] = []
    theirs = [ITERATIONS[deck][0] for deck in SMALL]
    for choice in CHOICES:
        ours = [runs(deck, choice.method, cap=choice.cap).iterations for deck in SMALL]
        off = exp(mean(abs(log(a / b)) for a, b in zip(ours, theirs, strict=True)))
        rows.append((str(choice), *ours, off))
    rows.sort(key=lambda row: cast(float, row[-1]))
    rows.insert(0, ("thesis", *theirs, 1.0))
    columns = ("bets per round; default; leaves", *map(_name, SMALL), "off by ×")
    return Table("What is left open: iterations of the original", columns, rows, LEFT_OPEN)


ABOUT = """Double oracle for Leduc hold'em on ten decks (kinds of cards × cards of each kind).
`original` searches the game tree for a best response; `ABR` is the accelerated best response on
the public tree, which responds at every public state. Both solve a linear program at every
iteration and use temporary leaves, as the thesis does."""

PAIRS = "Cells read: thesis → ours (× ratio)."

SPEED = """Here restricted games are solved roughly until nothing more is added, and by linear
programs only then; terminals are sorted. Seconds from the rules of the game to the equilibrium."""

LEFT_OPEN = """The thesis does not say how many bets and raises a round allows, which action comes
first and so is the default strategy, or how ties between best responses are broken (here: by what
is already in the restricted game). The tables above use Leduc's two bets per round, folding or
checking by default. Its second-round heuristics are taken literally: a best response of the second
round is added after all sequences of the first, which saves far more iterations here."""
