"""A straight line, or a plane: what a label is predicted to be from features, with its coefficients in the columns' own units."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import features
from dpcore.base.bounds import Interval
from dpcore.base.declared import Column
from dpcore.base.rounded import in_full
from dpcore.base.types import Database, FloatArray
from dpcore.result_types.kind import KindOfAnswer
from dpcore.result_types.numbers import label_of

INTERCEPT = "intercept"
_FIRST = 3  # features of a line in a row of a ledger
_DRAWS, _SEED = 2_000, 2017  # of the noise, always the same
_FEWEST = 100  # of these must be possible


class LineTarget(Protocol):
    """A target whose answer is a line, or what a line is computed from: features and label have public bounds.

    ``moves``: what moves between two neighbours, in words.
    """

    @property
    def x_bounds(self) -> tuple[Interval, ...]: ...

    @property
    def y_bounds(self) -> Interval: ...

    @property
    def categories(self) -> features.Categories: ...

    @property
    def spans(self) -> tuple[Interval, ...]: ...

    def seen(self, database: Database, /) -> tuple[FloatArray, FloatArray]:
        """Features and label of records in their own units, clipped: (n, columns) -> (n, d), (n,)."""

    @property
    def moves(self) -> str: ...

    def coefficients(self, responses: FloatArray, scale: float, /) -> FloatArray:
        """Of responses under noise of this public scale the slopes and the intercept, features and label from −1 to 1 between
        their bounds: (k, q) -> (k, d+1)."""

    def possible(self, responses: FloatArray, /) -> NDArray[np.bool_]:
        """Which of them some table could have without noise, as far as is known: (k, q) -> (k,)"""

    def restored(self, responses: FloatArray, /) -> FloatArray:
        """The noisy numbers themselves, where a response has them divided by public shares of the noise: (k, q) -> (k, q)"""


@final
@dataclass(frozen=True, slots=True)
class FittedLine(KindOfAnswer):
    """``labels``: of the features and of the intercept. ``columns``: the features and the label, the last. ``scale``: of the
    noise in the responses that it reads, 0 where there is none; how a line is computed from noisy numbers may depend on it."""

    labels: tuple[str, ...] = field()
    unit: str = ""  # coefficients have one each
    columns: tuple[Column, ...] = ()
    target: LineTarget | None = None
    scale: float = 0.0
    after: ClassVar[str] = ""
    moved_after: ClassVar[str] = ""

    @classmethod
    def of(cls, target: LineTarget, columns: tuple[Column, ...]) -> FittedLine:
        """The answer of a target on these columns."""
        names = features.names(label_of(columns[:-1]), columns[:-1], target.categories)
        return cls((*names, INTERCEPT), columns=columns, target=target)

    def under(self, scale: float, /) -> FittedLine:
        """The same, of responses under noise of this scale."""
        return replace(self, scale=scale)

    @staticmethod
    def asked(columns: tuple[Column, ...], way: str) -> str:
        """What is asked, in a few words: "Progression predicted from Age, Sex, by ridge regression"."""
        *features, label = label_of(columns)
        return f"{label} predicted from {', '.join(features)}, {way}"

    @property
    def predicted(self) -> str:
        """The label's name."""
        return label_of(self.columns[-1:])[0] if self.columns else "label"

    @property
    def predicted_unit(self) -> str:
        """The unit of what is predicted."""
        return self.columns[-1].unit if self.columns else ""

    def own(self, responses: FloatArray, /, *, scale: float | None = None) -> FloatArray:
        """Slopes and intercept in the columns' own units, (k, q) -> (k, d+1): y = mid + half·(a + Σ w_j·(x_j − mid_j)/half_j)."""
        if self.target is None:
            return responses
        coefficients = self.target.coefficients(responses, self.scale if scale is None else scale)
        (middles, halves), (middle, half) = _middles(self.target.spans), _middles((self.target.y_bounds,))
        slopes = half * coefficients[:, :-1] / halves
        return np.column_stack([slopes, middle + half * coefficients[:, -1] - slopes @ middles])

    def features(self, database: Database, /) -> tuple[FloatArray, FloatArray]:
        """Features and label of records as the line sees them, clipped to their bounds: (n, d+1) -> (n, d), (n,)."""
        assert self.target is not None
        return self.target.seen(database)

    def within(self, law: Any, response: FloatArray, share: float, /) -> tuple[float, ...] | None:
        """Within which distance of each released coefficient that of the line without noise lies, with that share as odds.

        What the numbers without noise may have been is the release less simulated noise, as far as some table has such numbers;
        so it asks no table. None where hardly any is possible: the noise then leaves the line open (mathematics, section 18.4).
        """
        if self.target is None:
            return None
        before = 2 * response - law.simulate(response, size=_DRAWS, rng=np.random.default_rng(_SEED))
        before = before[self.target.possible(before)]
        if len(before) < _FEWEST:
            return None
        away = np.abs(self.own(before, scale=0.0) - self.own(response[None], scale=law.scale))
        return tuple(np.quantile(away, share, axis=0).tolist())

    def brief(self, response: FloatArray, /) -> str:
        """The line, of its first features."""
        *slopes, intercept = self.own(response[None])[0]
        terms = [f"{_signed(slope)}·{name}" for slope, name in zip(slopes, self.labels, strict=False)]
        return f"{self.predicted} = {in_full(intercept)} {' '.join(terms[:_FIRST])}{' …' * (len(terms) > _FIRST)}"

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Each slope in its unit, and the intercept."""
        return tuple((name, text) for name, text in zip(self.labels, self.texts(self.own(response[None])[0]), strict=True))

    def texts(self, coefficients: FloatArray, /) -> tuple[str, ...]:
        """Coefficients in their own units, in words: "10.2 mmHg for +1 years"."""
        up = f" {self.predicted_unit}" if self.predicted_unit else ""
        units = [f"{up} {step}" for step in self._steps]
        return tuple(f"{in_full(value)}{unit}" for value, unit in zip(coefficients, (*units, up), strict=True))

    @property
    def _steps(self) -> list[str]:
        """What each slope is for: one more of its unit, or another category than the first."""
        counts = () if self.target is None else self.target.categories
        steps: list[str] = []
        for column, count in zip(self.columns[:-1], counts or (0,) * len(self.columns), strict=False):
            first = column.coded.category_names[0] if count else ""
            one = f"for +1{f' {column.unit}' if column.unit else ''}"
            steps += [f"more than for {first}"] * (count - 1) if count else [one]
        return steps

    def plain(self, response: FloatArray, /) -> dict[str, Any]:
        """As JSON: each slope and the intercept in the columns' own units, and the noisy numbers that they are computed from."""
        own = dict(zip(self.labels, self.own(response[None])[0].tolist(), strict=True))
        return own if self.target is None else {**own, "released numbers": self.target.restored(response).tolist()}


def _middles(bounds: tuple[Interval, ...]) -> tuple[FloatArray, FloatArray]:
    """The middle of each interval, and half its width."""
    low, high = np.array(bounds).T
    half = (high - low) / 2
    return low + half, half


def _signed(value: float) -> str:
    return f"{'−' if value < 0 else '+'} {in_full(abs(value))}"
