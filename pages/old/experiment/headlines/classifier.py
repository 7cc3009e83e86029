"""A classifier: how many records a private one misclassifies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.words import figure, percent
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw, law_on, without_noise
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import ALONE, SEED, Headline, Row, spread

_RESPONSES, _MOST_CLASSIFIED = 200, 1_000  # draws of the noise, and records, that an error is the average over
_FEWEST, _MOST, _MOST_ASKED = 20, 100, 2_000_000  # draws where each asks all records again, and records asked


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ClassifierHeadline(Headline):
    """Its errors are of the records that the answer was made from, and of fresh ones where there is an oracle of them.

    ``judged``: the records that are classified, where they are not those that the answer was made from.
    """

    judged: Database | None = None
    error_words: ClassVar[str] = "share of fitted rows misclassified"
    nothing_lost: ClassVar[float | None] = 0.01

    def reach(self, noise: Calibrated[Any]) -> str:
        """On the records that it was fitted to."""
        private, exact = few(self.error(noise.law)), few(self.least_error)
        return f"a private boundary misclassifies about {private} of the fitted rows (without noise {exact})"

    def on_fresh_records(self, noise: Calibrated[Any]) -> str:
        """On records of the oracle."""
        other = self.afresh
        if other is None:
            return ""
        if self.fresh_columns_alone:
            return "The oracle draws each column by itself, so its rows cannot show how well fresh ones are told apart."
        private, exact = few(other.error(noise.law)), few(other.least_error)
        return f"On fresh made-up rows it is about {private}, and {exact} without noise."

    @property
    def afresh(self) -> ClassifierHeadline | None:
        """The same answer beside 1,000 records that it was not fitted to."""
        fresh = self.fresh_records(_MOST_CLASSIFIED)
        return None if fresh is None else replace(self, judged=fresh)

    @property
    def moves(self) -> str:
        """What its sensitivity measures."""
        return str(facts(self.answer).moves)

    @property
    def value(self) -> FloatArray:
        """The weights and the bias without noise, (d+1,)."""
        return without_noise(law_on(self.noise.law, self.exact.database), self.exact.value)

    @property
    def least_error(self) -> float:
        """What the answer itself misclassifies."""
        return self.misclassified(self.value[None])

    @computable
    def error(self, law: Any) -> float:
        """The share that private answers misclassify. What was not seen is not impossible, and a logarithmic axis has no 0."""
        responses = self.responses(law)
        tries = len(responses) * min(len(self._judged), _MOST_CLASSIFIED)
        return (self.misclassified(responses) * tries + 0.5) / (tries + 1)

    def responses(self, law: Any) -> FloatArray:
        """Private answers under a law, (k, d+1): the same noise at each ε. A second step that asks a large table takes longer,
        so there are fewer."""
        size = max(_FEWEST, min(_MOST, _MOST_ASKED // len(self.exact.database))) if facts(law).on is not None else _RESPONSES
        drawn = law_on(law, self.exact.database).simulate(self.exact.value, size=size, rng=np.random.default_rng(SEED))
        return np.asarray(drawn)

    def misclassified(self, answers: FloatArray) -> float:
        """The share of the records that these answers (k, d+1) put into the other class; of many, always the same 1,000."""
        target: Any = self.scenario.target
        return float(target.misclassified(answers, self._records).mean())

    @property
    def _judged(self) -> Database:
        return self.exact.database if self.judged is None else self.judged

    @property
    def _records(self) -> Database:
        size = len(self._judged)
        return self._judged[np.random.default_rng(SEED).permutation(size)[:_MOST_CLASSIFIED]]

    def rows(self) -> list[Row]:
        """Each weight, and how far its private versions lie from it."""
        widths = self.of_both(lambda noise: map(figure, self.within(noise.law).tolist()))
        return [
            {
                "of": label,
                self.exact.name: figure(value),
                f"± sampled, 95 in 100{ALONE}": near,
                f"± worst case, 95 in 100{ALONE}": far,
            }
            for label, value, (near, far) in zip(self.answer.labels, self.value.tolist(), widths, strict=True)
        ]

    def within(self, law: Any) -> FloatArray:
        """How far from each weight, and the bias, 95 in 100 of the private ones lie."""
        if isinstance(law, NoiseLaw):
            return np.full(self.value.size, law.half_width(SHARE_WITHIN))
        return spread(self.responses(law) - self.value)


def few(share: float) -> str:
    """A share of records as it is to be trusted: of a simulation."""
    return "under 0.01 %" if 0 < share < 1e-4 else percent(float(f"{share:.2g}"))
