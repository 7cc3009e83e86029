"""Answers that are drawn from their joint law: what is drawn, when, and that each is what the plain call gives."""

from __future__ import annotations

import itertools
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from dpcore import L1, LINF, OperatingPoint, SensitivitySample, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray, Inverse
from dpcore.base.types import Oracle, Target
from dpcore.errors import InfiniteSensitivityError, InvalidValueError, MethodMismatchError
from dpcore.oracles import (
    Bernoulli,
    Categorical,
    Exponential,
    IndependentColumns,
    Names,
    Normal,
    RegressionPrior,
    Resample,
    Uniform,
)
from dpcore.sampling.blocks import Subject
from dpcore.sampling.methods import LIGHT_BLOCK, OrderStatisticMethod, choose, left_out, uniforms, widened
from dpcore.targets import Quantile
from tests.dpcore.sampling.draws_only import DrawsOnly

SEED = 20_170
MEDIAN = Quantile(0.5)
TABLE = np.random.default_rng(4).integers(5, size=40).astype(float)
UNIFORM = Uniform(0, 1)
INVERTIBLE = [
    Uniform(-2, 3),
    Exponential(2.0),
    Exponential(1.0, (0.2, 2)),
    Normal(4, 2),
    Normal(0, 1, (-1, 0.5)),
    Bernoulli(0.3),
    Categorical((0.2, 0.0, 0.5, 0.3)),
    Resample(TABLE),
    Resample(TABLE[:, None]),
    IndependentColumns((Exponential(1.0),)),
]


@dataclass(frozen=True)
class Ends(Target):
    """The middle of the least and the largest record, and how far they are apart: a target of a stranger."""

    factor: float = 1.0
    shift: float = 0.0
    fails_above: float = np.inf
    at: tuple[int, ...] | None = None

    def __call__(self, database: Database, /) -> FloatArray:
        if database.max() > self.fails_above:
            raise OverflowError("too large")
        return np.array([(database.min() + database.max()) / 2, np.ptp(database)])

    def places(self, n: int, /) -> tuple[int, ...]:
        return self.at or ((0, n - 1) if n > 1 else (0,))

    def from_places(self, records: FloatArray, n: int, /) -> FloatArray:
        low, high = records[:, 0], records[:, -1]
        if (high > self.fails_above).any():
            raise OverflowError("too large")
        return np.stack([self.factor * (low + high) / 2 + self.shift, high - low], axis=1)


def sample(target: Target, oracle: Any = UNIFORM, m: int = 19, *, n: int = 10, **how: Any) -> SensitivitySample[Any]:
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_both(m, 0.5), **({"seed": SEED} | how))


@pytest.mark.parametrize("oracle", INVERTIBLE, ids=repr)
@pytest.mark.parametrize("target", [MEDIAN, Quantile(0.3, (0, 1)), Ends()], ids=repr)
def test_order_statistics_are_chosen_if_offered(target: Target, oracle: Any) -> None:
    assert target.places is not None
    assert sample(target, oracle).way == choose(target, oracle, 10).name == "direct"


@dataclass(frozen=True)
class Shared(Oracle):
    """Records of one database share a value: its inverse is of one record alone."""

    independent_records: ClassVar[bool] = False

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return np.repeat(rng.random((databases, 1)), records, axis=1)

    def inverse(self, u: FloatArray, /) -> FloatArray:
        return u


@pytest.mark.parametrize(
    "oracle",
    [
        DrawsOnly(Uniform(0, 1)),
        Shared(),
        IndependentColumns((Uniform(0, 1),) * 2),
        IndependentColumns((Shared(),)),
        Names(),
        RegressionPrior(),
        Resample(np.array(["a", "b"])),
        Resample(np.zeros((3, 2))),
        None,
    ],
    ids=repr,
)
def test_order_statistics_need_independent_numbers(oracle: Any) -> None:
    assert choose(MEDIAN, oracle, 10).name == "pair"
    assert choose(Ends(), oracle, 10).name == "plain"


