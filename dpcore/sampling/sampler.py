"""The sensitivity sampler (Rubinstein & Aldà 2017, Algorithm 1).

Draw m extended databases from the oracle, measure how far the target moves when one record is replaced, and take the
k-th smallest distance, Δ̂ = G_(k). Draws come in fixed blocks, each with a seed of its own, so that the first m' of m
draws are exactly the draws of a run with m'.
"""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar, final

import numpy as np

from dpcore.base.checks import whole
from dpcore.base.facts import facts
from dpcore.base.fingerprint import fingerprint
from dpcore.base.norms import Norm
from dpcore.base.types import Database, FloatArray, Oracle, Target, check_served, draws_people
from dpcore.base.version import VERSION
from dpcore.errors import InfiniteSensitivityError, InvalidValueError, ZeroSensitivityError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import N_co, Origin, SampledSensitivity, checked_target
from dpcore.sampling.agreement import agreed_record
from dpcore.sampling.blocks import Change, Subject, Way
from dpcore.sampling.draws import Draws, Progress, SamplingStoppedError
from dpcore.sampling.engine import measure
from dpcore.sampling.ways import choose

N = TypeVar("N", bound=Norm)


@final
@dataclass(frozen=True, eq=False)
class SensitivitySample(Generic[N_co]):
    """The m distances G_i in the order of their draws, with all that they depend on.

    ``failures`` holds why each pair at +∞ failed, never the text of the target's error, which can quote a record: call the target
    on a table that the oracle draws to read it. ``resolution`` is what counts as zero (mathematics, section 11).
    """

    target: Target
    oracle: Oracle
    norm: N_co
    n: int
    adjacency: Adjacency
    point: OperatingPoint
    distances: FloatArray
    seed: int
    way: str
    record_shape: tuple[int, ...]
    resolution: float
    failures: dict[int, str] = field(default_factory=dict)
    explored: bool = False
    sizes: FloatArray = field(default_factory=lambda: np.empty(0), repr=False)  # |f(D)| of each pair, where it was measured

    def at(self, point: OperatingPoint) -> SensitivitySample[N_co]:
        """The same draws at another point with m' <= m: for looking.

        The result is marked explored, and no release is made from it (mathematics, section 2.1). There are two exceptions.
        Under DKW with the same m and ρ the choice of γ may follow the draws: its band holds for all γ at once (mathematics,
        section 2.4). Under TIME_UNIFORM with the same γ and confidence the choice of m' may: that bound holds for all m' at
        once (mathematics, section 3.1).
        """
        if point.m > self.point.m:
            raise InvalidValueError("point.m", f"at most the {self.point.m:,} draws that there are", point.m)
        if point == self.point:
            return self
        failures = {pair: reason for pair, reason in self.failures.items() if pair < point.m}
        explored = self.explored or not _may_follow(self.point, point)
        distances, sizes = self.distances[: point.m], self.sizes[: point.m]
        return replace(self, point=point, distances=distances, sizes=sizes, failures=failures, explored=explored)

    @property
    def subject(self) -> Subject:
        """All that the draws depend on but their number."""
        return Subject(self.target, self.oracle, self.norm, self.n, self.seed, self.adjacency)

    @property
    def draws(self) -> Draws:
        """What was measured, to ``resume`` with: a run of more pairs then measures only the rest."""
        begun = None if self.explored else self.point  # what was explored stays so
        run = _run_id(self.subject, choose(self.target, self.oracle, self.n, self.adjacency))
        return Draws(self.distances, self.sizes, self.failures, run, begun)

    def cdf(self, g: FloatArray | float) -> FloatArray:
        """The empirical CDF Φ_m(g) = #{G_i <= g}/m, at numbers of any shape."""
        return np.asarray(np.searchsorted(np.sort(self.distances), g, side="right") / len(self.distances))

    @property
    def order_statistic(self) -> float:
        """G_(k), the k-th smallest distance; infinite where too many pairs failed."""
        return float(np.partition(self.distances, self.point.k - 1)[self.point.k - 1])

    @cached_property
    def sample_id(self) -> str:
        """The SHA-256 of all that was drawn from, the seed and the distances: releases that share it share their γ.

        The same draws at another k share it. Other draws do not, even where all their distances are equal, as those of a
        target that counts are. Neither do fewer of the same draws.
        """
        drawn = (fingerprint(self.target), fingerprint(self.oracle), fingerprint(self.norm))
        how = (self.n, self.adjacency.value, self.seed, self.way)
        return hashlib.sha256(repr((drawn, how)).encode() + self.distances.tobytes()).hexdigest()

    def sensitivity(self, *, allow_zero: bool = False) -> SampledSensitivity[N_co]:
        """Δ̂ = G_(k). Refused where infinite, or not above the target's resolution unless ``allow_zero``."""
        value = self.order_statistic
        if not np.isfinite(value):
            reasons = dict(Counter(self.failures.values()).most_common(3))
            raise InfiniteSensitivityError(len(self.failures), self.point.m, self.point.k, reasons)
        if value <= self.resolution and not allow_zero:
            raise ZeroSensitivityError(value, self.resolution)
        origin = Origin(self.oracle, self.seed, self.way, self.sample_id, self.record_shape, self.explored)
        return SampledSensitivity(
            target=self.target,
            value=value,
            norm=self.norm,
            n=self.n,
            adjacency=self.adjacency,
            point=self.point,
            origin=origin,
            allow_zero=allow_zero,
        )


