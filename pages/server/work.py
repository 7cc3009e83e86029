"""Long work that somebody asked for, off the server's threads: Cancel, and an end when nobody waits for it."""

from __future__ import annotations

import threading


class Background:
    """What goes on in a thread of its own while somebody waits for it."""

    def __init__(self) -> None:
        self.lost = False  # its workers were, and not by its own fault: it can go on
        self._cancel, self._ended = threading.Event(), threading.Event()
        self._holders: set[object] = set()

    @property
    def running(self) -> bool:
        """Whether more may come of it."""
        return not self._ended.is_set()

    def wait(self, seconds: float) -> bool:
        """Whether it has ended by then."""
        return self._ended.wait(seconds)

    def stop(self) -> None:
        """Ask it to end; a step that runs is finished."""
        self._cancel.set()

    def hold(self, keeper: object) -> None:
        """Somebody waits for it."""
        self._holders.add(keeper)

    def let_go(self, keeper: object) -> None:
        """Somebody does no longer: the last one ends it."""
        self._holders.discard(keeper)
        if not self._holders:
            self.stop()
