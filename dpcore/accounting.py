"""The ledger: what releases have spent together, and a budget that refuses.

Pure and approximate DP add up whatever was asked. Random DP adds up only for targets that do not depend on earlier
responses (mathematics, section 4): those of the plan, or of the first response where there is no plan. A later target
is a line that stands apart, and then no one guarantee covers everything.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, final

import numpy as np

from dpcore.checks import share
from dpcore.errors import BudgetExceededError, IncompatibleReleasesError, InvalidValueError
from dpcore.fingerprint import describe, fingerprint
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.norms import Norm
from dpcore.operating_points import OperatingPoint
from dpcore.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.sampler import SensitivitySample
from dpcore.tight import composed_epsilon
from dpcore.types import Oracle, Target

_ROUNDING = 1 + 2.0**-50  # equal parts of a budget, each rounded, sum to within an ulp or two of it


class Event(Enum):
    """What was charged."""

    RELEASE = "release"
    DRAWS = "draws without a response"
    FAILED = "a release that failed"


@final
@dataclass(frozen=True, slots=True)
class Line:
    """One charge. ``gamma`` is as certified, ``joint_gamma`` averaged over the draws too; both 0 for DP proper.

    ``mechanism``, ``noise_ratio`` (the noise's scale over the sensitivity) and ``scalar`` (one number was released) say how
    its privacy loss is distributed, for tight totals; None, 0 and False where nothing more is known than ε and δ.
    """

    event: Event
    target: str
    target_id: str
    n: int
    adjacency: Adjacency
    epsilon: float
    delta: float
    gamma: float = 0.0
    joint_gamma: float = 0.0
    confidence: float | None = None
    oracle: str | None = None
    oracle_id: str | None = None
    sample_id: str | None = None
    apart: bool = False  # a random-DP target that was chosen after a response
    mechanism: str | None = None
    noise_ratio: float = 0.0
    scalar: bool = False

    @property
    def words(self) -> str:
        """What people read about where it stands."""
        return self.event.value + (", chosen after a response" if self.apart else "")


@final
@dataclass(frozen=True, slots=True)
class Ledger:
    """An immutable list of charges under a budget; ``add`` returns a new ledger or refuses.

    A budget of pure DP admits pure DP alone, of approximate DP also that, of random DP all three. ``plan`` holds the
    targets that were fixed before the first response; ``after_responses`` says that there were some before this ledger,
    kept elsewhere, so that without a plan every random-DP line of it stands apart.
    """

    budget: Guarantee | None = None
    plan: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    after_responses: bool = False

    def __post_init__(self) -> None:
        if self.budget is not None and not isinstance(self.budget, (PureDP, ApproxDP, RandomDP)):
            raise InvalidValueError("budget", "PureDP, ApproxDP, RandomDP or None", self.budget)

    def planned(self, targets: Iterable[Target]) -> Ledger:
        """The ledger with these targets listed; only before the first line."""
        if self.lines:
            raise InvalidValueError("plan", "listed before the first response", f"{len(self.lines)} lines")
        return replace(self, plan=self.plan + tuple(fingerprint(target) for target in targets))

    def add(self, item: Release[Any] | SensitivitySample[Norm]) -> Ledger:
        """Charge a release; or a sample whose draws were seen without a response, at (0, 0, γ).

        IncompatibleReleasesError for another n, adjacency or oracle; BudgetExceededError beyond the budget.
        """
        if isinstance(item, Release):
            line = _of_provenance(Event.RELEASE, item.guarantee, item.adjacency, item.provenance)
            return self._with(replace(line, **_noise(item)))
        if isinstance(item, SensitivitySample):
            return self._with(_of_sample(item))
        raise InvalidValueError("item", "a Release or a SensitivitySample", type(item).__name__)

    def add_draws(self, target: Target, oracle: Oracle, *, n: int, at: OperatingPoint) -> Ledger:
        """Charge draws for a release that were ended before the last, at (0, 0, γ): redrawing until pleased is looking."""
        line = _of_draws(target, oracle, n, Adjacency.REPLACE_ONE_RECORD, at)
        return self._with(replace(line, sample_id=f"ended {secrets.token_hex(8)}"))  # nothing will share them

    def add_failed(self, calibrated: Calibrated[Any], *, n: int) -> Ledger:
        """Charge in full a release that failed on a database of n records: that it failed was itself a response."""
        adjacency = calibrated.sensitivity.adjacency
        return self._with(_of_provenance(Event.FAILED, calibrated.guarantee, adjacency, calibrated.provenance(n)))

    def refuse_beyond(self, guarantee: Guarantee, *, joint_gamma: float | None = None) -> None:
        """BudgetExceededError where a release of this guarantee, with fresh draws, would not fit: asked before drawing.

        ``joint_gamma`` is its operating point's: above γ under TIME_UNIFORM, and under TOLERANCE with a low confidence.
        Without it, 1 − confidence·(1−γ), which holds under both.
        """
        gamma = guarantee.gamma if isinstance(guarantee, RandomDP) else 0.0
        delta = 0.0 if isinstance(guarantee, PureDP) else guarantee.delta
        confidence = guarantee.confidence if isinstance(guarantee, RandomDP) else None
        if joint_gamma is None:
            joint_gamma = gamma if confidence is None else 1 - confidence * (1 - gamma)
        line = Line(
            Event.RELEASE, "", "", 1, Adjacency.REPLACE_ONE_RECORD, guarantee.epsilon, delta, gamma,
            max(gamma, joint_gamma) if gamma else 0.0, confidence,
            sample_id="fresh" if gamma else None,
        )  # fmt: skip
        self._refuse(_Spent.by((*self.lines, line)))

    @property
    def apart(self) -> tuple[Line, ...]:
        """The lines whose targets were chosen after a response: each is a guarantee of its own."""
        return tuple(line for line in self.lines if line.apart)

    def total(self, *, delta: float | None = None) -> Guarantee | None:
        """The guarantee that covers every line together; None for no line, where lines stand apart, or with γ at 1 or more.

        Without ``delta``, (Σε, Σδ, Σγ): under a budget that was fixed in advance it also holds where an ε or δ was chosen by
        earlier responses. With it, the least ε at that δ by privacy loss distributions, never more than Σε where Σδ <=
        ``delta``: it holds only where *the list of releases, with each mechanism, ε and δ, was fixed before the first
        response*. None where no finite ε is found at that δ.

        Under random DP the (ε, δ) is on the pairs that every line covers, all but Σγ of them (mathematics, section 4): δ + γ
        is not a δ. InvalidValueError for a ``delta`` outside (0, 1).
        """
        joint = self.joint(delta=delta)
        return None if self.apart else joint

    def joint(self, *, delta: float | None = None) -> Guarantee | None:
        """The guarantee that covers the lines that do join, whatever stands apart. ``delta`` as in ``total``."""
        lines = tuple(line for line in self.lines if not line.apart)
        spent = _Spent.by(lines)
        return (spent if delta is None else spent.tightened(lines, share("delta", delta))).guarantee()

    def _with(self, line: Line) -> Ledger:
        for other in self.lines:
            _refuse_unlike(other, line)
        if line.oracle_id and (self.after_responses or any(other.event is not Event.DRAWS for other in self.lines)):
            line = replace(line, apart=line.target_id not in self._chosen_first())
        lines = (*self.lines, line)
        self._refuse(_Spent.by(lines))
        return replace(self, lines=lines)

    def _refuse(self, spent: _Spent) -> None:
        if self.budget is not None and not spent.within(self.budget):
            raise BudgetExceededError(self.budget, spent.guarantee() or spent)

    def _chosen_first(self) -> set[str]:
        """The targets that no response can have influenced: the plan's, and those up to the first response."""
        if self.after_responses:
            return {*self.plan}
        first = next(i for i, line in enumerate(self.lines) if line.event is not Event.DRAWS)
        return {*self.plan, *(line.target_id for line in self.lines[: first + 1])}


@final
@dataclass(frozen=True, slots=True)
class _Spent:
    """(Σε, Σδ, Σγ), each sample's γ once and at its largest (mathematics, section 4). γ may pass 1.

    ``joint_gamma`` is averaged over the draws, whatever the bound: what a budget without confidence is compared with.
    """

    epsilon: float
    delta: float
    gamma: float
    joint_gamma: float
    confidence: float | None

    @classmethod
    def by(cls, lines: tuple[Line, ...]) -> _Spent:
        samples: dict[str, list[Line]] = {}
        for line in lines:
            if line.sample_id:
                samples.setdefault(line.sample_id, []).append(line)
        joint = math.fsum(max(line.joint_gamma for line in of) for of in samples.values())
        gamma, confidence = _certified(list(samples.values())) or (joint, None)
        return cls(math.fsum(x.epsilon for x in lines), math.fsum(x.delta for x in lines), gamma, joint, confidence)

    def tightened(self, lines: tuple[Line, ...], delta: float) -> _Spent:
        """The same lines at this δ, by the smaller of two upper bounds; ε = ∞ where neither is one."""
        basic = self.epsilon if self.delta <= delta * _ROUNDING else math.inf
        return replace(self, epsilon=min(basic, _tight_epsilon(lines, delta)), delta=delta)

    def guarantee(self) -> Guarantee | None:
        if not math.isfinite(self.epsilon):
            return None
        if not 0 <= self.gamma < 1 or not self.delta < 1 or not (self.gamma or self.epsilon):
            return None
        if self.gamma:
            return RandomDP(self.epsilon, self.delta, self.gamma, self.confidence)
        return ApproxDP(self.epsilon, self.delta) if self.delta else PureDP(self.epsilon)

    def within(self, budget: Guarantee) -> bool:
        gamma, confidence = self.joint_gamma, getattr(budget, "confidence", None)
        if confidence is not None and self.gamma:
            if self.confidence is None or self.confidence * _ROUNDING < confidence:
                return False
            gamma = self.gamma
        spent = {"epsilon": self.epsilon, "delta": self.delta, "gamma": gamma}
        return all(value <= getattr(budget, name, 0.0) * _ROUNDING for name, value in spent.items())


def _of_provenance(event: Event, guarantee: Guarantee, adjacency: Adjacency, provenance: Any) -> Line:
    line = Line(
        event, provenance["target"], provenance["target_id"], provenance["n"], adjacency, guarantee.epsilon,
        0.0 if isinstance(guarantee, PureDP) else guarantee.delta,
    )  # fmt: skip
    if not isinstance(guarantee, RandomDP):
        return line
    return replace(
        line, gamma=guarantee.gamma, joint_gamma=provenance["joint_gamma"], confidence=guarantee.confidence,
        oracle=provenance["oracle"], oracle_id=provenance["oracle_id"], sample_id=provenance["sample_id"],
    )  # fmt: skip


def _noise(release: Release[Any]) -> dict[str, Any]:
    """The fields of a line that tell its noise. A failed release has none: its failure was itself the response."""
    sensitivity, response = release.provenance.get("sensitivity"), release.response
    return {
        "mechanism": release.mechanism,
        "noise_ratio": release.scale / sensitivity if isinstance(sensitivity, float) and sensitivity > 0 else 0.0,
        "scalar": isinstance(response, np.ndarray) and response.size == 1,
    }


def _tight_epsilon(lines: Iterable[Line], delta: float) -> float:
    """By the law of each line's noise: a Gaussian's with Δ in L2, a Laplace's of one number, else whatever is (ε, δ)-DP.

    That no Laplace vector with Δ in L1 loses more than one number does is likely, and not proved here: it counts as (ε, 0).
    """
    gaussians: list[float] = []
    laplaces: list[float] = []
    others: list[tuple[float, float]] = []
    for line in lines:
        if line.mechanism == "Gaussian" and 0 < line.noise_ratio < math.inf:
            gaussians.append(line.noise_ratio)
        elif line.mechanism == "Laplace" and line.scalar and 0 < line.noise_ratio < math.inf:
            laplaces.append(line.noise_ratio)
        elif line.epsilon or line.delta:  # draws alone spend neither
            others.append((line.epsilon, line.delta))
    return composed_epsilon(delta, gaussians=gaussians, laplaces=laplaces, others=others)


def _of_sample(sample: SensitivitySample[Norm]) -> Line:
    line = _of_draws(sample.target, sample.oracle, sample.n, sample.adjacency, sample.point)
    return replace(line, sample_id=sample.sample_id)


def _of_draws(target: Target, oracle: Oracle, n: int, adjacency: Adjacency, point: OperatingPoint) -> Line:
    return Line(
        Event.DRAWS, describe(target), fingerprint(target), n, adjacency, 0.0, 0.0,
        point.gamma, point.joint_gamma, point.confidence, describe(oracle), fingerprint(oracle),
    )  # fmt: skip


def _refuse_unlike(first: Line, second: Line) -> None:
    if first.adjacency is not second.adjacency:
        raise IncompatibleReleasesError("adjacency", first.adjacency.value, second.adjacency.value)
    if first.n != second.n:
        raise IncompatibleReleasesError("number of records", first.n, second.n)
    if first.oracle_id and second.oracle_id and first.oracle_id != second.oracle_id:
        names = [f"{line.oracle} ({line.oracle_id[:8]})" for line in (first, second) if line.oracle_id]
        raise IncompatibleReleasesError("oracle", *names)


def _certified(samples: list[list[Line]]) -> tuple[float, float] | None:
    """Where every sample has a confidence: Σγ with confidence 1 − Σ(1 − c), by a union bound; None elsewhere.

    Two lengths of one run under TIME_UNIFORM are two samples here, though one event covers both: more than is needed.
    """
    confidences = [[line.confidence for line in lines if line.confidence is not None] for lines in samples]
    if not samples or any(len(given) < len(lines) for given, lines in zip(confidences, samples, strict=True)):
        return None
    gamma = math.fsum(max(line.gamma for line in lines) for lines in samples)
    if len(samples) == 1:
        return gamma, min(confidences[0])
    doubt = math.fsum(1 - min(given) for given in confidences)
    return (gamma, 1 - doubt) if doubt < 1 else None
