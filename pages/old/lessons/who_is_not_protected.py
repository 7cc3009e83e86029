"""Who is not protected: somebody whose record is unusual, and an attacker who looks for just that."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.audits.best_guess import in_a_hundred, right
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import NoiseLaw
from pages.experiment.scenario import Scenario
from pages.old.charts.lessons import RULER, curves, rows, ruled, untold
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Asked, Choice, Found, Mark, Step
from pages.old.experiment.lessons.to_try import scenario

ORDER = 10
_LONG, _USUAL = 12.0, 1.0  # years
_LIMIT = 20.0  # years, at which times are cut off
_SHOWN = 199  # tables in a figure
_SEED = 14
_TABLES = "tables in which the longest time is not protected (%)"
_LASTED, _RIGHT = "the time in the row (years)", "right guesses in a hundred"


def _outlier() -> Found:
    of = Example()
    law, covered = of.law(), of.sample().order_statistic
    return Found(
        truth=in_a_hundred(law, (_LONG - _USUAL) / of.n),
        figure=lambda: _by_length(of, law),
        asked=lambda: Asked(
            untold(_by_length(of, law)[0], "protected up to here", at=(f"{_LONG:g} years", _LONG)),
            f"One line stands where the protected rows end, another at {_LONG:g} years.",
        ),
        numbers={
            "n": f"{of.n:,}",
            "epsilon": figure(of.epsilon),
            "long": figure(_LONG),
            "usual": figure(_USUAL),
            "covered": figure(in_a_hundred(law, covered)),
            "right": figure(in_a_hundred(law, (_LONG - _USUAL) / of.n)),
            "limit": figure(_USUAL + of.n * covered),
            "times": figure((_LONG - _USUAL) / of.n / covered),
        },
    )


def _by_length(of: Example, law: NoiseLaw) -> tuple[Any, str]:
    """One curve, with the loan of the step and the end of what is protected."""
    years, chances = _guesses(of, law)
    place, edge = int(np.argmin(np.abs(years - _LONG))), _USUAL + of.n * of.sample().order_statistic
    lines = (("the best guess", years, chances), ("protected up to here", np.full(2, edge), np.array([50.0, 100.0])))
    chart = curves(lines, dots=((f"{_LONG:g} years", years[[place]], chances[[place]]),), x=_LASTED, y=_RIGHT, guesses=True)
    return chart, (
        f"How often a guess about one row is right, by its time. At {_LONG:g} years it is {chances[place]:.0f} in a "
        f"hundred, and it rises further."
    )


def _guesses(of: Example, law: NoiseLaw) -> tuple[FloatArray, FloatArray]:
    """How often a guess is right whether a loan of so many years is in the table, or a usual one in its place."""
    years = np.linspace(_USUAL, _LIMIT, 191)
    return years, np.array([100 * right(law, float(one - _USUAL) / of.n) for one in years])


def _with_either(of: Example, sampled: NoiseLaw, worst: NoiseLaw) -> tuple[Any, str]:
    (years, guessed), (_, hidden) = _guesses(of, sampled), _guesses(of, worst)
    chart = curves(
        (("sized to Δ̂", years, guessed), ("sized to the worst case", years, hidden)), x=_LASTED, y=_RIGHT, guesses=True
    )
    return chart, (
        f"How often a guess about one row is right, by its time. At {_LIMIT:g} years it is {guessed[-1]:.0f} in a "
        f"hundred with noise sized to Δ̂, and {hidden[-1]:.0f} with noise sized to the worst case."
    )


def found_by_an_attacker(n: int, beyond: float) -> float:
    """The share of tables whose longest loan is left out where a random one takes its place, of n from Exponential(1).

    Let x be the longest, x′ the other and a = e^(−beyond). u = e^(−x′) is uniform, so P(x > x′ + beyond) = E[1 − (1 − a·u)^n].
    And x′ > beyond has chance a, and x′ − beyond is then like x′, so P(x′ > x + beyond) = a·E[(1 − u)^n]. Together that is

        1 − (1 − (1 − a)^(n+1))/(a(n+1)) + a/(n+1).
    """
    a = math.exp(-beyond)
    return 1 + math.expm1((n + 1) * math.log1p(-a)) / (a * (n + 1)) + a / (n + 1)


def _looked_for() -> Found:
    of = Example()
    moves = tried(of)
    beyond = of.sample().order_statistic
    share = 100 * found_by_an_attacker(of.n, of.n * beyond)
    return Found(
        truth=share,
        figure=lambda: (ruled(_two_rows(moves, beyond)[0], _TABLES, share, chances=False), _two_rows(moves, beyond)[1]),
        asked=lambda: _random_alone(moves, beyond),
        numbers={
            "n": f"{of.n:,}",
            "gamma": figure(100 * of.gamma),
            "share": figure(share),
            "shown": str(_SHOWN),
            "random": str(int((moves[0] > beyond).sum())),
            "longest": str(int((moves[1] > beyond).sum())),
        },
    )


def tried(of: Example) -> tuple[FloatArray, FloatArray]:
    """In some made-up tables, how far the mean moves where another takes the place of a random loan, and of the longest."""
    drawn = np.asarray(of.oracle.draw(_SHOWN, of.n + 1, rng=np.random.default_rng(_SEED)), dtype=np.float64)
    tables, others = drawn.reshape(_SHOWN, of.n + 1)[:, :-1], drawn.reshape(_SHOWN, of.n + 1)[:, -1]
    return np.abs(tables[:, 0] - others) / of.n, np.abs(tables.max(axis=1) - others) / of.n


def _two_rows(moves: tuple[FloatArray, FloatArray], beyond: float) -> tuple[Any, str]:
    names = ("random rows", "longest times")
    beside = [int((one > beyond).sum()) for one in moves]
    chart = rows(tuple(zip(names, moves, strict=True)), (beyond,), x="how far the answer moves (years)")
    return chart, (
        f"Each dot is one of {_SHOWN} made-up tables. Where a random row is replaced {beside[0]} of them lie beyond Δ̂, where "
        f"the longest one is, {beside[1]}."
    )


def _random_alone(moves: tuple[FloatArray, FloatArray], beyond: float) -> Asked:
    """The row of random loans, an empty one, and the ruler that is guessed on."""
    known = untold(_two_rows(moves, beyond)[0], "random rows", f"Δ̂ = {figure(beyond)}")
    alt = f"Each dot is one of {_SHOWN} made-up tables in which a random row is replaced. The line of the longest times is empty."
    return Asked(ruled(known, _TABLES, chances=False), alt)


def limited() -> Example:
    """The example with times cut off."""
    return Example().limited(_LIMIT)


def _noises() -> tuple[NoiseLaw, NoiseLaw]:
    """Sized to Δ̂, and to the worst case."""
    return limited().law(), limited().proved().law


def _helps() -> Found:
    of, (sampled, worst) = limited(), _noises()
    return Found(
        truth="limit",
        figure=lambda: _with_either(of, sampled, worst),
        asked=lambda: Asked(
            untold(_with_either(of, sampled, worst)[0], "sized to Δ̂"),
            "How often a guess about one row is right, by its time, with noise sized to Δ̂. It rises with each year.",
        ),
        numbers={
            "limit": figure(_LIMIT),
            "most": figure(in_a_hundred(worst, _LIMIT / of.n)),
            "gamma": figure(100 * of.gamma),
            "times": figure(worst.half_width(0.5) / sampled.half_width(0.5)),
        },
    )


def to_try() -> Scenario:
    """The example with a worst case."""
    return scenario(limited())


STEPS = {
    "outlier": Step(Mark(50, 100, 1, 70, "{} in 100", "y"), _outlier),
    "looked_for": Step(Mark(0, 100, 1, 5, "{} %", RULER), _looked_for),
    "helps": Step(Choice(), _helps),
}
