"""Noise and ε: the width of the noise, and how often an attacker's guess from a private answer is right."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.experiment.scenario import Scenario
from pages.figures.lessons import before, curves, with_ruler
from pages.figures.theme import Chart
from pages.lessons.example import Example, best_guess
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

_LESS, _MORE = 0.5, 5.0  # ε, beside that of the example
_SHOWN = 0.98  # share of the noise on a chart
_RULER = "right guesses (%); 50% is chance"


def noise(epsilon: float) -> NoiseLaw:
    """Return the noise at an ε."""
    law: NoiseLaw = Example(epsilon=epsilon).noise()
    return law


def right(epsilon: float) -> float:
    """Return how often the best guess is right, in percent, for tables whose answers are Δ̂ apart."""
    return float(best_guess(noise(epsilon), Example().sample().order_statistic)[0])


def _two_tables(epsilon: float) -> Chart:
    law, apart = noise(epsilon), Example().sample().order_statistic
    reach = law.half_width(_SHOWN)
    at = np.linspace(-reach, apart + reach, 400)
    lines = (("first table", at, law.density(at)), ("its neighbour", at, law.density(at - apart)))
    alt = (
        f"How likely each private answer is with two neighbouring tables, whose exact answers are {figure(apart)} years apart, "
        f"at ε = {figure(epsilon)}. The curves overlap and cross halfway."
    )
    return curves(lines, x="private answer − answer of the first table (years)", y="how likely", density=True, alt=alt)


def _with_ruler(epsilon: float, numbers: dict[str, str]) -> Result:
    chart, truth = _two_tables(epsilon), round(right(epsilon))
    told = replace(chart, alt=f"{chart.alt} A guess is right {truth}% of the time.")
    return Result(truth, with_ruler(chart, _RULER), with_ruler(told, _RULER, truth), numbers | {"right": f"{truth}"})


def _attacker() -> Result:
    of = Example()
    bound = math.ceil(100 / (1 + math.exp(-of.epsilon)))
    apart = figure(of.sample().order_statistic)
    return _with_ruler(of.epsilon, {"apart": apart, "epsilon": figure(of.epsilon), "most": f"{bound}"})


def _half() -> Result:
    of = Example()
    narrow, wide = noise(of.epsilon), noise(_LESS)
    at = np.linspace(-1, 1, 401) * wide.half_width(_SHOWN)
    names = [f"ε = {figure(of.epsilon)}", f"ε = {figure(_LESS)}"]
    reach = [figure(law.half_width(SHARE_WITHIN)) for law in (narrow, wide)]
    whole = curves(
        ((names[0], at, narrow.density(at)), (names[1], at, wide.density(at))),
        x="noise (years)",
        y="how likely",
        density=True,
        alt=f"How likely each noise is. 95% is within ±{reach[0]} years at {names[0]}, and within ±{reach[1]} at {names[1]}.",
    )
    asked = before(whole, names[0], alt=f"How likely each noise is at {names[0]}. 95% is within ±{reach[0]} years.")
    numbers = {
        "epsilon": figure(of.epsilon),
        "less": figure(_LESS),
        "narrow": reach[0],
        "wide": reach[1],
        "right": f"{right(_LESS):.0f}",
        "before": f"{right(of.epsilon):.0f}",
    }
    return Result("twice", asked, whole, numbers)


def _large() -> Result:
    of = Example()
    reach = {"reach": noise(_MORE), "before": noise(of.epsilon)}
    widths = {name: figure(law.half_width(SHARE_WITHIN)) for name, law in reach.items()}
    return _with_ruler(_MORE, {"more": figure(_MORE), "epsilon": figure(of.epsilon)} | widths)


def scenario() -> Scenario:
    """Return the example with a smaller ε."""
    return Example(epsilon=_LESS).scenario()


LESSON = read_lesson(
    "noise",
    {
        "attacker": (Slider(50, 100, 1, 90, "{}%", "ruler"), _attacker),
        "half": (Choice(), _half),
        "large": (Slider(50, 100, 1, 75, "{}%", "ruler"), _large),
    },
    scenario,
    live="epsilon",
)
