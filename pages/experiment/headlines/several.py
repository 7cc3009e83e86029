"""Several answers of one response: how far each lies from the one without noise, and all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.several import Several
from dpcore.base.types import FloatArray, asked_together
from dpcore.errors import InvalidValueError
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.computable import computable
from pages.experiment.headlines.base import Headline, MeasuredHeadline, Row, kind_of_headline


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class SeveralHeadline(Headline):
    """One headline a question, each of the kind that its answer is, under noise of its own width."""

    answer: Several
    moves: ClassVar[str] = "all answers, each counted in its width,"
    error_words: ClassVar[str] = "mean error, in widths, mean over questions"

    @cached_property
    def each(self) -> tuple[MeasuredHeadline, ...]:
        """The headline of every question."""
        target: Any = self.scenario.target
        parts = self.answer.of, self.answer.widths, self.answer.split(self.exact.value)
        asked = zip(asked_together(target), *parts, target.columns_of(self.columns), strict=True)
        made = []
        for question, kind, width, part, columns in asked:
            of_kind = kind_of_headline(kind)
            if not issubclass(of_kind, MeasuredHeadline):
                raise InvalidValueError("answer of each question", "one number or several", type(kind).__name__)
            made.append(
                of_kind(
                    scenario=self.scenario,
                    answer=kind,
                    columns=columns,
                    exact=replace(self.exact, value=part),
                    asked=question,
                    noise=widened(self.noise, width),
                    worst=None if self.worst is None else widened(self.worst, width),
                )
            )
        return tuple(made)

    @property
    def of_this_answer(self) -> bool:
        """Where it is so of any question."""
        return any(headline.of_this_answer for headline in self.each)

    def of_part(self, place: int, noise: Calibrated[Any]) -> Calibrated[Any]:
        """The same noise on one question, in its own unit."""
        return widened(noise, self.answer.widths[place])

    def reach(self, noise: Calibrated[Any]) -> str:
        """95 times in 100 …; the numbers are each question's own."""
        return f"each of the {len(self.each)} answers has a ± of its own, 95 times in 100"

    @computable
    def error(self, law: Any) -> float:
        """The mean over the questions, each in its width."""
        parts = zip(self.each, self.answer.widths, strict=True)
        return float(np.mean([headline.error(scaled(law, width)) / width for headline, width in parts]))

    def reaches(self, noise: Calibrated[Any], share: float) -> tuple[FloatArray, ...]:
        """How far so large a share of each question's private answers lies, in its own unit: one distance a number."""
        parts = enumerate(self.each)
        return tuple(np.atleast_1d(headline.reaches(self.of_part(place, noise), share)) for place, headline in parts)

    def rows(self) -> list[Row]:
        """Each answer, and how far its private versions lie from it."""
        found = []
        for place, headline in enumerate(self.each, 1):
            texts = [text for _, text in headline.answer.parts(headline.exact.value)]
            spans = headline.of_both(partial(headline.spans, share=SHARE_WITHIN))
            found += [
                {
                    "question": str(place),
                    "of": name,
                    self.exact.name: text,
                    "± sampled, 95 in 100, each alone": near,
                    "± worst case, 95 in 100, each alone": far,
                }
                for name, text, (near, far) in zip(headline.labels, texts, spans, strict=False)
            ]
        return found


def widened(noise: Calibrated[Any], width: float) -> Calibrated[Any]:
    """The same noise on a question of this width, in its own unit."""
    return replace(noise, law=scaled(noise.law, width))


def scaled(law: Any, width: float) -> Any:
    """Noise of so many times the scale."""
    return replace(law, scale=law.scale * width)
