"""The chart of what readers get, by what is released: numbers, a choice, or a curve."""

from __future__ import annotations

from typing import Any

from dpcore import plots, preview
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.targets import Histogram
from pages.session.view import View


def chart(view: View, noise: Calibrated[Any], shown: preview.Answer) -> tuple[Any, str]:
    """The figure and its description."""
    name = "simulated table" if shown.simulated else "non-private"
    at = f"at ε = {view.scenario.epsilon:g}"
    labels = preview.labels(view.scenario, view.table)
    if isinstance(noise.law, SelectionLaw):
        figure = plots.selection(shown.value, noise, view.worst_noise, labels=labels, raw_name=name)
        return figure, f"Chance of each candidate {at}, above its score; the {name} winner is marked."
    if view.fit is not None:
        regression = shown.database.ndim == 2
        figure = plots.fit(
            view.fit, shown.value, noise, view.worst_noise, records=shown.database if regression else None,
            names=(labels[0], labels[1]), raw_name=name, seed=view.scenario.seed,
        )  # fmt: skip
        records = "The records, the" if regression else "The"
        return figure, f"{records} {name} curve, its Bernstein polynomial and a private one {at}, with the spread at each point."
    figure = plots.responses(
        shown.value, noise, view.worst_noise, labels=labels, raw_name=name, unit=view.unit,
        bars=isinstance(view.scenario.target, Histogram), seed=view.scenario.seed,
    )  # fmt: skip
    return figure, f"Possible private answers around the {name} one, {at}."
