"""Advice on the page People: the configuration with the least predicted error, or the reason to give none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.guarantees.words import percent
from pages.old.charts.people.errors import symbol_of
from pages.old.experiment.contributions.advice import LEAST_KEPT, kept_by_bounds, kept_by_cap
from pages.old.experiment.contributions.limit import Limit
from pages.old.experiment.contributions.predict import Prediction
from pages.old.shared.error_words import with_unit
from pages.old.state.contributions import Analysis


@final
@dataclass(frozen=True)
class Advice:
    """Advice in words, with the configuration to take.

    Attributes:
        sentence: The advice, or the reason to give none and a remedy.
        better: The configuration to take; None if the chosen one is best or advice is refused.
    """

    sentence: str
    better: Prediction | None = None


def on_cap(found: Analysis) -> Advice:
    """Return the advice on s, or on the limit B, at the chosen bounds."""
    best, symbol = found.line.best, symbol_of(found.question.cap)
    kept = kept_by_cap(found.question, best.cap, found.question.bounds)
    if kept < LEAST_KEPT:
        return Advice(_no_advice(f"on {symbol}", f"{symbol} = {best.cap.size:,.10g}", kept))
    if best.cap == found.question.cap:
        return Advice(f"Your {symbol} has the least error of all shown.")
    return Advice(f"The least error is {with_unit(found, best.errors.total)}, at {symbol} = {best.cap.size:,.10g}.", best)


def on_bounds(found: Analysis) -> Advice | None:
    """Return the advice on the bounds of a value at the chosen s; None if they do not change the noise."""
    line, cap = found.of_bounds, found.question.cap
    if line is None or isinstance(cap, Limit):
        return None
    best, kept = line.best, kept_by_bounds(found.question, cap, line.best.bounds)
    if kept < LEAST_KEPT:
        return Advice(_no_advice("on the bounds", f"values from {_pair(best)}", kept))
    if best.bounds == found.question.bounds:
        return Advice("At this s, your bounds have the least error of all shown.")
    error = with_unit(found, best.errors.total)
    return Advice(f"At this s, the least error is {error}, with values from {_pair(best)}.", best)


def on_other_way(found: Analysis) -> str:
    """Return what the other way of limiting a person achieves at its best; empty without another way or if advice is refused."""
    other = found.other
    if other is None or kept_by_cap(found.question, other.cap, found.question.bounds) < LEAST_KEPT:
        return ""
    error = with_unit(found, other.errors.total)
    if isinstance(other.cap, Limit):
        return f"Clipping each person's total instead is off by {error} at its best, B = {other.cap.size:,.10g}."
    return f"Counting s rows of each person instead is off by {error} at its best, s = {other.cap.size:,}."


def _pair(best: Prediction) -> str:
    low, high = best.bounds
    return f"{low:,.10g} to {high:,.10g}"


def _no_advice(about: str, best: str, kept: float) -> str:
    return (
        f"No advice {about}: the best choice, {best}, keeps only {percent(kept)} of the values, so ask about more people or "
        "choose a larger ε."
    )
