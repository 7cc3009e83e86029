"""The lines of a ledger, in strings and numbers, and the charges of releases, samples, plans and draws that were stopped."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Annotated, Any, final

import numpy as np

from dpcore.base import serialization
from dpcore.base.checks import share, whole
from dpcore.base.fingerprint import describe, fingerprint
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle, Target
from dpcore.errors import IncompatibleReleasesError, InexactNoiseError, InvalidValueError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.guarantees.sensitivity import SampledSensitivity
from dpcore.mechanisms.base import Calibrated, Mechanism, Release
from dpcore.mechanisms.response_law import LAPLACE, NORMAL
from dpcore.sampling.sampler import SensitivitySample

ENDED = "ended "  # prefix of a sample's id if the draws were stopped early and not seen


class Event(Enum):
    """The kind of a charge."""

    RELEASE = "release"
    DRAWS = "draws without an answer"
    FAILED = "a release that failed"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The random-DP guarantee that a line was certified for.

    ``point_id`` is equal for two lines iff target, norm, n, adjacency, oracle, bound, γ, confidence and (except for a bound with
    confidence, under which only m may adapt) m and k are.
    """

    oracle: str
    oracle_id: str
    point_id: str
    sample_id: str | None
    gamma: Annotated[float, share]
    joint_gamma: Annotated[float, share]
    confidence: Annotated[float | None, share]

    @property
    def adapted_gamma(self) -> float:
        """γ averaged over the draws if a response may have chosen m."""
        # 1 − c(1−γ) holds for any m (mathematics, section 1.6).
        return self.joint_gamma if self.confidence is None else max(self.joint_gamma, 1 - self.confidence * (1 - self.gamma))

    def of_part(self, part: str) -> Drawn:
        """Return the guarantee for one part of a table."""
        # Each part has its own events, so neither a place in a plan nor γ is shared (mathematics, section 4.1).
        sample_id = None if self.sample_id is None else f"{self.sample_id} {_short(part)}"
        return replace(self, point_id=f"{self.point_id} {_short(part)}", sample_id=sample_id)

    @property
    def ended(self) -> bool:
        """True if the draws were stopped early and not seen."""
        return self.sample_id is not None and self.sample_id.startswith(ENDED)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One charge.

    Attributes:
        event: Kind of the charge.
        target, target_id: Description and fingerprint of the target.
        n: Public number of records, or of users.
        adjacency: The neighbours that it protects.
        epsilon, delta: The ε and δ that it spends.
        drawn: Present if the sensitivity was sampled.
        noise: Mechanism with its ε and δ.
        noise_ratio: Scale of the noise over the sensitivity.
        composes_as: Distribution of the noise, if a tight total may use it with ``noise_ratio``; otherwise empty.
        about, answer, made: Question, answer and time, for people.
        doubled: The release protects an added or removed record or user, and counts at twice its ε in a ledger of replaced ones.
        later: It was planned, and made after a response.
    """

    event: Event
    target: str
    target_id: str
    n: Annotated[int, whole]
    adjacency: Adjacency
    epsilon: Annotated[float, serialization.at_least_0]
    delta: Annotated[float, serialization.below_1]
    drawn: Drawn | None = None
    noise: str = ""
    noise_ratio: Annotated[float, serialization.at_least_0] = 0.0
    composes_as: Annotated[str, serialization.one_of("", LAPLACE, NORMAL)] = ""
    about: str = field(default="", compare=False)
    answer: str = field(default="", compare=False)
    made: str = field(default="", compare=False)
    doubled: bool = False
    later: bool = False

    @property
    def gamma(self) -> float:
        """γ; 0 for pure and approximate DP."""
        return 0.0 if self.drawn is None else self.drawn.gamma

    @property
    def joint_gamma(self) -> float:
        """γ averaged over the draws; 0 for pure and approximate DP."""
        if self.drawn is None:
            return 0.0
        return self.drawn.adapted_gamma if self.later else self.drawn.joint_gamma

    @property
    def confidence(self) -> float | None:
        """Confidence over the draws, if the bound has one."""
        return None if self.drawn is None else self.drawn.confidence

    @property
    def responded(self) -> bool:
        """True if it was a response to the table. Draws do not use the table."""
        return self.event is not Event.DRAWS

    @property
    def ends_sampling(self) -> bool:
        """True if nothing more may be sampled for the table afterwards: a response came, or draws for a release were seen."""
        return self.responded or (self.drawn is not None and not self.drawn.ended)

    @property
    def guarantee(self) -> Guarantee:
        """Guarantee of this line by itself."""
        if self.drawn is not None:
            return RandomDP(self.epsilon, self.delta, self.gamma, self.confidence)
        return ApproxDP(self.epsilon, self.delta) if self.delta else PureDP(self.epsilon)

    @property
    def sample_id(self) -> str | None:
        """Id of the sample. Lines with the same id share their γ."""
        return self.drawn.sample_id if self.drawn is not None else None

    def serves(self, planned: Line) -> bool:
        """Return whether a line of the plan fixed it: a proved release, an operating point, or exactly these draws."""
        if self.drawn is None or planned.drawn is None:
            return (self.drawn, planned.drawn, self.fixed_noise) == (None, None, planned.fixed_noise)
        return self.drawn.point_id == planned.drawn.point_id and planned.sample_id in (None, self.sample_id)

    @property
    def fixed_noise(self) -> tuple[str, str]:
        """The target or operating point, and the mechanism with ε and δ, which a tight total needs fixed in advance."""
        return (self.target_id if self.drawn is None else self.drawn.point_id), self.noise

    @property
    def words(self) -> str:
        """Description of the charge."""
        thing = "row" if self.adjacency.of_records else "person"
        twice = f"for a {thing} added or removed; a replaced {thing} is both, so it counts twice"
        return f"{self.event.value}, {twice}" if self.doubled else self.event.value

    def of_part(self, part: str) -> Line:
        """Return the charge for one part of the table: each part has its own place in a plan, and its own γ."""
        if not part:
            return self
        drawn = None if self.drawn is None else self.drawn.of_part(part)
        return replace(self, target_id=f"{self.target_id} {_short(part)}", drawn=drawn)

    def told(self, *, about: str = "", answer: str = "", made: str = "") -> Line:
        """Return the charge with these texts for people."""
        return replace(self, about=about or self.about, answer=answer or self.answer, made=made or self.made)


def _short(part: str) -> str:
    return hashlib.sha256(part.encode()).hexdigest()[:32]


_REPLACED = {
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: Adjacency.REPLACE_ONE_RECORD,
    Adjacency.ADD_OR_REMOVE_ONE_USER: Adjacency.REPLACE_ONE_USER,
}


def counted_with(first: Line, line: Line) -> Line:
    """Return the line as it counts in a ledger that begins with ``first``.

    Lines add up only for the same neighbours and the same n, which the first line fixes. Pure DP for an added or removed record,
    or user, counts at 2ε for a replaced one. No other line changes its neighbours.

    Args:
        first: The first line of the ledger.
        line: The line to add.

    Returns:
        The line, at 2ε if it counts twice.

    Raises:
        IncompatibleReleasesError: If neighbours or n differ.
    """
    if first.adjacency is _REPLACED.get(line.adjacency) and line.drawn is None and not line.delta:
        # Removing one and adding another are two steps at ε each (mathematics, section 4.7). The distribution of the loss for a
        # replaced record is unknown, and a plan for replaced records does not list this line.
        line = replace(line, target_id=f"{line.target_id} twice", noise_ratio=0.0, composes_as="")
        line = replace(line, adjacency=first.adjacency, n=first.n, epsilon=2 * line.epsilon, doubled=True)
    if first.adjacency is not line.adjacency:
        raise IncompatibleReleasesError("adjacency", first.adjacency.value, line.adjacency.value)
    if first.n != line.n:
        raise IncompatibleReleasesError("number of rows", first.n, line.n)
    return line


def refuse_other_oracle(first: Drawn, second: Drawn) -> None:
    """Check that two sampled lines have one oracle.

    Args:
        first: One of them.
        second: The other.

    Raises:
        IncompatibleReleasesError: If their oracles differ.
    """
    if first.oracle_id != second.oracle_id:
        names = [f"{drawn.oracle} ({drawn.oracle_id[:8]})" for drawn in (first, second)]
        raise IncompatibleReleasesError("oracle", *names)


@final
@dataclass(frozen=True, eq=False)
class Planned:
    """A random-DP release that is fixed before its draws: everything that mathematics, section 4.1, lists.

    Attributes:
        target: The target.
        oracle: The oracle.
        norm: The norm of a distance.
        n: Number of records, or of users.
        at: The operating point.
        adjacency: The neighbours.
        mechanism: The mechanism, if it is fixed too, as a tight total needs; then ``privacy`` is.
        privacy: The level.
        part: Name of the part of the table that the database is (columns, and what replaces a missing value), if the table has
            several.

    Raises:
        InvalidValueError: If an argument is not as said here.

    Examples:
        >>> from dpcore import L1, Ledger, OperatingPoint, Planned, oracles, targets
        >>> question = Planned(targets.Mean(), oracles.Exponential(1.0), L1, 500, OperatingPoint.for_gamma(0.05))
        >>> len(Ledger().planned([question, question]).pending)
        2
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
        """The charge, except for the sample's id."""
        line = replace(_of_draws(self, self.at), event=Event.RELEASE).of_part(self.part)
        if self.mechanism is None or self.privacy is None:
            return line
        if not _exact(self.mechanism, self.target, self.privacy):
            raise InexactNoiseError(describe(self.mechanism))
        delta = self.privacy.delta
        noise = _noise_id(describe(self.mechanism), self.privacy.epsilon, delta)
        return replace(line, epsilon=self.privacy.epsilon, delta=delta, noise=noise)


