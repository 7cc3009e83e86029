"""Between widths, ε and how close each answer is: what one of them needs of the others (mathematics, section 19.3)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, final

from dpcore.base.declared import Column
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.computable import answered
from pages.experiment.error_curve import least_epsilon
from pages.experiment.headlines.base import NonPrivate
from pages.experiment.headlines.several import SeveralHeadline
from pages.experiment.listed.distances import Size, Widths
from pages.experiment.scenario import MOST_EPSILON, Scenario

_FURTHEST = 1e6  # times the width begun with, up and down
_AWAY = 0.25, 1.0, 4.0, math.log(_FURTHEST)  # from its logarithm: where it is looked for, mostly near
_NEAR = 4e-7  # relative: how far below the largest width the one found may lie; a ± is shown with three digits
_ENDS = 1e-300, 1e300  # of a ± and of a width: what lies beyond counts as they do, so that each has a logarithm and way to go
_MOST_LOOKS = 1_000  # which no search takes: of a step it is some fifty


@dataclass(frozen=True, eq=False)
class _Noise:
    """A law, for a headline that is asked about several scales of it."""

    law: Any


def accuracy_of(scenario: Scenario, columns: tuple[Column, ...], exact: NonPrivate, size: Size, *, jointly: bool) -> Accuracy:
    """Of a list's questions together, at widths of 1: ``exact`` is their answer without noise."""
    noise: Any = _Noise(scenario.mechanism.law(scenario.target, 1.0, scenario.privacy))
    answer: Any = answered(scenario, columns)
    headline = SeveralHeadline(scenario=scenario, answer=answer, columns=columns, exact=exact, noise=noise, worst=None)
    return Accuracy(headline, size, jointly)


@final
@dataclass(frozen=True, eq=False)
class Accuracy:
    """How close the answers of a list are: ``headline`` has each question's kind and the numbers on which a ratio's ± hangs.

    ``size``: how far all move together for given widths. ``share``: of answers that lie inside a ±, each taken alone, or all at
    once where ``jointly``.
    """

    headline: SeveralHeadline
    size: Size
    jointly: bool = False

    @cached_property
    def share(self) -> float:
        """Of each number's private versions, so that 95 in 100 lie inside, each alone or all at once: their noises are
        independent, so each at the power of one over their number."""
        numbers = sum(len(one.labels) for one in self.headline.each)
        return SHARE_WITHIN ** (1 / numbers) if self.jointly else SHARE_WITHIN

    def scale(self, widths: Widths, epsilon: float) -> float:
        """Of the noise on a question of width 1."""
        return self.scale_of(self.size.of(widths), epsilon)

    def scale_of(self, sensitivity: float, epsilon: float) -> float:
        """Of the noise for so large a sensitivity."""
        scenario = self.headline.scenario
        return float(scenario.mechanism.law(scenario.target, sensitivity, replace(scenario.privacy, epsilon=epsilon)).scale)

    def reach(self, place: int, scale: float) -> float:
        """How close the answer at a place is under noise of this scale in its own unit; of several numbers, of the furthest."""
        return float(max(self.headline.each[place].reaches(self._noise(place, scale), self.share)))

    def least_reach(self, place: int, scale: float) -> float:
        """The same where most is known, if how much is known is not public."""
        return float(max(self.headline.each[place].least_reaches(self._noise(place, scale), self.share)))

    def _noise(self, place: int, scale: float) -> Any:
        """On the answer at a place, at another scale."""
        noise: Any = self.headline.each[place].noise
        return replace(noise, law=replace(noise.law, scale=scale))

    def reaches(self, widths: Widths, epsilon: float) -> tuple[float, ...]:
        """How close each answer is."""
        scale = self.scale(widths, epsilon)
        return tuple(self.reach(place, width * scale) for place, width in enumerate(widths))

    def width_for(self, place: int, wanted: float, scale: float) -> float:
        """The largest width under which the answer is as close as is wanted, where noise of width 1 has this scale; infinite
        where any noise leaves it as close, as within its public bounds."""
        return _largest(lambda width: self.reach(place, width * scale), wanted, 1.0 if scale == 0 else wanted / scale)

    def width_at(self, place: int, wanted: float, widths: Widths, epsilon: float) -> float | None:
        """The same where ε stays, so that noise for all grows as this width shrinks; None where no width does it."""

        def reach(width: float) -> float:
            others = (*widths[:place], width, *widths[place + 1 :])
            return self.reach(place, width * self.scale(others, epsilon))

        return _largest(reach, wanted, widths[place]) or None

    def closest(self, place: int, widths: Widths, epsilon: float) -> float:
        """How close the answer can be at this ε: where the noise is sized by this question alone."""
        least = (*widths[:place], widths[place] / _FURTHEST, *widths[place + 1 :])
        return self.reach(place, least[place] * self.scale(least, epsilon))

    def epsilon_for(self, widths: Widths, scale: float, highest: float = MOST_EPSILON) -> float | None:
        """The least ε up to ``highest`` of three digits at which noise of width 1 has at most this scale; None where none has."""
        sensitivity = self.size.of(widths)
        found = least_epsilon(lambda epsilon: self.scale_of(sensitivity, epsilon), scale, highest=highest)
        if found is None:
            return None
        digits = 2 - math.floor(math.log10(found))
        near = round(found, digits)  # what is found lies a hair above the least, which can be this one
        enough = near >= found or self.scale_of(sensitivity, near) <= scale
        return min(near if enough else round(near + 10.0**-digits, digits), highest)


def _largest(reach: Callable[[float], float], wanted: float, begin: float) -> float:
    """The largest width whose ± is at most the wanted one, near enough; 0 where none is, infinity where each is.

    A ± grows with the width nearly in proportion, so logarithms of both lie close to a line.
    """
    from scipy.optimize import brentq

    @cache
    def above(logarithm: float) -> float:
        return _logarithm(reach(math.exp(logarithm))) - _logarithm(wanted)

    first = before = _logarithm(begin)
    grows = above(first) <= 0
    for distance in _AWAY:
        after = first + (distance if grows else -distance)
        if (above(after) <= 0) != grows:
            return math.exp(brentq(above, before, after, xtol=_NEAR / 2, maxiter=_MOST_LOOKS) - _NEAR / 2)
        before = after
    return math.inf if grows else 0.0


def _logarithm(size: float) -> float:
    """Between the ends; of a ± that is no number, for its noise has no room among the floats, that of the upper end."""
    least, most = _ENDS
    return math.log(max(size, least)) if size < most else math.log(most)
