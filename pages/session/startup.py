"""What a server does once, after its first page."""

from __future__ import annotations

import gc
import threading
import time

import streamlit as st
from starlette.formparsers import MultiPartParser

from pages.session.pool import Pool, pool

_HEAD_START = 3.0  # seconds that the first screen has the cores for itself


@st.cache_resource(show_spinner=False)
def finish() -> None:
    """Start the workers, and keep what was imported out of garbage collections.

    Streamlit collects after each run, every generation: with half a million objects of imported modules to look at, that
    was 73 of the 94 ms that an answer took. None of them is ever garbage.
    """
    keep_uploads_in_memory()
    gc.collect()
    gc.freeze()
    threading.Thread(target=_warm, args=(pool(),), name="warm", daemon=True).start()


def keep_uploads_in_memory() -> None:
    """Starlette, which reads forms, would pass a file of more than 1 MB through a temporary one on the disk."""
    MultiPartParser.spool_max_size = int(st.get_option("server.maxUploadSize") + 1) * 2**20


def _warm(started: Pool) -> None:
    time.sleep(_HEAD_START)
    started.warm()
    gc.freeze()  # what that imported
