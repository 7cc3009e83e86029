"""Neighbouring tables: two tables that differ in one row, and how far apart their answers are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from pages.figures.lessons import before, curves, dot_rows
from pages.figures.theme import Chart
from pages.lessons.example import YEARS, Example
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

_PAIRS = 100
_ALL, _THIS = f"{_PAIRS} random changes", "this change"


def _moves() -> tuple[FloatArray, FloatArray]:
    """Return how far apart the two rows of each pair are, and how far the mean moves."""
    of = Example()
    pairs = of.pairs(_PAIRS)
    apart = np.array([float(np.abs(one - other).sum()) for one, other in pairs])
    return apart, np.array([abs(of.answer(one) - of.answer(other)) for one, other in pairs])


def _all_moves() -> Chart:
    apart, moved = _moves()
    widest = int(np.argmax(apart))
    alt = (
        f"{_PAIRS} random changes of one row. The mean moves in proportion to the change, by at most {figure(moved.max())} years."
    )
    dots = ((_ALL, apart, moved), (_THIS, apart[[widest]], moved[[widest]]))
    return curves((), dots=dots, x="how far apart the two rows are (years)", y=YEARS, alt=alt)


def _one_record() -> Result:
    of, (apart, moved) = Example(), _moves()
    widest = int(np.argmax(apart))
    one, other = of.pairs(_PAIRS)[widest]
    place = int(np.flatnonzero(one != other)[0])
    asked = before(_all_moves(), alt="Empty axes, with a line where the two rows differ by this much.", at=(_THIS, apart[widest]))
    numbers = {
        "n": f"{of.n:,}",
        "old": figure(one[place]),
        "new": figure(other[place]),
        "apart": figure(apart[widest]),
        "before": f"{of.answer(one):.4f}",
        "after": f"{of.answer(other):.4f}",
        "moved": figure(moved[widest]),
        "pairs": str(_PAIRS),
    }
    return Result(float(moved[widest]), asked, _all_moves(), numbers)


def _largest() -> Result:
    apart, moved = _moves()
    asked = dot_rows(((_ALL, moved),), x=YEARS, alt=f"How far {_PAIRS} random changes move the mean. One is far to the right.")
    numbers = {
        "apart": figure(apart.max()),
        "moved": figure(moved.max()),
        "pairs": str(_PAIRS),
        "typical": figure(float(np.median(moved))),
    }
    return Result("far", asked, _all_moves(), numbers)


def _more_records() -> Result:
    small = Example()
    large = replace(small, n=10 * small.n)
    rows = [(f"{of.n:,} rows", of.sample().distances) for of in (small, large)]
    furthest = " and ".join(f"{figure(float(moves.max()))} years with {name}" for name, moves in rows)
    whole = dot_rows(rows, x=YEARS, alt=f"{small.m} simulated changes of each table. The largest moves are {furthest}.")
    asked = before(whole, rows[0][0], alt=f"{small.m} simulated changes of {small.n:,} rows. The second row is empty.")
    numbers = {
        "n": f"{small.n:,}",
        "large": f"{large.n:,}",
        "m": str(small.m),
        "small_median": figure(float(np.median(rows[0][1]))),
        "large_median": figure(float(np.median(rows[1][1]))),
    }
    return Result("tenth", asked, whole, numbers)


LESSON = read_lesson(
    "neighbours",
    {
        "one_record": (Slider(0, 0.03, 0.001, 0.025, "{} years", "y"), _one_record),
        "the_most": (Choice(), _largest),
        "more_records": (Choice(), _more_records),
    },
    Example().scenario,
)
