"""Draws depend on the seed and the way alone, and the first m' of m are those of a run with m'."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dpcore import L1, LINF, OperatingPoint, SensitivitySample, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1Norm
from dpcore.base.types import Oracle, Target
from dpcore.oracles import NormalMixture, Uniform
from dpcore.sampling import methods
from dpcore.targets import Mean, Quantile, Variance
from tests.dpcore.sampling.draws_only import DrawsOnly

SEED = 20_170


def first_less_twice_last(database: Database, /) -> FloatArray:
    return np.array([database[0] - 2 * database[-1]])


def _sample(target: Target, m: int, *, n: int = 10, seed: int = SEED) -> SensitivitySample[L1Norm]:
    oracle = DrawsOnly(Uniform(0, 1))  # or a quantile would be drawn directly
    return sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_both(m, 0.5), seed=seed)


def test_the_block_sizes_are_part_of_every_published_number() -> None:
    assert (methods.LIGHT_BLOCK, methods.PAIR_BLOCK_BYTES, methods.PLAIN_BLOCK) == (8_192, 524_288, 8)
    assert methods.AdditiveMethod().block_size(8, 10**9) == 8_192
    assert methods.PairMethod().block_size(8, 9) == 6_553
    assert methods.PairMethod().block_size(8, 65_535) == 1
    assert methods.PairMethod().block_size(8, 10**9) == 1
    assert methods.BatchMethod().block_size(8, 9) == 6_553
    assert methods.BatchMethod(1_000).block_size(8, 9) == 1_000  # of a target that says so
    assert methods.BatchMethod(1_000).block_size(8, 9_999) == 838
    assert methods.PLAIN_BLOCK_BYTES == 2**27
    assert [methods.PlainMethod().block_size(160, n) for n in (9, 100_000, 10**6 - 1, 10**9)] == [8, 8, 1, 1]


@pytest.mark.parametrize(
    ("target", "way", "first", "nineteenth"),
    [
        (Mean(), "additive", [0.003164356813476244, 0.010502746588209023, 0.03759283843745193], 0.07173409479564119),
        (Quantile(0.5), "pair", [0.0, 0.057145640821994914, 0.05395750484583228], 0.08398103840804794),
        (Variance(), "pair", [0.01671957856103788, 0.010828119302697628, 0.0191208413818576], 0.0056689247805964404),
        (first_less_twice_last, "plain", [0.0, 0.0, 1.0568228098528012], 0.0),
    ],
)
def test_the_first_draws_are_pinned(target: Target, way: str, first: list[float], nineteenth: float) -> None:
    sample = _sample(target, 19)
    assert sample.way == way
    assert sample.distances[:3] == pytest.approx(first, rel=1e-15, abs=0)
    assert sample.distances[18] == pytest.approx(nineteenth, rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("target", "m", "n", "draw"),
    [
        (Mean(), 8_193, 10, 0.01641904062041155),
        (Quantile(0.5), 9, 9_999, 0.00013528857127753646),  # six pairs a block
        (first_less_twice_last, 9, 10, 0.02426720552431827),
    ],
)
def test_a_draw_of_the_second_block_is_pinned(target: Target, m: int, n: int, draw: float) -> None:
    assert _sample(target, m, n=n).distances[-1] == pytest.approx(draw, rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("target", "n", "block"), [(Mean(), 10, 8_192), (Quantile(0.5), 9_999, 6), (first_less_twice_last, 10, 8)]
)
def test_the_first_draws_of_a_long_run_are_those_of_a_short_one(target: Target, n: int, block: int) -> None:
    long = _sample(target, 2 * block + 3, n=n)
    for m in (1, block - 1, block, block + 1, 2 * block, 2 * block + 1):
        short = _sample(target, m, n=n)
        assert len(short.distances) == m
        assert (short.distances == long.distances[:m]).all()
    assert (long.distances[:3] != long.distances[block : block + 3]).any()  # another block, other draws


@pytest.mark.parametrize("target", [Mean(), Variance(), first_less_twice_last])
@pytest.mark.parametrize("m", [1, 7, 8_191, 8_192, 8_200])
def test_a_last_block_that_is_cut_has_the_bits_of_one_that_is_drawn_whole(target: Target, m: int) -> None:
    m = min(m, 70) if target is first_less_twice_last else m
    at = OperatingPoint.for_both(m, 0.5)
    whole, cut = (
        sample_sensitivity(target, oracle, norm=L1, n=10, at=at, seed=SEED)
        for oracle in (DrawsOnly(Uniform(0, 1)), Uniform(0, 1))
    )
    assert (cut.distances == whole.distances).all()
    assert cut.resolution == whole.resolution


@pytest.mark.parametrize("target", [Mean(), Variance(), first_less_twice_last])
def test_an_oracle_of_several_draws_a_record_gives_the_same_first_pairs_however_many(target: Target) -> None:
    oracle = NormalMixture((0.4, 0.6), (0.5, 0.75), (0.1, 0.05))
    few, many = (
        sample_sensitivity(target, oracle, norm=L1, n=10, at=OperatingPoint.for_both(m, 0.5), seed=SEED) for m in (5, 300)
    )
    assert (few.distances == many.distances[:5]).all()


class Counting(Oracle):
    """Tells how many numbers were drawn of it."""

    draws_in_order = True

    def __init__(self) -> None:
        self.drawn = 0

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        self.drawn += databases * records
        return rng.random((databases, records))


@pytest.mark.parametrize(
    ("target", "m", "n", "most"), [(Mean(), 20_000, 10, 40_000), (Variance(), 7, 10, 77), (first_less_twice_last, 19, 10, 209)]
)
def test_no_more_of_the_last_block_is_drawn_than_is_wanted(target: Target, m: int, n: int, most: int) -> None:
    oracle = Counting()
    sample_sensitivity(target, oracle, norm=L1, n=n, at=OperatingPoint.for_both(m, 0.5), seed=SEED)
    assert most <= oracle.drawn <= most + 20 + 2 * 66  # a small pair, and two equal draws of at least 64 records


@pytest.mark.parametrize("target", [Mean(), Variance(), first_less_twice_last])
def test_the_same_seed_gives_the_same_draws_and_another_seed_others(target: Target) -> None:
    draws = _sample(target, 20).distances
    assert (_sample(target, 20).distances == draws).all()
    assert (_sample(target, 20, seed=SEED + 1).distances != draws).any()


def test_an_additive_target_of_a_milliard_records_costs_its_draws_only() -> None:
    sample = _sample(Mean(), 2_000, n=10**9)
    few = _sample(Mean(), 2_000, n=10)
    assert sample.distances == pytest.approx(few.distances / 1e8, rel=1e-6)
    assert sample.resolution == 0
    assert sample.sensitivity().value > 0


def first_record_mostly(database: Database, /) -> FloatArray:
    """Mathematics, section 1.8: its Δ̂ would be tiny if the last record were always the one replaced."""
    return np.array([database[0] + 1e-6 * database.mean()])


def test_an_order_dependent_target_gets_no_tiny_sensitivity() -> None:
    sample = _sample(first_record_mostly, 99, n=5)
    assert sample.distances.max() > 0.5
    assert 8 <= (sample.distances > 1e-3).sum() <= 34  # 99 pairs, one position in five


def test_the_replaced_position_is_uniform() -> None:
    """20,000 pairs of n = 5; size 1e-6. The same test refuses a first position that is a tenth too likely."""
    seen: list[FloatArray] = []

    def watching(database: Database) -> FloatArray:
        seen.append(database.copy())
        return database.copy()

    sample_sensitivity(watching, Uniform(0, 1), norm=LINF, n=5, at=OperatingPoint.for_both(20_000, 0.5), seed=SEED)
    seen = seen[2:]  # after the two calls that compare a function with itself
    assert len(seen) == 40_000
    changed = [np.flatnonzero(a != b) for a, b in zip(seen[::2], seen[1::2], strict=True)]
    assert {len(positions) for positions in changed} == {1}
    counts = np.bincount([positions[0] for positions in changed], minlength=5)
    assert stats.chisquare(counts).pvalue > 1e-6
    skewed = 4_000 * np.array([1.1, 0.975, 0.975, 0.975, 0.975])
    assert stats.chisquare(skewed).pvalue < 1e-6
