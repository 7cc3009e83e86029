"""The margin of error (±) of an answer: predicted before the release, and checked against the released numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.answers.grouped import Grouped
from dpcore.base.counted import counted
from dpcore.base.everyday import everyday
from dpcore.base.facts import facts
from dpcore.base.rounded import TOO_FEW
from dpcore.base.types import FloatArray, groups_of, person_of
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.privacy import Adjacency
from pages.experiment.accuracy import Margins
from pages.experiment.view import Question
from pages.files.persons import Foretold, foretold

_LARGE = 0.7  # part of the size of an answer, from which on its ± is called as large
_DOUBT = 1e-3  # probability of calling a correct guess wrong
_NUMBERS = 2  # a mean of known values is released as their sum and their number


@final
@dataclass(frozen=True, kw_only=True)
class Margin:
    """The ± that 95% of the answers to a question keep.

    Args:
        least: The smallest possible ±.
        most: The largest possible ±. It is larger if the number of known values is confidential.
        after: The unit, as it follows a number.
        centre: Name of the value that the ± is around.
        depends_on_table: Whether the ± depends on the table, and not only on the noise.
        rests_on: A sentence on what is confidential and assumed; empty if ``least`` is ``most``.
        as_large: A sentence if the ± is about as large as the answers; otherwise empty.
    """

    least: float
    most: float
    after: str
    centre: str
    depends_on_table: bool
    rests_on: str
    as_large: str

    @property
    def text(self) -> str:
        """The ± with its unit, from least to most."""
        if math.isinf(self.least):
            return TOO_FEW
        if math.isinf(self.most):
            return f"± {figure(self.least)}{self.after} or more"
        ends = dict.fromkeys((figure(self.least), figure(self.most)))
        return f"± {counted(' to '.join(ends), self.after)}{everyday(self.most, self.after) if len(ends) == 1 else ''}"


def margin(question: Question, law: Any) -> Margin | None:
    """Return the ± of a question, from a public table or a simulated one.

    Args:
        question: The question.
        law: The distribution of the noise.

    Returns:
        The ±, or None for answers that have several or none, such as a choice or a curve.
    """
    accuracy = question.accuracy
    if not isinstance(accuracy, Margins):
        return None
    known = known_values(question)
    least, most = accuracy.margins(law, known)
    return Margin(
        least=least,
        most=most,
        after=question.answer.after,
        centre=accuracy.centre_name,
        depends_on_table=accuracy.depends_on_table,
        rests_on="" if known is None else known.words,
        as_large=_as_large(question, accuracy, most),
    )


def known_values(question: Question) -> Foretold | None:
    """Return how many values may be known, if a ± depends on that and it is confidential."""
    if question.table.public or not depends_on_guesses(question.answer):
        return None
    return foretold(question.scenario.target, question.scenario.oracle, question.table.guesses)


def depends_on_guesses(answer: Any) -> bool:
    """Return whether the ± of this kind of answer, or of one of several, depends on how many values are known."""
    return (answer.of if isinstance(answer, Grouped) else answer).foretold is not None


def _as_large(question: Question, accuracy: Margins, most: float) -> str:
    target: Any = question.scenario.target
    bounds = question.answer.bounds  # between bounds, half their width is the size of an answer
    sizes = np.abs(accuracy.centres) if not bounds else np.array([(bounds[1] - bounds[0]) / 2])
    if not sizes.size or not 0 < _LARGE * float(np.median(sizes)) <= most:
        return ""
    people, groups = person_of(target) is not None and (facts(target).rows or 1) > 1, len(groups_of(target)) > 2
    helps = ["a larger ε", *["a smaller s"] * people, *["fewer groups"] * groups]
    would = helps[0] if len(helps) == 1 else f"{', '.join(helps[:-1])} or {helps[-1]}"
    where = "this public table" if question.table.public else "a simulated table"
    return f"The ± is about as large as such answers are in {where}. What would help: {would}."


def wrong_guess(question: Question, law: Any, response: FloatArray, *, doubt: float = _DOUBT) -> str:
    """Return a sentence if the released numbers of known values contradict what was assumed about the table.

    Args:
        question: The released question, on a confidential table.
        law: The distribution of the noise.
        response: The released numbers.
        doubt: Probability of the sentence if the assumptions are right.
    """
    assumed = known_values(question)
    if assumed is None:
        return ""
    scenario = question.scenario
    groups = len(groups_of(scenario.target)) or 1
    released, simulated = (float(np.reshape(value, (-1, _NUMBERS))[:, 1].sum()) for value in (response, question.exact.value))
    if scenario.adjacency is Adjacency.REPLACE_ONE_RECORD:
        released = min(released, scenario.n)  # n is public: the rest is noise
    near = float(law.half_width(1 - doubt)) * math.sqrt(groups)
    least, most = assumed.least * simulated, assumed.most * simulated
    if least - near <= released <= most + near:
        return ""
    larger, guesses = "larger" if released < least else "smaller", question.table.guesses
    guessed = guesses.known is not None and (guesses.rows is not None or scenario.adjacency.of_records)
    so = "a guess of this table was wrong" if guessed else "this table is not as was assumed"
    return (
        f"About {max(0.0, released):,.0f} known values were counted, and {least:,.0f} to {most:,.0f} were predicted. So {so}, "
        f"and the ± is {larger} than the predicted one. {assumed.words}"
    )
