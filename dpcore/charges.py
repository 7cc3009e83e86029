"""What a ledger holds: one charge a line, in strings and numbers, and what its guarantee rests on."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, final

import numpy as np

from dpcore.checks import whole
from dpcore.errors import InvalidValueError
from dpcore.fingerprint import describe, fingerprint
from dpcore.mechanisms.base import Calibrated, Mechanism, Release
from dpcore.norms import Norm
from dpcore.operating_points import Bound, OperatingPoint
from dpcore.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.sampler import SensitivitySample
from dpcore.sensitivity import SampledSensitivity
from dpcore.types import Oracle, Target, independent_records
from dpcore.ways import choose

_ENDED = "ended "  # begins the sample's name where draws were ended before the last, unseen: nothing will share them


class Event(Enum):
    """What was charged."""

    RELEASE = "release"
    DRAWS = "draws without a response"
    FAILED = "a release that failed"
    ENTERED = "entered by hand"


class Standing(Enum):
    """What the guarantee of a line rests on (mathematics, section 4)."""

    PROVED = ""  # a proved sensitivity: holds whatever was asked before
    FIXED = "fixed before the first response"
    LARGER = "chosen after a response, at a larger γ"
    NONE = "chosen after a response: no guarantee"
    APART = "a guarantee of its own"  # random DP of elsewhere, which joins no total

    @property
    def joins(self) -> bool:
        """Whether a line with it is part of a total."""
        return self not in (Standing.NONE, Standing.APART)


@final
@dataclass(frozen=True, slots=True)
class Drawn:
    """Which random-DP promise a line was certified for, before anything is said of when it was chosen.

    ``point_id`` is equal for two lines iff target, norm, n, adjacency, oracle, bound, γ, confidence and (but for a bound with
    confidence, under which m alone may adapt) m and k are. ``k``: the order of Δ̂ among its draws. ``run_id`` is that of one
    run of draws under TIME_UNIFORM, all of whose lengths hold at once. ``local``: the distance hangs on the two replaced
    records alone, which the oracle draws independently of the others.
    """

    oracle: str
    oracle_id: str
    point_id: str
    sample_id: str | None
    k: int
    gamma: float
    joint_gamma: float
    confidence: float | None
    local: bool
    run_id: str | None = None

    @property
    def adapted_gamma(self) -> float:
        """The γ averaged over the draws where m may have been chosen by a response: 1 − confidence·(1−γ), else as certified."""
        return self.joint_gamma if self.confidence is None else max(self.joint_gamma, 1 - self.confidence * (1 - self.gamma))

    def of_part(self, part: str) -> Drawn:
        """The same of one part of a table: of another part it is another event."""
        sample_id = None if self.sample_id is None else f"{self.sample_id} {_short(part)}"
        run_id = None if self.run_id is None else f"{self.run_id} {_short(part)}"
        return replace(self, point_id=f"{self.point_id} {_short(part)}", sample_id=sample_id, run_id=run_id)

    @property
    def ended(self) -> bool:
        """Whether the draws were ended before the last, and nobody looked at them."""
        return self.sample_id is not None and self.sample_id.startswith(_ENDED)


@final
@dataclass(frozen=True, slots=True)
class Line:
    """One charge. ``gamma`` and ``joint_gamma`` (averaged over the draws too) are what is promised; both 0 for DP proper.

    ``drawn`` is there where a sensitivity was sampled. ``noise`` names the mechanism with its ε and δ; ``mechanism``,
    ``noise_ratio`` (the noise's scale over the sensitivity) and ``scalar`` (one number was released) say how its privacy
    loss is distributed, for tight totals. ``about``, ``answer`` and ``made`` are for people: what was asked, what came, when.
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
    drawn: Drawn | None = None
    standing: Standing = Standing.PROVED
    noise: str = ""
    mechanism: str | None = None
    noise_ratio: float = 0.0
    scalar: bool = False
    about: str = field(default="", compare=False)
    answer: str = field(default="", compare=False)
    made: str = field(default="", compare=False)

    @property
    def responded(self) -> bool:
        """Whether something of the table was told: draws alone tell nothing of it."""
        return self.event is not Event.DRAWS

    @property
    def apart(self) -> bool:
        """Whether it joins no total: it was chosen after a response, or is random DP of elsewhere."""
        return not self.standing.joins

    @property
    def guarantee(self) -> Guarantee | None:
        """What holds for this line; None where nothing does."""
        if self.standing is Standing.NONE:
            return None
        if self.gamma:
            return RandomDP(self.epsilon, self.delta, self.gamma, self.confidence)
        return ApproxDP(self.epsilon, self.delta) if self.delta else PureDP(self.epsilon)

    @property
    def without_earlier(self) -> RandomDP | None:
        """What would hold had it been chosen without the earlier responses; None for a proved sensitivity."""
        if self.drawn is None:
            return None
        return RandomDP(self.epsilon, self.delta, self.drawn.gamma, self.drawn.confidence)

    @property
    def sample_id(self) -> str | None:
        """Lines that share it share their γ."""
        return self.drawn.sample_id if self.drawn is not None else None

    @property
    def words(self) -> str:
        """What people read about where it stands."""
        told = self.standing.value if self.standing in (Standing.LARGER, Standing.NONE, Standing.APART) else ""
        return ", ".join(part for part in (self.event.value, told) if part)

    def of_part(self, part: str) -> Line:
        """The same charge, where the database is this part of the table: another part shares no place of a plan, and no γ."""
        if not part:
            return self
        drawn = None if self.drawn is None else self.drawn.of_part(part)
        return replace(self, target_id=f"{self.target_id} {_short(part)}", drawn=drawn)

    def told(self, *, about: str = "", answer: str = "", made: str = "") -> Line:
        """The same charge with words for people."""
        return replace(self, about=about or self.about, answer=answer or self.answer, made=made or self.made)


@final
@dataclass(frozen=True, eq=False)
class Planned:
    """A random-DP release that is fixed before its draws: all that section 4 of the mathematics lists.

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
            raise InvalidValueError("at", "an OperatingPoint", self.at)
        if (self.mechanism is None) != (self.privacy is None):
            raise InvalidValueError("mechanism and privacy", "both given, or neither", (self.mechanism, self.privacy))

    @property
    def line(self) -> Line:
        """As it will be charged, but for its sample."""
        way = choose(self.target, self.oracle, self.n).name
        drawn = _drawn(self.target, self.oracle, self.norm, self.n, self.adjacency, self.at, way)
        line = _of_draws(self.target, self.n, self.adjacency, drawn)
        line = replace(line, event=Event.RELEASE).of_part(self.part)
        if self.mechanism is None or self.privacy is None:
            return line
        delta = self.privacy.delta if isinstance(self.privacy, ApproxDP) else 0.0
        noise = _noise_id(describe(self.mechanism), self.privacy.epsilon, delta)
        return replace(line, epsilon=self.privacy.epsilon, delta=delta, noise=noise)


def of_release(release: Release[Any]) -> Line:
    """The charge of a release."""
    line = _of_provenance(Event.RELEASE, release.guarantee, release.adjacency, release.provenance)
    sensitivity, response = release.provenance.get("sensitivity"), release.response
    return replace(
        line, mechanism=release.mechanism, scalar=isinstance(response, np.ndarray) and response.size == 1,
        noise_ratio=release.scale / sensitivity if isinstance(sensitivity, float) and sensitivity > 0 else 0.0,
    )  # fmt: skip


def of_calibrated(event: Event, calibrated: Calibrated[Any], n: int) -> Line:
    """The charge of a release that failed on n records, or one that is fixed and still to come."""
    sensitivity = calibrated.sensitivity
    line = _of_provenance(event, calibrated.guarantee, sensitivity.adjacency, calibrated.provenance(n))
    explored = isinstance(sensitivity, SampledSensitivity) and sensitivity.origin.explored
    if explored and event is not Event.FAILED:
        raise InvalidValueError("calibrated", "of a point that was fixed before its draws", "a point chosen after its draws")
    return line


def of_sample(sample: SensitivitySample[Norm]) -> Line:
    """The charge of draws that were seen without a response: (0, 0, γ)."""
    drawn = _drawn(sample.target, sample.oracle, sample.norm, sample.n, sample.adjacency, sample.point, sample.way)
    run_id = _run_id(sample.point.bound, drawn.point_id, sample.seed)
    return _of_draws(sample.target, sample.n, sample.adjacency, replace(drawn, sample_id=sample.sample_id, run_id=run_id))


def of_ended(planned: Planned, *, looked: bool) -> Line:
    """The charge of draws that were ended before the last: nothing will share them. ``looked``: a distance was seen."""
    line = planned.line
    assert line.drawn is not None
    drawn = replace(line.drawn, sample_id=("seen " if looked else _ENDED) + secrets.token_hex(8))
    return replace(line, event=Event.DRAWS, epsilon=0.0, delta=0.0, drawn=drawn, noise="")


def of_entered(guarantee: Guarantee | None, n: int, adjacency: Adjacency) -> Line:
    """The charge of a release that was made elsewhere: DP proper joins, random DP stands apart, and so does no guarantee."""
    name, size = f"entered {secrets.token_hex(8)}", whole("n", n)
    if guarantee is None:
        return Line(Event.ENTERED, "made elsewhere", name, size, adjacency, 0.0, 0.0, standing=Standing.NONE)
    delta = 0.0 if isinstance(guarantee, PureDP) else guarantee.delta
    line = Line(Event.ENTERED, "made elsewhere", name, size, adjacency, guarantee.epsilon, delta)
    if not isinstance(guarantee, RandomDP):
        return line
    return replace(
        line, gamma=guarantee.gamma, joint_gamma=_joint(guarantee), confidence=guarantee.confidence, standing=Standing.APART
    )


def _joint(guarantee: RandomDP) -> float:
    """Whatever its m was: 1 − confidence·(1−γ)."""
    return guarantee.gamma if guarantee.confidence is None else 1 - guarantee.confidence * (1 - guarantee.gamma)


def _of_draws(target: Target, n: int, adjacency: Adjacency, drawn: Drawn) -> Line:
    return Line(
        Event.DRAWS, describe(target), fingerprint(target), n, adjacency, 0.0, 0.0, drawn.gamma, drawn.joint_gamma,
        drawn.confidence, drawn,
    )  # fmt: skip


def _of_provenance(event: Event, guarantee: Guarantee, adjacency: Adjacency, of: Any) -> Line:
    delta = 0.0 if isinstance(guarantee, PureDP) else guarantee.delta
    line = Line(event, of["target"], of["target_id"], of["n"], adjacency, guarantee.epsilon, delta)
    line = replace(line, noise=_noise_id(of["mechanism"], guarantee.epsilon, delta))
    if not isinstance(guarantee, RandomDP):
        return line
    point_id = _point_id(
        of["target_id"], of["norm"], of["n"], adjacency, of["oracle_id"], Bound[of["bound"]], of["m"], of["k"], of["gamma"],
        of["confidence"],
    )  # fmt: skip
    local, run_id = of["way"] == "additive" and of["records"] == "independent", _run_id(Bound[of["bound"]], point_id, of["seed"])
    drawn = Drawn(
        of["oracle"], of["oracle_id"], point_id, of["sample_id"], of["k"], of["gamma"], of["joint_gamma"], of["confidence"],
        local, run_id,
    )  # fmt: skip
    return replace(line, gamma=drawn.gamma, joint_gamma=drawn.joint_gamma, confidence=drawn.confidence, drawn=drawn)


def _drawn(
    target: Target, oracle: Oracle, norm: Norm, n: int, adjacency: Adjacency, point: OperatingPoint, way: str
) -> Drawn:  # fmt: skip
    oracle_id = fingerprint(oracle)
    point_id = _point_id(
        fingerprint(target), repr(norm), n, adjacency, oracle_id, point.bound, point.m, point.k, point.gamma, point.confidence
    )
    local = way == "additive" and independent_records(oracle)
    return Drawn(describe(oracle), oracle_id, point_id, None, point.k, point.gamma, point.joint_gamma, point.confidence, local)


def _point_id(
    target_id: str, norm: str, n: int, adjacency: Adjacency, oracle_id: str, bound: Bound, m: int, k: int, gamma: float,
    confidence: float | None,
) -> str:  # fmt: skip
    free = bound.has_confidence  # then m alone may adapt, and k with it (mathematics, section 4)
    parts = (target_id, norm, n, adjacency.name, oracle_id, bound.name, None if free else (m, k), gamma, confidence)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _run_id(bound: Bound, point_id: str, seed: int) -> str | None:
    return f"{point_id} {seed}" if bound is Bound.TIME_UNIFORM else None


def _short(part: str) -> str:
    return hashlib.sha256(part.encode()).hexdigest()[:32]


def _noise_id(mechanism: str, epsilon: float, delta: float) -> str:
    return f"{mechanism} ε={epsilon!r} δ={delta!r}"
