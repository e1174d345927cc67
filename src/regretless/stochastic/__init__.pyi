"""Public names, and where each lives."""

from regretless.stochastic.catalog import stochastic_solver as stochastic_solver
from regretless.stochastic.certificate import Certificate as Certificate
from regretless.stochastic.certificate import certified as certified
from regretless.stochastic.game import Stage as Stage
from regretless.stochastic.game import StochasticGame as StochasticGame
from regretless.stochastic.induction import solve_stochastic as solve_stochastic
from regretless.stochastic.level_game import stochastic_game as stochastic_game
from regretless.stochastic.levels import abstract_stochastic as abstract_stochastic
from regretless.stochastic.shapley import shapley_game as shapley_game
from regretless.stochastic.soccer import soccer_game as soccer_game
