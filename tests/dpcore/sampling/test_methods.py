"""Every method gives the distances of plain calls; one that does not is refused, and a check is remembered for the catalogue."""

from __future__ import annotations

import gc
import math
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, OperatingPoint, SensitivitySample, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm, Norm
from dpcore.base.types import Oracle, Target, as_target
from dpcore.errors import InvalidValueError, MethodMismatchError
from dpcore.oracles import Exponential, Normal, Resample, Uniform
from dpcore.sampling import method_checks
from dpcore.sampling.blocks import Subject, compared, frozen, generator
from dpcore.sampling.methods import AdditiveMethod, BatchMethod, PairMethod, PlainMethod, choose
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
def test_method_gives_the_plain_distances(target: Target) -> None:
    for law, n in product(LAWS, (1, 2, 3, 25)):
        own, plain, sizes = _both(target, _databases(law, n))
        if n == 1 and target == Variance(ddof=1):
            assert np.isinf(own).all()
            assert np.isinf(plain).all()
        else:
            assert np.isfinite(plain).all()
            assert (np.abs(own - plain) <= 1e-12 * n * np.maximum(plain, sizes)).all()


TIED, COLUMN = _databases("tied", 5), _databases("continuous", 6)[:, :, None]
THREE = np.random.default_rng(5).random((50, 7, 3))


