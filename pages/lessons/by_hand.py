"""Two lessons without a sampler: randomised response (Warner 1965), and the best number of bins of a histogram."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.guarantees.descriptions import figure
from pages.experiment.examples import example_named
from pages.experiment.scenario import Noise, Scenario
from pages.experiment.tables import ours
from pages.figures.lessons import before, curves, dot_rows
from pages.figures.theme import Chart
from pages.lessons.example import Example
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

# Lesson 0: flip a coin

TRUTHFUL = 0.5  # probability that the first coin asks for the truth
CLASS, LARGE = 30, 3_000  # people
YES = 18  # answers of the class
_CLASSES, _COIN_SEED = 200, 7  # simulated classes


def chance_of_yes(truth: float, truthful: float = TRUTHFUL) -> float:
    """Return the probability of the answer yes.

    Args:
        truth: Probability that yes is true, or share of the people.
        truthful: Probability that the first coin asks for the truth.
    """
    return truthful * truth + (1 - truthful) / 2


def estimate(said: FloatArray | float) -> Any:
    """Return the estimated share of people with a true yes.

    Args:
        said: Share of people who said yes.
    """
    return (said - chance_of_yes(0.0)) / TRUTHFUL


def deviation(people: int) -> float:
    """Return the standard deviation that the coins give the estimate: each person's answer has the variance 3/16.

    Args:
        people: Number of people.
    """
    variance = chance_of_yes(1.0) * (1 - chance_of_yes(1.0))
    return math.sqrt(variance / people) / TRUTHFUL


def coin_epsilon(truthful: float) -> float:
    """Return ε: the logarithm of how many times as probable yes is if it is true."""
    return math.log(chance_of_yes(1.0, truthful) / chance_of_yes(0.0, truthful))


def _answer() -> Result:
    prior = np.linspace(0, 1, 101)
    after = prior * chance_of_yes(1.0) / (prior * chance_of_yes(1.0) + (1 - prior) * chance_of_yes(0.0))
    truth = 100 * float(after[50])
    whole = curves(
        (("without the answer", 100 * prior, 100 * prior), ("after a “yes”", 100 * prior, 100 * after)),
        dots=(("even odds", [50.0], [truth]),),
        x="how sure you were before (%)",
        y="how sure you are after (%)",
        alt=f"How sure an answer “yes” makes you, by how sure you were before. From 50% it takes you to {truth:.0f}%.",
    )
    return Result(
        truth,
        before(
            whole,
            "without the answer",
            alt="A straight line: without the answer you are as sure as before. A vertical line marks 50%.",
            at=("even odds", 50.0),
        ),
        whole,
        {
            "yes": f"{100 * chance_of_yes(1.0):.0f}",
            "no": f"{100 * chance_of_yes(0.0):.0f}",
            "sure": f"{truth:.0f}",
        },
    )


def _share() -> Result:
    said = np.array([chance_of_yes(0.0), chance_of_yes(1.0)])
    truth, by_coin = 100 * estimate(YES / CLASS), CLASS * (1 - TRUTHFUL)
    whole = curves(
        (("estimated share", 100 * said, 100 * estimate(said)),),
        dots=(("this class", [100 * YES / CLASS], [truth]),),
        x="people who said yes (%)",
        y="people with a true yes (%)",
        alt=f"A straight line from 25% who said yes to 75%. At {100 * YES / CLASS:.0f}% the estimated share is {truth:.0f}%.",
    )
    return Result(
        truth,
        before(whole, alt="Empty axes, with a line at the share of people who said yes.", at=("this class", 100 * YES / CLASS)),
        whole,
        {
            "class": CLASS,
            "said": YES,
            "by_coin": by_coin,
            "coin_yes": by_coin / 2,
            "rest": YES - by_coin / 2,
            "truthful": CLASS * TRUTHFUL,
            "share": f"{truth:.0f}",
        },
    )


def simulated_classes(people: int) -> FloatArray:
    """Return estimates, in percent, from simulated classes in which the true share is that of the step before.

    Args:
        people: Number of people in each class.
    """
    true_yes = round(people * estimate(YES / CLASS))
    rng = np.random.default_rng(_COIN_SEED)
    said = rng.binomial(true_yes, chance_of_yes(1.0), _CLASSES) + rng.binomial(people - true_yes, chance_of_yes(0.0), _CLASSES)
    return np.asarray(100 * estimate(said / people))


def _people() -> Result:
    rows = [(f"{people:,} people", simulated_classes(people)) for people in (CLASS, LARGE)]
    near, nearer = (1.96 * 100 * deviation(people) for people in (CLASS, LARGE))
    whole = dot_rows(
        rows,
        x="estimated share (%)",
        alt=f"Estimates from {_CLASSES} simulated classes. 95% of them are within {near:.0f} percentage points of the truth "
        f"with {CLASS} people, and within {nearer:.1f} with {LARGE:,}.",
    )
    return Result(
        "tenth",
        before(whole, rows[0][0], alt=f"Estimates from {_CLASSES} simulated classes of {CLASS} people. The second row is empty."),
        whole,
        {
            "class": CLASS,
            "large": LARGE,
            "share": f"{100 * estimate(YES / CLASS):.0f}",
            "classes": _CLASSES,
            "small_reach": f"{near:.0f}",
            "large_reach": f"{nearer:.1f}",
            "trusted_reach": f"{100 * math.log(20) / (CLASS * coin_epsilon(TRUTHFUL)):.0f}",
        },
    )


def _epsilon() -> Result:
    truth, shares = coin_epsilon(TRUTHFUL), np.linspace(0, 0.96, 97)
    whole = curves(
        (("ε of one answer", 100 * shares, np.array([coin_epsilon(share) for share in shares])),),
        dots=(("this coin", [100 * TRUTHFUL], [truth]),),
        x="how often the coin asks for the truth (%)",
        y="ε",
        alt=f"ε rises with the share of truthful answers, slowly at first and then without a limit. At 50% it is {truth:.2f}.",
    )
    return Result(
        truth,
        before(whole, alt="Empty axes, with a line at 50% truthful answers.", at=("this coin", 100 * TRUTHFUL)),
        whole,
        {
            "yes": f"{100 * chance_of_yes(1.0):.0f}",
            "no": f"{100 * chance_of_yes(0.0):.0f}",
            "times": chance_of_yes(1.0) / chance_of_yes(0.0),
            "epsilon": f"{truth:.2f}",
            "often": "90",
            "high": f"{coin_epsilon(0.9):.1f}",
        },
    )


COIN = read_lesson(
    "coin",
    {
        "answer": (Slider(50, 100, 1, 95, "{}%", "y"), _answer),
        "share": (Slider(0, 100, 1, 60, "{}%", "y"), _share),
        "people": (Choice(), _people),
        "epsilon": (Slider(0, 4, 0.1, 0.5, "ε = {}", "y"), _epsilon),
    },
    replace(Example(), epsilon=round(coin_epsilon(TRUTHFUL), 2)).limited(20.0).scenario,
)

# How many bins?

N, YEARS = 500, 5.0  # rows, and the end of the histogram
EPSILON, MORE = 0.1, 1.0
SENSITIVITY = 2.0  # of all bars together in L1, if one row is replaced
_MOST = 30  # bars
_FEW, _MANY = 10, 100  # bars
_SMALL, _TABLE_SEED = 20, 3  # rows of the first step's table
_ROW, _OTHER = 0.3, 4.7  # years


def scale(epsilon: float) -> float:
    """Return the scale of the noise on each bar, which is also its mean absolute value."""
    return SENSITIVITY / epsilon


def _two_bars() -> Result:
    others = np.minimum(np.random.default_rng(_TABLE_SEED).exponential(size=_SMALL - 1), YEARS)
    edges = np.linspace(0, YEARS, _FEW + 1)
    lines = []
    for name, row in (("before", _ROW), ("one row replaced", _OTHER)):
        heights = np.histogram(np.append(others, row), edges)[0].astype(float)
        lines.append((name, np.repeat(edges, 2), np.concatenate(([0.0], np.repeat(heights, 2), [0.0]))))
    alt = f"A histogram of {_SMALL} rows with {_FEW} bars. After the change one bar is a row lower, and another a row higher."
    whole = curves(lines, x="time (years)", y="rows", alt=alt)
    return Result(
        "two",
        before(whole, "before", alt=f"A histogram of {_SMALL} rows with {_FEW} bars."),
        whole,
        {
            "small": _SMALL,
            "few": _FEW,
            "row": _ROW,
            "other": _OTHER,
            "sensitivity": SENSITIVITY,
            "epsilon": EPSILON,
            "scale": f"{scale(EPSILON):.0f}",
        },
    )


def _thin() -> Result:
    bars = np.arange(1, _MANY + 1)
    noise = 100 * scale(EPSILON) * bars / N  # % of an average bar, which has N / bars rows
    share, name = noise[_FEW - 1], f"{_FEW} bars"
    whole = curves(
        (("noise", bars, noise),),
        dots=((name, [_FEW], [share]),),
        x="bars",
        y="noise (% of an average bar)",
        alt="The noise as a share of an average bar rises in proportion to the number of bars, "
        f"to {noise[-1]:.0f}% at {_MANY} bars.",
    )
    return Result(
        float(noise[-1]),
        before(whole, name, alt=f"One point: with {name} the noise is {share:.0f}% of an average bar."),
        whole,
        {
            "n": N,
            "few": _FEW,
            "many": _MANY,
            "each": f"{N / _FEW:.0f}",
            "thin": f"{N / _MANY:.0f}",
            "scale": f"{scale(EPSILON):.0f}",
            "share": f"{share:.0f}",
            "large": f"{noise[-1]:.0f}",
        },
    )


def histogram_errors(bars: int, epsilon: float) -> tuple[float, float, float]:
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


def histogram_error(bars: int, epsilon: float) -> float:
    """Return the root mean square error, in percent of the rows per year."""
    return 100 * math.sqrt(sum(histogram_errors(bars, epsilon)))


def best_bars(epsilon: float) -> int:
    """Return the number of bars with the smallest error."""
    return min(range(1, _MOST + 1), key=lambda bars: histogram_error(bars, epsilon))


def _errors_chart(epsilon: float) -> Chart:
    bars, least = np.arange(1, _MOST + 1), best_bars(epsilon)
    parts = 100 * np.sqrt(np.array([histogram_errors(int(number), epsilon) for number in bars])).T
    total = np.sqrt((parts**2).sum(axis=0))
    return curves(
        (("error", bars, total), ("lost detail", bars, parts[0]), ("noise", bars, parts[2])),
        dots=((f"{least} bars", [least], [total[least - 1]]),),
        x="bars",
        y="error (% of rows per year)",
        alt=f"With more bars less detail is lost, and there is more noise. At ε = {figure(epsilon)} the error is smallest with "
        f"{least} bars, where it is {total[least - 1]:.1f}% of the rows per year.",
    )


def _best() -> Result:
    whole, least = _errors_chart(EPSILON), best_bars(EPSILON)
    return Result(
        float(least),
        before(whole, "lost detail", "noise", alt="With more bars less detail is lost, and there is more noise."),
        whole,
        {
            "n": N,
            "epsilon": EPSILON,
            "best": least,
            "error": f"{histogram_error(least, EPSILON):.1f}",
            "many": _MOST,
            "worse": f"{histogram_error(_MOST, EPSILON):.0f}",
            "two": 2,
            "wide": f"{histogram_error(2, EPSILON):.0f}",
        },
    )


def _more() -> Result:
    bars, lines, dots = np.arange(1, _MOST + 1), [], []
    for epsilon in (EPSILON, MORE):
        errors, least = np.array([histogram_error(int(number), epsilon) for number in bars]), best_bars(epsilon)
        lines.append((f"ε = {figure(epsilon)}", bars, errors))
        dots.append((f"{least} bars", [least], [errors[least - 1]]))
    smallest = [f"with {best} at {name}" for (best, *_), (name, *_) in zip(dots, lines, strict=True)]
    alt = "The error by the number of bars. It is smallest "
    whole = curves(lines, dots=dots, x="bars", y="error (% of rows per year)", alt=f"{alt}{' and '.join(smallest)}.")
    alt = f"The error by the number of bars at {lines[0][0]}. It is smallest with {dots[0][0]}."
    return Result(
        "more",
        before(whole, lines[0][0], dots[0][0], alt=alt),
        whole,
        {
            "epsilon": EPSILON,
            "more": MORE,
            "best": best_bars(EPSILON),
            "finer": best_bars(MORE),
            "scale": f"{scale(EPSILON):.0f}",
            "less": f"{scale(MORE):.0f}",
        },
    )


def _histogram() -> Scenario:
    """Return the example of a histogram, with noise for the worst case."""
    return replace(example_named("Histogram", ours()), noise=Noise.WORST_CASE)


BINS = read_lesson(
    "bins",
    {
        "two_bars": (Choice(), _two_bars),
        "thin": (Slider(0, 500, 10, 100, "{}%", "y"), _thin),
        "best": (Slider(1, _MOST, 1, 22, "{} bars", "x"), _best),
        "more": (Choice(), _more),
    },
    _histogram,
)
