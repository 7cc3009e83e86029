"""γ, m and k: what nineteen sampled pairs can promise, and what they cannot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.operating_points import OperatingPoint, chance_of_missing_more
from pages.experiment.scenario import Scenario
from pages.figures.lessons import before, curves
from pages.figures.theme import Chart
from pages.lessons.example import Example
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

_RUNS = 4_000


def few() -> Example:
    """Return the example with the fewest sampled pairs that its γ allows."""
    return replace(Example(), m=OperatingPoint.for_gamma(Example().gamma).m)


def running_share() -> FloatArray:
    """Return, for runs of m pairs and one new change, the share so far in which the new change went furthest."""
    size = few().m + 1
    moves = replace(Example(), m=_RUNS * size).sample().distances.reshape(_RUNS, size)
    further = moves[:, -1] > moves[:, :-1].max(axis=1)
    return np.asarray(np.cumsum(further) / np.arange(1, _RUNS + 1))


def _further() -> Result:
    m, share = few().m, running_share()
    chance, runs, name = 100 / (m + 1), np.arange(1, _RUNS + 1, dtype=np.float64), f"1 in {m + 1}"
    seen = figure(100 * float(share[-1]))
    whole = curves(
        (("runs so far", runs[9:], 100 * share[9:]), (name, runs, np.full(_RUNS, chance))),
        x="runs",
        y="new change went furthest (%)",
        alt=f"How often a new change went further than all {m} pairs. It settles near {chance:g}%. After {_RUNS:,} runs it is "
        f"{seen}%.",
    )
    numbers = {
        "m": str(m),
        "more": str(m + 1),
        "chance": figure(chance),
        "runs": f"{_RUNS:,}",
        "seen": str(round(_RUNS * share[-1])),
        "share": seen,
        "some": name,
    }
    return Result(chance, before(whole, alt=f"Empty axes for {_RUNS:,} runs."), whole, numbers)


def _misses(*points: OperatingPoint) -> Chart:
    shares = np.linspace(0, 0.25, 200)
    chances = [np.array([100 * chance_of_missing_more(point, x) for x in shares]) for point in points]
    lines = [(f"{point.m} pairs", 100 * shares, chance) for point, chance in zip(points, chances, strict=True)]
    gamma = points[0].gamma
    mark = (f"γ = {gamma:g}", np.full(2, 100 * gamma), np.array([0.0, 100.0]))
    far = ", ".join(f"{100 * chance_of_missing_more(point, 2 * gamma):.3g}% with {point.m} pairs" for point in points)
    alt = f"How many runs leave more than a share of changes unprotected. More than {200 * gamma:g}%: {far}."
    return curves((*lines, mark), x="not protected (% of changes)", y="runs with more than that (%)", alt=alt)


def _one_run() -> Result:
    point = few().point
    whole, chance = _misses(point), round(100 * chance_of_missing_more(point))
    asked = before(whole, f"γ = {point.gamma:g}", alt=f"A line marks the promised {100 * point.gamma:g}%.")
    numbers = {
        "m": str(point.m),
        "gamma": figure(100 * point.gamma),
        "chance": str(chance),
        "twice": figure(200 * point.gamma),
        "far": f"{100 * chance_of_missing_more(point, 2 * point.gamma):.0f}",
    }
    return Result(chance, asked, whole, numbers)


def _more_pairs() -> Result:
    small, large = few().point, Example().point
    whole = _misses(small, large)
    asked = before(whole, f"{small.m} pairs", f"γ = {small.gamma:g}", alt=_misses(small).alt)
    numbers = {
        "few": str(small.m),
        "many": str(large.m),
        "k": str(large.k),
        "gamma": figure(100 * small.gamma),
        "twice": figure(200 * small.gamma),
        "far": figure(100 * chance_of_missing_more(small, 2 * small.gamma)),
        "rare": figure(100 * chance_of_missing_more(large, 2 * small.gamma)),
    }
    return Result("closer", asked, whole, numbers)


def losing_more(of: Example, times: FloatArray | float) -> FloatArray:
    """Return how many random changes lose more than tε, in percent: 1 − Φ(tΔ̂) (mathematics, section 12.1).

    Args:
        of: The example.
        times: The multiple t.
    """
    return 100 * (1 - of.true_cdf(times * of.sample().order_statistic))


def _people() -> Result:
    of, times = Example(), np.linspace(0, 2.5, 200)
    beyond, twice = (figure(float(losing_more(of, many))) for many in (1.0, 2.0))
    whole = curves(
        (("random changes", times, losing_more(of, times)), ("the promised ε", np.ones(2), np.array([0.0, 100.0]))),
        x="loss (multiples of ε)",
        y="changes that lose more (%)",
        alt=f"How many random changes lose more than a multiple of ε. {beyond}% lose more than ε, and fewer lose even more.",
    )
    numbers = {
        "n": f"{of.n:,}",
        "gamma": figure(100 * of.gamma),
        "count": f"{of.n * of.gamma:.0f}",
        "epsilon": figure(of.epsilon),
        "beyond": beyond,
        "beyond_twice": twice,
    }
    return Result("nobody_knows", whole, whole, numbers)


def scenario() -> Scenario:
    """Return the example with few pairs."""
    return few().scenario()


LESSON = read_lesson(
    "nineteen_pairs",
    {
        "further": (Slider(0, 50, 0.5, 30, "{}%", "y"), _further),
        "one_run": (Slider(0, 100, 1, 5, "{}%", "y"), _one_run),
        "more_pairs": (Choice(), _more_pairs),
        "people": (Choice(), _people),
    },
    scenario,
)
