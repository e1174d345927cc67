"""Gambit's extensive-form files (EFG version 2): read as a game, written from any game.

A file lists the nodes of the tree in prefix order. Differs from Gambit: every decision
point needs a unique label, so empty and duplicate names get a number."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum, isfinite
from pathlib import Path

from regretless.core.errors import BadFile, TooLarge, Unsuitable
from regretless.core.files import read_text
from regretless.games._gambit import (
    SUM_SLACK,
    Reader,
    Token,
    chance_texts,
    distinct,
    number_text,
    player_list,
    quoted,
    quoted_list,
    shown,
)
from regretless.games._state import CHANCE, TERMINAL, Game, Sizes, State

MOST_NODES = 10_000_000  # a file of about a gigabyte


@dataclass(slots=True, eq=False)
class InformationSet:
    """Nodes that their player cannot tell apart."""

    player: int
    number: int
    name: str
    labels: tuple[str, ...]  # actions as the file names them
    chances: tuple[float, ...]
    actions: tuple[str, ...]  # the same, made unique
    text: str = ""  # text of `view`, known once the whole file is read


END = InformationSet(TERMINAL, 0, "", (), (), ())


class EfgState(State):
    """A node. The parser adds its children; it never changes after that."""

    __slots__ = ("children", "index", "paid", "parent", "where")

    def __init__(
        self, where: InformationSet, parent: EfgState | None, paid: tuple[float, ...]
    ) -> None:
        self.where, self.parent = where, parent
        self.paid = paid  # by the outcomes from the root to here
        self.index = len(parent.children) if parent else 0
        self.children: list[EfgState] = []

    @property
    def player(self) -> int:
        return self.where.player

    @property
    def actions(self) -> tuple[str, ...]:
        return self.where.actions

    @property
    def chances(self) -> tuple[float, ...]:
        return self.where.chances

    def child(self, index: int) -> EfgState:
        return self.children[index]

    def view(self, player: int) -> str:
        """The information set; for a player not to move, its last action."""
        if player == self.player:
            return self.where.text
        node = self
        while node.parent is not None:
            index, node = node.index, node.parent
            if node.player == player:
                return f"{node.where.text}>{node.actions[index]}"
        return ""

    @property
    def payoff(self) -> tuple[float, ...]:
        return self.paid


def read_efg(path: str | Path) -> Game:
    """The game in an .efg file."""
    return parse_efg(read_text(path, "an .efg file"), path)


def parse_efg(text: str, source: str | Path) -> Game:
    """The game in the text of an .efg file; errors name `source`."""
    reader = Reader(text, source)
    title, players = reader.first_line("EFG", "2")
    reader.maybe_string()  # a comment
    parser = _Parser(reader, len(players))
    root = parser.tree()
    reader.end()
    parser.name_information_sets()
    sizes = parser.sizes()
    return Game(str(source), len(players), root, title or Path(source).name, lambda: sizes)


class _Parser:
    """Parser of the nodes, with the information sets and outcomes defined so far."""

    def __init__(self, reader: Reader, players: int) -> None:
        self.reader, self.players = reader, players
        self.sets: dict[tuple[int, int], InformationSet] = {}  # by player and number
        self.outcomes: dict[int, tuple[float, ...]] = {}
        self.nodes = self.terminals = 0

    def tree(self) -> EfgState:
        root = self._node(None)
        unfinished = [root]  # a stack, as files nest deeper than Python recurses
        while unfinished:
            parent = unfinished[-1]
            if len(parent.children) == len(parent.actions):
                unfinished.pop()
                continue
            node = self._node(parent)
            parent.children.append(node)
            unfinished.append(node)
        return root

    def _node(self, parent: EfgState | None) -> EfgState:
        reader = self.reader
        kind = reader.word("c", "p", "t")
        reader.string("the name of a node")
        if kind == "t":
            where = END
            self.terminals += 1
        else:
            where = self._information_set(CHANCE if kind == "c" else self._player())
        self.nodes += 1
        at = reader.token
        paid = parent.paid if parent else (0.0,) * self.players
        here = self._outcome()
        if here is not None:
            paid = tuple(above + more for above, more in zip(paid, here, strict=True))
            if not all(map(isfinite, paid)):
                raise reader.error("the payoffs on the path to this node overflow", at)
        return EfgState(where, parent, paid)

    def _player(self) -> int:
        at = self.reader.token
        player = self.reader.whole("the number of a player")
        if not 1 <= player <= self.players:
            raise self.reader.error(f"player {player}: must be 1 to {self.players}", at)
        return player - 1

    def _information_set(self, player: int) -> InformationSet:
        reader, at = self.reader, self.reader.token
        number = reader.whole("the number of an information set")
        name = reader.maybe_string()
        known = self.sets.get((player, number))
        if not reader.sees("{"):
            if known is None:
                problem = f"information set {number} is new here: expected its actions in braces"
                raise reader.error(problem, at)
            return known
        opening = reader.token
        if player == CHANCE:
            labels, chances = self._chances()
        else:
            labels, chances = tuple(reader.strings("an action")), ()
        if known is None:
            actions = distinct(labels, range(1, len(labels) + 1))
            known = InformationSet(player, number, name, labels, chances, actions)
            self.sets[player, number] = known
        elif (labels, chances) != (known.labels, known.chances):
            raise self._contradiction(known, labels, opening)
        known.name = known.name or name
        return known

    def _chances(self) -> tuple[tuple[str, ...], tuple[float, ...]]:
        reader = self.reader
        opening = reader.take()
        labels: list[str] = []
        chances: list[float] = []
        while not (labels and reader.sees("}")):
            labels.append(reader.string("'}' or an action" if labels else "an action"))
            at = reader.token
            chances.append(reader.number("a probability"))
            if chances[-1] < 0:
                raise reader.error(f"probability {at.text}: expected 0 or more", at)
        reader.take()
        if abs(fsum(chances) - 1) > SUM_SLACK:
            raise reader.error(f"probabilities sum to {fsum(chances):.12g}: expected 1", opening)
        return tuple(labels), tuple(chances)

    def _contradiction(
        self, known: InformationSet, labels: tuple[str, ...], opening: Token
    ) -> BadFile:
        where = f"in information set {known.number}: expected"
        if len(labels) != len(known.labels):
            problem = f"{len(labels)} actions {where} {len(known.labels)} as before"
        elif labels != known.labels:
            pairs = zip(labels, known.labels, strict=True)
            new, old = next((new, old) for new, old in pairs if new != old)
            problem = f"action {shown(new)} {where} {shown(old)} as before"
        else:
            problem = f"different probabilities {where} the same as before"
        return self.reader.error(problem, opening)

    def _outcome(self) -> tuple[float, ...] | None:
        reader, at = self.reader, self.reader.token
        number = reader.whole("the number of an outcome")
        if number == 0:
            return None
        reader.maybe_string()
        if not reader.sees("{"):
            if number not in self.outcomes:
                problem = f"outcome {number} is new here: expected its payoffs in braces"
                raise reader.error(problem, at)
            return self.outcomes[number]
        opening = reader.take()
        payoffs = reader.payoffs(self.players)
        reader.mark("}", f"after {self.players} payoffs")
        if self.outcomes.setdefault(number, payoffs) != payoffs:
            problem = f"different payoffs in outcome {number}: expected the same as before"
            raise reader.error(problem, opening)
        return payoffs

    def name_information_sets(self) -> None:
        for player in range(self.players):
            own = [one for one in self.sets.values() if one.player == player]
            texts = distinct([one.name for one in own], [one.number for one in own])
            for one, text in zip(own, texts, strict=True):
                one.text = text

    def sizes(self) -> Sizes:
        points, sequences = [0] * self.players, [1] * self.players
        for one in self.sets.values():
            if one.player != CHANCE:
                points[one.player] += 1
                sequences[one.player] += len(one.actions)
        return Sizes(self.nodes, self.terminals, tuple(points), tuple(sequences))


def to_efg(game: Game, title: str | None = None) -> str:
    """The text of an .efg file for any game; the default title is the game's description."""
    if game.count is not None and (nodes := game.count().nodes) > MOST_NODES:
        raise TooLarge(f"{game.spec}: {nodes:,} nodes: a file can have at most {MOST_NODES:,}")
    title = game.about or game.spec if title is None else title
    lines = [f"EFG 2 R {quoted(title)} {player_list(game.players)}", '""', ""]
    writer = _Writer(game.players)
    stack = [game.root]
    while stack:
        state = stack.pop()
        lines.append(writer.line(state))
        stack += [state.child(index) for index in reversed(range(len(state.actions)))]
    return "\n".join(lines) + "\n"


