"""The accuracy of private answers: one class for each kind of answer, each with one error.

The error is a function of the noise's scale, so a chart against ε, a headline and a slider all use the same values. It is
computed on a grid of scales and interpolated between them, on the page and in the browser alike.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np

from dpcore import Column
from dpcore.base.arrays import Database, FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from dpcore.result_types.fits import Classifier, FittedCurve, FittedLine
from dpcore.result_types.kind import Grouped, KindOfAnswer
from dpcore.result_types.matrix import Loadings, Matrix
from dpcore.result_types.numbers import Choice, Numbers, Place, Ratio, label
from pages.experiment.noise import UNREACHABLE, computable
from pages.experiment.scenario import Scenario, require

SEED = 2017  # the simulated noise is the same at each scale, so errors change smoothly
PER_DECADE = 16  # scales of the grid
LEAST_ERROR = 1e-12  # a logarithmic axis has no 0
_RESPONSES = 200  # simulated answers; an error is their average
_CLASSIFIED = 1_000  # rows
_CURVES = 60
_POINTS = 101  # points of a curve


@dataclass(frozen=True, eq=False)
class Accuracy(ABC):
    """The accuracy of private answers of one kind.

    Args:
        scenario: The scenario; only its target and mechanism are used.
        answer: The kind of answer.
        columns: The columns that the target takes.
        exact: The answer without noise, shape (d,).
        database: The table that the answer was computed from.
    """

    scenario: Scenario
    answer: Any
    columns: tuple[Column, ...]
    exact: FloatArray
    database: Database
    percent: ClassVar[bool] = False  # whether the error is a share
    _known: dict[int, float] = field(default_factory=dict, init=False)
    _at_epsilon: dict[tuple[float, float], float] = field(default_factory=dict, init=False)

    @property
    @abstractmethod
    def what(self) -> str:
        """The sense of the error, as the title of an axis."""

    @abstractmethod
    def error(self, law: Any) -> float:
        """Return the error for a noise distribution."""

    @property
    @abstractmethod
    def sentence(self) -> str:
        """The expected accuracy in a sentence, with ``{error}`` for the number."""

    @property
    def target(self) -> Any:
        """The scenario's target."""
        return self.scenario.target

    @property
    def unit(self) -> str:
        """The unit of the error."""
        return ""

    @property
    def without_privacy(self) -> float:
        """The error that remains without noise."""
        return 0.0

    @cached_property
    def law(self) -> Any:
        """The noise distribution at scale 1; for a two-step mechanism, that of its first step at some scale."""
        scenario = self.scenario
        # At ε = 1/2 every mechanism has noise. The classical Gaussian mechanism needs ε < 1.
        law: Any = scenario.mechanism.law(scenario.target, 1.0, replace(scenario.privacy, epsilon=0.5))
        return replace(law, scale=1.0) if not law.asks_again else law

    @property
    def in_scale(self) -> bool:
        """True if the error depends only on the scale. Two-step mechanisms have a second step with its own ε."""
        return not self.law.asks_again

    def at_scale(self, scale: float) -> float:
        """Return the error for a scale, interpolated in logarithms between the grid's points."""
        if not 0 < scale < math.inf:
            return math.nan
        place = math.log10(scale) * PER_DECADE
        low = math.floor(place)
        return math.exp(self._log_error(low) * (low + 1 - place) + self._log_error(low + 1) * (place - low))

    def grid(self, low: float, high: float) -> tuple[int, list[float]]:
        """Return errors on the grid of scales.

        Args:
            low: A scale; the grid starts below it.
            high: A scale; the grid ends above it.

        Returns:
            The index of the first scale, and the logarithms of the errors.
        """
        first, last = (math.floor(math.log10(scale) * PER_DECADE) for scale in (low, high))
        return first, [self._log_error(place) for place in range(first, last + 2)]

    def _log_error(self, place: int) -> float:
        if place not in self._known:
            law = replace(self.law, scale=10 ** (place / PER_DECADE))
            self._known[place] = math.log(max(self.error(law), LEAST_ERROR))
        return self._known[place]

    def at(self, law: Any) -> float:
        """Return the error for a calibrated noise distribution. It is interpolated if it depends only on the scale."""
        return self.at_scale(law.scale) if self.in_scale else self.error(law)

    def at_epsilon(self, sensitivity: float, epsilon: float) -> float:
        """Return the error at a sensitivity and an ε.

        Args:
            sensitivity: The sensitivity that the noise is calibrated to.
            epsilon: ε.

        Returns:
            The error, or NaN if the mechanism has no noise for these values.
        """
        scenario, key = self.scenario, (sensitivity, epsilon)
        if key not in self._at_epsilon:
            self._at_epsilon[key] = math.nan
            with suppress(*UNREACHABLE):
                law = scenario.mechanism.law(scenario.target, sensitivity, replace(scenario.privacy, epsilon=epsilon))
                self._at_epsilon[key] = self.at(law)
        return self._at_epsilon[key]

    def said(self, error: float) -> str:
        """Return an error as text, without its unit."""
        return f"{figure(100 * error)}%" if self.percent else figure(error)

    def simulated(self, law: Any, size: int = _RESPONSES) -> FloatArray:
        """Return simulated answers, shape (size, d). The noise is the same at each scale.

        Args:
            law: The noise distribution.
            size: Number of answers.
        """
        return np.asarray(law.on(self.database).simulate(self.exact, size=size, rng=np.random.default_rng(SEED)))


