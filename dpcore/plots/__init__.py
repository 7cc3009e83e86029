"""A result in, a plotly figure out: the only folder that imports plotly. For pages and notebooks alike."""

from dpcore.plots.operating_points import SHOWN_CONFIDENCE, operating_points, orders
from dpcore.plots.responses import responses
from dpcore.plots.sampler import miss, sensitivity_cdf

__all__ = ["SHOWN_CONFIDENCE", "miss", "operating_points", "orders", "responses", "sensitivity_cdf"]
