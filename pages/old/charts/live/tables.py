"""The tables that everything under the hand is looked up in (``module/look.js``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from pages.experiment.scenario import MOST_M
from pages.old.charts.encoded import exactly
from pages.old.experiment.live.tables import GammaTable, SensitivityTable


def grids(by_gamma: GammaTable, units: tuple[FloatArray, FloatArray], **edge: FloatArray) -> dict[str, Any]:
    """What no trial changes. ``units``: ε and the noise's scale at a sensitivity of 1. ``edge``: how often the best guesser is
    right at the edge of what is protected, for each ε."""
    gammas, (epsilons, scales) = by_gamma.gammas.tolist(), units
    made = {"gamma": gammas, "epsilon": epsilons.tolist(), "unit": exactly(scales), "most": MOST_M}
    return made | {name: exactly(values) for name, values in edge.items()}


_ABSENT = dict.fromkeys(("delta", "resolution", "covered", "worst", "proved", "furthest"))  # else another part's would stand


def found(by_gamma: GammaTable, *, drawn: SensitivityTable | None = None) -> dict[str, Any]:
    """What hangs on the trials."""
    needs = np.trim_zeros(by_gamma.needs, "b").astype(int).tolist()
    made = _ABSENT | {"m": by_gamma.m, "k": by_gamma.orders.astype(int).tolist(), "needs": needs}
    if drawn is None:
        return made
    same = not (drawn.covered != by_gamma.orders).any()  # else distances are the same
    covered = None if same else drawn.covered.astype(int).tolist()
    return made | {"delta": exactly(drawn.values), "resolution": drawn.resolution, "covered": covered}


def proved(worst: float, leads: Any) -> dict[str, Any]:
    """The worst case. ``leads``: for each γ 1 where it leads, 2 where it is no larger than Δ̂ too, else 0."""
    return {"worst": worst, "proved": "".join(map(str, leads))}
