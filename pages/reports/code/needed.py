"""What a program needs: said in its first lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from typing import Any

from pages.reports.code.cells import Program, Words

_VERSIONS = ("numpy", "scipy")


def extras(*values: Any) -> tuple[str, ...]:
    """The names of dpcore's extras that these members need, each once, in order."""
    return tuple(sorted(set(_extras(values))))


def _extras(value: Any) -> Iterator[str]:
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _extras(item)
    elif is_dataclass(value) and not isinstance(value, type):
        own = getattr(type(value), "extra", "")
        if own:
            yield own
        for field in fields(value):
            yield from _extras(getattr(value, field.name, None))


def first_words(program: Program, figures: int) -> Words:
    """The title, what is to be installed, which versions it was made with, and what is written beside it."""
    wanted = f'"{".[" + ",".join(program.needs) + "]"}"' if program.needs else "."
    parts = [
        "# {}",
        "It needs Python 3.11 or newer and the library dpcore. In the folder of dpcore, run:",
        f"`pip install {wanted}`",
        f"It was made with {' and '.join(f'{name} {version(name)}' for name in _VERSIONS)}. Other versions can differ in the "
        "last digit of a number. A line that begins with “assert” then stops it, and says so.",
    ]
    if program.beside is not None:
        parts.append(f"The table is large, so its records are in a file of their own. Keep {program.beside[0]} beside this one.")
    if figures:
        first, last = "figure_1.svg", f"figure_{figures}.svg"
        parts.append(f"It writes its figures beside itself: {first}{f' to {last}' if figures > 1 else ''}.")
    return Words("\n\n".join(parts), (program.title,))
