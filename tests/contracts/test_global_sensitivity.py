"""Each proved sensitivity is never exceeded, and is attained, on every small table of a few records."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, Adjacency, Filter, GroupBy, Query
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import Norm
from dpcore.base.types import Target
from dpcore.curves import KernelDensity, PriestleyChao
from dpcore.targets import (
    Correlation,
    Count,
    CovarianceMatrix,
    Histogram,
    LetterCounts,
    Mean,
    MeanDirection,
    OnLattice,
    Proportion,
    Quantile,
    QuantileScores,
    SufficientStatistics,
    Sum,
    ThresholdScores,
    Variance,
)
from dpcore.targets.proved import worst_case_of

REPLACE, REMOVE = Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_RECORD
NORMS = (L1, L2, LINF, RANGE)
ONE_NUMBER = (L1, L2, LINF)  # one number never moves against itself, so nothing is proved in RANGE
BOUNDS = ((-3.0, 5.0), (1e8, 1e8 + 1), (-1e-3, 0.2))
WIDTHS = [1e-9, 0.01, 0.07, 1.0, 1e6]  # bandwidths, in widths of the domain
UNIT, SCALED = (0.0, 1.0), (-1.0, 1.0)
NUMBERS = (-3.0, 0.0, 1.5, 7.0, np.nan)
TEXTS = ("", "F", "M", "x")
FIELDS = tuple((x, group) for x in (-3.0, 1.0, 7.0, np.nan) for group in ("a", "b", ""))
DTYPE = [("x", float), ("g", "U1")]


def _known(target: Target) -> Any:
    return target.of_known_values()


def _asked(target: Target, groups: tuple[str, ...]) -> Query:
    """Under a condition that every record of a group meets, by group if there are groups."""
    by = GroupBy("g", groups) if groups else None
    return Query(target, ("x",), (Filter("g", "z", excluded=True),), by)


def _means(d: int, shares: tuple[float, float] | None) -> SufficientStatistics:
    return SufficientStatistics((SCALED,) * d, SCALED, widths=shares)


def _worst_height(target: SufficientStatistics) -> tuple[float, ...]:
    """The heights of a feature at which the bound in L1 is attained (mathematics, section 18.2)."""
    d, (of_features, of_label) = target.dims, target.shares
    return -1.0, 1 - (d + 2 - of_features / of_label) / (d + 1), 1.0


SHARES = ((1, (1.0, 1.0)), (2, (1.0, 1.0)), (2, None), (3, (0.25, 1.0)))
INNER = (
    Sum((-2.0, 7.0)),
    Sum((2.0, 3.0)),
    Count(interval=(0, 7)),
    Count(),
    Mean((-3.0, 7.0)),
    Proportion(interval=(0, 5)),
    Histogram(edges=(-3, 1, 7), counts=True),
    Histogram(edges=(-3, 1, 7)),
)
CASES: list[tuple[Any, tuple[Any, ...], tuple[Norm, ...]]] = [  # the norms are those in which the proof is attained
    *((Mean(one), (one[0], one[1], one[1] + 9), ONE_NUMBER) for one in BOUNDS),
    (Mean(BOUNDS), tuple(product(*BOUNDS)), NORMS),
    *((Variance(one, ddof), one, ONE_NUMBER) for one in BOUNDS for ddof in (0, 1)),
    *((Quantile(q, BOUNDS[0]), BOUNDS[0], ONE_NUMBER) for q in (0.0, 0.5)),
    *((Quantile(q, BOUNDS[1]), BOUNDS[1], ONE_NUMBER) for q in (0.3, 0.77)),
    (_known(Mean((-3.0, 7.0))), NUMBERS, NORMS),
    (_known(Proportion(interval=(0.0, 2.0))), NUMBERS, NORMS),
    (_known(Proportion("F")), TEXTS, NORMS),
    (_known(Variance((-3.0, 7.0))), NUMBERS, ONE_NUMBER),
    *((Sum(one), NUMBERS, ONE_NUMBER) for one in ((-3.0, 7.0), (0.0, 7.0), (5.0, 7.0), (-3.0, -2.0))),
    *((one, NUMBERS, ONE_NUMBER) for one in (Count(), Count(1.5), Count(interval=(0, 2)))),
    *((one, NUMBERS, ONE_NUMBER) for one in (Proportion(1.5), Proportion(interval=(1, 2)))),
    *((Histogram(edges=(-3.0, 0.0, 2.0), counts=counts), NUMBERS, NORMS) for counts in (False, True)),
    *((Histogram(categories=("F", "M"), counts=counts), TEXTS, NORMS) for counts in (False, True)),
    (LetterCounts("ab", longest=2), ("", "aaa", "b", "bb", "ab", "x"), NORMS),
    (LetterCounts("ab", ignore_case=True, longest=1), ("", "Aa", "B", "x"), NORMS),
    (QuantileScores(0.5, (-3.0, 6.0), 4), (-3.0, 0.0, 3.0, 6.0, np.nan), (LINF, RANGE)),
    (QuantileScores(0.4, (-3.0, 6.0), 4), (-3.0, 0.0, 3.0, 6.0, np.nan), (LINF, RANGE)),
    (Correlation(((0.0, 1.0), (0.0, 1.0))), ((0.5, 0.5), (1.0, 1.0), (1.0, 0.0), (np.nan, 1.0)), ONE_NUMBER),
    (MeanDirection((UNIT, UNIT)), tuple(product((0.0, 1.0), repeat=3)), NORMS),
    (ThresholdScores((UNIT,), (1.0,)), ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0), (0.5, np.nan)), (LINF, RANGE)),
    *((CovarianceMatrix((SCALED,) * d), tuple(product((-1.0, -1 / (d + 1), 1.0), repeat=d)), NORMS) for d in (2, 3)),
    *((_means(d, shares), tuple(product(*[_worst_height(_means(d, shares))] * d, (-1.0, 1.0))), NORMS) for d, shares in SHARES),
    *((_asked(inner, groups), FIELDS, ONE_NUMBER) for inner in INNER for groups in ((), ("a",), ("a", "b", "none"))),
]
LARGE = {Variance: (2, 3, 6), Quantile: (1, 2, 6), Correlation: (3,), type(_known(Variance((0, 1)))): (2, 3)}
IDS = [repr(target)[:90] for target, _, _ in CASES]


def _database(records: Any) -> Database:
    return np.array(list(records), dtype=DTYPE if isinstance(records[0], tuple) and isinstance(records[0][1], str) else None)


def _sizes(records: tuple[Any, ...]) -> tuple[int, ...]:
    return (1,) if len(records) > 12 else (1, 2) if len(records) > 6 else (1, 2, 3)


def _distances(target: Any, pairs: list[tuple[Database, Database]]) -> FloatArray:
    return np.array([target(one) - target(other) for one, other in pairs])


@pytest.mark.parametrize(("target", "records", "norms"), CASES, ids=IDS)
def test_replaced_record_attains_proof(target: Any, records: tuple[Any, ...], norms: tuple[Norm, ...]) -> None:
    for n in LARGE.get(type(target), _sizes(records)):
        tables = [_database(chosen) for chosen in product(records, repeat=n + 1)]
        moved = _distances(target, [(table[:n], np.delete(table, n - 1, axis=0)) for table in tables])
        for norm in NORMS:
            proof, worst = target.global_sensitivity(norm, n), float(norm(moved).max())
            if proof is None:
                assert norm not in norms
                continue
            assert (proof.target, proof.norm, proof.n, proof.adjacency) == (target, norm, n, REPLACE)
            assert worst <= proof.value
            if norm in norms and not (isinstance(target, QuantileScores) and n < 3):
                assert worst == pytest.approx(proof.value, rel=1e-6), "a proof that nothing attains could be smaller"


@pytest.mark.parametrize(("target", "records", "norms"), CASES, ids=IDS)
def test_removed_record_attains_proof(target: Any, records: tuple[Any, ...], norms: tuple[Norm, ...]) -> None:
    """The smallest value above the largest distance, for a stated number of records that is not the true one."""
    tables = [_database(chosen) for n in _sizes(records) for chosen in product(records, repeat=n)]
    moved = _distances(target, [(table, table[1:]) for table in tables]) if target.regardless_of_n else None
    for norm in NORMS:
        proof = target.global_sensitivity(norm, 1_000, REMOVE)
        if proof is None:
            assert moved is None or norm not in norms
            continue
        assert moved is not None, "the answer depends on the number of records"
        assert (proof.target, proof.n, proof.adjacency) == (target, 1_000, REMOVE)
        worst = float(norm(moved).max())
        assert worst <= proof.value
        if norm in norms:
            assert worst == pytest.approx(proof.value, rel=1e-6), "a proof that nothing attains could be smaller"


@pytest.mark.parametrize("norm", [L1, L2])
def test_nearly_all_scores_of_a_quantile_can_move(norm: Norm) -> None:
    target = QuantileScores(0.5, (0.0, 1.0), points=101)
    value, moved = _value(target, norm, 3), target(np.zeros(3)) - target(np.array([0.0, 0.0, 1.0]))
    assert value is not None
    assert 0.98 * value < float(norm(moved)) <= value


def _worst(target: Target, extended: FloatArray, norm: Norm) -> float:
    """The largest distance between the answers without the last record and without the last but one."""
    return float(np.max(norm(_moved(target, extended))))


def _moved(target: Target, extended: FloatArray) -> FloatArray:
    """By how much each database's answer moves, (databases, d)."""
    n = extended.shape[1] - 1
    return _distances(target, [(database[:n], np.delete(database, n - 1, axis=0)) for database in extended])


