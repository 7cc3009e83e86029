"""Rows of people in plain lists, the predictions of them, and what a limit leaves of them in plain loops."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from dpcore import Adjacency, ApproxDP, GroupBy, LaplaceMechanism, oracles, targets
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.columns import Column
from dpcore.base.users import per_user
from dpcore.guarantees.operating_points import Bound
from pages.experiment.people import AboutPeople, Contributions, CountedRows, Prediction, bounds_of
from pages.experiment.scenario import Scenario

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE_USER, Adjacency.REPLACE_ONE_USER
Row = tuple[int, float, int]  # a person, a value, and a group


def rows(rng: np.random.Generator, people: int, most: int, groups: int = 1) -> list[Row]:
    """Up to so many rows a person, values from −10 to 30."""
    return [
        (person, float(rng.uniform(-10, 30)), int(rng.integers(groups)))
        for person in range(people)
        for _ in range(rng.integers(1, most + 1))
    ]


def database(table: list[Row]) -> Database:
    made = np.zeros(len(table), dtype=[("x", float), ("ward", "U1")])
    made["x"], made["ward"] = [value for _, value, _ in table], ["abcd"[group] for _, _, group in table]
    return per_user(made, np.array([f"{person:04d}" for person, _, _ in table]), person="who")


def about(inner: Any, groups: int = 1, **limit: Any) -> AboutPeople:
    """The question about people, with a limit of ``totals`` or of ``rows``."""
    question = targets.Query(inner, ("x",), (), GroupBy("ward", tuple("abcd"[:groups])) if groups > 1 else None)
    return (
        targets.ClippedTotals(question, "who", **limit)
        if "totals" in limit
        else targets.ContributionBounded(question, "who", **limit)
    )


def scenario(target: AboutPeople, *, epsilon: float = 1.0, mechanism: Any = None, adjacency: Adjacency = ADD) -> Scenario:
    noise = mechanism or LaplaceMechanism()
    return Scenario(
        table="t",
        columns=target.fields,
        target=target,
        oracle=oracles.Uniform(0, 1),
        n=50,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=epsilon,
        delta=1e-6 if noise.privacy is ApproxDP else None,
        mechanism=noise,
        seed=1,
        adjacency=adjacency,
    )


def contributions(table: list[Row], target: AboutPeople, *, widest: Any = None, **how: Any) -> Contributions:
    """Predictions of a target on these rows."""
    counted = CountedRows.of(target, database(table))
    declared = widest or bounds_of(target) or None
    columns = tuple(Column(name, bounds=declared) for name in target.question.fields)
    return Contributions(scenario=scenario(target, **how), columns=columns, rows=counted, widest=declared)


def predicted(table: list[Row], target: AboutPeople, **how: Any) -> Prediction:
    return contributions(table, target, **how).predict(target, 1)


def sums(table: list[Row], s: int, g: int | None, bounds: tuple[float, float], groups: int) -> FloatArray:
    """Σ w·clip(v) and Σ w of each group, shape (groups, 2), with w = min(1, s/N), or min(1, s/N_group)·min(1, g/G)."""
    everywhere = Counter(person for person, _, _ in table)
    inside = Counter((person, group) for person, _, group in table)
    entered = Counter(person for person, _ in inside)
    found = np.zeros((groups, 2))
    for person, value, group in table:
        weight = min(1.0, s / everywhere[person])
        if g is not None:
            weight = min(1.0, s / inside[person, group]) * min(1.0, g / entered[person])
        found[group] += weight * min(max(value, bounds[0]), bounds[1]), weight
    return found


def with_epsilon(found: Contributions, epsilon: float) -> Contributions:
    return replace(found, scenario=found.scenario.with_(epsilon=epsilon))