class Margins(Accuracy):
    """Numbers whose error is a margin of error: 95% of the private ones are within ± ``error`` of the exact ones."""

    what: ClassVar[str] = "margin of error, 95%"

    @property
    def centre_name(self) -> str:
        """Name of the value that the margin of error is around."""
        return "exact one"

    @property
    def unit(self) -> str:
        return str(self.answer.unit)

    @property
    def sentence(self) -> str:
        return f"The private {{answer}} is within ± {{error}} of the {self.centre_name}, 95% of the time."


@final
class NumbersAccuracy(Margins):
    """One number or several, each with the same independent noise."""

    def error(self, law: Any) -> float:
        return float(law.half_width(SHARE_WITHIN)) if isinstance(law, NoiseLaw) else float(law.scale)

    @property
    def sentence(self) -> str:
        if self.exact.size == 1:
            return super().sentence
        return f"Each of the {self.exact.size:,} private numbers is within ± {{error}} of the exact one, 95% of the time."


@final
class RatioAccuracy(Margins):
    """A mean of the known values: a noisy sum divided by a noisy count."""

    @computable
    def error(self, law: Any) -> float:
        return float(self.answer.spread(law, self.exact, SHARE_WITHIN))


@final
class GroupedAccuracy(Margins):
    """One answer for each group; the error is the largest one of all groups."""

    what: ClassVar[str] = "largest margin of error, 95%"

    @cached_property
    def groups(self) -> tuple[Margins, ...]:
        """The accuracy of each group."""
        parts = self.answer.split(self.exact)
        each = [accuracy_of(self.scenario, self.answer.of, self.columns, part, self.database) for part in parts]
        found = tuple(one for one in each if isinstance(one, Margins))
        require(len(found) == len(each), "answer of each group", "one number or several", type(self.answer.of).__name__)
        return found

    @computable
    def error(self, law: Any) -> float:
        return max(group.error(law) for group in self.groups)

    @property
    def sentence(self) -> str:
        return f"Each of the {len(self.groups):,} groups’ answers is within ± {{error}} of the exact one, 95% of the time."


@final
class PlaceAccuracy(Margins):
    """A value between bounds that a mechanism selects, such as a quantile."""

    @property
    def centre_name(self) -> str:
        return "exact one" if self.target.scores_of is None else "blocks’ median"

    @cached_property
    def places(self) -> FloatArray:
        """The candidates in ascending order."""
        return np.array(self.target.candidates, dtype=np.float64)

    @cached_property
    def centre(self) -> float:
        """The middle of the candidates with the largest score."""
        best = self.places[self.exact == self.exact.max()]
        return float(best[0] + (best[-1] - best[0]) / 2)

    @cached_property
    def distances(self) -> FloatArray:
        """The distance of each candidate to the centre."""
        return np.abs(self.places - self.centre)

    @cached_property
    def order(self) -> Any:
        """Indices of the candidates, the nearest to the centre first."""
        return np.argsort(self.distances)

    @computable
    def error(self, law: Any) -> float:
        covered = np.cumsum(law.probabilities(self.exact)[self.order])
        last = min(int(np.searchsorted(covered, SHARE_WITHIN)), len(covered) - 1)
        return float(self.distances[self.order[last]])


