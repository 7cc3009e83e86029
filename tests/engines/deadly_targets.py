"""Targets that do their worker harm on some databases, once each, and are well afterwards."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
from tests.engines.slow_targets import slow


@dataclass(frozen=True)
class Harms(Target):
    """The median. On a database that begins with one of these values it kills its process.

    The folder remembers what was done, for workers share no memory.
    """

    on: tuple[float, ...]
    folder: str

    def __call__(self, database: Database, /) -> FloatArray:
        if database[0] in self.on and self._first(self.on.index(database[0])):
            os.kill(os.getpid(), signal.SIGKILL)
        return slow(database)

    @property
    def done(self) -> int:
        """How often it did."""
        return len(list(Path(self.folder).iterdir()))

    def _first(self, number: int) -> bool:
        try:
            Path(self.folder, str(number)).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True
