"""What a server does once: at its start, and after its first page."""

from __future__ import annotations

import functools
import logging
import os
import socket
import stat
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from typing import Any, final

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

from dpcore.registry import catalog
from pages.server import room, sessions, uploads
from pages.server.pool import Pool, pool
from pages.server.sessions import giving_back, set_aside

# One message of a tab after another: what its widgets call back for is over before the next run shows anything.
#
# Streamlit lets a message interrupt a run, and the thread of that run goes on until it next draws something. Where it was in a
# callback, the next run showed the state from before, and what the callback then changed was seen by nobody.


PATIENCE = 2.0  # seconds that a run waits for the callbacks of the one before
_IN_TURN = "callbacks_in_turn"
_CALLBACKS = "on_script_will_rerun"
_ONE_LOCK = threading.Lock()


def keep_turns() -> None:
    """From now on. Of a Streamlit that begins a run in another way nothing is changed."""
    begin = getattr(SessionState, _CALLBACKS, None)
    if begin is None or hasattr(begin, "in_turn"):
        return

    @functools.wraps(begin)
    def begun(session: SessionState, *given: Any, **by_name: Any) -> None:
        lock = _lock_of(session)
        mine = lock.acquire(timeout=PATIENCE)
        try:
            begin(session, *given, **by_name)
        finally:
            if mine:
                lock.release()

    vars(begun)["in_turn"] = True
    setattr(SessionState, _CALLBACKS, begun)


def _lock_of(session: SessionState) -> threading.Lock:
    with _ONE_LOCK:
        if _IN_TURN not in session:
            session[_IN_TURN] = threading.Lock()
        lock: threading.Lock = session[_IN_TURN]
        return lock


# The theme that every answer tells the browser: worked out once, and not for each answer.


_NAME = "_populate_theme_msg"
_MOST = 16  # sections of the theme; there are six


def remember() -> None:
    """Streamlit reads some 500 options six times for each run of the script, which was an eighth of the time of an answer.

    They change where the configuration file is read again, and nowhere else; then the theme is worked out anew. Of a Streamlit
    that does this in another way nothing is changed.
    """
    populate = getattr(app_session, _NAME, None)
    if populate is None or hasattr(populate, "forget"):
        return

    @lru_cache(maxsize=_MOST)
    def filled(section: str) -> CustomThemeConfig:
        message = CustomThemeConfig()
        populate(message, section)
        return message

    def remembered(message: CustomThemeConfig, section: str = "theme") -> None:
        kept = filled(section)
        if kept.ByteSize():  # else the part of the message is not there at all, which is not the same as empty
            message.MergeFrom(kept)

    vars(remembered)["forget"] = filled.cache_clear
    config.on_config_parsed(filled.cache_clear, force_connect=True)
    setattr(app_session, _NAME, remembered)


# What a widget's key holds: looked up where it stands, and not in a copy of all that the session holds.


_HELD = "filtered_state"


@final
class _Held(Mapping[str, Any]):
    """All that a session holds, as it was copied before: here one key is looked up by itself."""

    def __init__(self, session: Any, everything: Callable[[Any], dict[str, Any]]) -> None:
        self._session, self._everything = session, everything

    def __getitem__(self, key: str) -> Any:
        with self._session._lock:
            return self._session._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._everything(self._session))

    def __len__(self) -> int:
        return len(self._everything(self._session))


def look_up_one() -> None:
    """For each number and each choice Streamlit copied the session's whole state, which was a tenth of the time of a change of a
    list. Of a Streamlit that does this in another way nothing is changed."""
    before = vars(SafeSessionState).get(_HELD)
    if not isinstance(before, property) or before.fget is None:
        return
    everything: Any = before.fget
    if hasattr(everything, "one_alone"):
        return

    @functools.wraps(everything)
    def held(session: SafeSessionState) -> _Held:
        return _Held(session, everything)

    vars(held)["one_alone"] = True
    setattr(SafeSessionState, _HELD, property(held))


# A browser that is connected anew runs its page again, so that a server that was started meanwhile says what it has forgotten.
#
# By itself Streamlit's page stands as it was until somebody does something. It asks for a run where a part of it runs again by
# the
# clock, and one of ours does so once a day: that part shows nothing.


_A_DAY = 86_400.0  # seconds; a browser's clock counts up to 24 of these


@st.fragment(run_every=_A_DAY)
def listen() -> None:
    """On every page, for as long as it is open."""


_HEAD_START = 3.0  # seconds that the first screen has the cores for itself
_DESCRIPTORS = "/dev/fd"


@asynccontextmanager
async def serving(_app: object) -> AsyncIterator[None]:
    """As long as the server runs."""
    PagesManager.uses_pages_directory = False  # or a page whose address is opened first is run without app.py
    room.raise_limit()
    remember()
    look_up_one()
    keep_turns()
    send_at_once()
    warn()
    async with giving_back():
        with sessions.listening_for_a_stop():
            yield


def warn() -> None:
    """A line in the log for each file of a kind or of a page that is left out, and why."""
    warn_of(catalog.findings())


def warn_of(sentences: Iterable[str]) -> None:
    """A line in the log for each sentence."""
    for sentence in sentences:
        logging.getLogger(__name__).warning(sentence)


_unfinished = threading.Lock()  # taken once and kept


def finish(found_later: Callable[[], tuple[str, ...]]) -> None:
    """Start the workers, and keep what was imported out of garbage collections. Later calls do nothing.

    ``found_later``: sentences for the log on files that are left out, and that nobody waits for on the first screen.
    """
    if not _unfinished.acquire(blocking=False):
        return
    keep_uploads_in_memory()
    uploads.guard()
    set_aside()
    threading.Thread(target=_tend, args=(pool(), found_later), name="tend", daemon=True).start()


def keep_uploads_in_memory() -> None:
    """Starlette, which reads forms, would pass a file of more than 1 MB through a temporary one on the disk."""
    MultiPartParser.spool_max_size = int(st.get_option("server.maxUploadSize") + 1) * 2**20


def send_at_once() -> None:
    """Whoever connects from now on gets each message as soon as it is written, and not some 40 ms later.

    Two small messages in a row wait for the receiver to confirm the first (Nagle's algorithm). asyncio switches that off, but not
    for the socket that Streamlit opens, which does not say that it is of TCP; uvloop does. A connection has the switch as the
    socket has it that listened for it.
    """
    with suppress(OSError):  # a system without this folder
        for name in os.listdir(_DESCRIPTORS):
            with suppress(OSError):  # what this folder was read from is closed by now
                _send_at_once(int(name))


def _send_at_once(descriptor: int) -> None:
    if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
        with socket.fromfd(descriptor, socket.AF_INET, socket.SOCK_STREAM) as one:
            if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _tend(workers: Pool, found_later: Callable[[], tuple[str, ...]]) -> None:
    time.sleep(_HEAD_START)
    with suppress(Exception):  # a pool that cannot start says so to the job that needs it
        workers.warm()
    warn_of(found_later())
    set_aside()  # more was imported meanwhile