def _exact(mechanism: Mechanism[Any, Any], target: Target, privacy: PureDP | ApproxDP) -> bool:
    """Return whether OpenDP draws all of the noise. A mechanism without noise for this privacy will make no release."""
    try:
        return mechanism.law(target, 1.0, privacy).sampling.exact
    except InvalidValueError:
        return True


def of_release(release: Release[Any]) -> Line:
    """Return the charge of a release; InexactNoiseError if it has no guarantee."""
    if release.guarantee is None:
        raise InexactNoiseError(release.mechanism)
    charge = _of_provenance(Event.RELEASE, release.guarantee, release.adjacency, release.provenance)
    sensitivity = release.provenance.get("sensitivity")
    if not isinstance(sensitivity, float) or not sensitivity > 0:
        return charge
    return replace(charge, noise_ratio=release.scale / sensitivity, composes_as=_composes_as(release))


def _composes_as(release: Release[Any]) -> str:
    """Return the noise that a tight total may use: normal with Δ in L2, Laplace of one number with Δ in L1, otherwise empty."""
    # That a Laplace vector with Δ in L1 loses no more than one number does is likely, but not proved (mathematics, section 4.3).
    norm, response = release.provenance.get("norm"), release.response
    if not isinstance(response, np.ndarray):
        return ""
    if release.composes_as == NORMAL and norm == "L2":
        return NORMAL
    return LAPLACE if release.composes_as == LAPLACE and norm == "L1" and response.size == 1 else ""


