"""How the chart of the trials is read: a height, a place, and the band."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.guarantees.operating_points import half_width
from dpcore.guarantees.words import figure
from pages.experiment.scenario import Scenario
from pages.old.charts.lessons import Named, curves, untold
from pages.old.charts.sampler import sensitivity_cdf
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Asked, Choice, Found, Mark, Step
from pages.old.experiment.lessons.to_try import scenario

ORDER = 5
_AT = 0.002  # years
_FEW = 19


def _height() -> Found:
    of = Example()
    sample = of.sample()
    within = int(np.count_nonzero(sample.distances <= _AT))
    share = 100 * within / of.m
    return Found(
        truth=share,
        figure=lambda: _in_percent(of, (f"{figure(_AT)} years", np.array([_AT, _AT, 0.0]), np.array([0.0, share, share]))),
        asked=lambda: _up_from(of),
        numbers={
            "at": figure(_AT),
            "m": str(of.m),
            "within": str(within),
            "share": figure(share),
            "true": figure(100 * float(of.true_cdf(_AT))),
        },
    )


def _up_from(of: Example) -> Asked:
    """The trials, and the place from which one goes up."""
    whole, alt = _in_percent(of)
    return Asked(untold(whole, f"{of.m} trials", at=(f"{figure(_AT)} years", _AT)), alt)


def _in_percent(of: Example, *ways: Named) -> tuple[Any, str]:
    """The trials in order as steps, and ways along which they are read."""
    moves = np.sort(of.sample().distances)
    x = np.concatenate(([0.0], np.repeat(moves, 2)))
    y = np.repeat(np.arange(len(moves) + 1) * 100 / len(moves), 2)[:-1]
    chart = curves(((f"{of.m} trials", x, y), *ways), x="how far the answer moves (years)", y="share of the trials (%)")
    return chart, (
        f"For each number of years, the share of {of.m} trials in which the answer moves by no more. It rises steeply at first, "
        f"and reaches all of them at {counted(figure(float(moves[-1])), ' years')}."
    )


def _inverse() -> Found:
    of = Example()
    sample = of.sample()
    return Found(
        truth=sample.order_statistic,
        figure=lambda: _from_a_share(of),
        asked=lambda: _kept(of),
        numbers={
            "m": str(of.m),
            "k": str(of.point.k),
            "kept": f"{100 * (1 - of.gamma):g}",
            "sampled": figure(sample.order_statistic),
            "more": str(of.m + 1),
        },
    )


def _from_a_share(of: Example) -> tuple[Any, str]:
    """Right from the share, and down to Δ̂."""
    value, height = of.sample().order_statistic, 100 * of.point.k / of.m
    return _in_percent(of, (f"Δ̂ = {figure(value)}", np.array([0.0, value, value]), np.array([height, height, 0.0])))


def _kept(of: Example) -> Asked:
    """The trials, and the share that is to be protected."""
    share = 100 * (1 - of.gamma)
    ends = np.array([0.0, float(of.sample().distances.max())])
    chart, alt = _in_percent(of, (f"{share:g} %", ends, np.full(2, share)))
    return Asked(untold(chart, f"{of.m} trials", f"{share:g} %"), alt)


def _explored(of: Example) -> tuple[Any, str]:
    """The chart as Explore has it."""
    sample = of.sample()
    chart = sensitivity_cdf(sample, true=lambda at: of.true_cdf(at), true_name="true CDF", unit="years")
    return chart, (
        f"The share of {of.m} trials in which the answer moves by no more than so many years, with the true one and a band. At "
        f"the height of trial {of.point.k} of {of.m} stands Δ̂ = {counted(figure(sample.order_statistic), ' years')}."
    )


def _band() -> Found:
    of = Example()
    few = of.but(m=_FEW)
    return Found(
        truth="wider",
        figure=lambda: _explored(few),
        asked=lambda: Asked(*_explored(of)),
        numbers={
            "m": str(of.m),
            "few": str(_FEW),
            "narrow": figure(100 * half_width(of.m)),
            "wide": figure(100 * half_width(_FEW)),
            "times": figure(half_width(_FEW) / half_width(of.m)),
            "fold": f"{of.m / _FEW:.0f}",
            "band": "95 %, whole curve",
        },
    )


def to_try() -> Scenario:
    """The example with few trials."""
    return scenario(Example(m=_FEW))


STEPS = {
    "height": Step(Mark(0, 100, 1, 20, "{} %", "y"), _height),
    "inverse": Step(Mark(0, 0.014, 0.0001, 0.001, "{} years", "x"), _inverse),
    "band": Step(Choice(), _band),
}
