"""Unexpected errors of a plug-in class: a message instead of its result, and one line in the log."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st

import dpcore
from dpcore.errors import DpcoreError
from pages import state
from pages.escape import escaped
from pages.experiment.error_sentences import plain

_LIBRARY = Path(dpcore.__file__).parent
_FOLDERS = ("targets", "curves", "oracles", "mechanisms", "answers")
_log = logging.getLogger(__name__)


def guarded(draw: Callable[[], object]) -> None:
    """Draw a part of the page. If a plug-in class raises an error, show a message instead.

    Args:
        draw: Draws the part.
    """
    try:
        draw()
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")
    except Exception as error:
        place = member_of(error)
        if place is None:
            raise
        file, function = place
        _name(file, function, type(error).__name__)
        st.error(
            f"**This could not be shown.** `{escaped(function)}` in `{escaped(file)}` raised {type(error).__name__}. Choose "
            "another target, oracle or mechanism, or correct that file. What you chose stays.",
            icon=":material/error:",
        )
        st.button("Show the example", key="leave_failed", on_click=lambda: state.anew(state.example()))


def member_of(error: Exception) -> tuple[str, str] | None:
    """Return the file of the plug-in class that raised an error, and its function or missing attribute; None for other errors."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if _is_plugin(Path(frame.filename)):
            return str(Path(frame.filename).relative_to(_LIBRARY.parent)), frame.name
    lacking = getattr(error, "obj", None) if isinstance(error, AttributeError) else None
    if lacking is None or not type(lacking).__module__.startswith(tuple(f"dpcore.{folder}." for folder in _FOLDERS)):
        return None
    return f"{type(lacking).__module__.replace('.', '/')}.py", str(getattr(error, "name", ""))


def _is_plugin(file: Path) -> bool:
    return any(file.is_relative_to(_LIBRARY / folder) for folder in _FOLDERS) and file.name not in ("base.py", "answer.py")


@cache
def _name(file: str, function: str, kind: str) -> None:
    """Log an error once, without its message, which could quote a value."""
    _log.warning("%s raised %s in %s: the page says so. Correct the file.", file, kind, function)
