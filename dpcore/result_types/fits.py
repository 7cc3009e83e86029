"""Answers that are fitted to columns: a line or plane, a linear classifier, and a curve."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import features
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval
from dpcore.base.columns import Column
from dpcore.base.polynomials import BernsteinPolynomial
from dpcore.base.serialization import to_plain
from dpcore.base.text import in_full
from dpcore.result_types.kind import KindOfAnswer, margins, simulated
from dpcore.result_types.numbers import Numbers, label_of

INTERCEPT = "intercept"
_FIRST = 3  # features of a line in a row of a ledger
_LINES, _CLASSIFIERS = 2_000, 4_000  # simulated responses behind a margin
_FEWEST = 100  # of the simulated lines must be possible
_RULE = "is predicted if the weights times the features, and the bias, add up to more than 0"


class LineTarget(Protocol):
    """A target whose answer is a line, or the numbers that a line is computed from. Features and label have public bounds."""

    @property
    def y_bounds(self) -> Interval:
        """The bounds of the label."""

    @property
    def categories(self) -> features.Categories:
        """The number of categories of each feature, 0 for a number; () if all are numbers."""

    @property
    def spans(self) -> tuple[Interval, ...]:
        """The bounds of each slope's feature, d of them."""

    def seen(self, database: Database, /) -> tuple[FloatArray, FloatArray]:
        """Return features and label in their own units, clipped to their bounds: (n, columns) -> (n, d), (n,)."""

    def coefficients(self, responses: FloatArray, scale: float, /) -> FloatArray:
        """Return slopes and intercept, for features and a label scaled to [−1, 1] between their bounds: (k, q) -> (k, d+1).

        ``scale`` is the public scale of the noise in the responses.
        """

    def possible(self, responses: FloatArray, /) -> NDArray[np.bool_]:
        """Return which responses some table could have without noise, as far as is known: (k, q) -> (k,)."""

    def restored(self, responses: FloatArray, /) -> FloatArray:
        """Return the noisy numbers without the public factors that noise shares divided them by: (k, q) -> (k, q)."""


@final
@dataclass(frozen=True, slots=True)
class FittedLine(KindOfAnswer):
    """A line or plane that predicts a label from features, with coefficients in the columns' own units.

    Args:
        labels: A name for each slope and for the intercept.
        target: The target, which computes coefficients from a response.
        columns: The features, and the label last.
        scale: The scale of the noise in the responses, 0 without noise. How a line is computed may depend on it.

    Examples:
        >>> from dpcore import Column, targets
        >>> ridge = targets.Ridge(((0.0, 100.0),), (0.0, 400.0))
        >>> line = FittedLine.of(ridge, (Column("age", unit="years"), Column("cost", unit="€")))
        >>> line.parts(np.array([0.5, 0.1]))
        (('age', '2 € for +1 years'), ('intercept', '120 €'))
    """

    labels: tuple[str, ...] = field()
    target: LineTarget
    columns: tuple[Column, ...] = ()
    scale: float = 0.0
    unit: ClassVar[str] = ""  # each coefficient has its own

    @classmethod
    def of(cls, target: LineTarget, columns: tuple[Column, ...]) -> FittedLine:
        """Return the answer of a target on these columns."""
        names = features.names(label_of(columns[:-1]), columns[:-1], target.categories)
        return cls((*names, INTERCEPT), target, columns)

    def under(self, scale: float, /) -> FittedLine:
        """Return the same kind, for responses under noise of this scale."""
        return replace(self, scale=scale)

    @property
    def predicted(self) -> str:
        """The label's name."""
        return label_of(self.columns[-1:])[0] if self.columns else "label"

    @property
    def predicted_unit(self) -> str:
        """The label's unit."""
        return self.columns[-1].unit if self.columns else ""

    def coefficients(self, responses: FloatArray, /, *, scale: float | None = None) -> FloatArray:
        """Return slopes and intercept in the columns' own units, of y = mid + half·(a + Σ w_j·(x_j − mid_j)/half_j).

        Args:
            responses: Responses, shape (k, q).
            scale: The scale of their noise, if it is not this answer's.

        Returns:
            Coefficients, shape (k, d+1).
        """
        scaled = self.target.coefficients(responses, self.scale if scale is None else scale)
        (middles, halves), (middle, half) = _middles(self.target.spans), _middles((self.target.y_bounds,))
        slopes = half * scaled[:, :-1] / halves
        return np.column_stack([slopes, middle + half * scaled[:, -1] - slopes @ middles])

    def within(self, law: Any, response: FloatArray, share: float, /) -> tuple[float, ...] | None:
        """Return the margin of each released coefficient; None if the noise leaves the line open (mathematics, section 18.4).

        The numbers without noise may have been the release less simulated noise, if some table has such numbers. So the margin
        depends only on the release.
        """
        before = 2 * response - simulated(law, response, _LINES)
        before = before[self.target.possible(before)]
        if len(before) < _FEWEST:
            return None
        return margins(self.coefficients(before, scale=0.0) - self.coefficients(response[None], scale=law.scale), share)

    def brief(self, response: FloatArray, /) -> str:
        """Return the line with its first features."""
        *slopes, intercept = self.coefficients(response[None])[0]
        terms = [
            f"{'−' if slope < 0 else '+'} {in_full(abs(slope))}·{name}" for slope, name in zip(slopes, self.labels, strict=False)
        ]
        return f"{self.predicted} = {in_full(intercept)} {' '.join(terms[:_FIRST])}{' …' * (len(terms) > _FIRST)}"

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Return each slope in its unit, "10.2 mmHg for +1 years", and the intercept."""
        up = f" {self.predicted_unit}" if self.predicted_unit else ""
        units = (*(f"{up} {step}" for step in self._steps), up)
        values = self.coefficients(response[None])[0]
        return tuple((name, f"{in_full(value)}{unit}") for name, value, unit in zip(self.labels, values, units, strict=True))

    @property
    def _steps(self) -> list[str]:
        """The step that each slope is for: one more of its unit, or a category other than the first."""
        steps: list[str] = []
        for column, count in zip(self.columns[:-1], self.target.categories or (0,) * len(self.columns), strict=False):
            first = column.coded.category_names[0] if count else ""
            one = f"for +1{f' {column.unit}' if column.unit else ''}"
            steps += [f"more than for {first}"] * (count - 1) if count else [one]
        return steps

    def plain(self, response: FloatArray, /) -> dict[str, Any]:
        """Return the coefficients in the columns' own units, and the noisy numbers that they are computed from."""
        own = dict(zip(self.labels, self.coefficients(response[None])[0].tolist(), strict=True))
        return {**own, "released numbers": self.target.restored(response).tolist()}


