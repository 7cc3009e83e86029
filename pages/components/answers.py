"""The chart of what readers get, by what is released: numbers, a choice, or a curve."""

from __future__ import annotations

from typing import Any

from dpcore import plots
from dpcore.answers.numbers import answer_of
from dpcore.base.types import ClassifierTarget
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.workbench import preview
from pages.session.view import View

_MOST_WORD = 12  # characters of a label's name in the legend


def chart(view: View, noise: Calibrated[Any], shown: preview.Answer) -> tuple[Any, str]:
    """The figure and its description."""
    name = "simulated table" if shown.simulated else "non-private"
    at = f"at ε = {view.scenario.epsilon:g}"
    labels = answer_of(view.scenario.target, view.columns).labels
    if isinstance(noise.law, SelectionLaw):
        figure = plots.selection(shown.value, noise, view.worst_noise, labels=labels, raw_name=name)
        return figure, f"Chance of each candidate {at}, above its score; the {name} winner is marked."
    if view.fit is not None and view.fit.at.shape[1] > 1:
        figure = plots.surface(
            view.fit, shown.value, noise, view.worst_noise, names=labels, raw_name=name, seed=view.scenario.seed
        )  # fmt: skip
        return figure, f"A map of a private curve {at}, with lines of equal height of the {name} one."
    if view.fit is not None:
        regression = shown.database.ndim == 2
        figure = plots.fit(
            view.fit, shown.value, noise, view.worst_noise, records=shown.database if regression else None,
            names=(labels[0], labels[1]), raw_name=name, seed=view.scenario.seed,
        )  # fmt: skip
        records = "The records, the" if regression else "The"
        return figure, f"{records} {name} curve, its Bernstein polynomial and a private one {at}, with the spread at each point."
    if isinstance(view.scenario.target, ClassifierTarget) and view.scenario.target.dims == 2:
        return _boundaries(view, view.scenario.target, noise, shown, name)
    figure = plots.responses(
        shown.value, noise, view.worst_noise, labels=labels, raw_name=name, unit=view.unit,
        bars=answer_of(view.scenario.target, view.columns).bars, seed=view.scenario.seed,
    )  # fmt: skip
    return figure, f"Possible private answers around the {name} one, {at}."


def _boundaries(
    view: View, target: ClassifierTarget, noise: Calibrated[Any], shown: preview.Answer, name: str
) -> tuple[Any, str]:
    first, second, label = view.columns
    (across, up), word = target.x_bounds, label.label or label.name
    word = word if len(word) <= _MOST_WORD else "class"
    figure = plots.boundaries(
        shown.value, noise, view.worst_noise, records=shown.database, x_bounds=(across, up), names=(first.words, second.words),
        classes=(f"{word} 0", f"{word} 1"), raw_name=name, seed=view.scenario.seed,
    )  # fmt: skip
    at = f"at ε = {view.scenario.epsilon:g}"
    return figure, f"Records of two classes, the {name} boundary between them, and private boundaries {at}."
