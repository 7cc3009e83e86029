"""Two tables that differ in one record, and how far their answers lie apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.guarantees.words import figure
from pages.experiment.scenario import Scenario
from pages.old.charts.lessons import curves, rows, untold
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Asked, Choice, Found, Mark, Step
from pages.old.experiment.lessons.to_try import scenario

ORDER = 1
_PAIRS = 100
_MOST = 0.1  # years, that can be guessed


def _replaced() -> Found:
    """One pair: a record of 500 is replaced by another."""
    of = Example()
    before, after = of.pairs(_PAIRS)[_widest()]
    place = int(np.flatnonzero(before != after)[0])
    old, new = float(before[place]), float(after[place])
    means = of.answer(before), of.answer(after)
    moved = abs(means[0] - means[1])
    return Found(
        truth=moved,
        figure=lambda: _by_hand(_moves(), _widest()),
        asked=_this_change,
        numbers={
            "n": f"{of.n:,}",
            "old": figure(old),
            "new": figure(new),
            "apart": figure(abs(old - new)),
            "before": f"{means[0]:.4f}",
            "after": f"{means[1]:.4f}",
            "moved": figure(moved),
            "pairs": str(_PAIRS),
        },
    )


def _this_change() -> Asked:
    """How far apart its two records are, and nothing of how far the mean moves."""
    moves = _moves()
    apart = float(moves[0].max())
    chart = untold(_by_hand(moves)[0], at=("this change", apart), up_to=_MOST)
    return Asked(chart, f"One line stands at {counted(figure(apart), ' years')}: so far apart are the two rows.")


def _widest() -> int:
    """The pair, of those that are shown, whose records lie furthest apart."""
    return int(np.argmax(_moves()[0]))


def _moves() -> tuple[Any, Any]:
    """How far apart the two records of each pair are, and how far the answer moves."""
    of = Example()
    shown = of.pairs(_PAIRS)
    apart = np.array([float(np.abs(before - after).sum()) for before, after in shown])
    moved = np.array([abs(of.answer(before) - of.answer(after)) for before, after in shown])
    return apart, moved


def _by_hand(moves: tuple[Any, Any], one: int | None = None) -> tuple[Any, str]:
    """All pairs, and one of them in a look of its own."""
    apart, moved = moves
    dots = [(f"{_PAIRS} random changes", apart, moved)]
    if one is not None:
        dots.append(("this change", apart[[one]], moved[[one]]))
    chart = curves((), dots=tuple(dots), x="how far apart the two rows are (years)", y="how far the answer moves (years)")
    return chart, (
        f"Each of {_PAIRS} dots is a random change of one row. The answer moves in proportion to how far apart the old and "
        f"the new row are, by at most {counted(figure(float(moved.max())), ' years')}."
    )


def _most() -> Found:
    """Which change moves the answer most."""
    apart, moved = _moves()
    return Found(
        truth="far",
        figure=lambda: _by_hand((apart, moved)),
        asked=lambda: Asked(*_in_a_row(moved)),
        numbers={
            "apart": figure(float(apart.max())),
            "moved": figure(float(moved.max())),
            "pairs": str(_PAIRS),
            "typical": figure(float(np.median(moved))),
        },
    )


def _in_a_row(moved: Any) -> tuple[Any, str]:
    chart = rows(((f"{_PAIRS} random changes", moved),), (), x="how far the answer moves (years)")
    return chart, f"Each dot is one of {_PAIRS} random changes of one row. The furthest lies by itself, at the right."


def _larger() -> Found:
    """The same mean of ten times as many records: trials, and the median of the true law."""
    small = Example()
    large = small.but(n=10 * small.n)
    medians = [float(np.median(of.sample().distances)) for of in (small, large)]
    return Found(
        truth="tenth",
        figure=lambda: _two(small, large),
        asked=lambda: _only(small, large),
        numbers={
            "n": f"{small.n:,}",
            "large": f"{large.n:,}",
            "m": str(small.m),
            "small_median": figure(medians[0]),
            "large_median": figure(medians[1]),
        },
    )


def _two(small: Example, large: Example) -> tuple[Any, str]:
    moves = {f"{of.n:,} rows": of.sample().distances for of in (small, large)}
    chart = rows(tuple(moves.items()), (), x="how far the answer moves (years)")
    furthest = " and ".join(f"{counted(figure(float(moved.max())), ' years')} with {name}" for name, moved in moves.items())
    return chart, f"Each dot is one of {small.m} made-up tables with one row changed. The furthest moves are {furthest}."


def _only(small: Example, large: Example) -> Asked:
    """The row of the smaller table, and an empty one."""
    chart = untold(_two(small, large)[0], f"{small.n:,} rows")
    return Asked(chart, f"Each dot is one of {small.m} made-up tables of {small.n:,} rows. The line below it is still empty.")


def to_try() -> Scenario:
    """The example itself."""
    return scenario(Example())


STEPS = {
    "one_record": Step(Mark(0, _MOST, 0.001, 0.05, "{} years", "y"), _replaced),
    "the_most": Step(Choice(), _most),
    "more_records": Step(Choice(), _larger),
}
