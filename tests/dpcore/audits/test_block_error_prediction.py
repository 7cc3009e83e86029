"""What is foretold of sample and aggregate is what releases show, and how many blocks is chosen by public numbers alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import RANGE, PureDP, oracles, targets
from dpcore.audits.block_error_prediction import predict_block_error, usual_blocks
from dpcore.errors import InvalidValueError
from dpcore.mechanisms import ExponentialMechanism
from dpcore.targets import SampleAndAggregate

BOUNDS, ORACLE = (0.0, 20.0), oracles.Exponential(1.0)
RELEASES = 100_000


def _made(target: Any, k: int, n: int, epsilon: float = 1.0) -> Any:
    blocks = SampleAndAggregate(target, k, BOUNDS)
    return ExponentialMechanism(None, selection="permute-and-flip").calibrate(blocks.proved(n), PureDP(epsilon))


@pytest.mark.parametrize("target", [targets.Mean(BOUNDS), targets.Quantile(0.5, BOUNDS)], ids=lambda one: type(one).__name__)
def test_the_error_around_the_blocks_median_is_that_of_100_000_simulated_releases(target: Any) -> None:
    """Within 2 %, of one made-up table; and the foretold distance is the least of those between places that hold .95."""
    made = _made(target, 100, 300)
    told = predict_block_error(made, ORACLE, tables=1, seed=4)
    database = ORACLE.draw(1, 300, rng=np.random.default_rng(np.random.SeedSequence(4)))[0]
    middle = np.median(made.sensitivity.target.answers(database))
    chosen = made.simulate(made.raw_response(database), size=RELEASES, rng=np.random.default_rng(5))
    places = np.array(made.sensitivity.target.candidates)[chosen]
    assert float(np.sqrt(np.mean((places - target(database)[0]) ** 2))) == pytest.approx(told.error, rel=0.02)
    assert told.apart == pytest.approx(abs(middle - float(target(database)[0])))
    away = np.abs(places - middle)
    assert np.mean(away < told.within - 1e-9) < 0.955
    assert np.mean(away <= told.within + 1e-9) > 0.945


def test_at_a_larger_epsilon_releases_lie_nearer() -> None:
    made = [_made(targets.Mean(BOUNDS), 100, 300, epsilon) for epsilon in (0.5, 4.0)]
    told = [predict_block_error(one, ORACLE, tables=3, seed=4) for one in made]
    assert told[0].error > told[1].error
    assert told[0].apart == told[1].apart


def test_how_many_blocks_hangs_on_n_and_epsilon_alone() -> None:
    assert [usual_blocks(n, 1.0) for n in (2, 50, 500, 10_000, 10**6)] == [2, 50, 80, 129, 599]
    assert usual_blocks(500, 0.5) == 160
    assert usual_blocks(10**6, 20.0) == 81


def test_anything_else_is_refused() -> None:
    scores = targets.QuantileScores(0.5, BOUNDS)
    proved = scores.global_sensitivity(RANGE, 9)
    assert proved is not None
    with pytest.raises(InvalidValueError, match="a choice for sample and aggregate"):
        predict_block_error(ExponentialMechanism(None).calibrate(proved, PureDP(1.0)), ORACLE, tables=1, seed=1)


def test_bounds_near_the_largest_float_give_no_bounds_of_a_variance() -> None:
    """Half the width squared overflows: there is nothing to predict, and nothing is raised."""
    assert targets.Variance((-1e303, 1e303)).answer_bounds(50) is None
    assert targets.Variance((-1e303, 1e303), 1).answer_bounds(50) is None
    assert targets.Variance((-1.0, 3.0), 1).answer_bounds(5) == (0.0, 5.0)


def test_distances_whose_squares_overflow_are_predicted_without_a_warning() -> None:
    """Warnings are errors here: on a page each would be a line of the log at every run."""
    target, oracle = targets.Variance((-1e150, 1e150)), oracles.Uniform(-1e150, 1e150)
    blocks = SampleAndAggregate(target, 10, target.answer_bounds(60))
    told = predict_block_error(ExponentialMechanism(None).calibrate(blocks.proved(60), PureDP(1.0)), oracle, tables=2, seed=1)
    assert all(1e295 < error < 1e300 for error in (told.within, told.apart, told.error))
