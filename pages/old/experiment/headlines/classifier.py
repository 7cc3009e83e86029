"""A classifier: how many records a private one misclassifies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.words import percent
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import law_on, without_noise
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import SEED, Headline

_RESPONSES, _MOST_CLASSIFIED = 200, 1_000  # draws of the noise, and records, that an error is the average over
_FEWEST, _MOST, _MOST_ASKED = 20, 100, 2_000_000  # draws where each asks all records again, and records asked


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ClassifierHeadline(Headline):
    """Its errors are of the records that the answer was made from."""

    nothing_lost: ClassVar[float | None] = 0.01

    def reach(self, noise: Calibrated[Any]) -> str:
        """On the records that it was fitted to."""
        private, exact = few(self.error(noise.law)), few(self.least_error)
        return f"a private boundary misclassifies about {private} of the fitted rows (without noise {exact})"

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
        tries = len(responses) * min(len(self.exact.database), _MOST_CLASSIFIED)
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
    def _records(self) -> Database:
        size = len(self.exact.database)
        return self.exact.database[np.random.default_rng(SEED).permutation(size)[:_MOST_CLASSIFIED]]


def few(share: float) -> str:
    """A share of records as it is to be trusted: of a simulation."""
    return "under 0.01 %" if 0 < share < 1e-4 else percent(float(f"{share:.2g}"))
