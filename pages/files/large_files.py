"""Large files are read one at a time. What counts is what comes out of a file, and that shows only while it is read.

A file is first read as a small one, within small limits. If it turns out to be large, it waits for its turn and is read again.
No size that a file states of itself is trusted for this.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

LARGE = 5 * 2**20  # bytes of a file, and of what it unpacks to
LARGE_COLUMNS = 40 * 2**20  # bytes of its columns
P = ParamSpec("P")
R = TypeVar("R")
_turn = threading.RLock()


class _Thread(threading.local):
    """How this thread reads a file: as a small one, or in its turn. If neither, nothing is counted."""

    small = False
    in_turn = False


_here = _Thread()


class LargeFileError(Exception):
    """A file that is read as a small one turned out to be large."""


def reads_small() -> bool:
    """Return whether the file that this thread reads is taken to be small."""
    return _here.small


def count(size: int, most: int = LARGE) -> None:
    """Raise LargeFileError if a file that is read as a small one has more than so many bytes."""
    if _here.small and size > most:
        raise LargeFileError


@contextmanager
def as_small() -> Iterator[None]:
    """Read a file as a small one: ``count`` raises LargeFileError if it is not."""
    _here.small = True
    try:
        yield
    finally:
        _here.small = False


@contextmanager
def in_turn() -> Iterator[None]:
    """Wait until no other thread reads a large file."""
    with _turn:
        before, _here.in_turn = _here.in_turn, True
        try:
            yield
        finally:
            _here.in_turn = before


def one_at_a_time(read: Callable[Concatenate[bytes, P], R]) -> Callable[Concatenate[bytes, P], R]:
    """Decorate a function of a file's bytes so that it reads one large file at a time, and small ones at once."""

    @wraps(read)
    def reads(content: bytes, /, *given: P.args, **named: P.kwargs) -> R:
        if _here.small or _here.in_turn:
            return read(content, *given, **named)
        if len(content) <= LARGE:
            try:
                with as_small():
                    return read(content, *given, **named)
            except LargeFileError:
                pass
        with in_turn():
            return read(content, *given, **named)

    return reads
