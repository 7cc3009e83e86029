"""Rows and people: the protection of somebody with many rows, and what a limit per person costs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore import Laplace, PureDP, targets
from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.response_law import NoiseLaw
from pages.experiment import tables
from pages.experiment.choices import NAME, usual_oracle
from pages.experiment.choices import example as example_of
from pages.experiment.question import asked as asked_of
from pages.experiment.scenario import Scenario
from pages.figures.lessons import PERCENT_RIGHT, before, curves
from pages.figures.theme import Chart
from pages.lessons.example import best_guess
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

EPSILON = 0.1
VISITS = 40  # of a frequent visitor
_LIMITS = 30  # limits that are compared
_NAMES = 10  # of one person
_RIGHT = "right guesses (%)"


def visits() -> FloatArray:
    """Return the number of visits of each person."""
    return np.unique(tables.column("visits", "person"), return_counts=True)[1].astype(np.float64)


def noise(limit: float) -> NoiseLaw:
    """Return the noise on the number of visits.

    Args:
        limit: Visits of one person that it hides.
    """
    law: NoiseLaw = Laplace().law(targets.KnownCount(), limit, PureDP(EPSILON))
    return law


def _by_number(limit: float, many: int, what: str, marks: list[tuple[str, int]]) -> tuple[Chart, FloatArray]:
    """Return how often a guess about one person is right, by the number of visits or names."""
    numbers = np.arange(1, many + 1, dtype=np.float64)
    chances = best_guess(noise(limit), limit * numbers)
    dots = [(name, [float(number)], chances[[number - 1]]) for name, number in marks]
    alt = (
        f"How often a guess about one person is right, from {chances[0]:.0f}% with one to {chances[-1]:.0f}% with {many} {what}."
    )
    x = f"{what} of one person"
    return curves((("the best guess", numbers, chances),), dots=dots, x=x, y=_RIGHT, y_range=PERCENT_RIGHT, alt=alt), chances


def _many_rows() -> Result:
    each = visits()
    one, many = "1 visit", f"{VISITS} visits"
    whole, chances = _by_number(1, 100, "visits", [(one, 1), (many, VISITS)])
    alt = f"One point: a guess about a person with one visit is right {chances[0]:.0f}% of the time."
    numbers = {
        "rows": f"{each.sum():,.0f}",
        "people": f"{len(each):,}",
        "epsilon": figure(EPSILON),
        "visits": str(VISITS),
        "once": f"{chances[0]:.0f}",
        "right": f"{chances[VISITS - 1]:.0f}",
        "most": f"{each.max():.0f}",
        "together": figure(EPSILON * VISITS),
        "bound": f"{math.ceil(100 / (1 + math.exp(-EPSILON * VISITS)))}",
    }
    return Result(round(chances[VISITS - 1]), before(whole, one, alt=alt, at=(many, VISITS)), whole, numbers)


def limits() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the limits that are compared, the visits that each one drops, and the standard deviation of its noise."""
    each = visits()
    at: FloatArray = np.unique(np.round(np.geomspace(1, each.max(), _LIMITS)))
    dropped = np.array([np.maximum(each - limit, 0).sum() for limit in at])
    return at, dropped, np.asarray(math.sqrt(2) * at / EPSILON)


def best_limit() -> int:
    """Return the limit with the smallest error."""
    at, dropped, wide = limits()
    return int(at[np.argmin(np.hypot(dropped, wide))])


def _best() -> Result:
    (at, dropped, wide), each, best = limits(), visits(), best_limit()
    total, place = np.hypot(dropped, wide), int(np.flatnonzero(at == best)[0])
    whole = curves(
        (("error", at, total), ("dropped visits", at, dropped), ("noise", at, wide)),
        x="limit (visits per person)",
        y="visits",
        alt=f"With a larger limit fewer visits are dropped, and there is more noise. The error is smallest at a limit of {best}, "
        f"where it is {total[place]:,.0f} visits.",
    )
    alt = "With a larger limit fewer visits are dropped, and there is more noise."
    numbers = {
        "best": str(best),
        "error": f"{total[place]:,.0f}",
        "rows": f"{each.sum():,.0f}",
        "one": f"{each.sum() - dropped[0]:,.0f}",
        "dropped": f"{dropped[place]:,.0f}",
        "most": f"{each.max():.0f}",
        "noise": f"{total[-1]:,.0f}",
        "epsilon": figure(EPSILON),
        "noise_at_best": f"{wide[place]:,.0f}",
    }
    return Result(float(best), before(whole, "dropped visits", "noise", alt=alt), whole, numbers)


def _two_names() -> Result:
    best = best_limit()
    whole, chances = _by_number(best, _NAMES, "names", [("1 name", 1), ("2 names", 2)])
    asked = before(whole, "1 name", alt=f"One point: with one name a guess is right {chances[0]:.0f}% of the time.")
    numbers = {
        "best": str(best),
        "both": str(2 * best),
        "once": f"{chances[0]:.0f}",
        "twice": f"{chances[1]:.0f}",
        "names": str(_NAMES),
        "ten": f"{chances[-1]:.0f}",
        "epsilon": figure(EPSILON),
        "double": figure(2 * EPSILON),
    }
    return Result("twice", asked, whole, numbers)


def scenario() -> Scenario:
    """Return the number of clinic visits, with a limit of one visit per person."""
    table, target = tables.table("visits"), targets.KnownCount()
    oracle = usual_oracle(table, (table.column("minutes"),))
    of_rows = example_of(tables.table(NAME)).with_(
        table=table.name, columns=("minutes",), target=target, n=len(table), epsilon=EPSILON, oracle=oracle
    )
    of_people = of_rows.with_(**asked_of(of_rows, table))
    limited: Any = of_people.target
    return of_people.with_(target=replace(limited, rows=1))


LESSON = read_lesson(
    "one_person",
    {
        "many_rows": (Slider(50, 100, 1, 55, "{}%", "y"), _many_rows),
        "best_limit": (Slider(1, 250, 1, 100, "a limit of {}", "x"), _best),
        "two_names": (Choice(), _two_names),
    },
    scenario,
    opens="people",
)
