"""Long work that somebody asked for, off the server's threads: how far it is, Cancel, and an end when nobody waits for it."""

from __future__ import annotations

import logging
import threading
from typing import Generic, TypeVar, final

from dpcore.errors import DpcoreError
from pages.experiment.steps import Steps
from pages.wording.sentences import plain

R = TypeVar("R")


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


@final
class Work(Background, Generic[R]):
    """``found`` once it is whole, else ``problem`` says why it ended. Nothing of Streamlit is called in its thread."""

    def __init__(self, steps: Steps[R]) -> None:
        super().__init__()
        self.found: R | None = None
        self.problem = ""
        self.share = 0.0
        threading.Thread(target=self._run, args=(steps,), name="work", daemon=True).start()

    def _run(self, steps: Steps[R]) -> None:
        try:
            while not self._cancel.is_set():
                self.share = next(steps)
        except StopIteration as end:
            self.found = end.value
        except DpcoreError as error:
            self.problem = plain(error)
        except Exception as error:
            logging.getLogger(__name__).error("Long work failed", exc_info=error)
            self.problem = f"The program failed at it ({type(error).__name__}); the server's log says more."
        finally:
            steps.close()
            self._ended.set()
