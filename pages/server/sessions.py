"""Sessions of the server as a whole: those that were left are given back, and all are told when it is about to stop."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, final

import streamlit as st
from streamlit.runtime.session_manager import SessionInfo, SessionStorage

# Visitors who left: what the server keeps for them, in case their connection was merely lost, it gives back soon after.


# Streamlit's manager of all sessions, which it does not promise: what leans on it gets it here.


def session_manager() -> Any:
    """Who is connected, who has left, and where those are kept. While the server runs."""
    runtime: Any = st.runtime.get_instance()
    return runtime._session_mgr


KEPT = 90.0  # seconds that a session may be come back to
EVERY = 12.0  # seconds between two looks: all is given back within two minutes
_MOST = 128  # sessions that are kept at a time
_ARENA_MAX, _ARENAS = -8, 2  # of mallopt, in malloc.h; how many


@final
class Departed(SessionStorage):
    """The sessions whose connection has ended. Used on the server's event loop alone."""

    def __init__(self) -> None:
        self._left: dict[str, tuple[SessionInfo, float]] = {}  # with when it left, the first to leave first

    def get(self, session_id: str) -> SessionInfo | None:
        """One that can be come back to."""
        return self._left[session_id][0] if session_id in self._left else None

    def save(self, session_info: SessionInfo) -> None:
        """One more that has left; the first of too many is given up."""
        self._left[session_info.session.id] = session_info, time.monotonic()
        if len(self._left) > _MOST:
            first, _ = self._left.pop(next(iter(self._left)))
            first.session.shutdown()

    def delete(self, session_id: str) -> None:
        """One that came back, or that was ended."""
        del self._left[session_id]

    def list(self) -> list[SessionInfo]:
        """All of them."""
        return [info for info, _ in self._left.values()]

    def gone(self) -> tuple[str, ...]:
        """Those that left too long ago."""
        now = time.monotonic()
        return tuple(name for name, (_, since) in self._left.items() if now - since >= KEPT)


@asynccontextmanager
async def giving_back() -> AsyncIterator[None]:
    """While the server runs, it ends the sessions of those who left.

    Streamlit's own storage lets go of a session when another one leaves: the last of a class, with their uploads and three
    descriptors each, would be kept for as long as nobody comes.
    """
    _have_few_arenas()
    storage = Departed()
    session_manager()._session_storage = storage
    task = asyncio.create_task(_end_again_and_again(storage))
    try:
        yield
    finally:
        task.cancel()


async def _end_again_and_again(storage: Departed) -> None:
    while True:
        await asyncio.sleep(EVERY)
        gone = storage.gone()
        for name in gone:
            st.runtime.get_instance().close_session(name)
        if gone:
            await asyncio.to_thread(set_aside)


def _have_few_arenas() -> None:
    """GNU's C library gives threads arenas of their own, and what is free in one is of no use to the others: after 230 visits
    the server kept half as much again as without them."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, _ARENAS)


def set_aside() -> None:
    """Collect everything once, then leave what is there out of the collections to come.

    Streamlit collects after each run, every generation: with half a million objects of imported modules to look at, that
    was 73 of the 94 ms that an answer took. None of them is ever garbage. Sessions that are there are set aside too: so it
    is done again where some have left, whose tables would else stay in memory for ever.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    with suppress(AttributeError, OSError):  # a C library other than GNU's keeps what it likes
        ctypes.CDLL(None).malloc_trim(0)


# Whether this server is about to stop: whoever runs it says so by a signal, and every open page shows it at once.
#
# A process that is told to end (SIGTERM) closes its connections within moments, too late to save anything. So the notice is
# another signal, which ``docs/hosting.md`` has systemd send two minutes before.


STOPS_SOON, STOPS_NOT = signal.SIGUSR1, signal.SIGUSR2
_stop = {"soon": False}


def stops_soon() -> bool:
    """Whether it was said."""
    return _stop["soon"]


@contextmanager
def listening_for_a_stop() -> Iterator[None]:
    """While the server runs; on a system without such signals nothing can be said."""
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError, RuntimeError, ValueError):
        loop.add_signal_handler(STOPS_SOON, tell_all, True)
        loop.add_signal_handler(STOPS_NOT, tell_all, False)
    try:
        yield
    finally:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.remove_signal_handler(STOPS_SOON)
            loop.remove_signal_handler(STOPS_NOT)


def tell_all(going: bool) -> None:
    """Every open page is drawn again, so that it says so, or no longer does."""
    _stop["soon"] = going
    for info in session_manager().list_active_sessions():
        info.session.request_rerun(None)
