"""Text from outside, such as a column's name or a value in a link, shown as it is and never read as Markdown.

Streamlit reads Markdown in texts, labels and the cells of tables. A backslash disables a mark. Some rules of Streamlit work on
words after the marks are read (addresses, emoji, icons, arrows). A character without width splits those words.
"""

from __future__ import annotations

import re

_JOINER = "\u2060"
# Control characters except the line end, and characters that change the direction of the text.
_UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_WORDS = re.compile(
    r"(?<=:)(?=[\w+\-/]+[:\[]|//)"  # :smile:, :material/home:, :red[…], http://, but not a time of day
    r"|(?i:(?<=www)(?=\.))"
    r"|(?<=[\w.+\-])(?=@)"  # e-mail addresses
    r"|(?<=[-<>~])(?=[-=>])"  # arrows
)
_MARKS = re.compile(
    r"[\\`*\[\]$<~|]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # at the end of a word; inside a word it has no effect
    r"|&(?=[#\w])"
    r"|^(?:>|[-+#](?=[#\s]|$))"
)
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")  # first line of a list


def seen(text: str) -> str:
    """Return a text without control characters, except line ends, and without marks that reverse what follows."""
    return _UNSEEN.sub(" ", text)


def escaped(text: str) -> str:
    """Return a text on one line, in which no mark or word is read as Markdown."""
    line = " ".join(seen(text).split())
    parted = _WORDS.sub(_JOINER, line)
    return _NUMBERED.sub(r"\1\\\2", _MARKS.sub(r"\\\g<0>", parted))


def behind(unit: str) -> str:
    """Return a unit as it follows a number, with a space before it; empty for an empty unit."""
    return f" {escaped(unit)}" if unit.strip() else ""
