"""A quantile by selection: its scores, its worst case, and what stands in for ten thousand candidates."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, ExponentialMechanism, LaplaceMechanism, PureDP, registry, targets
from dpcore.base.columns import Column
from dpcore.base.fingerprint import to_json
from dpcore.base.norms import Norm
from dpcore.errors import InvalidValueError
from dpcore.registry import releasing

MEDIAN = targets.QuantileScores(0.5, (0.0, 1.0))


def test_a_score_counts_the_records_between_a_place_and_the_quantile() -> None:
    target = targets.QuantileScores(0.25, (0.0, 4.0), points=5)
    records = np.array([0.5, 1.0, 1.0, 2.5, 7.0, -3.0, np.nan, 3.0, 2.0, np.nan])  # as 0.5, 1, 1, 2.5, 4, 0, 3, 2
    below = [sum(value <= place for value in (0.5, 1, 1, 2.5, 4, 0, 3, 2)) for place in target.candidates]
    assert target(records).tolist() == [-abs(count - 2.0) for count in below]
    assert target(np.array([np.nan])).tolist() == [0.0] * 5


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_the_best_place_is_the_quantile(q: float) -> None:
    records = np.random.default_rng(3).random(9_999)
    target = targets.QuantileScores(q, (0.0, 1.0))
    best = np.array(target.candidates)[target(records) == target(records).max()]
    assert best.min() - 1e-4 <= np.quantile(records, q) <= best.max() + 1e-4
    assert best.max() - best.min() < 2e-3


@pytest.mark.parametrize("q", [0.05, 0.3, 0.5, 0.77, 0.95])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_worst_case_is_reached_and_never_exceeded_whatever_is_missing(n: int, q: float) -> None:
    """Every pair of neighbours over four places of the grid and nothing."""
    target = targets.QuantileScores(q, (0.0, 3.0), points=4)
    extended = np.array(list(product((0.0, 1.0, 2.0, 3.0, np.nan), repeat=n + 1)))
    moved = np.array([target(records[:n]) - target(np.delete(records, n - 1)) for records in extended])
    for norm, most in ((LINF, 1), (RANGE, 2)):
        worst, known = float(np.max(norm(moved))), target.global_sensitivity(norm, n)
        assert known is not None
        assert worst <= known.value <= most * (1 + 1e-14)
        if min(q * n, (1 - q) * n) >= 1:
            assert worst == pytest.approx(known.value, rel=1e-12)


@pytest.mark.parametrize("norm", [L1, L2])
def test_in_l1_and_l2_all_places_may_move(norm: Norm) -> None:
    target = targets.QuantileScores(0.5, (0.0, 1.0), points=101)
    known = target.global_sensitivity(norm, 3)
    moved = target(np.array([0.0, 0.0, 0.0])) - target(np.array([0.0, 0.0, 1.0]))
    assert known is not None
    assert 0.98 * known.value < float(norm(moved)) <= known.value


def test_the_grid_is_public_even_and_ends_at_the_bounds() -> None:
    places = np.array(targets.QuantileScores(0.5, (-3.0, 7.0)).candidates)
    assert (len(places), places[0], places[-1]) == (10_001, -3.0, 7.0)
    assert np.diff(places) == pytest.approx(1e-3, rel=1e-9)
    assert targets.QuantileScores(0.5, (1.0, 1 + 2.0**-52)).candidates == (1.0, 1 + 2.0**-52)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ((0.0, (0, 1)), "q"),
        ((1.0, (0, 1)), "q"),
        ((0.5, (1, 0)), "bounds"),
        ((0.5, (0, 1), 1), "points"),
        ((0.5, (0, 1), 100_002), "points"),
        ((0.5, None), "bounds"),
    ],
)
def test_what_it_cannot_be_is_refused_by_name(given: tuple[Any, ...], what: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        targets.QuantileScores(*given)
    assert caught.value.name == what


def test_it_suits_a_column_with_bounds_and_no_categories() -> None:
    assert targets.QuantileScores.suited((Column("a", bounds=(0.0, 9.0)),)) == targets.QuantileScores(0.5, (0.0, 9.0))
    assert targets.QuantileScores.suited((Column("a"),)) is None
    assert targets.QuantileScores.suited((Column("a", bounds=(0.0, 1.0), categories=(0.0, 1.0)),)) is None


def test_only_what_chooses_is_offered_for_it_and_lists_no_candidate() -> None:
    offered = releasing(registry.members("mechanisms").values(), MEDIAN)
    assert [kind.suited(MEDIAN) for kind in offered] == [ExponentialMechanism(None, selection="permute-and-flip")]
    assert to_json(ExponentialMechanism.suited(MEDIAN)) == {
        "kind": "ExponentialMechanism",
        "candidates": None,
        "norm": "RANGE",
        "selection": "permute-and-flip",
    }
    letters = targets.LetterCounts()
    listed = ExponentialMechanism(letters.candidates, selection="permute-and-flip")
    assert listed.fitted(MEDIAN) == ExponentialMechanism.suited(MEDIAN)
    assert ExponentialMechanism(None, selection="permute-and-flip").fitted(letters) == listed
    assert LaplaceMechanism.suited(letters) == LaplaceMechanism()


def test_candidates_that_nobody_names_are_refused() -> None:
    with pytest.raises(InvalidValueError, match="names none"):
        ExponentialMechanism(None).check(targets.Mean())
    ExponentialMechanism(None).check(MEDIAN)
    ExponentialMechanism(MEDIAN.candidates).check(MEDIAN)
    with pytest.raises(InvalidValueError, match="own"):
        ExponentialMechanism(MEDIAN.candidates[:-1]).check(MEDIAN)


def test_its_release_is_differential_privacy_itself_and_a_place_of_the_grid() -> None:
    proof = MEDIAN.global_sensitivity(RANGE, 2_000)
    assert proof is not None
    records = np.random.default_rng(1).normal(0.5, 0.15, 2_000)
    mechanism = ExponentialMechanism(None, selection="permute-and-flip")
    release = mechanism.calibrate(proof, PureDP(1.0)).release(records)
    assert release.guarantee == PureDP(1.0)
    assert release.response in MEDIAN.candidates
    assert abs(release.response - 0.5) < 0.05
    assert len(str(dict(release.provenance))) < 1_000  # no list of ten thousand


def test_the_law_of_places_that_are_listed_is_that_of_the_targets_own() -> None:
    small = targets.QuantileScores(0.5, (0.0, 1.0), points=11)
    proof = small.global_sensitivity(RANGE, 9)
    assert proof is not None
    scores = small(np.random.default_rng(2).random(9))
    own, listed = (ExponentialMechanism(known).calibrate(proof, PureDP(1.0)).law for known in (None, small.candidates))
    assert own == listed
    assert isinstance(scores, np.ndarray)