def _value(target: Target, norm: Norm, n: int) -> float | None:
    proof = worst_case_of(target, norm, n)
    return None if proof is None else proof.value


@pytest.mark.parametrize(
    "target",
    [Mean(), Variance(), Quantile(0.5), LetterCounts(), OnLattice(PriestleyChao(), 3)],
    ids=repr,
)
def test_nothing_is_proved_without_bounds(target: Target) -> None:
    assert all(_value(target, norm, 5) is None for norm in NORMS)


def _density_records(bandwidth: float, bounds: tuple[float, float], points: FloatArray) -> FloatArray:
    """Records where the kernels on the lattice are largest: its points, beside them, between them, the bounds, beyond."""
    steps = np.array([0, 1e-3, 1]) * bandwidth
    beside = np.concatenate([points[:, None] + steps, points[:, None] - steps]).ravel()
    halves = (points[1:] + points[:-1]) / 2
    return np.unique(np.concatenate([beside, halves, [bounds[0], bounds[1], bounds[1] + 1e9]]))


@pytest.mark.parametrize("n", [1, 5])
@pytest.mark.parametrize("degree", [1, 9])
@pytest.mark.parametrize("bounds", BOUNDS, ids=repr)
def test_a_kernel_density_on_a_lattice(bounds: tuple[float, float], degree: int, n: int) -> None:
    rng = np.random.default_rng(degree)
    for width in WIDTHS:
        bandwidth = width * (bounds[1] - bounds[0])
        target = OnLattice(KernelDensity(bandwidth, bounds), degree)
        records = _density_records(bandwidth, bounds, target.points[:, 0])
        parts = np.array([target(np.array([record])) for record in records])  # one record: n times its share
        common = rng.choice(records, size=n - 1)
        for norm in (L1, LINF):
            value = _value(target, norm, n)
            assert value is not None
            distances = norm(parts[:, None] - parts[None]) / n
            worst = np.unravel_index(int(distances.argmax()), distances.shape)
            extended = np.array([[*common, records[worst[0]], records[worst[1]]]])
            found = _worst(target, extended, norm)
            assert found <= value
            assert distances.max() <= value * (1 + 1e-14)
            assert found == pytest.approx(distances.max(), rel=1e-6)
            if width <= 0.07:
                assert found >= 0.99 * value * (0.8 if degree == 1 and norm is L1 else 1)


