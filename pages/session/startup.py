"""What a server does once, after its first screen."""

from __future__ import annotations

import gc
import threading
import time

import streamlit as st

from pages.session.pool import Pool, pool

_HEAD_START = 3.0  # seconds that the first screen has the cores for itself


@st.cache_resource(show_spinner=False)
def finish() -> None:
    """Start the workers, and keep what was imported out of garbage collections.

    Streamlit collects after each run, every generation: with half a million objects of imported modules to look at, that
    was 73 of the 94 ms that an answer took. None of them is ever garbage.
    """
    gc.collect()
    gc.freeze()
    threading.Thread(target=_warm, args=(pool(),), name="warm", daemon=True).start()


def _warm(started: Pool) -> None:
    time.sleep(_HEAD_START)
    started.warm()
    gc.freeze()  # what that imported
