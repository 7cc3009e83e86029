"""Several scenarios side by side, and the one sentence that follows from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.privacy import ApproxDP, PureDP, RandomDP
from pages.experiment.view import View
from pages.experiment.words import filled, is_exact

_STRENGTH: dict[type, int] = {PureDP: 3, ApproxDP: 2, RandomDP: 1}
_WORDS = {3: "pure DP", 2: "approximate DP", 1: "only random DP", 0: "nothing"}


@final
@dataclass(frozen=True, eq=False)
class Compared:
    """One scenario of a comparison.

    Args:
        letter: Its letter, or "now".
        name: What differs from the others.
        view: Its view, or the reason why it is not drawn.
    """

    letter: str
    name: str
    view: View | str

    @property
    def label(self) -> str:
        """The letter with what differs."""
        return f"{self.letter}: {self.name}"

    @property
    def error(self) -> float | None:
        """Its error, if it has a private answer."""
        if isinstance(self.view, str) or self.view.noise is None:
            return None
        return self.view.released.accuracy.at(self.view.noise.law)

    @property
    def meaning(self) -> tuple[str, str]:
        """The sense and the unit of its error."""
        if isinstance(self.view, str) or self.view.noise is None:
            return "", ""
        return self.view.released.accuracy.what, self.view.released.accuracy.unit

    @property
    def error_in_words(self) -> str:
        """The error with its unit, a margin with ±; empty without a private answer."""
        if isinstance(self.view, str) or self.error is None:
            return ""
        what, unit = self.meaning
        margin = "± " if "margin" in what else ""
        return f"{margin}{self.view.released.accuracy.said(self.error)}{'' if unit in ('', 'share') else f' {unit}'}"

    @property
    def guarantee(self) -> str:
        """The guarantee in one short line; empty without a private answer."""
        return "" if isinstance(self.view, str) or self.error is None else filled(self.view)["line"]

    @property
    def simulated(self) -> bool:
        """Whether its error is that on a simulated table, because its own is confidential."""
        return not isinstance(self.view, str) and not self.view.question.table.public

    @property
    def strength(self) -> int:
        """The kind of the guarantee as a number, 3 for pure DP; 0 without one."""
        if isinstance(self.view, str) or self.view.noise is None or not is_exact(self.view):
            return 0
        return _STRENGTH[type(self.view.noise.guarantee)]


def comparable(items: Sequence[Compared], shown: Compared) -> list[Compared]:
    """Return the scenarios whose error is finite and has the sense and the unit of the one that is shown.

    Args:
        items: All scenarios.
        shown: The one on the page.
    """
    return [one for one in items if one.error is not None and math.isfinite(one.error) and one.meaning == shown.meaning]


def conclusion(items: Sequence[Compared]) -> str:
    """Return which of the scenarios has the smallest error, by which factor, and whether it promises less.

    Args:
        items: At least two scenarios with errors of the same sense and unit.
    """
    first, *others = sorted(items, key=lambda one: one.error or 0.0)
    last = others[-1]
    least, most = first.error or 0.0, last.error or 0.0
    if most <= least * 1.005:
        said = f"{' and '.join(one.letter for one in items)} have the same error: {first.error_in_words}."
    else:
        times = f", {figure(most / least)} times smaller than that of {last.letter}" if least else ""
        said = f"{first.letter} has the smallest error, {first.error_in_words}{times}."
    best = max(items, key=lambda one: one.strength)
    if first.strength < best.strength:
        said += f" But {first.letter} promises {_WORDS[first.strength]}, and {best.letter} {_WORDS[best.strength]}."
    elif len({one.guarantee for one in items}) > 1:
        said += " Their guarantees differ."
    return said
