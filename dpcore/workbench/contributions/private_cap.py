"""A cap that is chosen privately, before it is: how likely each is, and how much worse than the best one it would be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.answers.choice import ChoosingLaw
from dpcore.base.bounds import Interval
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.workbench.contributions.asked import Asked
from dpcore.workbench.contributions.cap import Cap
from dpcore.workbench.contributions.counted_rows import CountedRows
from dpcore.workbench.contributions.predict import predict
from dpcore.workbench.contributions.terms import Terms


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class PrivateCap:
    """Of each number s of rows that may be chosen, (candidates,): ``caps``, the ``chances`` that it is, which add up to 1, and
    the ``errors``, the total of the answer that follows at this s, above 0.

    As confidential as the rows that it was made of: to be shown of public ones, or of simulated people.
    """

    caps: tuple[Cap, ...]
    chances: FloatArray
    errors: FloatArray

    @property
    def best(self) -> int:
        """The place of the first s with the least error."""
        return int(np.argmin(self.errors))

    @property
    def likeliest(self) -> int:
        """The place of the s that is most often chosen."""
        return int(np.argmax(self.chances))

    @property
    def error(self) -> float:
        """√(Σ P(s)·error(s)²): the root mean square error of choosing and answering together."""
        return float(np.sqrt(self.chances @ self.errors**2))

    @property
    def regrets(self) -> FloatArray:
        """error(s)/least − 1 at each s, (candidates,)."""
        return np.asarray(self.errors / self.errors.min() - 1)

    @property
    def regret(self) -> float:
        """Σ P(s)·(error(s)/least − 1): by which share the error is larger than that at the best s, on average over choices."""
        return float(self.chances @ self.regrets)

    def regret_within(self, share: float) -> float:
        """The least regret that so large a share of the choices does not exceed."""
        order = np.argsort(self.regrets, kind="stable")
        place = np.searchsorted(np.cumsum(self.chances[order]), share - 1e-12)
        return float(self.regrets[order[min(int(place), len(order) - 1)]])


def private_cap(
    law: ChoosingLaw, scores: FloatArray, candidates: Sequence[int],
    rows: CountedRows, asked: Asked, terms: Terms, bounds: Interval | None = None,
) -> PrivateCap:  # fmt: skip
    """What a choice among the ``candidates`` does to the answer on these rows.

    ``law``: of the choice, at its own ε. ``scores``: one a candidate, of the same people that ``rows`` are of. ``terms``: of the
    answer that follows, with what ε is left for it. InvalidValueError for scores of another number, and for terms and bounds
    that ``predict`` refuses.
    """
    if scores.shape != (len(candidates),):
        raise InvalidValueError("scores", f"one a candidate, ({len(candidates)},)", scores.shape)
    caps = tuple(Cap(rows_kept) for rows_kept in candidates)
    found = predict(rows, asked, terms, caps, None if bounds is None else (bounds,))
    return PrivateCap(caps=caps, chances=law.probabilities(scores), errors=found.totals[:, 0])
