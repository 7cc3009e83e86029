"""What a server does once, after its first page."""

from __future__ import annotations

import gc
import threading
import time
from contextlib import suppress

import streamlit as st
from starlette.formparsers import MultiPartParser

from pages.session import uploads
from pages.session.pool import Pool, pool

_HEAD_START = 3.0  # seconds that the first screen has the cores for itself
_AGAIN = 120.0  # seconds: as long as Streamlit keeps a session whose connection has ended


@st.cache_resource(show_spinner=False)
def finish() -> None:
    """Start the workers, and keep what was imported out of garbage collections.

    Streamlit collects after each run, every generation: with half a million objects of imported modules to look at, that
    was 73 of the 94 ms that an answer took. None of them is ever garbage.
    """
    keep_uploads_in_memory()
    uploads.guard()
    set_aside()
    threading.Thread(target=_tend, args=(pool(),), name="tend", daemon=True).start()


def set_aside() -> None:
    """Collect everything once, then leave what is there out of the collections to come.

    Sessions that are there are set aside too. So it is done again every few minutes: a table that was set aside with its
    session would else stay in memory for ever.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def keep_uploads_in_memory() -> None:
    """Starlette, which reads forms, would pass a file of more than 1 MB through a temporary one on the disk."""
    MultiPartParser.spool_max_size = int(st.get_option("server.maxUploadSize") + 1) * 2**20


def _tend(workers: Pool) -> None:
    time.sleep(_HEAD_START)
    with suppress(Exception):  # a pool that cannot start says so to the job that needs it
        workers.warm()
    while True:
        set_aside()
        time.sleep(_AGAIN)
