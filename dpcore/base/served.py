"""Databases that a target says it will not serve, refused before anything is drawn."""

from __future__ import annotations

from collections.abc import Callable

from dpcore.base.facts import facts
from dpcore.base.types import Target


def check_served(target: Target, n: int) -> None:
    """InvalidValueError where the target says, by its optional ``check_records(n)``, that it does not serve n records.

    It may look at its own settings and at n alone, and serves fewer records where it serves more.
    """
    check: Callable[[int], None] | None = facts(target).check_records
    if check is not None:
        check(n)
