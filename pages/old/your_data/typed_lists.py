"""Lists as a person types or pastes them: categories, codes, spellings. What cannot be one is a sentence."""

from __future__ import annotations

import re

from dpcore.errors import TableError
from pages.files.declarations.declaration import LONGEST, MOST_CATEGORIES, MOST_CODES, MOST_SPELLINGS

_LISTED = "; "
_LINES = re.compile(r"[\r\n]+")
_ARROW = re.compile("→|->|=>")
MOST_OF_A_LIST = 2**20  # bytes of a file with a list of words


def typed(words: tuple[str, ...], pairs: tuple[tuple[str, str], ...] = ()) -> str:
    """As a person types them, and ``listed_in`` reads them: between semicolons, or commas where no name has one."""
    text = _LISTED.join((*words, *_lines(pairs)))
    return f"{text};" if len(words) == 1 and "," in text else text


def listed_in(text: str, name: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Categories, and among them pairs of another spelling and what it means: on lines of their own, between semicolons, else
    between commas; TableError for too many, and for what is no pair."""
    words = _apart(text)
    pairs = [word for word in words if _ARROW.search(word)]
    return _categories(tuple(word for word in words if not _ARROW.search(word)), name), pairs_in("\n".join(pairs), name)


def categories_in(text: str, name: str) -> tuple[str, ...]:
    """The same of words alone."""
    return _categories(_apart(text), name)


def _categories(words: tuple[str, ...], name: str) -> tuple[str, ...]:
    return _few(words, MOST_CATEGORIES, f"The list of {name}", "words")


def _apart(text: str) -> tuple[str, ...]:
    return _words(re.split(r"[\r\n;]+" if re.search(r"[\r\n;]", text) else ",", text))


def on_lines(words: tuple[str, ...]) -> str:
    """The same one a line."""
    return "\n".join(words) if len(words) > 1 else typed(words)


def codes_in(text: str, name: str) -> tuple[str, ...]:
    """What stands on lines of their own, between semicolons, or between commas with a blank behind, each once."""
    words = _words(re.split(r"[\r\n;]+|,\s+", text))
    return _few(tuple(dict.fromkeys(words)), MOST_CODES, f"The list of what says that nothing is known of {name}", "entries")


def words_of_a_file(content: bytes, name: str) -> tuple[str, ...]:
    """One a line, in UTF-8 or else in Windows-1252."""
    if len(content) > MOST_OF_A_LIST:
        raise TableError(f"The file with the list of {name} is larger than 1 MB.", "Bring a text file with one word a line.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("windows-1252", errors="replace")
    found = _few(_words(_LINES.split(text)), MOST_CATEGORIES, f"The list of {name}", "words")
    if not found:
        raise TableError(f"The file with the list of {name} holds no word.", "Bring a text file with one word a line.")
    return found


def pairs_in(text: str, name: str) -> tuple[tuple[str, str], ...]:
    """Pairs of a word of the file and the category that it means, one a line, each once; TableError for a line that is none."""
    lines = _few(_words(_LINES.split(text)), MOST_SPELLINGS, f"The list of spellings of {name}", "pairs")
    pairs: dict[str, str] = {}
    for line in lines:
        word, *means = map(str.strip, _ARROW.split(line))
        if len(means) != 1 or not word or not means[0]:
            raise TableError(
                f"“{line}” is no pair of spellings of {name}.", "Write one pair a line, as in: Chirugie → Chirurgie."
            )
        if pairs.setdefault(word, means[0]) != means[0]:
            raise TableError(f"“{word}” has two meanings in the spellings of {name}.", "Keep one of the two lines.")
    return tuple(pairs.items())


def typed_pairs(pairs: tuple[tuple[str, str], ...]) -> str:
    """One a line."""
    return "\n".join(_lines(pairs))


def _lines(pairs: tuple[tuple[str, str], ...]) -> list[str]:
    return [f"{word} → {means}" for word, means in pairs]


def _words(parts: list[str]) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in parts)))


def _few(words: tuple[str, ...], most: int, what: str, many: str) -> tuple[str, ...]:
    if len(words) > most:
        raise TableError(f"{what} has {len(words):,} {many}, and it can have {most}.", "Enter those that matter most.")
    if long := next((word for word in words if len(word) > 2 * LONGEST), ""):
        raise TableError(f"{what} has one that is too long: “{long[:40]}…”.", f"Enter at most {LONGEST} characters of each.")
    return words
