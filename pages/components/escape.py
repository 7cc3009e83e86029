"""Text from outside, such as a file's name, a column's or a link's value, shown as it is: never read as Markdown.

Streamlit reads Markdown in texts, labels, and the cells and headers of tables. Some of it works on marks, and a backslash
stops that. Some of it works on words after the marks were read (addresses, emoji, icons, arrows), where a backslash is gone
already: those words are parted by a character without width, which no browser draws.
"""

from __future__ import annotations

import re

import streamlit as st

_JOINER = "\u2060"
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # controls, and what turns the text around
_WORDS = re.compile(
    r"(?<=:)(?=[\w+\-/]+[:\[]|//)"  # :smile:, :material/home:, :red[…], http://; a time of day is none of these
    r"|(?i:(?<=www)(?=\.))"
    r"|(?<=[\w.+\-])(?=@)"  # addresses of e-mail
    r"|(?<=[-<>~])(?=[-=>])"  # arrows
)
_MARKS = re.compile(
    r"[\\`*\[\]$<~|]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # at a word's end; within one it is a plain character
    r"|&(?=[#\w])"
    r"|^(?:>|[-+#](?=[#\s]|$))"
)
_NUMBERED = re.compile(r"^(\d+)([.)])(?=\s|$)")  # a list's first line


def escaped(text: str) -> str:
    """The text on one line, with every mark and word of Markdown that could change or link it made plain."""
    line = " ".join(_UNSEEN.sub(" ", text).split())
    parted = _WORDS.sub(_JOINER, line)
    return _NUMBERED.sub(r"\1\\\2", _MARKS.sub(r"\\\g<0>", parted))


def unmarked(markdown: str) -> str:
    """A line of this app's own Markdown as plain text: what ``escaped`` did to the words in it undone, and no bold."""
    return re.sub(r"\\(?=[^\w\s]|_)|\*\*|\u2060", "", markdown)


def behind(unit: str) -> str:
    """What follows a number, with a blank before it; nothing where there is nothing."""
    return f" {escaped(unit)}" if unit.strip() else ""


def table(rows: list[dict[str, str]]) -> None:
    """A table whose headers and cells are shown as they are."""
    st.table([{escaped(name): escaped(cell) for name, cell in row.items()} for row in rows])
