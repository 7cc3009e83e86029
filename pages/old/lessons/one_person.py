"""One row, one person: what is protected where somebody has many rows, and what a cap on them costs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore import Laplace, PureDP, targets
from dpcore.audits.best_guess import in_a_hundred, right
from dpcore.base.types import FloatArray
from dpcore.guarantees import words
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import NoiseLaw
from pages.experiment.scenario import Scenario
from pages.experiment.tables import column
from pages.old.charts.lessons import Named, curves, together, untold
from pages.old.experiment.lessons.step import Asked, Choice, Found, Mark, Step
from pages.old.experiment.lessons.to_try import of_people

ORDER = 7
OPENS = "people"
_EPSILON = 0.1
_VISITS = 40  # of somebody who comes often
_CAPS = 30  # at most, that are compared
_NAMES = 10  # at most, of one person


def of_a_person() -> FloatArray:
    """How many visits each person has."""
    return np.unique(column("visits", "person"), return_counts=True)[1].astype(np.float64)


def noise(visits: float) -> NoiseLaw:
    """The noise on the number of visits, sized to so many of one person's."""
    law: NoiseLaw = Laplace().law(targets.KnownCount(), visits, PureDP(_EPSILON))
    return law


def _many_rows() -> Found:
    law, each = noise(1), of_a_person()
    return Found(
        truth=in_a_hundred(law, _VISITS),
        figure=lambda: _by_visits(law),
        asked=lambda: _of_one_visit(law),
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


def _of_one_visit(law: NoiseLaw) -> Asked:
    """What is known of somebody who came once."""
    once: Named = ("1 visit", np.array([1.0]), np.array([in_a_hundred(law, 1)]))
    chart = curves((), dots=(once,), x="visits of one person", y="right guesses in a hundred", guesses=True)
    ends = untold(_by_visits(law)[0], at=(f"{_VISITS} visits", float(_VISITS)))
    alt = f"One dot: of somebody with one visit a guess is right {figure(once[2][0])} times in a hundred."
    return Asked(together(ends, chart), alt)


def caps() -> FloatArray:
    """Each cap that the page People compares, what is left out under it, and how wide its noise is: (3, caps).

    The error of the count under a cap s is √(what is left out² + 2(s/ε)²) (mathematics, section 9.2).
    """
    each = of_a_person()
    at = np.unique(np.round(np.geomspace(1, each.max(), _CAPS)))
    return np.array([at, [np.maximum(each - cap, 0).sum() for cap in at], math.sqrt(2) * at / _EPSILON])


def _best_cap() -> Found:
    (at, dropped, wide), each = caps(), of_a_person()
    total = np.hypot(dropped, wide)
    best = int(np.argmin(total))
    return Found(
        truth=float(at[best]),
        figure=lambda: _errors(at, dropped, wide),
        asked=lambda: Asked(
            untold(_errors(at, dropped, wide)[0], "visits left out", "noise"),
            "With a larger cap fewer visits are left out and there is more noise.",
        ),
        numbers={
            "best": f"{at[best]:.0f}",
            "error": f"{total[best]:,.0f}",
            "rows": f"{each.sum():,.0f}",
            "one": f"{each.sum() - dropped[0]:,.0f}",
            "dropped": f"{dropped[best]:,.0f}",
            "most": f"{each.max():.0f}",
            "noise": f"{total[-1]:,.0f}",
            "epsilon": figure(_EPSILON),
            "noise_at_best": f"{wide[best]:,.0f}",
        },
    )


def _errors(at: FloatArray, dropped: FloatArray, wide: FloatArray) -> tuple[Any, str]:
    total = np.hypot(dropped, wide)
    lines = (("error", at, total), ("visits left out", at, dropped), ("noise", at, wide))
    best = int(np.argmin(total))
    return curves(lines, x="the cap, in visits of a person", y="visits"), (
        f"With a larger cap fewer visits are left out and there is more noise. The error of both together is least at a cap of "
        f"{at[best]:.0f}, where it is {total[best]:,.0f} visits."
    )


def _two_names() -> Found:
    at, dropped, wide = caps()
    best = int(at[np.argmin(np.hypot(dropped, wide))])
    chances = _by_names(best)
    return Found(
        truth="twice",
        figure=lambda: _names(chances),
        asked=lambda: _of_one_name(chances),
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
    return [100 * right(noise(cap), names * cap) for names in range(1, _NAMES + 1)]


def _names(chances: list[float]) -> tuple[Any, str]:
    numbers = np.arange(1, _NAMES + 1, dtype=np.float64)
    chart = curves(
        (("the best guess", numbers, np.array(chances)),), x="names of one person", y="right guesses in a hundred", guesses=True
    )
    return chart, (
        f"How often a guess about one person is right, by the number of names. With one name it is {chances[0]:.0f} in a "
        f"hundred, with {_NAMES} names {chances[-1]:.0f}."
    )


def _of_one_name(chances: list[float]) -> Asked:
    whole = _names(chances)[0]
    once: Named = ("1 name", np.array([1.0]), np.array(chances[:1]))
    chart = together(untold(whole), curves((), dots=(once,), x="", y=""))
    return Asked(chart, f"One dot: of somebody with one name a guess is right {chances[0]:.0f} times in a hundred.")


def to_try() -> Scenario:
    """The count with a cap of one visit."""
    return of_people(1)


STEPS = {
    "many_rows": Step(Mark(50, 100, 1, 55, "{} in 100", "y"), _many_rows),
    "best_cap": Step(Mark(1, 250, 1, 100, "a cap of {}", "x"), _best_cap),
    "two_names": Step(Choice(), _two_names),
}
