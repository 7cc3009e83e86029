"""The charge of everything that a ledger takes: releases, samples, planned releases, and draws that were ended."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from dpcore.base.checks import whole
from dpcore.base.facts import facts
from dpcore.base.fingerprint import describe, fingerprint
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle, Target
from dpcore.errors import InexactNoiseError, InvalidValueError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.guarantees.sensitivity import SampledSensitivity
from dpcore.ledger.lines import ENDED, Drawn, Event, Line
from dpcore.mechanisms.base import Calibrated, Mechanism, Release
from dpcore.mechanisms.response_law import LAPLACE, NORMAL
from dpcore.sampling.sampler import SensitivitySample


@final
@dataclass(frozen=True, eq=False)
class Planned:
    """A random-DP release that is fixed before its draws: all that mathematics, section 4.1, lists.

    ``mechanism`` and ``privacy`` too, where a tight total is wanted: it needs them fixed. ``part`` names the part of the table
    that the database is (columns, and what fills a missing value), where the table has more than one.
    """

    target: Target
    oracle: Oracle
    norm: Norm
    n: int
    at: OperatingPoint
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    mechanism: Mechanism[Any, Any] | None = None
    privacy: PureDP | ApproxDP | None = None
    part: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", whole("n", self.n))
        if not isinstance(self.at, OperatingPoint):
            raise InvalidValueError("at", "an operating point", self.at)
        if (self.mechanism is None) != (self.privacy is None):
            raise InvalidValueError("mechanism and privacy", "both given, or neither", (self.mechanism, self.privacy))

    @property
    def line(self) -> Line:
        """As it will be charged, except for its sample."""
        drawn = _drawn(self.target, self.oracle, self.norm, self.n, self.adjacency, self.at)
        draws = _of_draws(self.target, self.n, self.adjacency, drawn)
        line = replace(draws, event=Event.RELEASE).of_part(self.part)
        if self.mechanism is None or self.privacy is None:
            return line
        if not _exact(self.mechanism, self.target, self.privacy):
            raise InexactNoiseError(describe(self.mechanism))
        delta = facts(self.privacy).delta
        noise = _noise_id(describe(self.mechanism), self.privacy.epsilon, delta)
        return replace(line, epsilon=self.privacy.epsilon, delta=delta, noise=noise)


def _exact(mechanism: Mechanism[Any, Any], target: Target, privacy: PureDP | ApproxDP) -> bool:
    """Whether its law says that OpenDP draws all of it; where it has no law for this privacy, there will be no release."""
    try:
        return mechanism.law(target, 1.0, privacy).sampling.exact
    except InvalidValueError:
        return True


def of_release(release: Release[Any]) -> Line:
    """The charge of a release."""
    if release.guarantee is None:
        raise InexactNoiseError(release.mechanism)
    charge = _of_provenance(Event.RELEASE, release.guarantee, release.adjacency, release.provenance)
    line = replace(charge, mechanism=release.mechanism)
    sensitivity = release.provenance.get("sensitivity")
    if not isinstance(sensitivity, float) or not sensitivity > 0:
        return line
    return replace(line, noise_ratio=release.scale / sensitivity, composes_as=_composes_as(release))


def _composes_as(release: Release[Any]) -> str:
    """As its law says, where a total knows more of that than its ε and δ: normal noise to Δ in L2, and Laplace noise to Δ in L1
    of one number. That no Laplace vector with Δ in L1 loses more than one number does is likely, and not proved here."""
    norm, response = release.provenance.get("norm"), release.response
    if not isinstance(response, np.ndarray):
        return ""
    if release.composes_as == NORMAL and norm == "L2":
        return NORMAL
    return LAPLACE if release.composes_as == LAPLACE and norm == "L1" and response.size == 1 else ""


def of_calibrated(event: Event, calibrated: Calibrated[Any], n: int) -> Line:
    """The charge of a release that failed on n records, or one that is fixed and still to come."""
    sensitivity = calibrated.sensitivity
    if not calibrated.law.sampling.exact:
        raise InexactNoiseError(describe(calibrated.mechanism))
    explored = isinstance(sensitivity, SampledSensitivity) and sensitivity.origin.explored
    if explored and event is not Event.FAILED:
        raise InvalidValueError("calibrated", "of a point that was fixed before its draws", "a point chosen after its draws")
    return _of_provenance(event, calibrated.guarantee, sensitivity.adjacency, calibrated.provenance(n))


def of_sample(sample: SensitivitySample[Norm]) -> Line:
    """The charge of draws that were seen without a response: (0, 0, γ)."""
    drawn = _drawn(sample.target, sample.oracle, sample.norm, sample.n, sample.adjacency, sample.point)
    return _of_draws(sample.target, sample.n, sample.adjacency, replace(drawn, sample_id=sample.sample_id))


def of_ended(planned: Planned, *, looked: bool) -> Line:
    """The charge of draws that were ended before the last: nothing will share them. ``looked``: a distance was seen."""
    line = planned.line
    assert line.drawn is not None
    drawn = replace(line.drawn, sample_id=("seen " if looked else ENDED) + secrets.token_hex(8))
    return replace(line, event=Event.DRAWS, epsilon=0.0, delta=0.0, drawn=drawn, noise="")


def _of_draws(target: Target, n: int, adjacency: Adjacency, drawn: Drawn) -> Line:
    return Line(
        event=Event.DRAWS,
        target=describe(target),
        target_id=fingerprint(target),
        n=n,
        adjacency=adjacency,
        epsilon=0.0,
        delta=0.0,
        drawn=drawn,
    )


def _of_provenance(event: Event, guarantee: Guarantee, adjacency: Adjacency, of: Any) -> Line:
    delta = facts(guarantee).delta
    line = Line(
        event=event,
        target=of["target"],
        target_id=of["target_id"],
        n=of["n"],
        adjacency=adjacency,
        epsilon=guarantee.epsilon,
        delta=delta,
        noise=_noise_id(of["mechanism"], guarantee.epsilon, delta),
    )
    if not isinstance(guarantee, RandomDP):
        return line
    bound = Bound[of["bound"]]
    promise = (of["norm"], of["n"], adjacency, of["oracle_id"], bound, of["m"], of["k"], of["gamma"], of["confidence"])
    point_id = _point_id(of["target_id"], *promise)
    drawn = Drawn(
        oracle=of["oracle"],
        oracle_id=of["oracle_id"],
        point_id=point_id,
        sample_id=of["sample_id"],
        gamma=of["gamma"],
        joint_gamma=of["joint_gamma"],
        confidence=of["confidence"],
    )
    return replace(line, drawn=drawn)


def _drawn(target: Target, oracle: Oracle, norm: Norm, n: int, adjacency: Adjacency, point: OperatingPoint) -> Drawn:
    oracle_id = fingerprint(oracle)
    point_id = _point_id(
        fingerprint(target), repr(norm), n, adjacency, oracle_id, point.bound, point.m, point.k, point.gamma, point.confidence
    )
    return Drawn(
        oracle=describe(oracle),
        oracle_id=oracle_id,
        point_id=point_id,
        sample_id=None,
        gamma=point.gamma,
        joint_gamma=point.joint_gamma,
        confidence=point.confidence,
    )


def _point_id(
    target_id: str,
    norm: str,
    n: int,
    adjacency: Adjacency,
    oracle_id: str,
    bound: Bound,
    m: int,
    k: int,
    gamma: float,
    confidence: float | None,
) -> str:
    free = bound.has_confidence  # then m alone may adapt, and k with it (mathematics, section 4.1)
    parts = (target_id, norm, n, adjacency.name, oracle_id, bound.name, None if free else (m, k), gamma, confidence)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _noise_id(mechanism: str, epsilon: float, delta: float) -> str:
    return f"{mechanism} ε={epsilon!r} δ={delta!r}"


def planned_line(item: Planned | Calibrated[Any] | Line) -> Line:
    """The line of a release that is fixed and still to come."""
    if isinstance(item, Line):
        return item
    if isinstance(item, Planned):
        return item.line
    if isinstance(item, Calibrated):
        n = item.sensitivity.n
        if n is None:
            raise InvalidValueError("sensitivity", "of a stated number of rows", n)
        return of_calibrated(Event.RELEASE, item, n)
    raise InvalidValueError("item", "a planned or a calibrated release, for a target alone leaves γ, m and the rest open", item)
