"""A result in, a plotly figure out: the only folder that imports plotly. For pages and notebooks alike."""

from dpcore.plots.operating_points import operating_points, orders
from dpcore.plots.responses import responses
from dpcore.plots.sampler import miss, sensitivity_cdf

__all__ = ["miss", "operating_points", "orders", "responses", "sensitivity_cdf"]
