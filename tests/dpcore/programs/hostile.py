"""A program as somebody would write it into a link or a file, and everything that holds a member within a member."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

PROGRAM: dict[str, Any] = {
    "kind": "Program",
    "command": ["/bin/sh", "-c", "touch /tmp/a-program-was-run; echo 1"],
    "table": [{"kind": "Column", "name": "a"}],
}
OTHERWISE_NAMED = (
    "Program",
    "program",
    "programs.Program",
    "dpcore.programs.Program",
    "dpcore.programs.program.Program",
    "Stranger",
)


def places(said: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a value stands in plain data: the whole, each entry but a name of a kind, and what is in them."""
    yield at
    if isinstance(said, dict):
        for name, value in said.items():
            if name != "kind":
                yield from places(value, (*at, name))
    elif isinstance(said, list):
        for place, value in enumerate(said[:3]):
            yield from places(value, (*at, place))


def placed(said: Any, at: tuple[Any, ...], value: Any) -> Any:
    """A copy with another value there."""
    if not at:
        return value
    copy = deepcopy(said)
    inner = copy
    for step in at[:-1]:
        inner = inner[step]
    inner[at[-1]] = value
    return copy
