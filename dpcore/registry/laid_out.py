"""An expression of Python on one line where it fits, else with a line for each of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

WIDTH = 110  # of a line, from its first column
_STEP = 4
_MANY = 12  # short items, from which several stand on a line
_PIECE = 80  # characters of a long text on a line


@final
@dataclass(frozen=True, slots=True)
class Bracket:
    """``head``, then ``items`` in a row, then ``tail``: a call, a tuple, a list. An item has what stands before it, as ``n=``."""

    head: str
    items: tuple[tuple[str, Part], ...]
    tail: str
    alone: bool = False  # a tuple of one item, which needs its comma

    @property
    def short(self) -> str:
        """On one line."""
        inside = ", ".join(before + on_a_line(part) for before, part in self.items)
        return f"{self.head}{inside}{',' * self.alone}{self.tail}"


Part = str | Bracket


def on_a_line(part: Part) -> str:
    """The whole on one line, however long."""
    return part if isinstance(part, str) else part.short


def literal(text: str) -> str:
    """A text in Python, in double quotes where it has none itself; characters that cannot be seen by their numbers."""
    said = repr(text)
    return f'"{said[1:-1]}"' if said[0] == "'" and '"' not in said else said


def laid_out(part: Part, *, before: str = "", indent: int = 0, after: str = "") -> str:
    """The expression with what stands ``before`` and ``after`` it, so that no line is longer than WIDTH where that can be."""
    line = f"{before}{on_a_line(part)}{after}"
    if indent + len(line) <= WIDTH:
        return line
    if isinstance(part, str):
        return _in_pieces(part, before, indent, after)
    if not part.items:
        return line
    inner = " " * (indent + _STEP)
    rows = _filled(part, indent + _STEP) if _plain(part) else _one_each(part, indent + _STEP)
    return "\n".join([f"{before}{part.head}", *(inner + row for row in rows), f"{' ' * indent}{part.tail}{after}"])


def _one_each(part: Bracket, indent: int) -> list[str]:
    return [laid_out(item, before=before, indent=indent, after=",") for before, item in part.items]


def _plain(part: Bracket) -> bool:
    return len(part.items) >= _MANY and all(isinstance(item, str) and len(item) < _PIECE for _, item in part.items)


def _filled(part: Bracket, indent: int) -> list[str]:
    rows = [""]
    for before, item in part.items:
        said = f"{before}{item},"
        if rows[-1] and indent + len(rows[-1]) + 1 + len(said) > WIDTH:
            rows.append("")
        rows[-1] += f" {said}" if rows[-1] else said
    return rows


def _in_pieces(text: str, before: str, indent: int, after: str) -> str:
    """A long text as several beside one another, in brackets; any other long word as it is."""
    value = _text(text)
    if value is None or len(value) <= _PIECE:
        return f"{before}{text}{after}"
    inner = " " * (indent + _STEP)
    pieces = [literal(value[at : at + _PIECE]) for at in range(0, len(value), _PIECE)]
    return "\n".join([f"{before}(", *(inner + piece for piece in pieces), f"{' ' * indent}){after}"])


def _text(word: str) -> str | None:
    """The text that a word is the literal of; None where it is of something else."""
    if word[:1] not in ("'", '"'):
        return None
    import ast

    value: object = ast.literal_eval(word)  # of a literal that ``as_code`` wrote a moment ago: nothing from outside comes here
    return value if isinstance(value, str) else None
