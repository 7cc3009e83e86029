"""What sensitivity is: a property of the question and of the made-up tables, never of the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore.guarantees.words import figure
from pages.experiment.scenario import Scenario
from pages.old.charts.lessons import rows, untold
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Asked, Choice, Found, Mark, Step
from pages.old.experiment.lessons.to_try import scenario

ORDER = 3
_WIDER = 2.0


def _furthest() -> Found:
    of = Example()
    sample = of.sample()
    return Found(
        truth=sample.order_statistic,
        figure=lambda: _trials(of),
        asked=lambda: Asked(*_dots(of)),
        numbers={
            "n": f"{of.n:,}",
            "m": str(of.m),
            "k": str(of.point.k),
            "beyond": str(of.m - of.point.k),
            "sampled": figure(sample.order_statistic),
            "most": figure(float(sample.distances.max())),
        },
    )


def _trials(*several: Example) -> tuple[Any, str]:
    """Each trial is a dot; Δ̂ is a line."""
    samples = [of.sample() for of in several]
    names = ("as before", "twice as far")
    dots = tuple((name, one.distances) for name, one in zip(names, samples, strict=False))
    chart = rows(dots, tuple(one.order_statistic for one in samples), x="how far the answer moves (years)")
    moved = " and ".join(figure(one.order_statistic) for one in samples)
    return chart, f"Each dot is one of {several[0].m} made-up tables with one row changed. Lines stand at Δ̂ = {moved} years."


def _dots(of: Example) -> tuple[Any, str]:
    """The trials without Δ̂."""
    chart = rows((("as before", of.sample().distances),), (), x="how far the answer moves (years)")
    return (
        chart,
        f"Each dot is one of {of.m} made-up tables with one row changed. Most lie at the left, a few far to the right.",
    )


def _spread() -> Found:
    of = Example()
    wide = _wider(of)
    return Found(
        truth="twice",
        figure=lambda: _trials(of, wide),
        asked=lambda: Asked(
            untold(_trials(of, wide)[0], "as before"),
            f"Each dot is one of {of.m} made-up tables with one row changed. The line below it is still empty.",
        ),
        numbers={
            "sampled": figure(of.sample().order_statistic),
            "wider": figure(wide.sample().order_statistic),
            "typical": _mean(of),
            "typical_wider": _mean(wide),
        },
    )


def _wider(of: Example) -> Example:
    """With an oracle whose records are spread out twice as far: its rate is half of what it was."""
    oracle: Any = of.oracle
    return of.but(oracle=replace(oracle, rate=oracle.rate / _WIDER))


def _mean(of: Example) -> str:
    """How long its records last on average, with the unit."""
    oracle: Any = of.oracle
    mean = 1 / oracle.rate
    return f"{figure(mean)} year{'s' * (mean != 1)}"


def _made_of() -> Found:
    of = Example()
    return Found(
        truth="made_up",
        figure=lambda: _trials(of),
        asked=lambda: Asked(*_trials(of)),
        numbers={"sampled": figure(of.sample().order_statistic), "m": str(of.m)},
    )


def to_try() -> Scenario:
    """The example with the wider oracle."""
    return scenario(_wider(Example()))


STEPS = {
    "furthest": Step(Mark(0, 0.014, 0.0001, 0.001, "{} years", "x"), _furthest),
    "spread": Step(Choice(), _spread),
    "made_of": Step(Choice(), _made_of),
}
