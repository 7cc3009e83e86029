"""When the promise is void: a wrong oracle, a look at the table, redrawing until pleased, asking after an answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.special import betaln

from dpcore import PureDP
from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.guarantees import words
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.experiment.scenario import Scenario
from pages.old.charts.lessons import RULER, Named, curves, ruled, untold
from pages.old.experiment.lessons.example import Example
from pages.old.experiment.lessons.step import Asked, Found, Mark, Step
from pages.old.experiment.lessons.to_try import scenario

ORDER = 9
_SPREAD = 2.0  # the world's records, to the oracle's
_TIMES = {2.0: "twice"}
_DRAWS = 10  # until one is pleased
_LONG = 50.0  # years
_SHOWN = 20
_WORLD, _SETS = 60.0, 50.0  # per cent, that can be guessed
_CELLS = 400_000
# Somebody who chooses the second γ once the first answer is known: the example of mathematics, section 4.5, tried out.
_EPSILON, _FIRST = 20.0, 0.005  # of the first line
_LARGE, _GENEROUS, _STRICT = 3.5, 0.2, 0.001  # the second γ, where the first answer is above so many years, and else
_PAIRS = 400_000
_PAIRS_SEED, _POINTS = 5, 400


@final
@dataclass(frozen=True, eq=False)
class ChosenAfterwards:
    """The share of pairs that either line misses, the γ that were chosen, added up and averaged, and the share so far."""

    missed: float
    promised: float
    so_far: FloatArray


def chosen_afterwards() -> ChosenAfterwards:
    """It, of tables of one record each from Exponential(1), whose record is replaced: then Φ(G) is uniform."""
    rng = np.random.default_rng(_PAIRS_SEED)
    record, other = rng.exponential(size=(2, _PAIRS))
    level = -np.expm1(-np.abs(record - other))  # Φ(G)
    first, generous, strict = (OperatingPoint.for_gamma(gamma) for gamma in (_FIRST, _GENEROUS, _STRICT))
    reached = _drawn(first, rng)
    answer = record - np.log1p(-reached) / _EPSILON * rng.laplace(size=_PAIRS)  # Laplace noise of scale Δ̂/ε
    large = answer > _LARGE
    missed = (level > reached) | (level > np.where(large, _drawn(generous, rng), _drawn(strict, rng)))
    promised = first.gamma + float(np.where(large, generous.gamma, strict.gamma).mean())
    so_far = np.cumsum(missed) / np.arange(1, _PAIRS + 1)
    return ChosenAfterwards(float(so_far[-1]), promised, so_far[_PAIRS // _POINTS - 1 :: _PAIRS // _POINTS])


def _drawn(point: OperatingPoint, rng: np.random.Generator) -> FloatArray:
    """Φ(Δ̂) of draws that are fresh for each pair: the k-th of m uniform numbers, Beta(k, m−k+1)."""
    return rng.beta(point.k, point.m - point.k + 1, _PAIRS)


def missed(point: OperatingPoint, times: float) -> float:
    """The share of changes left out, on average over the draws, where the world's exponential records are so many times as spread
    out as the oracle's: E V^(1/times), V the miss under the oracle, Beta(m−k+1, k) (mathematics, section 1.3)."""
    first, second = point.m - point.k + 1, point.k
    return math.exp(betaln(first + 1 / times, second) - betaln(first, second))


def _wrong_oracle() -> Found:
    of = Example()
    left_out = 100 * missed(of.point, _SPREAD)
    return Found(
        truth=left_out,
        figure=lambda: _by_spread(of),
        asked=lambda: Asked(
            untold(_by_spread(of)[0], "promised", at=("this world", _SPREAD), up_to=_WORLD),
            f"Promised are {100 * of.gamma:g} %, and this world is spread out {figure(_SPREAD)} times as far as the oracle.",
        ),
        numbers={
            "gamma": figure(100 * of.gamma),
            "left": figure(left_out),
            "times": _TIMES[_SPREAD],
            "fold": figure(left_out / 100 / of.gamma),
        },
    )


def _by_spread(of: Example) -> tuple[Any, str]:
    times = np.linspace(0.25, 4, 100)
    left_out = np.array([100 * missed(of.point, float(one)) for one in times])
    dot: Named = ("this world", np.array([_SPREAD]), np.array([100 * missed(of.point, _SPREAD)]))
    lines = (("left out", times, left_out), ("promised", times, np.full(len(times), 100 * of.gamma)))
    return curves(lines, dots=(dot,), x="spread of real rows, in times the oracle's", y="left out (% of changes)"), (
        f"How many real changes are left out, by how many times real rows are as spread out as the oracle's. Where both are "
        f"alike it is the promised {100 * of.gamma:g} %, at twice {dot[2][0]:.0f} %, at four times {left_out[-1]:.0f} %."
    )


def looked() -> tuple[tuple[float, NoiseLaw], tuple[float, NoiseLaw]]:
    """A made-up table and its neighbour with one very long loan: the answers, and noise sized to bounds read off each table."""
    table, _ = Example().pairs(1)[0]
    first = np.asarray(table, dtype=np.float64)
    other = np.concatenate(([_LONG], first[1:]))
    return _with_its_bounds(first), _with_its_bounds(other)


def _with_its_bounds(table: FloatArray) -> tuple[float, NoiseLaw]:
    of = Example().limited(float(table.max()))
    return of.answer(table), of.proved().law