def test_order_statistics_serve_up_to_2_53() -> None:
    assert [choose(MEDIAN, Uniform(0, 1), n).name for n in (1, 2**53, 2**53 + 1)] == ["direct", "direct", "pair"]


@pytest.mark.parametrize("law", ["continuous", "tied", "constant"])
@pytest.mark.parametrize("n", [1, 2, 3, 6, 7])
@pytest.mark.parametrize("target", [*(Quantile(q) for q in (0.0, 0.3, 0.5, 1.0)), Quantile(0.7, (0.2, 0.8)), Ends()], ids=repr)
def test_order_statistics_have_the_bits_of_plain_calls(target: Any, n: int, law: str) -> None:
    rng = np.random.default_rng(n)
    made = {"continuous": rng.random(n + 1), "tied": rng.integers(3, size=n + 1) / 2, "constant": np.ones(n + 1)}[law]
    pairs = list(itertools.permutations(range(n + 1), 2))
    subject = Subject(target, Uniform(0, 1), L1, n, 1)
    ordered = np.sort(made)[widened(target.places(n))]
    block = OrderStatisticMethod().on(subject, np.repeat(ordered[None], len(pairs), axis=0), np.array(pairs))
    for (r, s), distance, size in zip(pairs, block.distances, block.sizes, strict=True):
        first, second = (target(np.delete(np.sort(made), rank)) for rank in (r, s))
        assert distance == L1(first - second)
        assert size == LINF(first)


def test_places_and_gaps_are_those_of_section_14() -> None:
    assert widened(MEDIAN.places(1_000)) == [499, 500, 501]
    assert widened([0, 9]) == [0, 1, 9, 10]
    drawn = uniforms([499, 500, 501], 1_000, 7, rng=np.random.default_rng(3))
    gaps = np.random.default_rng(3).standard_gamma([500, 1, 1, 500], size=(7, 4))
    expected = gaps.cumsum(axis=1)[:, :3] / gaps.sum(axis=1, keepdims=True)
    assert drawn == pytest.approx(expected, rel=1e-15)


def test_uniforms_are_sorted_and_never_at_the_ends() -> None:
    for n, places in ((1, [0, 1]), (2, [0, 1, 2]), (10**6, [0, 1, 10**6 - 1, 10**6]), (2**53, [0, 1, 2**53 - 1, 2**53])):
        drawn = uniforms(places, n, 5_000, rng=np.random.default_rng(1))
        assert (np.diff(drawn, axis=1) >= 0).all()
        assert drawn.min() > 0
        assert drawn.max() < 1


def test_the_two_left_out_differ() -> None:
    for n in (1, 2, 10**6, 2**53):
        ranks = left_out(n, 2_000, rng=np.random.default_rng(1))
        assert ranks.min() >= 0
        assert ranks.max() <= n
        assert (ranks[:, 0] != ranks[:, 1]).all()


@pytest.mark.parametrize(
    ("target", "oracle", "first", "block", "second"),
    [
        (MEDIAN, Uniform(0, 1), [0.05241112026598205, 0.0, 0.008993136018982384], 195.5405932788164, 0.2137946079617043),
        (Quantile(0.9), Exponential(2.0), [0.0, 0.30325119693219427, 0.0], 358.79643848772355, 0.0),
        (Quantile(0.25), Normal(0, 1, (-2, 2)), [0.0, 0.0, 0.04228275693094763], 478.33887601170136, 0.35645292847778015),
        (MEDIAN, Categorical((0.2, 0.5, 0.3)), [0.0, 0.0, 0.0], 131.0, 0.0),
    ],
    ids=repr,
)
def test_draws_of_two_blocks_are_pinned(target: Target, oracle: Any, first: list[float], block: float, second: float) -> None:
    assert LIGHT_BLOCK == OrderStatisticMethod().block_size(8, 10**9) == 8_192  # part of every published number
    distances = sample(target, oracle, 8_200, n=20).distances
    assert distances[:3] == pytest.approx(first, rel=1e-12, abs=0)
    assert distances[:8_192].sum() == pytest.approx(block, rel=1e-12)
    assert distances[8_192:].sum() == pytest.approx(second, rel=1e-12)


