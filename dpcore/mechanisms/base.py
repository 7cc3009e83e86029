"""From a sensitivity and a privacy level to a release: the one place where a guarantee is labelled."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Self, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray

from dpcore.answers.kind import KindOfAnswer
from dpcore.base.checks import whole
from dpcore.base.databases import as_database
from dpcore.base.defaults import default
from dpcore.base.fingerprint import describe, fingerprint
from dpcore.base.norms import Norm
from dpcore.base.types import (
    Database,
    FloatArray,
    LatticeTarget,
    Member,
    Offered,
    Oracle,
    SteppedTarget,
    Target,
)
from dpcore.errors import (
    ExploredPointError,
    GuaranteeMismatchError,
    InvalidValueError,
    NormMismatchError,
)
from dpcore.guarantees.guesser import Guesser, PromiseBound
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP, RandomDP
from dpcore.guarantees.sensitivity import (
    GlobalSensitivity,
    SampledSensitivity,
    Sensitivity,
    check_database,
    confidential_n,
    units,
)
from dpcore.mechanisms.hard_pairs import HardPair, usual_pairs
from dpcore.mechanisms.raw_answer import answer_of
from dpcore.mechanisms.response_law import Law, Sampling
from dpcore.sampling.blocks import vector
from dpcore.sampling.sampler import SensitivitySample, sample_sensitivity

N = TypeVar("N", bound=Norm)
P = TypeVar("P", PureDP, ApproxDP)
G_co = TypeVar("G_co", PureDP, ApproxDP, RandomDP, covariant=True)


class Mechanism(Member, ABC, Generic[N, P]):
    """Turns a target's answer into a private response. A new one states its norm, its privacy and its law."""

    privacy: ClassVar[type[PureDP] | type[ApproxDP]]
    steps: ClassVar[Offered] = None  # ``steps(epsilon, target)``: what its two steps do with which ε
    in_words: ClassVar[str] = ""  # what its noise is called, if it is not named after the mechanism

    @property
    @abstractmethod
    def norm(self) -> N:
        """The norm that its sensitivity is measured in."""

    @abstractmethod
    def law(self, target: Target, sensitivity: float, privacy: P, /) -> Law:
        """The noise for a sensitivity in ``self.norm``."""

    @classmethod
    def suited(cls, target: Target, /) -> Self | None:
        """The one that is offered for a target; None for a target that it cannot release, or is not made for.

        Unless it says otherwise: one with its usual settings, for every target whose answer is a vector of numbers.
        """
        return None if isinstance(target, (LatticeTarget, SteppedTarget)) or target.only_to_choose else cls()

    @classmethod
    def leads(cls, target: Target, /) -> bool:
        """Whether it is what a target of this kind is made for, and so stands before all others."""
        return False

    def response(self, answer: KindOfAnswer, /) -> KindOfAnswer:
        """Return the kind of response that it makes of a kind of answer."""
        return answer

    @default
    def candidates(self) -> Any:
        """What it chooses among; None if the target names that, or it adds noise to numbers."""
        return None

    @property
    def chosen_by(self) -> str:
        """In words, how it chooses one of its ``candidates``; empty for one that adds noise to numbers."""
        return ""

    def fitted(self, target: Target, /) -> Self:
        """The same for another target that it suits, its own settings kept."""
        return self

    @classmethod
    def hard_pairs(cls) -> tuple[HardPair, ...]:
        """Answers to two neighbours, as far apart as its sensitivity allows, that its noise can hardly hide: for audits.

        Unless it says otherwise: the usual ones in its norm, for the mechanism that suits them.
        """
        return usual_pairs(cls.suited)

    def details(self, epsilon: float) -> dict[str, float]:
        """What the provenance of a release at this ε holds besides; nothing, unless it says otherwise."""
        return {}

    def check(self, target: Target, /) -> None:
        """InvalidValueError for a target that it can't make private."""

    def guesser(self, calibrated: Calibrated[Any], numbers: int, /) -> Guesser:
        """The best guesser against its noise, where an answer is so many numbers (``Calibrated.guesser``).

        Unless it says otherwise: what its guarantee alone says.
        """
        guarantee = calibrated.guarantee
        return PromiseBound(guarantee.epsilon, guarantee.delta, calibrated.sensitivity.value)

    def sample(
        self,
        target: Target | Callable[[Database], Any],
        oracle: Oracle,
        *,
        n: int,
        gamma: float,
        seed: int | None = None,
        adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
    ) -> SampledSensitivity[N]:
        """Sample a target's sensitivity in the norm that this mechanism needs (Algorithm 2, with the rank bound).

        Args:
            target: The function to release, a target or any function of a database.
            oracle: The public rule that simulates databases; ``oracles.Function(f)`` wraps ``f(n, rng)``.
            n: The number of records of the confidential database, which is public.
            gamma: The share of random changes that are not protected.
            seed: A whole number that decides the draws, for exploring and tests; for a release leave it out.
            adjacency: How neighbours differ.

        Returns:
            The sampled sensitivity, for ``calibrate``.

        Raises:
            InvalidValueError: If an argument is not as said here.
            ZeroSensitivityError: If the target hardly moves.
            InfiniteSensitivityError: If the target fails too often.

        Example:
            >>> from dpcore import Laplace, PureDP, oracles, targets
            >>> sensitivity = Laplace().sample(targets.Mean(), oracles.Exponential(1.0), n=500, gamma=0.05, seed=1)
            >>> Laplace().calibrate(sensitivity, PureDP(1.0)).guarantee.gamma
            0.05
        """
        seed = secrets.randbits(64) if seed is None else seed
        point = OperatingPoint.for_gamma(gamma)
        return sample_sensitivity(target, oracle, norm=self.norm, n=n, at=point, seed=seed, adjacency=adjacency).sensitivity()

    @overload
    def calibrate(self, sensitivity: GlobalSensitivity[N], privacy: P) -> Calibrated[P]: ...
    @overload
    def calibrate(self, sensitivity: SampledSensitivity[N], privacy: P) -> Calibrated[RandomDP]: ...
    @overload
    def calibrate(self, sensitivity: SensitivitySample[N], privacy: P) -> Calibrated[RandomDP]: ...
    def calibrate(
        self, sensitivity: GlobalSensitivity[N] | SampledSensitivity[N] | SensitivitySample[N], privacy: P
    ) -> Calibrated[P] | Calibrated[RandomDP]:
        """Fix the scale of the noise.

        Args:
            sensitivity: A proved sensitivity, which gives ``privacy`` itself; or a sampled one or its sample, which gives random
                DP.
            privacy: The level, such as ``PureDP(1.0)``.

        Returns:
            The calibrated mechanism, to release with.

        Raises:
            InvalidValueError: If an argument is no sensitivity, or no level of privacy.
            NormMismatchError: If the sensitivity is in another norm.
            GuaranteeMismatchError: If the mechanism cannot give this kind of privacy.

        Example:
            >>> from dpcore import Laplace, PureDP, L1, targets
            >>> proved = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 500)
            >>> Laplace().calibrate(proved, PureDP(1.0)).guarantee
            PureDP(epsilon=1.0)
        """
        name = type(self).__name__
        if isinstance(sensitivity, SensitivitySample):
            sensitivity = sensitivity.sensitivity()
        if not isinstance(sensitivity, (GlobalSensitivity, SampledSensitivity)):
            expected = (
                "a sensitivity with the target that it belongs to, and not a number alone: "
                f"{name}.sample(target, oracle, n=…, gamma=0.05) samples one, and target.global_sensitivity(norm, n) is proved"
            )
            raise InvalidValueError("sensitivity", expected, sensitivity)
        if sensitivity.norm != self.norm:
            raise NormMismatchError(name, repr(self.norm), repr(sensitivity.norm))
        if not isinstance(privacy, (PureDP, ApproxDP, RandomDP)):
            example = "PureDP(1.0)" if self.privacy is PureDP else "ApproxDP(1.0, 1e-6)"
            raise InvalidValueError("privacy", f"a level such as {example}", privacy)
        if type(privacy) is not self.privacy:
            raise GuaranteeMismatchError(name, self.privacy.__name__, privacy)
        self.check(sensitivity.target)
        law = self.law(sensitivity.target, sensitivity.value, privacy)
        if isinstance(sensitivity, GlobalSensitivity):
            return Calibrated(self, sensitivity, privacy, law)
        delta = privacy.delta if isinstance(privacy, ApproxDP) else 0.0
        point = sensitivity.point
        return Calibrated(self, sensitivity, RandomDP(privacy.epsilon, delta, point.gamma, point.confidence), law)


