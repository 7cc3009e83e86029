"""The worst case and the likely case: Example 6 of Rubinstein and Aldà (2017)."""

from __future__ import annotations

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.scenario import Scenario
from pages.figures.lessons import before, curves
from pages.lessons.example import YEARS, Example
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

_LONG = 5_000.0  # years
_MOST = 20.0  # years, at which times are clipped
_FEWER = 0.001  # γ, beside that of the example
_HALVINGS = 60
_SHOWN = 0.95  # share of the wider noise on a chart


def _one_row() -> tuple[FloatArray, FloatArray]:
    """Return how far the mean of a simulated table moves as its first row becomes longer."""
    of = Example()
    database, _ = of.pairs(1)[0]
    times = np.linspace(database[0], _LONG, 25)
    answers = np.array([of.answer(np.concatenate(([time], database[1:]))) for time in times])
    return times, np.abs(answers - answers[0])


def _worst() -> Result:
    of, (times, moved) = Example(), _one_row()
    sampled = of.sample().order_statistic
    near = f"Δ̂ = {figure(sampled)}"
    whole = curves(
        (("one row", times, moved), (near, times, np.full(len(times), sampled))),
        x="the row's new time (years)",
        y=YEARS,
        alt=f"The longer one row's time, the further the mean moves, without a limit: {figure(moved[-1])} years at {_LONG:,.0f} "
        f"years. {near} is close to zero.",
    )
    asked = before(whole, near, alt=f"How far the mean moves, by the new time of one row. {near} is close to zero.")
    numbers = {"n": f"{of.n:,}", "long": f"{_LONG:,.0f}", "moved": figure(moved[-1]), "sampled": figure(sampled)}
    return Result("no_end", asked, whole, numbers)


def covered(of: Example, gamma: float) -> float:
    """Return the distance that all but a share γ of random changes stay within, from the true distribution.

    Args:
        of: The example.
        gamma: The share.
    """
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if float(of.true_cdf(middle)) >= 1 - gamma else (middle, high)
    return high


def _one_in(share: float) -> str:
    return f"1 in {1 / share:,.0f}"


def _likely() -> Result:
    of = Example()
    most = [covered(of, gamma) for gamma in (of.gamma, _FEWER)]
    names = [f"all but {_one_in(gamma)}" for gamma in (of.gamma, _FEWER)]
    at = np.linspace(0, 1.2 * most[1], 300)
    dots = [(name, [far], [100 * (1 - gamma)]) for name, far, gamma in zip(names, most, (of.gamma, _FEWER), strict=True)]
    whole = curves(
        (("true distribution", at, 100 * of.true_cdf(at)),),
        dots=dots,
        x=YEARS,
        y="share of changes (%)",
        alt=f"How many random changes move the mean by at most a distance. {names[0]} stay within {figure(most[0])} years, "
        f"and {names[1]} within {figure(most[1])} years.",
    )
    asked = before(whole, names[0], alt=f"One point: {names[0]} random changes stay within {figure(most[0])} years.")
    numbers = {
        "some": _one_in(of.gamma),
        "few": _one_in(_FEWER),
        "less": figure(most[0]),
        "more": figure(most[1]),
        "fold": f"{of.gamma / _FEWER:.0f}",
        "times": figure(most[1] / most[0]),
        "m": str(of.m),
        "sampled": figure(of.sample().order_statistic),
    }
    return Result(most[1] / most[0], asked, whole, numbers, unit=most[0])


def bounded() -> Example:
    """Return the example with clipped times, so it has a worst case."""
    return Example().limited(_MOST)


def _bounded() -> Result:
    of = bounded()
    sampled, proved = of.noise(), of.proved()
    worst, reach = proved.law, sampled.half_width(SHARE_WITHIN)
    at = np.linspace(-1, 1, 401) * worst.half_width(_SHOWN)
    whole = curves(
        (("for Δ̂", at, sampled.density(at)), ("for the worst case", at, worst.density(at))),
        x="noise (years)",
        y="how likely",
        density=True,
        alt=f"How likely each noise is. 95% is within ±{figure(reach)} years if it is calibrated to Δ̂, and within "
        f"±{figure(worst.half_width(SHARE_WITHIN))} years if it is calibrated to the worst case.",
    )
    alt = f"How likely each noise is that is calibrated to Δ̂. 95% is within ±{figure(reach)} years."
    asked = before(whole, "for Δ̂", alt=alt, at=("end of 95%", reach))
    numbers = {
        "n": f"{of.n:,}",
        "most": figure(_MOST),
        "worst": figure(proved.sensitivity.value),
        "sampled": figure(of.sample().order_statistic),
        "times": figure(worst.scale / sampled.scale),
        "some": _one_in(of.gamma),
    }
    return Result(worst.scale / sampled.scale, asked, whole, numbers, unit=reach)


def scenario() -> Scenario:
    """Return the example with a worst case."""
    return bounded().scenario()


LESSON = read_lesson(
    "worst_case",
    {
        "worst": (Choice(), _worst),
        "bounded": (Slider(1, 12, 0.1, 2, "{} times as wide", "x"), _bounded),
        "likely": (Slider(1, 6, 0.1, 5, "{} times as far", "x"), _likely),
    },
    scenario,
)
