"""One row, one person: what is protected where somebody has many rows, and what a cap on them costs."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore import PureDP
from dpcore.base.people import CODE
from dpcore.base.types import FloatArray
from dpcore.guarantees import words
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.plots.lessons import Named, curves
from dpcore.workbench import preview
from dpcore.workbench.contributions.of_question import Question, question
from dpcore.workbench.contributions.predict import Prediction, predict
from dpcore.workbench.defaults import kind_called, oracle_for, oracle_kinds, target_for, target_kinds
from dpcore.workbench.lessons import example, tables
from dpcore.workbench.lessons.guesser import in_a_hundred, right
from dpcore.workbench.lessons.step import Choice, Found, Mark, Step
from dpcore.workbench.question import asked
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table

ORDER = 7
OPENS = "people"
TABLES = ("visits",)  # which its code takes with it
_COLUMN = "minutes"
_EPSILON = 0.1
_VISITS = 40  # of somebody who comes often
_NAMES = 10  # at most, of one person


def visits() -> Table:
    """The table of people who come to clinics, some of them often."""
    return tables.table("visits")


def of_rows() -> Scenario:
    """How many visits there were: a question about rows."""
    table = visits()
    columns = (table.column(_COLUMN),)
    return example.scenario(
        table=table.name,
        columns=(_COLUMN,),
        target=target_for(_counting(table), columns),
        n=len(table),
        epsilon=_EPSILON,
        oracle=oracle_for(oracle_kinds(table, columns)[0], table, columns),
    )


def _counting(table: Table) -> str:
    """The kind of target that counts all rows."""
    offered = ((name, kind_called(name)) for name in target_kinds(table))
    return next(name for name, kind in offered if getattr(kind, "public_alone", False) and kind.predicted_as == "count")


def scenario(rows: int) -> Scenario:
    """The same about people, where nobody counts for more than so many visits."""
    about = of_rows().with_(**asked(of_rows(), visits()))
    target: Any = about.target
    return about.with_(target=replace(target, rows=rows))


def of_a_person() -> FloatArray:
    """How many visits each person has."""
    return np.bincount(_database()["person"][CODE]).astype(np.float64)


@lru_cache(maxsize=1)
def _database() -> Any:
    of = scenario(1)
    return visits().prepare(of.columns, of.target).database


def of_one_row() -> NoiseLaw:
    """The noise that is sized to a single visit."""
    one = preview.calibrated_worst_case(of_rows())
    assert one is not None, "a count has a worst case"
    return example.law(one)


def _many_rows() -> Found:
    law, each = of_one_row(), of_a_person()
    return Found(
        truth=in_a_hundred(law, _VISITS),
        figure=lambda: _by_visits(law),
        numbers={
            "rows": f"{each.sum():,.0f}",
            "people": f"{len(each):,}",
            "epsilon": figure(_EPSILON),
            "visits": str(_VISITS),
            "once": figure(in_a_hundred(law, 1)),
            "right": figure(in_a_hundred(law, _VISITS)),
            "most": f"{each.max():.0f}",
            "together": figure(_EPSILON * _VISITS),
            "bound": words.guess(PureDP(_EPSILON * _VISITS)),
        },
    )


def _by_visits(law: NoiseLaw) -> tuple[Any, str]:
    numbers = np.arange(1, 101, dtype=np.float64)
    chances = np.array([100 * right(law, float(visits)) for visits in numbers])
    dot: Named = (f"{_VISITS} visits", numbers[[_VISITS - 1]], chances[[_VISITS - 1]])
    chart = curves(
        (("the best guess", numbers, chances),),
        dots=(dot,),
        x="visits of one person",
        y="right guesses in a hundred",
        guesses=True,
    )
    return chart, (
        f"How often a guess about one person is right, by how many visits the person has. With one visit it is "
        f"{chances[0]:.0f} in a hundred, with {_VISITS} visits {chances[_VISITS - 1]:.0f}."
    )


def caps() -> tuple[Prediction, ...]:
    """The error of the count with each cap that the page People compares, from 1 to the most visits that anybody has."""
    asked_of: Question | None = question(scenario(1), _database(), None)
    assert asked_of is not None, "the error of a count is predicted"
    return tuple(row[0] for row in predict(asked_of.rows, asked_of.asked, asked_of.terms, asked_of.caps).table)


def _best_cap() -> Found:
    every, each = caps(), of_a_person()
    best = min(every, key=lambda one: one.errors.total)
    return Found(
        truth=float(best.cap.rows),
        figure=lambda: _errors(every),
        numbers={
            "best": str(best.cap.rows),
            "error": f"{best.errors.total:,.0f}",
            "rows": f"{each.sum():,.0f}",
            "one": f"{every[0].errors.answer[0]:,.0f}",
            "dropped": f"{-best.errors.dropped[0]:,.0f}",
            "most": f"{each.max():.0f}",
            "noise": f"{every[-1].errors.total:,.0f}",
            "epsilon": figure(_EPSILON),
            "noise_at_best": f"{math.sqrt(best.errors.noise[0]):,.0f}",
        },
    )


def _errors(every: tuple[Prediction, ...]) -> tuple[Any, str]:
    at = np.array([float(one.cap.rows) for one in every])
    dropped = np.array([-float(one.errors.dropped[0]) for one in every])
    noise = np.sqrt(np.array([float(one.errors.noise[0]) for one in every]))
    total = np.array([one.errors.total for one in every])
    lines = (("error", at, total), ("visits left out", at, dropped), ("noise", at, noise))
    best = int(np.argmin(total))
    return curves(lines, x="the cap, in visits of a person", y="visits"), (
        f"With a larger cap fewer visits are left out and there is more noise. The error of both together is least at a cap of "
        f"{at[best]:.0f}, where it is {total[best]:,.0f} visits."
    )


def _two_names() -> Found:
    best = int(min(caps(), key=lambda one: one.errors.total).cap.rows)
    chances = _by_names(best)
    return Found(
        truth="twice",
        figure=lambda: _names(chances),
        numbers={
            "best": str(best),
            "both": str(2 * best),
            "once": f"{chances[0]:.0f}",
            "twice": f"{chances[1]:.0f}",
            "names": str(_NAMES),
            "ten": f"{chances[-1]:.0f}",
            "epsilon": figure(_EPSILON),
            "double": figure(2 * _EPSILON),
        },
    )


def _by_names(cap: int) -> list[float]:
    """Right guesses in a hundred about somebody who counts for the whole cap under each name."""
    proved = preview.calibrated_worst_case(scenario(cap))
    assert proved is not None, "a capped count has a worst case"
    return [100 * right(example.law(proved), names * cap) for names in range(1, _NAMES + 1)]


def _names(chances: list[float]) -> tuple[Any, str]:
    numbers = np.arange(1, _NAMES + 1, dtype=np.float64)
    chart = curves(
        (("the best guess", numbers, np.array(chances)),), x="names of one person", y="right guesses in a hundred", guesses=True
    )
    return chart, (
        f"How often a guess about one person is right, by the number of names. With one name it is {chances[0]:.0f} in a "
        f"hundred, with {_NAMES} names {chances[-1]:.0f}."
    )


def to_try() -> Scenario:
    """The count with a cap of one visit."""
    return scenario(1)


STEPS = {
    "many_rows": Step(Mark(50, 100, 1, 55, "{} in 100", "y"), _many_rows),
    "best_cap": Step(Mark(1, 250, 1, 1, "a cap of {}", "x"), _best_cap),
    "two_names": Step(Choice(), _two_names),
}
