"""The law of a response, which a mechanism fixes and a release draws from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray

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


class Law(Protocol):
    """The law of the response at one calibration.

    Optional: ``composes_as``, for tight totals. NORMAL: independent Normal(0, scale²) noise on each entry, which is all that
    the response tells. LAPLACE: the same with density exp(−|x|/scale)/(2·scale). GEOMETRIC: independent whole numbers
    with chances in proportion to exp(−|z|/scale). A total counts that, and a law that says none of them, as any that gives its
    (ε, δ).

    Optional: ``sampling``, how ``draw`` draws. A law that does not say it, or says that it is not by OpenDP, has releases without
    a guarantee: floating-point noise can tell more than its density does (Mironov 2012).

    Optional: ``on(database)``, of a law that asks the database again after its first step: the law that it then is. Such a law
    also has ``log_chance(raw, responses)``, for the privacy loss between two databases, and ``without_noise(raw)``.
    """

    @property
    def scale(self) -> float:
        """Of the noise, in units of the raw response; 0 only where a zero sensitivity was allowed."""
        ...

    def draw(self, raw: FloatArray, /) -> Any:
        """One response with secure noise, from the target's answer (d,)."""
        ...

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Possible responses for plots, one a row: never released."""
        ...

    def row(self, response: Any, /) -> Any:
        """A response of ``draw`` as ``simulate`` gives it: numbers (d,) or one; so that the two can be compared."""
        ...

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """log P(r)/P'(r) of each simulated response between the two databases with these answers: the privacy loss."""
        ...


class NoiseLaw(ABC):
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


def sampling_of(law: Any) -> Sampling:
    """How a law says that it draws; of one that says nothing the default, which claims nothing."""
    stated = facts(law).sampling
    return stated if isinstance(stated, Sampling) else Sampling()


def law_on(law: Any, database: Database) -> Any:
    """The law of responses from this database: itself, unless it asks the database again."""
    on = facts(law).on
    return law if on is None else on(database)


def without_noise(law: Any, raw: FloatArray) -> FloatArray:
    """The response that a law would give without noise: the target's own answer, unless there is a second step."""
    stated = facts(law).without_noise
    return raw if stated is None else np.asarray(stated(raw))
