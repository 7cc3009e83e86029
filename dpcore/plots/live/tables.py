"""The tables that everything under the hand is looked up in."""

from __future__ import annotations

from typing import Any

from dpcore.base.types import FloatArray
from dpcore.plots.live.encoded import exactly, roughly
from dpcore.workbench.live.tables import GammaTable, SensitivityTable


def tables(
    by_gamma: GammaTable, units: tuple[FloatArray, FloatArray], *, drawn: SensitivityTable | None = None,
    worst: float | None = None, proved: FloatArray | None = None, edge: FloatArray | None = None,
) -> dict[str, Any]:  # fmt: skip
    """``units``: ε and the noise's scale at a sensitivity of 1. ``proved``: where the worst case leads, 1 or 0 for each γ.
    ``edge``: how often the best guesser is right at the edge of what is protected, for each ε."""
    made: dict[str, Any] = {
        "m": by_gamma.m, "gamma": exactly(by_gamma.gammas), "k": roughly(by_gamma.orders), "needs": exactly(by_gamma.needs),
        "epsilon": exactly(units[0]), "unit": exactly(units[1]), "worst": worst,
    }  # fmt: skip
    if drawn is not None:
        made |= {"delta": exactly(drawn.values), "covered": roughly(drawn.covered), "resolution": drawn.resolution}
    if proved is not None:
        made["proved"] = roughly(proved)
    if edge is not None:
        made["edge"] = exactly(edge)
    return made
