"""What a scenario shows before anything is released: draws for looking, never for a release."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar, final

import numpy as np

from dpcore.answers.numbers import answer_of
from dpcore.audits.closed_forms import true_cdf
from dpcore.base.norms import Norm
from dpcore.base.types import ClassifierTarget, Database, FloatArray, LatticeTarget, Oracle, Target
from dpcore.errors import DpcoreError, InvalidValueError, TooSlowError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.mechanisms.base import Calibrated, NoiseLaw
from dpcore.mechanisms.bernstein import CurveLaw
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.sampling.blocks import generator
from dpcore.sampling.sampler import SensitivitySample, sample_sensitivity
from dpcore.sampling.ways import choose
from dpcore.targets import OnLattice
from dpcore.workbench.grids import grid
from dpcore.workbench.scenario import LEAST_EPSILON, MOST_EPSILON, Scenario
from dpcore.workbench.tables import Table
from dpcore.workbench.timing import a_call

# Measured on 2 shared cores: drawing and evaluating a record, and each number beyond the first that it has a part in.
_SECONDS_A_RECORD, _SECONDS_A_NUMBER = 4e-8, 2e-8
_SECONDS_A_PAIR = 1e-7  # of a way whose time does not grow with n
_SECONDS_A_PLAIN_PAIR = 3e-5  # beside the records and the two calls
ERROR_POINTS, ERROR_DRAWS = 24, 60
_CLASSIFIERS, _MOST_CLASSIFIED = 200, 1_000  # draws of the noise, and records, that a classifier's error is the average over
_NEARLY_FREE = 1.2
_QUICK = 0.5  # seconds
_REFERENCE_SEED = 2017
_REFERENCE_SECONDS = 0.3
_MOST_REFERENCE = 20_000
# What arithmetic and arrays answer to numbers that nobody would choose: no answer, and no fault of the program
_UNCOMPUTABLE = (ValueError, ArithmeticError, MemoryError)
_UNREACHABLE = (DpcoreError, *_UNCOMPUTABLE)

R = TypeVar("R")
A = ParamSpec("A")


def _computable(make: Callable[A, R]) -> Callable[A, R]:
    """The same, but InvalidValueError where the scenario's own numbers cannot be computed with."""

    @wraps(make)
    def made(*given: A.args, **named: A.kwargs) -> R:
        try:
            return make(*given, **named)
        except DpcoreError:
            raise
        except _UNCOMPUTABLE:
            expected = "such that their numbers can be computed with"
            raise InvalidValueError("target, the oracle and the mechanism", expected, None) from None

    return made


@final
@dataclass(frozen=True, eq=False)
class Reference:
    """A CDF to compare with: the true one, or that of a large sample under another seed."""

    cdf: Callable[[FloatArray], FloatArray]
    name: str


@final
@dataclass(frozen=True, eq=False)
class Answer:
    """The target's value on a table, or on a simulated one."""

    value: FloatArray
    simulated: bool
    database: Database


def seconds(target: Target, n: int, m: int, oracle: Oracle | None = None) -> float:
    """About how long m draws take; a target may state what one call on n records takes as ``seconds(n)``.

    Some targets are sampled at no cost in n under some oracles: where none is given, it is the time under the others.
    """
    way = choose(target, oracle, n)
    stated = None if way.light else getattr(target, "seconds", None)
    if stated is not None:
        return float(2 * m * stated(n))
    if oracle is not None and way.name == "plain":
        return m * (2 * a_call(target, oracle, n) + _SECONDS_A_RECORD * (n + 1) + _SECONDS_A_PLAIN_PAIR)
    numbers = (target.degree + 1) ** len(target.domain) if isinstance(target, LatticeTarget) else _numbers(target)
    a_record = _SECONDS_A_PAIR if way.light else _SECONDS_A_RECORD * (n + 1)
    return m * (a_record + _SECONDS_A_NUMBER * (numbers - 1) * (2 if way.light else n + 1))


def _numbers(target: Target) -> int:
    return len(getattr(target, "candidates", ())) or 1


def refuse_slow(target: Target, n: int, m: int, limit: float, oracle: Oracle | None = None) -> None:
    """TooSlowError where m draws would take longer than ``limit`` seconds."""
    expected = seconds(target, n, m, oracle)
    if expected > limit:
        raise TooSlowError(expected, limit, max(1, int(limit / seconds(target, n, 1, oracle))))


def quick(target: Target, n: int, m: int, oracle: Oracle) -> bool:
    """Whether m draws take a moment."""
    return seconds(target, n, m, oracle) <= _QUICK


