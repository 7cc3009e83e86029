"""Charts that follow the hand: what a browser needs to draw them, and the module of JavaScript that does."""

from dpcore.plots.live.of_kind import answers, follows, has_charts, has_kind, said, views
from dpcore.plots.live.sensitivity import sensitivity
from dpcore.plots.live.tables import found, grids, tables
from dpcore.plots.live.trials import trials

__all__ = ["answers", "follows", "found", "grids", "has_charts", "has_kind", "said", "sensitivity", "tables", "trials", "views"]
