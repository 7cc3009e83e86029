"""Sentences on predictions: causes and advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.text import counted
from dpcore.guarantees.descriptions import figure, percent
from dpcore.targets.user_limits import ClippedTotals, ContributionBounded
from pages.experiment.people import AboutPeople, Contributions, Prediction, least

LEAST_KEPT = 0.5
"""Share of the values that an advised choice must keep.

If noise dominates, the least error belongs to the choice that removes almost everything: its answer is a constant under almost
no noise. The rule compares sizes |v| and not sums, because a sum can be near 0 by cancellation. A constant then seems accurate,
although an answer with noise says more. Clipped rows are not counted either: bounds may clip every row and lose little.

The threshold has a simple meaning. Let all N rows of each person bring the same value, and let the noise with all rows have the
standard deviation T·x, where T is the exact sum. A limit s loses T·(1 − s/N) and has noise T·x·s/N. The best s is N/(1 + x²), so
it keeps less than half of the value exactly if x > 1: the noise without a limit is larger than the exact sum.
"""


@final
@dataclass(frozen=True)
class Advice:
    """Advice in words.

    Args:
        sentence: The advice, or the reason to give none and a remedy.
        better: The prediction to choose; None if the chosen one is best or advice is refused.
    """

    sentence: str
    better: Prediction | None = None


def with_unit(found: Contributions, value: float) -> str:
    """Return a number of the answer with its unit."""
    return counted(figure(value), f" {found.unit}" if found.unit else "")


def on_limit(found: Contributions) -> Advice:
    """Return the advice on s, or on the limit B, at the chosen bounds."""
    best, symbol = least(found.by_limit), found.symbol
    at, kept = f"{symbol} = {best.size:,.10g}", kept_by_limit(found, best.target)
    if kept < LEAST_KEPT:
        return Advice(_no_advice(f"on {symbol}", at, kept))
    if best.target == found.target:
        return Advice(f"Your {symbol} has the least error of all shown.")
    return Advice(f"The least error is {with_unit(found, best.total)}, at {at}.", best)


def on_bounds(found: Contributions) -> Advice:
    """Return the advice on the bounds of a value at the chosen s, or the reason for fixed bounds."""
    if isinstance(found.target, ClippedTotals):
        return Advice("The noise depends only on the limit B, so narrower bounds of a value do not make it smaller.")
    if not found.by_bounds or found.bounds is None:
        return Advice("Each row counts as 0 or 1, so its bounds are fixed.")
    best = least(found.by_bounds)
    low, high = best.bounds
    at, kept = f"values from {low:,.10g} to {high:,.10g}", kept_by_bounds(found, (low, high))
    if kept < LEAST_KEPT:
        return Advice(_no_advice("on the bounds", at, kept))
    if (low, high) == found.bounds:
        return Advice("At this s, your bounds have the least error of all shown.")
    return Advice(f"At this s, the least error is {with_unit(found, best.total)}, with {at}.", best)


def _no_advice(about: str, best: str, kept: float) -> str:
    return (
        f"No advice {about}: the best choice, {best}, keeps only {percent(kept)} of the values. Ask about more people, or choose "
        "a larger ε."
    )


def kept_by_limit(found: Contributions, target: AboutPeople) -> float:
    """Return the share of the sizes of all values, within the bounds, that a limit on each person keeps.

    It is 1 for a mean, because a mean divides by the weights of the rows that it counts.
    """
    kept = found.rows.kept(target)
    sizes = float(np.abs(kept.before).sum())
    return 1.0 if kept.before.shape[1] > 1 or not sizes else float(np.abs(kept.after).sum()) / sizes


def kept_by_bounds(found: Contributions, bounds: Interval) -> float:
    """Return the share of the values' distances from the fixed end that bounds keep, among the rows that count.

    The fixed end is the bound that stays when bounds become narrower, or 0 if it is between them.
    """
    assert found.widest is not None
    assert isinstance(found.target, ContributionBounded)
    weights, fixed = found.rows.weights(found.target), np.clip(0.0, *found.widest)
    kept, declared = (float(weights @ np.abs(np.clip(found.rows.values, *pair) - fixed)) for pair in (bounds, found.widest))
    return kept / declared if declared else 1.0


def limit_words(found: Contributions) -> str:
    """Return how many people the limit takes something from."""
    cut = share_limited(found)
    return f"The limit affects {percent(cut)} of the people." if cut else "The limit affects no person."


def share_limited(found: Contributions) -> float:
    """Return the share of the people whose part of the answer the limit changes."""
    kept = found.rows.kept(found.target)
    affected = kept.people[(kept.after != kept.before).any(axis=1)]
    return len(np.unique(affected)) / len(found.rows.rows_a_person)


def without_noise(found: Contributions) -> str:
    """Return the answer that the noise is added to, and the noise's scale; empty unless the answer is one sum of rows."""
    chosen, target = found.chosen, found.target
    if found.rows.groups > 1 or target.each_once or found.rows.parts(target).shape[1] > 1:
        return ""
    answer, exact = (with_unit(found, float(each[0])) for each in (chosen.answer, chosen.truth))
    return f"Without noise, the answer is {answer} (exact: {exact}). The noise has the scale {with_unit(found, chosen.scale)}."


def number_of_people(found: Contributions) -> str:
    """Return how the error of a number of people differs from the error shown; empty for other questions."""
    target = found.target
    if not isinstance(target, ContributionBounded) or not target.each_once:
        return ""
    few = f", but only in part if they are in more than {counted(target.groups_each or 1, ' groups')}"
    once = f"each person counts once{'' if target.whole_numbers else few}"
    return f"As a number of people, its only error is the noise: {once}. Errors here are of a number of rows."
