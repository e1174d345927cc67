"""Public names, and where each lives."""

from regretless.runs.tournament_charts import Chart as Chart
from regretless.runs.tournament_charts import charts as charts
from regretless.runs.tournament_picture import draw_charts as draw_charts
from regretless.runs.tournaments import TournamentSolution as TournamentSolution
from regretless.runs.tournaments import open_tournament as open_tournament
from regretless.runs.tournaments import solve_tournament as solve_tournament
from regretless.stochastic.push_fold import PushFold as PushFold
from regretless.stochastic.push_fold import pushfold as pushfold
from regretless.stochastic.stack_values import StackValues as StackValues
from regretless.stochastic.stack_values import icm as icm
from regretless.stochastic.tournament import Blinds as Blinds
