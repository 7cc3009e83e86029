"""Mechanisms: a sensitivity and a privacy level become a release. Only this module labels a guarantee."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Self, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import whole
from dpcore.base.databases import as_database
from dpcore.base.fingerprint import describe, fingerprint
from dpcore.base.norms import Norm
from dpcore.base.types import LatticeTarget, Member, Offered, Oracle, SteppedTarget, Target, default
from dpcore.errors import (
    ExploredPointError,
    GuaranteeMismatchError,
    InvalidValueError,
    NormMismatchError,
    ReleaseFailedError,
)
from dpcore.guarantees.attacker import Attacker, GuaranteeAttackerBound
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP, RandomDP
from dpcore.guarantees.sensitivity import (
    GlobalSensitivity,
    SampledSensitivity,
    Sensitivity,
    check_database,
    units,
)
from dpcore.mechanisms.response_law import Law, Sampling
from dpcore.result_types.kind import KindOfAnswer
from dpcore.sampling.blocks import vector
from dpcore.sampling.sampler import SensitivitySample, sample_sensitivity

N = TypeVar("N", bound=Norm)
P = TypeVar("P", PureDP, ApproxDP)
G_co = TypeVar("G_co", PureDP, ApproxDP, RandomDP, covariant=True)


class Mechanism(Member, ABC, Generic[N, P]):
    """Turns a target's answer into a private response. A new mechanism states its norm, its privacy and its law.

    Attributes:
        privacy: ``PureDP`` or ``ApproxDP``, the level that it is calibrated to.
        steps: ``steps(epsilon, target)``, of a mechanism in two steps: a sentence about both steps and their ε.
        in_words: The name of its noise, if it is not named after the mechanism.

    Examples:
        >>> from dataclasses import dataclass
        >>> from dpcore import L1, GlobalSensitivity, PureDP, targets
        >>> from dpcore.mechanisms.laplace import LaplaceLaw
        >>> @dataclass(frozen=True)
        ... class Careful(Mechanism):
        ...     'Laplace noise of twice the scale that is needed.'
        ...     privacy = PureDP
        ...     norm = L1
        ...     def law(self, target, sensitivity, privacy, /):
        ...         return LaplaceLaw(2 * sensitivity / privacy.epsilon)
        >>> proved = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 10)
        >>> round(Careful().calibrate(proved, PureDP(1.0)).law.scale, 6)
        0.2
    """

    privacy: ClassVar[type[PureDP] | type[ApproxDP]]
    steps: ClassVar[Offered] = None
    in_words: ClassVar[str] = ""

    @property
    @abstractmethod
    def norm(self) -> N:
        """The norm that its sensitivity is measured in."""

    @abstractmethod
    def law(self, target: Target, sensitivity: float, privacy: P, /) -> Law:
        """Return the law of the response.

        Args:
            target: The target.
            sensitivity: Its sensitivity in ``self.norm``.
            privacy: The level.

        Returns:
            The law, with its scale rounded up.
        """

    @classmethod
    def suited(cls, target: Target, /) -> Self | None:
        """Return the mechanism that is offered for a target, or None if it cannot release the target, or is not made for it.

        By default it is offered with its usual settings for every target whose answer is a vector of numbers.
        """
        return None if isinstance(target, (LatticeTarget, SteppedTarget)) or target.is_selection_score else cls()

    @classmethod
    def leads(cls, target: Target, /) -> bool:
        """Return whether it is made for targets of this kind, and so comes before all others."""
        return False

    def response(self, answer: KindOfAnswer, /) -> KindOfAnswer:
        """Return the kind of response that it makes of a kind of answer."""
        return answer

    @default
    def candidates(self) -> Any:
        """The candidates among which it chooses; None if the target names them, or it adds noise to numbers."""
        return None

    @property
    def chosen_by(self) -> str:
        """Its way of choosing one of its ``candidates``, in words; empty if it adds noise to numbers."""
        return ""

    def fitted(self, target: Target, /) -> Self:
        """Return the same mechanism for another target that it suits, with its own settings."""
        return self

    def details(self, epsilon: float) -> dict[str, float]:
        """Return additional provenance of a release at this ε."""
        return {}

    def check(self, target: Target, /) -> None:
        """Raise InvalidValueError for a target that it cannot release."""

    def attacker(self, calibrated: Calibrated[Any], numbers: int, /) -> Attacker:
        """Return the best attacker against its noise (``Calibrated.attacker``); by default the bound that the guarantee gives.

        Args:
            calibrated: The calibrated mechanism.
            numbers: How many numbers the target's answer has.

        Returns:
            The accuracy as a function of the distance.
        """
        guarantee = calibrated.guarantee
        return GuaranteeAttackerBound(guarantee.epsilon, guarantee.delta, calibrated.sensitivity.value)

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

        Examples:
            >>> from dpcore import LaplaceMechanism, PureDP, oracles, targets
            >>> sensitivity = LaplaceMechanism().sample(targets.Mean(), oracles.Exponential(1.0), n=500, gamma=0.05, seed=1)
            >>> LaplaceMechanism().calibrate(sensitivity, PureDP(1.0)).guarantee.gamma
            0.05
        """
        seed = secrets.randbits(64) if seed is None else seed
        point = OperatingPoint.for_gamma(gamma)
        return sample_sensitivity(target, oracle, norm=self.norm, n=n, at=point, seed=seed, adjacency=adjacency).sensitivity()

    @overload
    def calibrate(self, sensitivity: GlobalSensitivity[N], privacy: P) -> Calibrated[P]: ...
    @overload
    def calibrate(self, sensitivity: SampledSensitivity[N] | SensitivitySample[N], privacy: P) -> Calibrated[RandomDP]: ...
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
            InvalidValueError: If the sensitivity or the level has another type.
            NormMismatchError: If the sensitivity is in another norm.
            GuaranteeMismatchError: If the mechanism cannot give this kind of privacy.

        Examples:
            >>> from dpcore import LaplaceMechanism, PureDP, L1, targets
            >>> proved = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 500)
            >>> LaplaceMechanism().calibrate(proved, PureDP(1.0)).guarantee
            PureDP(epsilon=1.0)
        """
        name = type(self).__name__
        if isinstance(sensitivity, SensitivitySample):
            sensitivity = sensitivity.sensitivity()
        if not isinstance(sensitivity, (GlobalSensitivity, SampledSensitivity)):
            expected = (
                "a sensitivity with the target that it belongs to, and not only a number: "
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
        # The noise is that of the worst pair with ‖f(D) − f(D')‖ <= Δ (mathematics, section 1.1).
        law = self.law(sensitivity.target, sensitivity.value, privacy)
        if isinstance(sensitivity, GlobalSensitivity):
            return Calibrated(self, sensitivity, privacy, law)
        delta = privacy.delta if isinstance(privacy, ApproxDP) else 0.0
        # A sampled Δ̂ covers 1 − γ of pairs, so the guarantee is random DP and nothing stronger (Algorithm 2; Theorem 15).
        point = sensitivity.point
        return Calibrated(self, sensitivity, RandomDP(privacy.epsilon, delta, point.gamma, point.confidence), law)


@final
@dataclass(frozen=True, eq=False)
class Release(Generic[G_co]):
    """A response with its guarantee. It holds strings and numbers only, so it does not lead back to the database.

    ``Calibrated.release`` makes it, and ``print`` shows it in three lines.

    Attributes:
        response: A vector of numbers, a candidate, or a polynomial.
        guarantee: The guarantee; None unless the law draws exactly, by OpenDP.
        adjacency: The neighbours that it holds for.
        mechanism: The class of the mechanism.
        scale: The scale of the noise.
        provenance: Target, mechanism, sensitivity and sample, in strings and numbers.
        composes_as: What the law of the noise states for tight totals, or empty.
        sampling: How the law says that it draws.

    Examples:
        >>> from dpcore import L1, LaplaceMechanism, PureDP, targets
        >>> proved = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 500)
        >>> print(str(LaplaceMechanism().calibrate(proved, PureDP(1.0)).release([0.25] * 500)).split("\\n", 1)[1])
        guarantee: PureDP(epsilon=1.0)
        noise:     LaplaceMechanism, scale 0.002
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
        """Return response, guarantee and noise, a line each."""
        response = np.array2string(self.response, threshold=10) if isinstance(self.response, np.ndarray) else str(self.response)
        weaker = ", random DP: weaker than differential privacy" if isinstance(self.guarantee, RandomDP) else ""
        condition = f", {self.provenance['condition']}" if "condition" in self.provenance else ""
        return (
            f"response:  {' '.join(response.split())}\n"
            f"guarantee: {self.guarantee}{weaker}{condition}\n"
            f"noise:     {self.mechanism}, scale {self.scale:.6g}"
        )


