"""Who is not protected: a person with an unusual row, and an attacker who looks for that row."""

from __future__ import annotations

import math

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from pages.experiment.scenario import Scenario
from pages.figures.lessons import PERCENT_RIGHT, before, curves, dot_rows, with_ruler
from pages.lessons.example import YEARS, Example, best_guess
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

_LONG, _USUAL = 12.0, 1.0  # years
_LIMIT = 20.0  # years, at which times are clipped
_TABLES, _SEED = 199, 14  # tables on a chart
_RIGHT, _LASTED = "right guesses (%)", "time in the row (years)"
_AT = np.linspace(_USUAL, _LIMIT, 58)


def _outlier() -> Result:
    of = Example()
    law, delta = of.noise(), of.sample().order_statistic
    chances = best_guess(law, (_AT - _USUAL) / of.n)
    right = round(float(best_guess(law, (_LONG - _USUAL) / of.n)[0]))
    edge, name, limit = _USUAL + of.n * delta, f"{_LONG:g} years", "protected up to here"
    whole = curves(
        (("the best guess", _AT, chances), (limit, np.full(2, edge), np.array(PERCENT_RIGHT))),
        dots=((name, [_LONG], [float(right)]),),
        x=_LASTED,
        y=_RIGHT,
        y_range=PERCENT_RIGHT,
        alt=f"How often a guess about one row is right, by its time. At {name} it is {right}%, and it rises further.",
    )
    alt = f"One line marks where the protected rows end, another one {name}."
    numbers = {
        "n": f"{of.n:,}",
        "epsilon": figure(of.epsilon),
        "long": figure(_LONG),
        "usual": figure(_USUAL),
        "covered": f"{float(best_guess(law, delta)[0]):.0f}",
        "right": str(right),
        "limit": figure(edge),
        "times": figure((_LONG - _USUAL) / of.n / delta),
    }
    return Result(right, before(whole, limit, alt=alt, at=(name, _LONG)), whole, numbers)


def found_by_an_attacker(n: int, beyond: float) -> float:
    """Return the share of tables in which replacing the longest time by a random one is unprotected.

    Let x be the longest of n times from Exponential(1), x′ the other, and a = e^(−beyond). u = e^(−x′) is uniform, so
    P(x > x′ + beyond) = E[1 − (1 − a·u)^n]. With probability a, x′ is beyond, and then x′ − beyond is distributed as x′, so
    P(x′ > x + beyond) = a·E[(1 − u)^n]. Together that is 1 − (1 − (1 − a)^(n+1))/(a(n+1)) + a/(n+1).

    Args:
        n: Number of rows.
        beyond: n·Δ̂.
    """
    a = math.exp(-beyond)
    return 1 + math.expm1((n + 1) * math.log1p(-a)) / (a * (n + 1)) + a / (n + 1)


def simulated() -> tuple[FloatArray, FloatArray]:
    """Return how far the mean of simulated tables moves if a random time replaces a random row, and the longest one."""
    of = Example()
    drawn = np.asarray(of.oracle.draw(_TABLES, of.n + 1, rng=np.random.default_rng(_SEED)), dtype=np.float64)
    tables, others = drawn.reshape(_TABLES, of.n + 1)[:, :-1], drawn.reshape(_TABLES, of.n + 1)[:, -1]
    return np.abs(tables[:, 0] - others) / of.n, np.abs(tables.max(axis=1) - others) / of.n


def _looked_for() -> Result:
    of, (random, longest) = Example(), simulated()
    beyond = of.sample().order_statistic
    share = 100 * found_by_an_attacker(of.n, of.n * beyond)
    counts = [int((moves > beyond).sum()) for moves in (random, longest)]
    names, ruler = ("random rows", "longest times"), "longest time not protected (% of tables)"
    whole = dot_rows(
        list(zip(names, (random, longest), strict=True)),
        (beyond,),
        x=YEARS,
        alt=f"{_TABLES} simulated tables. {counts[0]} changes of a random row are beyond Δ̂, and {counts[1]} of the longest time.",
    )
    alt = f"{_TABLES} simulated tables in which a random row is replaced. The row of the longest times is empty."
    asked = before(whole, names[0], f"Δ̂ = {figure(beyond)}", alt=alt)
    numbers = {
        "n": f"{of.n:,}",
        "gamma": figure(100 * of.gamma),
        "share": figure(share),
        "shown": str(_TABLES),
        "random": str(counts[0]),
        "longest": str(counts[1]),
    }
    ends = (0.0, 100.0)
    return Result(share, with_ruler(asked, ruler, ends=ends), with_ruler(whole, ruler, share, ends=ends), numbers)


def _helps() -> Result:
    of = Example().limited(_LIMIT)
    sampled, worst = of.noise(), of.proved().law
    guessed, hidden = (best_guess(law, (_AT - _USUAL) / of.n) for law in (sampled, worst))
    names = "calibrated to Δ̂", "calibrated to the worst case"
    whole = curves(
        ((names[0], _AT, guessed), (names[1], _AT, hidden)),
        x=_LASTED,
        y=_RIGHT,
        y_range=PERCENT_RIGHT,
        alt=f"How often a guess about one row is right, by its time. At {_LIMIT:g} years it is {guessed[-1]:.0f}% with noise "
        f"calibrated to Δ̂, and {hidden[-1]:.0f}% with noise calibrated to the worst case.",
    )
    alt = "How often a guess about one row is right, by its time, with noise calibrated to Δ̂. It rises with each year."
    numbers = {
        "limit": figure(_LIMIT),
        "most": f"{float(best_guess(worst, _LIMIT / of.n)[0]):.0f}",
        "gamma": figure(100 * of.gamma),
        "times": figure(worst.half_width(0.5) / sampled.half_width(0.5)),
    }
    return Result("limit", before(whole, names[0], alt=alt), whole, numbers)


def scenario() -> Scenario:
    """Return the example with a worst case."""
    return Example().limited(_LIMIT).scenario()


LESSON = read_lesson(
    "who_is_not_protected",
    {
        "outlier": (Slider(50, 100, 1, 70, "{}%", "y"), _outlier),
        "looked_for": (Slider(0, 100, 1, 5, "{}%", "ruler"), _looked_for),
        "helps": (Choice(), _helps),
    },
    scenario,
)
