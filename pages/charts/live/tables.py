"""The tables that everything under the hand is looked up in."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from pages.charts.encoded import exactly
from pages.experiment.live.tables import GammaTable, SensitivityTable


def grids(by_gamma: GammaTable, units: tuple[FloatArray, FloatArray], *, edge: FloatArray | None = None) -> dict[str, Any]:
    """What no trial changes. ``units``: ε and the noise's scale at a sensitivity of 1. ``edge``: how often the best guesser is
    right at the edge of what is protected, for each ε."""
    made: dict[str, Any] = {"gamma": by_gamma.gammas.tolist(), "epsilon": units[0].tolist(), "unit": exactly(units[1])}
    return made if edge is None else made | {"edge": exactly(edge)}


def found(
    by_gamma: GammaTable, *, drawn: SensitivityTable | None = None, worst: float | None = None, proved: FloatArray | None = None
) -> dict[str, Any]:
    """What hangs on the trials. ``proved``: where the worst case leads, 1 or 0 for each γ."""
    absent = dict.fromkeys(("delta", "resolution", "covered", "proved"))  # else those of another part would stand
    made: dict[str, Any] = {
        "m": by_gamma.m,
        "k": by_gamma.orders.astype(int).tolist(),
        "needs": np.trim_zeros(by_gamma.needs, "b").astype(int).tolist(),
        "worst": worst,
    } | absent
    if drawn is not None:
        made |= {"delta": exactly(drawn.values), "resolution": drawn.resolution}
        if (drawn.covered != by_gamma.orders).any():  # as where distances are the same
            made["covered"] = drawn.covered.astype(int).tolist()
    if proved is not None:
        made["proved"] = "".join("01"[int(leads)] for leads in proved)
    return made
