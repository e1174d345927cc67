"""An intruder crosses a grid that a guard patrols; neither sees the other.

A pursuit game modelled on the border patrols of Bošanský et al. 2014. Both move simultaneously,
step by step. The intruder starts left of the grid, enters it in a row of its choice and escapes
by stepping out on the right, which wins 1. The guard starts in the middle; if both meet or swap
places, the intruder is caught and loses 1. When time runs out, nobody wins. Every step costs the
intruder a `toll`, paid to the guard. With `tracks`, the guard notices when it reaches a cell
where the intruder has been."""

from __future__ import annotations

from dataclasses import dataclass

from regretless.core.errors import within
from regretless.games._state import TERMINAL, Game, State

MOVES = {"hold": (0, 0), "east": (1, 0), "north": (0, -1), "south": (0, 1), "west": (-1, 0)}
OUTSIDE = -1
Place = tuple[int, int]  # column, row


@dataclass(frozen=True, slots=True)
class Grid:
    """The fixed part of the game."""

    width: int
    height: int
    steps: int
    tracks: bool
    toll: float

    def holds(self, place: Place) -> bool:
        return 0 <= place[0] < self.width and 0 <= place[1] < self.height


@dataclass(frozen=True, slots=True)
class PursuitState(State):
    """Both positions, the intruder's track, and what both remember."""

    grid: Grid
    intruder: Place
    guard: Place
    been: tuple[Place, ...] = ()
    moved: Place | None = None  # the intruder's move while the guard still chooses
    memory: tuple[str, str] = ("", "")
    step: int = 0
    result: int | None = None

    @property
    def player(self) -> int:
        if self.result is not None:
            return TERMINAL
        return 0 if self.moved is None else 1

    @property
    def actions(self) -> list[str]:
        return [name for name, _ in self._moves()]

    def child(self, index: int) -> PursuitState:
        name, place = self._moves()[index]
        mine, theirs = self.memory
        if self.moved is None:
            memory = (f"{mine}{name[:2]} ", theirs)
            return PursuitState(
                self.grid, self.intruder, self.guard, self.been, place, memory, self.step
            )
        return self._after(place, (mine, f"{theirs}{name[0]}"))

    def view(self, player: int) -> str:
        return f"{self.step}:{self.memory[player]}"

    @property
    def payoff(self) -> tuple[float, float]:
        won = float(self.result or 0) - self.grid.toll * self.step
        return won, -won

    def _moves(self) -> list[tuple[str, Place]]:
        if self.result is not None:
            return []
        grid = self.grid
        if self.moved is None and self.intruder[0] == OUTSIDE:
            return [(f"{row + 1} enter", (0, row)) for row in range(grid.height)]
        column, row = self.intruder if self.moved is None else self.guard
        places = [(name, (column + x, row + y)) for name, (x, y) in MOVES.items()]
        out = (grid.width, row)  # for the intruder only
        return [
            (name, place)
            for name, place in places
            if grid.holds(place) or (self.moved is None and place == out)
        ]

    def _after(self, guard: Place, memory: tuple[str, str]) -> PursuitState:
        """Both have moved."""
        intruder = self.moved
        assert intruder is not None
        step = self.step + 1
        swapped = intruder == self.guard and guard == self.intruder
        result = None
        if intruder == guard or swapped:
            result = -1
        elif intruder[0] == self.grid.width:
            result = 1
        elif step == self.grid.steps:
            result = 0
        been = (*self.been, intruder) if self.grid.tracks else ()
        mine, theirs = memory
        theirs += "! " if guard in been else " "
        return PursuitState(self.grid, intruder, guard, been, None, (mine, theirs), step, result)


def game(
    *, width: int = 3, height: int = 3, steps: int = 4, tracks: bool = True, toll: float = 0.0
) -> Game:
    """`steps` is the time limit, `toll` what every step costs the intruder."""
    within("width", width, 1, 9)
    within("height", height, 1, 9)
    within("steps", steps, 1, 12)
    within("toll", toll, 0, 1)
    grid = Grid(width, height, steps, tracks, toll)
    root = PursuitState(grid, (OUTSIDE, 0), (width // 2, height // 2))
    return Game("pursuit", 2, root, f"Pursuit on a grid of {width}×{height}, {steps} steps")
