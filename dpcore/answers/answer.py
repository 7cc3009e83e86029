"""What an answer of a target is, and what a mechanism makes of it."""

from __future__ import annotations

from dpcore.base.declared import Column
from dpcore.base.types import Target
from dpcore.result_types.kind import KindOfAnswer
from dpcore.result_types.numbers import Numbers, label_of, shared_unit, short

Within = float | tuple[float, ...] | None
"""How close 95 in 100 responses lie to the answer without noise: one distance for all numbers, or one each, or unknown."""


def moved_after(answer: KindOfAnswer) -> str:
    """Return the unit behind how far a target moves: the answer's own, unless it says otherwise, as if scores move."""
    return answer.after if answer.moved_after is None else answer.moved_after


def answer_of(target: Target, columns: tuple[Column, ...]) -> KindOfAnswer:
    """Return the kind of answer that a target states, else a number for each candidate, or one for its first column."""
    if target.answer is not None:
        stated: KindOfAnswer = target.answer(columns)
        return stated
    return Numbers(short(target.candidates) if target.candidates else label_of(columns[:1]), shared_unit(columns))


def moved_in(answer: KindOfAnswer) -> str:
    """Return the unit of what moves between two neighbours: the answer's own, unless its kind says otherwise."""
    return moved_after(answer).strip() if answer.moved_after is not None else answer.unit
