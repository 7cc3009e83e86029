"""Lesson 0: randomised response, the first private answers that people can compute by hand (Warner 1965)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from pages.experiment.scenario import Scenario
from pages.figures.lessons import before, curves, dot_rows
from pages.lessons.example import Example, percent
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

TRUTHFUL = 0.5  # probability that the first coin asks for the truth
CLASS, LARGE = 30, 3_000  # people
YES = 18  # answers of the class
_CLASSES, _SEED = 200, 7  # simulated classes


def chance_of_yes(truth: float, truthful: float = TRUTHFUL) -> float:
    """Return the probability of the answer yes.

    Args:
        truth: Probability, or share of the people, for whom yes is true.
        truthful: Probability that the first coin asks for the truth.
    """
    return truthful * truth + (1 - truthful) / 2


def estimate(said: FloatArray | float) -> Any:
    """Return the estimated share of people for whom yes is true.

    Args:
        said: Share of people who said yes.
    """
    return (said - chance_of_yes(0.0)) / TRUTHFUL


def deviation(people: int) -> float:
    """Return the standard deviation that the coins give the estimate: each person's answer has the variance 3/16.

    Args:
        people: Number of people.
    """
    variance = chance_of_yes(1.0) * (1 - chance_of_yes(1.0))
    return math.sqrt(variance / people) / TRUTHFUL


def epsilon(truthful: float) -> float:
    """Return ε: the logarithm of how many times as probable yes is if it is true."""
    return math.log(chance_of_yes(1.0, truthful) / chance_of_yes(0.0, truthful))


def _answer() -> Result:
    prior = np.linspace(0, 1, 101)
    after = prior * chance_of_yes(1.0) / (prior * chance_of_yes(1.0) + (1 - prior) * chance_of_yes(0.0))
    truth = 100 * float(after[50])
    lines = (("without the answer", 100 * prior, 100 * prior), ("after a “yes”", 100 * prior, 100 * after))
    whole = curves(
        lines,
        dots=(("even odds", [50.0], [truth]),),
        x="how sure you were before (%)",
        y="how sure you are after (%)",
        alt=f"How sure an answer “yes” makes you, by how sure you were before. From 50% it takes you to {truth:.0f}%.",
    )
    alt = "A straight line: without the answer you are as sure as before. A vertical line marks 50%."
    asked = before(whole, "without the answer", alt=alt, at=("even odds", 50.0))
    numbers = {"yes": percent(chance_of_yes(1.0)), "no": percent(chance_of_yes(0.0)), "sure": f"{truth:.0f}"}
    return Result(truth, asked, whole, numbers)


def _share() -> Result:
    said = np.array([chance_of_yes(0.0), chance_of_yes(1.0)])
    truth = 100 * estimate(YES / CLASS)
    lines = (("estimated share", 100 * said, 100 * estimate(said)),)
    whole = curves(
        lines,
        dots=(("this class", [100 * YES / CLASS], [truth]),),
        x="people who said yes (%)",
        y="people for whom it is true (%)",
        alt=f"A straight line from 25% who said yes to 75%. At {100 * YES / CLASS:.0f}% the estimated share is {truth:.0f}%.",
    )
    asked = before(
        whole, alt="Empty axes, with a line at the share of people who said yes.", at=("this class", 100 * YES / CLASS)
    )
    by_coin = CLASS * (1 - TRUTHFUL)
    numbers = {
        "class": str(CLASS),
        "said": str(YES),
        "by_coin": f"{by_coin:.0f}",
        "coin_yes": figure(by_coin / 2),
        "rest": figure(YES - by_coin / 2),
        "truthful": f"{CLASS * TRUTHFUL:.0f}",
        "share": f"{truth:.0f}",
    }
    return Result(truth, asked, whole, numbers)


def simulated(people: int) -> FloatArray:
    """Return estimates, in percent, from simulated classes in which the true share is that of the step before.

    Args:
        people: Number of people in each class.
    """
    true_yes = round(people * estimate(YES / CLASS))
    rng = np.random.default_rng(_SEED)
    said = rng.binomial(true_yes, chance_of_yes(1.0), _CLASSES) + rng.binomial(people - true_yes, chance_of_yes(0.0), _CLASSES)
    return np.asarray(100 * estimate(said / people))


def _people() -> Result:
    small, large = simulated(CLASS), simulated(LARGE)
    rows = ((f"{CLASS} people", small), (f"{LARGE:,} people", large))
    reach = [1.96 * 100 * deviation(people) for people in (CLASS, LARGE)]
    whole = dot_rows(
        rows,
        x="estimated share (%)",
        alt=f"Estimates from {_CLASSES} simulated classes. 95% of them are within {reach[0]:.0f} percentage points of the truth "
        f"with {CLASS} people, and within {reach[1]:.1f} with {LARGE:,}.",
    )
    asked = before(
        whole, rows[0][0], alt=f"Estimates from {_CLASSES} simulated classes of {CLASS} people. The second row is empty."
    )
    numbers = {
        "class": str(CLASS),
        "large": f"{LARGE:,}",
        "share": f"{100 * estimate(YES / CLASS):.0f}",
        "classes": str(_CLASSES),
        "small_reach": f"{reach[0]:.0f}",
        "large_reach": f"{reach[1]:.1f}",
        "trusted_reach": f"{100 * math.log(20) / (CLASS * epsilon(TRUTHFUL)):.0f}",
    }
    return Result("tenth", asked, whole, numbers)


def _epsilon() -> Result:
    truth = epsilon(TRUTHFUL)
    shares = np.linspace(0, 0.96, 97)
    whole = curves(
        (("ε of one answer", 100 * shares, np.array([epsilon(share) for share in shares])),),
        dots=(("this coin", [100 * TRUTHFUL], [truth]),),
        x="how often the coin asks for the truth (%)",
        y="ε",
        alt=f"ε rises with the share of truthful answers, slowly at first and then without a limit. At 50% it is {truth:.2f}.",
    )
    asked = before(whole, alt="Empty axes, with a line at 50% truthful answers.", at=("this coin", 100 * TRUTHFUL))
    numbers = {
        "yes": percent(chance_of_yes(1.0)),
        "no": percent(chance_of_yes(0.0)),
        "times": figure(chance_of_yes(1.0) / chance_of_yes(0.0)),
        "epsilon": f"{truth:.2f}",
        "often": "90",
        "high": f"{epsilon(0.9):.1f}",
    }
    return Result(truth, asked, whole, numbers)


def scenario() -> Scenario:
    """Return the example with the ε of the coin."""
    return replace(Example(), epsilon=round(epsilon(TRUTHFUL), 2)).limited(20.0).scenario()


LESSON = read_lesson(
    "coin",
    {
        "answer": (Slider(50, 100, 1, 95, "{}%", "y"), _answer),
        "share": (Slider(0, 100, 1, 60, "{}%", "y"), _share),
        "people": (Choice(), _people),
        "epsilon": (Slider(0, 4, 0.1, 0.5, "ε = {}", "y"), _epsilon),
    },
    scenario,
)
