"""One view of a scenario: its draws, the calibrated noise, the exact answer and the accuracy of private answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from dpcore import Adjacency, Column, GlobalSensitivity, OperatingPoint, SensitivitySample
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import Norm
from dpcore.base.types import Oracle
from dpcore.errors import DpcoreError, InvalidValueError, TableError
from dpcore.guarantees.attacker import Attacker
from dpcore.mechanisms.base import Calibrated
from dpcore.result_types.kind import KindOfAnswer
from dpcore.sampling.blocks import generator
from dpcore.sampling.sampler import true_cdf
from pages.experiment import blocks, cost
from pages.experiment.accuracy import Accuracy, accuracy_of
from pages.experiment.noise import UNREACHABLE, answered, calibrate_sampled, computable, worst_case
from pages.experiment.scenario import Noise, Scenario
from pages.files.tables import Table

REFERENCE_SEED = 2017
LEAST_BANK = 2_000  # pairs that are drawn in advance if they are fast, so m can be raised without new draws
_BANK_SECONDS = 0.1
_REFERENCE_SECONDS = 0.3
_MOST_REFERENCE, _LEAST_REFERENCE = 20_000, 1_000  # pairs
_MOST_VALUES = 10_000_000  # values in one simulated table; they take 3 s to draw
_MOVING = ("epsilon", "gamma", "m", "bound", "confidence", "noise")


@final
@dataclass(frozen=True, eq=False)
class Question:
    """A scenario on its table, without the values of the sliders. Results are computed when they are first needed.

    Args:
        scenario: The scenario.
        table: Its table.
    """

    scenario: Scenario
    table: Table

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that the target takes."""
        return self.table.taken(self.scenario.columns, self.scenario.target)

    @property
    def answer(self) -> KindOfAnswer:
        """The kind of answer, with labels and unit."""
        return answered(self.scenario, self.columns)

    @cached_property
    def oracle(self) -> Oracle:
        """The oracle. Raises InvalidValueError if it would be made from a confidential table."""
        return self.scenario.resolved_oracle(self.table)

    @cached_property
    def seconds_a_pair(self) -> float:
        """Estimated seconds of one sampled pair."""
        return cost.a_draw(self.scenario, self.oracle)

    def bank(self, m: int) -> int:
        """Return the number of pairs to draw for m: more than m if they are fast, so m can be raised without new draws."""
        return max(m, min(LEAST_BANK, cost.draws_within(_BANK_SECONDS, self.seconds_a_pair)))

    @computable
    def sample(self, m: int, **how: Any) -> SensitivitySample[Norm]:
        """Draw m pairs for exploration. They are never used for a release.

        Args:
            m: Number of pairs.
            **how: Other arguments of ``sample_sensitivity``.
        """
        drawn = self.scenario.sample(self.oracle, at=OperatingPoint.for_sample_size(m), seed=self.scenario.seed, **how)
        return replace(drawn, explored=True)

    @cached_property
    def worst_case(self) -> GlobalSensitivity[Norm] | None:
        """The proved global sensitivity in the scenario's norm, or None."""
        return worst_case(self.scenario)

    @cached_property
    def reference(self) -> tuple[Callable[[FloatArray], FloatArray], str] | None:
        """The true CDF in closed form, otherwise the CDF of a large sample, with its name. None if the sample would be slow."""
        scenario = self.scenario
        replaced = scenario.adjacency is Adjacency.REPLACE_ONE_RECORD
        known = true_cdf(scenario.target, self.oracle, scenario.norm, scenario.n) if replaced else None
        if known is not None:
            return known, "true CDF"
        m = min(_MOST_REFERENCE, cost.draws_within(_REFERENCE_SECONDS, self.seconds_a_pair))
        if m < _LEAST_REFERENCE:
            return None
        try:
            drawn = scenario.sample(self.oracle, at=OperatingPoint.for_sample_size(m), seed=REFERENCE_SEED)
        except UNREACHABLE:
            return None
        return drawn.cdf, f"reference, m = {m:,}"

    @cached_property
    def database(self) -> Database:
        """The rows of a public table, or of a simulated table that replaces a confidential one.

        Raises:
            TableError: If the simulated table takes too long to draw.
        """
        scenario = self.scenario
        if self.table.public:
            return self.table.prepare(scenario.columns, scenario.target)
        if scenario.n * len(scenario.columns) > _MOST_VALUES:
            problem = f"A simulated table of {scenario.n:,} rows takes too long to draw, so no answer is shown here."
            raise TableError(problem, "The CDF is for tables of that size. Choose a smaller n to see answers.")
        drawn: Database = self.oracle.draw(1, scenario.n, rng=generator(scenario.seed, 0, 3))[0]
        return drawn

    @cached_property
    @computable
    def exact(self) -> FloatArray:
        """The target's value on these rows without noise, shape (d,). Raises InvalidValueError if it is not finite."""
        with np.errstate(all="ignore"):
            value = np.atleast_1d(self.scenario.target(self.database))
        if not np.isfinite(value).all():
            expected = "finite on this table; choose another column, bounds that its values can have, or another target"
            raise InvalidValueError("answer", expected, None)
        return value

    @cached_property
    def accuracy(self) -> Accuracy:
        """The accuracy of private answers at each scale of the noise."""
        return accuracy_of(self.scenario, self.answer, self.columns, self.exact, self.database)


