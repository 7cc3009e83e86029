"""Sample and aggregate: differential privacy for any target, without an oracle, and its price."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore import L1, ExponentialMechanism, LaplaceMechanism, PureDP, Target, oracles, sample_sensitivity, targets
from dpcore.audits.block_error_prediction import predict_block_error, usual_blocks
from dpcore.base.arrays import FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.response_law import NoiseLaw
from pages.experiment.scenario import Scenario
from pages.figures.lessons import before, curves, dot_rows, right_guesses
from pages.lessons.example import Example, best_guess, most_right
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

_LIMITS = (0.0, 20.0)  # years, between which answers are published
_USUAL, _LONG = 1.0, 30.0  # years, of a row and of the row that replaces it
_WIDER = 2.0  # spread of real rows, in multiples of the oracle's
_TABLES, _SEED = 6, 11  # simulated tables for an error
_TIMES = 20.0  # largest guess
_POINTS = 30
_SAMPLED, _BLOCKS = "sampled noise", "median of blocks"


def _mechanism(aggregate: targets.SampleAndAggregate) -> ExponentialMechanism:
    mechanism = ExponentialMechanism.suited(aggregate)
    assert mechanism is not None
    return mechanism


def blocks(target: Target, k: int) -> Any:
    """Return the calibrated selection of a value near the median of k blocks' answers.

    Args:
        target: The target that each block computes.
        k: Number of blocks.
    """
    aggregate, of = targets.SampleAndAggregate(target, k, _LIMITS), Example()
    return _mechanism(aggregate).calibrate(aggregate.proved(of.n), PureDP(of.epsilon))


def usual() -> int:
    """Return the usual number of blocks, which depends only on n and ε."""
    return usual_blocks(Example().n, Example().epsilon)


def one_replaced(years: float = _LONG) -> tuple[FloatArray, FloatArray]:
    """Return the answers of all blocks of a simulated table, before and after its first row is replaced.

    Args:
        years: The new time of the first row.
    """
    aggregate: Any = blocks(Example().target, usual()).sensitivity.target
    rest = Example().pairs(1)[0][0][1:]
    return aggregate.answers(np.append(_USUAL, rest)), aggregate.answers(np.append(years, rest))


def _one_row() -> Result:
    first, second = one_replaced()
    (moved,) = np.flatnonzero(first != second)
    whole = dot_rows(
        (("before", first), ("one row replaced", second)),
        x="mean of a block (years)",
        alt=f"The means of {len(first)} blocks before and after a row is replaced. One moved, to {second.max():.2f} years.",
    )
    return Result(
        "one",
        before(whole, "before", alt=f"The means of {len(first)} blocks. They are near one year."),
        whole,
        {
            "n": Example().n,
            "k": len(first),
            "rows": Example().n // len(first),
            "usual": _USUAL,
            "long": _LONG,
            "before": f"{first[moved]:.2f}",
            "after": f"{second[moved]:.2f}",
        },
    )


def error(target: Target, k: int) -> float:
    """Return the root mean square error of the selected value, compared with the table's own answer.

    Args:
        target: The target.
        k: Number of blocks.
    """
    return float(predict_block_error(blocks(target, k), Example().oracle, tables=_TABLES, seed=_SEED).error)


def _sampled_error(target: Target) -> float:
    """Return the root mean square of the noise calibrated to the sampled sensitivity of a target."""
    of = Example()
    drawn = sample_sensitivity(target, of.oracle, norm=L1, n=of.n, at=of.point, seed=1)
    return _root_mean_square(LaplaceMechanism().law(target, drawn.order_statistic, PureDP(of.epsilon)))


def _within(target: Target, k: int, at: FloatArray) -> FloatArray:
    """Return the share of selected values, in percent, within each distance of the answer of simulated tables."""
    of, made = Example(), blocks(target, k)
    aggregate, total = made.sensitivity.target, np.zeros(len(at))
    for table in of.oracle.draw(_TABLES, of.n, rng=np.random.default_rng(_SEED)):
        far = np.abs(np.array(aggregate.candidates) - target(table))
        order = np.argsort(far)
        shares = np.cumsum(made.law.probabilities(aggregate(table))[order])
        total += np.interp(at, np.append(0, far[order]), np.append(0, shares))
    return 100 * total / _TABLES


def _root_mean_square(law: NoiseLaw) -> float:
    """Return the root mean square of Laplace noise: √2·b, and b·log 2 is its median size."""
    return math.sqrt(2) * law.half_width(0.5) / math.log(2)


def _price(target: Target, k: int) -> Result:
    """Return how many times as large the error of k blocks is as that of sampled noise."""
    near, far = _sampled_error(target), error(target, k)
    at = np.linspace(0, _TIMES * near, 200)
    shares = _within(target, k, at)
    whole = curves(
        ((_SAMPLED, at, 100 * -np.expm1(-np.sqrt(2) * at / near)), (_BLOCKS, at, shares)),
        dots=(("error of blocks", [far], [float(np.interp(far, at, shares))]),),
        x="distance from the exact answer (years)",
        y="answers within it (%)",
        alt=f"How many answers are within each distance of the exact one. The error of the {_BLOCKS} is {figure(far)} years.",
    )
    alt = f"How many answers with {_SAMPLED} are within each distance. A line marks their error, {figure(near)} years."
    asked = before(whole, _SAMPLED, alt=alt, at=("its error", near))
    return Result(far / near, asked, whole, {"k": k, "near": near, "far": far, "times": far / near}, unit=near)


def _mean() -> Result:
    of = Example()
    price, far = _price(of.target, usual()), error(of.target, usual())
    worst = _root_mean_square(of.limited(_LIMITS[1]).proved().law)
    more = {"epsilon": of.epsilon, "most": _LIMITS[1], "worst": worst, "of_worst": far / worst}
    return replace(price, numbers={**price.numbers, **more})


def _median() -> Result:
    return _price(targets.Quantile(0.5), Example().n)


def guesses(years: FloatArray) -> FloatArray:
    """Return how often the best guess from the selected value is right, in percent, if a long time replaces a usual one.

    The row is in the block with the smallest answer, where it reveals most: that answer moves past all others.

    Args:
        years: Times of the row.
    """
    made, of = blocks(Example().target, usual()), Example()
    aggregate: Any = made.sensitivity.target
    answers = aggregate.answers(of.pairs(1)[0][0])
    first, least, chances = aggregate.scores_of(answers), int(answers.argmin()), []
    for one in years:
        moved = answers.copy()
        moved[least] += (one - _USUAL) * usual() / of.n
        ours, others = made.law.sides(first, aggregate.scores_of(moved))
        chances.append(50 + 50 * (ours - others))
    return np.array(chances)


def _odd_row() -> Result:
    of, years = Example(), np.linspace(_USUAL, _LONG, _POINTS)
    noisy, hidden = best_guess(of.noise(), (years - _USUAL) / of.n), guesses(years)
    wider = replace(of, oracle=oracles.Exponential(1 / _WIDER))
    bound = np.full(_POINTS, 100 / (1 + math.exp(-of.epsilon)))
    whole = right_guesses(
        ((_SAMPLED, years, noisy), (_BLOCKS, years, hidden), ("limit for blocks", years, bound)),
        x="time in the row (years)",
        alt=f"How often a guess about one row is right, by its time. At {_LONG:g} years it is {noisy[-1]:.0f}% with {_SAMPLED}, "
        f"and {hidden[-1]:.0f}% with the {_BLOCKS}.",
    )
    return Result(
        round(hidden[-1]),
        before(
            whole,
            _SAMPLED,
            alt=f"How often a guess about one row is right, by its time, with {_SAMPLED}. It rises to {noisy[-1]:.0f}%.",
            at=(f"{_LONG:g} years", _LONG),
        ),
        whole,
        {
            "long": _LONG,
            "usual": _USUAL,
            "noise": f"{noisy[-1]:.0f}",
            "right": f"{hidden[-1]:.0f}",
            "bound": most_right(of.epsilon),
            "gamma": 100 * of.gamma,
            "wider": _WIDER,
            "left": f"{100 * (1 - float(wider.true_cdf(of.sample().order_statistic))):.0f}",
        },
    )


def _mean_of_blocks() -> Scenario:
    """Return the example with a mean of blocks."""
    aggregate = targets.SampleAndAggregate(Example().target, usual(), _LIMITS)
    mechanism = _mechanism(aggregate)
    return Example().scenario().with_(target=aggregate, mechanism=mechanism)


NO_ORACLE = read_lesson(
    "no_oracle",
    {
        "one_row": (Choice(), _one_row),
        "mean": (Slider(0.5, _TIMES, 0.1, 3, "{} times as large", "x"), _mean),
        "median": (Slider(0.5, _TIMES, 0.1, 7, "{} times as large", "x"), _median),
        "odd_row": (Slider(50, 100, 1, 90, "{}%", "y"), _odd_row),
    },
    _mean_of_blocks,
)
