"""Attacks with 10⁵ releases find no more than is printed, for what is protected; noise that is too small is found out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pages.old.experiment.attack import Attack
from pages.old.experiment.attacked_tables import Change

from dpcore import oracles, targets
from dpcore.base.declared import Column
from pages.old.experiment import attack, attacked_tables, preview
from tests.pages.charts.live.asked import asked

BOUNDS, N, RELEASES = (0.0, 20.0), 500, 100_000
TARGETS = {
    "mean": targets.Mean(BOUNDS),
    "median": targets.Quantile(0.5, BOUNDS),
    "count": targets.Histogram(edges=(0.0, 1.0, 20.0), counts=True),
}
WAYS = ("worst case", "sampled")


def _asked(target: Any) -> tuple[tuple[Change, ...], dict[str, Any]]:
    """The changes, and the noise sized in either way."""
    columns = (Column("a", bounds=BOUNDS),)
    scenario = asked(target=target, n=N, columns=("a",), declared=columns, oracle=oracles.Exponential(1.0), epsilon=1.0).scenario
    oracle: Any = scenario.oracle
    database = oracle.draw(1, N, rng=np.random.default_rng(8))[0]
    sampled = preview.calibrated(scenario, preview.exploration(scenario, oracle))
    noise = dict(zip(WAYS, (preview.calibrated_worst_case(scenario), sampled), strict=True))
    return attacked_tables.changes(scenario, database, columns), noise


def _found(target: Any, releases: int, *, times: float = 1.0) -> dict[str, Attack]:
    """At a joint confidence of 99.9 % over all that is tried here."""
    changes, noise = _asked(target)
    each = 1 - 0.001 / (len(TARGETS) * len(WAYS))
    return {
        way: attack.attack(
            changes,
            replace(one, law=replace(one.law, scale=one.law.scale * times)),
            seed=1,
            releases=releases,
            confidence=each,
        )
        for way, one in noise.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_nobody_who_is_protected_is_found_more_often_than_is_printed(name: str) -> None:
    for found in _found(TARGETS[name], RELEASES).values():
        assert found.promised == pytest.approx(1 / (1 + np.exp(-1)))
        assert found.told.low <= found.promised


@pytest.mark.slow
@pytest.mark.parametrize(("name", "times"), [("mean", 1 / 2), ("count", 1 / 3)])
def test_noise_that_is_too_small_is_found_out(name: str, times: float) -> None:
    """Half is enough of one number; of two counts, each with noise of its own, the guesser is further from the bound."""
    for found in _found(TARGETS[name], RELEASES, times=times).values():
        assert found.promised is not None
        assert found.told.low > found.promised


def test_where_the_noise_protects_no_change_the_furthest_is_attacked_and_nothing_is_promised() -> None:
    changes, noise = _asked(TARGETS["mean"])
    found = attack.attack(changes[:1], noise["sampled"], seed=1)
    assert found.promised is None
    assert found.distance == found.furthest
    assert found.told.share > 0.97


def test_the_furthest_change_is_the_one_to_the_upper_bound() -> None:
    changes, noise = _asked(TARGETS["mean"])
    far, other = changes[0].tables
    assert np.count_nonzero(far != other) == 1
    assert far.max() == BOUNDS[1]
    assert changes[0].distance == pytest.approx(abs(far.mean() - other.mean()))
    protected = attacked_tables.furthest(changes, noise["sampled"].sensitivity.value)
    assert protected is not None
    assert protected.distance <= noise["sampled"].sensitivity.value < changes[0].distance
    worst = attacked_tables.furthest(changes, noise["worst case"].sensitivity.value)
    assert worst is changes[0]


def test_simulations_are_fresh_and_of_the_seed() -> None:
    changes, noise = _asked(TARGETS["mean"])
    told = [attack.attack(changes, noise["sampled"], seed=seed).told.right for seed in (1, 1, 2, 3)]
    assert told[0] == told[1]
    assert len(set(told)) > 1
