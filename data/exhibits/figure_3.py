"""Figure 3: the least order k, as a share of m, that certifies each γ with 100, 1,000 and 10,000 draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from data.exhibits.exhibit import Axis, Chart, Check, Series, StoredTable
from data.exhibits.figure_4 import NAMES, facet, orders
from data.exhibits.live import loans
from dpcore import Bound, OperatingPoint

SEED = None
SIZES = (100, 1_000, 10_000)
# fmt: off
GAMMAS = np.array([
    0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1,
    0.12, 0.15, 0.18, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9,
])
# fmt: on
TITLE = "The order that certifies γ"


def parts() -> dict[str, Any]:
    """Return charts, tables, checks and the link of the exhibit."""
    series = tuple(_series(m, bound) for bound in NAMES for m in SIZES)
    best = Series(name="1 − γ, which none can pass", role="true", x=GAMMAS, y=1 - GAMMAS)
    chart = Chart(
        title=TITLE, x=Axis("γ, the share of pairs that may be missed"), y=Axis("k/m, order over draws"), series=(best, *series)
    )
    rows = tuple((m, *(OperatingPoint.for_sample_size(m, bound=bound).gamma for bound in NAMES)) for m in SIZES)
    table = StoredTable(title="The least γ, where k = m", columns=("m", *NAMES.values()), rows=rows)
    return {
        "charts": (chart,),
        "tables": (table,),
        "checks": _checks(chart),
        "live": loans(m=1_000, gamma=0.1, bound=Bound.DKW, seed=3),
    }


def _series(m: int, bound: Bound) -> Series:
    found = orders(m, GAMMAS, bound)
    return Series(
        name=NAMES[bound],
        role=bound.name.lower(),
        x=np.array(list(found)),
        y=np.array(list(found.values())) / m,
        facets=(facet(m),),
    )


def gap(chart: Chart, bound: Bound, m: int) -> float:
    """The largest k/m − (1 − γ): the share of draws that the bound gives away."""
    one = chart.called(NAMES[bound], facet(m))
    return float((one.y - (1 - one.x)).max())


def _checks(chart: Chart) -> tuple[Check, ...]:
    return (
        Check("m = 100: the least γ under DKW", OperatingPoint.for_sample_size(100, bound=Bound.DKW).gamma, 0.15, 0.18),
        Check("m = 10,000: the least γ under DKW", OperatingPoint.for_sample_size(10_000, bound=Bound.DKW).gamma, 0.019, 0.021),
        Check("m = 10,000: the largest k/m − (1 − γ) under DKW", gap(chart, Bound.DKW, 10_000), 0.019, 0.021),
        Check("m = 10,000: the largest k/m − (1 − γ) under RANK", gap(chart, Bound.RANK, 10_000), 0.0, 2e-4),
    )
