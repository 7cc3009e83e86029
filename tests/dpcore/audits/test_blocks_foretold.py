"""What is foretold of sample and aggregate is what releases show, and how many blocks is chosen by public numbers alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import RANGE, PureDP, oracles, targets
from dpcore.audits.blocks_foretold import best_blocks, foretold, foretold_at, usual_blocks
from dpcore.errors import InvalidValueError
from dpcore.mechanisms import Exponential, ExponentialByGroup
from dpcore.targets import SampleAndAggregate

BOUNDS, UNIT, ORACLE = (0.0, 20.0), (0.0, 1.0), oracles.Exponential(1.0)
RELEASES = 100_000


def _made(target: Any, k: int, n: int, bounds: Any = BOUNDS, epsilon: float = 1.0, widths: Any = None) -> Any:
    blocks = SampleAndAggregate(target, k, bounds, widths)
    one = Exponential(None, selection="permute-and-flip") if blocks.numbers == 1 else ExponentialByGroup(blocks.numbers)
    return one.calibrate(blocks.proved(n), PureDP(epsilon))


@pytest.mark.parametrize("target", [targets.Mean(BOUNDS), targets.Quantile(0.5, BOUNDS)], ids=lambda one: type(one).__name__)
def test_the_error_around_the_blocks_median_is_that_of_100_000_simulated_releases(target: Any) -> None:
    """Within 2 %, of one made-up table; and the foretold distance is the least of those between places that hold .95."""
    made = _made(target, 100, 300)
    told = foretold(made, ORACLE, tables=1, seed=4)
    database = ORACLE.draw(1, 300, rng=np.random.default_rng(np.random.SeedSequence(4)))[0]
    middle = np.median(made.sensitivity.target.answers(database))
    chosen = made.simulate(made.raw_response(database), size=RELEASES, rng=np.random.default_rng(5))
    places = np.array(made.sensitivity.target.candidates)[chosen]
    assert float(np.sqrt(np.mean((places - middle) ** 2))) == pytest.approx(told.around[0], rel=0.02)
    assert float(np.sqrt(np.mean((places - target(database)[0]) ** 2))) == pytest.approx(told.error[0], rel=0.02)
    assert told.apart == pytest.approx(abs(middle - target(database)))
    away = np.abs(places - middle)
    assert np.mean(away < told.within[0] - 1e-9) < 0.955
    assert np.mean(away <= told.within[0] + 1e-9) > 0.945


def test_at_several_epsilons_each_is_foretold_as_it_is_by_itself() -> None:
    made = [_made(targets.Mean(BOUNDS), 100, 300, epsilon=epsilon) for epsilon in (0.5, 1.0, 4.0)]
    together = foretold_at(made, ORACLE, tables=3, seed=4)
    for one, told in zip(made, together, strict=True):
        alone = foretold(one, ORACLE, tables=3, seed=4)
        assert (told.error, told.within, told.apart) == (alone.error, alone.within, alone.apart)
    assert together[0].error > together[2].error


@pytest.mark.slow
@pytest.mark.statistical
def test_what_made_up_tables_foretell_holds_of_releases_from_others() -> None:
    """100 releases from each of 1,000 other tables: two independent means of 1,000 tables, each about 0.6 % off."""
    made, rng = _made(targets.Mean(BOUNDS), 100, 300), np.random.default_rng(6)
    told, blocks = foretold(made, ORACLE, tables=1_000, seed=4), made.sensitivity.target
    squares = []
    for database in ORACLE.draw(1_000, 300, rng=rng):
        chosen = made.simulate(blocks(database), size=100, rng=rng)
        squares.append(np.mean((np.array(blocks.candidates)[chosen] - np.median(blocks.answers(database))) ** 2))
    assert float(np.sqrt(np.mean(squares))) == pytest.approx(told.around[0], rel=0.02)


def test_each_of_several_numbers_is_foretold_in_its_own_unit_and_a_wide_one_has_more_noise() -> None:
    bounds = (UNIT, (0.0, 10.0))
    target, oracle = targets.Mean(bounds), oracles.Product((oracles.Uniform(0, 1), oracles.Uniform(0, 10)))
    equal, unequal = (
        foretold(_made(target, 150, 300, bounds, widths=widths), oracle, tables=6, seed=1) for widths in (None, (1.0, 3.0))
    )
    assert equal.around[1] == pytest.approx(10 * equal.around[0], rel=0.15)
    assert equal.within[1] == pytest.approx(10 * equal.within[0], rel=0.15)
    assert unequal.around[1] > 15 * unequal.around[0]


def test_how_many_blocks_hangs_on_n_and_epsilon_alone() -> None:
    assert [usual_blocks(n, 1.0) for n in (2, 50, 500, 10_000, 10**6)] == [2, 50, 80, 129, 599]
    assert usual_blocks(500, 0.5) == 160
    assert usual_blocks(10**6, 20.0) == 81


def test_of_several_numbers_of_blocks_the_one_with_the_least_error_is_first() -> None:
    """A median is best asked of single records, and a skewed mean is not."""
    ladder = (100, 150, 300)
    medians = best_blocks(lambda k: _made(targets.Quantile(0.5, BOUNDS), k, 300), 300, ORACLE, tables=4, seed=2, tried=ladder)
    means = best_blocks(lambda k: _made(targets.Mean(BOUNDS), k, 300), 300, ORACLE, tables=4, seed=2, tried=ladder)
    assert medians[0].k == 300
    assert [one.k for one in means] == [100, 150, 300]
    assert [one.error[0] for one in means] == sorted(one.error[0] for one in means)


def test_anything_else_is_refused() -> None:
    scores = targets.QuantileScores(0.5, BOUNDS)
    proved = scores.global_sensitivity(RANGE, 9)
    assert proved is not None
    with pytest.raises(InvalidValueError, match="a choice for a target of sample and aggregate"):
        foretold(Exponential(None).calibrate(proved, PureDP(1.0)), ORACLE, tables=1, seed=1)