def told_apart() -> float:
    """How often the better guess between the two is right: ½ + ½·TV, TV = ½·∫|p − p′| by midpoints."""
    first, other = looked()
    reach = 12 * max(first[1].half_width(0.5), other[1].half_width(0.5))
    edges = np.linspace(first[0] - reach, other[0] + reach, _CELLS + 1)
    at = (edges[1:] + edges[:-1]) / 2
    apart = np.abs(first[1].density(at - first[0]) - other[1].density(at - other[0]))
    return 0.5 + 0.25 * float(apart.sum() * (edges[1] - edges[0]))


def _looking() -> Found:
    right, epsilon = round(100 * told_apart()), Example().epsilon
    return Found(
        truth=float(right),
        figure=lambda: _with_ruler(float(right)),
        asked=lambda: Asked(*_with_ruler(None)),
        numbers={"epsilon": figure(epsilon), "bound": words.guess(PureDP(epsilon)), "right": str(right), "long": figure(_LONG)},
    )


def _two_widths() -> tuple[Any, str]:
    (first, narrow), (other, wide) = looked()
    at = np.linspace(first - 0.15, other + 0.2, 600)
    lines = (("without the long time", at, narrow.density(at - first)), ("with it", at, wide.density(at - other)))
    return curves(lines, x="private answer (years)", y="how likely", likelihood=True), (
        f"How likely each private answer is with two neighbouring tables, one of which has a row of {_LONG:g} years. 95 in "
        f"100 lie within {counted(figure(narrow.half_width(SHARE_WITHIN)), ' years')} without it, and within "
        f"{figure(wide.half_width(SHARE_WITHIN))} with it."
    )


def _with_ruler(told: float | None) -> tuple[Any, str]:
    """The same above a ruler of right guesses."""
    chart, alt = _two_widths()
    ruler = f" A ruler below goes from a coin to a sure guess{'' if told is None else f'; a mark stands at {figure(told)}'}."
    return ruled(chart, "right guesses in a hundred (a coin: 50)", told), alt + ruler


def redrawn(times: int, m: int) -> float:
    """The share left out where the least Δ̂ of so many sets of m draws is kept, with k = m: 1 − E min of so many Beta(m, 1) = 1 −
    Π_(i=1..times) i·m/(i·m + 1) (mathematics, section 2.3)."""
    return 1 - math.prod(one * m / (one * m + 1) for one in range(1, times + 1))


def _redrawing() -> Found:
    point = OperatingPoint.for_gamma(Example().gamma)
    left_out = 100 * redrawn(_DRAWS, point.m)
    return Found(
        truth=left_out,
        figure=lambda: _by_redraws(point),
        asked=lambda: Asked(
            untold(_by_redraws(point)[0], "promised", at=(f"{_DRAWS} sets", float(_DRAWS)), up_to=_SETS),
            f"Promised are {100 * point.gamma:g} %, and {_DRAWS} sets are drawn.",
        ),
        numbers={
            "m": str(point.m),
            "gamma": figure(100 * point.gamma),
            "draws": str(_DRAWS),
            "left": figure(left_out),
            "sum": figure(100 * _DRAWS * point.gamma),
        },
    )


def _by_redraws(point: OperatingPoint) -> tuple[Any, str]:
    numbers = np.arange(1, _SHOWN + 1, dtype=np.float64)
    left_out = np.array([100 * redrawn(int(one), point.m) for one in numbers])
    lines = (("left out", numbers, left_out), ("promised", numbers, np.full(_SHOWN, 100 * point.gamma)))
    return curves(lines, x="sets of trials, the smallest Δ̂ kept", y="left out (% of changes)"), (
        f"How many random changes are left out, by how many sets of {point.m} trials are drawn before the smallest Δ̂ is kept. "
        f"One set leaves out {left_out[0]:.0f} %, {_SHOWN} sets {left_out[-1]:.0f} %."
    )


def _after_an_answer() -> Found:
    tried = chosen_afterwards()
    return Found(
        truth=100 * tried.missed,
        figure=lambda: _adding_up(tried),
        asked=lambda: Asked(
            untold(_adding_up(tried)[0], "what the γ add up to"), f"The two γ add up to {100 * tried.promised:.2g} %."
        ),
        numbers={
            "strict": figure(100 * _FIRST),
            "generous": figure(100 * _GENEROUS),
            "least": figure(100 * _STRICT),
            "years": figure(_LARGE),
            "pairs": f"{_PAIRS:,}",
            "promised": figure(100 * tried.promised),
            "left": figure(100 * tried.missed),
            "epsilon": figure(_EPSILON),
        },
    )


def _adding_up(seen: ChosenAfterwards) -> tuple[Any, str]:
    tried = np.arange(1, len(seen.so_far) + 1, dtype=np.float64) * (_PAIRS / len(seen.so_far) / 1000)
    promised = np.full(len(tried), 100 * seen.promised)
    lines = (("left out so far", tried, 100 * seen.so_far), ("what the γ add up to", tried, promised))
    return curves(lines, x="changes tried (thousands)", y="left out (% of changes)"), (
        f"The share of the changes tried so far that one answer or the other leaves out. After {_PAIRS:,} it is "
        f"{100 * seen.missed:.2g} %, where the two γ add up to {100 * seen.promised:.2g} %."
    )


def to_try() -> Scenario:
    """The example with the fewest trials, to be drawn again."""
    of = Example()
    return scenario(of.but(m=OperatingPoint.for_gamma(of.gamma).m))


STEPS = {
    "wrong_oracle": Step(Mark(0, _WORLD, 0.5, 40, "{} %", "y"), _wrong_oracle),
    "looking": Step(Mark(50, 100, 1, 70, "{} in 100", RULER), _looking),
    "redrawing": Step(Mark(0, _SETS, 0.5, 30, "{} %", "y"), _redrawing),
    "after_an_answer": Step(Mark(0, 10, 0.1, 6, "{} %", "y"), _after_an_answer),
}
