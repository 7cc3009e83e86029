"""Text that comes from outside, such as a table's name: what it may not do to the words around it, wherever it is shown."""

from __future__ import annotations

import re

# controls, but for the end of a line, and what turns the text around
_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]"  # which stands on the letter before it
_PILED = re.compile(f"({_MARK}{{3}}){_MARK}+")


def seen(text: str) -> str:
    """Without controls, but for the end of a line, and without marks that turn what follows around."""
    return _UNSEEN.sub(" ", text)


def one_line(text: str) -> str:
    """The same on one line. Of marks that are piled on a letter three stay: more of them would cover the lines beside it."""
    return " ".join(_PILED.sub(r"\1", seen(text)).split())
