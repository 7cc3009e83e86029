"""What all questions of a list share is set here: ε and how it is divided, γ, m and how the noise is sized."""

from __future__ import annotations

from typing import Any

from dpcore.errors import GammaOutOfReachError
from dpcore.guarantees.operating_points import OperatingPoint
from pages.experiment.scenario import MOST_M
from pages.files.tables import Table
from pages.old.experiment.listed.question_list import QuestionList
from pages.old.state.listed.current_list import rework


def settle(table: Table, **changes: Any) -> None:
    """Change settings of the list; what cannot be is refused in a sentence."""
    rework(table, lambda made: _settled(made, changes))


def settle_total(table: Table, total: float) -> None:
    """Set ε of all questions together; their shares keep their proportions."""
    rework(table, lambda made: (made.sharing(made.shares, total), ""))


def give(table: Table, place: int, epsilon: float) -> None:
    """Set the share of ε of one question; the others divide the rest of the same total."""
    rework(table, lambda made: (made.with_share(place, epsilon), ""))


def _settled(made: QuestionList, changes: dict[str, Any]) -> tuple[QuestionList, str]:
    """With these settings; a smaller γ raises m as far as it needs."""
    asked = {name: changes.get(name, getattr(made, name)) for name in ("m", "gamma", "bound", "confidence")}
    try:
        OperatingPoint.for_both(asked["m"], asked["gamma"], bound=asked["bound"], confidence=asked["confidence"])
    except GammaOutOfReachError as error:
        if "m" in changes or error.least_m > MOST_M:
            raise
        return made.with_(**changes, m=error.least_m), f"γ = {asked['gamma']:g} needs {error.least_m:,} trials, so m was raised."
    return made.with_(**changes), ""
