"""Two steps under one ε: noise on numbers, then a choice that knows the noisy ones."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import share
from dpcore.base.norms import L1, RANGE, L1Norm
from dpcore.base.types import SteppedTarget, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.attacker import LossAttackerBound
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms import noise
from dpcore.mechanisms.base import Calibrated, Mechanism, raw_response
from dpcore.mechanisms.exponential import ExponentialMechanism, SelectionLaw, log_permute_and_flip
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.mechanisms.response_law import Law, Sampling, by_opendp

LEAST, MOST = 0.01, 0.99
_SHARE = {
    "title": "Share of ε for the first step",
    "words": "share of ε for the first step",
    "min": LEAST,
    "max": MOST,
    "step": 0.05,
}


@final
@dataclass(frozen=True, slots=True)
class StepsLaw(Law):
    """Adds Laplace noise to f(D), then picks a candidate by permute-and-flip.

    Args:
        target: The target of the first step.
        first: The law of the first step.
        epsilon: The ε of the second step.
        database: The database that the second step asks; ``on`` gives it.
    """

    target: SteppedTarget
    first: LaplaceLaw
    epsilon: float
    database: Database | None = None
    sampling: ClassVar[Sampling] = by_opendp("make_laplace", "make_noisy_max")
    asks_again: ClassVar[bool] = True

    @property
    def scale(self) -> float:
        """The scale of the noise of the first step."""
        return self.first.scale

    def on(self, database: Database) -> StepsLaw:
        """Return the law of responses from this database."""
        return replace(self, database=database)

    def draw(self, raw: FloatArray, /) -> FloatArray:
        """Return one response of both steps, with secure noise."""
        # Step 1: w̃ = f(D) + Laplace(Δ/ε₁). Step 2: a candidate by permute-and-flip at ε₂, on scores that depend on D and w̃.
        first = self.first.draw(raw)
        step = self.target.then(first)
        law = self._second(step)
        chosen = law.row(law.draw(raw_response(step, self._given_database)))
        return np.array(self.target.both(first[None], np.array([chosen]))[0])

    def simulate(self, raw: FloatArray, /, *, size: int, rng: np.random.Generator) -> FloatArray:
        """Return possible responses, (size, e)."""
        # Permute-and-flip is the largest score with exponential noise (mathematics, section 5.3).
        first = self.first.simulate(raw, size=size, rng=rng)
        scores = self.target.scores_after(first, self._given_database)
        scale = self._second(self.target.then(first[0])).scale
        chosen = np.argmax(scores + rng.exponential(scale, scores.shape), axis=1)
        return np.asarray(self.target.both(first, chosen))

    def without_noise(self, raw: FloatArray, /) -> FloatArray:
        """Return the first step's own answer, and the best candidate: of several the one in the middle."""
        scores = self.target.scores_after(raw[None], self._given_database)[0]
        best = np.flatnonzero(scores == scores.max())
        return np.array(self.target.both(raw[None], best[[len(best) // 2]])[0])

    def log_chance(self, raw: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Return log of the density of the first step times the chance of the second, up to a constant: (size, e) -> (size,).

        Args:
            raw: The answer of the first step.
            responses: Responses, shape (size, e).

        Returns:
            The logarithms, shape (size,).

        Raises:
            InvalidValueError: If responses do not tell both steps apart.
        """
        # Composition: the law of both is that of the first times that of the second given the first (mathematics, section 17.3).
        first, chosen = self.target.apart(responses)
        levels, which = _distinct(self.target.scores_after(first, self._given_database))
        scale = self._second(self.target.then(first[0])).scale
        chances = np.array([log_permute_and_flip((level - level.max()) / scale) for level in levels])
        return np.asarray(chances[which, chosen] - L1(first - raw) / self.first.scale)

    def log_ratio(self, raw: FloatArray, other: FloatArray, responses: NDArray[Any], /) -> FloatArray:
        """Return the loss of the first step, with both answers from this database.

        To compare two databases, use ``log_chance`` of both laws.
        """
        return np.asarray(self.log_chance(raw, responses) - self.log_chance(other, responses))

    def loss(self, raw: FloatArray, other: FloatArray, /) -> float:
        """Return the bound ‖f(D) − f(D')‖₁/scale + ε₂: whatever the second step is asked, it tells no more than ε₂."""
        # ε₁·‖f(D) − f(D')‖₁/Δ + ε₂ (mathematics, section 17.3).
        return self.first.loss(raw, other) + self.epsilon

    @property
    def _given_database(self) -> Database:
        if self.database is None:
            raise InvalidValueError("database", "given with its table, for the second step asks it again", None)
        return self.database

    def _second(self, step: Any) -> SelectionLaw:
        # Only a proved sensitivity will do: the second question depends on the first response (mathematics, section 4.5).
        proved = step.global_sensitivity(RANGE, len(self._given_database))
        if proved is None:
            raise InvalidValueError("target", "one whose second step has a proved sensitivity at this n", self.target)
        mechanism = ExponentialMechanism(None, selection="permute-and-flip")
        return mechanism.law(step, proved.value, PureDP(self.epsilon))


@final
@dataclass(frozen=True, slots=True)
class TwoStepMechanism(Mechanism[L1Norm, PureDP]):
    """Releases w̃ = f(D) + Laplace(Δ/ε₁) noise, then a candidate by permute-and-flip at ε₂ on scores that depend on w̃.

    ε₁ = ``share``·ε and ε₂ = ε − ε₁. The second step's scores have a proved sensitivity in RANGE for every w̃, so the two
    together are ε-DP on pairs with ‖f(D) − f(D')‖₁ <= Δ (mathematics, section 17.3). Only the first step may be sampled, because
    the second question depends on its response.

    Args:
        share: The share of ε for the first step, from 0.01 to 0.99.

    Raises:
        InvalidValueError: If the share is out of range.

    Examples:
        >>> from dpcore import TwoStepMechanism
        >>> TwoStepMechanism(share=0.25).epsilons(1.0)
        (0.25, 0.7499999999999999)
    """

    share: float = field(default=0.5, metadata=_SHARE)
    privacy: ClassVar[type[PureDP]] = PureDP
    place: ClassVar[int] = 1
    title: ClassVar[str] = "In steps"
    in_words: ClassVar[str] = "The noise of the first step"

    def __post_init__(self) -> None:
        if not LEAST <= share("share", self.share) <= MOST:
            raise InvalidValueError("share", f"from {LEAST} to {MOST}, so that each step has some ε", self.share)
        object.__setattr__(self, "share", float(self.share))

    @property
    def norm(self) -> L1Norm:
        """The norm of the first step."""
        return L1

    @classmethod
    def suited(cls, target: Target, /) -> TwoStepMechanism | None:
        """Return the mechanism for a target that is the first of two steps."""
        return cls() if isinstance(target, SteppedTarget) else None

    @classmethod
    def leads(cls, target: Target, /) -> bool:
        """Return True for these targets."""
        return isinstance(target, SteppedTarget)

    def check(self, target: Target, /) -> None:
        """Raise InvalidValueError for a target that has no second step."""
        if not isinstance(target, SteppedTarget):
            raise InvalidValueError("target", "the first of two steps, such as a direction", type(target).__name__)

    def epsilons(self, epsilon: float) -> tuple[float, float]:
        """Return ε₁ and ε₂: together no more than ε, rounding included."""
        # One float down makes good for the rounding of the difference.
        first = self.share * epsilon
        return first, math.nextafter(epsilon - first, 0.0)

    def law(self, target: Target, sensitivity: float, privacy: PureDP, /) -> StepsLaw:
        """Return the law of both steps."""
        self.check(target)
        assert isinstance(target, SteppedTarget)
        first, second = self.epsilons(privacy.epsilon)
        return StepsLaw(target, LaplaceLaw(noise.scale_above(sensitivity / first, sensitivity)), second)

    def details(self, epsilon: float) -> dict[str, float]:
        """Return the ε of each step, for the provenance of a release."""
        first, second = self.epsilons(epsilon)
        return {"epsilon_first_step": first, "epsilon_second_step": second}

    def steps(self, epsilon: float, target: Target, /) -> str:
        """Return a sentence that says what is done with which ε.

        Args:
            epsilon: ε of both steps.
            target: The target of the first step.

        Returns:
            The sentence, without a full stop.
        """
        first, second = self.epsilons(epsilon)
        assert isinstance(target, SteppedTarget)
        noisy, chosen = target.steps
        return (
            f"In two steps: Laplace noise on {noisy}, with ε = {first:.3g}; then {chosen} by permute-and-flip, with "
            f"ε = {second:.3g}. Both together cost ε = {epsilon:g}"
        )

    def attacker(self, calibrated: Calibrated[Any], numbers: int, /) -> LossAttackerBound:
        """Return a bound: the loss is at most d/scale of the first step, and ε₂ of the second (mathematics, section 17.3)."""
        return LossAttackerBound(calibrated.law.scale, besides=self.epsilons(calibrated.guarantee.epsilon)[1])


def _distinct(rows: FloatArray) -> tuple[FloatArray, NDArray[np.int64]]:
    """Return the distinct rows (k, d), and the index of each row among them, (n,); ``np.unique`` takes ten times as long."""
    places: dict[bytes, int] = {}
    which = np.array([places.setdefault(row.tobytes(), len(places)) for row in rows], dtype=np.int64)
    return np.frombuffer(b"".join(places), dtype=rows.dtype).reshape(len(places), -1), which
