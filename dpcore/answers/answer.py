"""What an answer of a target is, and what a mechanism makes of it."""

from __future__ import annotations

from dpcore.answers.kind import KindOfAnswer
from dpcore.answers.numbers import Numbers, label_of, shared_unit, short
from dpcore.base.declared import Column
from dpcore.base.facts import facts

Within = float | tuple[float, ...] | None
"""How close 95 in 100 responses lie to the answer without noise: one distance for all numbers, or one each, or unknown."""


def moved_after(answer: KindOfAnswer) -> str:
    """The unit behind how far a target moves: the answer's own, unless it says otherwise, as where scores move."""
    return answer.after if answer.moved_after is None else answer.moved_after


def answer_of(target: object, columns: tuple[Column, ...]) -> KindOfAnswer:
    """What a target says that its answer is, as ``answer(columns)``; else one number a candidate that it names, or one for
    its first column, in the columns' own unit."""
    stated = facts(target).answer
    if stated is not None:
        said: KindOfAnswer = stated(columns)
        return said
    candidates: tuple[object, ...] = facts(target).candidates
    return Numbers(short(candidates) if candidates else label_of(columns[:1]), shared_unit(columns))


def response_of(mechanism: object, answer: KindOfAnswer) -> KindOfAnswer:
    """What a mechanism says that it makes of such an answer, as ``response(answer)``; else the same."""
    stated = facts(mechanism).response
    said: KindOfAnswer = answer if stated is None else stated(answer)
    return said


def read_at(answer: KindOfAnswer, scale: float) -> KindOfAnswer:
    """The answer as it reads responses under noise of this scale: as its ``under(scale)`` has it, else the same."""
    return answer.under(scale)


def moved_in(answer: KindOfAnswer) -> str:
    """The unit of what moves between two neighbours: the answer's own, unless its kind says otherwise."""
    return moved_after(answer).strip() if answer.moved_after is not None else answer.unit
