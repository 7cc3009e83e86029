"""Which trials are shown one by one, and their records in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.declared import Column
from dpcore.base.people import per_user
from dpcore.sampling.blocks import Ranked, Replaced
from pages.experiment import changes

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


def test_of_an_even_number_the_lower_middle_and_of_equal_distances_the_first() -> None:
    assert changes.typical(_sample([2.0, 1.0])) == changes.Trial(1, 1.0)
    assert changes.typical(_sample([0.0, 0.0, 0.0])) == changes.Trial(1, 0.0)
    assert changes.left_out(_sample([7.0, 7.0]), 1.0) == changes.Trial(0, 7.0)


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


def test_a_record_of_one_column_is_its_value_and_of_several_each_has_its_name() -> None:
    assert changes.record(np.array(2.90123), (YEARS,)) == "2.9 years"
    assert changes.record(np.array([2.0, 0.5]), (YEARS, Column("share"))) == "Time 2 years, share 0.5"
    assert changes.record(np.array("anna"), (Column("name", role="text"),)) == "anna"
    assert changes.record(np.arange(6.0), ()) == "column 1 0, column 2 1, column 3 2, column 4 3, …"


def test_missing_values_categories_days_and_long_texts() -> None:
    assert changes.record(np.array(np.nan), (YEARS,)) == "missing"
    assert changes.record(np.array(""), (Column("name", role="text"),)) == "missing"
    smokes = Column("s", categories=(0.0, 1.0), category_names=("no", "yes"))
    assert changes.record(np.array(1.0), (smokes,)) == "yes"
    assert changes.record(np.array(30.6), (Column("d", since="2024-01-01"),)) == "2024-02-01"
    assert len(changes.record(np.array("x" * 500), (Column("name", role="text"),))) == 40


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
