"""Scenarios as Explore would show them, without Explore."""

from __future__ import annotations

from typing import Any

from dpcore.base.columns import Column
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import ApproxDP
from pages.experiment.choices import first_mechanism, oracle_for, oracle_kinds, target_for
from pages.experiment.noise import calibrate_sampled
from pages.experiment.question import oracle_of_questions
from pages.experiment.scenario import Scenario
from pages.experiment.tables import ours
from pages.experiment.view import Question
from pages.files.tables import Table


def scenario(table: Table, kind: str, names: tuple[str, ...], oracle: str = "", **changes: Any) -> Scenario:
    """A scenario of these columns with 39 trials, as the app would begin it."""
    target = changes.pop("target", None) or target_for(kind, tuple(table.column(name) for name in names))
    taken = table.taken(names, target)
    mechanism = changes.pop("mechanism", None) or first_mechanism(target)
    return Scenario(
        **{
            "table": table.name,
            "columns": names,
            "target": target,
            "n": table.size(names, target),
            "oracle": _oracle(oracle, table, taken, target),
            "bound": Bound.RANK,
            "confidence": None,
            "m": 39,
            "gamma": 0.05,
            "epsilon": 1.0,
            "delta": 1e-6 if mechanism.privacy is ApproxDP else None,
            "mechanism": mechanism,
            "seed": 3,
        }
        | changes
    )


def _oracle(kind: str, table: Table, taken: tuple[Column, ...], target: Any) -> Any:
    if target.accepts_structured:
        return oracle_of_questions(table, (target,), {})
    return oracle_for(kind or oracle_kinds(table, taken)[0], table, taken)


def noise(of: Scenario, table: Table) -> Any:
    """Return the noise of its m sampled pairs."""
    return calibrate_sampled(of, Question(of, table).sample(of.m))


def table(name: str) -> Table:
    """One of the app's."""
    return ours()[name]
