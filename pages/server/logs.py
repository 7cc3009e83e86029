"""Log errors by their kind and place. Their messages can quote a value of a confidential table, so they are omitted."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import traceback
from typing import Any

_LOGGER = logging.getLogger(__name__)


def where_raised(error: BaseException) -> str:
    """Return the traceback of an error, and of the errors that led to it, without their messages."""
    kind = f"{type(error).__module__}.{type(error).__qualname__} (message left out)"
    lines = ["Traceback (most recent call last):\n", *traceback.format_tb(error.__traceback__), kind]
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    led = [] if before is None else [where_raised(before), "\nwhich led to:\n"]
    return "".join([*led, *lines])


def leave_out_messages() -> None:
    """Omit the messages of errors from all logs of this process, and from the errors that Python prints.

    Python prints an unhandled error of a thread, and an error that it must ignore (as in ``__del__``). An event loop logs the
    text of the task that failed, so a running loop gets another handler.
    """
    make = logging.getLogRecordFactory()

    def record(*args: Any, **named: Any) -> logging.LogRecord:
        made = make(*args, **named)
        error = made.exc_info[1] if made.exc_info else None
        if error is not None:
            made.exc_text, made.exc_info = where_raised(error), None
        made.msg = _kind_only(made.msg)
        if isinstance(made.args, tuple):
            made.args = tuple(map(_kind_only, made.args))
        return made

    logging.setLogRecordFactory(record)
    threading.excepthook = lambda of: _log("An unhandled error in a thread", of.exc_value)
    sys.unraisablehook = lambda of: _log("An ignored error", of.exc_value)


def leave_out_messages_of_loop() -> None:
    """Do the same for the running event loop."""
    asyncio.get_running_loop().set_exception_handler(
        lambda _, of: _log("An error in the event loop", of.get("exception"))  # its message quotes what a callback was given
    )


def _kind_only(part: Any) -> Any:
    return type(part).__name__ if isinstance(part, BaseException) else part


def _log(what: str, error: BaseException | None) -> None:
    if not isinstance(error, SystemExit):
        _LOGGER.error("%s:\n%s", what, "" if error is None else where_raised(error))
