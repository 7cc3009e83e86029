"""Many questions about one table: how ε and γ add up."""

from __future__ import annotations

import math

import numpy as np

from dpcore import L1, Adjacency, Laplace, PureDP, RandomDP
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.guesser import right_from_several
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.ledger.accounting import Ledger, Planned
from pages.figures.lessons import PERCENT_RIGHT, before, curves
from pages.lessons.example import Example
from pages.lessons.lesson import Result, Slider, read_lesson

EPSILON, QUESTIONS = 0.5, 8  # ε of each question
_SHOWN = 20  # questions
_LIMIT = 20.0  # years, at which times are clipped
_NUMBERS = np.arange(1, _SHOWN + 1, dtype=np.float64)
_ONE, _MANY = "1 question", f"{QUESTIONS} questions"


def proved(questions: int) -> Ledger:
    """Return a ledger of means of one table, with noise for the worst case.

    Args:
        questions: Number of means.
    """
    calibrated, ledger = Example(epsilon=EPSILON).limited(_LIMIT).proved(), Ledger()
    for _ in range(questions):
        ledger = ledger.holding(calibrated)
    return ledger


def sampled(questions: int) -> Ledger:
    """Return a ledger of means with sampled noise, each of times clipped at another limit, all fixed before the first answer.

    Args:
        questions: Number of means.
    """
    adjacency, privacy = Adjacency.REPLACE_ONE_RECORD, PureDP(EPSILON)
    examples = [Example().limited(_LIMIT + place) for place in range(questions)]
    lines = [
        Planned(of.target, of.oracle, L1, of.n, of.point, adjacency, mechanism=Laplace(), privacy=privacy) for of in examples
    ]
    ledger = Ledger().planned(lines)
    for one in lines:
        ledger = ledger.holding(one)
    return ledger


def _epsilons() -> Result:
    total, chances = proved(QUESTIONS).total(), 100 * right_from_several(EPSILON, _SHOWN)
    assert isinstance(total, PureDP)
    limit = 100 / (1 + np.exp(-EPSILON * _NUMBERS))
    dots = [(name, [float(at)], chances[[at - 1]]) for name, at in ((_ONE, 1), (_MANY, QUESTIONS))]
    whole = curves(
        (("the best guess", _NUMBERS, chances), ("limit of the total ε", _NUMBERS, limit)),
        dots=dots,
        x="questions",
        y="right guesses (%)",
        y_range=PERCENT_RIGHT,
        alt=f"How often a guess from all answers together is right: {chances[0]:.0f}% from one answer and {chances[-1]:.0f}% "
        f"from {_SHOWN}. The limit of the total ε is above.",
    )
    alt = f"One point: with one question a guess is right {chances[0]:.0f}% of the time."
    numbers = {
        "epsilon": figure(EPSILON),
        "questions": str(QUESTIONS),
        "one": f"{chances[0]:.0f}",
        "total": figure(total.epsilon),
        "right": f"{chances[QUESTIONS - 1]:.0f}",
        "bound": f"{math.ceil(100 / (1 + math.exp(-total.epsilon)))}",
    }
    return Result(round(chances[QUESTIONS - 1]), before(whole, _ONE, alt=alt, at=(_MANY, QUESTIONS)), whole, numbers)


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
    alt = f"One point: one question leaves up to {100 * of.gamma:g}% of changes unprotected."
    numbers = {
        "questions": str(QUESTIONS),
        "gamma": figure(100 * of.gamma),
        "sum": figure(100 * total.gamma),
        "apart": figure(float(unrelated[QUESTIONS - 1])),
        "each": figure(100 * each),
        "few": str(OperatingPoint.for_gamma(of.gamma).m),
        "pairs": str(OperatingPoint.for_gamma(each).m),
    }
    return Result(100 * total.gamma, before(whole, _ONE, alt=alt, at=(_MANY, QUESTIONS)), whole, numbers)


LESSON = read_lesson(
    "many_questions",
    {
        "epsilons": (Slider(50, 100, 1, 90, "{}%", "y"), _epsilons),
        "gammas": (Slider(0, 100, 1, 80, "{}%", "y"), _gammas),
    },
    Example().scenario,
    opens="release",
)
