"""An example of a change that a sampled sensitivity does not cover, in the records' own unit."""

from __future__ import annotations

import numpy as np

from dpcore.base.declared import TEXT, Column
from dpcore.base.facts import facts
from dpcore.base.types import takes_fields
from pages.experiment.scenario import Scenario

_PLACES = 5  # of a column's range at which it is seen whether the answer follows a record's value
_STRAIGHT = 1e-9  # of the whole way


def stride(scenario: Scenario, columns: tuple[Column, ...]) -> tuple[float, float] | None:
    """How far apart a record and its replacement are for each unit that the answer moves by; and the most that they can be.

    It is 1/|c′|, for a target of one number that adds up c(x) over the records of one column, where c is a straight line
    within the column's bounds: the answer then moves by |c(x) − c(x′)| (mathematics, section 1.8). None for every other target.
    """
    contribution, bounds = facts(scenario.target).contribution, columns[0].bounds
    if takes_fields(scenario.target) or len(columns) > 1 or columns[0].role == TEXT or contribution is None:
        return None
    low, high = bounds or (0.0, 1.0)
    steps = np.asarray(contribution(np.linspace(low, high, _PLACES), scenario.n))
    if steps.shape != (_PLACES, 1):
        return None
    rises = np.diff(steps[:, 0])
    whole = abs(float(rises.sum()))
    if not 0 < whole < np.inf or not np.ptp(rises) <= _STRAIGHT * whole:
        return None
    return (high - low) / whole, np.inf if bounds is None else high - low