def question_key(scenario: Scenario, table: Table) -> str:
    """Return a key that scenarios share if they differ only in the sliders and in the calibration of the noise.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    fields = {name: value for name, value in scenario.to_json().items() if name not in _MOVING}
    return json.dumps([fields, table.digest, table.public])


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class View:
    """Everything that the page shows of one scenario. Parts that could not be computed are None.

    Args:
        scenario: The scenario, with the values of the sliders.
        question: The scenario without the values of the sliders.
        released: The released question: ``question`` itself, or its target evaluated on blocks.
        sample: All draws, at least m of them.
        noise: The noise that the scenario calibrates.
        problem: The reason for parts that could not be computed.
    """

    scenario: Scenario
    question: Question
    released: Question
    sample: SensitivitySample[Norm] | None = None
    noise: Calibrated[Any] | None = None
    problem: DpcoreError | None = None

    @property
    def point(self) -> OperatingPoint:
        """The operating point."""
        return self.scenario.point

    @property
    def sampled(self) -> SensitivitySample[Norm] | None:
        """The first m draws, at the operating point."""
        return None if self.sample is None else self.sample.at(self.point)

    @property
    def order_statistic(self) -> float | None:
        """Δ̂, the k-th smallest of the first m distances; infinite if too many pairs failed."""
        return None if self.sampled is None else self.sampled.order_statistic

    @property
    def error(self) -> float | None:
        """The error of a private answer; None without noise."""
        return None if self.noise is None else self.released.accuracy.at(self.noise.law)

    @property
    def attacker(self) -> Attacker | None:
        """The best attacker against this noise."""
        return None if self.noise is None else self.noise.attacker(self.released.exact.size)


def kinds_of_noise(question: Question) -> tuple[Noise, ...]:
    """Return the ways in which the noise of a question can be sized."""
    kinds = [Noise.SAMPLED]
    kinds += [Noise.WORST_CASE] * (question.worst_case is not None)
    kinds += [Noise.BLOCKS] * (blocks.bounds_on_blocks(question.scenario) is not None)
    return tuple(kinds)


def view(scenario: Scenario, question: Question, sample: SensitivitySample[Norm] | DpcoreError) -> View:
    """Return the view of a scenario.

    Args:
        scenario: The scenario.
        question: Its question, with earlier results.
        sample: Its draws, or the error that prevented them.
    """
    in_blocks = blocks.in_blocks(scenario) if scenario.noise is Noise.BLOCKS else None
    released = question if in_blocks is None else Question(in_blocks, question.table)
    shown = View(scenario=scenario, question=question, released=released)
    if isinstance(sample, DpcoreError):
        return replace(shown, problem=sample)
    shown = replace(shown, sample=sample)
    try:
        noise = _calibrate(shown)
        _ = released.accuracy  # raises an error for numbers that cannot be computed
    except DpcoreError as error:
        return replace(shown, problem=error)
    return replace(shown, noise=noise)


@computable
def _calibrate(shown: View) -> Calibrated[Any]:
    scenario, released = shown.scenario, shown.released.scenario
    if scenario.noise is Noise.SAMPLED:
        assert shown.sample is not None
        return calibrate_sampled(scenario, shown.sample)
    proved = shown.released.worst_case if scenario.noise is Noise.WORST_CASE or shown.released is not shown.question else None
    if proved is None:
        raise InvalidValueError("noise", f"sampled, because {_REASONS[scenario.noise]}", scenario.noise.words)
    return released.mechanism.calibrate(proved, released.privacy)


_REASONS = {
    Noise.WORST_CASE: "no worst case is proved for this target and these options",
    Noise.BLOCKS: "this target cannot be evaluated on blocks of rows: that needs one number with public bounds",
}
