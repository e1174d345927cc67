"""Public names, and where each lives."""

from regretless.stochastic.game import Stage as Stage
from regretless.stochastic.game import StochasticGame as StochasticGame
from regretless.stochastic.induction import solve_stochastic as solve_stochastic
from regretless.stochastic.level_game import stochastic_game as stochastic_game
from regretless.stochastic.levels import abstract_stochastic as abstract_stochastic
