"""An audit: the measured privacy loss of responses, compared with the guarantee.

``audit`` bounds ε from below between two neighbours: a correct mechanism stays under its ε, and one that runs at twice its ε is
found above it. ``coverage`` counts how often a sampled sensitivity keeps the guarantee of random DP. ``checks`` and ``coverages``
do this for every mechanism. An audit proves nothing, but finds gross errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, cast, final

import numpy as np
from numpy.typing import NDArray

from dpcore.audits.hard_pairs import hard_pairs
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import whole
from dpcore.base.types import Oracle, Target
from dpcore.base.users import CODE, contiguous
from dpcore.errors import InfiniteSensitivityError, InvalidValueError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP
from dpcore.guarantees.sensitivity import SampledSensitivity
from dpcore.mechanisms import LaplaceMechanism
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.oracles.continuous import Exponential
from dpcore.sampling.blocks import answered, generator, vector
from dpcore.sampling.sampler import sample_sensitivity
from dpcore.targets.sums import Mean

Pair = tuple[Database, Database]
CONFIDENCE = 1 - 1e-6  # of each interval, so an audit in every test run gives no false alarm


@final
@dataclass(frozen=True, slots=True)
class Audit:
    """A lower bound of ε: with probability ``CONFIDENCE`` the true ε of the pair (at this δ) is at least ``lower``."""

    epsilon: float
    delta: float
    lower: float
    draws: int

    @property
    def holds(self) -> bool:
        """True if the lower bound is not above the promised ε."""
        return self.lower <= self.epsilon


@final
@dataclass(frozen=True, slots=True)
class Coverage:
    """The count of ``missed`` random pairs: their worst response loses more than ε. Their true share is in [low, high]."""

    gamma: float
    pairs: int
    missed: int
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """True if the share may be γ or less."""
        return self.low <= self.gamma


def audit(
    calibrated: Calibrated[Any],
    raw: FloatArray,
    other: FloatArray,
    *,
    draws: int,
    seed: int,
    released: bool = False,
    claimed: PureDP | ApproxDP | None = None,
    databases: Pair | None = None,
) -> Audit:
    """Return a lower bound of ε from responses to two neighbours that the sensitivity covers.

    ε >= log((P(E) − δ)/P'(E)) for every event E (mathematics, section 12.2). Half of the draws choose the best event
    E = {privacy loss > t} in either direction, the other half measures it by Clopper–Pearson bounds.

    Args:
        calibrated: The mechanism.
        raw: The target's answer f(D), shape (d,).
        other: The target's answer f(D'), shape (d,).
        draws: Number of responses to each.
        seed: Seed of simulated responses.
        released: Whether to use release noise in place of simulated noise.
        claimed: The guarantee to check; the calibration's ε and δ by default.
        databases: The two neighbours, for a mechanism with a second step that needs them.

    Returns:
        The bound, with the ε and δ that were checked.

    Raises:
        InvalidValueError: If there are fewer than two draws.

    Examples:
        >>> from dpcore import L1, LaplaceMechanism, PureDP, targets
        >>> proved = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 100)
        >>> mechanism, answers = LaplaceMechanism(), (np.array([0.5]), np.array([0.51]))
        >>> audit(mechanism.calibrate(proved, PureDP(1.0)), *answers, draws=10_000, seed=1).holds
        True
        >>> audit(mechanism.calibrate(proved, PureDP(2.0)), *answers, draws=10_000, seed=1, claimed=PureDP(1.0)).holds
        False
    """
    draws, promised = whole("draws", draws, least=2), claimed or calibrated.guarantee
    delta = 0.0 if isinstance(promised, PureDP) else float(promised.delta)
    raw, other, rng = vector(raw), vector(other), generator(seed)
    laws: list[Any] = [calibrated.law] * 2 if databases is None else [calibrated.law.on(database) for database in databases]
    losses = []
    for law, answer in zip(laws, (raw, other), strict=True):
        responses = _released(law, answer, draws) if released else law.simulate(answer, size=draws, rng=rng)
        if databases is None:
            ratios = law.log_ratio(raw, other, responses)
        else:
            ratios = laws[0].log_chance(raw, responses) - laws[1].log_chance(other, responses)
        losses.append(np.round(ratios, 9))  # the last digits of a sum of floats tell which answer it began with
    half, lower = draws // 2, 0.0
    for sign, (first, second) in ((1.0, losses), (-1.0, losses[::-1])):
        threshold = _best_threshold(sign * first[:half], sign * second[:half], delta)
        hits = [int((sign * loss[half:] > threshold).sum()) for loss in (first, second)]
        doubt = (1 - CONFIDENCE) / 4  # two directions, two bounds each
        least, most = clopper_pearson(hits[0], draws - half, doubt)[0], clopper_pearson(hits[1], draws - half, doubt)[1]
        if least > delta:
            lower = max(lower, float(np.log((least - delta) / most)))
    return Audit(promised.epsilon, delta, lower, draws)


def coverage(
    target: Target,
    oracle: Oracle,
    mechanism: Mechanism[Any, PureDP],
    privacy: PureDP,
    *,
    n: int,
    at: OperatingPoint,
    pairs: int,
    seed: int,
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
    order: int | None = None,
) -> Coverage:
    """Count the random pairs on which the worst response loses more than ε.

    γ under RANK and DKW is an average over the draws too, so each pair gets a fresh Δ̂. Under TOLERANCE one Δ̂ is used for all
    pairs (and fails with probability 1 − confidence of the point). The pairs are drawn apart from the sampler's draws, and each
    uses the library's own order statistic and calibration. A pair on which the target fails is missed.

    Args:
        target, oracle, n, at, seed, adjacency: Arguments of ``sample_sensitivity``.
        mechanism: A mechanism of pure DP.
        privacy: Its ε.
        pairs: Number of random pairs.
        order: Order statistic to use in place of the point's k, to see that a wrong one is caught.

    Returns:
        The count, with an interval for the share.

    Raises:
        InvalidValueError: If the mechanism does not give pure DP.

    Examples:
        >>> from dpcore import LaplaceMechanism, OperatingPoint, PureDP, oracles, targets
        >>> what = targets.Mean(), oracles.Exponential(1.0), LaplaceMechanism(), PureDP(1.0)
        >>> coverage(*what, n=5, at=OperatingPoint.for_gamma(0.1), pairs=300, seed=1).holds
        True
        >>> coverage(*what, n=5, at=OperatingPoint.for_gamma(0.1), pairs=300, seed=1, order=5).holds
        False
    """
    if mechanism.privacy is not PureDP:
        raise InvalidValueError("mechanism", "one of pure DP, whose worst loss is known", type(mechanism).__name__)
    samples = 1 if at.bound.has_confidence else whole("pairs", pairs)
    many = OperatingPoint.for_sample_size(samples * at.m)
    drawn = sample_sensitivity(target, oracle, norm=mechanism.norm, n=n, at=many, seed=seed, adjacency=adjacency)
    runs = [replace(drawn, point=at, distances=row, failures={}) for row in drawn.distances.reshape(samples, at.m)]
    missed = 0
    for i, neighbours in enumerate(random_pairs(oracle, n, pairs, adjacency, generator(seed, 0, 4))):
        run = runs[i % samples]
        try:
            sensitivity = run.sensitivity(allow_zero=True)
        except InfiniteSensitivityError:
            continue  # the library refuses it, so nothing is released
        if order is not None:
            sensitivity = replace(sensitivity, value=float(np.partition(run.distances, order - 1)[order - 1]))
        missed += _loses(mechanism, sensitivity, privacy, neighbours)
    low, high = clopper_pearson(missed, pairs, (1 - CONFIDENCE) / 2)
    return Coverage(at.gamma, pairs, missed, low, high)


def random_pairs(oracle: Oracle, n: int, pairs: int, adjacency: Adjacency, rng: np.random.Generator) -> Iterator[Pair]:
    """Draw pairs of D with n records, or users, and D' with a uniform one replaced or removed (mathematics, section 1.8 and 8.1).

    The code does not share anything with the sampler's.

    Args:
        oracle: The oracle.
        n: Number of records, or users, of D.
        pairs: Number of pairs.
        adjacency: What changes between neighbours.
        rng: The generator.

    Yields:
        Two neighbours.

    Examples:
        >>> from dpcore import oracles
        >>> ((first, second),) = random_pairs(oracles.Uniform(0, 1), 5, 1, Adjacency.REPLACE_ONE_RECORD, generator(1))
        >>> int((first != second).sum())
        1
    """
    drawn, person = n + (not adjacency.removes), oracle.person
    if person is not None:
        for _ in range(pairs):
            yield _user_pair(oracle.draw(1, drawn, rng=rng)[0], person, n, int(rng.integers(n)))
        return
    databases, places = oracle.draw(pairs, drawn, rng=rng), rng.integers(n, size=pairs)
    for database, place in zip(databases, places, strict=True):
        yield database[:n], np.concatenate((database[:place], database[n:], database[place + 1 : n]))


def _user_pair(rows: Database, person: str, n: int, place: int) -> Pair:
    """Return the rows of the first n users, and those without the user at the place, with the last user if there are n + 1."""
    codes = rows[person][CODE]
    other = np.concatenate((rows[codes < place], rows[codes == n], rows[(codes > place) & (codes < n)]))
    other[person][CODE] = contiguous(other[person][CODE])
    return rows[codes < n], other


def clopper_pearson(hits: int, trials: int, doubt: float) -> tuple[float, float]:
    """Return bounds of a share from its hits, each wrong with probability at most ``doubt`` (Clopper & Pearson 1934).

    Args:
        hits: Number of hits.
        trials: Number of trials.
        doubt: Probability that a bound is wrong.

    Examples:
        >>> [round(bound, 3) for bound in clopper_pearson(50, 100, 0.025)]
        [0.398, 0.602]
    """
    from scipy.special import betaincinv

    low = float(betaincinv(hits, trials - hits + 1, doubt)) if hits else 0.0
    high = float(betaincinv(hits + 1, trials - hits, 1 - doubt)) if hits < trials else 1.0
    return low, high


def _best_threshold(first: FloatArray, second: FloatArray, delta: float) -> float:
    """Return the t among a hundred whose event {loss > t} gives the largest cautious estimate of ε."""
    candidates = np.unique(np.quantile(np.concatenate([first, second]), np.linspace(0, 0.999, 100), method="lower"))
    candidates = np.concatenate([[-np.inf], candidates, candidates - 1e-9])
    p, q = (1 - np.searchsorted(np.sort(loss), candidates, side="right") / len(loss) for loss in (first, second))
    spread = 5 / np.sqrt(len(first))
    least, most = p - spread * np.sqrt(p * (1 - p)) - delta, q + spread * np.sqrt(q * (1 - q)) + spread**2
    return float(candidates[np.argmax(np.where(least > 0, least / most, 0))])


def _loses(mechanism: Mechanism[Any, PureDP], sensitivity: SampledSensitivity[Any], privacy: PureDP, neighbours: Pair) -> bool:
    """Return whether the worst response to a pair loses more than ε in either direction, or the target fails on it."""
    answers = answered(sensitivity.target, iter(neighbours))
    if isinstance(answers, str):
        return True
    (raw, other), law = answers, cast(Any, mechanism.calibrate(sensitivity, privacy).law)
    if not law.scale:
        return float(mechanism.norm(raw - other)) > 0
    return max(float(law.loss(raw, other)), float(law.loss(other, raw))) > privacy.epsilon * (1 + 1e-9)


def _released(law: Any, raw: FloatArray, size: int) -> NDArray[Any]:
    """Draw responses with release noise, in the form of simulated ones."""
    if isinstance(law, NoiseLaw):  # independent noise on each entry, so many copies are drawn as one vector
        return np.asarray(law.draw(np.tile(raw, size)).reshape(size, raw.size))
    return np.array([law.row(law.draw(raw)) for _ in range(size)])


# Every kind of mechanism.


@final
@dataclass(frozen=True, slots=True)
class Check:
    """The audits of a mechanism at its ε, and of one that runs at twice its ε: the first holds, the second must not."""

    name: str
    honest: Audit
    doubled: Audit


def checks(
    kinds: Iterable[type[Mechanism[Any, Any]]],
    *,
    epsilon: float = 1.0,
    draws: int = 100_000,
    seed: int = 1,
    released: bool = False,
) -> tuple[Check, ...]:
    """Audit each kind of mechanism at ε, and each one that runs at 2ε against ε.

    Args:
        kinds: Classes of mechanisms.
        epsilon: The promised ε.
        draws: Number of responses to each neighbour.
        seed: Seed of simulated responses.
        released: Whether to use release noise in place of simulated noise.

    Returns:
        A check for each pair of ``hard_pairs``.

    Examples:
        >>> [(check.honest.holds, check.doubled.holds) for check in checks([LaplaceMechanism], draws=20_000)]
        [(True, False), (True, False)]
    """
    found = []
    for pair in (pair for kind in kinds for pair in hard_pairs(kind)):
        honest, doubled = pair.calibrated(epsilon), pair.calibrated(2 * epsilon)
        how: dict[str, Any] = {"draws": draws, "released": released, "databases": pair.answers.databases}
        answers = np.array(pair.answers.raw), np.array(pair.answers.other)
        sound = audit(honest, *answers, seed=seed, **how)
        loud = audit(doubled, *answers, seed=seed + 1, claimed=honest.guarantee, **how)
        found.append(Check(pair.name, sound, loud))
    return tuple(found)


def coverages(*, pairs: int = 10_000, seed: int = 1) -> dict[str, Coverage]:
    """Count the coverage of the mean of exponential records (Example 6), for two bounds and for a wrong order statistic k − 1.

    Args:
        pairs: Number of random pairs.
        seed: Seed of the draws.

    Returns:
        The coverage of each sampler by its name.

    Examples:
        >>> [name[:15] for name in coverages(pairs=10)]
        ['RANK, m = 99: a', 'RANK, m = 19, k', 'TOLERANCE, m = ']
    """
    fixed: dict[str, Any] = {"n": 5, "pairs": pairs, "seed": seed}
    what = Mean(), Exponential(1.0), LaplaceMechanism(), PureDP(1.0)
    tolerance = OperatingPoint.for_both(999, 0.05, bound=Bound.TOLERANCE, confidence=0.99)
    return {
        "RANK, m = 99: a fresh Δ̂ for every pair": coverage(*what, at=OperatingPoint.for_both(99, 0.05), **fixed),
        "RANK, m = 19, k − 1 by mistake": coverage(*what, at=OperatingPoint.for_gamma(0.05), order=18, **fixed),
        "TOLERANCE, m = 999, confidence 0.99: one Δ̂": coverage(*what, at=tolerance, **fixed),
    }
