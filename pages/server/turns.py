"""One message of a tab after another: what its widgets call back for is over before the next run shows anything.

Streamlit lets a message interrupt a run, and the thread of that run goes on until it next draws something. Where it was in a
callback, the next run showed the state from before, and what the callback then changed was seen by nobody.
"""

from __future__ import annotations

import functools
import threading
from typing import Any

from streamlit.runtime.state.session_state import SessionState

PATIENCE = 2.0  # seconds that a run waits for the callbacks of the one before
_KEY = "callbacks_in_turn"
_NAME = "on_script_will_rerun"
_ONE = threading.Lock()


def keep() -> None:
    """From now on. Of a Streamlit that begins a run in another way nothing is changed."""
    begin = getattr(SessionState, _NAME, None)
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
    setattr(SessionState, _NAME, begun)


def _lock_of(session: SessionState) -> threading.Lock:
    with _ONE:
        if _KEY not in session:
            session[_KEY] = threading.Lock()
        lock: threading.Lock = session[_KEY]
        return lock
