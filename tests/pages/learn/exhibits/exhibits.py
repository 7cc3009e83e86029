"""An exhibit of made-up numbers with every part that one can have."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import L1, Bound, Laplace, oracles, targets
from pages.experiment.scenario import Scenario
from pages.old.learn.exhibits.charts import Axis, Chart, Series, StoredTable
from pages.old.learn.exhibits.exhibit import Check, Deviation, Difference, Exhibit, Made, Stated

LINE = Series(name="a", role="rank", x=np.array([1.0, 2.0]), y=np.array([0.5, 0.25]), low=np.zeros(2), high=np.ones(2))
STEPS = Series(name="b", role="true", x=np.array([1.0]), y=np.array([3.0]), drawn="steps")
CHART = Chart(title="c", x=Axis("m", log=True), y=Axis("Δ̂", "years"), series=(LINE, STEPS), spread="nine in ten")
TABLE = StoredTable(title="t", columns=("who", "how much"), rows=(("us", 1.5), ("them", 2)))
LIVE = Scenario(
    table="loan_defaults",
    columns=("years_to_default",),
    target=targets.Mean(),
    oracle=oracles.Exponential(1.0),
    norm=L1,
    n=500,
    bound=Bound.RANK,
    confidence=None,
    m=99,
    gamma=0.05,
    epsilon=1.0,
    delta=None,
    mechanism=Laplace(),
    seed=1,
)
PARTS: dict[str, Any] = {
    "name": "one",
    "place": 3,
    "title": "One",
    "source": "A paper",
    "paper": ("n = 3.",),
    "ours": ("n = 4.",),
    "deviations": (Deviation("n", "3", "4", "It is larger."),),
    "stated": (Stated("It is so.", "Section 1"),),
    "no_curve": "Nobody can read it.",
    "charts": (CHART,),
    "tables": (TABLE,),
    "agrees": ("It does.",),
    "differs": (Difference("It does not.", "It is wrong."),),
    "checks": (Check("It is small", 0.5, None, 1.0),),
    "live": LIVE,
    "live_note": "It is smaller.",
    "made": Made(7, 1.25, {"numpy": "2"}),
}


def exhibit(**changes: Any) -> Exhibit:
    """One with these parts changed."""
    return Exhibit(**PARTS | changes)