def sample_sensitivity(
    target: Target | Callable[[Database], Any],
    oracle: Oracle,
    *,
    norm: N,
    n: int,
    at: OperatingPoint,
    seed: int,
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
    executor: Executor | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
    resume: Draws | None = None,
) -> SensitivitySample[N]:
    """Sample m = ``at.m`` distances ‖f(D) − f(D')‖ between neighbours of n records drawn from the oracle.

    The k-th smallest of them sizes a mechanism's noise (``SensitivitySample.sensitivity``).

        >>> from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
        >>> at = OperatingPoint.for_gamma(0.05)
        >>> sample = sample_sensitivity(targets.Mean(), oracles.Exponential(rate=1.0), norm=L1, n=500, at=at, seed=1)
        >>> sample.distances.shape, sample.sensitivity().value == float(max(sample.distances))
        ((19,), True)

    - ``target``: the function f to be released, from a database to an array of numbers (d,). The cheapest way that it offers is
      taken, after that agreed with the plain call on one small pair.
    - ``oracle``: what makes up the databases. It must be public, and never chosen in view of the confidential one
      or of an answer about it (mathematics, section 7).
    - ``norm``: how the distance of two answers is measured. The mechanism says in which norm it needs it: L1 for Laplace, L2
      for Gaussian, RANGE for a choice.
    - ``n``: how many records the confidential database has, or people where the oracle draws people; this number is public. Where
      one is added or removed, it is a number that is stated without a look at the database.
    - ``at``: how many pairs are drawn, m, which of the distances in order is taken, k, and the γ and the bound that they certify.
    - ``seed``: a whole number of at least 0 that decides all draws. A fixed one is for exploring and for tests; a release takes
      ``secrets.randbits(64)``.
    - ``adjacency``: how neighbours differ. One record is replaced, or one user is; or one user is added or removed. Where the
      oracle draws people, a user is a person with all rows of that person; else each record is all that there is of a user.
    - ``executor``: any of ``concurrent.futures``, of this machine or of a cluster, for slow targets; the result is the same. What
      is sampled at no cost in n, additively or directly, never goes there.
    - ``on_progress``: called with the draws so far, as they arrive.
    - ``cancel``: an event that ends the run once it is set.
    - ``resume``: the draws of an earlier run that ended before its last pair; only what is missing is measured, also for another
      m, and the distances are those of a run with ``at.m``.

    A point that was chosen after the first draws is explored, and no release is made from it, but for another m under
    TIME_UNIFORM. So a cancelled run under that bound is released as far as it came
    ``at=OperatingPoint.for_both(draws.prefix, gamma, bound=..., confidence=...)``.

    Raises InvalidValueError for an argument that is not as said here, or an n that the target does not serve. Raises
    WaysDisagreeError where the target's shortcut and its plain call differ. Raises SamplingStoppedError once ``cancel`` is set,
    and EngineLostError where the executor breaks: these two carry ``draws``, to ``resume`` with.
    """
    begun = at if resume is None else resume.point
    target = checked_target(target, norm, adjacency)
    subject = Subject(target, oracle, norm, whole("n", n), whole("seed", seed, least=0), adjacency)
    _check(subject, at)
    way = choose(target, oracle, subject.n, adjacency)
    with np.errstate(all="ignore"):
        record = agreed_record(way, subject)
        size = way.block_size(record.nbytes, subject.n)
        if resume is not None:
            if resume.run != _run_id(subject, way):
                raise InvalidValueError("resume", "draws of the same target, oracle, norm, n and seed", "draws of another run")
            resume = resume.of(at.m, together=way.together(size))
        try:
            draws = measure(
                way,
                subject,
                at.m,
                size,
                executor=None if way.light else executor,
                on_progress=on_progress,
                cancel=cancel,
                resume=resume,
            )
        except SamplingStoppedError as error:
            error.draws = replace(error.draws, run=_run_id(subject, way), point=begun)
            raise
    return SensitivitySample(
        target=target,
        oracle=oracle,
        norm=norm,
        n=subject.n,
        adjacency=adjacency,
        point=at,
        distances=draws.distances,
        seed=subject.seed,
        way=way.name,
        record_shape=record.shape,
        resolution=_resolution(way, target, draws.sizes),
        failures=draws.failures,
        explored=begun is None or not _may_follow(begun, at),
        sizes=draws.sizes,
    )


