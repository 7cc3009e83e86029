"""Several questions asked together: how long their draws take, how soon another width is answered, what noise they save."""

from __future__ import annotations

from typing import Any

import numpy as np
from dpcore.targets.together import in_shares
from pages.experiment.listed.accuracy import accuracy_of
from pages.experiment.listed.distances import Sampled, measured

from dpcore import L1, Bound, Condition, Laplace, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.types import Target
from pages.experiment import preview
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table
from tests.benchmarks.timing import seconds

TITLE = "Several questions together"
QUESTIONS, RECORDS, M = 20, 100_000, 1_000
_WARDS, _GAMMA = tuple("abcdefghijkl"), 0.05
_LAW = oracles.Product((oracles.Uniform(0, 1), oracles.Categorical((1 / 12,) * 12, _WARDS)), ("cost", "ward"))
_COLUMNS = (Column("cost", bounds=(0.0, 1.0)), Column("ward", role="text", categories=_WARDS))


def rows() -> list[tuple[str, str, str]]:
    """(what, wanted, measured) for each number."""
    return [*_times(), *_noise()]


def _listed() -> tuple[Target, ...]:
    """A sum, a count and a mean of as many wards as make twenty."""
    kinds: tuple[Any, ...] = (targets.Sum((0.0, 1.0)), targets.Count(interval=(0.0, 0.5)), targets.KnownMean((0.0, 1.0)))
    asked = [targets.On(kind, ("cost",), (Condition("ward", ward),)) for ward in _WARDS for kind in kinds]
    return tuple(asked[:QUESTIONS])


def _times() -> list[tuple[str, str, str]]:
    parts, point = _listed(), OperatingPoint.for_both(M, _GAMMA)
    unit: Any = in_shares(parts, (1.0,) * QUESTIONS)
    scenario = Scenario(
        table="stays",
        columns=unit.fields,
        target=unit,
        oracle=_LAW,
        norm=L1,
        n=RECORDS,
        bound=Bound.RANK,
        confidence=None,
        m=M,
        gamma=_GAMMA,
        epsilon=1.0,
        delta=None,
        mechanism=Laplace(),
        seed=1,
    )
    found = Sampled(measured(scenario, _LAW, m=M), L1, point)
    rng = np.random.default_rng(1)
    table = Table("stays", _COLUMNS, {"cost": rng.random(RECORDS), "ward": rng.choice(_WARDS, RECORDS)}, public=True)
    near = accuracy_of(scenario, table.taken(unit.fields, unit), preview.answer(scenario, table), found, jointly=False)
    widths = [1.0] * QUESTIONS

    def changed() -> object:
        widths[3] *= 1.01
        return near.reaches(tuple(widths), 1.0)

    def solved() -> object:
        return near.width_at(2, 0.8 * near.reaches((1.0,) * QUESTIONS, 1.0)[2], (1.0,) * QUESTIONS, 1.0)

    what = f"{QUESTIONS} questions over 10⁵ records"
    return [
        (f"{what}: {M:,} draws of all", "≤ 1 s", _took(lambda: _sampled(unit, M), 5)),
        (f"{what}: {M:,} draws, each question's distances", "≤ 1 s", _took(lambda: measured(scenario, _LAW, m=M), 5)),
        (f"{what}: another width, every ± anew", "≤ 0.3 s", _took(changed, 5)),
        (f"{what}: the width for a ±", "", _took(solved, 3)),
    ]


def _noise() -> list[tuple[str, str, str]]:
    """Twelve means of groups of about 600 records, at the order statistic of 4,000 draws."""
    means = tuple(targets.On(targets.KnownMean((0.0, 1.0)), ("cost",), (Condition("ward", ward),)) for ward in _WARDS)
    both = _sampled(in_shares(means, (1.0,) * 12), 4_000, 7_200).sensitivity().value
    alone = sum(_sampled(mean, 4_000, 7_200, seed).sensitivity().value for seed, mean in enumerate(means, 2))
    return [("twelve group means, m = 4,000: Δ̂ together / the sum of their own Δ̂, at twelve γ", "≤ 1/4", f"{both / alone:.3f}")]


def _sampled(target: Target, m: int, n: int = RECORDS, seed: int = 1) -> Any:
    return sample_sensitivity(target, _LAW, norm=L1, n=n, at=OperatingPoint.for_both(m, _GAMMA), seed=seed)


def _took(function: Any, rounds: int) -> str:
    taken = seconds(function, rounds)
    return f"{taken:.2f} s" if taken >= 0.1 else f"{1_000 * taken:.1f} ms"
