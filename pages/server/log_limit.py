"""How much is written into the server's log: whoever sends nonsense makes it write, and no disk may fill up with that."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from typing import Any, final

MOST_LINES = 200  # a minute, of all loggers together
MOST_OF_ONE = 60  # lines, of which the last say most
_LONGEST = 4_000  # characters of a text that may be a stranger's
_MINUTE = 60.0
_SECONDS = 10.0  # between two texts that say the same
_KINDS = 100  # of texts that are remembered


@final
class Quiet(logging.Filter):
    """Leaves out what was said in the last ten seconds, and all beyond 200 lines in a minute; the next line has the count."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._said: dict[str, tuple[float, int]] = {}  # when, and how often it was left out since
        self._minute, self._lines, self._left_out = 0.0, 0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written; it is cut where it is long."""
        error = record.exc_info[0] if isinstance(record.exc_info, tuple) else None
        what, now = f"{record.name} {record.msg}"[:200] + getattr(error, "__name__", ""), time.monotonic()
        with self._lock:
            since, repeated = self._said.get(what, (-_SECONDS, 0))
            if now - since < _SECONDS:
                self._said[what] = since, repeated + 1
                return False
            return self._fits(record, now, what, repeated)

    def _fits(self, record: logging.LogRecord, now: float, what: str, repeated: int) -> bool:
        if now - self._minute >= _MINUTE:
            self._minute, self._lines = now, 0
        if self._lines >= MOST_LINES:
            self._left_out += 1
            return False
        if len(self._said) > _KINDS:
            self._said.clear()
        self._said[what] = now, 0
        more = [f"({repeated:,} more of these were left out.)"] if repeated else []
        more += [f"({self._left_out:,} other messages were left out.)"] if self._left_out else []
        self._left_out = 0
        self._lines += _cut(record, more)
        return True


def _cut(record: logging.LogRecord, more: list[str]) -> int:
    """Make a record one of a bounded number of lines, and count them."""
    said = record.getMessage()
    said = said if len(said) <= _LONGEST else f"{said[:_LONGEST]}…"
    lines = [*said.splitlines()[:MOST_OF_ONE], *more]
    record.msg, record.args = "\n".join(lines), None
    if not isinstance(record.exc_info, tuple) or record.exc_info[1] is None:
        return len(lines)
    told = "".join(traceback.format_exception(record.exc_info[1], limit=-MOST_OF_ONE // 2)).splitlines()
    told = [line[:_LONGEST] for line in told[-MOST_OF_ONE:]]
    record.exc_text = "\n".join(told)  # which a formatter writes as it stands
    return len(lines) + len(told)


def quieten() -> None:
    """From now on, of every logger that there is and that will be: Streamlit's have a handler each, and some come late."""
    made = logging.getLogRecordFactory()
    if isinstance(made, _Watched):
        return
    logging.setLogRecordFactory(_Watched(made))


@final
class _Watched:
    """Makes records as before. A logger is asked by its filters only then whether it writes them."""

    def __init__(self, made: Any) -> None:
        self.made, self.quiet = made, Quiet()

    def __call__(self, name: str, *given: Any, **more: Any) -> logging.LogRecord:
        logger = logging.getLogger(name) if name != "root" else logging.getLogger()
        if self.quiet not in logger.filters:
            logger.addFilter(self.quiet)
        record: logging.LogRecord = self.made(name, *given, **more)
        return record
