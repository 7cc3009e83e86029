"""What a kind says when it is asked which columns or targets it suits: whatever it raises leaves it out, and nothing else."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, TypeVar

from dpcore.errors import DpcoreError

_log = logging.getLogger(__name__)
R = TypeVar("R")


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


def told(member: object, name: str, ask: Callable[[], R], otherwise: R) -> R:
    """What a member answers where it is asked for what it may say of itself; ``otherwise`` where it raises what is no refusal."""
    try:
        return ask()
    except DpcoreError:
        raise
    except Exception as error:  # whatever somebody's file does
        kind: Any = type(member)
        _say(kind, name, type(error).__name__)
        return otherwise


@cache
def _say(kind: Hashable, name: str, raised: str) -> None:
    said = "%s raised %s when it was asked for %s: it counts as not said. Mend %s."
    _log.warning(said, getattr(kind, "__name__", kind), raised, name, kind.__module__)


@cache
def _name(kind: Any, what: str) -> None:
    _log.warning(
        "%s %s when it was asked what it suits: expected one of its own, or None. It is left out there. Mend suited() in %s.",
        kind.__name__,
        what,
        kind.__module__,
    )
