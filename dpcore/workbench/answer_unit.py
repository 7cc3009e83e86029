"""The unit of a target's answer, from the columns' declarations."""

from __future__ import annotations

from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Column

SHARE = "share"
_WITHOUT = ("OnLattice", "LetterCounts", "LinearSVM")
_SHARES = ("Histogram", "Proportion")


def answer_unit(scenario: Scenario, columns: tuple[Column, ...]) -> str:
    """The columns' own unit where they share one, its square for a variance, "share" for shares of the records; else empty."""
    kind = type(scenario.target).__name__
    if kind in _WITHOUT:
        return ""
    if kind in _SHARES:
        return SHARE
    units = {column.unit for column in columns}
    unit = units.pop() if len(units) == 1 else ""
    return f"{unit}²" if kind == "Variance" and unit else unit
