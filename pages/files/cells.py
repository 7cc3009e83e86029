"""The cells of a file as they are written, and the numbers and texts that they become."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpcore.base.arrays import Database
from pages.files.form import Format
from pages.files.limits import MOST_TEXT_BYTES

# Words for an unknown value. Among texts only those in ``AMONG_WORDS`` are proposed: “NA”, “nan” and “null” are names too.
AMONG_NUMBERS = [
    *("", "#N/A N/A", "#N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA"),
    *("NULL", "NaN", "None", "n/a", "nan", "null"),
]
AMONG_WORDS = {
    *("-", "--", "---", "?", ".", "#n/a", "n/a", "n.a.", "n. a.", "n.d.", "n. d.", "k.a.", "k. a."),
    *("missing", "unknown", "not known", "not available", "no answer", "unbekannt", "nicht bekannt", "keine angabe"),
}
_EITHER = AMONG_WORDS | {word.casefold() for word in AMONG_NUMBERS}
_TRUE = ["True", "TRUE", "true"]
_TRUTHS = [*_TRUE, "False", "FALSE", "false"]
_INFINITE = "^[+-]?(?i:inf|infinity)$"
_MOST_OF_A_NUMBER = 200  # characters, as for declared numbers
_TOGETHER = 2**20  # characters that are decoded at once
_UNSEEN = "[\u200b\ufeff]"  # a blank without width, and a mark of byte order within the text
_MARK = "[\u0300-\u036f\u200b\ufeff]"  # those, and marks of the letter before
_MARKS = re.compile(b"[\xcc\xcd]|\xe2\x80\x8b|\xef\xbb\xbf")  # their first bytes, or all: most columns have none
LONG_MINUS = "\u2212"  # as word processors write it
_SPACE, _ASCII = ord(" "), 128  # bytes above the one and below the other stay as they are
_FIRST = 1_000  # cells of a part
_MOST_COMPOSED = 200  # bytes of a cell: to put the marks of a letter in order takes the square of their number


@final
@dataclass(frozen=True, eq=False)
class Cells:
    """The columns of a file as they are written.

    Attributes:
        names: Names of all columns in the file.
        columns: Chunked Arrow arrays of strings, equally long, by the ``different`` names: cells without spaces around them, ''
            for an empty one. A column that cannot be read is missing.
        texts: Columns that are text according to the file.
        rounded: Columns with numbers that the parser may have rounded.
    """

    names: list[str] = field(default_factory=list)
    columns: dict[str, Any] = field(default_factory=dict)
    texts: frozenset[str] = frozenset()
    rounded: tuple[str, ...] = ()

    @property
    def nbytes(self) -> int:
        """Bytes that the columns take."""
        return sum(column.nbytes for column in self.columns.values())


def says_nothing(cell: str) -> bool:
    """Return whether a cell may mean that a value is unknown, in a column of any kind."""
    return cell.casefold() in _EITHER


def trimmed(strings: Any) -> Any:
    """Return Arrow strings without spaces around them, as an array with '' for a missing one.

    What looks alike is written alike: ü as one character, as people type it, and no character that nobody sees. Each cell is
    changed by itself, if it has such a mark.
    """
    array = strings if isinstance(strings, pa.Array) else pa.array(strings, pa.large_string())
    words = pc.fill_null(array, "").cast(pa.string())
    data = _bytes(words)
    if data.size and data.min() > _SPACE and data.max() < _ASCII:  # most columns: nothing to look for in each cell
        return words
    if data.size and data.max() >= _ASCII and _MARKS.search(data.data):
        marked = pc.and_(pc.match_substring_regex(words, _MARK), pc.less(pc.binary_length(words), _MOST_COMPOSED))
        seen = pc.replace_substring_regex(pc.if_else(marked, words, ""), _UNSEEN, "")
        words = pc.if_else(marked, pc.utf8_normalize(seen, "NFC"), words)
    return pc.utf8_trim_whitespace(words)


def _bytes(words: Any) -> NDArray[np.uint8]:
    """Return the bytes of all cells of an Arrow array of strings, as an array. A slice shares its buffers with other arrays."""
    _, offsets, data = words.buffers()
    if data is None or not len(words):
        return np.empty(0, np.uint8)
    first, last = np.frombuffer(offsets, np.int32)[[words.offset, words.offset + len(words)]]
    return np.frombuffer(data, np.uint8)[first:last]


def values_of(cells: Cells, form: Format) -> dict[str, Database]:
    """Return the values of the columns that are not empty: numbers if all cells are numbers or missing, else text.

    Columns of text are kept in the order of the file, as long as they fit into ``MOST_TEXT_BYTES`` together.
    """
    values: dict[str, Database] = {}
    left = MOST_TEXT_BYTES
    for name, column in cells.columns.items():
        found = None if name in cells.texts else numbers(column, form)
        if found is None:
            size = 4 * len(column) * longest(column)
            if 0 < size <= left:
                values[name] = texts(column)
                left -= size
        elif not np.isnan(found).all():
            values[name] = found
    return values


def longest(column: Any) -> int:
    """Return the number of characters of the longest cell."""
    return pc.max(pc.utf8_length(column)).as_py() or 0


def numbers(column: Any, form: Format) -> Database | None:
    """Return the numbers of a column, NaN where missing; None if a cell is neither a number nor missing, or is an identifier.

    Truth values are 1 and 0 if all cells are such values.
    """
    if column[0].as_py() in _TRUTHS and pc.all(pc.is_in(column, value_set=pa.array(_TRUTHS))).as_py():
        return np.asarray(pc.is_in(column, value_set=pa.array(_TRUE)).to_numpy(), dtype=np.float64)
    found, start, missing = np.empty(len(column)), 0, pa.array(AMONG_NUMBERS, pa.string())
    for words in column.chunks:
        known = pc.if_else(pc.is_in(words, value_set=missing), pa.scalar(None, pa.string()), words)
        part = None if _floats(known[:_FIRST], form) is None else _floats(known, form)  # most columns of text end at once
        if part is None or longest(words) > _MOST_OF_A_NUMBER or has_identifiers(known, form):
            return None
        found[start : start + len(words)] = part
        start += len(words)
    return found


def _floats(words: Any, form: Format) -> Database | None:
    """Return words as floats, NaN for null; None if one cannot be read in this form."""
    if form.decimal == "." or not pc.any(pc.match_substring(words, "."), min_count=0).as_py():
        try:  # the quick way, which knows no mark between thousands and no plus
            plain = pc.replace_substring(words, form.decimal, ".")
            return np.asarray(plain.cast(pa.float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
        except pa.ArrowInvalid:
            pass
    if not pc.all(pc.match_substring_regex(words, f"{form.number}|{_INFINITE}"), min_count=0).as_py():
        return None
    bare = pc.replace_substring_regex(words, form.separator, "") if form.separator else words
    plain = pc.replace_substring(bare, form.decimal, ".").to_pylist()
    return np.array([np.nan if word is None else float(word) for word in plain], dtype=np.float64)


# Columns by their different words, of which there are few among many records.


@final
@dataclass(frozen=True, eq=False)
class Words:
    """A column by its different words.

    Attributes:
        different: The words.
        places: For each record the place of its word in these, shape (n,).
    """

    different: list[str]
    places: NDArray[np.int32]

    def without(self, codes: tuple[str, ...]) -> Words:
        """Return the column with "" in place of each of these words."""
        known = frozenset(codes) | {code.replace(LONG_MINUS, "-") for code in codes}
        return Words(["" if word in known else word for word in self.different], self.places) if codes else self

    def mapped(self, values: NDArray[Any]) -> Database:
        """Return for each record the value of its word: (different,) -> (n,)."""
        return np.ascontiguousarray(values[self.places])


def words_of(cells: Any, *, most: int | None = None) -> Words:
    """Return the different words of a column, trimmed.

    Args:
        cells: A numpy array of texts, or a chunked Arrow array of trimmed strings.
        most: Number of characters that are kept of each; by default all.
    """
    strings = trimmed(cells) if isinstance(cells, np.ndarray) else cells.combine_chunks()
    if most is not None:
        strings = pc.utf8_slice_codeunits(strings, 0, most)
    coded = pc.dictionary_encode(strings)
    return Words(coded.dictionary.to_pylist(), coded.indices.to_numpy())


def shown(number: float) -> str:
    """Return a number in as few digits as identify it."""
    short = f"{number:.15g}"
    return short if float(short) == number else repr(number)


# A cell that looks like a number and is an identifier: a number would not keep what is written.


_MOST_DIGITS = 15  # of any whole number of so many digits a float keeps all
PADDED = "^0[0-9]+$"


def has_identifiers(words: Any, form: Format) -> bool:
    """Return whether a column of text holds an identifier. One makes the whole column text, unless the user says otherwise.

    An identifier is a whole number with a zero in front, as 00123, or with 16 digits or more, of which a float could lose
    some. So is a code of digits, E and digits, as 2E10 or 7e0: programs write a number in scientific notation with a decimal
    mark or a sign, as 1.5E10 or 2e+10.

    Args:
        words: Arrow array of strings without spaces around them.
        form: How numbers are written.
    """
    code = pc.or_(pc.match_substring(words, "e"), pc.match_substring(words, "E"))
    likely = words.filter(pc.or_(pc.or_(code, pc.starts_with(words, "0")), pc.greater(pc.binary_length(words), _MOST_DIGITS)))
    digit = f"(?:{form.separator})?[0-9]" if form.separator else "[0-9]"
    mark = re.escape(form.decimal)
    large = rf"[+-]?0*[1-9](?:{digit}){{{_MOST_DIGITS},}}(?:{mark}[0-9]*)?"
    pattern = rf"{PADDED}|^(?:[0-9](?:{digit})*[eE][0-9]+|{large})$"
    return bool(pc.any(pc.match_substring_regex(likely, pattern), min_count=0).as_py())


def texts(column: Any) -> Database:
    """Return the cells as an array of fixed width."""
    width = max(1, longest(column))
    found = np.empty(len(column), dtype=f"<U{width}")
    at_once = max(1, _TOGETHER // width)
    for first in range(0, len(column), at_once):
        some = column[first : first + at_once].combine_chunks()
        padded = _bytes(pc.utf8_rpad(some, width, padding="\0"))
        codes = str(padded.data, "utf-8").encode("utf-32-le")
        found[first : first + len(some)] = np.frombuffer(codes, dtype=found.dtype)
    return found
