"""The code of a list whose table is large, and of one whose table is confidential."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pages.reports.code import records
from pages.reports.code.cells import Program
from pages.reports.code.of_list import of_list
from pages.reports.code.script import script

from dpcore.oracles import Product, Uniform
from pages.experiment import preview
from pages.experiment.listed.question_list import question_of
from pages.files.tables import Column, Table
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


def test_nothing_is_asked_of_a_confidential_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two means of one: the program is the same whatever its values are, and its own answer is never worked out."""
    columns = (Column("income", bounds=(0.0, 1e6)), Column("age", bounds=(0.0, 100.0)))
    made = []
    for seed in (1, 2):
        values = np.random.default_rng(seed).uniform(0, 100, (2, 50))
        whose = Table("mine", columns, {"income": values[0], "age": values[1]}, public=False)
        of = replace(
            asked(table("diabetes")),
            table="mine",
            questions=tuple(question_of(scenario(whose, "KnownMean", (name,)), whose) for name in ("income", "age")),
            oracle=Product((Uniform(0.0, 1e6), Uniform(0.0, 100.0)), names=("income", "age")),
        )
        shown = near(of, whose)
        monkeypatch.setattr(preview, "answer", None)
        program = of_list(of, whose, TOLD, ("Mean of income", "Mean of age"), shown)
        assert isinstance(program, Program)
        made.append(script(program))
        monkeypatch.undo()
    assert made[0] == made[1]
    assert made[0].count("go.Figure(") == 1
