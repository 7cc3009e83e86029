"""Where a record is added or removed: worst cases against all small tables, and tables whose number of records nothing tells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Adjacency, GroupBy, LaplaceMechanism, OperatingPoint, PureDP, oracles, targets
from dpcore import sample_sensitivity as sampled
from dpcore.base.arrays import Database
from dpcore.base.types import Target
from dpcore.errors import InvalidValueError
from dpcore.mechanisms import noise
from dpcore.sampling.methods import choose
from dpcore.targets.proved import worst_case_of

REMOVE, REPLACE = Adjacency.ADD_OR_REMOVE_ONE_RECORD, Adjacency.REPLACE_ONE_RECORD
BY = GroupBy("g", ("u", "v", "x"))


SUM, COUNT = targets.Sum((-1.0, 2.0)), targets.Count(interval=(0.0, 2.0))


@pytest.mark.parametrize(
    "target",
    [
        targets.Proportion(interval=(0.0, 1.0)),
        targets.Histogram(edges=(0.0, 1.0, 2.0)),
        targets.Query(targets.Histogram(edges=(0.0, 1.0, 2.0)), ("x",)),
        targets.Query(targets.Histogram(edges=(0.0, 1.0, 2.0)), ("x",), by=BY),
    ],
    ids=repr,
)
def test_what_is_divided_by_the_number_of_records_has_none(target: Any) -> None:
    assert target.global_sensitivity(L1, 10) is not None
    assert worst_case_of(target, L1, 10, REMOVE) is None


def _released(rows: int) -> tuple[Any, dict[str, Any]]:
    proved = COUNT.global_sensitivity(L1, 500, REMOVE)
    release = LaplaceMechanism().calibrate(proved, PureDP(1.0)).release(np.full(rows, 1.0))
    return release, dict(release.provenance)


def test_no_word_of_a_release_hangs_on_the_true_number_of_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise, "add_geometric", lambda values, scale: np.array([7.0]))
    (one, first), (other, second) = _released(3), _released(480)
    assert first == second
    assert (first["n"], one.response.tolist(), other.response.tolist()) == (500, [7.0], [7.0])
    assert _released(0)[1] == first  # the neighbour of a table of one record


def test_the_number_that_is_stated_is_asked_for_and_a_table_beyond_the_proofs_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from dataclasses import replace

    from dpcore.base import users

    proved = COUNT.global_sensitivity(L1, 500, REMOVE)
    with pytest.raises(InvalidValueError, match="a stated number of rows"):
        LaplaceMechanism().calibrate(replace(proved, n=None), PureDP(1.0)).release(np.ones(3))
    monkeypatch.setattr(users, "MOST_ROWS", 4)
    LaplaceMechanism().calibrate(proved, PureDP(1.0)).release(np.ones(4))
    with pytest.raises(InvalidValueError, match="at most 4 rows"):
        LaplaceMechanism().calibrate(proved, PureDP(1.0)).release(np.ones(5))


ORACLES: dict[str, Any] = {
    "independent": oracles.WithMissing(oracles.Uniform(-2.0, 4.0), 0.2),
    "exchangeable": oracles.Mixture((oracles.Uniform(-2.0, 0.0), oracles.Uniform(0.0, 4.0)), (0.5, 0.5)),
}


@pytest.mark.statistical
@pytest.mark.parametrize("oracle", ORACLES)
def test_the_short_way_has_the_distances_of_whole_tables_of_n_and_n_less_one(oracle: str) -> None:
    """4,000 pairs of each: the two distribution functions are within .06 of one another (size 1e-6); of a replaced record they
    are further apart."""
    law = ORACLES[oracle]

    def distances(target: Any, how: Adjacency, seed: int) -> Any:
        at = OperatingPoint.for_sample_size(4_000)
        return np.sort(sampled(target, law, norm=L1, n=20, at=at, seed=seed, adjacency=how).distances)

    short, whole = distances(SUM, REMOVE, 1), distances(_Plain(), REMOVE, 2)
    assert choose(SUM, law, 20, REMOVE).name == "additive"
    assert choose(_Plain(), law, 20, REMOVE).name == "plain"
    assert _apart(short, whole) < 0.06 < _apart(distances(SUM, REPLACE, 3), whole)


class _Plain(Target):
    """The same sum, by its call alone."""

    def __call__(self, database: Database, /) -> Any:
        return SUM(database)


def _apart(first: Any, second: Any) -> float:
    at = np.concatenate([first, second])
    return float(
        np.abs(np.searchsorted(first, at, "right") / len(first) - np.searchsorted(second, at, "right") / len(second)).max()
    )


@pytest.mark.parametrize("target", [targets.Mean((0.0, 1.0)), targets.Proportion(interval=(0.0, 0.5))], ids=repr)
def test_a_target_that_divides_by_n_is_sampled_from_whole_tables(target: Any) -> None:
    assert choose(target, oracles.Uniform(0, 1), 20, REMOVE).name == "plain"
    at = OperatingPoint.for_gamma(0.1)
    sample = sampled(target, oracles.Uniform(0, 1), norm=L1, n=20, at=at, seed=1, adjacency=REMOVE)
    assert (sample.failures, sample.sensitivity().adjacency) == ({}, REMOVE)
