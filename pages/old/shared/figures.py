"""The figures of a view, each with a sentence that describes it, and with the sentence that is the title of a wide one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.answers.answer import moved_after, moved_in
from dpcore.base.counted import counted
from dpcore.guarantees import words
from pages.experiment.scenario import MOST_M
from pages.old import charts
from pages.old.charts import moving
from pages.old.charts.moving import value_of
from pages.old.shared import badges
from pages.old.state.view import Shown, View, curve_of

Figure = tuple[Any, str]
OPERATING_POINTS = (
    "Least number of trials m for each γ under each bound, with this choice marked. "
    f"Hollow points need more than {MOST_M:,} trials, which this page does not offer."
)
_AT_MOST = {True: "", False: ", at most"}


def sensitivity(view: View) -> Figure | None:
    """How far the target moves on random neighbours; None before the trials are made."""
    if view.trials is None:
        return None
    chart, alt = sensitivity_followed(view)
    return chart, str(value_of(alt))


def sensitivity_followed(view: View, **more: int) -> charts.Described:
    """The same, with what of the description follows a hand. ``most``: steps of the staircase that are drawn."""
    assert view.trials is not None
    sample, reference = view.trials.sample, view.trials.reference
    chart = charts.sensitivity_cdf(
        sample,
        true=reference.cdf if reference else None,
        true_name=reference.name if reference else "",
        unit=moved_in(view.answer),
        global_sensitivity=view.worst_case.value if view.worst_case else None,
        guesser=view.guesser if isinstance(view, Shown) else None,
        covered=view.noise.sensitivity.value if isinstance(view, Shown) and view.leading is view.noise else None,
        scale=view.leading.law.scale if isinstance(view, Shown) else 0.0,
        **more,
    )
    true = "the true one, " * (reference is not None)
    order, delta = moving.named("k", sample.point.k), moving.named("delta", sample.order_statistic)
    found = moving.words_of("its inversion at the order k = ", moving.whole(order), ", where Δ̂ = ", moving.figure(delta))
    return chart, moving.words_of(
        f"Cumulative distribution of how far the answer moves over {counted(view.scenario.m, ' trials')}, "
        f"with {true}a 95 % band, which holds for the whole curve at once, and ",
        moving.where(moving.at_most(1, order), found, moving.words_of("no inversion: this γ is out of their reach")),
        f".{_second_axis(view)}",
    )


def _second_axis(view: View) -> str:
    if not isinstance(view, Shown):
        return ""
    tail = " What lies beyond Δ̂ is shaded: it is not protected." if view.leading is view.noise else ""
    return f" A second axis says how often a guesser is right on a change of each size{_AT_MOST[view.guesser.exact]}.{tail}"


def operating_points(view: View) -> Figure:
    """What m buys."""
    chart, alt = operating_points_followed(view)
    return chart, str(value_of(alt))


def operating_points_followed(view: View) -> charts.Described:
    """The same, with what of the description follows a hand."""
    point = view.scenario.point
    gamma, m, needed = (moving.named(name, now) for name, now in (("gamma", point.gamma), ("m", point.m), ("needs", 0)))
    here = moving.words_of(" This choice: γ = ", moving.general(gamma), " with ", moving.whole(m), " trials.")
    beyond = moving.words_of(" γ = ", moving.general(gamma), " takes ", moving.whole(needed), " trials.")
    choice = moving.where(moving.at_most(1, moving.named("k", point.k)), here, beyond)
    return charts.operating_points(point, most_m=MOST_M), moving.words_of(OPERATING_POINTS, choice)


def answers(view: Shown) -> Figure:
    """Possible private answers around the one without noise."""
    promised = view.worst_noise if view.free else None
    return said(view, charts.answer(view.headline if promised is None else replace(view.headline, noise=promised)))


def errors(view: Shown) -> Figure:
    """Marked at this ε, under the noise that leads."""
    chart, alt = charts.errors_of(view.headline, curve_of(view), view.headline.error(view.leading.law))
    return said(view, (chart, str(value_of(alt))))


def said(view: Shown, drawn: Figure) -> Figure:
    """With a sentence in the figure where it is of a made-up table."""
    return charts.made_up(*drawn) if view.headline.exact.simulated else drawn


# What a chart of Explore says of the state that it shows, in a sentence: the title of a wide one.


def sensitivity_message(view: View) -> str:
    """How far the answer moved; empty before all trials are there."""
    if not isinstance(view, Shown):
        return ""
    value = view.noise.sensitivity.value
    covered = int(np.count_nonzero(view.trials.sample.distances <= value))
    return moved(view, f"{covered:,}", counted(words.figure(value), moved_after(view.answer)))


def moved(view: Shown, covered: str, sensitivity: str) -> str:
    """The same with these numbers, as they are written."""
    return f"In {covered} of {counted(view.trials.sample.point.m, ' trials')} {view.headline.moved()} {sensitivity}"


PROVED = "The noise is sized to the worst case: no change is left out, however many trials there are"


def operating_point_message(view: View) -> str:
    """What the trials leave out, where the noise is sized to them; empty where there is no answer."""
    if not isinstance(view, Shown):
        return ""
    return PROVED if view.proved else left_out(view, words.at_most(view.scenario.gamma))


def left_out(view: Shown, share: str) -> str:
    """The same under this γ, as it is written."""
    scenario = view.scenario
    trials = f"With {counted(scenario.m, ' trials')}"
    kept = f"at most {share} of random changes are not protected"
    if scenario.confidence is None:
        return f"{trials}, {kept}, on average over the trials"
    return f"{trials}, {kept}, with confidence {words.sure(scenario.confidence)}"


def answers_message(view: View) -> str:
    """How far off private answers are, and of which table that is told; empty where there are none."""
    if not isinstance(view, Shown):
        return ""
    return reached(view, view.headline.reach(view.leading))


def reached(view: Shown, said: str) -> str:
    """The same of what a reader may expect."""
    return said[0].upper() + said[1:] + _whose(view)


def _whose(view: Shown) -> str:
    rests_on = view.headline.rests_on.rstrip(".")
    return badges.whose(view, foretold=f". {rests_on}")


def error_message(view: View) -> str:
    """The expected error at this ε; empty where there is no answer."""
    if not isinstance(view, Shown):
        return ""
    said, scenario = view.headline, view.scenario
    off = counted(words.figure(said.error(view.leading.law)), said.answer.after)
    return f"At ε = {scenario.epsilon:g} the expected error is {off}{_whose(view)}"
