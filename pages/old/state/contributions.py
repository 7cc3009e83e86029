"""What a cap on people's rows costs, of the scenario on a public table or a made-up one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

from dpcore.answers.answer import KindOfAnswer
from dpcore.base.bounds import Interval
from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from pages.experiment.computable import answered
from pages.experiment.question import own_columns
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.old.experiment.contributions.asked import Question, predicted, question
from pages.old.experiment.contributions.cap import cells_of
from pages.old.experiment.contributions.limit import Limit, Totals, totals_of
from pages.old.experiment.contributions.predict import Prediction, Predictions, predict
from pages.old.state.draws import Exploration
from pages.old.wording.sentences import plain

_NOT_PREDICTED = (
    "The error of this question is not predicted. Ask for a count, a sum, a mean or a share of known values, published with "
    "Laplace or Gaussian noise."
)


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Analysis:
    """Predictions around a scenario's cap and bounds.

    Attributes:
        scenario: The scenario.
        table: Its table.
        question: What it asks of people.
        line: Of each cap, or limit of totals, at the chosen bounds.
        other: The best of the other way to limit a person; None without one.
        totals: What the rows of people add up to, if totals are limited.
        simulated: Whether the oracle simulated the people, in place of those of a confidential table.
    """

    scenario: Scenario
    table: Table
    question: Question
    line: Predictions
    other: Prediction | None
    totals: Totals | None
    simulated: bool

    @property
    def chosen(self) -> Prediction:
        """The prediction at the scenario's own cap and bounds."""
        return self.line.table[self.question.caps.index(self.question.cap)][0]

    @cached_property
    def of_bounds(self) -> Predictions | None:
        """Of the chosen cap with narrower bounds up to the declared ones; None where no bound of a value changes the noise."""
        asked = self.question
        return predict(asked.rows, asked.asked, asked.terms, (asked.cap,), asked.pairs) if asked.pairs else None

    @property
    def unit(self) -> str:
        """That of the answer."""
        return self._answer.after.strip()

    @property
    def _answer(self) -> KindOfAnswer:
        columns, target = tuple(map(self.table.column, self.scenario.columns)), facts(self.scenario.target)
        # at another cap a number of people is one of rows, and so is all else here
        return target.question.answer(columns) if target.each_once else answered(self.scenario, columns)


def analysis(scenario: Scenario, table: Table) -> Analysis | str:
    """It, of a public table, or of a made-up one in place of a confidential table; or a sentence on why there is none."""
    if predicted(scenario) is None:
        return _NOT_PREDICTED
    try:
        asked = question(scenario, Exploration(scenario, table).exact().database, _widest(scenario, table))
        assert asked is not None
        bounds = None if asked.bounds is None else (asked.bounds,)
        limited = isinstance(asked.cap, Limit)
        others = asked.row_caps if limited else asked.limits
        return Analysis(
            scenario=scenario,
            table=table,
            question=asked,
            simulated=not table.public,
            line=predict(asked.rows, asked.asked, asked.terms, asked.caps, bounds),
            other=predict(asked.rows, asked.asked, asked.terms, others, bounds).best if others and asked.limits else None,
            totals=totals_of(asked.rows, cells_of(asked.rows), asked.bounds) if limited and asked.bounds is not None else None,
        )
    except DpcoreError as error:
        return plain(error)


def _widest(scenario: Scenario, table: Table) -> Interval | None:
    """The declared bounds of the one column that is asked of."""
    names = own_columns(scenario)
    return table.column(names[0]).bounds if len(names) == 1 else None
