"""What is drawn directly has the law of plain draws: of G and of the pair of answers, with ties, at the ends, for every n."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore.base.arrays import FloatArray
from dpcore.oracles import Bernoulli, Categorical, Exponential, IndependentColumns, Normal, Resample, Uniform
from dpcore.sampling.blocks import Subject, generator
from dpcore.sampling.methods import LIGHT_BLOCK, OrderStatisticMethod
from dpcore.targets import Quantile

pytestmark = pytest.mark.statistical
SIZE = 1e-6
PAIRS = 40_000
SEED = 14
DISCRETE: list[Any] = [Bernoulli(0.4), Categorical((0.2, 0.0, 0.5, 0.3)), Resample(np.array([1.0, 1.0, 2.0, 5.0, 9.0]))]
WRONG: dict[Any, Any] = {
    DISCRETE[0]: Bernoulli(0.44),
    DISCRETE[1]: Categorical((0.18, 0.0, 0.49, 0.33)),
    DISCRETE[2]: Resample(np.repeat([1.0, 2.0, 5.0, 9.0], [18, 10, 11, 11])),
}


def _signed(difference: FloatArray) -> FloatArray:
    """In a norm's place: the way then tells f(D) − f(D') itself, and |f(D)| beside it."""
    return difference[..., 0]


def direct(target: Any, oracle: Any, n: int, pairs: int = PAIRS, seed: int = SEED) -> FloatArray:
    """(pairs, 2): f(D) and f(D'), of answers that are not negative."""
    subject = Subject(target, oracle, _signed, n, seed)  # a norm to no type checker
    sizes = [min(LIGHT_BLOCK, pairs - start) for start in range(0, pairs, LIGHT_BLOCK)]
    blocks = [OrderStatisticMethod().measure(subject, block, LIGHT_BLOCK, 0, size) for block, size in enumerate(sizes)]
    first = np.concatenate([block.sizes for block in blocks])
    return np.stack([first, first - np.concatenate([block.distances for block in blocks])], axis=1)


def plain(target: Any, oracle: Any, n: int, pairs: int = PAIRS) -> FloatArray:
    """The same from whole databases, of which ``pair`` gives the bits of the plain call (tests of the ways)."""
    parts = []
    for block in range(10):
        extended = oracle.draw(pairs // 10, n + 1, rng=generator(7 * SEED, block))
        parts.append(np.concatenate(target.pair(extended), axis=1))
    return np.concatenate(parts)


def least_p(a: FloatArray, b: FloatArray) -> float:
    """Of χ² that the answers differ equally often, and of Kolmogorov–Smirnov on G where they do, on each and on their sum."""
    apart = [np.abs(np.diff(answers, axis=1)[:, 0]) for answers in (a, b)]
    moved = np.array([[(g > 0).sum(), (g == 0).sum()] for g in apart])
    often = 1.0 if moved[:, 1].sum() == 0 else float(stats.chi2_contingency(moved).pvalue)
    looks = [[g[g > 0] for g in apart], (a[:, 0], b[:, 0]), (a[:, 1], b[:, 1]), (a.sum(axis=1), b.sum(axis=1))]
    return min(often, *(float(stats.ks_2samp(x, y, method="asymp").pvalue) for x, y in looks))


def _wider(answers: FloatArray, factor: float) -> FloatArray:
    middle = answers.mean(axis=1, keepdims=True)
    return np.asarray(np.where(np.ptp(answers, axis=1)[:, None] > 0, middle + factor * (answers - middle), answers))


@pytest.mark.parametrize(
    ("oracle", "q", "n"),
    [
        (Uniform(1, 3), 0.0, 5),
        (Exponential(2.0), 0.3, 1),
        (Normal(9, 1, (8.5, 11)), 0.3, 3),
        (IndependentColumns((Exponential(1.0),)), 0.25, 25),
        (Exponential(1.0), 0.3, 1_000),
    ],
    ids=repr,
)
def test_of_continuous_laws(oracle: Any, q: float, n: int) -> None:
    """40,000 pairs each: size 5·10⁻⁶ a case. Refused: G 10 % too large or too small, and answers 10 % too large."""
    ours, theirs = direct(Quantile(q), oracle, n), plain(Quantile(q), oracle, n)
    assert least_p(ours, theirs) > SIZE
    for wrong in (_wider(ours, 1.1), _wider(ours, 1 / 1.1), 1.1 * ours):
        assert least_p(wrong, theirs) < SIZE


def _classes(a: FloatArray, b: FloatArray) -> float:
    """The p-value of χ² that pairs of few values have one law in both samples; pairs seen less than 20 times together."""
    values, codes = np.unique(np.concatenate([a, b]).round(9), axis=0, return_inverse=True)
    table = np.array([np.bincount(part, minlength=len(values)) for part in np.split(codes.reshape(-1), [len(a)])])
    rare = table.sum(axis=0) < 20
    table = np.column_stack([table[:, ~rare], table[:, rare].sum(axis=1)])
    return float(stats.chi2_contingency(table[:, table.sum(axis=0) > 0]).pvalue)


@pytest.mark.parametrize("oracle", DISCRETE, ids=repr)
@pytest.mark.parametrize(("q", "n"), [(0.0, 3), (0.5, 8)])
def test_of_laws_with_atoms_and_ties(oracle: Any, q: float, n: int) -> None:
    """χ² of the pair of answers, 40,000 pairs each: size 10⁻⁶. Refused: a share of the law that is 10 % off."""
    theirs = plain(Quantile(q), oracle, n)
    assert _classes(direct(Quantile(q), oracle, n), theirs) > SIZE
    assert _classes(direct(Quantile(q), WRONG[oracle], n), theirs) < SIZE


@pytest.mark.parametrize(("n", "share"), [(1_001, 0.5), (10**9 + 1, 0.9)])
def test_of_many_records_in_closed_form(n: int, share: float) -> None:
    """Uniform records, no interpolation, 40,000 pairs: size 10⁻⁶; refused 10 % off.

    With j = (n−1)·q whole, f(D) ~ Beta(j+1, n−j). The answer moves where one of the two is at most the j-th, with chance
    2(j+1)(n−j)/((n+1)n), and then by a gap of n+1 uniforms, Beta(1, n+1).
    """
    j = round((n - 1) * share)
    answers = direct(Quantile(j / (n - 1)), Uniform(0, 1), n)
    apart = np.abs(answers[:, 0] - answers[:, 1])
    moved = apart[apart > 1e-3 / n]
    chance = 2 * (j + 1) * (n - j) / ((n + 1) * n)
    assert abs(len(moved) - PAIRS * chance) < 5 * math.sqrt(PAIRS * chance * (1 - chance))
    assert abs(len(moved) - 1.1 * PAIRS * chance) > 5 * math.sqrt(PAIRS * chance * (1 - chance))
    for value, law in ((answers[:, 0], stats.beta(j + 1, n - j)), (moved, stats.beta(1, n + 1))):
        assert stats.kstest(value, law.cdf).pvalue > SIZE
    assert stats.kstest(1.1 * moved, stats.beta(1, n + 1).cdf).pvalue < SIZE
    spread = (answers[:, 0] - share) * 1.1 + share
    assert stats.kstest(spread, stats.beta(j + 1, n - j).cdf).pvalue < SIZE


def test_the_two_left_out_are_two() -> None:
    """n = 3: were they drawn apart, one pair in four would leave out the same record, and the law of G is refused."""
    ours, theirs = direct(Quantile(0.5), Uniform(0, 1), 3), plain(Quantile(0.5), Uniform(0, 1), 3)
    same = np.random.default_rng(1).random(PAIRS) < 1 / 4
    ours[same, 1] = ours[same, 0]
    assert least_p(ours, theirs) < SIZE
