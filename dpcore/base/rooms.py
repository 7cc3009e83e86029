"""A room gives a member by its name from the file that is named after it: one that is added needs no list."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def file_of(name: str) -> str:
    """The file that a member of this name is in, without its ending: ``trimmed_mean`` for ``TrimmedMean``."""
    return _WORDS.sub("_", name).lower()


def by_name(package: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package: ``TrimmedMean`` is looked for in its ``trimmed_mean.py``; else AttributeError."""

    def member(name: str) -> Any:
        module = f"{package}.{file_of(name)}"
        if not name[:1].isupper() or find_spec(module) is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(module), name)

    return member
