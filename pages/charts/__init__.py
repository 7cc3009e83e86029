"""A result becomes a figure, and an SVG of it. Under ``live``, a browser draws it while a hand moves γ and ε."""

from pages.charts.answers import answer, as_dots, density, published
from pages.charts.laid_out import NOT_YOUR_DATA, made_up
from pages.charts.operating_points import confidence_for, operating_points, orders, wrong_oracle
from pages.charts.oracle_check import column_beside, pair_beside
from pages.charts.responses import errors
from pages.charts.sampler import growing_cdf, losses, miss, sensitivity_cdf
from pages.charts.side_by_side import cdfs, densities, errors_beside

__all__ = [
    "NOT_YOUR_DATA",
    "answer",
    "as_dots",
    "cdfs",
    "column_beside",
    "confidence_for",
    "densities",
    "density",
    "errors",
    "errors_beside",
    "growing_cdf",
    "losses",
    "made_up",
    "miss",
    "operating_points",
    "orders",
    "pair_beside",
    "published",
    "sensitivity_cdf",
    "wrong_oracle",
]