@_computable
def exploration(scenario: Scenario, oracle: Oracle, **how: Any) -> SensitivitySample[Norm]:
    """The scenario's m draws under its seed, sampled as ``how`` says. Take ``.at(point)`` of it: γ, k and the bound only
    re-index them."""
    at = OperatingPoint.for_sample_size(scenario.m)
    sample = sample_sensitivity(scenario.target, oracle, norm=scenario.norm, n=scenario.n, at=at, seed=scenario.seed, **how)
    return replace(sample, explored=True)


def reference(target: Target, oracle: Oracle, norm: Norm, n: int) -> Reference | None:
    """The closed form where there is one, else a large sample that is called that; None where it would be slow."""
    known = true_cdf(target, oracle, norm, n)
    if known is not None:
        return Reference(known, "true CDF")
    m = min(_MOST_REFERENCE, int(_REFERENCE_SECONDS / seconds(target, n, 1, oracle)))
    if m < 1_000:
        return None
    point = OperatingPoint.for_sample_size(m)
    try:
        sample = sample_sensitivity(target, oracle, norm=norm, n=n, at=point, seed=_REFERENCE_SEED)
    except _UNREACHABLE:
        return None
    return Reference(sample.cdf, f"reference, {m:,}")


def worst_case(scenario: Scenario) -> GlobalSensitivity[Norm] | None:
    """The target's proved global sensitivity at this n in the scenario's norm, where there is one."""
    proved = getattr(scenario.target, "global_sensitivity", None)
    try:
        return proved(scenario.norm, scenario.n) if proved is not None else None
    except _UNREACHABLE:  # what cannot be computed is no proof
        return None


def nearly_free(worst_case: GlobalSensitivity[Norm] | None, sensitivity: float) -> bool:
    """Whether differential privacy proper costs at most 1.2 times the noise of a sampled sensitivity of public draws."""
    return worst_case is not None and worst_case.value <= _NEARLY_FREE * sensitivity


def unlimited(target: Target) -> bool:
    """Whether it is known that no worst case is finite: the target lacks what would limit how far one record can move it.

    False says nothing: a target without a proved sensitivity may have a finite one.
    """
    return bool(getattr(target, "lacks", ""))


def joint_half_width(law: NoiseLaw, numbers: int, share: float) -> float:
    """How far from 0 the noise on all of ``numbers`` entries reaches, that share of the time.

    Their noises are independent, so y with (2·F(y) − 1)^numbers = share (mathematics, section 13).
    """
    return law.half_width(share ** (1 / numbers))


@_computable
def calibrated(scenario: Scenario, sample: SensitivitySample[Norm]) -> Calibrated[Any]:
    """The mechanism under the sampled sensitivity: for simulation only, its draws have been seen."""
    return scenario.mechanism.calibrate(sample.at(scenario.point).sensitivity(), scenario.privacy)


@_computable
def calibrated_worst_case(scenario: Scenario) -> Calibrated[Any] | None:
    """The mechanism under the global sensitivity, where there is one."""
    proved = worst_case(scenario)
    return None if proved is None else scenario.mechanism.calibrate(proved, scenario.privacy)


def answer(scenario: Scenario, table: Table) -> Answer:
    """The target's own value on the table: to be shown only where the table is public or its holder asked for it."""
    return _answered(scenario, table.prepare(scenario.columns).database, simulated=False)


@_computable
def simulated_answer(scenario: Scenario, oracle: Oracle) -> Answer:
    """The target's value on one table drawn from the oracle, which stands in for a confidential one."""
    return _answered(scenario, oracle.draw(1, scenario.n, rng=generator(scenario.seed, 0, 3))[0], simulated=True)


@_computable
def on_fresh_records(scenario: Scenario, oracle: Oracle, shown: Answer) -> Answer:
    """The same answer beside 1,000 records of the oracle that it was not fitted to: of the oracle's law, which a real table's
    need not be."""
    return replace(shown, database=oracle.draw(1, _MOST_CLASSIFIED, rng=generator(scenario.seed, 0, 5))[0])


@_computable
def _answered(scenario: Scenario, database: Database, *, simulated: bool) -> Answer:
    with np.errstate(all="ignore"):
        return Answer(np.atleast_1d(scenario.target(database)), simulated, database)


@final
@dataclass(frozen=True, eq=False)
class Fit:
    """A curve on a grid: as it is, and as the Bernstein polynomial of its own lattice values, both non-private."""

    at: FloatArray  # (p, dims)
    exact: FloatArray
    approximation: FloatArray

    @property
    def points(self) -> FloatArray:
        """Along its first dimension."""
        return self.at[:, 0]