def test_a_density_on_a_lattice_whose_points_coincide_in_floating_point() -> None:
    """Around 1e15 floats are an eighth apart: three of 25 lattice points fall on one number, and a record moves all three."""
    bounds = (1e15, 1e15 + 1)
    target = OnLattice(KernelDensity(0.001, bounds), 25)
    value = _value(target, L1, 1)
    extended = np.array([[bounds[0], bounds[0] + 0.5]])
    assert value is None or _worst(target, extended, L1) <= value


def _regression_search(target: OnLattice, y_bounds: tuple[float, float], bandwidth: float, n: int) -> dict[Norm, float]:
    """Adversarial pairs: x at lattice points, at both bounds, beside each other and in ties; y at its bounds and at 0."""
    ((low, high),) = target.domain
    rng = np.random.default_rng(n)
    points = target.points[:, 0]
    places = np.unique(
        np.concatenate([points, (points[1:] + points[:-1]) / 2, [low, high], np.clip(points + bandwidth, low, high)])
    )
    blocks = [np.stack([rng.choice(places, (150, n + 1)), rng.choice([*y_bounds, 0.0], (150, n + 1))], axis=-1)]
    ends = rng.choice([low, low, high, (low + high) / 2], (150, n + 1))
    blocks.append(np.stack([ends, rng.choice(np.array(y_bounds), (150, n + 1))], axis=-1))
    wild = rng.normal(0, 1e3, (20, n + 1, 2))
    wild[0, 0], wild[1, -1] = np.nan, np.inf
    extended = np.concatenate([*blocks, wild])
    first, second = target.pair(extended)
    wildest, found = _moved(target, extended[-20:]), {}
    for norm in (L1, LINF):
        distances = norm(first - second)
        plain = _worst(target, extended[[int(distances.argmax())]], norm)
        assert plain == pytest.approx(distances.max(), rel=1e-9)
        found[norm] = max(plain, float(np.max(norm(wildest))))
    return found