@final
@dataclass(frozen=True, eq=False)
class Calibrated(Generic[G_co]):
    """A mechanism with its scale fixed. Create it with ``Mechanism.calibrate``.

    Each ``release`` spends the guarantee once.

    Attributes:
        mechanism: The mechanism.
        sensitivity: The sensitivity that it is calibrated to, with the target.
        guarantee: The guarantee of each release: random DP for a sampled sensitivity, DP for a proved one.
        law: The law of a response.

    Raises:
        GuaranteeMismatchError: If the guarantee is not of the sensitivity's kind.

    Examples:
        >>> from dpcore import LaplaceMechanism, PureDP, oracles, targets
        >>> sampled = LaplaceMechanism().sample(targets.Mean(), oracles.Exponential(1.0), n=500, gamma=0.05, seed=1)
        >>> LaplaceMechanism().calibrate(sampled, PureDP(1.0)).guarantee
        RandomDP(epsilon=1.0, delta=0.0, gamma=0.05, confidence=None)
    """

    mechanism: Mechanism[Any, Any]
    sensitivity: Sensitivity[Norm]
    guarantee: G_co
    law: Law

    def __post_init__(self) -> None:
        sampled = isinstance(self.sensitivity, SampledSensitivity)
        if sampled != isinstance(self.guarantee, RandomDP):
            expected = "random DP, because its sensitivity is sampled" if sampled else "DP proper"
            raise GuaranteeMismatchError(type(self.mechanism).__name__, expected, self.guarantee)

    def release(self, database: Any) -> Release[G_co]:
        """Return one private response, with secure noise. Each call spends the guarantee again.

        Args:
            database: An array of records (n, ...), a list, a Series or a DataFrame.

        Returns:
            The response with its guarantee.

        Raises:
            ExploredPointError: If the point was chosen after looking at the draws; before the target is called.
            DatabaseMismatchError: If the sensitivity does not hold for this database; before the target is called.
            ReleaseFailedError: If the target fails. This depends on the database, and is charged in full.
            NoiseUnderflowError: If the target's value is too large for the noise. It is charged in full too.
        """
        sensitivity = self.sensitivity
        # A point that was chosen by its draws certifies nothing (mathematics, section 2.1).
        if isinstance(sensitivity, SampledSensitivity) and sensitivity.origin.explored:
            raise ExploredPointError(sensitivity.point.m, sensitivity.point.k)
        database = self._checked(database)
        raw = raw_response(sensitivity.target, database)
        response: Any = self.law.on(database).draw(raw)
        # A copy: at scale 0 the draw is the raw response, maybe a view of the table.
        if isinstance(response, np.ndarray):
            response = np.array(response)
            response.flags.writeable = False
        # Floating-point noise can tell more than its density does (Mironov 2012), so only exact draws have a guarantee.
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

    def raw_response(self, database: Any) -> FloatArray:
        """Return the target's own answer, without noise, shape (d,): for plots, never a release."""
        return vector(self.sensitivity.target(self._checked(database)))

    def simulate(
        self, raw_response: FloatArray, *, size: int, rng: np.random.Generator, database: Database | None = None
    ) -> NDArray[Any]:
        """Return possible responses to a raw one, drawn by numpy: for plots, never a release.

        Args:
            raw_response: The raw response, shape (d,).
            size: The number of responses.
            rng: The generator.
            database: The database, for a mechanism whose second step asks it again.

        Returns:
            Numbers (size, d); for an exponential mechanism indices of candidates (size,), for a Bernstein one coefficients.
        """
        law = self.law if database is None else self.law.on(database)
        return law.simulate(vector(raw_response), size=whole("size", size), rng=rng)

    def attacker(self, numbers: int) -> Attacker:
        """Return the accuracy of the best attacker, who tells two neighbours apart by one response, from even odds.

        It depends on the distance of the target's answers to them in the norm of the sensitivity. Distances beyond a sampled
        sensitivity, without a guarantee, are possible too.

        Args:
            numbers: How many numbers the target's answer has.

        Returns:
            The accuracy as a function of the distance.

        Examples:
            >>> from dpcore import L1, LaplaceMechanism, PureDP, targets
            >>> proved = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 500)
            >>> attacker = LaplaceMechanism().calibrate(proved, PureDP(0.5)).attacker(numbers=1)
            >>> round(float(attacker.right(proved.value)), 3), attacker.exact  # right 61% of the time
            (0.611, True)
        """
        return self.mechanism.attacker(self, whole("numbers", numbers))

    def provenance(self, n: int) -> dict[str, str | int | float | None]:
        """Return the provenance of a release of n records, or users, in strings and numbers.

        If one of them is added or removed, n is confidential. Then it is the number that the sensitivity states, or None.
        """
        # A release is published, so a confidential n is replaced by the stated one (mathematics, section 8.1).
        sensitivity = self.sensitivity
        common: dict[str, str | int | float | None] = {
            "target": describe(sensitivity.target),
            "target_id": fingerprint(sensitivity.target),
            "mechanism": describe(self.mechanism),
            "norm": repr(sensitivity.norm),
            "n": sensitivity.n if sensitivity.adjacency.removes else n,
            "sensitivity": sensitivity.value,
            **self.mechanism.details(self.guarantee.epsilon),
        }
        if isinstance(sensitivity, GlobalSensitivity):
            condition = sensitivity.target.condition
            return common | {"proof": sensitivity.proof} | ({"condition": condition} if condition else {})
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
        asked: Target = self.sensitivity.target
        database = as_database(database, fields=asked.fields if asked.accepts_structured else None)
        check_database(self.sensitivity, database)
        # A copy, so that no base is the caller's.
        own = np.array(database, dtype=np.float64 if database.dtype.kind in "iub" else None)
        own.flags.writeable = False
        return own


def raw_response(target: Callable[[Database], Any], database: Database) -> FloatArray:
    """Return a target's answer for a release; nothing of what its failure says is passed on.

    Args:
        target: The target.
        database: The database.

    Returns:
        The raw response, shape (d,).

    Raises:
        ReleaseFailedError: If the target raises, or gives no finite numbers.
    """
    try:
        with np.errstate(all="ignore"):
            return vector(target(database))
    except Exception as error:
        why = f"raised {type(error).__name__}" if not isinstance(error, ValueError) else "gave no finite answer"
    # Outside the handler, so that no exception of the target, which could quote a record, is chained.
    raise ReleaseFailedError(why)
