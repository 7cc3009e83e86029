"""What an answer of a target is, and what a mechanism makes of it."""

from __future__ import annotations

from typing import Any, Protocol

from dpcore.answers.numbers import Numbers, label_of, shared_unit, short
from dpcore.base.declared import Column
from dpcore.base.facts import facts

Within = float | tuple[float, ...] | None
"""How close 95 in 100 responses lie to the answer without noise: one distance for all numbers, or one each, or unknown."""


class KindOfAnswer(Protocol):
    """A value of one of the classes of this room."""

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each part that people see."""

    @property
    def unit(self) -> str:
        """The unit of its numbers, empty where they have none in common."""

    @property
    def after(self) -> str:
        """The unit as it stands behind a number, with a blank before it."""

    def brief(self, response: Any, /) -> str:
        """A response in a few characters."""

    def parts(self, response: Any, /) -> tuple[tuple[str, str], ...]:
        """A response as people read it: a name and what stands behind it, for each part."""

    def plain(self, response: Any, /) -> Any:
        """A response as JSON."""


def moved_after(answer: KindOfAnswer) -> str:
    """The unit behind how far a target moves: the answer's own, unless it says otherwise, as where scores move."""
    stated = facts(answer).moved_after
    return answer.after if stated is None else stated


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
    stated = facts(answer).under
    said: KindOfAnswer = answer if stated is None else stated(scale)
    return said


def moved_in(answer: KindOfAnswer) -> str:
    """The unit of what moves between two neighbours: the answer's own, unless its kind says otherwise."""
    return moved_after(answer).strip() if facts(answer).moved_after is not None else answer.unit
