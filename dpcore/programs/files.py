"""The files that a command names: by their bytes a fingerprint tells one program from another of its name."""

from __future__ import annotations

import hashlib
import os
import shutil
from functools import lru_cache
from pathlib import Path

from dpcore.errors import InvalidValueError

Digests = tuple[tuple[str, str], ...]
"""Files by their whole paths, each with the SHA-256 of its bytes."""


def whole_command(command: object) -> tuple[str, ...]:
    """Its words, with the program and each ``Path`` by their whole paths; InvalidValueError for what is no command."""
    expected = "a tuple with a program and its arguments, each a text or a Path: no shell reads it"
    if not isinstance(command, (list, tuple)) or not command or not all(isinstance(word, (str, Path)) for word in command):
        raise InvalidValueError("command", expected, command)
    if any("\0" in str(word) for word in command):
        raise InvalidValueError("command", "without the character 0", command)
    words = tuple(os.path.abspath(word) if isinstance(word, Path) else word for word in command)
    program = shutil.which(words[0])
    if program is None:
        raise InvalidValueError("command", "of a program that is installed here and may be run", words[0])
    for word in words[1:]:
        if not os.path.isabs(word) and os.path.isfile(word):
            raise InvalidValueError("command", "with its files as paths, for it runs in an empty folder", word)
    return (os.path.abspath(program), *words[1:])


def digests(command: tuple[str, ...]) -> Digests:
    """Of each file whose whole path is a word of the command."""
    return tuple((word, _digest(word)) for word in dict.fromkeys(command) if os.path.isabs(word) and os.path.isfile(word))


def _digest(path: str) -> str:
    told = os.stat(path)
    return _read(path, told.st_ino, told.st_size, told.st_mtime_ns)


@lru_cache(maxsize=256)
def _read(path: str, *told: int) -> str:
    """Read again only where the system tells another file, size or time."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
