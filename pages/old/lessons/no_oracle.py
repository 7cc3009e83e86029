"""Sample and aggregate: differential privacy itself for any target and without an oracle, and what that costs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore import L1, Laplace, PureDP, oracles, sample_sensitivity, targets
from dpcore.audits.best_guess import right
from dpcore.audits.blocks_foretold import foretold, usual_blocks
from dpcore.base.types import FloatArray, Target
from dpcore.guarantees import words
from dpcore.guarantees.words import figure
from dpcore.mechanisms.exponential import Exponential as ExponentialMechanism
from dpcore.mechanisms.response_law import NoiseLaw
from pages.experiment.scenario import Scenario
from pages.old.charts.lessons import Named, curves, rows, untold
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Asked, Choice, Found, Mark, Step
from pages.old.experiment.lessons.to_try import of_blocks

ORDER = 11
_LIMITS = (0.0, 20.0)  # years, between which answers are published
_USUAL, _LONG = 1.0, 30.0  # years, of a row and of the one in its place
_WIDER = 2.0  # times as spread out as the oracle's rows are the world's
_TABLES, _SEED = 10, 11  # made up to foretell an error
_TIMES = 20.0  # as far off, that can be guessed
_POINTS = 30
_SAMPLED, _BLOCKS = "noise for sampled moves", "median of blocks"


def blocks(target: Target, k: int) -> Any:
    """The choice of a place near the median of what so many blocks answer."""
    asked, of = targets.SampleAndAggregate(target, k, _LIMITS), Example()
    choice = ExponentialMechanism.suited(asked)
    assert choice is not None, "it names its places"
    return choice.calibrate(asked.proved(of.n), of.privacy)


def usual() -> int:
    """How many blocks, from n and ε alone."""
    return usual_blocks(Example().n, Example().epsilon)


def one_replaced(years: float = _LONG) -> tuple[FloatArray, FloatArray]:
    """What the blocks answer on a made-up table whose first row is a usual one, and with so many years in its place."""
    asked: Any = blocks(Example().target, usual()).sensitivity.target
    table = np.asarray(Example().pairs(1)[0][0], dtype=np.float64)
    before, after = np.append(_USUAL, table[1:]), np.append(years, table[1:])
    return asked.answers(before), asked.answers(after)


def _one_row() -> Found:
    before, after = one_replaced()
    (moved,) = np.flatnonzero(before != after)
    return Found(
        truth="one",
        figure=lambda: _dots(before, after),
        asked=lambda: Asked(
            untold(_dots(before, after)[0], "before"),
            f"Each of {len(before)} dots is the mean of one block. They lie near one year.",
        ),
        numbers={
            "n": f"{Example().n:,}",
            "k": str(len(before)),
            "rows": str(Example().n // len(before)),
            "usual": figure(_USUAL),
            "long": figure(_LONG),
            "before": f"{before[moved]:.2f}",
            "after": f"{after[moved]:.2f}",
        },
    )


def _dots(before: FloatArray, after: FloatArray) -> tuple[Any, str]:
    chart = rows((("before", before), ("one row replaced", after)), (), x="mean of a block (years)")
    return chart, (
        f"The means of {len(before)} blocks, before a row is replaced and after it. {int((before != after).sum())} dot moved, to "
        f"{after.max():.2f} years. All others stay."
    )


def error(target: Target, k: int) -> float:
    """Of what k blocks let be published, about the table's own answer, as a root mean square."""
    return float(foretold(blocks(target, k), Example().oracle, tables=_TABLES, seed=_SEED).error)


def sampled(target: Target) -> NoiseLaw:
    """The noise that is sized to sampled moves of this target, with the example's trials."""
    of = Example()
    drawn = sample_sensitivity(target, of.oracle, norm=L1, n=of.n, at=of.point, seed=1)
    law: NoiseLaw = Laplace().law(target, drawn.order_statistic, of.privacy)
    return law


def within(target: Target, k: int, at: FloatArray) -> FloatArray:
    """The share of answers from k blocks, in per cent, that lie so near the table's own one, on made-up tables."""
    of, made = Example(), blocks(target, k)
    asked, total = made.sensitivity.target, np.zeros(len(at))
    for table in of.oracle.draw(_TABLES, of.n, rng=np.random.default_rng(_SEED)):
        far = np.abs(np.array(asked.candidates) - target(table))
        order = np.argsort(far)
        total += np.interp(at, np.append(0, far[order]), np.append(0, np.cumsum(made.law.probabilities(asked(table))[order])))
    return 100 * total / _TABLES


