"""What is answered to a scenario's question: numbers, a choice, a curve or another kind, with labels and unit."""

from __future__ import annotations

from dpcore.answers.answer import KindOfAnswer, answer_of, response_of
from dpcore.base.declared import Column
from dpcore.workbench.scenario import Scenario


def answered(scenario: Scenario, columns: tuple[Column, ...]) -> KindOfAnswer:
    """What the target says that its answer is, and what the mechanism makes of it."""
    return response_of(scenario.mechanism, answer_of(scenario.target, columns))
