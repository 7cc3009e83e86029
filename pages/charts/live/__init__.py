"""Charts that follow the hand: what a browser needs to draw them, and the module of JavaScript that does."""

from pages.charts.live.kinds import answers, follows, has_charts, has_kind, said, views
from pages.charts.live.tables import found, grids, sensitivity, trials

__all__ = ["answers", "follows", "found", "grids", "has_charts", "has_kind", "said", "sensitivity", "trials", "views"]