def _price(target: Target, k: int, more: dict[str, str]) -> Found:
    """How many times as far off an answer from k blocks is."""
    noise, far = sampled(target), error(target, k)
    near = _off(noise)
    at = np.linspace(0, _TIMES * near, 200)
    shares = within(target, k, at), 100 * -np.expm1(-np.sqrt(2) * at / near)  # Laplace
    return Found(
        truth=far / near,
        figure=lambda: _how_near(at, *shares, far),
        asked=lambda: Asked(
            untold(_how_near(at, *shares, far)[0], _SAMPLED, at=("its error", near)),
            f"How many answers lie how near, with {_SAMPLED}. A line stands at its error, {figure(near)} years.",
            per=near,
        ),
        numbers={"k": f"{k:,}", "near": figure(near), "far": figure(far), "times": figure(far / near)} | more,
    )


def _off(noise: NoiseLaw) -> float:
    """The error of Laplace noise as a root mean square, √2·b, from the half of it, b·log 2."""
    return math.sqrt(2) * noise.half_width(0.5) / math.log(2)


def _how_near(at: FloatArray, of_blocks: FloatArray, of_noise: FloatArray, far: float) -> tuple[Any, str]:
    dot: Named = ("error of blocks", np.array([far]), np.interp([far], at, of_blocks))
    lines = ((_SAMPLED, at, of_noise), (_BLOCKS, at, of_blocks))
    return curves(lines, dots=(dot,), x="how far off (years)", y="answers as near as that (%)"), (
        f"How many answers lie how near the table's own one. The error of the median of blocks is {figure(far)} years."
    )


def _mean() -> Found:
    of = Example()
    far, worst = error(of.target, usual()), _off(of.limited(_LIMITS[1]).proved().law)
    more = {"epsilon": figure(of.epsilon), "most": figure(_LIMITS[1]), "worst": figure(worst), "of_worst": figure(far / worst)}
    return _price(of.target, usual(), more)


def _median() -> Found:
    return _price(targets.Quantile(0.5), Example().n, {})


def told_apart(years: FloatArray) -> FloatArray:
    """Right guesses in a hundred from the blocks' answer, whether a row of so many years is there or a usual one, in the block
    whose answer is least: that one goes from below all others to above them."""
    made, of = blocks(Example().target, usual()), Example()
    asked: Any = made.sensitivity.target
    table = np.asarray(of.pairs(1)[0][0], dtype=np.float64)
    answers = asked.answers(table)
    least, size = int(answers.argmin()), of.n / usual()
    first, chances = asked.scores_of(answers), []
    for one in years:
        answers[least] += (one - _USUAL) / size
        ours, others = made.law.sides(first, asked.scores_of(answers))
        answers[least] -= (one - _USUAL) / size
        chances.append(50 + 50 * (ours - others))
    return np.array(chances)


def _odd_row() -> Found:
    of = Example()
    years = np.linspace(_USUAL, _LONG, _POINTS)
    law, moved = of.law(), of.sample().order_statistic
    noise = np.array([100 * right(law, float(one - _USUAL) / of.n) for one in years])
    hidden, wider = told_apart(years), of.but(oracle=oracles.Exponential(1 / _WIDER))
    return Found(
        truth=float(round(hidden[-1])),
        figure=lambda: _guesses(years, noise, hidden),
        asked=lambda: Asked(
            untold(_guesses(years, noise, hidden)[0], _SAMPLED, at=(f"{_LONG:g} years", _LONG)),
            f"How often a guess about one row is right, by its time, with {_SAMPLED}. It rises to {noise[-1]:.0f} in a hundred.",
        ),
        numbers={
            "long": figure(_LONG),
            "usual": figure(_USUAL),
            "noise": f"{noise[-1]:.0f}",
            "right": f"{hidden[-1]:.0f}",
            "bound": words.guess(PureDP(of.epsilon)),
            "gamma": figure(100 * of.gamma),
            "wider": figure(_WIDER),
            "left": f"{100 * (1 - float(wider.true_cdf(moved))):.0f}",
        },
    )


def _guesses(years: FloatArray, noise: FloatArray, hidden: FloatArray) -> tuple[Any, str]:
    most = np.full(len(years), 100 / (1 + np.exp(-Example().epsilon)))
    lines = ((_SAMPLED, years, noise), (_BLOCKS, years, hidden), ("limit for blocks", years, most))
    return curves(lines, x="the time in the row (years)", y="right guesses in a hundred", guesses=True), (
        f"How often a guess about one row is right, by its time. At {years[-1]:g} years it is {noise[-1]:.0f} in a hundred with "
        f"{_SAMPLED}, and {hidden[-1]:.0f} with the {_BLOCKS}."
    )


def to_try() -> Scenario:
    """The example, asked of blocks."""
    return of_blocks(Example(), usual(), _LIMITS)


STEPS = {
    "one_row": Step(Choice(), _one_row),
    "mean": Step(Mark(0.5, _TIMES, 0.1, 3, "{} times as far off", "x"), _mean),
    "median": Step(Mark(0.5, _TIMES, 0.1, 7, "{} times as far off", "x"), _median),
    "odd_row": Step(Mark(50, 100, 1, 90, "{} in 100", "y"), _odd_row),
}
