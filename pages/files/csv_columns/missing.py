"""Words by which files say that nothing is known."""

from __future__ import annotations

_AMONG_NUMBERS = "#N/A #NA -1.#IND -1.#QNAN -NaN -nan 1.#IND 1.#QNAN <NA> N/A NA NULL NaN None n/a nan null"
AMONG_NUMBERS = ["", "#N/A N/A", *_AMONG_NUMBERS.split()]
# "NA", "nan" and "null" are names of people, too: whoever means nothing by them says so
_MARKS = frozenset(("-", "--", "---", "?", ".", "#n/a", "n/a", "n.a.", "n. a.", "n.d.", "n. d.", "k.a.", "k. a."))
AMONG_WORDS = _MARKS | {
    "missing",
    "unknown",
    "not known",
    "not available",
    "no answer",
    "unbekannt",
    "nicht bekannt",
    "keine angabe",
}
_EITHER = AMONG_WORDS | {word.casefold() for word in AMONG_NUMBERS}


def says_nothing(cell: str) -> bool:
    """Whether a cell of a table may mean that nothing is known, in whatever column."""
    return cell.casefold() in _EITHER