@final
class ChoiceAccuracy(Accuracy):
    """One of several candidates; the error is the probability that the best one is not selected."""

    what: ClassVar[str] = "how often another candidate is chosen"
    percent: ClassVar[bool] = True

    @property
    def best(self) -> list[int]:
        """Indices of the candidates with the largest score."""
        return np.flatnonzero(self.exact == self.exact.max()).tolist()

    @computable
    def error(self, law: Any) -> float:
        return float(1 - law.probabilities(self.exact)[self.best].sum())

    @property
    def sentence(self) -> str:
        names = ", ".join(f"“{braced(label(one))}”" for one in self.law.winners(self.exact)[:3])
        which = "candidate" if len(self.best) == 1 else "candidates"
        return f"The private choice misses the exact best {which}, {names}, {{error}} of the time."


@final
class CurveAccuracy(Accuracy):
    """A curve, released as a Bernstein polynomial; the error is the RMS distance over its domain."""

    what: ClassVar[str] = "distance of the curve, RMS"

    @cached_property
    def points(self) -> FloatArray:
        """Points at which the curve is drawn and compared, shape (p, 1)."""
        (low, high), *more = self.target.domain
        require(not more, "curve", "over one column", len(more) + 1)
        return np.linspace(low, high, _POINTS)[:, None]

    @cached_property
    @computable
    def curve(self) -> FloatArray:
        """The exact curve at the points."""
        with np.errstate(all="ignore"):
            return np.asarray(self.target.curve.values(self.database, self.points))

    @cached_property
    def polynomial(self) -> FloatArray:
        """The Bernstein polynomial of the exact curve at the points."""
        return np.asarray(self.law.polynomial(self.exact)(self.points))

    @cached_property
    def noise_curves(self) -> FloatArray:
        """Curves of noise of scale 1 at the points, shape (60, p).

        A private curve is the polynomial plus ``scale`` times one of them, clipped to the range of the curve.
        """
        law = replace(self.law, clip=None)
        drawn = law.simulate(np.zeros_like(self.exact), size=_CURVES, rng=np.random.default_rng(SEED))
        return np.asarray(law.curves(drawn, self.points))

    @computable
    def error(self, law: Any) -> float:
        private = self.polynomial + law.scale * self.noise_curves
        return rms((private if law.clip is None else np.clip(private, *law.clip)) - self.curve)

    @property
    def without_privacy(self) -> float:
        return rms(self.polynomial - self.curve)

    @property
    def sentence(self) -> str:
        rest = self.said(self.without_privacy)
        return f"A private curve is about {{error}} away from the exact one (RMS), of which {rest} is due to its polynomial."


@final
class LineAccuracy(Accuracy):
    """A line or plane; the error is the RMS error of its predictions."""

    what: ClassVar[str] = "error of prediction, RMS"

    @property
    def unit(self) -> str:
        return str(self.answer.predicted_unit)

    @cached_property
    def data(self) -> tuple[FloatArray, FloatArray]:
        """Features, shape (n, d), and labels, shape (n,), as the line takes them."""
        seen: tuple[FloatArray, FloatArray] = self.answer.target.seen(self.database)
        return seen

    @cached_property
    def line(self) -> FloatArray:
        """Slopes and intercept without noise, shape (d+1,)."""
        return np.asarray(self.answer.coefficients(self.exact[None], scale=0.0)[0])

    def lines(self, law: Any, size: int = _RESPONSES) -> FloatArray:
        """Return simulated private lines, shape (size, d+1).

        Args:
            law: The noise distribution.
            size: Number of lines.
        """
        return np.asarray(self.answer.coefficients(self.simulated(law, size), scale=law.scale))

    @computable
    def error(self, law: Any) -> float:
        return float(self._errors(self.lines(law)).mean())

    @cached_property
    def without_privacy(self) -> float:
        return float(self._errors(self.line[None])[0])

    def _errors(self, lines: FloatArray) -> FloatArray:
        """Return √(l·M·l) for each line l, with M the mean of (x, 1, −y)².

        x and y are centred at their means to avoid cancellation.
        """
        features, labels = self.data
        middle, level = features.mean(axis=0), float(labels.mean())
        rows = np.column_stack([features - middle, np.ones(len(labels)), level - labels])
        moments = rows.T @ rows / len(labels)
        about = np.column_stack([lines[:, :-1], lines[:, -1] + lines[:, :-1] @ middle - level, np.ones(len(lines))])
        return np.asarray(np.sqrt(np.maximum(np.einsum("ki,ij,kj->k", about, moments, about), 0.0)))

    @property
    def sentence(self) -> str:
        exact = f"{self.said(self.without_privacy)}{' ' * bool(self.unit)}{braced(self.unit)}"
        return f"A private line predicts with an error of {{error}} (RMS), the exact line with {exact}."


