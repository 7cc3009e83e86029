"""A result becomes a figure, and an SVG of it. Under ``live``, a browser draws it while a hand moves γ and ε."""

from pages.old.charts.answers import Described, answer, as_dots, density, errors_of, published
from pages.old.charts.errors import errors
from pages.old.charts.laid_out import NOT_YOUR_DATA, made_up
from pages.old.charts.operating_points import confidence_for, operating_points, orders, wrong_oracle
from pages.old.charts.sampler import growing_cdf, losses, miss, sensitivity_cdf
from pages.old.charts.side_by_side import cdfs, errors_beside

__all__ = [
    "NOT_YOUR_DATA",
    "Described",
    "answer",
    "as_dots",
    "cdfs",
    "confidence_for",
    "density",
    "errors",
    "errors_beside",
    "errors_of",
    "growing_cdf",
    "losses",
    "made_up",
    "miss",
    "operating_points",
    "orders",
    "published",
    "sensitivity_cdf",
    "wrong_oracle",
]
