"""γ, m and k: what nineteen trials can promise, and what they cannot."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.guarantees.operating_points import OperatingPoint, chance_of_missing_more
from dpcore.guarantees.words import figure
from pages.experiment.scenario import Scenario
from pages.old.charts.lessons import curves, untold
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Asked, Choice, Found, Mark, Step
from pages.old.experiment.lessons.to_try import scenario

ORDER = 6
_RUNS = 4_000


def few() -> Example:
    """The example with the fewest trials that its γ allows."""
    return Example(m=OperatingPoint.for_gamma(Example().gamma).m)


def _further() -> Found:
    of = few()
    share = running_share(of)
    return Found(
        truth=100 / (of.m + 1),
        figure=lambda: _running(of, share),
        asked=lambda: Asked(
            untold(_running(of, share)[0]),
            f"An empty chart of {_RUNS:,} runs: in how many a new change goes furthest, in per cent.",
        ),
        numbers={
            "m": str(of.m),
            "more": str(of.m + 1),
            "chance": figure(100 / (of.m + 1)),
            "runs": f"{_RUNS:,}",
            "seen": str(round(_RUNS * share[-1])),
            "share": figure(100 * float(share[-1])),
            "some": f"1 in {of.m + 1}",
        },
    )


def running_share(of: Example) -> Any:
    """In runs of m trials and one new change, the share so far in which the new one went furthest."""
    moves = Example(m=_RUNS * (of.m + 1)).sample().distances.reshape(_RUNS, of.m + 1)
    further = moves[:, -1] > moves[:, :-1].max(axis=1)
    return np.cumsum(further) / np.arange(1, _RUNS + 1)


def _running(of: Example, share: Any) -> tuple[Any, str]:
    runs = np.arange(1, _RUNS + 1, dtype=np.float64)
    lines = (("runs so far", runs, 100 * share), (f"1 in {of.m + 1}", runs, np.full(_RUNS, 100 / (of.m + 1))))
    chart = curves(lines, x="runs", y="new change went furthest (%)")
    return chart, (
        f"In how many of the runs so far a new change went further than all {of.m} trials. It settles at {100 / (of.m + 1):g} %: "
        f"after {_RUNS:,} runs it is {figure(100 * float(share[-1]))} %."
    )


def _one_run() -> Found:
    point = few().point
    chance = chance_of_missing_more(point)
    return Found(
        truth=float(round(100 * chance)),
        figure=lambda: _misses((point,)),
        asked=lambda: Asked(
            untold(_misses((point,))[0], f"γ = {point.gamma:g}"),
            f"One line stands at the promised {100 * point.gamma:g} %.",
        ),
        numbers={
            "m": str(point.m),
            "gamma": figure(100 * point.gamma),
            "chance": f"{100 * chance:.0f}",
            "twice": figure(200 * point.gamma),
            "far": f"{100 * chance_of_missing_more(point, 2 * point.gamma):.0f}",
        },
    )


def _more_trials() -> Found:
    points = few().point, Example().point
    far = [chance_of_missing_more(point, 2 * point.gamma) for point in points]
    return Found(
        truth="closer",
        figure=lambda: _misses(points),
        asked=lambda: Asked(untold(_misses(points)[0], *_known(points[0])), _misses(points[:1])[1]),
        numbers={
            "few": str(points[0].m),
            "many": str(points[1].m),
            "k": str(points[1].k),
            "gamma": figure(100 * points[0].gamma),
            "twice": figure(200 * points[0].gamma),
            "far": figure(100 * far[0]),
            "rare": figure(100 * far[1]),
        },
    )


def _misses(points: tuple[OperatingPoint, ...]) -> tuple[Any, str]:
    shares = np.linspace(0, 0.25, 200)
    lines = tuple(
        (f"{point.m} trials", 100 * shares, np.array([100 * chance_of_missing_more(point, x) for x in shares]))
        for point in points
    )
    gamma = points[0].gamma
    mark = (f"γ = {gamma:g}", np.full(2, 100 * gamma), np.array([0.0, 100.0]))
    chart = curves((*lines, mark), x="left out (% of changes)", y="runs that leave out more (%)")
    far = ", ".join(f"{100 * chance_of_missing_more(point, 2 * gamma):.3g} % with {point.m} trials" for point in points)
    return chart, f"How many runs leave out more than a share of changes. More than {200 * gamma:g} % is left out in {far}."


def _known(point: OperatingPoint) -> tuple[str, str]:
    """The lines that the step before has shown."""
    return f"{point.m} trials", f"γ = {point.gamma:g}"


def _people() -> Found:
    of = Example()
    return Found(
        truth="nobody_knows",
        figure=lambda: _lost(of),
        asked=lambda: Asked(*_lost(of)),
        numbers={
            "n": f"{of.n:,}",
            "gamma": figure(100 * of.gamma),
            "count": f"{of.n * of.gamma:.0f}",
            "epsilon": figure(of.epsilon),
            "beyond": figure(float(losing_more(of, 1.0))),
            "beyond_twice": figure(float(losing_more(of, 2.0))),
        },
    )


def losing_more(of: Example, times: Any) -> Any:
    """Of a hundred random changes, those on which more than so many times ε is lost: 100·(1 − Φ(tΔ̂)) (mathematics, section
    12.1)."""
    return 100 * (1 - of.true_cdf(times * of.sample().order_statistic))


def _lost(of: Example) -> tuple[Any, str]:
    times = np.linspace(0, 2.5, 200)
    promised = ("the promised ε", np.ones(2), np.array([0.0, 100.0]))
    chart = curves((("random changes", times, losing_more(of, times)), promised), x="times ε", y="changes that lose more (%)")
    return chart, (
        f"How many of a hundred random changes lose more than so many times the promised ε. More than once ε it is "
        f"{figure(float(losing_more(of, 1.0)))}, and the share falls from there."
    )


def to_try() -> Scenario:
    """The example with few trials."""
    return scenario(few())


STEPS = {
    "further": Step(Mark(0, 50, 0.5, 30, "{} %", "y"), _further),
    "one_run": Step(Mark(0, 100, 1, 5, "{} in 100", "y"), _one_run),
    "more_trials": Step(Choice(), _more_trials),
    "people": Step(Choice(), _people),
}
