"""Texts from outside, shown as they are: on one line of a comment, or in the Markdown of a notebook."""

from __future__ import annotations

import re
import unicodedata

_ODD = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})  # controls, marks that turn the text around, ends of lines
_MARK = re.compile(r"[!-/:-@\[-`{-~]")  # all of ASCII that is no letter, number or blank
_PLAIN = re.compile(r"(?<=\w)['’](?=\w)|(?<=\w)-(?=\w)|[,%](?=[ ]|$)|(?<=\d)[.](?=\d)")  # a few of these that are no marks here


def one_line(text: str) -> str:
    """The text on one line: a blank in place of each character that ends a line, that cannot be seen, or that turns it around."""
    return " ".join("".join(" " if unicodedata.category(one) in _ODD else one for one in text).split())


def in_markdown(text: str) -> str:
    """The same as Markdown that shows it as it is: each mark as the number of its character, which no reader takes for a mark.

    A dollar gets an element of its own, for notebooks look for formulas in what is shown, too.
    """
    line = one_line(text)
    plain = {found.start() for found in _PLAIN.finditer(line)}
    return _MARK.sub(lambda found: found[0] if found.start() in plain else _numbered(found[0]), line)


def _numbered(mark: str) -> str:
    return f"<span>&#{ord(mark)};</span>" if mark == "$" else f"&#{ord(mark)};"
