"""Whether this server is about to stop: whoever runs it says so by a signal, and every open page shows it at once.

A process that is told to end (SIGTERM) closes its connections within moments, too late to save anything. So the notice is another
signal, which ``docs/hosting.md`` has systemd send two minutes before.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pages.server.left_sessions import session_manager

SAYS, TAKES_BACK = signal.SIGUSR1, signal.SIGUSR2
_said = {"soon": False}


def soon() -> bool:
    """Whether it was said."""
    return _said["soon"]


@contextmanager
def listening() -> Iterator[None]:
    """While the server runs; on a system without such signals nothing can be said."""
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError, RuntimeError, ValueError):
        loop.add_signal_handler(SAYS, tell, True)
        loop.add_signal_handler(TAKES_BACK, tell, False)
    try:
        yield
    finally:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.remove_signal_handler(SAYS)
            loop.remove_signal_handler(TAKES_BACK)


def tell(going: bool) -> None:
    """Every open page is drawn again, so that it says so, or no longer does."""
    _said["soon"] = going
    for info in session_manager().list_active_sessions():
        info.session.request_rerun(None)
