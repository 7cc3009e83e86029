"""Text from outside, such as a file's name, a column's or a link's value, shown as it is: never read as Markdown."""

from __future__ import annotations

import re

_MARKS = re.compile(r"([\\`*\[\]$<~]|:(?=//)|(?<=www)\.)")  # emphasis, code, links, formulas, HTML, and bare addresses


def escaped(text: str) -> str:
    """The text on one line, with every mark of Markdown that could change or link it made plain."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))
