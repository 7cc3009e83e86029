"""What every mechanism keeps to, as one function that lists its faults; tests run it on right ones and on wrong ones.

A mechanism need offer no more than it needs anyway: ``norm``, ``privacy``, ``check`` (which targets it suits) and ``law``,
whose ``draw``, ``simulate``, ``row`` and ``log_ratio`` are held against one another:

- *loss*: on searched pairs of answers, the stated log P(r)/P'(r) of responses from either side is at most ε (pure DP), or its
  hockey-stick divergence E max(0, 1 − exp(ε − log P/P')) at most δ (approximate DP). Exact for pure DP.
- *ratio*: the stated ratio is that of the simulated responses, P'(E) = ∫_E exp(−log P/P') dP for many events E.
- *responses*: simulated responses alone, whatever the law says of itself, show no ε above the promise (up to ε = 7).
- *draw*: released responses have the law of the simulated ones.

A law that cannot state its ratio raises InvalidValueError from ``log_ratio``; *responses* alone then speaks for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import stats

from dpcore.base.arrays import FloatArray
from dpcore.errors import InvalidValueError, ReleaseFailedError
from dpcore.guarantees.privacy import ApproxDP, PureDP
from tests.contracts.answers import Answers, suited
from tests.contracts.events import least_epsilon
from tests.contracts.neighbours import Pair, near, pairs, whole

SETTINGS = ((0.1, 1.0), (1.0, 0.3), (2.5, 6.0))  # sensitivity, ε
APPROXIMATE = ((0.1, 1.0, 0.05), (1.0, 0.3, 0.01), (2.5, 20.0, 0.05))  # and δ
FEW, SOME, MANY = 200, 2_000, 100_000  # responses to each of two answers: of all pairs, of those looked at, of the worst
LOOKED_AT, DRAWN = 6, 1_000
DOUBT = 1e-9  # of each statistical finding
ERRORS = 6.5  # standard errors, beyond which one in 1e10 lies
EXACT = 1e-9


@dataclass(frozen=True)
class Fault:
    """A promise that was not kept: which check saw it, what it found where ``promised`` was allowed, and on which answers."""

    check: str
    found: float
    promised: float
    pair: Pair


@dataclass(frozen=True)
class Trial:
    """One mechanism, calibrated to one sensitivity and one privacy, for answers of one length."""

    mechanism: Any
    answers: Answers
    reach: float
    privacy: Any

    @cached_property
    def law(self) -> Any:
        return self.answers.law(self.mechanism, self.reach, self.privacy)

    def taken(self, found: Iterable[Pair]) -> list[Pair]:
        """The pairs that the mechanism takes: where it takes whole numbers alone, such."""
        return whole(self.mechanism.norm, self.reach, found) if self.answers.whole else list(found)

    @property
    def delta(self) -> float:
        return self.privacy.delta if isinstance(self.privacy, ApproxDP) else 0.0

    @cached_property
    def states_its_ratio(self) -> bool:
        zero = np.zeros(self.answers.length)
        try:
            self.law.log_ratio(zero, zero, self.simulated(zero, 1, 0))
        except InvalidValueError:
            return False
        return True

    def simulated(self, answer: FloatArray, size: int, seed: int) -> Any:
        return self.law.simulate(answer, size=size, rng=np.random.default_rng([seed, 77]))

    def rows(self, answer: FloatArray, size: int, seed: int) -> FloatArray:
        """Simulated responses as numbers (size, d)."""
        return np.asarray(self.simulated(answer, size, seed), dtype=np.float64).reshape(size, -1)

    def excess(self, pair: Pair, size: int, seed: int) -> float:
        """How far the stated losses of responses to either go beyond the promise: > 0 is a fault, of either kind of DP."""
        a, b = pair
        responses = np.concatenate([self.simulated(a, size, seed), self.simulated(b, size, seed + 1)])
        losses = np.asarray(self.law.log_ratio(a, b, responses), dtype=np.float64)
        if np.isnan(losses).any():
            return np.inf  # a response that its own law cannot give
        if isinstance(self.privacy, PureDP):
            return float(np.abs(losses).max()) - self.privacy.epsilon - self._rounding(pair)
        own = np.stack([losses[:size], -losses[size:]])
        return _above_zero(-np.expm1(np.minimum(0.0, self.privacy.epsilon - own)) - self.delta)

    def _rounding(self, pair: Pair) -> float:
        """What the last digits of the answers make of a loss."""
        size = max(float(np.abs(answer).max()) for answer in pair)
        return EXACT * self.privacy.epsilon + 8 * np.spacing(size) * self.answers.length / self.law.scale


def faults(mechanism: Any, *, enough: frozenset[str] = frozenset()) -> list[Fault]:
    """The first fault that each check finds, over all lengths of answers and all settings; stops once ``enough`` were seen."""
    found: dict[str, Fault] = {}
    tried = False
    for fault in _all(mechanism):
        tried = True
        if fault is not None:
            found.setdefault(fault.check, fault)
        if enough and enough <= set(found):
            break
    if not tried:
        raise AssertionError(f"{mechanism!r} takes no answer that was tried: its check must name the targets that suit it")
    return list(found.values())


def _all(mechanism: Any) -> Iterator[Fault | None]:
    """What is found; None after each trial. The exact check has every setting, each length of answers its own for the rest."""
    tried = suited(mechanism)
    for i, answers in enumerate(tried):
        known = list(_trials(mechanism, answers))
        for j, trial in enumerate(known):
            rng = np.random.default_rng(2_026)
            searched = trial.taken(pairs(mechanism.norm, trial.reach, answers.length, rng))
            ranked = _ranked(trial, searched, rng) if trial.states_its_ratio else searched
            if trial.states_its_ratio:
                yield from _loss(trial, ranked[:2])
            if j == i % len(known):
                yield from _statistical(trial, searched, ranked)
            if i == min(1, len(tried) - 1) and j == i % len(known):
                yield from _draw(trial, searched[1])  # of which no answer is whole
            yield None


def _trials(mechanism: Any, answers: Answers) -> Iterator[Trial]:
    """Those that the mechanism accepts; it refuses an ε beyond its proof with InvalidValueError."""
    settings = [(reach, PureDP(epsilon)) for reach, epsilon in SETTINGS]
    approximate = [(reach, ApproxDP(epsilon, delta)) for reach, epsilon, delta in APPROXIMATE]
    for reach, privacy in settings if mechanism.privacy is PureDP else approximate:
        trial = Trial(mechanism, answers, float(math.ceil(reach)) if answers.whole else reach, privacy)
        try:
            _ = trial.law
        except InvalidValueError:
            continue
        yield trial


def _statistical(trial: Trial, searched: list[Pair], ranked: list[Pair]) -> Iterator[Fault]:
    listed = searched[:: max(1, len(searched) // LOOKED_AT)]
    if trial.states_its_ratio:
        yield from _ratio(trial, [ranked[0], searched[0]])
        yield from _responses(trial, [*ranked[:2], *listed])
    else:
        yield from _responses(trial, searched[::4])


def _ranked(trial: Trial, searched: list[Pair], rng: np.random.Generator) -> list[Pair]:
    """By their stated loss, the worst first; the worst three were climbed from."""
    few = FEW if trial.delta else FEW // 4  # of pure DP the largest of the losses, of which most responses are near it
    known = sorted(((trial.excess(pair, few, 1), pair) for pair in searched), key=lambda item: -item[0])
    for _, pair in known[:3]:
        beside = trial.taken(near(trial.mechanism.norm, trial.reach, pair, rng))
        known += [(trial.excess(other, few, 1), other) for other in beside]
    return [pair for _, pair in sorted(known, key=lambda item: -item[0])]


def _loss(trial: Trial, worst: list[Pair]) -> Iterator[Fault]:
    """On fresh responses: exact for pure DP, for approximate DP a mean of numbers in [0, 1] by the empirical Bernstein bound."""
    for pair in worst:
        excess = trial.excess(pair, MANY if trial.delta else SOME, 2)
        if excess > 0:
            yield Fault("loss", excess, trial.delta or trial.privacy.epsilon, pair)
            return


def _above_zero(values: FloatArray) -> float:
    """A lower bound of the larger mean of two rows (2, size) of numbers within 1 of one another, by the empirical Bernstein
    inequality (Maurer & Pontil 2009): each is wrong with probability ``DOUBT``."""
    doubt, size = np.log(2 / DOUBT), values.shape[1]
    slack = np.sqrt(2 * values.var(axis=1, ddof=1) * doubt / size) + 7 * doubt / (3 * (size - 1))
    return float((values.mean(axis=1) - slack).max())


def _ratio(trial: Trial, looked_at: list[Pair]) -> Iterator[Fault]:
    """P'(E, L >= 0) = E_P[exp(−L); E, L >= 0], so that no weight is above 1; and the same from the other side.

    50,000 responses a side: a stated scale 10 % off is 8 standard errors away at ε = 1, where 6.5 reject.
    """
    for a, b in looked_at:
        first, second = trial.simulated(a, MANY // 2, 5), trial.simulated(b, MANY // 2, 6)
        for sign in (1.0, -1.0):
            own, other = (first, second) if sign > 0 else (second, first)
            # rounded, for else the last digits of a sum of floats tell which answer it began with
            losses = [np.round(sign * np.asarray(trial.law.log_ratio(a, b, rows)), 9) for rows in (own, other)]
            apart = _apart(
                _weighted(own, losses[0], np.exp(-np.abs(losses[0]))), _weighted(other, losses[1], np.ones(len(other)))
            )
            if apart > ERRORS:
                yield Fault("ratio", apart, ERRORS, (a, b))
                return


def _weighted(responses: Any, losses: FloatArray, weights: FloatArray) -> FloatArray:
    """(size, events): the weight where the response is in the event and the loss is at least 0, else 0."""
    rows = np.asarray(responses, dtype=np.float64).reshape(len(losses), -1)
    weights = np.where(losses >= 0, weights, 0.0)
    cuts = [
        np.ones(len(rows), dtype=bool),
        *(losses >= cut for cut in (0.1, 0.5, 1.0)),
        rows[:, 0] % 1 < 0.5,
        rows.sum(axis=1) > 1,
    ]
    return np.stack([weights * cut for cut in cuts], axis=1)


def _apart(first: FloatArray, second: FloatArray) -> float:
    """The largest difference between two means in standard errors; what is seen once in all counts for one."""
    means = first.mean(axis=0) - second.mean(axis=0)
    variances = (first.var(axis=0) + second.var(axis=0)) / len(first) + (3 / len(first)) ** 2
    return float(np.nanmax(np.abs(means) / np.sqrt(variances)))


def _responses(trial: Trial, looked_at: list[Pair]) -> Iterator[Fault]:
    """2,000 responses to each of two answers, then 100,000 to the worst two: 10 % too much is seen at ε = 1, none above 7.7."""
    epsilon = trial.privacy.epsilon

    def found(pair: Pair, size: int, seed: int) -> float:
        return least_epsilon(trial.rows(pair[0], size, seed), trial.rows(pair[1], size, seed + 1), trial.delta, DOUBT)

    worst = max(looked_at, key=lambda pair: found(pair, SOME, 11))
    lower = found(worst, MANY, 13)
    if lower > epsilon:
        yield Fault("responses", lower, epsilon, worst)


def _draw(trial: Trial, pair: Pair) -> Iterator[Fault]:
    """Kolmogorov–Smirnov on each number, and the ends' difference, of 1,000 released responses and 40,000 simulated: size 1e-9.

    It rejects from a distance of .106 on: a scale twice too large or small (.15), any rounding; and any answer that is refused.
    """
    answer = pair[0]
    try:
        drawn = np.array([trial.law.row(trial.law.draw(answer)) for _ in range(DRAWN)], dtype=np.float64)
    except ReleaseFailedError:
        yield Fault("draw", np.inf, 0.0, pair)
        return
    drawn, simulated = drawn.reshape(DRAWN, -1), trial.rows(answer, 40_000, 17)
    columns, others = ([*rows.T, rows[:, 0] - rows[:, -1]] for rows in (drawn, simulated))
    for column, other in zip(columns, others, strict=True):
        test = stats.ks_2samp(column, other, method="asymp")
        if test.pvalue < DOUBT:
            yield Fault("draw", float(test.statistic), 0.0, pair)
            return
