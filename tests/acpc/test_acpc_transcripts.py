"""Recorded matches of the reference dealer, replayed byte for byte in both roles."""

from __future__ import annotations

import pytest
from acpc_text import write_reply, write_state
from driving import KUHN_3P, LIMIT_2P, NO_LIMIT_2P, make_match, started, take, transcript

from regretless.games._betting import PokerRules
from regretless.interfaces.acpc.client import Player
from regretless.interfaces.acpc.dealer import End
from regretless.interfaces.acpc.protocol import read_state
from regretless.play.agents._agent import Agent
from regretless.play.table import View

RECORDED = [("kuhn3p", KUHN_3P), ("limit2p", LIMIT_2P), ("nolimit2p", NO_LIMIT_2P)]


class Scripted(Agent):
    """Says what was recorded."""

    def __init__(self, rules: PokerRules, actions: list[str]) -> None:
        super().__init__(rules)
        self.actions = actions
        self.views: list[View] = []

    def act(self, view: View) -> str:
        self.views.append(view)
        return self.actions.pop(0)


@pytest.mark.parametrize(("name", "rules"), RECORDED)
def test_as_dealer(name: str, rules: PokerRules) -> None:
    messages, log = transcript(name)
    dealer = started(make_match(rules, hands=len(log)))
    told = [take(dealer, seat) for seat in range(rules.players)]
    for direction, seat, line in messages:
        if direction == "TO":
            assert told[seat].startswith(line)
            told[seat] = told[seat][len(line) :]
        else:
            assert dealer.waiting == seat
            dealer.receive(seat, line, 0.0)
            told = [left + take(dealer, place) for place, left in enumerate(told)]
    assert dealer.end is End.FINISHED
    assert not any(told)
    assert dealer.log[:-1] == log


@pytest.mark.parametrize(("name", "rules"), RECORDED)
def test_as_client(name: str, rules: PokerRules) -> None:
    messages, log = transcript(name)
    for seat in range(rules.players):
        said = [line for to, place, line in messages if (to, place) == ("FROM", seat)]
        agent = Scripted(rules, [line.decode().strip().rpartition(":")[2] for line in said])
        player = Player(rules, agent)
        replies = [
            reply
            for to, place, line in messages
            if (to, place) == ("TO", seat) and (reply := player.receive(line))
        ]
        assert replies == said
        assert player.tally == (len(log), len(said))
        for view, line in zip(agent.views, said, strict=True):
            state = read_state(line.strip().rpartition(b":")[0])
            assert (view.position, view.number) == (state.position, state.hand)
            assert view.betting.history == state.betting
            assert "".join(view.hole) == state.cards.split("/")[0].split("|")[view.position]
            assert "".join(view.board) == "".join(state.cards.split("/")[1:])


@pytest.mark.parametrize(("name", "rules"), RECORDED)
def test_lines_read_and_written(name: str, rules: PokerRules) -> None:
    messages, _ = transcript(name)
    last = {}
    for direction, seat, line in messages:
        if direction == "TO":
            assert write_state(read_state(line)) == line
            last[seat] = line
        else:
            assert write_reply(last[seat], line.decode().strip().rpartition(":")[2]) == line
