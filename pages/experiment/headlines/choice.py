"""A choice: how likely the winner is to be picked, and how far the pick falls short of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from dpcore.answers.choice import ChoosingLaw, choosing
from dpcore.answers.numbers import label
from dpcore.guarantees.words import figure, percent
from dpcore.mechanisms.base import Calibrated
from pages.experiment.computable import computable
from pages.experiment.headlines.base import NO_WORST, Headline, Row
from pages.experiment.headlines.numbers import moved_together

_MOST_WINNERS = 5


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class ChoiceHeadline(Headline):
    """One of several candidates, whose scores stay private."""

    error_words: ClassVar[str] = "how far the score falls short of the best"
    of_this_answer: ClassVar[bool] = True

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

    def moved(self, *, once: bool = False) -> str:
        """The scores, in the norm."""
        return moved_together("the scores", self.scenario.norm, once=once)

    @computable
    def error(self, law: ChoosingLaw) -> float:
        """E[max s − s(r)]."""
        return law.shortfall(self.exact.value)

    def rows(self) -> list[Row]:
        """Each candidate with its score and its chances."""
        scores = self.exact.value
        chance = choosing(self.noise.law).probabilities(scores)
        least = None if self.worst is None else choosing(self.worst.law).probabilities(scores)
        return [
            {
                "candidate": label,
                f"score, {self.exact.name}": figure(float(scores[i])),
                "chance, sampled": percent(float(chance[i])),
                "chance, worst case": NO_WORST if least is None else percent(float(least[i])),
            }
            for i, label in enumerate(self.answer.labels)
        ]