def of_calibrated(event: Event, calibrated: Calibrated[Any], n: int) -> Line:
    """Return the charge of a release that failed on n records, or of one that is fixed and still to come."""
    sensitivity = calibrated.sensitivity
    if not calibrated.law.sampling.exact:
        raise InexactNoiseError(describe(calibrated.mechanism))
    # A failed release of an explored point was refused before the target was called; a plan of one certifies nothing.
    explored = isinstance(sensitivity, SampledSensitivity) and sensitivity.origin.explored
    if explored and event is not Event.FAILED:
        raise InvalidValueError("calibrated", "of a point that was fixed before its draws", "a point chosen after its draws")
    return _of_provenance(event, calibrated.guarantee, sensitivity.adjacency, calibrated.provenance(n))


def of_sample(sample: SensitivitySample[Norm]) -> Line:
    """Return the charge of draws that were seen without a response: (0, 0, γ)."""
    return _of_draws(sample, sample.point, sample.sample_id)


def of_ended(planned: Planned, *, looked: bool) -> Line:
    """Return the charge of draws that were stopped early. ``looked``: a distance was seen."""
    # A random id: nothing will share these draws, so their γ counts by itself (mathematics, section 2.3).
    line = planned.line
    assert line.drawn is not None
    drawn = replace(line.drawn, sample_id=("seen " if looked else ENDED) + secrets.token_hex(8))
    return replace(line, event=Event.DRAWS, epsilon=0.0, delta=0.0, drawn=drawn, noise="")


