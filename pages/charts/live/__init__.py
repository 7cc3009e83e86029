"""Charts that follow the hand: what a browser needs to draw them, and the module of JavaScript that does."""

from pages.charts.live.of_kind import answers, follows, has_charts, has_kind, said, views
from pages.charts.live.sensitivity import sensitivity
from pages.charts.live.tables import found, grids, tables
from pages.charts.live.trials import trials

__all__ = ["answers", "follows", "found", "grids", "has_charts", "has_kind", "said", "sensitivity", "tables", "trials", "views"]
