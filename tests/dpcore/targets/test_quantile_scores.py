"""A quantile by selection: its scores, its worst case, and what stands in for ten thousand candidates."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import ExponentialMechanism, LaplaceMechanism, registry, targets
from dpcore.base.fingerprint import to_json
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


def test_the_grid_is_public_even_and_ends_at_the_bounds() -> None:
    places = np.array(targets.QuantileScores(0.5, (-3.0, 7.0)).candidates)
    assert (len(places), places[0], places[-1]) == (10_001, -3.0, 7.0)
    assert np.diff(places) == pytest.approx(1e-3, rel=1e-9)
    assert targets.QuantileScores(0.5, (1.0, 1 + 2.0**-52)).candidates == (1.0, 1 + 2.0**-52)


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