@_computable
def fit(scenario: Scenario, shown: Answer, noise: Calibrated[Any]) -> Fit | None:
    """The curve of a shown answer; None where the target is no curve."""
    target = scenario.target
    if not isinstance(target, OnLattice):
        return None
    points = grid(target.domain)
    with np.errstate(all="ignore"):
        exact = target.curve.values(shown.database, points)
    law = noise.law
    assert isinstance(law, CurveLaw)  # a scenario has Bernstein for a curve, and for nothing else
    return Fit(points, exact, law.polynomial(shown.value)(points))


@final
@dataclass(frozen=True, eq=False)
class ErrorCurve:
    """The expected error of a response at each ε: ``what`` says in which sense; NaN where the mechanism has none at an ε,
    None without a worst case."""

    what: str
    epsilons: FloatArray
    sampled: FloatArray
    worst_case: FloatArray | None
    no_privacy: float


def error_curve(scenario: Scenario, shown: Answer, fitted: Fit | None, noise: Calibrated[Any]) -> ErrorCurve:
    """How the error falls with ε under the sampled and the global sensitivity, and what is left without any noise."""
    epsilons = np.geomspace(LEAST_EPSILON, MOST_EPSILON, ERROR_POINTS)
    proved = worst_case(scenario)

    def of(sensitivity: float) -> FloatArray:
        return np.array([_error_or_none(scenario, sensitivity, epsilon, shown, fitted) for epsilon in epsilons])

    worst = None if proved is None else of(proved.value)
    law = noise.law
    if fitted is not None:
        what, least = "root mean square error of the curve", rms(fitted.approximation - fitted.exact)
    elif isinstance(law, SelectionLaw):
        what, least = "how far the score falls short of the best", 0.0
    elif isinstance(scenario.target, ClassifierTarget):
        what, least = "share of fitted records misclassified", misclassified(scenario.target, shown.value[None], shown)
    else:
        what, least = "mean error of a number", 0.0
    return ErrorCurve(what, epsilons, of(noise.sensitivity.value), worst, least)


@_computable
def error(scenario: Scenario, shown: Answer, fitted: Fit | None, noise: Calibrated[Any]) -> float:
    """The expected error of a response at the scenario's ε."""
    return _error(scenario, noise.sensitivity.value, scenario.epsilon, shown, fitted)


def misclassified(target: ClassifierTarget, answers: FloatArray, shown: Answer) -> float:
    """The share of the shown records that these answers (k, d+1) put into the other class; of many, always the same 1,000."""
    size = len(shown.database)
    some = np.random.default_rng(_REFERENCE_SEED).permutation(size)[:_MOST_CLASSIFIED]
    return float(target.misclassified(answers, shown.database[some]).mean())


def rms(values: FloatArray) -> float:
    """The root of the mean square."""
    return float(np.sqrt(np.mean(values**2)))


def _error_or_none(scenario: Scenario, sensitivity: float, epsilon: float, shown: Answer, fitted: Fit | None) -> float:
    try:
        return _error(scenario, sensitivity, epsilon, shown, fitted)
    except _UNREACHABLE:  # as the classical Gaussian, which has no proof from ε = 1 on
        return math.nan


def _error(scenario: Scenario, sensitivity: float, epsilon: float, shown: Answer, fitted: Fit | None) -> float:
    privacy = PureDP(epsilon) if scenario.delta is None else ApproxDP(epsilon, scenario.delta)
    law = scenario.mechanism.law(scenario.target, sensitivity, privacy)
    if isinstance(law, SelectionLaw):
        return law.shortfall(shown.value)
    if isinstance(law, CurveLaw) and fitted is not None:
        rng = np.random.default_rng(_REFERENCE_SEED)  # the same noise at each ε, only scaled: a smooth curve
        curves = law.curves(law.simulate(shown.value, size=ERROR_DRAWS, rng=rng), fitted.at)
        return rms(curves - fitted.exact)
    if isinstance(scenario.target, ClassifierTarget):
        responses = law.simulate(shown.value, size=_CLASSIFIERS, rng=np.random.default_rng(_REFERENCE_SEED))
        tries = _CLASSIFIERS * min(len(shown.database), _MOST_CLASSIFIED)
        wrong = misclassified(scenario.target, responses, shown) * tries
        return (wrong + 0.5) / (tries + 1)  # what was not seen is not impossible, and a logarithmic axis has no 0
    return law.mean_error if isinstance(law, NoiseLaw) else law.scale


def labels(scenario: Scenario, table: Table) -> tuple[str, ...]:
    """A name for each number of the target's answer; for a curve, of its axes."""
    return answer_of(scenario.target, tuple(table.column(name) for name in scenario.columns)).labels