def drawn_again(sample: SensitivitySample[Norm], pair: int, *, most: int) -> Change | None:
    """What differs between the two databases of pair number ``pair``, from 0, the same draw to the bit.

    None where its block holds more than ``most`` records: to draw it takes as long as it took then. The records are the
    oracle's, and those of a table only where the oracle draws them again. InvalidValueError for a pair that is not in
    the sample.
    """
    if not 0 <= pair < len(sample.distances):
        raise InvalidValueError("pair", f"from 0 to {len(sample.distances) - 1:,}", pair)
    subject, way = sample.subject, choose(sample.target, sample.oracle, sample.n, sample.adjacency)
    with np.errstate(all="ignore"):
        size = way.block_size(agreed_record(way, subject).nbytes, sample.n)
        block, at = divmod(pair, size)
        records = 2 if way.light else subject.drawn
        return way.change(subject, block, size, at) if size * records <= most else None


def _may_follow(first: OperatingPoint, chosen: OperatingPoint) -> bool:
    """Whether the draws for ``first`` may have been seen when this point was chosen, and its bound holds all the same."""
    if chosen.bound is first.bound is Bound.DKW:
        return (chosen.m, chosen.rho) == (first.m, first.rho)
    if chosen.bound is first.bound is Bound.TIME_UNIFORM:
        return (chosen.gamma, chosen.confidence) == (first.gamma, first.confidence)
    return chosen == first


def _check(subject: Subject, at: OperatingPoint) -> None:
    if not isinstance(subject.oracle, Oracle):
        raise InvalidValueError(
            "oracle",
            "an oracle with draw(databases, records, rng=): inherit dpcore.Oracle, or wrap f(n, rng) as oracles.Function(f)",
            subject.oracle,
        )
    if not isinstance(at, OperatingPoint):
        raise InvalidValueError("at", "an operating point, such as OperatingPoint.for_gamma(0.05)", at)
    if draws_people(subject.oracle) and subject.adjacency.of_records:
        expected = "that of one user, who is replaced, or added or removed: the oracle draws whole people"
        raise InvalidValueError("adjacency", expected, subject.adjacency)
    check_served(subject.target, subject.n)


def _run_id(subject: Subject, way: Way) -> str:
    """What a run's distances depend on but m: draws are resumed by the same run alone."""
    drawn = (fingerprint(subject.target), fingerprint(subject.oracle), fingerprint(subject.norm))
    parts: tuple[object, ...] = (drawn, subject.n, subject.seed, way.name, VERSION)
    if subject.adjacency is not Adjacency.REPLACE_ONE_RECORD:
        parts = (*parts, subject.adjacency.value)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _resolution(way: Way, target: Target, sizes: FloatArray) -> float:
    sizes = sizes[np.isfinite(sizes)]
    if way.exact or not sizes.size:
        return 0.0
    # the lower median: the mean of the two middle ones could overflow
    return float(facts(target).relative_resolution) * float(np.quantile(sizes, 0.5, method="inverted_cdf"))
