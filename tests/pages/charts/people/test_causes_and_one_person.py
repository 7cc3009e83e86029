"""The bars of an error's causes, and the dots of one person's rows."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore.guarantees.privacy import Adjacency, PureDP
from pages.old.charts.people import causes_of_error, rows_of_one_person
from pages.old.experiment.contributions.asked import COUNT, Question, Terms
from pages.old.experiment.contributions.cap import Cap, Keeping, counted_rows
from pages.old.experiment.contributions.noise import noise_for
from pages.old.experiment.contributions.predict import predict
from tests.pages.experiment.contributions.naive import field


def _question(rows: list[int], cap: Cap, keeping: Keeping = Keeping.WEIGHTS, groups: int = 1) -> Question:
    """People with so many rows each, dealt to the groups in turn."""
    persons = [i for i, each in enumerate(rows) for _ in range(each)]
    counted = counted_rows(field(persons), group=np.arange(len(persons)) % groups, groups=groups)
    terms = Terms(noise_for(PureDP(1.0)), Adjacency.REPLACE_ONE_USER, keeping)
    return Question(rows=counted, asked=COUNT, terms=terms, cap=cap, bounds=None, widest=None)


def _dots(question: Question, cap: Cap) -> tuple[int, int, str]:
    figure, said = rows_of_one_person(question, cap)
    return len(figure.data[0].x), len(figure.data[1].x), said


@pytest.mark.parametrize(
    ("rows", "cap", "keeping", "found"),
    [
        ([3, 1, 7], 2, Keeping.WEIGHTS, (7, 2, "The person with the most rows has 7: together they weigh as much as 2.")),
        ([3, 1, 7], 2, Keeping.ROWS, (7, 2, "The person with the most rows has 7: 2 of them count.")),
        ([3, 1, 7], 1, Keeping.ROWS, (7, 1, "The person with the most rows has 7: 1 of them counts.")),
        ([3, 1, 7], 7, Keeping.WEIGHTS, (7, 7, "The person with the most rows has 7, and all of them count.")),
        ([3, 1], 9, Keeping.WEIGHTS, (3, 3, "The person with the most rows has 3, and all of them count.")),
        (
            [500],
            10,
            Keeping.WEIGHTS,
            (125, 3, "The person with the most rows has 500: together they weigh as much as 10. A dot is 4 rows."),
        ),
    ],
)
def test_as_many_rows_are_filled_as_the_person_counts_for(
    rows: list[int], cap: int, keeping: Keeping, found: tuple[int, int, str]
) -> None:
    assert _dots(_question(rows, Cap(cap), keeping), Cap(cap)) == found


def test_a_cap_in_each_group_is_shown_on_the_rows_in_one_group() -> None:
    cap = Cap(2, 1)
    assert _dots(_question([12], cap, groups=3), cap) == (
        4,
        2,
        "The person with the most rows in one group has 4: together they weigh as much as 2.",
    )


def _bars(question: Question, cap: Cap) -> dict[str, float]:
    (row,) = predict(question.rows, question.asked, question.terms, (cap,)).table
    figure, said = causes_of_error(row[0], unit="rows")
    bar, above = figure.data
    assert list(above.text) == [f"{size:.3g}" for size in bar.y]
    assert f"Expected error, {bar.y[0]:.3g} rows" in said
    return dict(zip(figure.layout.xaxis.ticktext, map(float, bar.y), strict=True))


def test_the_bars_are_the_whole_error_and_its_causes_the_largest_first() -> None:
    question = _question([3, 1, 90], Cap(10))
    bars = _bars(question, Cap(10))
    assert list(bars) == ["whole error", "left out", "noise"]
    assert bars["left out"] == pytest.approx(80)
    assert bars["whole error"] ** 2 == pytest.approx(80**2 + bars["noise"] ** 2)


def test_a_cause_that_is_nothing_has_no_bar() -> None:
    assert list(_bars(_question([3, 1, 9], Cap(9)), Cap(9))) == ["whole error", "noise"]
