"""An audit: the privacy loss of responses, measured, against the guarantee.

``audit`` bounds ε from below between two neighbours: a correct mechanism stays under its ε, one that runs at twice its ε is seen
above it. ``coverage`` counts how often a sampled sensitivity keeps the guarantee of random DP. ``checks`` and ``coverages`` do so
for many mechanisms. None proves anything; all would catch an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.audits.hard_pairs import HardPair, TwoSteps, hard_pairs
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.checks import share, whole
from dpcore.base.types import Oracle, Target
from dpcore.base.users import CODE, contiguous
from dpcore.errors import InfiniteSensitivityError, InvalidValueError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP
from dpcore.guarantees.sensitivity import SampledSensitivity
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.oracles.continuous import Exponential
from dpcore.sampling.blocks import generator, vector
from dpcore.sampling.sampler import SensitivitySample, sample_sensitivity
from dpcore.targets.sums import Mean

Pair = tuple[Database, Database]
Kinds = Iterable[type[Mechanism[Any, Any]]]
CONFIDENCE = 1 - 1e-6  # of each interval, so that an audit in every test run gives no false alarm
_DELTA = 1e-3
_PAIRS = 10_000


@final
@dataclass(frozen=True, slots=True)
class Audit:
    """A lower bound: with probability ``confidence`` the pair's true ε (at this δ) is at least ``lower``."""

    mechanism: str
    epsilon: float
    delta: float
    lower: float
    draws: int
    confidence: float

    @property
    def holds(self) -> bool:
        """True if the lower bound is not above the promised ε."""
        return self.lower <= self.epsilon


@final
@dataclass(frozen=True, slots=True)
class Coverage:
    """The count of ``missed`` among ``pairs`` random pairs whose worst response loses more than ε; true share in [low, high]."""

    bound: Bound
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
    confidence: float = CONFIDENCE,
    databases: tuple[Database, Database] | None = None,
) -> Audit:
    """Return a lower bound of ε from responses to two neighbours that the sensitivity covers.

    ε >= log((P(E) − δ)/P'(E)) for every event E (mathematics, section 12.2). Half of the draws choose the best event
    E = {privacy loss > t} in either direction, the other half measures it by Clopper–Pearson bounds.

    Args:
        calibrated: The mechanism.
        raw: The target's answer f(D), (d,).
        other: The target's answer f(D'), (d,).
        draws: Number of responses to each.
        seed: Seed of simulated responses.
        released: Whether to use release noise in place of simulated noise.
        claimed: The guarantee to check; the calibration's ε and δ by default.
        confidence: Probability that the bound holds.
        databases: The two neighbours, for a mechanism with a second step that needs them.
    """
    draws, confidence = whole("draws", draws, least=2), share("confidence", confidence)
    promised = claimed or calibrated.guarantee
    delta = 0.0 if isinstance(promised, PureDP) else float(promised.delta)
    raw, other = vector(raw), vector(other)
    rng = generator(seed)
    laws: list[Any] = [calibrated.law] * 2 if databases is None else [calibrated.law.on(database) for database in databases]
    losses = []
    for law, answer in zip(laws, (raw, other), strict=True):
        responses = _released(law, answer, draws) if released else law.simulate(answer, size=draws, rng=rng)
        if databases is None:
            ratios = law.log_ratio(raw, other, responses)
        else:
            ratios = laws[0].log_chance(raw, responses) - laws[1].log_chance(other, responses)
        # rounded, because the last digits of a sum of floats tell which answer it began with
        losses.append(np.round(ratios, 9))
    half = draws // 2
    lower = 0.0
    for sign, (first, second) in ((1.0, losses), (-1.0, losses[::-1])):
        threshold = _best_threshold(sign * first[:half], sign * second[:half], delta)
        hits = [int((sign * loss[half:] > threshold).sum()) for loss in (first, second)]
        # two directions, two bounds each
        doubt = (1 - confidence) / 4
        least, most = clopper_pearson(hits[0], draws - half, doubt)[0], clopper_pearson(hits[1], draws - half, doubt)[1]
        if least > delta:
            lower = max(lower, float(np.log((least - delta) / most)))
    return Audit(type(calibrated.mechanism).__name__, promised.epsilon, delta, lower, draws, confidence)


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
    confidence: float = CONFIDENCE,
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
        confidence: Confidence of the interval.
    """
    pairs, order = whole("pairs", pairs), None if order is None else whole("order", order)
    if mechanism.privacy is not PureDP:
        raise InvalidValueError("mechanism", "one of pure DP, whose worst loss is known", type(mechanism).__name__)
    samples = 1 if at.bound.has_confidence else pairs
    many = OperatingPoint.for_sample_size(samples * at.m)
    drawn = sample_sensitivity(target, oracle, norm=mechanism.norm, n=n, at=many, seed=seed, adjacency=adjacency)
    runs = [replace(drawn, point=at, distances=row, failures={}) for row in drawn.distances.reshape(samples, at.m)]
    missed = 0
    for i, neighbours in enumerate(random_pairs(oracle, n, pairs, adjacency, generator(seed, 0, 4))):
        sensitivity = _sampled(runs[i % samples], order)
        missed += sensitivity is not None and _loses(mechanism, sensitivity, privacy, neighbours)
    low, high = clopper_pearson(missed, pairs, (1 - confidence) / 2)
    return Coverage(at.bound, at.gamma, pairs, missed, low, high)


def random_pairs(oracle: Oracle, n: int, pairs: int, adjacency: Adjacency, rng: np.random.Generator) -> Iterator[Pair]:
    """Draw pairs of D with n records, or users, and D' with a uniform one replaced or removed (mathematics, section 1.8 and 8.1).

    The neighbours are concatenated, by other code than the sampler's.
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
    """Return bounds of a share from its hits, each wrong with probability at most ``doubt`` (Clopper & Pearson 1934)."""
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