@pytest.mark.parametrize("oracle", INVERTIBLE, ids=repr)
def test_short_run_begins_a_long_one(oracle: Any) -> None:
    long = sample(Quantile(0.3), oracle, 2 * 8_192 + 3)
    for m in (1, 2, 1_305, 8_191, 8_192, 8_193, 16_384):
        assert (sample(Quantile(0.3), oracle, m).distances == long.distances[:m]).all()
    assert (long.distances[:99] != long.distances[8_192 : 8_192 + 99]).any()
    assert (sample(Quantile(0.3), oracle, 99, seed=SEED + 1).distances != long.distances[:99]).any()


class Dead(Executor):
    """Whom nothing may be given."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        raise RuntimeError("asked")


def test_order_statistics_use_no_executor() -> None:
    assert (sample(MEDIAN, executor=Dead()).distances == sample(MEDIAN).distances).all()


@pytest.mark.parametrize("places", [(3, 1), (1, 1), (-1, 4), (0, 10), ()])
def test_places_that_are_none_are_refused(places: tuple[int, ...]) -> None:
    target = replace(Ends(), at=places)
    if not places:
        target = type("Nowhere", (Ends,), {"places": lambda self, n: ()})()
    with pytest.raises(InvalidValueError) as caught:
        sample(target)
    assert caught.value.name == "places"


@pytest.mark.parametrize("target", [Ends(factor=1.001), Ends(factor=0), Ends(shift=1e-6)], ids=repr)
@pytest.mark.parametrize("n", [1, 2, 7, 1_000])
def test_wrong_order_statistics_are_refused(target: Target, n: int) -> None:
    with pytest.raises(MethodMismatchError) as caught:
        sample(target, n=n)
    assert caught.value.way == "direct"
    assert caught.value.plain != caught.value.shortcut


def test_failed_order_statistics_are_infinite() -> None:
    """The largest of 10 exponential records is above 5 in 6.5 % of databases: 4,000 pairs, two in three of them twice."""
    target = Ends(fails_above=5.0)
    drawn = sample(target, Exponential(1.0), 4_000)
    plain = sample(target, DrawsOnly(Exponential(1.0)), 4_000)
    assert (drawn.way, plain.way) == ("direct", "plain")
    assert set(drawn.failures.values()) == {"raised OverflowError"}
    assert np.isinf(drawn.distances[list(drawn.failures)]).all()
    expected = 4_000 * (1 - (1 - np.exp(-5)) ** 11)
    for one in (drawn, plain):
        assert abs(len(one.failures) - expected) < 6 * np.sqrt(expected)
    with pytest.raises(InfiniteSensitivityError):
        sample(Ends(fails_above=-1.0), Uniform(0, 1)).sensitivity()


@dataclass(frozen=True)
class Wrong(Oracle):
    """Exponential records with an inverse that may not be theirs."""

    kind: str = ""
    independent_records: ClassVar[bool] = True

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return rng.standard_exponential((databases, records, 2) if self.kind == "two columns" else (databases, records))

    @property
    def inverse(self) -> Inverse:
        """By its kind."""
        kinds: dict[str, Inverse] = {
            "scale": lambda u: -1.1 * np.log1p(-u),
            "turned": lambda u: -np.log(u),
            "one number": lambda u: np.log1p(-u[:1]),
            "normal": lambda u: np.log(u / (1 - u)),
        }
        return kinds.get(self.kind, lambda u: -np.log1p(-u))


def test_an_inverse_of_its_draws_is_accepted() -> None:
    assert sample(MEDIAN, Wrong()).way == "direct"


@pytest.mark.parametrize("kind", ["scale", "turned", "one number", "normal", "two columns"])
def test_an_inverse_of_another_law_is_refused(kind: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        sample(MEDIAN, Wrong(kind))
    assert caught.value.name == "oracle"
