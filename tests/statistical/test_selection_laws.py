"""The candidates that a release picks follow the stated probabilities. The entropy is the system's, so the sizes are tiny."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore import RANGE, Adjacency, ExponentialMechanism, GlobalSensitivity, PureDP
from dpcore.base.arrays import Database, FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.mechanisms.noise import Selection

pytestmark = pytest.mark.statistical
SIZE = 1e-9
RELEASES = 4_000
SCORES = np.array([4.0, 3.0, 3.0, 1.5, 0.0])
CANDIDATES = ("a", "b", "c", "d", "e")
BOTH: list[Selection] = ["gumbel", "permute-and-flip"]


def scores_of(database: Database, /) -> FloatArray:
    return database


def _calibrated(selection: Selection, norm: Any = RANGE) -> Calibrated[PureDP]:
    known = GlobalSensitivity(
        scores_of, 3.0 if norm == RANGE else 1.5, norm, Adjacency.REPLACE_ONE_RECORD, "By definition.", None
    )
    made: Calibrated[PureDP] = ExponentialMechanism(CANDIDATES, norm=norm, selection=selection).calibrate(known, PureDP(2.0))
    return made


def _pvalue(counts: FloatArray, law: FloatArray) -> float:
    return float(stats.chisquare(counts, counts.sum() * law).pvalue)


def _wrong(law: FloatArray) -> dict[str, FloatArray]:
    """The likeliest candidate 25 % less likely, or 25 % more, what is gained or lost spread over the others alike."""
    found = {}
    for name, factor in (("less", 0.75), ("more", 1.25)):
        other = law * (1 - factor * law[0]) / (1 - law[0])
        other[0] = factor * law[0]
        found[name] = other
    return found


@pytest.mark.parametrize("selection", BOTH)
def test_released_candidates_have_the_stated_probabilities(selection: Selection) -> None:
    """χ² on 4,000 releases over 5 candidates at scale 1.5, size 1e-9: it rejects above 47.9.

    With the likeliest candidate (0.44 or 0.52) 25 % off the noncentrality is at least 190: that is seen with probability above
    1 − 1e-6. The other selection's law is 0.014 away in relative entropy, so it is the likelier one with chance 1e-7.
    """
    made: Any = _calibrated(selection)
    released = [made.release(SCORES).response for _ in range(RELEASES)]
    counts = np.array([float(released.count(candidate)) for candidate in CANDIDATES])
    law = made.law.probabilities(SCORES)
    assert law[0] > 0.43
    assert _pvalue(counts, law) > SIZE
    for wrong in _wrong(law).values():
        assert _pvalue(counts, wrong) < SIZE
    other = SelectionLaw(1.5, CANDIDATES, BOTH[1 - BOTH.index(selection)])
    assert counts @ np.log(law / other.probabilities(SCORES)) > 0
    theirs = SCORES / SCORES.sum()  # diffpriv's, without exp(): a zero score is never released
    assert counts[-1] > 0
    assert np.abs(counts / counts.sum() - theirs).max() > 0.05


@pytest.mark.parametrize("selection", BOTH)
def test_simulated_candidates_have_the_law_of_released_ones(selection: Selection) -> None:
    """χ² on 200,000 simulated indices, seeded: size 1e-6; probabilities 25 % and a scale 10 % off are refused."""
    made: Any = _calibrated(selection)
    indices = made.simulate(SCORES, size=200_000, rng=np.random.default_rng(17)).astype(int)
    counts = np.bincount(indices, minlength=5).astype(float)
    law = made.law.probabilities(SCORES)
    assert _pvalue(counts, law) > 1e-6
    for wrong in (
        *_wrong(law).values(),
        *(SelectionLaw(1.5 * f, CANDIDATES, selection).probabilities(SCORES) for f in (0.9, 1.1)),
    ):
        assert _pvalue(counts, wrong) < 1e-6