def _sampled(run: SensitivitySample[Any], order: int | None) -> SampledSensitivity[Any] | None:
    """Return the sensitivity of a run of draws; None if the library refuses it, so that nothing is released."""
    try:
        sensitivity = run.sensitivity(allow_zero=True)
    except InfiniteSensitivityError:
        return None
    if order is None:
        return sensitivity
    return replace(sensitivity, value=float(np.partition(run.distances, order - 1)[order - 1]))


def _loses(mechanism: Mechanism[Any, PureDP], sensitivity: SampledSensitivity[Any], privacy: PureDP, neighbours: Pair) -> bool:
    """Return whether the worst response to a pair loses more than ε in either direction, or the target fails on it."""
    try:
        raw, other = (vector(sensitivity.target(database)) for database in neighbours)
    except Exception:
        return True
    if raw.shape != other.shape:
        return True
    law: Any = mechanism.calibrate(sensitivity, privacy).law
    if not law.scale:
        return float(mechanism.norm(raw - other)) > 0
    return max(float(law.loss(raw, other)), float(law.loss(other, raw))) > privacy.epsilon * (1 + 1e-9)


def _released(law: Any, raw: FloatArray, size: int) -> NDArray[Any]:
    """Draw responses with release noise, in the form of simulated ones."""
    draw = law.draw
    if isinstance(law, NoiseLaw):  # independent noise on each entry, so many copies are drawn as one vector
        return np.asarray(draw(np.tile(raw, size)).reshape(size, raw.size))
    return np.array([law.row(draw(raw)) for _ in range(size)])


# Every kind of mechanism.


@final
@dataclass(frozen=True, eq=False)
class WorstPair:
    """A calibrated mechanism, and its target's answers to two neighbours at the distance of its sensitivity.

    ``databases`` are the two neighbours, if a second step needs them.
    """

    name: str
    calibrated: Calibrated[Any]
    raw: FloatArray
    other: FloatArray
    databases: tuple[Database, Database] | None = None


@final
@dataclass(frozen=True, slots=True)
class Check:
    """The audits of a mechanism at its ε, and of one that runs at twice its ε: the first holds, the second must not."""

    name: str
    honest: Audit
    doubled: Audit


def worst_pairs(kinds: Kinds, epsilon: float) -> tuple[WorstPair, ...]:
    """Return the pairs of each kind of mechanism (``hard_pairs``), with a sensitivity that they reach."""
    return tuple(_calibrated(pair, epsilon) for kind in kinds for pair in hard_pairs(kind))


def _calibrated(pair: HardPair, epsilon: float) -> WorstPair:
    mechanism, answers = pair.mechanism, pair.answers
    privacy = PureDP(epsilon) if mechanism.privacy is PureDP else ApproxDP(epsilon, _DELTA)
    calibrated = mechanism.calibrate(answers.global_sensitivity(mechanism.norm, 1), privacy)
    name = pair.name or mechanism.title or type(mechanism).__name__
    databases = answers.databases if isinstance(answers, TwoSteps) else None
    return WorstPair(name, calibrated, np.array(answers.raw), np.array(answers.other), databases)


def checks(
    kinds: Kinds, *, epsilon: float = 1.0, draws: int = 100_000, seed: int = 1, released: bool = False
) -> tuple[Check, ...]:
    """Audit each kind of mechanism at ε, and each one that runs at 2ε against ε."""
    found, kinds = [], tuple(kinds)
    for honest, doubled in zip(worst_pairs(kinds, epsilon), worst_pairs(kinds, 2 * epsilon), strict=True):
        promised = honest.calibrated.guarantee
        how: dict[str, Any] = {"draws": draws, "released": released, "databases": honest.databases}
        sound = audit(honest.calibrated, honest.raw, honest.other, seed=seed, **how)
        loud = audit(doubled.calibrated, doubled.raw, doubled.other, seed=seed + 1, claimed=promised, **how)
        found.append(Check(honest.name, sound, loud))
    return tuple(found)


def coverages(kinds: Kinds, *, pairs: int = _PAIRS, seed: int = 1) -> dict[str, Coverage]:
    """Count the coverage of the mean of exponential records (Example 6), for two bounds and for a wrong order statistic k − 1.

    Args:
        kinds: Mechanisms. The first that gives pure DP for a number is used; InvalidValueError if none does.
        pairs: Number of random pairs.
        seed: Seed of the draws.
    """
    rank = OperatingPoint.for_both(99, 0.05)
    tolerance = OperatingPoint.for_both(999, 0.05, bound=Bound.TOLERANCE, confidence=0.99)
    suited = [kind.suited(Mean()) for kind in kinds if kind.privacy is PureDP]
    mechanism = next((one for one in suited if one is not None), None)
    if mechanism is None:
        raise InvalidValueError("kinds", "mechanisms, one of them of pure DP and for numbers", tuple(kinds))
    fixed: dict[str, Any] = {"n": 5, "pairs": pairs, "seed": seed}
    what = Mean(), Exponential(1.0), mechanism, PureDP(1.0)
    return {
        "RANK, m = 99: a fresh Δ̂ for every pair": coverage(*what, at=rank, **fixed),
        "RANK, m = 19, k − 1 by mistake": coverage(*what, at=OperatingPoint.for_gamma(0.05), order=18, **fixed),
        "TOLERANCE, m = 999, confidence 0.99: one Δ̂": coverage(*what, at=tolerance, **fixed),
    }
