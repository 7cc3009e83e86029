"""The unit of a target's answer, from the columns' declarations."""

from __future__ import annotations

from dpcore.answers.numbers import SHARE, answer_of
from dpcore.base.declared import Column
from dpcore.workbench.scenario import Scenario

__all__ = ["SHARE", "answer_unit"]


def answer_unit(scenario: Scenario, columns: tuple[Column, ...]) -> str:
    """As the target says: the columns' own where they share one, "share" for shares of the records; else empty."""
    return answer_of(scenario.target, columns).unit