class _Writer:
    """Lines of the file, and the numbers assigned to information sets and outcomes so far."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.chance_moves = 0
        self.sets: list[dict[str, tuple[int, tuple[str, ...]]]] = [{} for _ in range(players)]
        self.outcomes: dict[tuple[float, ...], int] = {}

    def line(self, state: State) -> str:
        if state.player == TERMINAL:
            return self._terminal(tuple(map(float, state.payoff)))
        if state.player == CHANCE:
            self.chance_moves += 1
            texts = chance_texts(tuple(state.chances))
            moves = (
                f"{quoted(name)} {text}" for name, text in zip(state.actions, texts, strict=True)
            )
            return f'c "" {self.chance_moves} "" {{ {" ".join(moves)} }} 0'
        return self._decision(state.player, state.view(state.player), tuple(state.actions))

    def _decision(self, player: int, view: str, actions: tuple[str, ...]) -> str:
        known = self.sets[player]
        number, before = known.setdefault(view, (len(known) + 1, actions))
        if actions != before:
            raise Unsuitable(f"view {shown(view)} has actions {actions}: earlier it had {before}")
        return f'p "" {player + 1} {number} {quoted(view)} {quoted_list(actions)} 0'

    def _terminal(self, payoff: tuple[float, ...]) -> str:
        number = self.outcomes.setdefault(payoff, len(self.outcomes) + 1)
        return f't "" {number} "" {{ {", ".join(map(number_text, payoff))} }}'