@pytest.mark.parametrize("n", [1, 5])
@pytest.mark.parametrize("degree", [1, 25])
@pytest.mark.parametrize("x_bounds", BOUNDS, ids=repr)
def test_a_regression_on_a_lattice(x_bounds: tuple[float, float], degree: int, n: int) -> None:
    for width in (1e-9, 0.02, 0.1, 3.0):
        for y_bounds in ((-3.0, 3.0), (-1e-3, 7.0)):
            bandwidth = width * (x_bounds[1] - x_bounds[0])
            target = OnLattice(PriestleyChao(bandwidth, x_bounds, y_bounds), degree)
            for norm, found in _regression_search(target, y_bounds, bandwidth, n).items():
                value = _value(target, norm, n)
                assert value is not None
                assert found <= value
                if n > 1 and width < 0.2:
                    assert found > 0.2 * value


def test_a_regressions_bound_is_reached_where_a_record_takes_the_whole_gap() -> None:
    """x = 0, then one at 1 whose y is 3 or −3: the whole gap changes its sign. (In L1 a kernel at the bound sees the lattice on
    one side alone.)"""
    for norm, share in ((L1, 0.85), (LINF, 0.999)):
        target = OnLattice(PriestleyChao(0.02, (0.0, 1.0), (-3.0, 3.0)), 25)
        value = _value(target, norm, 2)
        extended = np.array([[[0.0, 0.0], [1.0, 3.0], [1.0, -3.0]]])
        assert value is not None
        assert share * value <= _worst(target, extended, norm) <= value
