"""Random matches through the dealer and through a slow model of it: every byte is equal."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from acpc_text import write_rules
from driving import KUHN_3P, LIMIT_2P, NO_LIMIT_2P, make_match, started, take, transcript
from model import RANK_NAMES, SUIT_NAMES, ModelHand, ModelMatch

from regretless.games._acpc import parse_rules
from regretless.games._betting import NO_CAP, NO_LIMIT_STACK, PokerRules
from regretless.interfaces.acpc.client import Player
from regretless.interfaces.acpc.dealer import Dealer, End
from regretless.play.agents._agent import Agent
from regretless.play.deals import deals
from regretless.play.histories.acpc_log import read_log
from regretless.play.match import play_match
from regretless.play.table import Table, View

HANDS = 12
MATCHES = 400
ROUNDING = 1e-5  # of thirds of 2^31 chips


def odd_rules(rng: random.Random) -> PokerRules:
    """Any rules that a definition can state, the odder the better."""
    while True:
        players, rounds = rng.choice([2, 2, 3, 4, rng.randint(2, 10)]), rng.randint(1, 4)
        board = tuple(rng.choice([0, 1, 1, 2, 3]) for _ in range(rounds))
        hole, ranks, suits = rng.randint(1, 3), rng.randint(1, 13), rng.randint(1, 4)
        if sum(board) <= 7 and players * hole + sum(board) <= ranks * suits:
            break
    limit = rng.random() < 0.4
    caps = tuple(rng.choice([0, 1, 2, 4, NO_CAP]) for _ in range(rounds))
    blinds = tuple(rng.choice([0, 0, 1, 2, 5, 7]) for _ in range(players))
    if not any(caps) and not any(blinds):
        blinds = (*blinds[1:], 3)
    deep = rng.choice([0, 1, 9, 60, 1000])
    stacks = tuple(blind + rng.randint(0, deep) for blind in blinds)
    if rng.random() < 0.2 or not any(stacks):
        stacks = (NO_LIMIT_STACK,) * players
    return PokerRules(
        players=players,
        ranks=ranks,
        suits=suits,
        hole=hole,
        board=board,
        blinds=blinds,
        first=tuple(rng.randrange(players) for _ in range(rounds)),
        caps=caps,
        raises=tuple(rng.randint(1, 9) for _ in range(rounds)) if limit else None,
        stacks=stacks,
    )


def a_move(rng: random.Random, model: ModelMatch) -> tuple[str, int]:
    """A legal one: letter, and the total of a raise."""
    hand = model.hand
    sizes = hand.sizes()
    letters = "cc" + "f" * hand.may_fold() + ("rr" if sizes else "")
    letter = rng.choice(letters)
    if letter != "r" or sizes is None:
        return letter, 0
    low, high = sizes
    return "r", rng.choice([low, low, min(high, 2 * low), rng.randint(low, high), high])


def spelled(rng: random.Random, model: ModelMatch, letter: str, to: int) -> bytes:
    """One of the ways in which the dealer understands this move, good or bad."""
    hand, no_limit = model.hand, model.rules.raises is None
    sizes = hand.sizes()
    if letter == "f":
        return rng.choice([b":f", b":F", b":f and so on", b":fr"])
    if letter == "c":
        ways = [b":c", b":C", b":k", b":K", b":c5", b"", b":", b":x", b": c", b"!c", b"c"]
        ways += [] if hand.may_fold() else [b":f", b":F"]
        ways += [b":r", b":b", b":r:5", b":rr5"] if no_limit else []
        ways += [b":r", b":r50", b":b2"] if sizes is None else []
        return rng.choice(ways)
    if not no_limit:
        return rng.choice([b":r", b":R", b":b", b":B", b":r 7", b":r99999", b":rx"])
    assert sizes is not None
    amounts = [str(to), f" {to}", f"+{to}", f"00{to}", f"{to}x", f"{to} and so on"]
    if to == sizes[0]:
        amounts += ["0", "1", "-7", str(max(0, to - 1))]
    if to == sizes[1]:
        amounts += [str(to + 1), "2147483647", "9" * 300]
    return rng.choice([b":r", b":R", b":b", b":B"]) + rng.choice(amounts).encode()


def echoed(rng: random.Random, model: ModelMatch, line: str) -> str:
    """The state as a client may echo it."""
    head, number, hand, betting, cards = line.split(":")
    kind = rng.randrange(6)
    if kind == 0:
        betting = betting.replace("/", "")
    elif kind == 1:
        cards = cards.swapcase()
    elif kind == 2 and model.rules.board[0] == 0:  # claims to know what others hold
        holes, slash, rest = cards.partition("/")
        claimed = "2c" * model.rules.hole
        cards = "|".join(hole or claimed for hole in holes.split("|")) + slash + rest
    elif kind == 3 and model.rules.raises is not None:
        betting = betting.replace("r", "b").replace("c", "K")
    return ":".join((head, number, hand, betting, cards))


def noise(rng: random.Random, model: ModelMatch, line: str) -> bytes:
    """A line that is no answer."""
    head, number, hand, betting, cards = line.split(":")
    place = model.hand.actor()
    own = model.hand.holes[place]
    wrong = rng.choice([r + s for r in RANK_NAMES for s in SUIT_NAMES if r + s not in own])
    at = sum(map(len, cards.split("|")[:place])) + place  # where the own cards begin
    ways = [
        b"",
        b"# c",
        b"; r",
        b"hello",
        rng.randbytes(20).replace(b"\n", b"").replace(b"#", b"").replace(b";", b"") + b".",
        f" {line}:c".encode(),
        f"{head}:{(int(number) + 1) % model.rules.players}:{hand}:{betting}:{cards}:c".encode(),
        f"{head}:{number}:{int(hand) + 1}:{betting}:{cards}:c".encode(),
        f"{head}:{number}:{hand}:{betting}c:{cards}:c".encode(),
        f"{head}:{number}:{hand}:{betting}:{cards[:at]}{wrong}{cards[at + 2 :]}:c".encode(),
        f"{head}:{number}:{hand}:{betting}:|{cards}:c".encode(),
        line[: rng.randrange(len("MATCHSTATE:0:0:"))].encode(),
        b"MATCHSTATE:" + b"7" * 5000,
    ]
    return rng.choice(ways)


def both_told(dealer: Dealer, model: ModelMatch) -> None:
    """What the dealer sends is what the model says."""
    for seat, told in enumerate(model.told):
        assert take(dealer, seat) == "".join(f"{line}\r\n" for line in told).encode()
        told.clear()


@pytest.mark.parametrize("seed", range(8))
def test_every_byte(seed: int) -> None:
    """Wrong lines, odd spellings, and lines in pieces: all seats hear what the model says."""
    rng = random.Random(seed)
    for _ in range(MATCHES // 8):
        rules, rotate = odd_rules(rng), rng.random() < 0.8
        match = make_match(rules, hands=HANDS, seed=rng.getrandbits(32), rotate=rotate)
        model = ModelMatch(rules, match.names, hands=HANDS, seed=match.seed, rotate=rotate)
        dealer = started(match)
        while not model.over:
            while dealer.automatic:
                dealer.proceed(0.0)
            seat = model.waiting()
            assert dealer.waiting == seat
            line = model.told[seat][-1]
            both_told(dealer, model)
            for _ in range(rng.choice([0, 0, 0, 1, 2])):
                dealer.receive(seat, noise(rng, model, line) + b"\r\n", 0.0)
                assert not any(dealer.out)
            letter, to = a_move(rng, model)
            said = spelled(rng, model, letter, to)
            said = echoed(rng, model, line).encode() + said + rng.choice([b"\r\n", b"\n"])
            cut = rng.randrange(len(said)) if rng.random() < 0.3 else 0
            for piece in filter(None, (said[:cut], said[cut:])):
                dealer.receive(seat, piece, 0.0)
            model.act(letter, to)
        while dealer.automatic:
            dealer.proceed(0.0)
        both_told(dealer, model)
        assert dealer.end is End.FINISHED
        assert dealer.log == [f"{line}\n" for line in model.log]
        assert dealer.score.totals() == pytest.approx(model.totals)
        assert all(abs(sum(hand.values())) < ROUNDING for hand in model.finished)


class Wild(Agent):
    """Does something legal, and remembers what it was shown."""

    def __init__(self, rules: PokerRules, seed: int) -> None:
        super().__init__(rules)
        self.rng = random.Random(seed)
        self.said: list[tuple[int, str, str]] = []

    def act(self, view: View) -> str:
        betting = view.betting
        sizes = betting.raise_range()
        owes = betting.spent[betting.actor] < max(betting.spent)
        letter = self.rng.choice("cc" + "f" * owes + ("rr" if sizes else ""))
        if letter == "r" and sizes and self.rules.raises is None:
            letter += str(self.rng.choice([sizes[0], self.rng.randint(*sizes), sizes[1]]))
        self.said.append((view.number, betting.history, letter))
        return letter


@pytest.mark.parametrize("seed", range(8))
def test_in_process_and_as_client(seed: int) -> None:
    """Matches without sockets, tables and clients see what the model says."""
    rng = random.Random(seed + 100)
    for _ in range(MATCHES // 16):
        rules, dealt_by = odd_rules(rng), rng.getrandbits(32)
        assert parse_rules(write_rules(rules), "x.game") == rules
        names = [f"p{seat}" for seat in range(rules.players)]
        model = ModelMatch(rules, names, hands=HANDS, seed=dealt_by, rotate=True)
        agents = [Wild(rules, seat) for seat in range(rules.players)]
        hands = list(play_match(rules, agents, hands=HANDS, seed=dealt_by, names=names))
        again = [Wild(rules, seat) for seat in range(rules.players)]
        clients = [Player(rules, one) for one in again]
        while not model.over:
            seat = model.waiting()
            replies = hear(model, clients)
            line, _, action = replies[seat].rpartition(":")
            assert (line, [place for place, said in enumerate(replies) if said]) == (
                model.hand.line(model.hand.actor()),
                [seat],
            )
            sizes = model.hand.sizes()
            model.act(action[0], int(action[1:]) if action[1:] else sizes[0] if sizes else 0)
        assert not any(hear(model, clients))
        assert [one.said for one in again] == [one.said for one in agents]
        assert [one.hands for one in clients] == [HANDS] * rules.players
        read = read_log(model.log, check=rules)
        for hand, found, made, deal in zip(
            hands, read, model.finished, islice(deals(rules, dealt_by), HANDS), strict=True
        ):
            assert hand[:3] == found[:3] == (made.number, made.betting(), made.cards(None))
            assert hand.payoffs == pytest.approx(made.values(), abs=1e-9)
            assert abs(sum(hand.payoffs)) < ROUNDING
            at_table(Table.start(rules, deal, hand.number), made)


def hear(model: ModelMatch, clients: list[Player]) -> list[str]:
    """Let all clients hear what they were told, and see what they reply."""
    replies = []
    for lines, client in zip(model.told, clients, strict=True):
        said = client.receive("".join(f"{line}\r\n" for line in lines).encode())
        assert not said or said.endswith(b"\r\n")
        replies.append(said[:-2].decode())
        lines.clear()
    return replies


def at_table(table: Table, made: ModelHand) -> None:
    """The same actions at a table: what everybody sees there, and what it pays."""
    again = ModelHand(made.rules, (made.holes, made.boards), made.number)
    for _, action in (act for acts in made.actions for act in acts):
        assert table.actor == again.actor()
        for position in range(made.rules.players):
            assert table.cards(position) == again.cards(position)
        sizes = again.sizes()
        assert table.betting.raise_range() == sizes
        again.act(action[0], int(action[1:]) if action[1:] else sizes[0] if sizes else 0)
        table = table.act(action)
    assert table.over
    for position in range(made.rules.players):
        assert table.cards(position) == made.cards(position)
    assert table.payoffs() == pytest.approx(made.values(), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "rules"), [("kuhn3p", KUHN_3P), ("limit2p", LIMIT_2P), ("nolimit2p", NO_LIMIT_2P)]
)
def test_the_model_is_the_reference(name: str, rules: PokerRules) -> None:
    """Recorded matches of the reference dealer come out of the model as they were."""
    messages, log = transcript(name)
    names = [f"p{seat + 1}" for seat in range(rules.players)]
    model = ModelMatch(rules, names, hands=len(log), seed=42, rotate=True)
    for direction, seat, line in messages:
        if direction == "TO":
            assert model.told[seat].pop(0) == line.decode().strip()
        else:
            assert seat == model.waiting()
            action = line.decode().strip().rpartition(":")[2]
            sizes = model.hand.sizes()
            model.act(action[0], int(action[1:]) if action[1:] else sizes[0] if sizes else 0)
    assert not any(model.told)
    assert [f"{line}\n" for line in model.log[:-1]] == log
