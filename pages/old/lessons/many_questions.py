"""Many questions of one table: what ε and γ add up to."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import L1, Adjacency, Laplace, PureDP, RandomDP
from dpcore.audits.best_guess import right_from_several
from dpcore.guarantees import words
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.words import figure
from dpcore.ledger.accounting import Ledger, Planned
from pages.experiment.scenario import Scenario
from pages.old.charts.lessons import Named, curves, together, untold
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Asked, Found, Mark, Step
from pages.old.experiment.lessons.to_try import scenario

ORDER = 8
OPENS = "release"
_EPSILON = 0.5  # of each question
_QUESTIONS = 8
_SHOWN = 20
_LIMIT = 20.0  # years, at which times are cut off


def proved(questions: int) -> Ledger:
    """So many means with noise for the worst case: asked one after another, of one table."""
    calibrated, ledger = Example(epsilon=_EPSILON).limited(_LIMIT).proved(), Ledger()
    for _ in range(questions):
        ledger = ledger.holding(calibrated)
    return ledger


def _epsilons() -> Found:
    total, chances = proved(_QUESTIONS).total(), 100 * right_from_several(_EPSILON, _SHOWN)
    assert isinstance(total, PureDP), "each was proved"
    return Found(
        truth=float(round(chances[_QUESTIONS - 1])),
        figure=lambda: _guesses(chances),
        asked=lambda: _of_one(_guesses(chances)[0], float(chances[0]), "right guesses in a hundred"),
        numbers={
            "epsilon": figure(_EPSILON),
            "questions": str(_QUESTIONS),
            "one": f"{chances[0]:.0f}",
            "total": figure(total.epsilon),
            "right": f"{chances[_QUESTIONS - 1]:.0f}",
            "bound": words.guess(total),
        },
    )


def _guesses(chances: Any) -> tuple[Any, str]:
    numbers = np.arange(1, _SHOWN + 1, dtype=np.float64)
    most = 100 / (1 + np.exp(-_EPSILON * numbers))  # of any mechanism at the sum of ε
    dot: Named = (f"{_QUESTIONS} questions", numbers[[_QUESTIONS - 1]], chances[[_QUESTIONS - 1]])
    lines = (("the best guess", numbers, chances), ("the ledger's limit", numbers, most))
    return curves(lines, dots=(dot,), x="questions", y="right guesses in a hundred", guesses=True), (
        f"How often a guess from all answers together is right, by the number of questions at ε = {figure(_EPSILON)} each. From "
        f"one answer it is {chances[0]:.0f} in a hundred, from {_SHOWN} answers {chances[-1]:.0f}. The ledger's limit lies above."
    )


def _of_one(whole: Any, known: float, what: str) -> Asked:
    """What is known of one question, on the axes of all."""
    one: Named = ("1 question", np.array([1.0]), np.array([known]))
    chart = together(untold(whole, at=(f"{_QUESTIONS} questions", float(_QUESTIONS))), curves((), dots=(one,), x="", y=""))
    return Asked(chart, f"One dot: with one question there are {figure(known)} {what}.")


def sampled(questions: int) -> Ledger:
    """So many means, of times cut off at other limits, each with a sampled sensitivity, all fixed before the first answer."""
    asked = [_planned(Example().limited(_LIMIT + place)) for place in range(questions)]
    ledger = Ledger().planned(asked)
    for one in asked:
        ledger = ledger.holding(one)
    return ledger


def _planned(of: Example) -> Planned:
    return Planned(
        of.target,
        of.oracle,
        L1,
        of.n,
        of.point,
        Adjacency.REPLACE_ONE_RECORD,
        mechanism=Laplace(),
        privacy=PureDP(_EPSILON),
    )


def _gammas() -> Found:
    of, total = Example(), sampled(_QUESTIONS).total()
    assert isinstance(total, RandomDP), "each was sampled"
    each = of.gamma / _QUESTIONS
    return Found(
        truth=100 * total.gamma,
        figure=lambda: _left_out(of.gamma),
        asked=lambda: _of_one(_left_out(of.gamma)[0], 100 * of.gamma, "in a hundred changes left out"),
        numbers={
            "questions": str(_QUESTIONS),
            "gamma": figure(100 * of.gamma),
            "sum": figure(100 * total.gamma),
            "apart": figure(100 * (1 - (1 - of.gamma) ** _QUESTIONS)),
            "each": figure(100 * each),
            "few": str(OperatingPoint.for_gamma(of.gamma).m),
            "trials": str(OperatingPoint.for_gamma(each).m),
        },
    )


def _left_out(gamma: float) -> tuple[Any, str]:
    numbers = np.arange(1, _SHOWN + 1, dtype=np.float64)
    unlike = 100 * (1 - (1 - gamma) ** numbers)
    lines = (("the ledger's sum", numbers, 100 * gamma * numbers), ("unrelated questions", numbers, unlike))
    return curves(lines, x="questions", y="left out (% of changes)"), (
        f"How many random changes at least one question leaves out. The ledger adds {100 * gamma:g} % for each question. "
        f"{_SHOWN} questions that have nothing to do with each other leave out {unlike[-1]:.0f} % together."
    )


def to_try() -> Scenario:
    """The example, to be released."""
    return scenario(Example())


STEPS = {
    "epsilons": Step(Mark(50, 100, 1, 90, "{} in 100", "y"), _epsilons),
    "gammas": Step(Mark(0, 100, 1, 80, "{} %", "y"), _gammas),
}
