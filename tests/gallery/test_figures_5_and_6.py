"""Figures 5 and 6: a linear SVM's sampled sensitivity is two orders below its worst case, and what that does to its errors."""

from __future__ import annotations

import numpy as np
import pytest

from data.exhibits import worst_cases
from data.exhibits.exhibit import stored
from data.exhibits.worst_cases import paper_bound, svm, svm_distances
from dpcore import oracles

pytestmark = pytest.mark.statistical


def test_stored_sensitivities_are_far_below_the_bound() -> None:
    chart = stored("figure_5").chart(worst_cases.BY_DIMS)
    worst = chart.called("Proposition 19 (paper)")
    assert worst.x.tolist() == [8, 16, 32, 64]
    assert worst.y == pytest.approx([2 + 6 * d**0.5 + 12 * d / 1_000 for d in (8, 16, 32, 64)], rel=1e-5)
    for name in ("sampled, DKW", "sampled, RANK"):
        assert (worst.y / chart.called(name).y).min() > 100, name


def test_fresh_pairs_are_far_below_the_bound() -> None:
    """39 pairs with 16 features; of the stored 1,500 none moves it by a hundredth of the bound."""
    drawn = svm_distances(16, 39, seed=51)
    assert drawn[-2] < paper_bound(16) / 100


def test_unclipped_answer_equals_that_of_records_inside() -> None:
    """On records inside [0, 1] both are the same minimiser."""
    records = oracles.TwoClasses(3, sd=0.05).draw(1, 60, rng=np.random.default_rng(5))[0]
    assert records[:, :-1].min() > 0
    assert records[:, :-1].max() < 1
    assert worst_cases.unclipped(3)(records) == pytest.approx(svm(3)(records), abs=1e-5)


def test_stored_errors_at_epsilon_2() -> None:
    chart = stored("figure_6").charts[0]
    at = np.flatnonzero(worst_cases.EPSILONS == 2.0)[0]
    ways = (worst_cases.NONE, worst_cases.RANK, worst_cases.MORE, worst_cases.DKW, worst_cases.PAPER)
    none, rank, more, dkw, worst = (chart.called(name).y[at] for name in ways)
    assert rank - none < 0.01
    assert more - none < 0.01
    assert 0.03 < dkw - none < 0.06  # the paper's own point is not there yet
    assert worst > 0.4


def test_fresh_errors_match_the_stored_ones() -> None:
    """At ε = 0.5 under DKW, 60 tables, 300 draws of noise: a standard error of 0.003; a tenth of noise moves it by 0.015."""
    drawn = next(row for row in stored("figure_6").tables[0].rows if row[0] == worst_cases.DKW)
    chart = stored("figure_6").charts[0]
    expected = chart.called(worst_cases.DKW).y[np.flatnonzero(worst_cases.EPSILONS == 0.5)[0]]
    rng, sensitivities = np.random.default_rng(66), float(drawn[1]) * np.array([1.0, 1.1])
    found = np.mean([worst_cases.errors(sensitivities, np.array([0.5]), noises=300, rng=rng)[:, 0] for _ in range(60)], axis=0)
    assert abs(found[0] - expected) < 0.009
    assert abs(found[1] - expected) > 0.009


@pytest.mark.parametrize(("positives", "jumps"), [(500, True), (520, False)])
def test_classifier_jumps_where_a_label_ends_a_tie(positives: int, jumps: bool) -> None:
    """Why DKW lands so high: it takes 1,496 of 1,500 draws, and C(1000, 500)/2¹⁰⁰⁰ = 2.5 % of pairs are of this kind."""
    rng, oracle, target = np.random.default_rng(68), oracles.TwoClasses(2), svm(2)
    many = oracle.draw(1, 4_000, rng=rng)[0]
    one, other = (many[many[:, -1] == label] for label in (1, 0))
    first = np.concatenate([one[:positives], other[: 1_000 - positives]])
    second = np.concatenate([one[: positives - 1], other[: 1_001 - positives]])
    moved = np.abs(target(first) - target(second)).sum()
    assert bool(moved > 0.1) is jumps
    assert jumps or moved < 0.05
