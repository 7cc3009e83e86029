"""Programs of each sort, as the pages give them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from pages.reports.code.asked import Told
from pages.reports.code.cells import Program
from pages.reports.code.of_list import of_list
from pages.reports.code.of_release import Made, of_release

from dpcore.guarantees.operating_points import Bound
from dpcore.mechanisms.laplace import Laplace
from dpcore.sampling.sampler import sample_sensitivity
from pages.experiment.computable import answered
from pages.experiment.listed.accuracy import Accuracy, accuracy_of
from pages.experiment.listed.distances import Sampled, measured
from pages.experiment.listed.question_list import QuestionList, question_of
from pages.experiment.preview import answer, simulated_answer
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Column, Table
from pages.learn import written
from pages.learn.found import lessons
from tests.pages.reports.code.shown import program, scenario, table

TOLD = Told(question="Histogram of sex", target="the histogram", oracle="an oracle", table="Diabetes")


def of_explore() -> Program:
    """The example."""
    made: Program = program(scenario(table("loan_defaults"), "Mean", ("years_to_default",)), table("loan_defaults"), dots=True)
    return made


def of_confidential() -> Program:
    """A confidential table's mean."""
    columns = (Column("income", bounds=(0.0, 1e6)),)
    whose = Table("mine", columns, {"income": np.linspace(0.0, 1e6, 50)}, public=False)
    made: Program = program(scenario(whose, "KnownMean", ("income",)), whose)
    return made


def asked(whose: Table) -> QuestionList:
    """Two means and a histogram, of the table's own records."""
    first = scenario(whose, "KnownMean", ("bmi",), "TableRecords")
    others = (scenario(whose, "KnownMean", ("age",), "TableRecords"), scenario(whose, "Histogram", ("sex",), "TableRecords"))
    questions = tuple(question_of(one, whose) for one in (first, *others))
    return QuestionList(
        table=whose.name,
        questions=questions,
        oracle=TableRecords(),
        mechanism=Laplace(),
        epsilon=1.0,
        delta=None,
        m=39,
        gamma=0.05,
        bound=Bound.RANK,
        confidence=None,
        seed=3,
    )


def near(made: QuestionList, whose: Table) -> Accuracy:
    """How close its answers are."""
    unit: Any = made.with_(questions=tuple(replace(one, width=1.0) for one in made.questions)).together(whose)
    oracle = unit.resolved_oracle(whose)
    size = Sampled(measured(unit, oracle, m=made.m), unit.norm, unit.point)
    exact = answer(unit, whose) if whose.public else simulated_answer(unit, oracle)
    return accuracy_of(unit, whose.taken(unit.columns, unit.target), exact, size, jointly=False)


def of_questions() -> Program:
    """A list."""
    whose = table("diabetes")
    made = of_list(asked(whose), whose, TOLD, ("Mean of bmi", "Mean of age", "Histogram of sex"), near(asked(whose), whose))
    assert isinstance(made, Program)
    return made


def released(of: Scenario, whose: Table) -> Made:
    """One release of it."""
    oracle = of.resolved_oracle(whose)
    sample = sample_sensitivity(of.target, oracle, norm=of.norm, n=of.n, at=of.point, seed=77, adjacency=of.adjacency)
    release = of.mechanism.calibrate(sample.sensitivity(), of.privacy).release(whose.prepare(of.columns, of.target).database)
    return Made(
        scenario=of,
        release=release,
        answer=answered(of, whose.taken(of.columns, of.target)),
        reach=None,
        told=TOLD,
        promise="It is promised.",
        caveats=(),
        missing="No row was left out.",
        date="2026-01-02",
        table=whose,
    )


def of_a_release() -> Program:
    """A histogram that was released."""
    whose = table("diabetes")
    made = of_release(released(scenario(whose, "Histogram", ("sex",), "TableRecords"), whose))
    assert isinstance(made, Program)
    return made


def of_a_lesson(name: str = "one_person") -> Program:
    """A lesson."""
    (one,) = (one for one in lessons() if one.name == name)
    made = written.of_the_lesson(one, lambda step: one.steps[step].find())
    assert isinstance(made, Program)
    return made
