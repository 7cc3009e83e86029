"""A result in, a plotly figure out: the only folder that imports plotly. For pages and notebooks alike."""

from dpcore.plots.errors import errors
from dpcore.plots.fits import fit, polynomial
from dpcore.plots.operating_points import SHOWN_CONFIDENCE, operating_points, orders
from dpcore.plots.responses import responses
from dpcore.plots.sampler import losses, miss, sensitivity_cdf
from dpcore.plots.selection import MOST_CANDIDATES, selection

__all__ = [
    "MOST_CANDIDATES", "SHOWN_CONFIDENCE", "errors", "fit", "losses", "miss", "operating_points", "orders", "polynomial",
    "responses", "selection", "sensitivity_cdf",
]  # fmt: skip
