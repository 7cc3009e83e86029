"""The sensitivity sampler (Rubinstein & Aldà 2017, Algorithm 1).

Draw m extended databases from the oracle, measure how far the target moves when one record is replaced, and take the
k-th smallest distance, Δ̂ = G_(k). Draws come in fixed blocks, each with its own random stream, so that the first m' of m
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

from dpcore.base.arrays import CDF, Database, FloatArray
from dpcore.base.checks import whole
from dpcore.base.fingerprint import fingerprint
from dpcore.base.installation import VERSION
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle, Target
from dpcore.errors import InfiniteSensitivityError, InvalidValueError, ZeroSensitivityError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import N_co, Origin, SampledSensitivity, checked_target
from dpcore.sampling.blocks import Method, Subject
from dpcore.sampling.draws import Draws, Progress, SamplingStoppedError
from dpcore.sampling.executors import measure
from dpcore.sampling.method_checks import agreed_record
from dpcore.sampling.methods import choose

N = TypeVar("N", bound=Norm)


@final
@dataclass(frozen=True, eq=False)
class SensitivitySample(Generic[N_co]):
    """The m distances G_i in the order of their draws, with everything that they depend on.

    ``sample_sensitivity`` makes it.

    Attributes:
        target: The function f.
        oracle: The oracle that drew the pairs.
        norm: The norm of a distance.
        n: Number of records, or of users.
        adjacency: The neighbours.
        point: The operating point.
        seed: The number that decided all draws.
        distances: G_i, (m,); +∞ for a pair on which the target failed.
        way: Name of the method that measured the distances.
        record_shape: Shape of one record of the oracle.
        resolution: The largest distance that counts as zero (mathematics, section 11).
        failures: Why pairs failed, by index. The text of the target's error is left out, because it can quote a record: to read
            it, call the target on a table that the oracle draws.
        explored: True if the point was chosen after the draws were seen.
        sizes: |f(D)| of each pair, if it was measured.

    Examples:
        >>> from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
        >>> at = OperatingPoint.for_both(199, 0.05)
        >>> sample = sample_sensitivity(targets.Mean(), oracles.Exponential(rate=1.0), norm=L1, n=500, at=at, seed=1)
        >>> sample.sensitivity().value == float(sorted(sample.distances)[at.k - 1])
        True
        >>> float(sample.cdf(sample.order_statistic)) == at.k / at.m
        True
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
    sizes: FloatArray = field(default_factory=lambda: np.empty(0), repr=False)

    def at(self, point: OperatingPoint) -> SensitivitySample[N_co]:
        """Return the same draws at another point with m' <= m, for exploring.

        The result is marked explored, and no release is made from it (mathematics, section 2.1). There are two exceptions.
        Under DKW with the same m and ρ the choice of γ may depend on the draws, because its band holds for all γ at once
        (mathematics, section 2.4). Under TIME_UNIFORM with the same γ and confidence the choice of m' may depend on them, because
        that bound holds for all m' at once (mathematics, section 3.1).

        Args:
            point: The other point.

        Returns:
            The first m' draws at that point.

        Raises:
            InvalidValueError: If the point has more draws than there are.
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
        """Everything that the draws depend on except their number."""
        return Subject(self.target, self.oracle, self.norm, self.n, self.seed, self.adjacency)

    @property
    def draws(self) -> Draws:
        """The draws to ``resume`` with: a run of more pairs then measures only the rest. An explored sample stays explored."""
        begun = None if self.explored else self.point
        run = _run_id(self.subject, choose(self.target, self.oracle, self.n, self.adjacency))
        return Draws(self.distances, self.sizes, self.failures, run, begun)

    def cdf(self, g: FloatArray | float) -> FloatArray:
        """Return the empirical CDF Φ_m(g) at numbers of any shape."""
        # Algorithm 1: Φ_m(g) = #{i: G_i <= g}/m.
        return np.asarray(np.searchsorted(np.sort(self.distances), g, side="right") / len(self.distances))

    @property
    def order_statistic(self) -> float:
        """G_(k), the k-th smallest distance; infinite if too many pairs failed."""
        # Algorithm 1: Δ̂ = G_(k). A failed pair is +∞ and stays among the m (mathematics, section 1.2).
        return float(np.partition(self.distances, self.point.k - 1)[self.point.k - 1])

    @cached_property
    def sample_id(self) -> str:
        """SHA-256 of everything that was drawn from, the seed and the distances. Releases with the same id share their γ.

        The same draws at another k have the same id. Other draws have another one, even if all their distances are equal, as for
        counts; so have fewer of the same draws.
        """
        drawn = (fingerprint(self.target), fingerprint(self.oracle), fingerprint(self.norm))
        how = (self.n, self.adjacency.value, self.seed, self.way)
        return hashlib.sha256(repr((drawn, how)).encode() + self.distances.tobytes()).hexdigest()

    def sensitivity(self, *, allow_zero: bool = False) -> SampledSensitivity[N_co]:
        """Return Δ̂ = G_(k) (Algorithm 1).

        Args:
            allow_zero: True to accept a sensitivity that is not above the target's resolution, which releases the exact answer.

        Returns:
            The sampled sensitivity, for ``Mechanism.calibrate``.

        Raises:
            InfiniteSensitivityError: If so many pairs failed that it is infinite.
            ZeroSensitivityError: If it is not above the target's resolution, unless ``allow_zero``.
        """
        value = self.order_statistic
        if not np.isfinite(value):
            reasons = dict(Counter(self.failures.values()).most_common(3))
            raise InfiniteSensitivityError(len(self.failures), self.point.m, self.point.k, reasons)
        # Below the resolution a distance is rounding and not a change (mathematics, section 11).
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

    Args:
        target: The function f to release, from a database to an array of numbers (d,). The fastest method that it offers is
            used, after it agreed with plain calls on one small pair.
        oracle: The public model that draws databases. It must not be chosen after access to the confidential database or to an
            answer about it (mathematics, section 7).
        norm: The norm of a distance between two answers. The mechanism says which one it needs: L1 for Laplace, L2 for Gaussian,
            RANGE for a choice.
        n: Public number of records of the confidential database, or of users if the oracle draws users. If one is added or
            removed, a number that is stated without access to the database.
        at: The operating point: m pairs, the order k of the distance that is taken, and the γ and bound that they certify.
        seed: A whole number of at least 0 that decides all draws. Fix one for exploring and for tests; for a release take
            ``secrets.randbits(64)``.
        adjacency: The neighbours: one record or one user is replaced, or one is added or removed. If the oracle draws users, a
            user is a person with all rows; otherwise each record is a user.
        executor: Any of ``concurrent.futures``, on this machine or a cluster, for slow targets; the result is the same. Methods
            whose time does not depend on n, additive and direct, do not use it.
        on_progress: Called with the draws so far, as they arrive.
        cancel: An event that ends the run once it is set.
        resume: Draws of an earlier run that ended early. Only missing pairs are measured, also for another m, and the distances
            are those of a run with ``at.m``. A point that was chosen after the first draws is explored, and no release is made
            from it. The exception is another m under TIME_UNIFORM: a cancelled run under that bound is released as far as it
            came ``at=OperatingPoint.for_both(draws.prefix, gamma, bound=..., confidence=...)``.

    Returns:
        The distances, with everything that they depend on.

    Raises:
        InvalidValueError: For an argument that is not as described, an n that the target does not serve, an oracle that does
            not draw with its ``rng`` only, or a target that answers at random.
        MethodMismatchError: If the target's fast method and its plain call differ.
        SamplingStoppedError: Once ``cancel`` is set; it carries ``draws`` to ``resume`` with.
        ExecutorLostError: If the executor breaks; it carries ``draws`` too.

    Examples:
        >>> from dpcore import L1, OperatingPoint, oracles, sample_sensitivity, targets
        >>> at = OperatingPoint.for_gamma(0.05)
        >>> sample = sample_sensitivity(targets.Mean(), oracles.Exponential(rate=1.0), norm=L1, n=500, at=at, seed=1)
        >>> sample.distances.shape, sample.sensitivity().value == float(max(sample.distances))
        ((19,), True)
    """
    # The point of the first draw decides what may be released (mathematics, section 2.1).
    begun = at if resume is None else resume.point
    target = checked_target(target, norm, adjacency)
    subject = Subject(target, oracle, norm, whole("n", n), whole("seed", seed, least=0), adjacency)
    _check(subject, at)
    method = choose(target, oracle, subject.n, adjacency)
    # Overflows and NaN of a target are failures of their pair, and no warnings.
    with np.errstate(all="ignore"):
        record = agreed_record(method, subject, repeats=resume is not None)
        size = method.block_size(record.nbytes, subject.n)
        if resume is not None:
            if resume.run != _run_id(subject, method):
                raise InvalidValueError("resume", "draws of the same target, oracle, norm, n and seed", "draws of another run")
            resume = resume.of(at.m, together=method.together(size))
        # Algorithm 1, steps 1 to 4: draw pairs and measure G_i = ‖f(D_i) − f(D_i')‖.
        try:
            draws = measure(
                method,
                subject,
                at.m,
                size,
                executor=None if method.light else executor,
                on_progress=on_progress,
                cancel=cancel,
                resume=resume,
            )
        except SamplingStoppedError as error:
            error.draws = replace(error.draws, run=_run_id(subject, method), point=begun)
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
        way=method.name,
        record_shape=record.shape,
        resolution=_resolution(method, target, draws.sizes),
        failures=draws.failures,
        explored=begun is None or not _may_follow(begun, at),
        sizes=draws.sizes,
    )


