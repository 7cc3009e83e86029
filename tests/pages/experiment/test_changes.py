"""Which trials are shown one by one, and their records in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.declared import Column
from dpcore.base.people import per_user
from dpcore.sampling.blocks import Ranked, Replaced
from pages.old.experiment import changes

YEARS = Column("t", "Time", "years")


def _sample(distances: list[float]) -> Any:
    """With the largest of them at the edge."""
    m = len(distances)
    made = sample_sensitivity(
        targets.Mean(), oracles.Exponential(1.0), norm=L1, n=9, at=OperatingPoint.for_sample_size(m), seed=1
    )
    return replace(made, distances=np.array(distances))


def test_the_middle_the_edge_and_the_furthest() -> None:
    sample = _sample([3.0, 1.0, 5.0, 2.0, 4.0])
    assert changes.typical(sample) == changes.Trial(0, 3.0)
    assert changes.at_the_edge(sample) == changes.Trial(2, 5.0)
    assert changes.left_out(sample, 4.0) == changes.Trial(2, 5.0)
    assert changes.left_out(sample, 5.0) is None


def test_a_trial_without_an_answer_is_not_the_furthest() -> None:
    sample = _sample([1.0, np.inf, 2.0])
    assert changes.left_out(sample, 1.0) == changes.Trial(2, 2.0)
    assert changes.left_out(_sample([np.inf, np.inf]), 1.0) is None
    assert changes.at_the_edge(sample).distance == np.inf


def test_the_change_of_a_trial_is_that_trials() -> None:
    sample = _sample([0.0] * 5)
    true = sample_sensitivity(
        targets.Mean(), oracles.Exponential(1.0), norm=L1, n=9, at=OperatingPoint.for_sample_size(5), seed=1
    )
    for pair in range(5):
        made: Any = changes.change(sample, changes.Trial(pair, 0.0))
        assert np.isclose(float(abs(made.before - made.after)) / 9, true.distances[pair], rtol=1e-12)


def test_named_fields_come_by_their_columns_and_a_person_with_the_first_rows() -> None:
    rows = np.array([(1.5, "a"), (2.5, "b"), (3.5, "c"), (4.5, "d")], dtype=[("cost", float), ("kind", "U2")])
    people = per_user(rows, np.zeros(4))
    columns = (Column("kind", "Kind", role="text"), Column("cost", "Cost", "€"))
    assert changes.record(people[0], columns) == "Cost 1.5 €, Kind a"
    said = "4 rows: Cost 1.5 €, Kind a; Cost 2.5 €, Kind b; Cost 3.5 €, Kind c; …"
    assert changes.record(people, columns, "person") == said
    assert changes.record(people[:1], columns, "person") == "1 row: Cost 1.5 €, Kind a"


def test_both_parts_of_a_change() -> None:
    assert changes.parts(Replaced(np.array(1.0), np.array(2.0)), (YEARS,), None) == ("1 year", "2 years")
    assert changes.parts(Replaced(np.array(1.0), None), (YEARS,), None) == ("1 year", None)
    assert changes.parts(Ranked(13, 420, 501), (YEARS,), None) == ("number 13 of 501 in order", "number 420")
