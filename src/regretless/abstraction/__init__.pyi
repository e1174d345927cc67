"""Public names, and where each lives."""

from regretless.abstraction._abstraction import Abstraction as Abstraction
from regretless.abstraction._composition import hand_map as hand_map
from regretless.abstraction._files import load_abstraction as load_abstraction
from regretless.abstraction._hand_map import HandMap as HandMap
from regretless.abstraction._hand_map_files import load_hand_map as load_hand_map
