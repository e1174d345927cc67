"""Sizes of the games at their default parameters, so that listing the games is instant.

A test counts them all. A game that is not here is counted when it is listed."""

from __future__ import annotations

from regretless.games._state import Sizes

# All zero: too many nodes to count.
DEFAULT_SIZES = {
    "battle_of_the_sexes": Sizes(7, 4, (1, 1), (3, 3)),
    "biased_rps": Sizes(13, 9, (1, 1), (4, 4)),
    "blotto": Sizes(463, 441, (1, 1), (22, 22)),
    "generic_poker": Sizes(12_523, 7_908, (840, 840), (2_281, 2_281)),
    "goofspiel": Sizes(2_229, 576, (369, 369), (463, 463)),
    "holdem_limit": Sizes(
        853_759_058_480_247_427,
        536_833_392_062_836_050,
        (159_682_961_261_304, 159_682_961_261_304),
        (415_175_699_278_861, 415_175_699_280_187),
    ),
    "holdem_nolimit": Sizes(0, 0, (), ()),
    "kuhn": Sizes(58, 30, (6, 6), (13, 13)),
    "leduc": Sizes(1_939, 1_116, (144, 144), (337, 337)),
    "liars_dice": Sizes(294_883, 147_420, (12_288, 12_288), (24_571, 24_571)),
    "matching_pennies": Sizes(7, 4, (1, 1), (3, 3)),
    "prisoners_dilemma": Sizes(7, 4, (1, 1), (3, 3)),
    "pursuit": Sizes(42_135, 31_115, (51, 168), (194, 648)),
    "rhode_island": Sizes(
        6_705_372_545, 4_144_428_912, (26_064_064, 26_064_064), (65_160_161, 65_160_161)
    ),
    "rps": Sizes(13, 9, (1, 1), (4, 4)),
}
