"""A classifier: how many records a private one misclassifies."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.words import percent
from dpcore.mechanisms.base import Calibrated
from dpcore.sampling.blocks import generator
from dpcore.workbench.computable import computable
from dpcore.workbench.headlines.base import SEED, Headline, Row
from dpcore.workbench.headlines.numbers import NumbersHeadline, moved_together

_RESPONSES, _MOST_CLASSIFIED = 200, 1_000  # draws of the noise, and records, that an error is the average over


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ClassifierHeadline(Headline):
    """Its errors are of the records that the answer was made from, and of fresh ones where there is an oracle of them."""

    error_words: ClassVar[str] = "share of fitted records misclassified"
    of_this_answer: ClassVar[bool] = True

    def reach(self, noise: Calibrated[Any]) -> str:
        """On the records that it was fitted to."""
        private, exact = few(self.error(noise.law)), few(self.least_error)
        return f"a private boundary misclassifies about {private} of the records it was fitted to, the one without noise {exact}"

    def on_fresh_records(self, noise: Calibrated[Any]) -> str:
        """On records of the oracle."""
        other = self.afresh
        if other is None:
            return ""
        private, exact = few(other.error(noise.law)), few(other.least_error)
        return f"On fresh made-up records it is about {private}, and {exact} without noise."

    @property
    def afresh(self) -> ClassifierHeadline | None:
        """The same answer beside 1,000 records that it was not fitted to: of the oracle's law, and not of the table's."""
        if self.fresh is None:
            return None
        drawn = self.fresh.draw(1, _MOST_CLASSIFIED, rng=generator(self.scenario.seed, 0, 5))[0]
        return replace(self, exact=replace(self.exact, database=drawn))

    def moved(self, *, once: bool = False) -> str:
        """Weights and bias, in the norm."""
        return moved_together("weights and bias", self.scenario.norm, once=once)

    @property
    def least_error(self) -> float:
        """What the answer itself misclassifies."""
        return self.misclassified(self.exact.value[None])

    @computable
    def error(self, law: Any) -> float:
        """The share that private answers misclassify. What was not seen is not impossible, and a logarithmic axis has no 0."""
        responses = law.simulate(self.exact.value, size=_RESPONSES, rng=np.random.default_rng(SEED))
        tries = _RESPONSES * min(len(self.exact.database), _MOST_CLASSIFIED)
        return (self.misclassified(responses) * tries + 0.5) / (tries + 1)

    def misclassified(self, answers: FloatArray) -> float:
        """The share of the records that these answers (k, d+1) put into the other class; of many, always the same 1,000."""
        target: Any = self.scenario.target
        return float(target.misclassified(answers, self._records).mean())

    @property
    def _records(self) -> Database:
        size = len(self.exact.database)
        return self.exact.database[np.random.default_rng(SEED).permutation(size)[:_MOST_CLASSIFIED]]

    def rows(self) -> list[Row]:
        """Each weight, and how far its private versions lie from it."""
        return self._as_numbers.rows()

    def together(self, noise: Calibrated[Any]) -> str:
        """Nothing: its headline is of records, and not of weights."""
        return ""

    @property
    def _as_numbers(self) -> NumbersHeadline:
        return NumbersHeadline(**{part.name: getattr(self, part.name) for part in fields(self)})


def few(share: float) -> str:
    """A share of records as it is to be trusted: of a simulation."""
    return "under 0.01 %" if 0 < share < 1e-4 else percent(float(f"{share:.2g}"))
