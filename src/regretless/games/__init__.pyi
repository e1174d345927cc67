"""Public names, and where each lives."""

from regretless.games._catalog import game_names as game_names
from regretless.games._efg import to_efg as to_efg
from regretless.games._nfg import to_nfg as to_nfg
from regretless.games._normal_form import normal_form_game as normal_form_game
from regretless.games._spot import Spot as Spot
from regretless.games._spot_files import to_toml as to_toml
from regretless.games._spot_tree import tree_size as tree_size
from regretless.games._state import Sizes as Sizes
