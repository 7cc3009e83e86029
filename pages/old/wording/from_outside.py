"""Text that comes from outside, such as a table's name: what it may not do to the words around it, wherever it is shown."""

from __future__ import annotations

import re

# controls, but for the end of a line, and what turns the text around
_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def seen(text: str) -> str:
    """Without controls, but for the end of a line, and without marks that turn what follows around."""
    return _UNSEEN.sub(" ", text)
