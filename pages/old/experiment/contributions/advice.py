"""Shares of the values that a configuration keeps, which decide whether the page People advises it."""

from __future__ import annotations

import numpy as np

from dpcore.base.bounds import Interval
from pages.old.experiment.contributions.asked import Question
from pages.old.experiment.contributions.cap import Cap, cells_of, classes_of
from pages.old.experiment.contributions.limit import Limit, taken, totals_of
from pages.old.experiment.contributions.parts import dropped
from pages.old.experiment.contributions.released import Added

LEAST_KEPT = 0.5
"""Share of the values that an advised configuration must keep.

If noise dominates, the least error belongs to the configuration that removes almost everything: its answer is a constant under
almost no noise. The rule compares sizes |v| and not sums, because a sum can be near 0 by cancellation. A constant then seems
accurate, although an answer with noise says more. Clipped rows are not counted either: bounds may clip every row and lose little.

The threshold has a simple meaning. Let all N rows of each person bring the same value, and let the noise with all rows have the
standard deviation T·x, where T is the exact sum. A cap s loses T·(1 − s/N) and has noise T·x·s/N. The best s is N/(1 + x²), so
it keeps less than half of the value exactly if x > 1: the noise without a cap is larger than the exact sum.
"""


def kept_by_cap(question: Question, cap: Cap | Limit, bounds: Interval | None) -> float:
    """Return the share of the sizes of all values that a cap on rows, or a limit of totals, keeps.

    It is 1 for a mean, because a mean divides by the weights of the rows that it counts.

    Args:
        question: The question.
        cap: The cap or limit.
        bounds: Bounds to which the values are clipped first; None for a question that has its own.
    """
    if isinstance(cap, Limit):
        assert bounds is not None
        return 1 - float(taken(totals_of(question.rows, cells_of(question.rows), bounds), (cap,)).value[0])
    if not isinstance(question.asked.released, Added):
        return 1.0
    (lost,) = dropped(question.rows, (cap,), bounds)
    return 1 - lost.value


def kept_by_bounds(question: Question, cap: Cap, bounds: Interval) -> float:
    """Return the share of the values' distances from the fixed end that bounds keep, among the rows that the cap keeps.

    The fixed end is the bound that stays when bounds become narrower, or 0 if it lies between them.

    Args:
        question: The question.
        cap: The cap on rows.
        bounds: Bounds within the declared ones.
    """
    assert question.widest is not None
    rows, cells = question.rows, cells_of(question.rows)
    classes = classes_of(rows, cells, a_group=cap.a_group)
    weights = cap.weights(classes)[classes.of_cell][cells.of_row]
    fixed = np.clip(0.0, *question.widest)
    kept, declared = (weights @ np.abs(np.clip(rows.value, *pair) - fixed) for pair in (bounds, question.widest))
    return float(kept / declared) if declared else 1.0
