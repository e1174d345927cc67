"""The numbers of Münch 2017, table by table, and our notes on them.

Cross tables show what the strategy of a column earns against the two of a row, in thousandths of an
ante per hand. In Table 6.1 the row `rnd, aggro` has its entries of se3 and se2 swapped:
Table 6.8 has the halves of both, and we follow it."""

from __future__ import annotations

from typing import TypeAlias

Pair: TypeAlias = tuple[str, str]
Cross: TypeAlias = dict[Pair, dict[str, float]]
Orders: TypeAlias = dict[Pair, dict[str, tuple[float, float]]]

NAMES = ("mm", "cfr", "se3", "se2", "aggro", "rnd")
LEDUC_NAMES = ("mm", "cfr", "aggro", "rnd")

# Tables 5.1 and 5.2: values of CFR, values of best responses.
KUHN_VALUES = (-0.027914, -0.021318, 0.049232)
KUHN_RESPONSES = (-0.02775, -0.019357, 0.049311)
LEDUC_VALUES = (0.002381, -0.04881, 0.046429)
LEDUC_RESPONSES = (1.063844, 1.02619, 0.332143)
# Table 5.3
SE_VALUES = (0.0359, 0.04167, 0.1562)
MM_VALUES = (-0.03645, -0.020845, 0.041679)

