"""Uploaded JSON files: size and depth are limited before parsing."""

from __future__ import annotations

from typing import Any

from dpcore.base.serialization import read_json, refuse_broken, refuse_deep
from dpcore.errors import TableError


def parsed(content: bytes, *, most: int, depth: int, remedy: str) -> Any:
    """Return what a JSON file holds; None if it is no JSON, or larger than ``most`` bytes.

    Raises:
        TableError: If it nests more than ``depth`` levels, with this remedy.
    """
    try:
        refuse_deep(content, depth)
    except ValueError:
        raise TableError(f"The file nests more than {depth} levels of lists and entries.", remedy) from None
    try:
        said = read_json(content, most)
        refuse_broken(said)
    except ValueError:
        return None
    return said
