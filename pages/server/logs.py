"""What a log may hold of an error: its kind and where it was raised. Its message can quote a value of a confidential table."""

from __future__ import annotations

import logging
import traceback
from typing import Any


def where_raised(error: BaseException) -> str:
    """Return the traceback of an error, and of the errors that led to it, without their messages."""
    lines = [*traceback.format_tb(error.__traceback__), f"{type(error).__module__}.{type(error).__qualname__} (message left out)"]
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    led = [] if before is None else [where_raised(before), "\nwhich led to:\n"]
    return "".join([*led, *lines])


def leave_out_messages() -> None:
    """From now on, no record of any logger in this process holds the message of a logged exception."""
    make = logging.getLogRecordFactory()

    def record(*args: Any, **named: Any) -> logging.LogRecord:
        made = make(*args, **named)
        error = made.exc_info[1] if made.exc_info else None
        if error is not None:
            made.exc_text, made.exc_info = where_raised(error), None
        return made

    logging.setLogRecordFactory(record)