# Table 6.1
KUHN_CROSS: Cross = {
    ("cfr", "mm"): {"se3": 43.4, "se2": 27.1, "aggro": -211.2, "rnd": -323.9},
    ("cfr", "aggro"): {"mm": 177.1, "se3": 125.5, "se2": 46.3, "rnd": -476.6},
    ("cfr", "rnd"): {"mm": 166.9, "se3": 166.7, "se2": 99.3, "aggro": 82.6},
    ("mm", "aggro"): {"cfr": 34.1, "se3": -10.8, "se2": -47.3, "rnd": -461.2},
    ("mm", "rnd"): {"cfr": 157.0, "se3": 89.5, "se2": 66.0, "aggro": 211.8},
    ("se2", "cfr"): {"mm": 79.5, "aggro": -125.6, "rnd": -309.8},
    ("se2", "mm"): {"cfr": -106.6, "aggro": -54.0, "rnd": -187.0},
    ("se3", "cfr"): {"mm": 91.5, "aggro": -173.7, "rnd": -336.7},
    ("se3", "mm"): {"cfr": -134.9, "aggro": -117.8, "rnd": -220.1},
    ("se2", "aggro"): {"mm": 101.3, "cfr": 79.3, "rnd": -412.0},
    ("se2", "rnd"): {"mm": 121.0, "cfr": 210.5, "aggro": 335.8},
    ("se3", "aggro"): {"mm": 128.7, "cfr": 48.2, "rnd": -438.4},
    ("se3", "rnd"): {"mm": 130.6, "cfr": 170.0, "aggro": 261.6},
    ("rnd", "aggro"): {"mm": 249.4, "cfr": 394.1, "se3": 176.8, "se2": 76.2},
}
KUHN_OVERALL = {
    "mm": 138.44,
    "cfr": 94.63,
    "se3": 98.52,
    "se2": 44.6,
    "aggro": 23.28,
    "rnd": -351.74,
}
# Table 6.3
LEDUC_CROSS: Cross = {
    ("mm", "aggro"): {"cfr": 293.2, "rnd": -1116.1},
    ("cfr", "aggro"): {"mm": 390.3, "rnd": -1028.3},
    ("mm", "rnd"): {"cfr": 358.8, "aggro": 565.0},
    ("cfr", "rnd"): {"mm": 365.1, "aggro": 731.1},
    ("mm", "cfr"): {"aggro": -683.5, "rnd": -723.9},
    ("rnd", "aggro"): {"mm": 551.2, "cfr": 297.2},
}
LEDUC_OVERALL = {"mm": 436.0, "cfr": 316.0, "aggro": 204.0, "rnd": -956.0}
# Tables 6.4 and 6.5: by position, then overall.
KUHN_POSITIONS = {
    "mm": (126.5, 111.4, 177.4, 138.4),
    "cfr": (199.6, 152.7, -68.5, 94.6),
    "se3": (297.8, -109.7, 107.5, 98.5),
    "se2": (135.5, -109.4, 107.7, 44.6),
    "aggro": (124.7, 40.2, -95.1, 23.3),
    "rnd": (-282.5, -339.3, -433.5, -351.7),
}
LEDUC_POSITIONS = {
    "mm": (452.0, 639.0, 215.0, 436.0),
    "cfr": (380.0, 259.0, 310.0, 316.0),
    "aggro": (436.0, 305.0, -129.0, 204.0),
    "rnd": (-815.0, -967.0, -1085.0, -956.0),
}
# Tables 6.6 and 6.7, percent: columns, and what they are in `outcomes.Behaviour`.
BEHAVIOUR = {
    "6.6": {
        "wins": "wins",
        "best hand": "best_hand_wins",
        "uncalled": "best_hand_wins_uncalled",
        "best hand lost": "best_hand_losses",
        "folds": "folds",
    },
    "6.7": {
        "wins": "wins",
        "first round": "first_round_wins",
        "best hand": "best_hand_wins",
        "uncalled": "best_hand_wins_uncalled",
        "best hand lost": "best_hand_losses",
        "folds for the ante": "ante_folds",
    },
}
KUHN_BEHAVIOUR = {
    "cfr": (36, 86, 25, 3.4, 50),
    "mm": (29, 98, 5.5, 6.5, 83),
    "se2": (28, 95, 9.1, 9.6, 83),
    "se3": (30, 94, 8.4, 7.3, 77),
    "aggro": (45, 74, 45, 0, 0),
    "rnd": (28, 87, 22, 12, 41),
}
LEDUC_BEHAVIOUR = {
    "cfr": (27, 5.3, 87, 11, 19, 53),
    "mm": (30, 5.2, 86, 9.9, 18, 51),
    "aggro": (62, 23, 65, 54, 0, 0),
    "rnd": (25, 9.2, 79, 21, 28, 46),
}
# Table 6.8: column in the order (A, B, C), then in (A, C, B).
KUHN_ORDERS: Orders = {
    ("cfr", "mm"): {
        "se3": (85.7, 1.1),
        "se2": (86.8, -32.6),
        "aggro": (-102.7, -319.7),
        "rnd": (-257.6, -390.2),
    },
    ("cfr", "aggro"): {
        "mm": (155.8, 198.4),
        "se3": (43.1, 207.9),
        "se2": (-26.0, 118.6),
        "rnd": (-519.0, -434.3),
    },
    ("cfr", "rnd"): {
        "mm": (156.8, 177.0),
        "se3": (158.7, 174.7),
        "se2": (103.4, 95.2),
        "aggro": (128.3, 36.8),
    },
    ("mm", "aggro"): {
        "cfr": (-95.7, 163.9),
        "se3": (-57.4, 35.8),
        "se2": (-116.6, 22.0),
        "rnd": (-492.1, -430.3),
    },
    ("mm", "rnd"): {
        "cfr": (80.6, 233.5),
        "se3": (44.7, 134.3),
        "se2": (10.7, 121.3),
        "aggro": (170.8, 252.8),
    },
    ("se2", "cfr"): {"mm": (71.5, 87.4), "aggro": (-184.3, -66.9), "rnd": (-341.0, -277.7)},
    ("se2", "mm"): {"cfr": (-54.8, -158.3), "aggro": (17.7, -125.6), "rnd": (-143.7, -230.3)},
    ("se3", "cfr"): {"mm": (85.7, 97.3), "aggro": (-211.9, -135.5), "rnd": (-355.1, -318.3)},
    ("se3", "mm"): {"cfr": (-98.4, -171.4), "aggro": (-69.0, -166.6), "rnd": (-187.3, -253.0)},
    ("se2", "aggro"): {"mm": (103.6, 98.9), "cfr": (-51.7, 210.3), "rnd": (-446.6, -377.4)},
    ("se2", "rnd"): {"mm": (109.0, 133.1), "cfr": (182.4, 238.5), "aggro": (351.6, 320.1)},
    ("se3", "aggro"): {"mm": (130.9, 126.4), "cfr": (-72.3, 168.8), "rnd": (-468.4, -408.3)},
    ("se3", "rnd"): {"mm": (118.7, 142.6), "cfr": (143.6, 196.4), "aggro": (271.8, 251.4)},
    ("rnd", "aggro"): {
        "mm": (259.5, 239.3),
        "cfr": (305.9, 482.2),
        "se3": (136.5, 217.1),
        "se2": (25.8, 126.5),
    },
}
# Table 6.9
LEDUC_ORDERS: Orders = {
    ("cfr", "mm"): {"aggro": (-670.7, -696.3), "rnd": (-667.4, -780.3)},
    ("cfr", "aggro"): {"mm": (346.2, 434.4), "rnd": (-1085.8, -970.8)},
    ("cfr", "rnd"): {"mm": (453.7, 276.5), "aggro": (751.1, 711.0)},
    ("mm", "aggro"): {"cfr": (236.2, 350.1), "rnd": (-1178.1, -1054.1)},
    ("mm", "rnd"): {"cfr": (391.0, 326.6), "aggro": (550.1, 579.8)},
    ("rnd", "aggro"): {"mm": (504.0, 598.3), "cfr": (219.6, 374.8)},
}
# Table 6.10
LEDUC_TWICE = {
    ("mm", "mm", "cfr"): (-181.2, 132.2, 49.1),
    ("cfr", "cfr", "mm"): (-63.5, 151.9, -88.4),
}


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
