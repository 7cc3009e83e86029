"""Whether a private choice of an upper bound can see the values at all: where it cannot, a sentence that says so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import Oracle
from pages.experiment.contributions.asked import rows_of
from pages.experiment.contributions.private_choice import MOST_PEOPLE, people
from pages.experiment.scenario import Scenario


def warning(choice: Scenario, oracle: Oracle) -> str:
    """Empty where the rows outweigh penalty and chance together: Σ min(s, N_u) > penalty·log(U_k/U_1) + (2s/ε₁)·log k.

    The right side is how far the penalty sets the first of k bounds above the last, and how far chance lifts the best of k equal
    ones (mathematics, section 15.4). The rows are those of people drawn from the oracle, as many as n: nothing of the table.
    """
    target: Any = choice.target
    database = people(choice, oracle)
    drawn = np.minimum(rows_of(target, database).rows_a_person, target.rows).sum()
    rows = float(drawn) * choice.n / min(choice.n, MOST_PEOPLE)
    bounds = target.candidates
    penalty = target.penalty * math.log(bounds[-1] / bounds[0])
    chance = 2 * target.rows / choice.epsilon * math.log(len(bounds))
    if rows > penalty + chance:
        return ""
    weigh = counted(_whole(penalty + chance), " rows")
    return (
        f"**This choice hardly sees the values.** Penalty and chance weigh as much as {weigh} here, and "
        f"the people that it was tried on have {_whole(rows)} that count. A bound that is far too small can then come up often, "
        "whatever the values are. Take a smaller s, a larger ε of the choice, or a smaller penalty. If it is publicly known how "
        "large the values get, declare that bound and leave the choice out."
    )


def _whole(rows: float) -> str:
    """In three digits, the rest zeros: 45,600."""
    return f"{float(f'{rows:.3g}'):,.0f}"
