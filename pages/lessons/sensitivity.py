"""Sampled sensitivity: how far simulated changes of one row move the answer."""

from __future__ import annotations

from dataclasses import replace

from dpcore.guarantees.descriptions import figure
from dpcore.oracles.exponential import Exponential
from pages.experiment.scenario import Scenario
from pages.figures.lessons import before, dot_rows
from pages.figures.theme import Chart
from pages.lessons.example import YEARS, Example
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

_WIDER = 2.0  # times as spread out
_BEFORE, _TWICE = "as before", "twice as far"


def wider() -> Example:
    """Return the example with an oracle whose rows are spread out twice as far."""
    return replace(Example(), oracle=Exponential(Example().oracle.rate / _WIDER))


def _pairs(*examples: Example) -> Chart:
    samples = [of.sample() for of in examples]
    rows = [(name, one.distances) for name, one in zip((_BEFORE, _TWICE), samples, strict=False)]
    moved = " and ".join(figure(one.order_statistic) for one in samples)
    alt = f"{examples[0].m} simulated changes of one row. Lines mark Δ̂ = {moved} years."
    return dot_rows(rows, [one.order_statistic for one in samples], x=YEARS, alt=alt)


def _furthest() -> Result:
    of, whole = Example(), _pairs(Example())
    sample = of.sample()
    alt = f"{of.m} simulated changes of one row. Most move the mean a little, a few move it far."
    numbers = {
        "n": f"{of.n:,}",
        "m": str(of.m),
        "k": str(of.point.k),
        "beyond": str(of.m - of.point.k),
        "sampled": figure(sample.order_statistic),
        "most": figure(float(sample.distances.max())),
    }
    return Result(sample.order_statistic, before(whole, _BEFORE, alt=alt), whole, numbers)


def _spread() -> Result:
    of, whole = Example(), _pairs(Example(), wider())
    alt = f"{of.m} simulated changes of one row. The second row is empty."
    numbers = {
        "sampled": figure(of.sample().order_statistic),
        "wider": figure(wider().sample().order_statistic),
        "typical": figure(1 / of.oracle.rate),
        "typical_wider": figure(1 / wider().oracle.rate),
    }
    return Result("twice", before(whole, _BEFORE, alt=alt), whole, numbers)


def _simulated() -> Result:
    of, whole = Example(), _pairs(Example())
    return Result("simulated", whole, whole, {"sampled": figure(of.sample().order_statistic), "m": str(of.m)})


def scenario() -> Scenario:
    """Return the example with the wider oracle."""
    return wider().scenario()


LESSON = read_lesson(
    "sensitivity",
    {
        "furthest": (Slider(0, 0.014, 0.0001, 0.001, "{} years", "x"), _furthest),
        "spread": (Choice(), _spread),
        "made_of": (Choice(), _simulated),
    },
    scenario,
)
