"""Two lessons on more than one: many rows of one person, and many questions about one table."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore import L1, Adjacency, LaplaceMechanism, Ledger, OperatingPoint, Planned, PureDP, RandomDP, targets
from dpcore.base.arrays import FloatArray
from dpcore.guarantees.attacker import right_from_several
from dpcore.mechanisms.response_law import NoiseLaw
from pages.experiment.choices import usual_oracle
from pages.experiment.examples import NAME, example
from pages.experiment.question import asked as asked_of
from pages.experiment.scenario import Scenario
from pages.experiment.tables import ours
from pages.figures.lessons import before, curves, right_guesses
from pages.figures.theme import Chart
from pages.lessons.example import Example, best_guess, most_right
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

# One person with many rows, and the cost of a limit per person

EPSILON = 0.1
VISITS = 40  # of a frequent visitor
_LIMITS = 30  # limits that are compared
_NAMES = 10  # of one person


def visits() -> FloatArray:
    """Return the number of visits of each person."""
    return np.unique(ours()["visits"].values["person"], return_counts=True)[1].astype(np.float64)


def noise(limit: float) -> NoiseLaw:
    """Return the noise on the number of visits.

    Args:
        limit: Visits of one person that it hides.
    """
    law: NoiseLaw = LaplaceMechanism().law(targets.Count(), limit, PureDP(EPSILON))
    return law


def _by_number(limit: float, many: int, what: str, marks: dict[str, int]) -> tuple[Chart, FloatArray]:
    """Return how often a guess about one person is right, by the number of visits or names."""
    numbers = np.arange(1, many + 1, dtype=np.float64)
    chances = best_guess(noise(limit), limit * numbers)
    chart = right_guesses(
        (("the best guess", numbers, chances),),
        dots=[(name, [float(number)], chances[[number - 1]]) for name, number in marks.items()],
        x=f"{what} of one person",
        alt=f"How often a guess about one person is right, from {chances[0]:.0f}% with one to {chances[-1]:.0f}% with {many} "
        f"{what}.",
    )
    return chart, chances


def _many_rows() -> Result:
    each, one, frequent = visits(), "1 visit", f"{VISITS} visits"
    whole, chances = _by_number(1, 100, "visits", {one: 1, frequent: VISITS})
    right = round(chances[VISITS - 1])
    return Result(
        right,
        before(
            whole,
            one,
            alt=f"One point: a guess about a person with one visit is right {chances[0]:.0f}% of the time.",
            at=(frequent, VISITS),
        ),
        whole,
        {
            "rows": f"{each.sum():,.0f}",
            "people": len(each),
            "epsilon": EPSILON,
            "visits": VISITS,
            "once": f"{chances[0]:.0f}",
            "right": right,
            "most": f"{each.max():.0f}",
            "together": EPSILON * VISITS,
            "bound": most_right(EPSILON * VISITS),
        },
    )


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
    (at, dropped, wide), rows = limits(), visits().sum()
    total = np.hypot(dropped, wide)
    place = int(np.argmin(total))
    best = int(at[place])
    whole = curves(
        (("error", at, total), ("dropped visits", at, dropped), ("noise", at, wide)),
        x="limit (visits per person)",
        y="visits",
        alt=f"With a larger limit fewer visits are dropped, and there is more noise. The error is smallest at a limit of {best}, "
        f"where it is {total[place]:,.0f} visits.",
    )
    return Result(
        float(best),
        before(whole, "dropped visits", "noise", alt="With a larger limit fewer visits are dropped, and there is more noise."),
        whole,
        {
            "best": best,
            "error": f"{total[place]:,.0f}",
            "rows": f"{rows:,.0f}",
            "one": f"{rows - dropped[0]:,.0f}",
            "dropped": f"{dropped[place]:,.0f}",
            "most": f"{at[-1]:.0f}",
            "noise": f"{total[-1]:,.0f}",
            "epsilon": EPSILON,
            "noise_at_best": f"{wide[place]:,.0f}",
        },
    )


def _two_names() -> Result:
    best = best_limit()
    whole, chances = _by_number(best, _NAMES, "names", {"1 name": 1, "2 names": 2})
    return Result(
        "twice",
        before(whole, "1 name", alt=f"One point: with one name a guess is right {chances[0]:.0f}% of the time."),
        whole,
        {
            "best": best,
            "both": 2 * best,
            "once": f"{chances[0]:.0f}",
            "twice": f"{chances[1]:.0f}",
            "names": _NAMES,
            "ten": f"{chances[-1]:.0f}",
            "epsilon": EPSILON,
            "double": 2 * EPSILON,
        },
    )


def _clinic_visits() -> Scenario:
    """Return the number of clinic visits, with a limit of one visit per person."""
    table, target = ours()["visits"], targets.Count()
    oracle = usual_oracle(table, (table.column("minutes"),))
    of_rows = example(ours()[NAME]).with_(
        table=table.name, columns=("minutes",), target=target, n=len(table), epsilon=EPSILON, oracle=oracle
    )
    of_people = of_rows.with_(**asked_of(of_rows, table))
    limited: Any = of_people.target
    return of_people.with_(target=replace(limited, rows=1))


ONE_PERSON = read_lesson(
    "one_person",
    {
        "many_rows": (Slider(50, 100, 1, 55, "{}%", "y"), _many_rows),
        "best_limit": (Slider(1, 250, 1, 100, "a limit of {}", "x"), _best),
        "two_names": (Choice(), _two_names),
    },
    _clinic_visits,
    opens="people",
)

# Many questions: how ε and γ add up

EACH, QUESTIONS = 0.5, 8  # ε of each question
_SHOWN = 20  # questions
_LIMIT = 20.0  # years, at which times are clipped
_NUMBERS = np.arange(1, _SHOWN + 1, dtype=np.float64)
_ONE, _MANY = "1 question", f"{QUESTIONS} questions"


def proved(questions: int) -> Ledger:
    """Return a ledger of means of one table, with noise for the worst case.

    Args:
        questions: Number of means.
    """
    calibrated, ledger = Example(epsilon=EACH).limited(_LIMIT).proved(), Ledger()
    for _ in range(questions):
        ledger = ledger.holding(calibrated)
    return ledger


def sampled(questions: int) -> Ledger:
    """Return a ledger of means with sampled noise, each of times clipped at another limit, all fixed before the first answer.

    Args:
        questions: Number of means.
    """
    adjacency, privacy = Adjacency.REPLACE_ONE_RECORD, PureDP(EACH)
    examples = [Example().limited(_LIMIT + place) for place in range(questions)]
    lines = [
        Planned(of.target, of.oracle, L1, of.n, of.point, adjacency, mechanism=LaplaceMechanism(), privacy=privacy)
        for of in examples
    ]
    ledger = Ledger().planned(lines)
    for one in lines:
        ledger = ledger.holding(one)
    return ledger


def _epsilons() -> Result:
    total, chances = proved(QUESTIONS).total(), 100 * right_from_several(EACH, _SHOWN)
    assert isinstance(total, PureDP)
    right = round(chances[QUESTIONS - 1])
    whole = right_guesses(
        (("the best guess", _NUMBERS, chances), ("limit of the total ε", _NUMBERS, 100 / (1 + np.exp(-EACH * _NUMBERS)))),
        dots=[(name, [float(at)], chances[[at - 1]]) for name, at in ((_ONE, 1), (_MANY, QUESTIONS))],
        x="questions",
        alt=f"How often a guess from all answers together is right: {chances[0]:.0f}% from one answer and {chances[-1]:.0f}% "
        f"from {_SHOWN}. The limit of the total ε is above.",
    )
    return Result(
        right,
        before(
            whole,
            _ONE,
            alt=f"One point: with one question a guess is right {chances[0]:.0f}% of the time.",
            at=(_MANY, QUESTIONS),
        ),
        whole,
        {
            "epsilon": EACH,
            "questions": QUESTIONS,
            "one": f"{chances[0]:.0f}",
            "total": total.epsilon,
            "right": right,
            "bound": most_right(total.epsilon),
        },
    )


def _gammas() -> Result:
    of, total = Example(), sampled(QUESTIONS).total()
    assert isinstance(total, RandomDP)
    each, unrelated = of.gamma / QUESTIONS, 100 * (1 - (1 - of.gamma) ** _NUMBERS)
    whole = curves(
        (("sum of the γ", _NUMBERS, 100 * of.gamma * _NUMBERS), ("unrelated questions", _NUMBERS, unrelated)),
        dots=((_ONE, [1.0], [100 * of.gamma]),),
        x="questions",
        y="not protected (% of changes)",
        alt=f"The ledger adds {100 * of.gamma:g}% for each question. {_SHOWN} unrelated questions leave {unrelated[-1]:.0f}% of "
        "changes unprotected by at least one of them.",
    )
    return Result(
        100 * total.gamma,
        before(
            whole,
            _ONE,
            alt=f"One point: one question leaves up to {100 * of.gamma:g}% of changes unprotected.",
            at=(_MANY, QUESTIONS),
        ),
        whole,
        {
            "questions": QUESTIONS,
            "gamma": 100 * of.gamma,
            "sum": 100 * total.gamma,
            "apart": float(unrelated[QUESTIONS - 1]),
            "each": 100 * each,
            "few": OperatingPoint.for_gamma(of.gamma).m,
            "pairs": OperatingPoint.for_gamma(each).m,
        },
    )


MANY_QUESTIONS = read_lesson(
    "many_questions",
    {
        "epsilons": (Slider(50, 100, 1, 90, "{}%", "y"), _epsilons),
        "gammas": (Slider(0, 100, 1, 80, "{}%", "y"), _gammas),
    },
    Example().scenario,
    opens="release",
)