@final
class ClassifierAccuracy(Accuracy):
    """A linear classifier; the error is the share of rows that it misclassifies."""

    what: ClassVar[str] = "misclassified rows"
    percent: ClassVar[bool] = True

    @cached_property
    def rows(self) -> Database:
        """The rows that are classified: all, or a fixed sample of 1,000."""
        return self.database[np.random.default_rng(SEED).permutation(len(self.database))[:_CLASSIFIED]]

    @cached_property
    def weights(self) -> FloatArray:
        """Weights and bias without noise, shape (d+1,)."""
        return np.asarray(self.law.on(self.database).without_noise(self.exact))

    @computable
    def error(self, law: Any) -> float:
        return self._misclassified(self.simulated(law, _RESPONSES if self.in_scale else _RESPONSES // 4))

    @cached_property
    def without_privacy(self) -> float:
        return self._misclassified(self.weights[None])

    def _misclassified(self, weights: FloatArray) -> float:
        return float(self.target.misclassified(weights, self.rows).mean())

    @property
    def sentence(self) -> str:
        exact = self.said(self.without_privacy)
        return f"A private classifier misclassifies {{error}} of the rows, the exact one {exact}."


@final
class MatrixAccuracy(Accuracy):
    """Covariances or correlations; the error is the RMS error of the informative entries."""

    @property
    def what(self) -> str:
        return f"error of a {self.answer.called}, RMS"

    @cached_property
    def matrix(self) -> FloatArray:
        """The matrix without noise, of columns scaled to −1…1, shape (d, d)."""
        return np.asarray(self.answer.matrices(self.exact[None], scale=0.0)[0])

    def matrices(self, law: Any, size: int = _RESPONSES) -> FloatArray:
        """Return simulated private matrices, shape (size, d, d).

        Args:
            law: The noise distribution.
            size: Number of matrices.
        """
        return np.asarray(self.answer.matrices(self.simulated(law, size), scale=law.scale))

    @computable
    def error(self, law: Any) -> float:
        return rms(self.answer.entries(np.abs(self.matrices(law) - self.matrix)))

    @property
    def sentence(self) -> str:
        scaled = "" if self.answer.correlations else " after scaling each column to −1…1"
        return f"An entry of the private matrix is off by about {{error}} (RMS{scaled})."


@final
class LoadingsAccuracy(Accuracy):
    """A principal component; the error is the mean angle between private directions and the exact one."""

    what: ClassVar[str] = "angle to the exact direction"
    unit: ClassVar[str] = "degrees"

    def directions(self, law: Any, size: int = _RESPONSES) -> FloatArray:
        """Return simulated private loadings and shares of variance, shape (size, d+1).

        Args:
            law: The noise distribution.
            size: Number of directions.
        """
        return np.asarray(self.answer.directions(self.simulated(law, size)))

    @computable
    def error(self, law: Any) -> float:
        cosines = self.directions(law)[:, :-1] @ self.exact[:-1]
        return float(np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))).mean())

    @property
    def sentence(self) -> str:
        share = self.exact[-1]
        return f"A private direction is off by {{error}} on average; {share:.0%} of the variance lies along the exact one."


_KINDS: dict[type, type[Accuracy]] = {
    Numbers: NumbersAccuracy,
    Ratio: RatioAccuracy,
    Grouped: GroupedAccuracy,
    Place: PlaceAccuracy,
    Choice: ChoiceAccuracy,
    FittedCurve: CurveAccuracy,
    FittedLine: LineAccuracy,
    Classifier: ClassifierAccuracy,
    Matrix: MatrixAccuracy,
    Loadings: LoadingsAccuracy,
}


def accuracy_of(
    scenario: Scenario, answer: KindOfAnswer, columns: tuple[Column, ...], exact: FloatArray, database: Database
) -> Accuracy:
    """Return the accuracy for a kind of answer.

    Args:
        scenario: The scenario.
        answer: The kind of answer.
        columns: The columns that the target takes.
        exact: The answer without noise, shape (d,).
        database: The table that the answer was computed from.

    Raises:
        InvalidValueError: If the page cannot show this kind of answer.
    """
    known = ", ".join(one.__name__ for one in _KINDS)
    require(type(answer) in _KINDS, "answer", f"of a kind that the page can show: {known}", type(answer).__name__)
    return _KINDS[type(answer)](scenario, answer, columns, exact, database)


def braced(text: str) -> str:
    """Escape the braces of a text that is inserted into a template."""
    return text.replace("{", "{{").replace("}", "}}")


def rms(values: FloatArray) -> float:
    """Return the root of the mean square."""
    return float(np.sqrt(np.mean(values**2)))
