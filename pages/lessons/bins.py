"""The best number of bins: the noise of each bar against the detail that wide bars lose."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from pages.experiment.examples import example_named
from pages.experiment.scenario import Noise, Scenario
from pages.experiment.tables import ours
from pages.figures.lessons import before, curves
from pages.figures.theme import Chart
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

N, YEARS = 500, 5.0  # rows, and the end of the histogram
EPSILON, MORE = 0.1, 1.0
SENSITIVITY = 2.0  # of all bars together in L1, if one row is replaced
_MOST = 30  # bars
_FEW, _MANY = 10, 100  # bars
_SMALL, _SEED = 20, 3  # rows of the first step's table
_ROW, _OTHER = 0.3, 4.7  # years


def scale(epsilon: float) -> float:
    """Return the scale of the noise on each bar, which is also its mean absolute value."""
    return SENSITIVITY / epsilon


def _stairs(edges: FloatArray, heights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the outline of bars."""
    return np.repeat(edges, 2), np.concatenate(([0.0], np.repeat(heights, 2), [0.0]))


def _two_bars() -> Result:
    others = np.minimum(np.random.default_rng(_SEED).exponential(size=_SMALL - 1), YEARS)
    edges = np.linspace(0, YEARS, _FEW + 1)
    first, second = (np.histogram(np.append(others, row), edges)[0].astype(float) for row in (_ROW, _OTHER))
    lines = (("before", *_stairs(edges, first)), ("one row replaced", *_stairs(edges, second)))
    alt = f"A histogram of {_SMALL} rows with {_FEW} bars. After the change one bar is a row lower, and another a row higher."
    whole = curves(lines, x="time (years)", y="rows", alt=alt)
    asked = before(whole, "before", alt=f"A histogram of {_SMALL} rows with {_FEW} bars.")
    numbers = {
        "small": str(_SMALL),
        "few": str(_FEW),
        "row": figure(_ROW),
        "other": figure(_OTHER),
        "sensitivity": f"{SENSITIVITY:g}",
        "epsilon": figure(EPSILON),
        "scale": f"{scale(EPSILON):.0f}",
    }
    return Result("two", asked, whole, numbers)


def _thin() -> Result:
    bars = np.arange(1, _MANY + 1)
    noise = 100 * scale(EPSILON) * bars / N  # % of an average bar, which has N / bars rows
    dots = ((f"{_FEW} bars", bars[[_FEW - 1]], noise[[_FEW - 1]]),)
    alt = (
        f"The noise as a share of an average bar rises in proportion to the number of bars, to {noise[-1]:.0f}% at {_MANY} bars."
    )
    whole = curves((("noise", bars, noise),), dots=dots, x="bars", y="noise (% of an average bar)", alt=alt)
    asked = before(whole, dots[0][0], alt=f"One point: with {_FEW} bars the noise is {noise[_FEW - 1]:.0f}% of an average bar.")
    numbers = {
        "n": str(N),
        "few": str(_FEW),
        "many": str(_MANY),
        "each": f"{N / _FEW:.0f}",
        "thin": f"{N / _MANY:.0f}",
        "scale": f"{scale(EPSILON):.0f}",
        "share": f"{noise[_FEW - 1]:.0f}",
        "large": f"{noise[-1]:.0f}",
    }
    return Result(float(noise[-1]), asked, whole, numbers)


def errors(bars: int, epsilon: float) -> tuple[float, float, float]:
    """Return the mean squared errors of a histogram as an estimate of the density, which is exponential up to the last edge.

    Args:
        bars: Number of bars of equal width.
        epsilon: ε.

    Returns:
        The errors from wide bars, from the chance of which rows are in the table, and from the noise. They add up.
    """
    total = -math.expm1(-YEARS)
    width = YEARS / bars
    shares = -np.diff(np.exp(-np.linspace(0, YEARS, bars + 1))) / total
    squared = -math.expm1(-2 * YEARS) / (2 * total**2)  # the integral of the squared density
    wide = squared - float((shares**2).sum()) / width
    chance = float((shares * (1 - shares)).sum()) / (N * width)
    noise = bars * 2 * scale(epsilon) ** 2 / (N**2 * width)
    return wide / YEARS, chance / YEARS, noise / YEARS


def error(bars: int, epsilon: float) -> float:
    """Return the root mean square error, in percent of the rows per year."""
    return 100 * math.sqrt(sum(errors(bars, epsilon)))


def best(epsilon: float) -> int:
    """Return the number of bars with the smallest error."""
    return min(range(1, _MOST + 1), key=lambda bars: error(bars, epsilon))


def _errors_chart(epsilon: float) -> Chart:
    bars = np.arange(1, _MOST + 1)
    parts = 100 * np.sqrt(np.array([errors(int(number), epsilon) for number in bars])).T
    total, least = np.sqrt((parts**2).sum(axis=0)), best(epsilon)
    lines = (("error", bars, total), ("lost detail", bars, parts[0]), ("noise", bars, parts[2]))
    dots = ((f"{least} bars", [least], [total[least - 1]]),)
    alt = (
        f"With more bars less detail is lost, and there is more noise. At ε = {figure(epsilon)} the error is smallest with "
        f"{least} bars, where it is {total[least - 1]:.1f}% of the rows per year."
    )
    return curves(lines, dots=dots, x="bars", y="error (% of rows per year)", alt=alt)


def _best() -> Result:
    whole, least = _errors_chart(EPSILON), best(EPSILON)
    asked = before(whole, "lost detail", "noise", alt="With more bars less detail is lost, and there is more noise.")
    numbers = {
        "n": str(N),
        "epsilon": figure(EPSILON),
        "best": str(least),
        "error": f"{error(least, EPSILON):.1f}",
        "many": str(_MOST),
        "worse": f"{error(_MOST, EPSILON):.0f}",
        "two": "2",
        "wide": f"{error(2, EPSILON):.0f}",
    }
    return Result(float(least), asked, whole, numbers)


def _more() -> Result:
    bars = np.arange(1, _MOST + 1)
    lines = [
        (f"ε = {figure(epsilon)}", bars, np.array([error(int(number), epsilon) for number in bars]))
        for epsilon in (EPSILON, MORE)
    ]
    dots = [(f"{best(one)} bars", [best(one)], [error(best(one), one)]) for one in (EPSILON, MORE)]
    names = " and ".join(f"with {dot[0]} at {name}" for dot, (name, *_) in zip(dots, lines, strict=True))
    alt = f"The error by the number of bars. It is smallest {names}."
    whole = curves(lines, dots=dots, x="bars", y="error (% of rows per year)", alt=alt)
    alt = f"The error by the number of bars at {lines[0][0]}. It is smallest with {best(EPSILON)} bars."
    asked = before(whole, lines[0][0], dots[0][0], alt=alt)
    numbers = {
        "epsilon": figure(EPSILON),
        "more": figure(MORE),
        "best": str(best(EPSILON)),
        "finer": str(best(MORE)),
        "scale": f"{scale(EPSILON):.0f}",
        "less": f"{scale(MORE):.0f}",
    }
    return Result("more", asked, whole, numbers)


def scenario() -> Scenario:
    """Return the example of a histogram, with noise for the worst case."""
    return replace(example_named("Histogram", ours()), noise=Noise.WORST_CASE)


LESSON = read_lesson(
    "bins",
    {
        "two_bars": (Choice(), _two_bars),
        "thin": (Slider(0, 500, 10, 100, "{}%", "y"), _thin),
        "best": (Slider(1, _MOST, 1, 22, "{} bars", "x"), _best),
        "more": (Choice(), _more),
    },
    scenario,
)
