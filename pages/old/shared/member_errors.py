"""Where a member of the library raises what nobody expected, a sentence stands in the place of what it could not give."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import TracebackType

import streamlit as st

import dpcore
from dpcore.errors import DpcoreError
from pages import state
from pages.escape import escaped
from pages.experiment.error_sentences import plain

_LIBRARY = Path(dpcore.__file__).parent
_ROOMS = ("targets", "curves", "oracles", "mechanisms", "answers")
_log = logging.getLogger(__name__)


def guarded(draw: Callable[[], object]) -> None:
    """Draw it. What a member raises is named once in the log, without its message, which could quote a value; and said."""
    try:
        draw()
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")
    except Exception as error:
        place = member_of(error)
        if place is None:
            raise
        _name(place, type(error).__name__)
        file, asked = place
        st.error(
            f"**This could not be shown.** `{escaped(file)}` was asked for {escaped(asked)}, and raised {type(error).__name__} "
            "in place of an answer. Choose another target, oracle or mechanism, or mend that file. What you chose stays.",
            icon=":material/error:",
        )
        st.button("Show the example", key="leave_failed", on_click=lambda: state.anew(state.example()))


def member_of(error: Exception) -> tuple[str, str] | None:
    """The file of a member, and what of it was asked; None where no member is at fault."""
    frames = reversed(_frames(error.__traceback__))
    found = next(((file, name) for file, name in frames if _in_a_room(file)), None)
    if found is not None:
        return str(Path(found[0]).relative_to(_LIBRARY.parent)), found[1]
    lacking = getattr(error, "obj", None) if isinstance(error, AttributeError) else None  # what has no attribute of that name
    module = type(lacking).__module__.split(".")
    if lacking is None or module[:1] != ["dpcore"] or module[1:2] not in [[room] for room in _ROOMS]:
        return None
    return f"{'/'.join(module)}.py", str(getattr(error, "name", "")) or "what it lacks"


def _frames(trace: TracebackType | None) -> list[tuple[str, str]]:
    found = []
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append((code.co_filename, code.co_name))
        trace = trace.tb_next
    return found


def _in_a_room(file: str) -> bool:
    path = Path(file)
    return any(path.is_relative_to(_LIBRARY / room) for room in _ROOMS) and path.name not in ("base.py", "answer.py")


@cache
def _name(place: tuple[str, str], kind: str) -> None:
    _log.warning(
        "%s raised %s when it was asked for %s: the page says so in that place. Mend the file.", place[0], kind, place[1]
    )
