"""The figures of a view, each with a sentence that describes it, wherever it is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore.answers.answer import moved_in
from dpcore.base.counted import counted
from pages import charts
from pages.experiment.scenario import MOST_M
from pages.state.view import Shown, View, curve_of

Figure = tuple[Any, str]
OPERATING_POINTS = (
    "Least number of trials m for each γ under each bound, with this choice marked. "
    f"Hollow points need more than {MOST_M:,} trials, which this page does not offer."
)
_AT_MOST = {True: "", False: ", at most"}


def sensitivity(view: View, *, second_axis: bool) -> Figure | None:
    """How far the target moves on random neighbours; None before the trials are made. ``second_axis``: how often a guesser is
    right stands above the chart."""
    if view.trials is None:
        return None
    sample, reference = view.trials.sample, view.trials.reference
    chart = charts.sensitivity_cdf(
        sample,
        true=reference.cdf if reference else None,
        true_name=reference.name if reference else "",
        unit=moved_in(view.answer),
        global_sensitivity=view.worst_case.value if view.worst_case else None,
        guesser=view.guesser if isinstance(view, Shown) and second_axis else None,
        covered=view.noise.sensitivity.value if isinstance(view, Shown) and view.leading is view.noise else None,
    )
    return chart, f"{sensitivity_alt(view)}, and its inversion at the order k = {view.scenario.point.k}.{_second_axis(view)}"


def sensitivity_alt(view: View) -> str:
    """What of it no γ moves."""
    true = "the true one, " * (view.trials is not None and view.trials.reference is not None)
    return (
        f"Cumulative distribution of how far the answer moves over {counted(view.scenario.m, ' trials')}, "
        f"with {true}a 95 % band, which holds for the whole curve at once"
    )


def _second_axis(view: View) -> str:
    if not isinstance(view, Shown):
        return ""
    tail = " What lies beyond Δ̂ is shaded: it is not protected." if view.leading is view.noise else ""
    return f" A second axis says how often a guesser is right on a change of each size{_AT_MOST[view.guesser.exact]}.{tail}"


def operating_points(view: View) -> Figure:
    """What m buys."""
    return charts.operating_points(view.scenario.point, most_m=MOST_M), OPERATING_POINTS


def answers(view: Shown) -> Figure:
    """Possible private answers around the one without noise."""
    promised = view.worst_noise if view.free else None
    return said(view, charts.answer(view.headline if promised is None else replace(view.headline, noise=promised)))


def errors(view: Shown) -> Figure:
    """Marked at this ε, under the noise that leads."""
    headline, epsilon = view.headline, view.scenario.epsilon
    chosen = headline.error(view.leading.law)
    chart = charts.errors(curve_of(view), epsilon=epsilon, chosen=chosen, unit=headline.answer.after.strip())
    alt = f"Expected error against ε: sampled, worst case and without privacy; at ε = {epsilon:g} it is {chosen:.3g}."
    return said(view, (chart, alt))


def said(view: Shown, drawn: Figure) -> Figure:
    """With a sentence in the figure where it is of a made-up table."""
    return charts.made_up(*drawn) if view.headline.exact.simulated else drawn
