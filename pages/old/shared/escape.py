"""Text from outside, such as a file's name, a column's or a link's value, shown as it is: never read as Markdown.

Streamlit reads Markdown in texts, labels, and the cells and headers of tables. Some of it works on marks, and a backslash
stops that. Some of it works on words after the marks were read (addresses, emoji, icons, arrows), where a backslash is gone
already: those words are parted by a character without width, which no browser draws.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import streamlit as st

from pages.exports.spreadsheet import as_csv
from pages.old.wording.from_outside import seen

_JOINER = "\u2060"
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
    line = " ".join(seen(text).split())
    parted = _WORDS.sub(_JOINER, line)
    return _NUMBERED.sub(r"\1\\\2", _MARKS.sub(r"\\\g<0>", parted))


def behind(unit: str) -> str:
    """What follows a number, with a blank before it; nothing where there is nothing."""
    return f" {escaped(unit)}" if unit.strip() else ""


def table(rows: list[dict[str, str]], name: str, *, marks: Mapping[str, str] | None = None) -> None:
    """A table whose headers and cells are shown as they are, with a button for it as CSV. ``name``: of its file, another for each
    table of a page. ``marks``: what whoever gets the file must know of it, as columns before the others."""
    st.table([{escaped(heading): escaped(cell) for heading, cell in row.items()} for row in rows])
    marked = [dict(marks or {}) | row for row in rows]
    st.download_button(
        "CSV",
        as_csv(marked),
        f"{name}.csv",
        "text/csv",
        key=f"csv_{name}",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        help="This table for a spreadsheet.",
    )
