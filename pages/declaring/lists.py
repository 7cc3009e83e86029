"""Lists that a user types into one cell: categories with other spellings, and codes for missing values."""

from __future__ import annotations

import re

from dpcore.errors import TableError
from pages.files.declarations.declaration import LONGEST, MOST_CATEGORIES, MOST_CODES, MOST_SPELLINGS

Pairs = tuple[tuple[str, str], ...]
_ARROW = re.compile("→|->|=>")


def typed(words: tuple[str, ...], pairs: Pairs = ()) -> str:
    """Return the text that ``listed_in`` and ``codes_in`` read as these words."""
    text = "; ".join((*words, *(f"{word} → {meaning}" for word, meaning in pairs)))
    return f"{text};" if len(words) == 1 and "," in text else text


def listed_in(text: str, name: str) -> tuple[tuple[str, ...], Pairs]:
    """Return the categories in a text, and the pairs of another spelling and its category.

    Line breaks separate the entries, or semicolons, or else commas.

    Raises:
        TableError: If there are too many entries, or an entry is too long or is not a pair.
    """
    words = _words(re.split(r"[\r\n;]+" if re.search(r"[\r\n;]", text) else ",", text))
    pairs = [word for word in words if _ARROW.search(word)]
    categories = tuple(word for word in words if not _ARROW.search(word))
    _refuse_many(categories, MOST_CATEGORIES, f"The list of categories of {name}", "words")
    _refuse_many(pairs, MOST_SPELLINGS, f"The list of spellings of {name}", "pairs")
    return categories, _pairs(pairs, name)


def codes_in(text: str, name: str) -> tuple[str, ...]:
    """Return the codes in a text, each once. A comma separates them only before a space, because a code can be 9,9.

    Raises:
        TableError: If there are too many, or one is too long.
    """
    codes = tuple(dict.fromkeys(_words(re.split(r"[\r\n;]+|,\s+", text))))
    _refuse_many(codes, MOST_CODES, f"The list of codes for missing values of {name}", "entries")
    return codes


def _pairs(entries: list[str], name: str) -> Pairs:
    pairs: dict[str, str] = {}
    for entry in entries:
        word, *meanings = map(str.strip, _ARROW.split(entry))
        if len(meanings) != 1 or not word or not meanings[0]:
            raise TableError(
                f"“{entry}” is not a pair of spellings of {name}.",
                "Write a pair as in: Chirugie → Chirurgie; or Chirugie -> Chirurgie.",
            )
        if pairs.setdefault(word, meanings[0]) != meanings[0]:
            raise TableError(f"“{word}” has two meanings in the list of {name}.", "Keep one of the two pairs.")
    return tuple(pairs.items())


def _words(parts: list[str]) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in parts)))


def _refuse_many(words: tuple[str, ...] | list[str], most: int, what: str, many: str) -> None:
    if len(words) > most:
        raise TableError(f"{what} has {len(words):,} {many}, and it can have {most}.", "Enter those that matter most.")
    if long := next((word for word in words if len(word) > 2 * LONGEST), ""):
        raise TableError(f"{what} has one that is too long: “{long[:40]}…”.", f"Enter at most {LONGEST} characters of each.")
