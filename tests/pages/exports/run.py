"""A script run in this process."""

from __future__ import annotations

import contextlib
import io
from typing import Any


def ran(code: str) -> tuple[dict[str, Any], str]:
    """The names that a script leaves, and what it prints."""
    names: dict[str, Any] = {"__name__": "__main__"}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "script.py", "exec"), names)
    return names, said.getvalue()
