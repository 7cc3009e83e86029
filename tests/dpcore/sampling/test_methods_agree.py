"""Every way gives the same distances on the same databases."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE
from dpcore.base.arrays import FloatArray
from dpcore.base.norms import Norm
from dpcore.base.types import Target, as_target
from dpcore.oracles import Uniform
from dpcore.sampling.methods import AdditiveMethod, PairMethod, PlainMethod, Subject, choose
from dpcore.targets import Histogram, Mean, Proportion, Quantile, Variance

Law = Callable[[np.random.Generator, tuple[int, int]], FloatArray]
LAWS: dict[str, Law] = {
    "continuous": lambda rng, shape: rng.standard_normal(shape),
    "tied": lambda rng, shape: rng.integers(3, size=shape).astype(float),
    "constant": lambda rng, shape: np.ones(shape),
    "heavy-tailed": lambda rng, shape: rng.standard_cauchy(shape) ** 3,
    "far from zero": lambda rng, shape: 1e8 + rng.random(shape),
}
ADDITIVE: list[Target] = [
    Mean(),
    Mean(bounds=(-1, 1)),
    Histogram(categories=(0.0, 1.0, 2.0)),
    Histogram(edges=(-1.0, 0.0, 1.0, 2.0)),
    Proportion(category=1.0),
    Proportion(interval=(0, 1)),
]
PAIR: list[Target] = [
    Variance(),
    Variance(bounds=(-1, 1)),
    Variance(ddof=1),
    *(Quantile(q) for q in (0.0, 0.3, 0.5, 0.95, 1.0)),
    Quantile(0.5, bounds=(-1, 1)),
]


def _databases(law: str, n: int) -> FloatArray:
    """120 extended databases of n + 1 records, read-only."""
    extended = LAWS[law](np.random.default_rng(20_260_101), (120, n + 1))
    extended.flags.writeable = False
    return extended


def _both(target: Target, extended: FloatArray, norm: Norm = L1) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The distances by the target's own way and by plain calls, and the size of the target's values."""
    n = extended.shape[1] - 1
    subject = Subject(target, Uniform(0, 1), norm, n, 1)
    with np.errstate(all="ignore"):
        plain = PlainMethod().on(subject, extended, np.full(len(extended), n - 1))
        additive = target.contribution is not None
        own = AdditiveMethod().on(subject, extended[:, -2:]) if additive else PairMethod().on(subject, extended)
    return own.distances, plain.distances, plain.sizes


@pytest.mark.parametrize("target", ADDITIVE + PAIR, ids=repr)
def test_the_targets_own_way_gives_what_the_plain_call_gives(target: Target) -> None:
    for law, n in product(LAWS, (1, 2, 3, 25)):
        own, plain, sizes = _both(target, _databases(law, n))
        if n == 1 and target == Variance(ddof=1):
            assert np.isinf(own).all()
            assert np.isinf(plain).all()
        else:
            assert np.isfinite(plain).all()
            assert (np.abs(own - plain) <= 1e-12 * n * np.maximum(plain, sizes)).all()


@pytest.mark.parametrize("q", [0.0, 0.25, 0.5, 1.0])
def test_a_quantile_by_pairs_is_the_same_to_the_bit(q: float) -> None:
    for law, n in product(LAWS, (1, 2, 3, 4, 11)):
        own, plain, _ = _both(Quantile(q), _databases(law, n))
        assert (own == plain).all()


@pytest.mark.parametrize("norm", [L1, L2, LINF, RANGE])
def test_they_agree_in_every_norm(norm: Norm) -> None:
    for target in (Histogram(categories=(0.0, 1.0, 2.0)), Histogram(edges=(0.0, 1.0, 2.0))):
        own, plain, _ = _both(target, _databases("tied", 5), norm)
        assert plain.max() > 0
        assert own == pytest.approx(plain, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("target", PAIR, ids=repr)
def test_they_agree_on_records_of_one_column_with_an_axis_of_its_own(target: Target) -> None:
    own, plain, _ = _both(target, _databases("continuous", 6)[:, :, None])
    assert np.isfinite(plain).all()
    assert own == pytest.approx(plain, rel=1e-9, abs=1e-12)


def test_a_mean_of_several_columns_agrees_too() -> None:
    extended = np.random.default_rng(5).random((50, 7, 3))
    own, plain, _ = _both(Mean(bounds=((0, 1), (0.2, 0.8), (-1, 0.5))), extended)
    assert own == pytest.approx(plain, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("target", ADDITIVE + PAIR, ids=repr)
def test_the_cheapest_way_is_chosen(target: Target) -> None:
    assert choose(target).name == ("additive" if target in ADDITIVE else "pair")
    assert (target.contribution is not None) != (target.pair is not None)


def test_a_function_is_sampled_plainly() -> None:
    assert choose(as_target(np.mean)).name == "plain"
