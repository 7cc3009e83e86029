"""Where the parts of an object go, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol


class UnknownContentsError(Exception):
    """What the object does hangs on something that cannot be seen here."""


class Sink(Protocol):
    """Takes parts; what is put in another order, or is cut at another place, makes another hash."""

    def put(self, tag: str, *parts: str | bytes | int) -> None:
        """Words, bytes and numbers as they are."""
        ...

    def add(self, value: Any, /) -> None:
        """An object, with all that it refers to."""
        ...

    def add_unordered(self, values: Iterable[Any], /) -> None:
        """Objects in an order of their own contents: a set's order differs from process to process."""
        ...
