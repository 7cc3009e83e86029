"""What a kind of answer has under the hand, in a file of its name."""

from __future__ import annotations

from typing import Any

from dpcore.answers.answer import KindOfAnswer
from dpcore.registry.beside import beside, has
from dpcore.workbench.headlines.base import Headline

_ROOM = "plots.live.kinds"


def follows(answer: KindOfAnswer) -> bool:
    """Whether there are charts for this kind of answer."""
    return has(answer, _ROOM)


def has_charts(shown: Headline) -> bool:
    """Whether there is any for this very answer."""
    return follows(shown.answer) and bool(beside(shown.answer, _ROOM).views(shown, 1.0))


def draws(shown: Headline, view: str) -> bool:
    """Whether it has the chart of this view."""
    return follows(shown.answer) and view in beside(shown.answer, _ROOM).views(shown, 1.0)


def answers(shown: Headline, view: str, off: float) -> dict[str, Any]:
    """What the chart of a view needs, with the names of the kind and the view."""
    made: dict[str, Any] = beside(shown.answer, _ROOM).views(shown, off)[view]
    return {"kind": kind(shown), "view": view} | made


def said(shown: Headline) -> dict[str, Any]:
    """What is said of it under the hand."""
    made: dict[str, Any] = beside(shown.answer, _ROOM).said(shown)
    return {"kind": kind(shown)} | made


def kind(shown: Headline) -> str:
    """By which the module finds its drawings: the name of the kind's file."""
    return type(shown.answer).__module__.rpartition(".")[2]
