"""A predicted error in words: its size with its unit, and its two largest causes."""

from __future__ import annotations

from dpcore.base.counted import counted
from dpcore.guarantees.words import figure
from pages.old.experiment.contributions.limit import Limit
from pages.old.experiment.contributions.predict import split
from pages.old.shared.escape import behind
from pages.old.state.contributions import Analysis


def with_unit(found: Analysis, value: float) -> str:
    return counted(figure(value), behind(found.unit))


def causes(found: Analysis) -> str:
    """The two largest causes of the error."""
    parts, what = split([found.chosen]), "totals" if isinstance(found.question.cap, Limit) else "values"
    named = {
        "what the cap leaves out": parts.dropped,
        f"{what} below the lower bound": parts.clipped_low,
        f"{what} above the upper bound": parts.clipped_high,
        "the noise": parts.noise,
        "which rows happen to be kept": parts.salts,
        "the noise's pull on the mean": parts.from_noise,
    }
    large = sorted(((float(size[0]), name) for name, size in named.items()), reverse=True)[:2]
    (most, first), (less, second) = large
    if most <= 0:
        return ""
    make = "make" if second.startswith(what) else "makes"
    then = f"; {second} {make} {with_unit(found, less)}" if less > 0 else ""
    return f"Most of it comes from {first} ({with_unit(found, most)}){then}."
