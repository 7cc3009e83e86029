"""The worst case against the likely case: Example 6 of Rubinstein & Aldà (2017)."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.scenario import Scenario
from pages.old.charts.lessons import curves, untold
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Asked, Choice, Found, Mark, Step
from pages.old.experiment.lessons.to_try import scenario

ORDER = 4
_LONG = 5_000.0  # years
_MOST = 20.0  # years, where times are cut off
_FEWER = 0.001  # γ, beside the example's
_HALVINGS = 60
_SHOWN = 0.95  # of the wider noise, in a figure


def _worst() -> Found:
    of = Example()
    times, moved = _by_one_record(of)
    return Found(
        truth="no_end",
        figure=lambda: _without_end(of, times, moved),
        asked=lambda: Asked(
            untold(_without_end(of, times, moved)[0], f"Δ̂ = {figure(of.sample().order_statistic)}"),
            f"How far the mean moves, by the new time of one row up to {_LONG:,.0f} years. Δ̂ lies next to zero.",
        ),
        numbers={
            "n": f"{of.n:,}",
            "long": f"{_LONG:,.0f}",
            "moved": figure(float(moved[-1])),
            "sampled": figure(of.sample().order_statistic),
        },
    )


def _by_one_record(of: Example) -> tuple[Any, Any]:
    """How far the answer of one made-up table moves when its first record becomes longer and longer."""
    database, _ = of.pairs(1)[0]
    times = np.linspace(database[0], _LONG, 25)
    answers = [of.answer(np.concatenate(([time], database[1:]))) for time in times]
    return times, np.abs(np.array(answers) - answers[0])


def _without_end(of: Example, times: Any, moved: Any) -> tuple[Any, str]:
    sampled = of.sample().order_statistic
    lines = (("one row", times, moved), (f"Δ̂ = {figure(sampled)}", times, np.full(len(times), sampled)))
    chart = curves(lines, x="the row's new time (years)", y="how far the answer moves (years)")
    return chart, (
        f"The longer the time of one row, the further the mean moves, in a straight line without an end: by "
        f"{counted(figure(float(moved[-1])), ' years')} at {_LONG:,.0f} years. Δ̂ = {figure(sampled)} lies next to zero."
    )


def covered(of: Example, gamma: float) -> float:
    """The move that all but a share γ of random changes stay within, from the true distribution."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if float(of.true_cdf(middle)) >= 1 - gamma else (middle, high)
    return high


def _likely() -> Found:
    of = Example()
    most = [covered(of, gamma) for gamma in (of.gamma, _FEWER)]
    return Found(
        truth=most[1] / most[0],
        figure=lambda: _true(of, most),
        asked=lambda: _up_to(of, most),
        numbers={
            "some": _one_in(of.gamma),
            "few": _one_in(_FEWER),
            "less": figure(most[0]),
            "more": figure(most[1]),
            "fold": f"{of.gamma / _FEWER:.0f}",
            "times": figure(most[1] / most[0]),
            "m": str(of.m),
            "sampled": figure(of.sample().order_statistic),
        },
    )


def _true(of: Example, most: list[float]) -> tuple[Any, str]:
    at = np.linspace(0, 1.2 * most[1], 300)
    shares = (1 - of.gamma, 1 - _FEWER)
    marks = tuple(
        (_one_in(1 - share), np.array([move]), np.array([100 * share])) for share, move in zip(shares, most, strict=True)
    )
    chart = curves(
        (("true distribution", at, 100 * of.true_cdf(at)),),
        dots=marks,
        x="how far the answer moves (years)",
        y="share of changes (%)",
    )
    return chart, (
        f"The share of random changes that move the answer by no more. All but {_one_in(of.gamma)} stay within "
        f"{counted(figure(most[0]), ' years')}, all but {_one_in(_FEWER)} within {counted(figure(most[1]), ' years')}."
    )


def _up_to(of: Example, most: list[float]) -> Asked:
    """As far as the first of both shares."""
    chart, name = _true(of, most)[0], _one_in(of.gamma)
    alt = f"One dot: all but {name} random changes move the answer by at most {counted(figure(most[0]), ' years')}."
    return Asked(untold(chart, name), alt, per=most[0])


def _one_in(share: float) -> str:
    return f"1 in {1 / share:,.0f}"


def bounded() -> Example:
    """The example with times cut off, so that there is a worst case."""
    return Example().limited(_MOST)


def _bounded() -> Found:
    of = bounded()
    sampled, worst = of.sample().order_statistic, of.proved()
    times = worst.law.scale / of.law().scale
    return Found(
        truth=times,
        figure=lambda: _both(of),
        asked=lambda: _sampled_alone(of),
        numbers={
            "n": f"{of.n:,}",
            "most": figure(_MOST),
            "worst": figure(worst.sensitivity.value),
            "sampled": figure(sampled),
            "times": figure(times),
            "some": _one_in(of.gamma),
        },
    )


def _both(of: Example) -> tuple[Any, str]:
    sampled, worst = of.law(), of.proved().law
    at = np.linspace(-1, 1, 401) * worst.half_width(_SHOWN)
    lines = (("for Δ̂", at, sampled.density(at)), ("for the worst case", at, worst.density(at)))
    chart = curves(lines, x="noise (years)", y="how likely", likelihood=True)
    return chart, (
        f"How likely each noise is. 95 in 100 lie within "
        f"± {counted(figure(sampled.half_width(SHARE_WITHIN)), ' years')} where it is sized to "
        f"Δ̂, and within ± {counted(figure(worst.half_width(SHARE_WITHIN)), ' years')} where it is sized to the worst case."
    )


def _sampled_alone(of: Example) -> Asked:
    """The narrower noise, from whose reach the other's is dragged."""
    reach = of.law().half_width(SHARE_WITHIN)
    alt = f"How likely each noise is that is sized to Δ̂. 95 in 100 lie within ± {counted(figure(reach), ' years')}."
    return Asked(untold(_both(of)[0], "for Δ̂", at=("95 in 100 of it", reach)), alt, per=reach)


def to_try() -> Scenario:
    """The example with a worst case."""
    return scenario(bounded())


STEPS = {
    "worst": Step(Choice(), _worst),
    "bounded": Step(Mark(1, 20, 0.1, 2, "{} times as wide", "x"), _bounded),
    "likely": Step(Mark(1, 20, 0.1, 12, "{} times", "x"), _likely),
}
