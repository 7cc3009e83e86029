"""Attacks with 10⁵ releases each find no more than is printed, for what is protected; noise that is too small is found out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import oracles, targets
from dpcore.base.declared import Column
from pages.experiment import attack, attacked_tables, preview
from pages.experiment.attack import Attack, Way
from pages.experiment.attacked_tables import Asked
from tests.pages.charts.live.asked import asked

BOUNDS, N, RELEASES = (0.0, 20.0), 500, 100_000
TARGETS = {
    "mean": targets.Mean(BOUNDS),
    "median": targets.Quantile(0.5, BOUNDS),
    "count": targets.Histogram(edges=(0.0, 1.0, 20.0), counts=True),
}
PROTECTED = (Way.WORST_CASE, Way.BLOCKS, Way.PROTECTED)


def _asked(target: Any) -> tuple[Any, Asked, Any, Any]:
    columns = (Column("a", bounds=BOUNDS),)
    scenario = asked(target=target, n=N, columns=("a",), declared=columns, oracle=oracles.Exponential(1.0), epsilon=1.0).scenario
    oracle: Any = scenario.oracle
    database = oracle.draw(1, N, rng=np.random.default_rng(8))[0]
    sampled = preview.calibrated(scenario, preview.exploration(scenario, oracle))
    return (
        scenario,
        attacked_tables.asked(scenario, database, columns, few=True),
        sampled,
        preview.calibrated_worst_case(scenario),
    )


def _found(target: Any, releases: int, *, times: float = 1.0) -> dict[Way, Attack]:
    """By way, at a joint confidence of 99.9 % over all that is tried here."""
    scenario, of, sampled, proved = _asked(target)
    sampled, proved = (replace(one, law=replace(one.law, scale=one.law.scale * times)) for one in (sampled, proved))
    each = 1 - 0.001 / (len(TARGETS) * len(PROTECTED))
    found, _ = attack.attacks(scenario, of, sampled, proved, releases=releases, confidence=each)
    return {one.way: one for one in found}


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_nobody_who_is_protected_is_found_more_often_than_is_printed(name: str) -> None:
    found = _found(TARGETS[name], RELEASES)
    ways = [way for way in PROTECTED if way in found]
    assert len(ways) >= 2, "two counts are not asked of blocks"
    for way in ways:
        promised = found[way].promised
        assert promised is not None
        assert found[way].told.low <= promised
    assert found[Way.NONE].told.share == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ways", "times"),
    [("mean", (Way.WORST_CASE, Way.PROTECTED), 1 / 2), ("count", (Way.WORST_CASE, Way.PROTECTED), 1 / 3)],
)
def test_noise_that_is_too_small_is_found_out(name: str, ways: tuple[Way, ...], times: float) -> None:
    """Half is enough of one number; of two counts, each with noise of its own, the guesser is further from the bound."""
    found = _found(TARGETS[name], RELEASES, times=times)
    for way in ways:
        promised = found[way].promised
        assert promised is not None
        assert found[way].told.low > promised


def test_a_far_row_is_told_under_sampled_noise_and_not_under_blocks() -> None:
    found = _found(TARGETS["mean"], 2_000)
    assert found[Way.LEFT_OUT].promised is None
    assert found[Way.LEFT_OUT].told.share > 0.97
    assert found[Way.BLOCKS].told.share < 0.6
    assert found[Way.HALVES].promised == pytest.approx(1 / (1 + np.exp(-1)))
    assert found[Way.OF_A_PAIR].promised is found[Way.NONE].promised is None


def test_the_furthest_change_is_the_one_to_the_upper_bound() -> None:
    _, of, sampled, _ = _asked(TARGETS["mean"])
    far, other = of.tables(of.changes[0])
    assert np.count_nonzero(far != other) == 1
    assert far.max() == BOUNDS[1]
    assert of.changes[0].distance == pytest.approx(abs(far.mean() - other.mean()))
    protected = of.furthest(sampled.sensitivity.value)
    assert protected is not None
    assert protected.distance <= sampled.sensitivity.value < of.changes[0].distance
