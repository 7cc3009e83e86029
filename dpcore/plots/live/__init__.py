"""Charts that follow the hand: what a browser needs to draw them, and the module of JavaScript that does."""

from dpcore.plots.live.of_kind import answers, draws, follows, has_charts, said
from dpcore.plots.live.sensitivity import sensitivity
from dpcore.plots.live.tables import tables
from dpcore.plots.live.trials import trials

__all__ = ["answers", "draws", "follows", "has_charts", "said", "sensitivity", "tables", "trials"]
