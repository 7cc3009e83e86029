"""Numbers, each with a label, in one unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from dpcore.base.declared import Column

SHARE = "share"  # the unit of shares of all records
_MOST_LABEL = 40  # characters


@final
@dataclass(frozen=True, slots=True)
class Numbers:
    """``labels``: one a number; for a curve, its axes. ``unit``: empty where there is none that all share. ``bars``: whether
    they are parts of one whole, and drawn as bars."""

    labels: tuple[str, ...]
    unit: str = ""
    bars: bool = False


def answer_of(target: object, columns: tuple[Column, ...]) -> Numbers:
    """What a target says that its answer is, as ``answer(columns)``; else one number a candidate that it names, or one for
    its first column, in the columns' own unit."""
    stated = getattr(target, "answer", None)
    if stated is not None:
        said: Numbers = stated(columns)
        return said
    candidates: tuple[object, ...] = getattr(target, "candidates", ())
    return Numbers(short(candidates) if candidates else label_of(columns[:1]), shared_unit(columns))


def label_of(columns: Iterable[Column]) -> tuple[str, ...]:
    """The columns' labels, their names where they have none."""
    return tuple(column.label or column.name for column in columns)


def shared_unit(columns: Iterable[Column]) -> str:
    """The columns' unit; empty where they have several."""
    units = {column.unit for column in columns}
    return units.pop() if len(units) == 1 else ""


def short(candidates: Iterable[object]) -> tuple[str, ...]:
    """Candidates for people, shortened where they are long."""
    return tuple(map(label, candidates))


def label(candidate: object) -> str:
    """A candidate for people, shortened where it is long."""
    text = f"{candidate:g}" if isinstance(candidate, float) else str(candidate)
    return text if len(text) <= _MOST_LABEL else f"{text[: _MOST_LABEL - 1]}…"
