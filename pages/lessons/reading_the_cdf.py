"""Reading the empirical CDF of the sensitivity: a height, a position, and the band around it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.operating_points import half_width
from pages.experiment.scenario import Scenario
from pages.figures.lessons import Points, before, curves
from pages.figures.sensitivity import staircase
from pages.figures.theme import BLUE, Chart, line, transparent
from pages.lessons.example import YEARS, Example
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

_AT = 0.002  # years
_FEW = 19
_END = 0.014  # years, of the chart with the band
_TRUE = "true CDF"


def _steps(of: Example, end: float = 0.0) -> Points:
    """Return the empirical CDF in percent, under its name."""
    moves = np.sort(of.sample().distances)
    x, y = staircase(moves, max(end, float(moves[-1])))
    return f"{of.m} pairs", np.repeat(x, 2)[1:], 100 * np.repeat(y, 2)[:-1]


def _cdf(of: Example, *ways: Points) -> Chart:
    largest = figure(float(of.sample().distances.max()))
    alt = f"The share of {of.m} sampled pairs that move the mean by at most this far. It reaches 100% at {largest} years."
    return curves((_steps(of), *ways), x=YEARS, y="share of the pairs (%)", alt=alt)


def _height() -> Result:
    of = Example()
    within = int(np.count_nonzero(of.sample().distances <= _AT))
    share, name = 100 * within / of.m, f"{figure(_AT)} years"
    whole = _cdf(of, (name, np.array([_AT, _AT, 0.0]), np.array([0.0, share, share])))
    asked = before(whole, f"{of.m} pairs", alt=f"{whole.alt} A line marks {name}.", at=(name, _AT))
    numbers = {
        "at": figure(_AT),
        "m": str(of.m),
        "within": str(within),
        "share": figure(share),
        "true": figure(100 * float(of.true_cdf(_AT))),
    }
    return Result(share, asked, whole, numbers)


def _inverse() -> Result:
    of = Example()
    value, height, wanted = of.sample().order_statistic, 100 * of.point.k / of.m, 100 * (1 - of.gamma)
    whole = _cdf(of, (f"Δ̂ = {figure(value)}", np.array([0.0, value, value]), np.array([height, height, 0.0])))
    share = (f"{wanted:g}%", np.array([0.0, float(of.sample().distances.max())]), np.full(2, wanted))
    asked = replace(_cdf(of, share), alt=f"{whole.alt} A line marks {wanted:g}%.")
    numbers = {
        "m": str(of.m),
        "k": str(of.point.k),
        "kept": f"{wanted:g}",
        "sampled": figure(value),
        "more": str(of.m + 1),
    }
    return Result(value, asked, whole, numbers)


def _with_band(of: Example) -> Chart:
    """Return the empirical and the true CDF with the band of Dvoretzky, Kiefer, Wolfowitz and Massart."""
    name, x, y = _steps(of, _END)
    at: FloatArray = np.linspace(0, _END, 200)
    reach = 100 * half_width(of.m)
    chart = curves(
        ((name, x, y), (_TRUE, at, 100 * of.true_cdf(at))), x=YEARS, y="share of the pairs (%)", alt="", y_range=(0, 104)
    )
    edges = np.concatenate([x, x[::-1]]), np.clip(np.concatenate([y + reach, (y - reach)[::-1]]), 0, 100)
    look = {"fill": "toself", "fillcolor": transparent(BLUE, 0.2), "line": {"width": 0}, "hoverinfo": "skip"}
    alt = f"The empirical CDF of {of.m} sampled pairs, a band of ±{reach:.0f} percentage points around it, and the true CDF."
    return replace(chart, traces=[line("95% band", *edges, BLUE) | look, *chart.traces], alt=alt)


def _band() -> Result:
    of = Example()
    few = replace(of, m=_FEW)
    numbers = {
        "m": str(of.m),
        "few": str(_FEW),
        "narrow": figure(100 * half_width(of.m)),
        "wide": figure(100 * half_width(_FEW)),
        "times": figure(half_width(_FEW) / half_width(of.m)),
        "fold": f"{of.m / _FEW:.0f}",
    }
    return Result("wider", _with_band(of), _with_band(few), numbers)


def scenario() -> Scenario:
    """Return the example."""
    return Example().scenario()


LESSON = read_lesson(
    "reading_the_cdf",
    {
        "height": (Slider(0, 100, 1, 20, "{}%", "y"), _height),
        "inverse": (Slider(0, 0.014, 0.0001, 0.001, "{} years", "x"), _inverse),
        "band": (Choice(), _band),
    },
    scenario,
    live="gamma",
)
