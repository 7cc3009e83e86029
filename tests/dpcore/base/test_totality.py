"""A target with a proved sensitivity never fails, whatever its table holds, and its answers keep to the proof there.

Whether a release fails depends on the table, so a failure is a leak that pure and approximate DP do not cover. Where
n·max|bound|, a square, a width over a bandwidth or a count can leave the floats, or come so near 0 that rounding is no
longer relative, there is no proof: ``global_sensitivity`` is None, and it never raises.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcore import L1, L2, LINF, RANGE
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.columns import Column
from dpcore.base.norms import Norm
from dpcore.curves import KernelDensity, PriestleyChao
from dpcore.curves.kernels import kernel
from dpcore.targets import Histogram, LetterCounts, LinearSVM, Mean, OnLattice, Proportion, Quantile, Variance
from dpcore.targets.proved import box_norm, proved

NORMS: list[Norm] = [L1, L2, LINF, RANGE]
LARGEST = float(np.finfo(float).max)
LEAST = 5e-324
SIZES = [1, 2, 3, 5, 1_000, 10**9, 2**53, 2**53 + 1, 10**16, 10**30, 10**400]
POWERS = (
    0.0,
    LEAST,
    1e-320,
    2.3e-308,
    1e-300,
    1e-290,
    1e-200,
    1e-160,
    1e-145,
    1e-9,
    0.5,
    1.0,
    3.0,
    1e9,
    2.0**53,
    1e16,
    1e140,
    1e145,
    1e150,
    1.3e154,
    1e200,
    1e285,
    1e290,
    1e300,
    1e307,
    8e307,
    1e308,
    LARGEST,
)
FEW = settings(max_examples=20, deadline=None, derandomize=True, database=None)
MANY = settings(max_examples=60, deadline=None, derandomize=True, database=None)

sizes = st.sampled_from([*POWERS, *(-size for size in POWERS)])
positives = st.sampled_from(POWERS[1:])


@st.composite
def intervals(draw: st.DrawFn) -> tuple[float, float]:
    """Bounds of any size, a few of them one float wide."""
    low = draw(sizes)
    high = math.nextafter(low, math.inf) if draw(st.booleans()) and draw(st.booleans()) else draw(sizes)
    assume(low < high and math.isfinite(high - low))
    return low, high


@st.composite
def rising(draw: st.DrawFn) -> tuple[float, ...]:
    return tuple(sorted(set(draw(st.lists(sizes, min_size=2, max_size=5)))))


@st.composite
def curves(draw: st.DrawFn) -> Any:
    """Bandwidths of any size, most of them some widths of the domain; two thirds of the responses are of usual size."""
    low, high = draw(intervals())
    widths = st.sampled_from([1e-9, 0.1, 3.0, 1e6]).map(lambda share: share * (high - low))
    bandwidth = draw(widths | widths | positives)
    assume(0 < bandwidth < math.inf)
    usual = st.sampled_from([(-3.0, 3.0), (0.0, 7.0)])
    return draw(
        st.sampled_from(
            [KernelDensity(bandwidth, (low, high)), PriestleyChao(bandwidth, (low, high), draw(usual | usual | intervals()))]
        )
    )


NUMBERS: dict[str, st.SearchStrategy[Any]] = {
    "mean": st.builds(Mean, intervals()),
    "means": st.builds(Mean, st.lists(intervals(), min_size=2, max_size=4).map(tuple)),
    "variance": st.builds(Variance, intervals(), st.sampled_from([0, 1])),
    "quantile": st.builds(Quantile, st.sampled_from([0.0, LEAST, 0.1, 0.5, 2 / 3, 1 - 2.0**-53, 1.0]), intervals()),
    "proportion": st.builds(Proportion, category=sizes) | st.builds(Proportion, interval=intervals()),
    "categories": st.builds(Histogram, categories=rising()),
    "bins": rising().filter(lambda edges: len(edges) > 1).map(lambda edges: Histogram(edges=edges)),
    "curve": st.builds(OnLattice, curves(), st.sampled_from([1, 4, 25])),
}
MACHINES = st.builds(
    LinearSVM,
    st.lists(intervals(), min_size=1, max_size=3).map(tuple),
    st.sampled_from([1e-9, 1e-3, 3.0, 1e6, 1e9]),
    st.sampled_from([1e-8, 1e-3, 1e300]),
)


def _columns(target: Any) -> list[tuple[float, float]]:
    """Where the records of each column are interesting."""
    if isinstance(target, OnLattice):
        curve: Any = target.curve
        return [curve.bounds] if isinstance(curve, KernelDensity) else [curve.x_bounds, curve.y_bounds]
    if isinstance(target, LinearSVM):
        return [*target.x_bounds, (0.0, 1.0)]
    if isinstance(target, Proportion):
        return [target.interval or (target.category, 1.0)]
    if isinstance(target, Histogram):
        known = target.edges or target.categories
        return [(known[0], known[-1])]
    return list(target.bounds) if isinstance(target.bounds[0], tuple) else [target.bounds]


def _strange(low: float, high: float) -> list[float]:
    beside = [low, high, math.nextafter(low, math.inf), math.nextafter(high, -math.inf), low / 2 + high / 2]
    return [*beside, math.nan, math.inf, -math.inf, LARGEST, -LARGEST, LEAST, -LEAST, -0.0, 0.5, 1.0]


def _tables(target: Any, n: int, draw: st.DataObject) -> FloatArray:
    """An extended table (n+1, columns): of strange values, or of bounds alone."""
    columns = []
    for low, high in _columns(target):
        some = draw.draw(st.sampled_from([_strange(low, high), [low, high], [high], [low, high, math.nan]]))
        columns.append(draw.draw(st.lists(st.sampled_from(some), min_size=n + 1, max_size=n + 1)))
    return np.array(columns).T


def _answer(target: Any, table: FloatArray) -> FloatArray:
    table = table[:, 0] if table.shape[1] == 1 else table
    table.flags.writeable = False
    with np.errstate(all="ignore"):  # as a release has it
        return np.asarray(target(table))


def _within(first: FloatArray, second: FloatArray, norm: Norm, value: float) -> bool:
    """‖f(D) − f(D')‖ <= value, in rationals."""
    steps = [Fraction(a) - Fraction(b) for a, b in zip(first.tolist(), second.tolist(), strict=True)]
    if norm == L2:
        return sum(step**2 for step in steps) <= Fraction(value) ** 2
    size = sum(map(abs, steps)) if norm == L1 else max(map(abs, steps)) if norm == LINF else max(steps) - min(steps)
    return size <= Fraction(value)


def _holds(target: Any, extended: FloatArray) -> None:
    n = len(extended) - 1
    known = {norm: target.global_sensitivity(norm, n) for norm in NORMS}
    if not any(known.values()):
        return
    first, second = _answer(target, extended[:n]), _answer(target, np.delete(extended, n - 1, axis=0))
    assert first.shape == second.shape == (first.size,)
    assert np.isfinite(first).all()
    assert np.isfinite(second).all()
    for norm, found in known.items():
        assert found is None or _within(first, second, norm, found.value), (norm, found.value, first, second)


@pytest.mark.parametrize("kind", [*NUMBERS, "classifier", "letters"])
@FEW
@given(st.data())
def test_global_sensitivity_never_raises(kind: str, data: st.DataObject) -> None:
    letters = st.builds(LetterCounts, longest=st.sampled_from([None, 1, 7, 10**6]))
    target = data.draw((NUMBERS | {"classifier": MACHINES, "letters": letters})[kind])
    for n, norm in product(SIZES, NORMS):
        found = target.global_sensitivity(norm, n)
        if found is not None:
            assert 1e-290 <= found.value <= 1.1e290
            assert n <= 2**53


@pytest.mark.parametrize("kind", [*NUMBERS, "classifier"])
@MANY
@given(st.integers(1, 6), st.data())
def test_proof_holds_on_any_table_of_numbers(kind: str, n: int, data: st.DataObject) -> None:
    target = data.draw((NUMBERS | {"classifier": MACHINES})[kind])
    _holds(target, _tables(target, n, data))


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(st.integers(1, 5), st.data())
def test_letters_of_any_code_are_no_failure(n: int, data: st.DataObject) -> None:
    """Numbers that are no code points too: an array of text can hold them."""
    codes = data.draw(
        st.lists(st.sampled_from([0, 97, 98, 65, 0xD800, 0x10FFFF, 0x110000, 2**32 - 1]), min_size=3 * n + 3, max_size=3 * n + 3)
    )
    extended: Database = np.array(codes, dtype=np.uint32).view("U3")
    for target in (LetterCounts("ab", longest=2), LetterCounts("ab", longest=9, ignore_case=False)):
        first, second = target(extended[:n]), target(np.delete(extended, n - 1))
        assert np.isfinite(first).all()
        for norm in NORMS:
            found = target.global_sensitivity(norm, n)
            assert found is not None
            assert _within(first, second, norm, found.value)


@pytest.mark.parametrize(
    "target",
    [
        Mean(bounds=(0, 1e308)),
        Mean(bounds=(0, LARGEST)),
        Mean(bounds=((0, 1), (0, 1e308))),
        Variance(bounds=(0, 1e200)),
        Variance(bounds=(0, 1e308)),
        Variance(bounds=(0, 1e-170)),
        Quantile(0.3, bounds=(0, LARGEST)),
        Mean(bounds=(0, LEAST)),
        OnLattice(PriestleyChao(1e-310, (0.0, 1e-300), (-1e-10, 1e-10)), 4),
        OnLattice(KernelDensity(LEAST), 4),
        OnLattice(PriestleyChao(1e-10, (0.0, 1e-300), (-1e-20, 1e-20)), 4),
        OnLattice(PriestleyChao(1e-285, (0.0, 1e-305), (-1e-10, 1e-10)), 4),
        OnLattice(PriestleyChao(1e300, (0.0, 1e280), (-1.0, 1.0)), 4),
    ],
    ids=repr,
)
def test_what_can_leave_the_floats_has_no_proof(target: Any) -> None:
    for norm in NORMS:
        assert all(target.global_sensitivity(norm, n) is None for n in SIZES)


@pytest.mark.parametrize(
    ("target", "least", "most", "more"),
    [
        (Mean(bounds=(0, 1e281)), 1, 10**8, 10**10),
        (Variance(bounds=(0, 1e141)), 2, 10**7, 10**9),
        (Quantile(0.5, (0, 1e281)), 1, 2**53, 2**53 + 1),
        (Proportion(category=1.0), 1, 2**53, 2**53 + 1),
        (Histogram(edges=(0.0, 1e308)), 1, 2**53, 2**53 + 1),
        (LetterCounts(longest=8), 1, 2**50, 2**50 + 1),
        (LinearSVM(((0, 1e308),)), 1, 2**53, 2**53 + 1),
        (OnLattice(KernelDensity(1e-281), 1), 1, 10**8, 10**10),
        (OnLattice(PriestleyChao(0.1, (0, 1), (0, 1e281)), 1), 1, 10**8, 10**10),
    ],
    ids=repr,
)
def test_proof_ends_at_largest_safe_n(target: Any, least: int, most: int, more: int) -> None:
    """n·max|x| up to 1e290, counts up to 2⁵³."""
    assert target.global_sensitivity(LINF, least) is not None
    assert target.global_sensitivity(LINF, most) is not None
    assert target.global_sensitivity(LINF, more) is None


@pytest.mark.parametrize(
    ("value", "largest"),
    [*((value, [1.0]) for value in (0.0, 1e-291, 1e291, math.inf, math.nan, -1.0)), (1.0, [1e291]), (1.0, [1.0, math.nan])],
)
def test_value_near_ends_of_floats_is_unproved(value: float, largest: list[float]) -> None:
    assert proved(Mean(), value, largest, L1, 3, "Nothing moves.") is None


@pytest.mark.parametrize(("norm", "expected"), [(L1, 7e200), (L2, 5e200), (LINF, 4e200), (RANGE, 7e200)])
def test_the_norm_of_a_box_neither_overflows_nor_underflows(norm: Norm, expected: float) -> None:
    steps = np.array([3e200, 4e200])
    assert expected <= box_norm(steps, norm) <= expected * (1 + 2.0**-50)
    assert box_norm(steps / 1e200 / 1e200, norm) == pytest.approx(expected / 1e200 / 1e200)
    assert box_norm(np.array([2.0]), RANGE) == 0


@MANY
@given(intervals(), st.sampled_from([0.0, LEAST, 0.3, 0.5, 1 - 2.0**-53, 1.0]))
def test_quantile_and_missing_value_stay_within_bounds(bounds: tuple[float, float], q: float) -> None:
    """The middle of the bounds exactly; a quantile up to its own rounding, 3 ulp of the larger bound."""
    low, high = bounds
    middle = _answer(Quantile(q, bounds), np.array([[math.nan]]))[0]
    assert low <= middle <= high
    room = 3 * float(np.spacing(max(abs(low), abs(high)))) if max(abs(low), abs(high)) < 1e300 else math.inf
    answer = _answer(Quantile(q, bounds), np.array([[low], [high], [math.nan], [high]]))[0]
    assert Fraction(low) - Fraction(min(room, LARGEST)) <= Fraction(answer) <= Fraction(high) + Fraction(min(room, LARGEST))


@pytest.mark.parametrize("bounds", [(0.0, LEAST), (1.0, 1 + 2.0**-52), (1e308, LARGEST), (-8e307, 8e307), (0.0, 1.0)], ids=repr)
def test_proposals_exist_at_ends_of_floats(bounds: tuple[float, float]) -> None:
    column = Column("a", bounds=bounds)
    made: list[Any] = [kind.suited((column,)) for kind in (Mean, Variance, Quantile, Proportion, Histogram)]
    made += [OnLattice(KernelDensity.suited((column,)), 3), LinearSVM.suited((column, column))]
    made.append(OnLattice(PriestleyChao.suited((column, column)), 3))
    for target in made:
        assert all(target.global_sensitivity(norm, 5) is None or target.global_sensitivity(norm, 5).value > 0 for norm in NORMS)


def test_a_solver_that_finds_nothing_finite_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    from sklearn.svm import SVC

    def refuses(self: Any, *args: Any) -> None:
        raise ValueError("The dual coefficients or intercepts are not finite.")

    monkeypatch.setattr(SVC, "fit", refuses)
    assert LinearSVM(((0.0, 1.0),))(np.array([[0.1, 0.0], [0.9, 1.0], [0.5, 1.0]])).tolist() == [0.0, 0.0]


def test_a_mean_is_of_the_exactly_rounded_sum() -> None:
    """Of n numbers of all sizes that cancel: one rounding of the sum, one of the quotient."""
    target, rng = Mean(bounds=(-1e16, 1e16)), np.random.default_rng(8)
    assert target(np.array([1e16, 1.0, -1e16])).tolist() == [1 / 3]
    for n in (2, 3, 10, 1_000):
        table = rng.choice([-1.0, 1.0], n) * 10 ** rng.uniform(-16, 16, n)
        table[n // 2 :] = -table[: n - n // 2] * rng.choice([1.0, 1 + 2.0**-52], n - n // 2)
        assert target(table).tolist() == [float(sum(map(Fraction, table.tolist()))) / n]


def _exact(target: Any, table: FloatArray) -> Fraction:
    """The answer in rationals, of records inside the bounds: in whole multiples of the smallest power of two among them."""
    ratios = [record.as_integer_ratio() for record in np.sort(table).tolist()]
    unit, n = max(below for _, below in ratios), len(table)
    records = [above * (unit // below) for above, below in ratios]
    if isinstance(target, Mean):
        return Fraction(sum(records), n * unit)
    if isinstance(target, Variance):
        squares = n * sum(record * record for record in records) - sum(records) ** 2
        return Fraction(squares, n * (n - target.ddof) * unit**2)
    place = (n - 1) * target.q
    j = min(math.floor(place), n - 2)
    return (records[j] + Fraction(place - j) * (records[j + 1] - records[j])) / unit


def _exact_sensitivity(target: Any, n: int) -> Fraction:
    width = Fraction(target.bounds[1]) - Fraction(target.bounds[0])
    if isinstance(target, Mean):
        return width / n
    if isinstance(target, Variance):
        return width**2 * (n - 1) / n / (n - target.ddof)
    place = Fraction((n - 1) * target.q)
    g = place - min(math.floor(place), n - 2)
    return max(g, 1 - g) * width


@pytest.mark.parametrize(
    "bounds",
    [
        (0.0, 1.0),
        (0.1, 0.7),
        (1e8, 1e8 + 1),
        (-3.0, 5.0),
        (1.0, 1 + 2.0**-50),
        (2.0**53 - 3, 2.0**53 + 6),
        (0.0, 1e-140),
        (-1e139, 1e138),
        (1e16, 1e16 + 4),
    ],
    ids=repr,
)
@pytest.mark.parametrize("target", [Mean(), Variance(), Variance(ddof=1), Quantile(0.3), Quantile(0.5)], ids=repr)
def test_worst_case_exceeds_twice_the_rounding_error(target: Any, bounds: tuple[float, float]) -> None:
    """In rationals, n from 2 to 10,000: the proof for floats is the one for real numbers and two answers' errors."""
    target, rng = replace(target, bounds=bounds), np.random.default_rng(13)
    for n in (2, 3, 64, 10_000):
        found = target.global_sensitivity(L1, n)
        assert found is not None
        room = (Fraction(found.value) - _exact_sensitivity(target, n)) / 2
        assert room > 0
        for kind in range(2 if n > 1_000 else 20):
            part = rng.random(n) if kind % 2 else rng.choice([0.0, 0.1, rng.random()], n)
            table = np.clip(bounds[0] + (bounds[1] - bounds[0]) * part, *bounds)
            assert abs(Fraction(float(target(table)[0])) - _exact(target, table)) <= room


def test_the_sums_of_curves_are_exactly_rounded() -> None:
    """Of 5,000 records, those of one x among them: one rounding of each sum, whatever the records' order."""
    rng, points = np.random.default_rng(3), np.array([[0.0], [0.3], [1.0]])
    density, x = KernelDensity(0.2), rng.random(5_000)
    for point, value in zip(points[:, 0], density.values(x, points), strict=True):
        assert value == float(sum(map(Fraction, kernel(point - x, 0.2).tolist()))) / 5_000
    records = np.column_stack([rng.integers(40, size=5_000) / 39, 10 ** rng.uniform(-9, 0, 5_000) * rng.choice([-1, 1], 5_000)])
    places = np.unique(records[:, 0])
    groups = [records[records[:, 0] == place, 1] for place in places]
    means = np.array([float(sum(map(Fraction, group.tolist()))) / len(group) for group in groups])
    weights = np.diff(places) * means[1:]
    for point, value in zip(points[:, 0], PriestleyChao(0.2, (0.0, 1.0), (-1.0, 1.0)).values(records, points), strict=True):
        assert value == float(sum(map(Fraction, (weights * kernel(point - places[1:], 0.2)).tolist())))
