"""Public names, and where each lives."""

from regretless.evaluation.correlation import JointPlay as JointPlay
from regretless.evaluation.correlation import coarse_correlated_gap as coarse_correlated_gap
from regretless.evaluation.equilibrium_opponents import EquilibriumOpponents as EquilibriumOpponents
from regretless.evaluation.kuhn_family import Member as Member
from regretless.evaluation.kuhn_family import in_family as in_family
from regretless.evaluation.kuhn_family import kuhn_equilibrium as kuhn_equilibrium
from regretless.evaluation.outcomes import Outcomes as Outcomes
from regretless.evaluation.outcomes import outcomes as outcomes
from regretless.runs.equilibria import CorrelatedEquilibrium as CorrelatedEquilibrium
from regretless.runs.equilibria import (
    coarse_correlated_equilibrium as coarse_correlated_equilibrium,
)
from regretless.runs.equilibria import correlated_equilibrium as correlated_equilibrium
from regretless.runs.equilibria import equilibria as equilibria
from regretless.solvers.tabu import pure_equilibrium as pure_equilibrium
