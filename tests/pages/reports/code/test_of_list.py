"""The code of a list whose table is large."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pages.experiment.listed.question_list import question_of
from pages.reports.code import records
from pages.reports.code.cells import Program
from pages.reports.code.of_list import of_list
from tests.code.taken import TOLD, asked, near
from tests.pages.reports.code.run import ran
from tests.pages.reports.code.shown import scenario, table


def test_the_records_of_one_line_stand_beside_it_and_those_of_several_have_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MOST_HELD", 10)
    whose = table("diabetes")
    together = asked(whose)
    made = of_list(together, whose, TOLD, ("a", "b", "c"), near(together, whose))
    assert isinstance(made, Program)
    names, said = ran(made, tmp_path)
    assert "question 3: ±" in said
    assert names["sensitivity"].value == near(together, whose).size.of(together.widths)
    choice = question_of(scenario(whose, "QuantileScores", ("age",)), whose)
    several = replace(together, questions=(*together.questions, replace(choice, oracle=None)))
    said_why = of_list(several, whose, TOLD, ("a", "b", "c", "d"), near(together, whose))
    assert isinstance(said_why, str)
    assert said_why.endswith("Take the code of one question after another, on Explore.")
