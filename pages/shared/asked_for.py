"""Long work on a page: a button with how long it takes, then how far it is, with Cancel."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from dpcore.base.counted import counted
from pages.experiment.steps import Steps
from pages.server.jobs import keeper
from pages.server.work import Work
from pages.shared.escape import escaped
from pages.shared.progress import EVERY

_WORKS = "works"
_AT_ONCE = 0.3  # seconds that a page waits before it shows how far it is
_MINUTE = 90  # seconds from which minutes are clearer

R = TypeVar("R")


def found(name: str, key: str, what: str, seconds: float, steps: Callable[[], Steps[R]]) -> R | None:
    """What long work finds, once somebody asked for it; None until then, and after Cancel, with what there is to press.

    ``name``: of one such work on a page, of which one runs at a time. ``key``: all that its result hangs on; of another key it
    ends. ``what``: the button's words.
    """
    works: dict[str, tuple[str, Work[Any]]] = st.session_state.setdefault(_WORKS, {})
    if name in works and works[name][0] != key:
        keeper().drop(works.pop(name)[1])
    if name not in works:
        _button(name, f"{what}, which takes about {_long(seconds)}", key, steps)
        return None
    work = works[name][1]
    if not work.wait(_AT_ONCE):
        st.fragment(_running, run_every=EVERY)(name, work)
        return None
    if work.found is None:
        st.markdown(escaped(work.problem or "It was stopped."))
        _button(name, f"{what}: begin again", key, steps)
    return work.found


def _long(seconds: float) -> str:
    if seconds < _MINUTE:
        return counted(f"{math.ceil(seconds):,}", " seconds")
    return counted(f"{math.ceil(seconds / 60):,}", " minutes")


def _button(name: str, label: str, key: str, steps: Callable[[], Steps[Any]]) -> None:
    st.button(label, key=f"{name}_try", on_click=_begin, args=(name, key, steps))


def _begin(name: str, key: str, steps: Callable[[], Steps[Any]]) -> None:
    work = Work(steps())
    keeper().hold(work)
    st.session_state.setdefault(_WORKS, {})[name] = (key, work)


def _running(name: str, work: Work[Any]) -> None:
    keeper()  # the session is there
    if not work.running:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(min(1.0, work.share), text=f"{100 * work.share:.0f} % done")
        st.button("Cancel", key=f"{name}_cancel", icon=":material/stop_circle:", on_click=_stop, args=(work,))


def _stop(work: Work[Any]) -> None:
    work.stop()
    work.wait(_AT_ONCE)
