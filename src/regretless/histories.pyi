"""Public names, and where each lives."""

from regretless.evaluation.aivat import aivat as aivat
from regretless.play.histories.acpc_log import read_log as read_log
from regretless.play.records import Hand as Hand
from regretless.play.seen_play import strategy_of_play as strategy_of_play
from regretless.play.table import Table as Table
from regretless.play.variance_reduction import variance_reduced as variance_reduced
