"""A choice: how likely the winner is to be picked, and how far the pick falls short of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from dpcore.answers.choice import ChoosingLaw, choosing
from dpcore.answers.numbers import label
from dpcore.guarantees.words import percent
from dpcore.mechanisms.base import Calibrated
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import Headline

_MOST_WINNERS = 5


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ChoiceHeadline(Headline):
    """One of several candidates, whose scores stay private."""

    @property
    def before_chance(self) -> str:
        """``reach`` up to its number."""
        scores = self.exact.value
        names = ", ".join(label(winner) for winner in choosing(self.noise.law).winners(scores)[:_MOST_WINNERS])
        which = f"the winner “{names}”" if (scores == scores.max()).sum() == 1 else f"one of the winners “{names}”"
        return f"{which} is picked with chance "

    def reach(self, noise: Calibrated[Any]) -> str:
        """The winner's chance."""
        scores = self.exact.value
        chances = choosing(noise.law).probabilities(scores)[scores == scores.max()]
        return self.before_chance + percent(float(chances.sum()))

    @computable
    def error(self, law: ChoosingLaw) -> float:
        """E[max s − s(r)]."""
        return law.shortfall(self.exact.value)
