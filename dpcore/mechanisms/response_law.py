"""The law of a response, which a mechanism fixes and a release draws from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import Database, FloatArray, Offered

NORMAL, LAPLACE, GEOMETRIC = "normal", "laplace", "geometric"
SHARE_WITHIN = 0.95  # of responses, inside a ±
_HALVINGS = 50


@final
@dataclass(frozen=True, slots=True)
class Sampling:
    """How a law draws what is released, as it says itself. The default claims nothing.

    ``measurements``: the constructors of ``opendp.measurements`` that ``draw`` makes and calls, which sample exactly, each with a
    scale that is rounded up; what they return is all that the response is made of. A law that names none says in ``words``, which
    follow "the noise is", how it draws instead: its releases have no guarantee.
    """

    measurements: tuple[str, ...] = ()
    words: str = "drawn in a way that its mechanism does not state"

    @property
    def exact(self) -> bool:
        """Whether it claims that OpenDP draws all of it."""
        return bool(self.measurements)


def by_opendp(*measurements: str) -> Sampling:
    """That of a law whose ``draw`` makes these measurements of OpenDP and calls them, with scales that are rounded up."""
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
        most_missed: ``most_missed(share)``, of a choice: how far its score falls short of the best at most, in this share.
        half_width: ``half_width(share)``, of noise on numbers: how far from 0 this share of it reaches.
    """

    __slots__ = ()
    scale: Any
    composes_as: ClassVar[str] = ""
    sampling: ClassVar[Sampling] = Sampling()
    asks_again: ClassVar[bool] = False
    most_missed: ClassVar[Offered] = None
    half_width: ClassVar[Offered] = None

    @abstractmethod
    def draw(self, raw: FloatArray, /) -> Any:
        """Return one response with secure noise, from the target's answer (d,)."""

    @abstractmethod
    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Return possible responses for plots, one a row: never released."""

    @abstractmethod
    def row(self, response: Any, /) -> Any:
        """Return a response of ``draw`` as ``simulate`` gives it, numbers (d,) or one, so that the two can be compared."""

    @abstractmethod
    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Return log P(r)/P'(r) of each simulated response between the two databases with these answers: the privacy loss."""

    def on(self, database: Database) -> Any:
        """Return the law of responses from this database: itself, unless a second step asks the database again."""
        return self

    def without_noise(self, raw: FloatArray, /) -> FloatArray:
        """Return the response without noise: the target's own answer, unless there is a second step."""
        return raw


class NoiseLaw(Law):
    """A law that adds independent noise to each entry of a vector.

    ``in_proportion``: whether noise of one scale is that of scale 1, so many times.
    """

    in_proportion: ClassVar[bool] = True

    def row(self, response: FloatArray, /) -> FloatArray:
        """The response itself, (d,)."""
        return response

    @abstractmethod
    def density(self, offsets: FloatArray, /) -> FloatArray:
        """The density of the noise on one entry, at offsets of any shape."""

    @abstractmethod
    def half_width(self, share: float, /) -> float:
        """How far from 0 that share of the noise on one entry reaches."""

    def beyond(self, distance: Any, times: float, /) -> Any:
        """P(|Z − times·Z′| > distance) for the noises Z and Z′ of two entries, 0 <= times <= 1, or a bound above it; of one
        distance, or by a law that knows it exactly of each of several.

        Here it is 2·P(|Z| > distance/(1 + times)), which holds for any law: one of the two is beyond its share of the distance
        (mathematics, section 19.3). A law that knows it exactly says so.
        """
        least, most = 0.0, 1.0  # of noise within that share of the distance
        for _ in range(_HALVINGS):
            middle = (least + most) / 2
            least, most = (middle, most) if self.half_width(middle) * (1 + times) <= distance else (least, middle)
        return min(1.0, 2 * (1 - least))