def _of_draws(of: Planned | SensitivitySample[Norm], point: OperatingPoint, sample_id: str | None = None) -> Line:
    provenance = {
        "target": describe(of.target),
        "target_id": fingerprint(of.target),
        "oracle": describe(of.oracle),
        "oracle_id": fingerprint(of.oracle),
        "norm": repr(of.norm),
        "n": of.n,
        "sample_id": sample_id,
        "bound": point.bound.name,
        "m": point.m,
        "k": point.k,
        "gamma": point.gamma,
        "joint_gamma": point.joint_gamma,
        "confidence": point.confidence,
    }
    return _of_provenance(Event.DRAWS, RandomDP(0.0, 0.0, point.gamma, point.confidence), of.adjacency, provenance)


def _of_provenance(event: Event, guarantee: Guarantee, adjacency: Adjacency, of: Any) -> Line:
    """Return the charge of a provenance, as ``Calibrated.provenance`` gives it."""
    drawn = None
    if isinstance(guarantee, RandomDP):
        drawn = Drawn(
            oracle=of["oracle"],
            oracle_id=of["oracle_id"],
            point_id=_point_id(adjacency, of),
            sample_id=of["sample_id"],
            gamma=of["gamma"],
            joint_gamma=of["joint_gamma"],
            confidence=of["confidence"],
        )
    return Line(
        event=event,
        target=of["target"],
        target_id=of["target_id"],
        n=of["n"],
        adjacency=adjacency,
        epsilon=guarantee.epsilon,
        delta=guarantee.delta,
        drawn=drawn,
        noise="" if event is Event.DRAWS else _noise_id(of["mechanism"], guarantee.epsilon, guarantee.delta),
    )


def _point_id(adjacency: Adjacency, of: Any) -> str:
    """Return the hash of all that a line of random DP fixes before its draws (mathematics, section 4.1)."""
    # Under a bound with a confidence m may adapt, and k with it, and nothing else.
    order = None if Bound[of["bound"]].has_confidence else (of["m"], of["k"])
    promise = of["target_id"], of["norm"], of["n"], adjacency.name, of["oracle_id"], of["bound"]
    return hashlib.sha256(repr((*promise, order, of["gamma"], of["confidence"])).encode()).hexdigest()


def _noise_id(mechanism: str, epsilon: float, delta: float) -> str:
    return f"{mechanism} ε={epsilon!r} δ={delta!r}"


def planned_line(item: Planned | Calibrated[Any] | Line) -> Line:
    """Return the line of a release that is fixed and still to come."""
    if isinstance(item, Line):
        return item
    if isinstance(item, Planned):
        return item.line
    if isinstance(item, Calibrated):
        n = item.sensitivity.n
        if n is None:
            raise InvalidValueError("sensitivity", "of a stated number of rows", n)
        return of_calibrated(Event.RELEASE, item, n)
    raise InvalidValueError("item", "a planned or a calibrated release: a target leaves γ, m and the rest open", item)
