"""What a kind says when it is asked which columns or targets it suits: whatever it raises leaves it out, and nothing else."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from typing import Any

from dpcore.errors import DpcoreError

_log = logging.getLogger(__name__)


def member_of(kind: Any, ask: Callable[[], Any]) -> Any:
    """The member of this kind that it answers with; None where it refuses, raises anything, or answers with something else.

    What is wrong is named once in the log, without what was raised with it: that could quote a value.
    """
    try:
        found = ask()
    except DpcoreError:  # a member that its own constructor refuses suits nothing
        return None
    except Exception as error:  # whatever somebody's file does
        _name(kind, f"raised {type(error).__name__}")
        return None
    if found is None or isinstance(found, kind):
        return found
    _name(kind, f"answered with {type(found).__name__}")
    return None


def says_yes(kind: Any, ask: Callable[[], Any]) -> bool:
    """Whether it answers with True; not where it raises anything."""
    try:
        return ask() is True
    except Exception as error:  # whatever somebody's file does
        _name(kind, f"raised {type(error).__name__}")
        return False


@cache
def _name(kind: Any, what: str) -> None:
    _log.warning(
        "%s %s when it was asked what it suits: expected one of its own, or None. It is left out there. Mend suited() in %s.",
        kind.__name__, what, kind.__module__,
    )  # fmt: skip