@final
@dataclass(frozen=True, eq=False)
class Release(Generic[G_co]):
    """A response with its guarantee. Holds strings and numbers only: no way leads back to the database.

    ``response``: a vector of numbers, a candidate, or a polynomial, as the mechanism has it. ``composes_as``:
    what the law of its noise says of itself for tight totals, empty where it says nothing. ``sampling``: how its law says that
    it draws. Unless that is exactly, by OpenDP, ``guarantee`` is None.
    """

    response: Any
    guarantee: G_co | None
    adjacency: Adjacency
    mechanism: str
    scale: float
    provenance: Mapping[str, str | int | float | None] = field(default_factory=dict)
    composes_as: str = ""
    sampling: Sampling = field(default_factory=Sampling)

    def __str__(self) -> str:
        """Response, guarantee and noise, a line each."""
        response = np.array2string(self.response, threshold=10) if isinstance(self.response, np.ndarray) else str(self.response)
        weaker = ", random DP: weaker than differential privacy" if isinstance(self.guarantee, RandomDP) else ""
        return (
            f"response:  {' '.join(response.split())}\n"
            f"guarantee: {self.guarantee}{weaker}\n"
            f"noise:     {self.mechanism}, scale {self.scale:.6g}"
        )


@final
@dataclass(frozen=True, eq=False)
class Calibrated(Generic[G_co]):
    """A mechanism with its scale fixed. Made by ``Mechanism.calibrate`` alone."""

    mechanism: Mechanism[Any, Any]
    sensitivity: Sensitivity[Norm]
    guarantee: G_co
    law: Law

    def __post_init__(self) -> None:
        sampled = isinstance(self.sensitivity, SampledSensitivity)
        if sampled != isinstance(self.guarantee, RandomDP):
            expected = "random DP, for its sensitivity is sampled" if sampled else "DP proper"
            raise GuaranteeMismatchError(type(self.mechanism).__name__, expected, self.guarantee)

    def release(self, database: Any) -> Release[G_co]:
        """Return one private response, with secure noise. Each call spends the guarantee again.

        Args:
            database: An array of records (n, ...), a list, a Series or a DataFrame.

        Raises:
            ExploredPointError: If the point was chosen after looking at the draws; before the target is called.
            DatabaseMismatchError: If the sensitivity does not hold for this database; before the target is called.
            ReleaseFailedError: If the target fails. This depends on the database, and is charged in full.
            NoiseSwallowedError: If the target's value is too large for the noise. It is charged in full too.
        """
        sensitivity = self.sensitivity
        if isinstance(sensitivity, SampledSensitivity) and sensitivity.origin.explored:
            raise ExploredPointError(sensitivity.point.m, sensitivity.point.k)
        database = self._checked(database)
        raw = answer_of(sensitivity.target, database)
        response: Any = self.law.on(database).draw(raw)
        if isinstance(response, np.ndarray):  # a copy: at scale 0 the draw is the raw response, maybe a view of the table
            response = np.array(response)
            response.flags.writeable = False
        sampling = self.law.sampling
        return Release(
            response=response,
            guarantee=self.guarantee if sampling.exact else None,
            adjacency=sensitivity.adjacency,
            mechanism=type(self.mechanism).__name__,
            scale=self.law.scale,
            composes_as=self.law.composes_as,
            provenance=self.provenance(units(sensitivity, database)),
            sampling=sampling,
        )

    def raw_response(self, database: Database) -> FloatArray:
        """The target's own answer, without noise: for plots, never a release."""
        return vector(self.sensitivity.target(self._checked(database)))

    def simulate(
        self, raw_response: FloatArray, *, size: int, rng: np.random.Generator, database: Database | None = None
    ) -> NDArray[Any]:
        """Possible responses to a raw one, by numpy: for plots, never a release. (size, d) numbers; Exponential: indices of
        candidates (size,); Bernstein: coefficients (size, lattice). ``database``: where a second step
        asks it again."""
        law = self.law if database is None else self.law.on(database)
        return law.simulate(vector(raw_response), size=whole("size", size), rng=rng)

    def guesser(self, numbers: int) -> Guesser:
        """How often the best guesser is right, from even odds, who must tell two neighbours apart by one response.

        By the distance of the target's answers to them, in the norm of the sensitivity; beyond the sensitivity too, where it is
        sampled and nothing is promised. ``numbers``: how many numbers the target's answer is, (d,).

            >>> from dpcore import GlobalSensitivity, L1, Adjacency, Laplace, PureDP, targets
            >>> proved = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 500)
            >>> guesser = Laplace().calibrate(proved, PureDP(0.5)).guesser(numbers=1)
            >>> round(float(guesser.right(proved.value)), 3), guesser.exact  # 61 of 100 responses lie on one's side
            (0.611, True)
        """
        return self.mechanism.guesser(self, whole("numbers", numbers))

    def provenance(self, n: int) -> dict[str, str | int | float | None]:
        """Where a release of n records, or people, comes from, in strings and numbers.

        Where one of them is added or removed, how many there are is confidential: the number that the sensitivity states
        stands there, or None, and never n.
        """
        sensitivity = self.sensitivity
        common: dict[str, str | int | float | None] = {
            "target": describe(sensitivity.target),
            "target_id": fingerprint(sensitivity.target),
            "mechanism": describe(self.mechanism),
            "norm": repr(sensitivity.norm),
            "n": sensitivity.n if confidential_n(sensitivity) else n,
            "sensitivity": sensitivity.value,
            **self.mechanism.details(self.guarantee.epsilon),
        }
        if isinstance(sensitivity, GlobalSensitivity):
            return common | {"proof": sensitivity.proof}
        point, origin = sensitivity.point, sensitivity.origin
        return common | {
            "oracle": describe(origin.oracle),
            "oracle_id": fingerprint(origin.oracle),
            "records": "independent" if origin.oracle.independent_records else "exchangeable",
            "sample_id": origin.sample_id,
            "seed": origin.seed,
            "way": origin.way,
            "bound": point.bound.name,
            "m": point.m,
            "k": point.k,
            "gamma": point.gamma,
            "joint_gamma": point.joint_gamma,
            "confidence": point.confidence,
        }

    def _checked(self, database: Any) -> Database:
        database = as_database(database, named=self.sensitivity.target.takes_fields)
        check_database(self.sensitivity, database)
        own = np.array(database, dtype=np.float64 if database.dtype.kind in "iub" else None)  # so that no base is the caller's
        own.flags.writeable = False
        return own