def true_cdf(target: Target, oracle: Oracle, norm: Norm, n: int) -> CDF | None:
    """Return the true CDF Φ(g) = P(G <= g) of the pairs that the sampler draws.

    Args:
        target: The target.
        oracle: The oracle.
        norm: The norm of a distance.
        n: Number of records.

    Returns:
        The CDF; None if the target does not know it for this oracle.
    """
    return None if target.true_cdf is None else target.true_cdf(oracle, norm, n)


def _may_follow(first: OperatingPoint, chosen: OperatingPoint) -> bool:
    """Return whether a point's bound holds although it was chosen after the draws for ``first`` were seen."""
    # DKW's band holds for all γ at once, if m and ρ stay (mathematics, section 2.4).
    if chosen.bound is first.bound is Bound.DKW:
        return (chosen.m, chosen.rho) == (first.m, first.rho)
    # One event of that confidence covers every m (mathematics, section 3.1).
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
    if subject.oracle.draws_people and subject.adjacency.of_records:
        expected = "that of one user, who is replaced, or added or removed: the oracle draws whole people"
        raise InvalidValueError("adjacency", expected, subject.adjacency)
    subject.target.check_records(subject.n)


def _run_id(subject: Subject, method: Method) -> str:
    """Return a hash of everything that a run's distances depend on except m. Only the same run resumes draws."""
    drawn = (fingerprint(subject.target), fingerprint(subject.oracle), fingerprint(subject.norm))
    parts = (drawn, subject.n, subject.adjacency.value, subject.seed, method.name, VERSION)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _resolution(method: Method, target: Target, sizes: FloatArray) -> float:
    """Return the largest distance that counts as zero (mathematics, section 11)."""
    sizes = sizes[np.isfinite(sizes)]
    if method.exact or not sizes.size:
        return 0.0
    # The lower median: the mean of the two middle ones could overflow.
    return float(target.relative_resolution) * float(np.quantile(sizes, 0.5, method="inverted_cdf"))
