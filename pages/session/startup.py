"""What a server does once: at its start, and after its first page."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import streamlit as st
from starlette.formparsers import MultiPartParser

from pages.session import room, uploads
from pages.session.departed import giving_back, set_aside
from pages.session.pool import Pool, pool

_HEAD_START = 3.0  # seconds that the first screen has the cores for itself


@asynccontextmanager
async def serving(_app: object) -> AsyncIterator[None]:
    """As long as the server runs."""
    room.raise_limit()
    room.quieten()
    async with giving_back():
        yield


@st.cache_resource(show_spinner=False)
def finish() -> None:
    """Start the workers, and keep what was imported out of garbage collections."""
    keep_uploads_in_memory()
    uploads.guard()
    set_aside()
    threading.Thread(target=_tend, args=(pool(),), name="tend", daemon=True).start()


def keep_uploads_in_memory() -> None:
    """Starlette, which reads forms, would pass a file of more than 1 MB through a temporary one on the disk."""
    MultiPartParser.spool_max_size = int(st.get_option("server.maxUploadSize") + 1) * 2**20


def _tend(workers: Pool) -> None:
    time.sleep(_HEAD_START)
    with suppress(Exception):  # a pool that cannot start says so to the job that needs it
        workers.warm()
    set_aside()  # more was imported meanwhile
