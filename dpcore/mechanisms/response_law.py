"""The law of a response: the distribution that a mechanism calibrates and a release draws from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import L1
from dpcore.base.types import Offered

NORMAL, LAPLACE, GEOMETRIC = "normal", "laplace", "geometric"
SHARE_WITHIN = 0.95  # of responses, within a margin
_HALVINGS = 50


@final
@dataclass(frozen=True, slots=True)
class Sampling:
    """The statement of a law about how it draws a release. The default claims nothing.

    Args:
        measurements: The constructors of ``opendp.measurements`` that ``draw`` calls. Each samples exactly, with a scale rounded
            up, and the response is made of nothing else. Without them a release has no guarantee.
        words: How it draws, to follow "the noise is".

    Examples:
        >>> by_opendp("make_laplace").exact, Sampling(words="drawn by numpy").exact
        (True, False)
    """

    measurements: tuple[str, ...] = ()
    words: str = "drawn in a way that its mechanism does not state"

    @property
    def exact(self) -> bool:
        """True if the law claims that OpenDP draws all of a response."""
        return bool(self.measurements)


def by_opendp(*measurements: str) -> Sampling:
    """Return the statement of a law that draws by these measurements of OpenDP, with scales rounded up."""
    return Sampling(measurements, "sampled exactly by OpenDP from the system's entropy, its scale rounded up")


class Law(ABC):
    """The distribution of the response at one calibration.

    Attributes:
        scale: The scale of the noise, in units of the raw response; 0 only if a zero sensitivity was allowed.
        composes_as: What tight totals may assume. NORMAL: independent Normal(0, scale²) noise on each entry, which is all that
            the response tells. LAPLACE: the same with density exp(−|x|/scale)/(2·scale). GEOMETRIC: independent whole numbers
            with probabilities proportional to exp(−|z|/scale). Empty: no more than its (ε, δ).
        sampling: How ``draw`` draws. If it is not by OpenDP, a release has no guarantee: floating-point noise can tell more than
            its density does (Mironov 2012).
        asks_again: Whether a second step asks the database again. Such a law has ``log_chance(raw, responses)`` too, for the
            privacy loss between two databases.
        half_width: ``half_width(share)``, of noise on numbers: the distance from 0 that this share of it keeps.
        probabilities: ``probabilities(scores)``, (d,) -> (d,), of a choice: the probability of each candidate.
        winners: ``winners(scores)``, of a choice: the candidates with the largest score.
        most_missed: ``most_missed(share)``, of a choice: how far its score is below the best at most, in this share.
        polynomial: ``polynomial(values)``, of a curve: the curve of lattice values.
        curves: ``curves(coefficients, points)``, (b, c), (p, dims) -> (b, p), of a curve: simulated responses at points.
    """

    __slots__ = ()
    scale: Any
    composes_as: ClassVar[str] = ""
    sampling: ClassVar[Sampling] = Sampling()
    asks_again: ClassVar[bool] = False
    half_width: ClassVar[Offered] = None
    probabilities: ClassVar[Offered] = None
    winners: ClassVar[Offered] = None
    most_missed: ClassVar[Offered] = None
    polynomial: ClassVar[Offered] = None
    curves: ClassVar[Offered] = None

    @abstractmethod
    def draw(self, raw: FloatArray, /) -> Any:
        """Return one response with secure noise, from the target's answer (d,)."""

    @abstractmethod
    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Return possible responses for plots: never released.

        Args:
            raw: The raw response, shape (d,).
            size: Their number.
            rng: The generator.

        Returns:
            The responses, one a row.
        """

    @abstractmethod
    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Return the privacy loss log P(r)/P'(r) of simulated responses.

        Args:
            raw: The answer on D, shape (d,).
            other: The answer on D', shape (d,).
            responses: Simulated responses, one a row.

        Returns:
            The loss of each, shape (size,).
        """

    def row(self, response: Any, /) -> Any:
        """Return a response of ``draw`` as ``simulate`` gives it, numbers (d,) or one number, to compare the two."""
        return response

    def on(self, database: Database) -> Any:
        """Return the law of responses from this database: itself, unless a second step asks the database again."""
        return self

    def without_noise(self, raw: FloatArray, /) -> FloatArray:
        """Return the response without noise: the target's own answer, unless there is a second step."""
        return raw


class NoiseLaw(Law):
    """A law that adds independent noise to each entry of a vector.

    Attributes:
        in_proportion: Whether noise of any scale is noise of scale 1, multiplied.
    """

    __slots__ = ()
    in_proportion: ClassVar[bool] = True

    @abstractmethod
    def density(self, offsets: FloatArray, /) -> FloatArray:
        """Return the density of the noise on one entry, at offsets of any shape."""

    @abstractmethod
    def half_width(self, share: float, /) -> float:
        """Return the distance from 0 that this share of the noise on one entry keeps."""

    def beyond(self, distance: Any, times: float, /) -> Any:
        """Return P(|Z − times·Z′| > distance) for the noises Z and Z′ of two entries, or a bound above it.

        A law that knows the probability exactly overrides it.

        Args:
            distance: The distance; a law that overrides this may take an array.
            times: From 0 to 1.

        Returns:
            The probability, or a bound above it.
        """
        # 2·P(|Z| > distance/(1 + times)): one of the two is beyond its share of the distance (mathematics, section 19.3).
        least, most = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (least + most) / 2
            least, most = (middle, most) if self.half_width(middle) * (1 + times) <= distance else (least, middle)
        return min(1.0, 2 * (1 - least))


class LaplaceLoss(Law):
    """The privacy loss of noise with probabilities ∝ exp(−|x|/scale) on each entry, on the line or on whole numbers."""

    __slots__ = ()

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Return Σ (|r − f(D')| − |r − f(D)|)/scale, for responses (size, d)."""
        return np.asarray((L1(responses - other) - L1(responses - raw)) / self.scale)

    def loss(self, raw: FloatArray, other: FloatArray, /) -> float:
        """Return sup log P(r)/P'(r) = ‖f(D) − f(D')‖₁/scale."""
        return float(L1(raw - other)) / float(self.scale)
