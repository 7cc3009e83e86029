"""The width that a question begins with in a list: how far it moves by itself."""

from __future__ import annotations

import math

import numpy as np

from dpcore.base.types import Oracle
from dpcore.sampling.ways import choose
from dpcore.workbench import cost, preview
from dpcore.workbench.listed.distances import measured
from dpcore.workbench.scenario import Scenario

_SHARE, _MOST, _SECONDS = 0.95, 199, 0.3


def own_width(scenario: Scenario, oracle: Oracle) -> float:
    """Of a list of this one question, to two digits: its worst case where it adds up records and that is proved, else how far
    most pairs of the oracle move it. Both are public, as a width must be.

    With these widths no question has more of the noise than another because of the unit that it is in.
    """
    proved = preview.worst_case(scenario)
    if proved is not None and choose(scenario.target, oracle, scenario.n, scenario.adjacency).exact:
        return _short(proved.value)
    seconds = cost.seconds(scenario.target, scenario.n, 1, oracle, scenario.adjacency)
    m = int(min(_MOST, _SECONDS / seconds))
    if m >= 10:
        distances = measured(scenario, oracle, m=m)[:, 0]
        usual = float(np.quantile(distances, _SHARE, method="inverted_cdf"))
        if 0 < usual < math.inf:
            return _short(usual)
    return 1.0 if proved is None else _short(proved.value)


def _short(value: float) -> float:
    return float(f"{value:.2g}")
