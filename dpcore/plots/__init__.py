"""A result in, a figure out: a plotly figure where plotly is installed, and an SVG without it. For pages and notebooks alike."""

from dpcore.plots.boundaries import boundaries
from dpcore.plots.fits import fit, polynomial, surface
from dpcore.plots.made_up import NOT_YOUR_DATA, made_up
from dpcore.plots.of_kind import answer, as_dots, density, published
from dpcore.plots.operating_points import confidence_for, operating_points, orders, wrong_oracle
from dpcore.plots.oracle_check import column_beside, pair_beside
from dpcore.plots.responses import errors, responses
from dpcore.plots.sampler import growing_cdf, losses, miss, sensitivity_cdf
from dpcore.plots.selection import MOST_CANDIDATES, selection
from dpcore.plots.side_by_side import cdfs, densities, errors_beside

__all__ = [
    "MOST_CANDIDATES",
    "NOT_YOUR_DATA",
    "answer",
    "as_dots",
    "boundaries",
    "cdfs",
    "column_beside",
    "confidence_for",
    "densities",
    "density",
    "errors",
    "errors_beside",
    "fit",
    "growing_cdf",
    "losses",
    "made_up",
    "miss",
    "operating_points",
    "orders",
    "pair_beside",
    "polynomial",
    "published",
    "responses",
    "selection",
    "sensitivity_cdf",
    "surface",
    "wrong_oracle",
]
