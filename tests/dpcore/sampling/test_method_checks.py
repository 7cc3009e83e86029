"""What is looked at before the first block is remembered for members of the catalogue, by their settings, and for no other."""

from __future__ import annotations

import gc
import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dpcore import L1, LINF, OperatingPoint, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle, Target, as_target
from dpcore.errors import MethodMismatchError
from dpcore.oracles import Exponential, Normal, Resample, Uniform
from dpcore.sampling import method_checks
from dpcore.sampling.blocks import Subject, frozen, generator
from dpcore.sampling.methods import PlainMethod, choose
from dpcore.targets import Mean, Quantile, Variance

POINT = OperatingPoint.for_gamma(0.05)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    """Nothing is known yet."""
    empty: dict[Any, Any] = {}
    monkeypatch.setattr(method_checks, "_known", empty)
    return empty


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[Subject]:
    """The jobs that were checked."""
    seen: list[Subject] = []
    check = method_checks.check
    monkeypatch.setattr(method_checks, "check", lambda way, subject: (seen.append(subject), check(way, subject)))
    return seen


def _sampled(target: Target, oracle: Oracle, n: int = 9, norm: Norm = L1, seed: int = 5) -> FloatArray:
    return sample_sensitivity(target, oracle, norm=norm, n=n, at=POINT, seed=seed).distances


def test_a_look_is_taken_once(checks: list[Subject]) -> None:
    for target in (Mean(), Variance(), Quantile(0.5)):
        checks.clear()
        first = _sampled(target, Uniform(0, 1))
        assert len(checks) == 1
        assert (_sampled(target, Uniform(0, 1)) == first).all()
        _sampled(target, Uniform(0, 1), n=10**6 if target == Quantile(0.5) else 10, seed=6)
        assert len(checks) == 1


def test_another_setting_norm_or_small_n_is_looked_at_anew(checks: list[Subject]) -> None:
    _sampled(Quantile(0.5), Uniform(0, 1))
    for target, oracle, n, norm in (
        (Quantile(0.4), Uniform(0, 1), 9, L1),
        (Quantile(0.5), Uniform(0, 2), 9, L1),
        (Quantile(0.5), Exponential(1), 9, L1),
        (Quantile(0.5), Uniform(0, 1), 3, L1),
        (Quantile(0.5), Uniform(0, 1), 9, LINF),
    ):
        checks.clear()
        _sampled(target, oracle, n, norm)
        assert len(checks) == 1


@dataclass(frozen=True)
class Own(Target):
    """A target of the user's own: its settings need not say all that it does."""

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([database.sum()])

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return Own.factor * records[:, None]

    factor = 1.0


def test_what_is_not_of_the_catalogue_is_looked_at_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    _sampled(Own(), Uniform(0, 1))
    monkeypatch.setattr(Own, "factor", 1.1)
    with pytest.raises(MethodMismatchError):
        _sampled(Own(), Uniform(0, 1))


def test_no_table_and_no_target_is_held(known: dict[Any, Any]) -> None:
    table = Resample(np.array([1.0, 2.0, 5.0]))
    gone = weakref.ref(table)
    _sampled(Mean(), table)
    _sampled(Own(), Uniform(0, 1))
    assert not known
    _sampled(Mean(), Uniform(0, 1))
    assert all(isinstance(part, str) for key in known for part in key)
    del table
    gc.collect()
    assert gone() is None


def test_what_is_remembered_has_an_end(known: dict[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(method_checks, "_MOST_KNOWN", 5)
    for high in range(1, 20):
        _sampled(Mean(), Uniform(0, high))
    assert 0 < len(known) <= 5


@pytest.mark.parametrize("n", range(1, 8))
def test_the_pair_that_is_looked_at_moves_a_median(n: int) -> None:
    """Where a distance is 0 a wrong factor would not show."""
    for oracle in (Uniform(0, 1), Exponential(1), Normal(0, 1))[: 3 if n == 7 else 1]:
        extended = frozen(oracle.draw(1, n + 1, rng=generator(method_checks._SEED, 0, 1)))
        block = PlainMethod().on(Subject(Quantile(0.5), oracle, L1, n, 1), extended, np.array([n - 1]))
        assert block.distances[0] > 0


def test_a_plain_function_under_a_known_oracle_is_not_probed_again(known: dict[Any, Any]) -> None:
    _sampled(np.ptp, Uniform(0, 1))
    assert [key[0] for key in known] == [choose(as_target(np.ptp)).name] == ["plain"]
