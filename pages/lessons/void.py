"""When the guarantee is void: a wrong oracle, a look at the table, redrawing, and a choice after an answer."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.experiment.scenario import Scenario
from pages.figures.lessons import before, curves, with_ruler
from pages.lessons.example import Example
from pages.lessons.lesson import Result, Slider, read_lesson

_SPREAD = 2.0  # real rows, compared with the oracle's
_DRAWS = 10  # samples until somebody is pleased
_LONG = 50.0  # years
_SHOWN = 20  # samples on a chart
_CELLS = 400_000
_UNPROTECTED = "not protected (% of changes)"
# Somebody chooses the second γ after the first answer (mathematics, section 4.5).
_EPSILON, _FIRST = 20.0, 0.005  # of the first question
_LARGE, _GENEROUS, _STRICT = 3.5, 0.2, 0.001  # the second γ is generous if the first answer is above this many years
_PAIRS, _SEED, _POINTS = 400_000, 5, 400


def missed(point: OperatingPoint, times: float) -> float:
    """Return the average unprotected share if real exponential rows are spread out differently: E V^(1/times).

    V, the unprotected share under the oracle, has the distribution Beta(m − k + 1, k) (mathematics, section 1.3).

    Args:
        point: The operating point.
        times: Spread of real rows, in multiples of the oracle's.
    """
    first = point.m - point.k + 1
    logs = [math.lgamma(first + 1 / times), math.lgamma(point.m + 1), -math.lgamma(point.m + 1 + 1 / times), -math.lgamma(first)]
    return math.exp(sum(logs))


def _wrong_oracle() -> Result:
    of, times = Example(), np.linspace(0.25, 4, 100)
    unprotected = np.array([100 * missed(of.point, float(one)) for one in times])
    truth = 100 * missed(of.point, _SPREAD)
    whole = curves(
        (("not protected", times, unprotected), ("promised", times, np.full(len(times), 100 * of.gamma))),
        dots=(("this world", [_SPREAD], [truth]),),
        x="spread of real rows (multiples of the oracle's)",
        y=_UNPROTECTED,
        alt=f"How many real changes are unprotected, by the spread of real rows. If it is the oracle's, it is the promised "
        f"{100 * of.gamma:g}%. At twice the spread it is {truth:.0f}%.",
    )
    alt = f"{100 * of.gamma:g}% is promised. A line marks rows that are spread out {figure(_SPREAD)} times as far."
    numbers = {
        "gamma": figure(100 * of.gamma),
        "left": figure(truth),
        "times": figure(_SPREAD),
        "fold": figure(truth / 100 / of.gamma),
    }
    return Result(truth, before(whole, "promised", alt=alt, at=("this world", _SPREAD)), whole, numbers)


def looked() -> tuple[tuple[float, NoiseLaw], tuple[float, NoiseLaw]]:
    """Return answer and noise of a table and of its neighbour with a long time, if each is clipped at its own longest time."""
    table, _ = Example().pairs(1)[0]
    return _clipped_at_longest(table), _clipped_at_longest(np.concatenate(([_LONG], table[1:])))


def _clipped_at_longest(table: FloatArray) -> tuple[float, NoiseLaw]:
    of = Example().limited(float(table.max()))
    return of.answer(table), of.proved().law


def distinguished() -> float:
    """Return how often the best guess between the two tables is right: ½ + ¼·∫|p − p′|, by midpoints."""
    (first, narrow), (other, wide) = looked()
    reach = 12 * max(narrow.half_width(0.5), wide.half_width(0.5))
    edges = np.linspace(first - reach, other + reach, _CELLS + 1)
    at = (edges[1:] + edges[:-1]) / 2
    apart = np.abs(narrow.density(at - first) - wide.density(at - other))
    return 0.5 + 0.25 * float(apart.sum() * (edges[1] - edges[0]))


def _looking() -> Result:
    (first, narrow), (other, wide) = looked()
    truth, epsilon = round(100 * distinguished()), Example().epsilon
    at = np.linspace(first - 0.15, other + 0.2, 600)
    reach = [figure(law.half_width(SHARE_WITHIN)) for law in (narrow, wide)]
    chart = curves(
        (("without the long time", at, narrow.density(at - first)), ("with it", at, wide.density(at - other))),
        x="private answer (years)",
        y="how likely",
        density=True,
        alt=f"How likely each private answer is with two neighbouring tables. 95% is within ±{reach[0]} years without the row of "
        f"{_LONG:g} years, and within ±{reach[1]} years with it.",
    )
    ruler = "right guesses (%); 50% is chance"
    told = replace(chart, alt=f"{chart.alt} A guess is right {truth}% of the time.")
    bound = f"{math.ceil(100 / (1 + math.exp(-epsilon)))}"
    numbers = {"epsilon": figure(epsilon), "bound": bound, "right": str(truth), "long": figure(_LONG)}
    return Result(truth, with_ruler(chart, ruler), with_ruler(told, ruler, truth), numbers)


def redrawn(times: int, m: int) -> float:
    """Return the average unprotected share if the smallest Δ̂ of several samples is kept, with k = m.

    It is 1 − E min of so many Beta(m, 1), which is 1 − Π i·m/(i·m + 1) over i = 1, …, times (mathematics, section 2.3).

    Args:
        times: Number of samples.
        m: Pairs in each sample.
    """
    return 1 - math.prod(one * m / (one * m + 1) for one in range(1, times + 1))


def _redrawing() -> Result:
    point, numbers = OperatingPoint.for_gamma(Example().gamma), np.arange(1, _SHOWN + 1, dtype=np.float64)
    unprotected = np.array([100 * redrawn(int(one), point.m) for one in numbers])
    truth, name = float(unprotected[_DRAWS - 1]), f"{_DRAWS} samples"
    whole = curves(
        (("not protected", numbers, unprotected), ("promised", numbers, np.full(_SHOWN, 100 * point.gamma))),
        dots=((name, [float(_DRAWS)], [truth]),),
        x="samples, of which the smallest Δ̂ is kept",
        y=_UNPROTECTED,
        alt=f"One sample of {point.m} pairs leaves {unprotected[0]:.0f}% of changes unprotected, and the best-looking one of "
        f"{_SHOWN} samples {unprotected[-1]:.0f}%.",
    )
    asked = before(whole, "promised", alt=f"{100 * point.gamma:g}% is promised. A line marks {name}.", at=(name, _DRAWS))
    said = {
        "m": str(point.m),
        "gamma": figure(100 * point.gamma),
        "draws": str(_DRAWS),
        "left": figure(truth),
        "sum": figure(100 * _DRAWS * point.gamma),
    }
    return Result(truth, asked, whole, said)


@final
@dataclass(frozen=True, eq=False)
class ChosenAfterwards:
    """What happens if the second γ is chosen after the first answer.

    Args:
        missed: Share of pairs that are unprotected by at least one question.
        promised: Sum of both γ, on average.
        so_far: The share so far, at ``_POINTS`` numbers of pairs.
    """

    missed: float
    promised: float
    so_far: FloatArray


def chosen_afterwards() -> ChosenAfterwards:
    """Simulate tables of one row from Exponential(1), whose row is replaced. Φ(G) is then uniform."""
    rng = np.random.default_rng(_SEED)
    record, other = rng.exponential(size=(2, _PAIRS))
    level = -np.expm1(-np.abs(record - other))  # Φ(G)
    first, generous, strict = (OperatingPoint.for_gamma(gamma) for gamma in (_FIRST, _GENEROUS, _STRICT))
    reached = _sampled_level(first, rng)
    answer = record - np.log1p(-reached) / _EPSILON * rng.laplace(size=_PAIRS)  # noise of scale Δ̂/ε
    large = answer > _LARGE
    second = np.where(large, _sampled_level(generous, rng), _sampled_level(strict, rng))
    unprotected = (level > reached) | (level > second)
    promised = first.gamma + float(np.where(large, generous.gamma, strict.gamma).mean())
    so_far = np.cumsum(unprotected) / np.arange(1, _PAIRS + 1)
    return ChosenAfterwards(float(so_far[-1]), promised, so_far[_PAIRS // _POINTS - 1 :: _PAIRS // _POINTS])


def _sampled_level(point: OperatingPoint, rng: np.random.Generator) -> FloatArray:
    """Return Φ(Δ̂) of fresh samples: the k-th of m uniform numbers, Beta(k, m − k + 1)."""
    return rng.beta(point.k, point.m - point.k + 1, _PAIRS)


def _after_an_answer() -> Result:
    seen, sums = chosen_afterwards(), "sum of both γ"
    tried = np.arange(1, _POINTS + 1) * (_PAIRS / _POINTS / 1000)
    whole = curves(
        (("not protected so far", tried, 100 * seen.so_far), (sums, tried, np.full(_POINTS, 100 * seen.promised))),
        x="changes tried (thousands)",
        y=_UNPROTECTED,
        alt=f"After {_PAIRS:,} changes {figure(100 * seen.missed)}% are unprotected by one answer or the other. Both γ "
        f"add up to {figure(100 * seen.promised)}%.",
    )
    numbers = {
        "strict": figure(100 * _FIRST),
        "generous": figure(100 * _GENEROUS),
        "least": figure(100 * _STRICT),
        "years": figure(_LARGE),
        "pairs": f"{_PAIRS:,}",
        "promised": figure(100 * seen.promised),
        "left": figure(100 * seen.missed),
        "epsilon": figure(_EPSILON),
    }
    alt = f"The sum of both γ is {figure(100 * seen.promised)}%."
    return Result(100 * seen.missed, before(whole, sums, alt=alt), whole, numbers)


def scenario() -> Scenario:
    """Return the example with the fewest pairs, to sample again."""
    return replace(Example(), m=OperatingPoint.for_gamma(Example().gamma).m).scenario()


LESSON = read_lesson(
    "void",
    {
        "wrong_oracle": (Slider(0, 60, 0.5, 40, "{}%", "y"), _wrong_oracle),
        "looking": (Slider(50, 100, 1, 70, "{}%", "ruler"), _looking),
        "redrawing": (Slider(0, 50, 0.5, 30, "{}%", "y"), _redrawing),
        "after_an_answer": (Slider(0, 10, 0.1, 6, "{}%", "y"), _after_an_answer),
    },
    scenario,
)
