"""Hands from the text files that PokerStars writes: hold'em cash games and tournaments.

Sites whose files differ only in the first line, such as GGPoker's, are read too. A player who
neither posts nor acts was not dealt in, even if listed: that leaves out who sits out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from regretless.core.files import reading
from regretless.play.histories.seen import Following, Posts, SeenHand, Unreadable

_MONEY = r"[$€£¥]?"
_AMOUNT = rf"{_MONEY}([0-9][0-9,]*(?:\.[0-9]{{1,2}})?)"
_FIRST = re.compile(
    r"\ufeff?(?P<site>PokerStars|Poker)(?: Zoom| Home Game)? (?:Hand|Game) #(?P<prefix>[A-Z]*)"
    r"(?P<number>[0-9]+):\s+(?P<rest>.*)"
)
_STAKES = re.compile(rf"\(.*?{_AMOUNT}/{_AMOUNT}(?: [A-Z]{{3}})?.*?\)")
_GAME = re.compile(r"Hold'em (No Limit|Pot Limit|Limit)")
_TABLE = re.compile(r"Table '?(?P<table>.*?)'? (?:[0-9]+-max )?.*Seat #(?P<button>[0-9]+) is the")
_SEAT = re.compile(rf"Seat ([0-9]+): (.*) \({_AMOUNT} in chips.*\)")
_POST = re.compile(rf"posts (the ante|small blind|big blind|small & big blinds|straddle) {_AMOUNT}")
_BOARD = re.compile(r"\*\*\* (FLOP|TURN|RIVER) \*\*\* .*\[([2-9TJQKAcdhs ]+)\]$")
_SHOWS = re.compile(r"shows \[([2-9TJQKA][cdhs] [2-9TJQKA][cdhs])\]")
_DEALT = re.compile(r"Dealt to (.*) \[([2-9TJQKA][cdhs] [2-9TJQKA][cdhs])\]")
_SUMMED = re.compile(r"Seat ([0-9]+): .*(?:mucked|showed) \[([2-9TJQKA][cdhs] [2-9TJQKA][cdhs])\]")
_TAKES = re.compile(rf"(.*) collected {_AMOUNT} from ")
_ACTS = re.compile(rf"(folds|checks|calls|bets|raises)(?: {_AMOUNT})?(?: to {_AMOUNT})?")


def is_pokerstars(line: str) -> bool:
    """Whether this is the first line of such a file."""
    return _FIRST.match(line) is not None


def read_pokerstars(path: str | Path) -> Iterator[SeenHand | Unreadable]:
    """The hands of a file; an unreadable hand is yielded as its error."""
    with reading(path, "a hand history", errors="backslashreplace") as stream:
        yield from parse_pokerstars(stream, name=str(path))


def parse_pokerstars(lines: Iterable[str], *, name: str) -> Iterator[SeenHand | Unreadable]:
    """The same, from lines."""
    held: list[str] = []
    first = number = 0
    for number, line in enumerate(lines, start=1):
        text = line.rstrip()
        if _FIRST.match(text):
            if held:
                yield _hand(held, name, first)
            held, first = [text], number
        elif text and held:
            held.append(text)
    if held:
        yield _hand(held, name, first)


def _hand(lines: list[str], name: str, line: int) -> SeenHand | Unreadable:
    try:
        return _Reading(lines).hand()
    except Unreadable as error:
        return Unreadable(f"{name}:{line}: {error}")


class _Reading:
    """The lines of one hand, from the first to the last."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        first = _FIRST.match(lines[0])
        assert first is not None
        self.number, self.site = int(first["number"]), first["site"]
        rest = first["rest"]
        game = _GAME.search(rest)
        if game is None:
            raise Unreadable(f"{rest!r}: must be hold'em")
        self.limit = game[1] == "Limit"
        self.tournament = "Tournament" in rest
        stakes = _STAKES.search(rest[game.end() :])
        if stakes is None:
            raise Unreadable(f"{rest!r}: blinds are missing")
        self.unit = 1 if self.tournament else 100
        self.stakes = self._amount(stakes[1]), self._amount(stakes[2])
        self._seats()

    def _amount(self, text: str) -> int:
        whole, _, part = text.replace(",", "").partition(".")
        if self.unit == 1 and part.strip("0"):
            raise Unreadable(f"amount {text}: must be whole chips in a tournament")
        return int(whole) * self.unit + (int(part.ljust(2, "0")) if self.unit > 1 and part else 0)

    def _seats(self) -> None:
        """The seats, and the players who were dealt in."""
        header = _TABLE.match(self.lines[1]) if len(self.lines) > 1 else None
        if header is None:
            raise Unreadable("its second line does not name the table and the button")
        self.table, button = header["table"], int(header["button"])
        stacks: dict[str, int] = {}
        seats: dict[str, int] = {}
        for line in self.lines[2:]:
            seat = _SEAT.fullmatch(line)
            if seat is not None:
                seats[seat[2]], stacks[seat[2]] = int(seat[1]), self._amount(seat[3])
            elif line.startswith("*** "):
                break
        self.said = [(self._who(line, seats), line) for line in self.lines[2:]]
        dealt = {who for who, line in self.said if who and self._takes_part(who, line)}
        if len(dealt) < 2:
            raise Unreadable(f"{len(dealt)} players: must be 2 to 10")
        most = max(seats.values()) + 1
        self.names = sorted(dealt, key=lambda who: (seats[who] - button - 1) % most)
        self.stacks = [stacks[who] for who in self.names]
        self.position = {who: p for p, who in enumerate(self.names)}
        self.by_seat = {seats[who]: p for p, who in enumerate(self.names)}

    @staticmethod
    def _who(line: str, seats: dict[str, int]) -> str:
        """The player of a line; a name may contain colons."""
        at = line.find(": ")
        while at >= 0:
            if line[:at] in seats and not line.startswith("Seat "):
                return line[:at]
            at = line.find(": ", at + 1)
        return ""

    @staticmethod
    def _takes_part(who: str, line: str) -> bool:
        said = line[len(who) + 2 :]
        return bool(_POST.match(said) or _ACTS.match(said))

    def hand(self) -> SeenHand:
        followed, hero = Following(self.stacks, self._posts(), full_blind=True), -1
        collected = [0] * len(self.names)
        for who, line in self.said:
            if line.startswith("*** SUMMARY"):
                break
            if who in self.position:
                self._said(followed, self.position[who], line[len(who) + 2 :])
            elif found := _BOARD.match(line):
                followed.board(found[2].replace(" ", ""))
            elif (found := _DEALT.match(line)) and found[1] in self.position:
                hero = self.position[found[1]]
                followed.hold(hero, found[2].replace(" ", ""))
            elif (found := _TAKES.match(line)) and found[1] in self.position:
                collected[self.position[found[1]]] += self._amount(found[2])
        for _, line in self.said:
            if (found := _SUMMED.match(line)) and int(found[1]) in self.by_seat:
                followed.hold(self.by_seat[int(found[1])], found[2].replace(" ", ""))
        names = [re.sub(r"[:|\s]", "_", who) for who in self.names]
        seen = followed.finished(
            self.number, names, collected=collected, site=self.site, table=self.table
        )
        return seen._replace(hero=hero)

    def _posts(self) -> Posts:
        count = len(self.names)
        antes, blinds, usual = [0] * count, [0] * count, True
        small, big = (1, 0) if count == 2 else (0, 1)
        for who, line in self.said:
            post = _POST.match(line[len(who) + 2 :]) if who in self.position else None
            if post is None:
                continue
            p, paid = self.position[who], self._amount(post[2])
            if post[1] == "the ante":
                antes[p] += paid
            elif post[1] == "small & big blinds":  # the small one is dead
                live = min(paid, self.stakes[1])
                blinds[p], antes[p], usual = live, antes[p] + paid - live, False
            else:
                blinds[p] = paid
                usual &= (post[1], p) in (("small blind", small), ("big blind", big))
        usual &= blinds[small] > 0 and blinds[big] > 0
        limits = (self.stakes[0], self.stakes[1]) if self.limit else None
        bet = self.stakes[1]
        if self.limit and not self.tournament:  # fixed-limit cash tables name bets, not blinds
            bet = self.stakes[0]
        return Posts(tuple(antes), tuple(blinds), bet, self.unit, limits, not usual)

    def _said(self, followed: Following, p: int, said: str) -> None:
        if act := _SHOWS.match(said):
            followed.hold(p, act[1].replace(" ", ""))
            return
        act = _ACTS.match(said)
        if act is None:
            return
        word = act[1]
        if word == "folds":
            followed.fold(p)
        elif word in ("checks", "calls"):
            before = followed.spent[p]
            followed.call(p)
            paid = followed.spent[p] - before
            told = self._amount(act[2]) if act[2] else 0
            if paid != told:
                raise Unreadable(f"{self.names[p]} {said}: expected {paid}")
        else:
            to = act[3] if word == "raises" else act[2]
            if to is None:
                raise Unreadable(f"{self.names[p]} {said}: the amount is missing")
            followed.raise_to(p, self._amount(to))
