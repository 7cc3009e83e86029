"""The four charts of Explore."""

from __future__ import annotations

import numpy as np

from dpcore.answers.answer import moved_in
from dpcore.base.types import FloatArray
from pages.experiment.accuracy import Accuracy
from pages.experiment.scenario import LEAST_EPSILON, SLIDER_EPSILON, Noise
from pages.experiment.view import View
from pages.experiment.words import subject
from pages.figures.answers import answers_chart
from pages.figures.error import error_chart
from pages.figures.operating_points import operating_points_chart
from pages.figures.sensitivity import sensitivity_chart
from pages.figures.theme import Chart

ANSWERS, SENSITIVITY, ERROR, POINTS = "answers", "sensitivity", "error", "points"
EPSILONS: FloatArray = np.geomspace(LEAST_EPSILON, SLIDER_EPSILON, 34)


def epsilons_to(epsilon: float) -> FloatArray:
    """Return the values of ε of the error chart: ``EPSILONS``, or up to a selected ε that is larger."""
    return EPSILONS if epsilon <= SLIDER_EPSILON else np.geomspace(LEAST_EPSILON, epsilon, len(EPSILONS))


def charts_of(view: View) -> dict[str, Chart]:
    """Return the available charts of a view by name. Some charts need draws, and some need noise."""
    scenario = view.scenario
    charts = {POINTS: operating_points_chart(scenario.m, scenario.gamma, confidence=scenario.confidence)}
    if view.sample is not None:
        charts[SENSITIVITY] = _sensitivity(view)
    if view.noise is not None:
        charts[ANSWERS] = answers_chart(view)
        charts[ERROR] = _error(view)
    return charts


def _sensitivity(view: View) -> Chart:
    assert view.sample is not None
    assert view.order_statistic is not None
    reference = view.question.reference
    return sensitivity_chart(
        view.sample.distances,
        view.scenario.m,
        view.order_statistic,
        what=subject(view),
        unit=moved_in(view.question.answer),
        true_cdf=None if reference is None else reference.cdf,
        true_name="" if reference is None else reference.name,
        worst_case=None if view.question.worst_case is None else view.question.worst_case.value,
        protects_all=view.scenario.noise is not Noise.SAMPLED,
    )


def _error(view: View) -> Chart:
    assert view.noise is not None
    accuracy, scenario = view.released.accuracy, view.scenario
    errors: dict[str, FloatArray] = {}
    own, epsilons = view.question.accuracy, epsilons_to(scenario.epsilon)
    if view.order_statistic is not None and np.isfinite(view.order_statistic) and view.order_statistic > 0:
        errors["sampled"] = error_curve(own, view.order_statistic, epsilons)
    if view.question.worst_case is not None:
        errors["worst case"] = error_curve(own, view.question.worst_case.value, epsilons)
    if scenario.noise is Noise.BLOCKS:
        errors["blocks"] = error_curve(accuracy, view.noise.sensitivity.value, epsilons)
    return error_chart(
        epsilons,
        errors,
        epsilon=scenario.epsilon,
        error=accuracy.at(view.noise.law),
        shown=scenario.noise.words,
        what=accuracy.what,
        unit=accuracy.unit if accuracy.unit != "share" else "",
        percent=accuracy.percent,
        without_privacy=own.without_privacy,
    )


def error_curve(accuracy: Accuracy, sensitivity: float, epsilons: FloatArray) -> FloatArray:
    """Return the error at each ε, NaN if the mechanism has no noise there.

    Args:
        accuracy: The accuracy of private answers.
        sensitivity: The sensitivity that the noise is calibrated to.
        epsilons: Values of ε.
    """
    return np.array([accuracy.at_epsilon(sensitivity, float(epsilon)) for epsilon in epsilons])
