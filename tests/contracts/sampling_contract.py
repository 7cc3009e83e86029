"""Whether OpenDP draws all of a response, at a scale that is rounded up: as one function that says what is wrong.

OpenDP's measurements are intercepted: what a law gives to each of them is recorded, and each returns made-up numbers that do not
hang on it. Where that is all that a response is made of, then

- the same made-up numbers give the same response, from the same answer and from another: else something else draws, or the answer
  comes through beside the noise;
- other made-up numbers give another one: else it is not made of them.

What two answers at a distance of just the sensitivity give to the measurements then bounds what responses tell, in rational
numbers: Σ |x − x'|/scale of Laplace noise, (max − min of x − x')/scale of a noisy maximum; and of Gaussian noise the δ with 60
digits.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import mpmath
import numpy as np
import opendp.measurements
from opendp.mod import Measurement

from dpcore.base.arrays import FloatArray
from dpcore.base.norms import LINF
from dpcore.guarantees.privacy import ApproxDP, PureDP
from tests.contracts.answers import Answers, suited

TRIED = 24  # settings: of the quotients of random numbers every other one is rounded down


@dataclass(frozen=True)
class Call:
    """What a law gave to one measurement."""

    measurement: str
    scale: Fraction
    values: tuple[Fraction, ...]


def sampling_fault(mechanism: Any) -> str:
    """What is wrong with how it draws, and where; empty where nothing is."""
    with _noted():
        for answers in suited(mechanism):
            for reach, privacy in _settings(mechanism, answers):
                if fault := _fault(mechanism, answers, reach, privacy):
                    return f"{fault} (sensitivity {reach!r}, {privacy!r}, {answers.length} numbers)"
    return ""


def _settings(mechanism: Any, answers: Answers) -> Iterator[tuple[float, Any]]:
    rng = np.random.default_rng(2_929)
    for _ in range(TRIED):
        reach = float(rng.integers(1, 60)) if answers.whole else float(rng.uniform(0.01, 60))
        epsilon, delta = float(rng.uniform(0.05, 0.99)), float(rng.uniform(1e-9, 0.01))
        yield reach, PureDP(epsilon) if mechanism.privacy is PureDP else ApproxDP(epsilon, delta)


def _fault(mechanism: Any, answers: Answers, reach: float, privacy: Any) -> str:
    law = answers.law(mechanism, reach, privacy)
    stated = law.sampling
    if not stated.exact:
        return f"the law does not say that OpenDP samples its noise: it is {stated.words}"
    here = np.zeros(answers.length)
    there = here.copy()
    there[slice(None) if mechanism.norm == LINF else slice(0, 1)] = reach
    calls, response = _traced(law, here, 1)
    if {call.measurement for call in calls} != set(stated.measurements):
        return f"it says {stated.measurements}, and draws from {sorted({call.measurement for call in calls})}"
    for answer, other in ((here, "it draws from elsewhere than OpenDP"), (there, "the answer comes through beside the noise")):
        if not np.array_equal(_traced(law, answer, 1)[1], response):
            return other
    if np.array_equal(_traced(law, here, 2)[1], response):
        return "the answer is not made of what OpenDP draws"
    return _beyond(calls, _traced(law, there, 1)[0], privacy)


def _beyond(calls: list[Call], others: list[Call], privacy: Any) -> str:
    """How the measurements tell more than was promised."""
    if [(one.measurement, one.scale) for one in calls] != [(one.measurement, one.scale) for one in others]:
        return "the noise hangs on the answer"
    if any(one.measurement == "make_gaussian" for one in calls):
        delta = _delta(calls, others, privacy.epsilon)
        return "" if delta <= privacy.delta else f"δ = {mpmath.nstr(delta, 12)} at a scale that is too small"
    loss = sum((_loss(one, other) for one, other in zip(calls, others, strict=True)), Fraction(0))
    most = Fraction(privacy.epsilon)
    return "" if loss <= most else f"the scale is too small by a relative {float(loss / most - 1):.1e}: it is not rounded up"


def _loss(one: Call, other: Call) -> Fraction:
    moved = [x - y for x, y in zip(one.values, other.values, strict=True)]
    if one.measurement == "make_laplace":
        return sum(map(abs, moved), Fraction(0)) / one.scale
    assert one.measurement == "make_noisy_max", f"nobody knows what {one.measurement} tells: say it here"
    return (max(moved) - min(moved)) / one.scale


def _delta(calls: list[Call], others: list[Call], epsilon: float) -> Any:
    """Of one vector of normal noise."""
    (one,), (other,) = calls, others
    with mpmath.workdps(100):
        squares = sum((x - y) ** 2 for x, y in zip(one.values, other.values, strict=True)) / one.scale**2
        mu, e = mpmath.sqrt(mpmath.mpf(squares.numerator) / squares.denominator), mpmath.mpf(epsilon)
        return mpmath.ncdf(mu / 2 - e / mu) - mpmath.exp(e) * mpmath.ncdf(-mu / 2 - e / mu)


def _traced(law: Any, answer: FloatArray, made_up: int) -> tuple[list[Call], Any]:
    """What a law gives to the measurements for an answer, and its response where these return made-up numbers."""
    with _intercepted(made_up) as calls:
        response = law.draw(answer.copy())
    return calls, np.asarray(law.row(response))


@contextmanager
def _intercepted(made_up: int) -> Iterator[list[Call]]:
    calls: list[Call] = []

    def called(self: Any, values: Any, *rest: Any) -> Any:
        measurement, scale = _MADE[id(self)][1:] if id(self) in _MADE else ("a measurement that was made before", 1.0)
        calls.append(Call(measurement, Fraction(scale), tuple(map(Fraction, values))))
        if measurement == "make_noisy_max":
            return made_up % len(values)
        noisy = [made_up * scale * (place + len(calls)) / 7 for place in range(len(values))]
        return [round(7 * value) for value in noisy] if isinstance(values[0], int) else noisy

    with patch.object(Measurement, "__call__", called):
        yield calls


_MADE: dict[int, tuple[Any, str, float]] = {}  # kept, for laws keep what they made


@contextmanager
def _noted() -> Iterator[None]:
    """Every measurement that is made is noted with its name and scale, under whatever name its constructor was imported."""
    known = {name: value for name, value in vars(opendp.measurements).items() if name.startswith("make_") and callable(value)}
    places = [
        (module, name, made)
        for module in list(sys.modules.values())
        for name, value in list(getattr(module, "__dict__", {}).items())
        for made in known
        if value is known[made]
    ]
    for module, name, made in places:
        setattr(module, name, _noting(made, known[made]))
    try:
        yield
    finally:
        for module, name, made in places:
            setattr(module, name, known[made])


def _noting(name: str, make: Callable[..., Any]) -> Callable[..., Any]:
    def noted(*given: Any, **named: Any) -> Any:
        measurement = make(*given, **named)
        scale = inspect.signature(make).bind(*given, **named).arguments.get("scale", 0.0)
        _MADE[id(measurement)] = measurement, name, scale
        return measurement

    return noted
