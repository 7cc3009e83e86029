"""Work that a server does once: at its start, and after its first page."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import sys
import threading
import time
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import streamlit as st
from starlette.formparsers import MultiPartParser

from pages.server import logs
from pages.server.launch import OPENS_BROWSER
from pages.server.pool import Pool, pool

_A_DAY = 86_400.0  # seconds; a browser's clock counts up to 24 of these
_HEAD_START = 3.0  # seconds in which the first screen has the cores for itself
_LISTENS = 1.0  # seconds until a started server listens
_AGAIN = 60.0  # seconds between two garbage collections of all objects


# If a browser reconnects, Streamlit reruns the page only if it has a fragment that runs by the clock. This one shows nothing: the
# rerun tells a tab that a restarted server has forgotten its ledger, and tells the server that the session is there.
@st.fragment(run_every=_A_DAY)
def listen() -> None:
    """Run once a day on every open page."""


@asynccontextmanager
async def serving(_app: object) -> AsyncIterator[None]:
    """Run the server between start and stop."""
    logs.leave_out_messages()
    logs.leave_out_messages_of_loop()
    ignore_pages_directory()
    if OPENS_BROWSER in sys.argv and not st.get_option("server.headless"):
        address = f"http://{st.get_option('browser.serverAddress')}:{st.get_option('server.port')}"
        threading.Timer(_LISTENS, webbrowser.open, [address]).start()
    task = asyncio.create_task(_set_aside_again_and_again())
    try:
        yield
    finally:
        task.cancel()


def ignore_pages_directory() -> None:
    """Keep Streamlit from making a page of each file in ``pages/``.

    It does so until the first call of ``st.navigation``: a visitor of ``/state`` who came first would run ``pages/state.py``.
    """
    logging.disable(logging.WARNING)  # that the call belongs to no session
    st.navigation([st.Page(listen, title="None")])
    logging.disable(logging.NOTSET)


_unfinished = threading.Lock()  # taken once and kept


def finish() -> None:
    """Start the workers, and keep imported objects out of garbage collections. Later calls do nothing."""
    if not _unfinished.acquire(blocking=False):
        return
    keep_uploads_in_memory()
    set_aside()
    threading.Thread(target=_tend, args=(pool(),), name="tend", daemon=True).start()


def keep_uploads_in_memory() -> None:
    """Keep every upload off the disk. Starlette, which reads forms, writes files of more than 1 MB to a temporary one."""
    MultiPartParser.spool_max_size = int(st.get_option("server.maxUploadSize") + 1) * 2**20


def set_aside() -> None:
    """Collect garbage once, then leave all remaining objects out of later collections.

    Streamlit collects every generation after each run, and the imported modules have half a million objects, which are never
    garbage. Sessions are set aside too, so this is repeated; otherwise tables of visitors who left would stay in memory.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    with suppress(AttributeError, OSError):  # a C library other than GNU's
        ctypes.CDLL(None).malloc_trim(0)


async def _set_aside_again_and_again() -> None:
    while True:
        await asyncio.sleep(_AGAIN)
        await asyncio.to_thread(set_aside)


def _tend(workers: Pool) -> None:
    time.sleep(_HEAD_START)
    with suppress(Exception):  # a pool that cannot start says so to the job that needs it
        workers.warm()
    set_aside()  # more was imported meanwhile
