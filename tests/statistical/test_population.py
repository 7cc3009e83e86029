"""How often the interval for the population holds its number, and without its parts does not (mathematics, section 22.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpcore.base.types import FloatArray
from dpcore.ledger import population as room
from dpcore.ledger.population import Estimate, ForPopulation, Spread, mean_of_population, share_of_population
from dpcore.mechanisms.gaussian import GaussianLaw
from dpcore.mechanisms.laplace import LaplaceLaw

RUNS = 1_000  # a share of .95 is seen within ± .0207 with 3 standard errors
LEAST = 0.95 - 3 * np.sqrt(0.95 * 0.05 / RUNS)
Draw = Callable[[np.random.Generator, int], FloatArray]
UNIFORM: tuple[Draw, float] = (lambda rng, n: rng.uniform(0, 10, n), 5.0)
SKEWED: tuple[Draw, float] = (lambda rng, n: 10 * rng.beta(0.5, 2, n), 2.0)


def _held(found: list[ForPopulation | None], truth: float, *, alone: bool = False) -> float:
    """The share that holds it, or says that nothing can be told."""
    holds = [one is None or _in(one.sampling if alone else one.both, truth) for one in found]
    return float(np.mean(holds))


def _in(interval: Any, truth: float) -> bool:
    return interval is not None and bool(interval[0] <= truth <= interval[1])


def _mean(
    rng: np.random.Generator, drawn: tuple[Draw, float], n: int, epsilon: float, of_spread: float, **wrong: Any
) -> ForPopulation | None:
    """``wrong``: the noise that it is told of in place of the real one."""
    x = drawn[0](rng, n)
    law, of = LaplaceLaw(10 / n / epsilon), LaplaceLaw(100 / n / of_spread)
    noisy = np.array([x.mean() + law.scale * rng.laplace()])
    spread = Spread(variance=float(x.var() + of.scale * rng.laplace()), law=wrong.get("of", of))
    return mean_of_population(Estimate(noisy=noisy, records=n, law=wrong.get("law", law), bounds=(0, 10)), spread)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("drawn", "n", "epsilon"), [(UNIFORM, 40, 1.0), (UNIFORM, 600, 10.0), (SKEWED, 600, 0.2), (SKEWED, 5_000, 1.0)]
)
def test_of_a_mean_it_holds_as_often_as_it_says(drawn: tuple[Draw, float], n: int, epsilon: float) -> None:
    rng = np.random.default_rng(3)
    assert _held([_mean(rng, drawn, n, epsilon, epsilon) for _ in range(RUNS)], drawn[1]) >= LEAST


@pytest.mark.slow
def test_without_the_noise_on_the_mean_or_that_on_the_spread_it_does_not() -> None:
    rng, nothing = np.random.default_rng(3), LaplaceLaw(0.0)
    assert _held([_mean(rng, UNIFORM, 40, 0.5, 1e6) for _ in range(RUNS)], 5.0) >= LEAST
    assert _held([_mean(rng, UNIFORM, 40, 0.5, 1e6, law=nothing) for _ in range(RUNS)], 5.0) < LEAST - 0.05
    assert _held([_mean(rng, UNIFORM, 2_000, 1e6, 0.005) for _ in range(RUNS)], 5.0) >= LEAST
    assert _held([_mean(rng, UNIFORM, 2_000, 1e6, 0.005, of=nothing) for _ in range(RUNS)], 5.0) < LEAST - 0.05


def _known(rng: np.random.Generator, x: FloatArray, n: int, law: Any) -> FloatArray:
    """Σ u and the number of the values that are known, 7 in 10, released."""
    known = x[rng.random(n) < 0.7]
    return np.asarray(law.simulate(np.array([known.sum(), len(known)]), size=1, rng=rng)[0])


@pytest.mark.slow
@pytest.mark.parametrize(("n", "epsilon"), [(60, 3.0), (1_000, 0.3)])
def test_of_known_values_it_holds_as_often_as_it_says(n: int, epsilon: float) -> None:
    rng, law, of = np.random.default_rng(4), LaplaceLaw(2 / epsilon), LaplaceLaw(100 / n / epsilon)
    found = []
    for _ in range(RUNS):
        x = SKEWED[0](rng, n)
        spread = Spread(variance=float(x.var() + of.scale * rng.laplace()), law=of)
        released = Estimate(noisy=_known(rng, x / 5 - 1, n, law), records=n, law=law, bounds=(0, 10))
        found.append(mean_of_population(released, spread))
    assert _held(found, 2.0) >= LEAST


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "n", "share"),
    [(LaplaceLaw(4.0), 60, 0.0), (GaussianLaw(2.0), 60, 0.4), (LaplaceLaw(4.0), 400, 0.02), (GaussianLaw(8.0), 400, 1.0)],
)
def test_of_a_share_of_known_values_it_holds_as_often_as_it_says(law: Any, n: int, share: float) -> None:
    rng, found = np.random.default_rng(5), []
    for _ in range(200):
        noisy = _known(rng, np.where(rng.random(n) < share, 1.0, -1.0), n, law)
        found.append(share_of_population(Estimate(noisy=noisy, records=n, law=law)))
    assert _held(found, share) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 200)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "share", "epsilon"), [(30, 0.0, 0.1), (30, 0.5, 1.0), (500, 0.01, 0.1), (500, 0.01, 1.0), (20_000, 0.999, 1.0)]
)
def test_of_a_share_it_holds_as_often_as_it_says_and_sampling_alone_does_not_where_noise_is_large(
    n: int, share: float, epsilon: float
) -> None:
    rng, law = np.random.default_rng(6), LaplaceLaw(1 / n / epsilon)
    released = [rng.binomial(n, share) / n + law.scale * rng.laplace() for _ in range(500)]
    found = [share_of_population(Estimate(noisy=np.array([one]), records=n, law=law)) for one in released]
    assert _held(found, share) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 500)
    if epsilon == 0.1 and n < 20_000:
        assert _held(found, share, alone=True) < 0.9


def test_blocks_are_fine_enough_that_a_tenth_of_them_would_make_it_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    def width() -> float:
        found = share_of_population(Estimate(noisy=np.array([0.3]), records=10**6, law=GaussianLaw(0.0004)))
        assert found is not None
        return found.both[1] - found.both[0]

    fine = width()
    monkeypatch.setattr(room, "_BLOCKS", 50)
    assert fine < width() < 1.1 * fine
