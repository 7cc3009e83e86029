"""Charts that follow the hand: what a browser needs to draw them."""

from pages.old.charts.answers import views
from pages.old.charts.live.parts import answers, followed, of_a_kind, said
from pages.old.charts.live.tables import found, grids, proved

__all__ = ["answers", "followed", "found", "grids", "of_a_kind", "proved", "said", "views"]
