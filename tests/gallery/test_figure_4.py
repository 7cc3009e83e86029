"""Figure 4: Δ̂ of a mean of Exponential(1) records comes to log(1/γ)/n."""

from __future__ import annotations

import numpy as np
import pytest

from data.exhibits import operating_points
from data.exhibits.exhibit import stored
from dpcore import Bound

pytestmark = pytest.mark.statistical
SURE = 5.0  # standard errors: the largest of some hundred means is beyond with a chance below 1e-4


def test_the_stored_sensitivities_come_to_the_exact_one() -> None:
    chart = stored("figure_4").charts[0]
    for m, rank, dkw in ((1_000, 0.03, 1.0), (10_000, 0.01, 0.22), (100_000, 0.003, 0.06)):
        for bound, most in ((Bound.RANK, rank), (Bound.DKW, dkw)):
            one = chart.called(operating_points.NAMES[bound], operating_points.facet(m))
            likely = one.x >= (0.05 if m > 1_000 else 0.07)
            excess = one.y[likely] / (np.log(1 / one.x[likely]) / 500) - 1
            assert excess.max() < most, (m, bound)
            assert excess.min() > (-most if bound is Bound.RANK else 0), (m, bound)


@pytest.mark.parametrize("bound", [Bound.DKW, Bound.RANK], ids=lambda one: one.name)
def test_fresh_means_over_repeats_match_their_expectation(bound: Bound) -> None:
    """20 repeats of 2,000 draws: an order statistic of exponential draws has the mean Σ 1/i, i from m − k + 1 to m."""
    drawn = operating_points.repeated(2_000, 20, seed=41)
    assert operating_points.distance(2_000, bound, drawn) < SURE
    assert operating_points.distance(2_000, bound, 1.1 * drawn) > SURE