@pytest.mark.parametrize(
    ("target", "extended", "norm"),
    [
        *((Histogram(edges=(0.0, 1.0, 2.0)), TIED, norm) for norm in (L1, L2, LINF, RANGE)),
        *((target, COLUMN, L1) for target in PAIR),
        (Mean(bounds=((0, 1), (0.2, 0.8), (-1, 0.5))), THREE, L1),
    ],
    ids=repr,
)
def test_methods_agree_in_norms_and_shapes(target: Target, extended: FloatArray, norm: Norm) -> None:
    own, plain, _ = _both(target, extended, norm)
    assert np.isfinite(plain).all()
    assert plain.max() > 0
    assert own == pytest.approx(plain, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("target", ADDITIVE + PAIR, ids=repr)
def test_the_cheapest_way_is_chosen(target: Target) -> None:
    assert choose(target).name == ("additive" if target in ADDITIVE else "pair")
    assert (target.contribution is not None) != (target.pair is not None)


def test_a_function_is_sampled_plainly() -> None:
    assert choose(as_target(np.mean)).name == "plain"


@dataclass(frozen=True)
class Additive(Target):
    """A mean whose contributions carry a factor, and whose plain call an offset."""

    factor: float = 1.0
    offset: float = 0.0
    broken: bool = False

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([database.mean() + self.offset])

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        if self.broken:
            raise ValueError("no contribution")
        return np.asarray(self.factor * records[:, None] / n)


@dataclass(frozen=True)
class Pair(Target):
    """A median whose pair carries a factor."""

    factor: float = 1.0
    broken: bool = False
    plain_broken: bool = False

    def __call__(self, database: Database, /) -> FloatArray:
        if self.plain_broken:
            raise ValueError("no answer")
        return np.array([np.median(database)])

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        if self.broken:
            raise ValueError("no pair")
        without_last_but_one = np.delete(extended, -2, axis=1)
        return np.median(extended[:, :-1], axis=1) * self.factor, np.median(without_last_but_one, axis=1) * self.factor


def _checked(target: Target, n: int = 50) -> SensitivitySample[L1Norm]:
    return sample_sensitivity(target, Uniform(0, 1), norm=L1, n=n, at=OperatingPoint.for_gamma(0.05), seed=5)


@pytest.mark.parametrize("kind", [Additive, Pair])
@pytest.mark.parametrize("factor", [1.001, 0.5, 0.0, 2.0])
def test_a_wrong_method_is_refused(kind: type[Additive] | type[Pair], factor: float) -> None:
    for n in (1, 2, 50):
        assert _checked(kind(), n).way == kind.__name__.lower()
    with pytest.raises(MethodMismatchError) as caught:
        _checked(kind(factor=factor))
    assert caught.value.way == kind.__name__.lower()
    assert caught.value.shortcut == pytest.approx(factor * caught.value.plain)


def test_additive_method_of_another_value_is_refused() -> None:
    with pytest.raises(MethodMismatchError) as caught:
        _checked(Additive(offset=1.0))
    assert caught.value.way == "additive"
    assert caught.value.plain == pytest.approx(caught.value.shortcut + 1)


@pytest.mark.parametrize("target", [Additive(broken=True), Pair(broken=True), Pair(plain_broken=True)], ids=repr)
def test_method_that_fails_alone_is_refused(target: Any) -> None:
    with pytest.raises(MethodMismatchError) as caught:
        _checked(target)
    assert math.isinf(caught.value.shortcut) == target.broken
    assert math.isinf(caught.value.plain) != target.broken


def test_failing_alike_is_agreeing() -> None:
    assert np.isinf(_checked(Pair(broken=True, plain_broken=True)).distances).all()


@pytest.mark.parametrize("norm", [L1, L2, LINF, RANGE], ids=repr)
@pytest.mark.parametrize("entries", [1, 2, 3, 7, 8, 9, 17, 130, 1_001])
def test_block_has_the_bits_of_each_pair(norm: Norm, entries: int) -> None:
    rng = np.random.default_rng(9)
    pairs = [(rng.standard_cauchy(entries), rng.standard_cauchy(entries)) for _ in range(8)]
    block = compared(norm, list(pairs))
    for (first, second), distance, size in zip(pairs, block.distances, block.sizes, strict=True):
        assert distance == norm(first - second)
        assert size == LINF(first)


def test_failures_keep_their_places() -> None:
    answers = [(np.ones(2), np.zeros(2)), "why", (np.full(1, 5.0), np.full(1, 2.0)), "not", (np.full(2, 4.0), np.zeros(2))]
    block = compared(L1, answers)
    assert block.distances.tolist() == [2, np.inf, 3, np.inf, 8]
    assert np.isnan(block.sizes).tolist() == [False, True, False, True, False]
    assert block.failures == {1: "why", 3: "not"}
    assert compared(L1, ["why"]).distances.tolist() == [np.inf]


@pytest.mark.parametrize("norm", [L1, L2, LINF, RANGE], ids=repr)
def test_a_difference_beyond_the_floats_is_infinite(norm: Norm) -> None:
    far, both = np.array([1e308, -1e308]), np.array([1e308, 1e308])
    with np.errstate(all="ignore"):
        assert compared(norm, [(far, -far)]).distances.tolist() == [np.inf]
        assert compared(norm, [(both, -both)]).distances.tolist() == [np.inf]  # for RANGE infinite less infinite


class Buffered(Target):
    """Answers in the same array each time, as code that spares memory does."""

    def __init__(self) -> None:
        self.array = np.empty(1)

    def __call__(self, database: Database, /) -> FloatArray:
        self.array[0] = database.mean()
        return self.array


def test_target_may_answer_in_one_array() -> None:
    point = OperatingPoint.for_gamma(0.05)
    drawn = [sample_sensitivity(f, Uniform(0, 1), norm=L1, n=6, at=point, seed=3).distances for f in (Buffered(), np.mean)]
    assert (drawn[0] > 0).all()
    assert (drawn[0] == drawn[1]).all()


@pytest.mark.parametrize(
    "answer",
    [float, lambda value: value, lambda value: np.array(value), lambda value: [value], lambda value: int(1e6 * value)],
    ids=["float", "numpy's float", "an array without axes", "a list", "a whole number"],
)
def test_answer_is_a_number_or_a_sequence(answer: Callable[[np.float64], object]) -> None:
    extended = frozen(np.random.default_rng(9).random((3, 5)))

    def total(database: Database, /) -> object:
        return answer(database.sum())

    block = PlainMethod().on(Subject(total, Uniform(0, 1), L1, 4, 1), extended, np.array([3, 0, 1]))
    for database, position, distance in zip(extended, (3, 0, 1), block.distances, strict=True):
        neighbour = np.where(np.arange(4) == position, database[4], database[:4])
        assert distance == abs(float(np.squeeze(answer(database[:4].sum()))) - float(np.squeeze(answer(neighbour.sum()))))


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
    return sample_sensitivity(target, oracle, norm=norm, n=n, at=OperatingPoint.for_gamma(0.05), seed=seed).distances


def test_method_is_checked_once(checks: list[Subject]) -> None:
    for target in (Mean(), Variance(), Quantile(0.5)):
        checks.clear()
        first = _sampled(target, Uniform(0, 1))
        assert len(checks) == 1
        assert (_sampled(target, Uniform(0, 1)) == first).all()
        _sampled(target, Uniform(0, 1), n=10**6 if target == Quantile(0.5) else 10, seed=6)
        assert len(checks) == 1


def test_other_setting_is_checked_anew(checks: list[Subject]) -> None:
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


def test_foreign_target_is_checked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_checked_pair_moves_a_median(n: int) -> None:
    """Where a distance is 0 a wrong factor would not show."""
    for oracle in (Uniform(0, 1), Exponential(1), Normal(0, 1))[: 3 if n == 7 else 1]:
        extended = frozen(oracle.draw(1, n + 1, rng=generator(method_checks._SEED, 0, 1)))
        block = PlainMethod().on(Subject(Quantile(0.5), oracle, L1, n, 1), extended, np.array([n - 1]))
        assert block.distances[0] > 0


def test_plain_function_is_not_checked_again(known: dict[Any, Any]) -> None:
    _sampled(np.ptp, Uniform(0, 1))
    assert [key[0] for key in known] == [choose(as_target(np.ptp)).name] == ["plain"]


@dataclass(frozen=True)
class Tried(Target):
    """Says why it fails, on the neighbours alone."""

    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([database.sum()])

    def batch(self, databases: Database, /) -> FloatArray:
        return np.asarray(databases.sum(axis=1)[:, None])

    def tried(self, databases: Database, /, *, most_lost: int) -> tuple[FloatArray, dict[int, str]]:
        return self.batch(databases), {2: "too slow"} if databases[0, 0] == 9.0 else {}


def test_failure_on_a_neighbour_is_counted() -> None:
    extended = frozen(np.concatenate([np.ones((4, 3)), np.full((4, 1), 9.0)], axis=1))
    block = BatchMethod().on(Subject(Tried(), Uniform(0, 1), L1, 3, 1), extended, np.zeros(4, dtype=np.int64))
    assert block.failures == {2: "too slow"}
    assert np.isinf(block.distances).tolist() == [False, False, True, False]


class OwnGenerator(Oracle):
    """Draws with a generator of its own."""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return np.random.default_rng().random((databases, records))


@pytest.mark.parametrize(
    ("target", "oracle", "name"),
    [
        (np.mean, OwnGenerator(), "oracle"),
        (lambda database: database.sum() + np.random.default_rng().random(), Uniform(0, 1), "target"),
    ],
    ids=["oracle", "target"],
)
def test_members_that_do_not_repeat_themselves_are_refused(target: Any, oracle: Oracle, name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        _sampled(target, oracle)
    assert caught.value.name == name
