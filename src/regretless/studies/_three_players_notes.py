"""Notes on the tables of the study of three-player poker."""

ABOUT = """Münch 2017 compares strategies for three-player Kuhn and Leduc by several concepts: CFR,
MaxMin (MM: CFR against opponents who share payoffs but not cards), Stackelberg (SE3; SE2 plays
position 1 as CFR does), always betting (aggro) and uniform play (rnd). Cells are
`thesis → ours`; ma/h are thousandths of an ante per hand, here exact over all deals."""

_CFR = """The thesis ran 10^8 iterations."""

_SHARES = """Best hand: of wins; uncalled: of those, everybody else folded; the last two are of
losses. The best hand counts folded hands too."""

NOTES = {
    "5.1": f"""{_CFR} Which equilibrium CFR approaches depends on details of the run: player 2
chooses, at no cost to itself, how much player 1 loses to player 3.""",
    "5.2": f"""{_CFR} The thesis concludes that CFR is not near an equilibrium of Leduc: best
responses gain 1.06. On the same game (32,937 nodes; the thesis says almost 33,000) our average
strategy comes close within seconds. The thesis's values, and two of its three best responses, are
multiples of 1/1680 to all printed digits, and there are 1680 ordered deals of three cards and a
board: what was evaluated there was a pure strategy, not the average. The last row shows what our
own last iterate would lose: it mixes little, and is as far from an equilibrium as the
thesis's strategy.""",
    "5.3": """Our SE3 is the proven optimum or has a bound, see the table of commitments.
The thesis's values of SE3 cannot be Stackelberg values: its own MM row shows that opponents can
secure -0.036, -0.021 and 0.042, and a follower who plays a best response earns at least that, which
leaves a leader at most -0.021, -0.005 and 0.057. Its constraints (4.3) to (4.4) and (4.15) to
(4.16) omit what an action earns in hands that continue, so its followers do not play best
responses.""",
    "6.1": """The ranking in the thesis depends on its SE and CFR strategies, which differ from
ours: its CFR bluffs far more (Table 6.6), which no equilibrium does. Tables of mm, aggro and rnd
alone agree to 3 ma/h: MM is nearly the same strategy there and here. The row rnd, aggro of the
thesis has se3 and se2 swapped; Table 6.8 has the halves of both, and we follow it.""",
    "6.2": "Rows and columns of Table 6.1 without aggro and rnd; the thesis prints no last line.",
    "6.3": """The ranking is that of the thesis. Both baselines earn less against our mm and cfr
than against the thesis's; its CFR hardly mixes (Table 5.2).""",
    "6.4": """The mean over the tables of Table 6.1. In the thesis, se3 earns in position 1 what it
loses in position 2; its strategies there differ from ours (Table 5.3).""",
    "6.5": "The mean over the tables of Table 6.3.",
    "6.6": f"""{_SHARES} 14 % of the wins of the thesis's CFR are with worse cards, 3 % of ours.""",
    "6.7": f"""{_SHARES} First-round wins are shares of all hands; the thesis's fit better as
shares of wins.""",
    "6.8": """Both halves of every cell of Table 6.1. As in the thesis, the order matters least to
mm, and to cfr it matters most where aggro takes part.""",
    "6.9": """Both halves of every cell of Table 6.3. The order matters less to our mm and cfr than
to the thesis's.""",
    "6.10": """Equal strategies earn different amounts, because their neighbours differ. The
difference is far smaller with ours than with the thesis's, whose CFR hardly mixes (Table 5.2).""",
    "speed": """The thesis: 9 days for CFR on Leduc, 336 days of CPU time for everything.""",
    "certificate": """Simultaneous updates. Gains bound what any player could win by deviating to
one fixed strategy; with CFR they go to zero in every game, for any number of players.""",
    "sharing": """A strategy is fixed before the others choose, so opponents who agree on plans
before the deal are the worst case without communication; exact by column generation. MM by CFR
is not a maximin strategy: it guarantees far less than is possible.""",
    "commitments": """Global optima by SCIP where the gap is 0; where it is not, nothing better than
the bound exists. Position 1 earns what the equilibrium with b11 = b21 = 0 pays, position 3 what the
one with b11 = b21 = 1/4 pays; position 2 gains by leading. Followers' regrets are from best
responses in the whole game.""",
    "more": """Tables of three different strategies, equally weighted. `equilibrium` is the member
of the exact family with b11 = b21 = 0.""",
    "more leduc": "Local optima of Formulation 3 from the strategy of CFR.",
    "matches": """Dealer and agents are processes that speak the ACPC protocol; the log has the
same hands as the match in one process.""",
}
