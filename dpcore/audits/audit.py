"""An audit: what responses give away, measured, against what is promised.

``audit`` bounds ε from below between two neighbours: a mechanism that keeps its promise stays under ε, one that runs at
twice its ε is seen above it. ``coverage`` counts how often a sampled sensitivity keeps the promise of random DP. Neither
proves anything; both would catch an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.checks import share, whole
from dpcore.base.people import CODE, contiguous
from dpcore.base.types import Database, FloatArray, Oracle, Target, person_of
from dpcore.errors import InfiniteSensitivityError, InvalidValueError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP
from dpcore.guarantees.sensitivity import SampledSensitivity
from dpcore.mechanisms.base import Calibrated, Mechanism
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.sampling.blocks import generator, vector
from dpcore.sampling.sampler import SensitivitySample, sample_sensitivity

Pair = tuple[Database, Database]
CONFIDENCE = 1 - 1e-6  # of each interval, so that an audit in every test run does not cry wolf


@final
@dataclass(frozen=True, slots=True)
class Audit:
    """With probability ``confidence`` the pair's true ε (at this δ) is at least ``lower``."""

    mechanism: str
    epsilon: float
    delta: float
    lower: float
    draws: int
    confidence: float

    @property
    def holds(self) -> bool:
        """Whether nothing above the promised ε was found."""
        return self.lower <= self.epsilon


@final
@dataclass(frozen=True, slots=True)
class Coverage:
    """On ``missed`` of ``pairs`` random pairs the worst response loses more than ε; the true share lies in [low, high]."""

    bound: Bound
    gamma: float
    pairs: int
    missed: int
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether the share may be γ or less."""
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
    """A lower bound of ε from responses to two neighbours' answers f(D) and f(D'), a pair that the sensitivity covers.

    ε >= log((P(E) − δ)/P'(E)) for every event E (mathematics, section 12.2). Half of the draws choose the best E = {privacy loss
    > t} in either direction, the other half measures it by Clopper–Pearson bounds. ``draws`` responses to each; simulated ones,
    or with ``released`` of the release noise. ``claimed``: what to hold it to, the calibration's own ε and δ where it is None.
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
        # rounded, for else the last digits of a sum of floats tell which answer it began with
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
    """How often a random pair's realised loss, that of its worst response, is above ε.

    γ under RANK and DKW is an average over the draws too: a fresh Δ̂ for every pair. Under TOLERANCE one Δ̂ serves all
    (and fails with probability 1 − confidence of the point). ``adjacency`` says how a pair differs, in whole people where the
    oracle draws these, as ``sample_sensitivity`` has it. ``order``: takes another order statistic than the point's k,
    to see that it is caught. The pairs are drawn apart from the sampler's draws; each goes through the library's own order
    statistic and calibration. A pair on which the target fails is missed.
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
    """So many D of n records, or people, and D′ in which a uniform one is replaced, or is missing (mathematics, section 1.8 and
    8.1). They are concatenated: the sampler makes its own in no such way."""
    drawn, person = n + (not adjacency.removes), person_of(oracle)
    if person is not None:
        for _ in range(pairs):
            yield _people_apart(oracle.draw(1, drawn, rng=rng)[0], person, n, int(rng.integers(n)))
        return
    databases, places = oracle.draw(pairs, drawn, rng=rng), rng.integers(n, size=pairs)
    for database, place in zip(databases, places, strict=True):
        yield database[:n], np.concatenate((database[:place], database[n:], database[place + 1 : n]))


def _people_apart(rows: Database, person: str, n: int, place: int) -> Pair:
    """The rows of the first n people, and those with the person at the place left out, and the last one's where there is one
    more."""
    codes = rows[person][CODE]
    other = np.concatenate((rows[codes < place], rows[codes == n], rows[(codes > place) & (codes < n)]))
    other[person][CODE] = contiguous(other[person][CODE])
    return rows[codes < n], other


def clopper_pearson(hits: int, trials: int, doubt: float) -> tuple[float, float]:
    """Bounds of a share from its hits, each wrong with probability at most ``doubt`` (Clopper & Pearson 1934)."""
    from scipy.special import betaincinv

    low = float(betaincinv(hits, trials - hits + 1, doubt)) if hits else 0.0
    high = float(betaincinv(hits + 1, trials - hits, 1 - doubt)) if hits < trials else 1.0
    return low, high


def _best_threshold(first: FloatArray, second: FloatArray, delta: float) -> float:
    """The t whose event {loss > t} gives the largest cautious estimate of ε among a hundred."""
    candidates = np.unique(np.quantile(np.concatenate([first, second]), np.linspace(0, 0.999, 100), method="lower"))
    candidates = np.concatenate([[-np.inf], candidates, candidates - 1e-9])
    p, q = (1 - np.searchsorted(np.sort(loss), candidates, side="right") / len(loss) for loss in (first, second))
    spread = 5 / np.sqrt(len(first))
    least, most = p - spread * np.sqrt(p * (1 - p)) - delta, q + spread * np.sqrt(q * (1 - q)) + spread**2
    return float(candidates[np.argmax(np.where(least > 0, least / most, 0))])


def _sampled(run: SensitivitySample[Any], order: int | None) -> SampledSensitivity[Any] | None:
    """What the library makes of a run of draws; None where it refuses, so that there is no release."""
    try:
        sensitivity = run.sensitivity(allow_zero=True)
    except InfiniteSensitivityError:
        return None
    if order is None:
        return sensitivity
    return replace(sensitivity, value=float(np.partition(run.distances, order - 1)[order - 1]))


def _loses(mechanism: Mechanism[Any, PureDP], sensitivity: SampledSensitivity[Any], privacy: PureDP, neighbours: Pair) -> bool:
    """Whether the worst response to a pair loses more than ε, either way; a target that fails on it loses everything."""
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
    """Responses with release noise, in the form of simulated ones."""
    draw = law.draw
    if isinstance(law, NoiseLaw):  # independent noise on each entry, so many copies are drawn as one vector
        return np.asarray(draw(np.tile(raw, size)).reshape(size, raw.size))
    return np.array([law.row(draw(raw)) for _ in range(size)])