@final
@dataclass(frozen=True, slots=True)
class Classifier(KindOfAnswer):
    """A linear classifier: a weight for each feature and a bias, of a classifier target.

    A response is (w, b) for features scaled to [0, 1]. People read it for features in their own units.

    Args:
        labels: A name for each weight and for the bias.
        spans: The bounds of each feature; () if people read the response as it is.
        classes: The names of both classes, the first where w·x + b is at most 0.
        centred: Whether the bias of a response is that of features scaled to [−½, ½].
        untold: The question that the response does not answer, and why; '' if there is none.

    Examples:
        >>> Classifier(("age", "bias"), spans=((10.0, 20.0),), classes=("no", "yes")).parts(np.array([1.0, 2.5]))[:2]
        (('age', '0.1'), ('bias', '1.5'))
    """

    labels: tuple[str, ...] = field()
    spans: tuple[Interval, ...] = ()
    classes: tuple[str, str] = ("0", "1")
    centred: bool = False
    untold: str = ""
    unit: ClassVar[str] = ""  # a weight has none

    def weights(self, response: FloatArray, /) -> FloatArray:
        """Return weights and bias in the features' units, w_j/width_j and b − Σ w_j·low_j/width_j: (..., d+1) -> (..., d+1)."""
        if self.centred:
            middle = response[..., :-1].sum(axis=-1, keepdims=True) / 2
            response = np.concatenate([response[..., :-1], response[..., -1:] - middle], axis=-1)
        if not self.spans:
            return response
        low, high = np.array(self.spans).T
        weights = response[..., :-1] / (high - low)
        return np.concatenate([weights, response[..., -1:] - (weights @ low)[..., None]], axis=-1)

    def within(self, law: Any, response: FloatArray, share: float, /) -> tuple[float, ...] | None:
        """Return the margin of each weight and of the bias; None if a second step, which depends on the table, chose the bias."""
        if law.half_width is None:
            return None
        return margins(self.weights(simulated(law, response, _CLASSIFIERS)) - self.weights(response), share)

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Return each weight, the bias, how to read them, and the question that they do not answer."""
        untold = (("not told", self.untold),) if self.untold else ()
        return (*self._numbers.parts(self.weights(response)), (self.classes[1], _RULE), *untold)

    def plain(self, response: FloatArray, /) -> dict[str, Any]:
        """Return a number for each label, and the released numbers, whose noise has the stated scale."""
        return {**self._numbers.plain(self.weights(response)), "released numbers": response.tolist()}

    @property
    def _numbers(self) -> Numbers:
        """Weights and bias as numbers; the bias of ``weights`` is the usual one, whatever the response's is called."""
        return Numbers((*self.labels[:-1], "bias"))


@final
@dataclass(frozen=True, slots=True)
class FittedCurve(KindOfAnswer):
    """A curve over one dimension or more; a response is a ``BernsteinPolynomial``.

    Args:
        labels: A name for each axis, the height's last.
        unit: The unit of the height.

    Examples:
        >>> FittedCurve(("x", "density")).brief(BernsteinPolynomial(np.array([0.0, 1.0, 0.0]), 2, ((0.0, 1.0),)))
        'a curve of degree 2'
    """

    labels: tuple[str, ...] = field()
    unit: str = ""
    after: ClassVar[str] = ""

    def brief(self, response: BernsteinPolynomial, /) -> str:
        """Return the degree."""
        return f"a curve of degree {response.degree:,}"

    def parts(self, response: BernsteinPolynomial, /) -> tuple[tuple[str, str], ...]:
        """Return the degree, and a note on the coefficients."""
        return (("The curve", f"a polynomial of degree {response.degree:,}; its coefficients are in the JSON below"),)

    def plain(self, response: BernsteinPolynomial, /) -> dict[str, Any]:
        """Return the coefficients, the degree and the domain."""
        plain: dict[str, Any] = to_plain(response)
        return plain


def _middles(bounds: tuple[Interval, ...]) -> tuple[FloatArray, FloatArray]:
    """Return the middle of each interval, and half its width."""
    low, high = np.array(bounds).T
    half = (high - low) / 2
    return low + half, half
