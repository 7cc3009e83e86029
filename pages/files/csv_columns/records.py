"""Reading a CSV, or text like it, into columns of numbers and of text, within limits of time and memory for any 50 MB: part after
part, each column as numbers while all of its values are, else as text."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.csv_columns.file_content import (
    MOST_BYTES,
    MOST_TEXT_BYTES,
    SAY_WHERE,
    TextColumn,
    cleaned,
    refuse_what_is_no_text,
    too_large,
    within_memory,
)
from pages.files.csv_columns.format import Format, Layout, WrittenNumbers
from pages.files.csv_columns.header import different, listed, misfit, quoted, read_header, refuse_surplus, refuse_unnamed
from pages.files.csv_columns.identifiers import has_identifiers, may_hold_codes
from pages.files.csv_columns.missing import AMONG_NUMBERS

if TYPE_CHECKING:
    import pandas as pd

MOST_VALUES = MOST_BYTES // 2  # a file of that size cannot hold more that are not empty
_TOGETHER, _BYTES = 2**18, 2**23  # values of a part, and about how much of the file it is,
_HEAD = 2**21  # bytes in which the names are, where nothing else of a text is read
_LEAST = 2_000  # but at least so many records, because each column of a part has a price of its own
_LARGE = 9e15  # in size; a float from 2**53 on may have lost digits, and the parser may be a little off
_LEADING_ZERO = re.compile(rb"(?:^|[\n;,\t| \"])0[0-9]+(?:$|[\n;,\t| \"])")


@within_memory()
def read_columns(content: bytes, form: Format, numbers: frozenset[str] = frozenset()) -> tuple[list[str], dict[str, Database]]:
    """The names as the file has them, and the values of each column that is not empty, by its ``different`` name.

    The bytes are of a text written in this way. It has at most 2,000 names and at least two records. A column that is not all
    numbers is text: only the empty string is missing there, so that nobody named "NA" is lost. But each of ``numbers`` holds
    numbers: what is none there is missing, and changes no other value. TableError, in a sentence on what came and one on what
    to do, for anything else, memory that runs out included.
    """
    layout, names = _laid_out(content, form)
    refuse_surplus(layout)
    records, values = _read_records(layout, numbers)
    header = layout.header
    if records < 2:
        raise TableError(
            f"The table has {counted(str(records), ' rows')} below its names of columns; at least 2 are needed.",
            f"Upload a table with more rows. {SAY_WHERE}",
        )
    if not values:
        raise TableError(
            f"No column holds numbers or short text (there {'are' if len(header) > 1 else 'is'} {listed(quoted(header))}).",
            "Upload a table with values in at least one column.",
        )
    refuse_unnamed(names, values)
    return names, {column: values[column] for column in header if column in values}


@within_memory()
def read_as_declared(content: bytes, form: Format, numbers: frozenset[str], words: Mapping[str, int]) -> dict[str, Database]:
    """The columns of a text that was read before, each by itself: those of ``numbers`` hold numbers, and missing values; those of
    ``words`` text as it is written, up to so many characters of each value. A column without a value of its kind is left out.

    No other column is looked at, so that no value changes what is made of another. TableError as ``read_columns`` has it.
    """
    return _read_declared(_laid_out(content, form)[0], numbers, words)


@within_memory()
def names_in(content: bytes, form: Format) -> list[str]:
    """The names of the columns of a text written in this way, by its beginning; TableError where it has none."""
    refuse_what_is_no_text(content)
    body, _ = cleaned(content[:_HEAD], form.encoding, form.names.first)
    return different(read_header(body, form.delimiter, form.names)[0])


def _laid_out(content: bytes, form: Format) -> tuple[Layout, list[str]]:
    """And the names as the file has them."""
    refuse_what_is_no_text(content)
    body, before = cleaned(content, form.encoding, form.names.first)
    names, size = read_header(body, form.delimiter, form.names)
    if form.names.lines > 1:  # a parser knows one line of names, and that this is as wide as they are
        before += body.count(b"\n", 0, size) - 1
        body = form.delimiter.join("_" * len(names)).encode() + b"\n" + body[size:]
    return Layout(body, form, different(names), before), names


def _read_records(layout: Layout, declared: frozenset[str] = frozenset()) -> tuple[int, dict[str, Database]]:
    """How many records there are, and the values of each column that is not empty and not too much text.

    A column is found to be text in its first records, or later; then it is read a second time, as it was written. A column with
    an identifier is text too. One that is declared to hold numbers holds numbers, whatever its values are.
    """
    coded = may_hold_codes(layout.body)
    texts, written = _texts_at_once(layout, declared, coded=coded)
    numbers = _Numbers(layout, [name for name in layout.header if name not in texts | set(written.names)], coded=coded)
    words = _Words([name for name in layout.header if name in texts])
    asked, records = written.names, 0
    for part in _parts(layout, **_types(layout, numbers.names, words.names + asked)):
        records += len(part)
        if records * len(layout.header) > MOST_VALUES:
            raise too_large(f"The table has more than {MOST_VALUES / 1e6:.0f} million values, empty ones included.")
        for columns in (numbers, words, written):
            columns.add(part)
    numbers.drop(_with_identifiers(layout, [name for name in numbers.doubtful if name not in declared]))
    values = numbers.arrays(declared) | words.arrays(MOST_TEXT_BYTES) | written.arrays()
    late = [name for name in asked if name not in written.read]
    return records, values | _late(layout, numbers.no_numbers(), late, values, declared)


def _read_declared(layout: Layout, numbers: frozenset[str], words: Mapping[str, int]) -> dict[str, Database]:
    """These columns of a file that was read before, and no other: numbers, and text up to so many characters of each value."""
    asked = [name for name in layout.header if name in numbers or name in words]
    written = WrittenNumbers([name for name in asked if name in numbers], layout.form, AMONG_NUMBERS, numbers)
    texts = {name: TextColumn() for name in asked if name in words}
    for part in _as_written(layout, asked):
        written.add(part)
        left = MOST_TEXT_BYTES
        for name, column in texts.items():
            if not column.add(part[name].str.strip().str.slice(0, words[name]), left):
                raise TableError(f"The texts of {name} and of other columns take too much memory.", "Use fewer columns, or rows.")
            left -= column.takes
    return written.arrays() | {name: column.array() for name, column in texts.items() if column.width}


def _late(
    layout: Layout, no_numbers: list[str], no_written: list[str], values: dict[str, Database], declared: frozenset[str]
) -> dict[str, Database]:
    """The columns that turned out to be text, or numbers with a mark between thousands, in as many passes as that takes."""
    tried = [name for name in no_numbers if layout.form.thousands or name in declared]
    written = WrittenNumbers(tried, layout.form, AMONG_NUMBERS, declared)
    for part in _as_written(layout, written.names):
        written.add(part)
    found = written.arrays()
    late = _Words([name for name in no_numbers + no_written if name not in written.read])
    for part in _as_written(layout, late.names):
        late.add(part)
    left = MOST_TEXT_BYTES - sum(array.nbytes for array in values.values() if array.dtype.kind == "U")
    return found | late.arrays(left)


def _texts_at_once(layout: Layout, declared: frozenset[str], *, coded: bool) -> tuple[set[str], WrittenNumbers]:
    """What the first records show to be text, and of that the columns that are numbers with a mark between thousands."""
    texts = {str(name) for part in _parts(layout, nrows=_LEAST) for name, column in part.items() if _kind(column) == "text"}
    left = [name for name in layout.header if name not in texts | declared]
    padded = _with_leading_zeros(layout, left) | (_with_identifiers(layout, left, nrows=_LEAST) if coded else set())
    tried = [name for name in layout.header if name in texts and (layout.form.thousands or name in declared)]
    seem = WrittenNumbers(tried, layout.form, AMONG_NUMBERS, declared)
    for part in _as_written(layout, seem.names, nrows=_LEAST):
        seem.add(part)
    return (texts - set(seem.names)) | padded, WrittenNumbers(seem.names, layout.form, AMONG_NUMBERS, declared)


def _with_leading_zeros(layout: Layout, numbers: list[str]) -> set[str]:
    """Of the columns of numbers those in whose first records a whole one has leading zeros: identifiers, which are text."""
    if _LEADING_ZERO.search(layout.body, 0, _BYTES) is None:
        return set()
    return {
        name
        for part in _as_written(layout, numbers, nrows=_LEAST)
        for name in numbers
        if part[name].str.strip().str.fullmatch("0[0-9]+").any()
    }


def _with_identifiers(layout: Layout, names: list[str], *, nrows: int | None = None) -> set[str]:
    """Return those of these columns in which a cell is an identifier."""
    pa = import_module("pyarrow")
    found = set[str]()
    for part in _as_written(layout, names, nrows=nrows):
        left = [name for name in names if name not in found]
        texts = {name: pa.array(part[name].str.strip(), type=pa.string()) for name in left}
        found |= {name for name in left if has_identifiers(texts[name], layout.form.separator, layout.form.decimal)}
    return found


def _as_written(layout: Layout, names: list[str], *, nrows: int | None = None) -> Iterator[pd.DataFrame]:
    """These columns as text, nothing missing; nothing is read where there are none."""
    if names:
        yield from _parts(layout, usecols=names, dtype="str", na_filter=False, nrows=nrows)


def _types(layout: Layout, numbers: list[str], words: list[str]) -> dict[str, Any]:
    """What stands for a missing value: in a column of text nothing; nor may more stand behind a last separator."""
    behind = len(layout.header)
    missing = dict.fromkeys([*numbers, behind], AMONG_NUMBERS)
    return {"dtype": dict.fromkeys(words, "str"), "na_values": missing, "keep_default_na": False}


def _parts(layout: Layout, *, nrows: int | None = None, **how: Any) -> Iterator[pd.DataFrame]:
    import pandas as pd

    several = len(layout.header) > 1  # in a single column a blank line is a record without a value
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # surplus values would be cut off with a warning
            with pd.read_csv(
                io.BytesIO(layout.body),
                sep=layout.delimiter,
                skipinitialspace=True,
                header=0,
                names=layout.header,
                index_col=False,
                skip_blank_lines=several,
                decimal=layout.form.decimal,
                low_memory=False,
                encoding="utf-8",
                nrows=nrows,
                chunksize=_records_together(layout),
                **how,
            ) as parts:
                yield from parts
    except (pd.errors.ParserError, pd.errors.EmptyDataError, pd.errors.ParserWarning, ValueError) as error:
        if "out of memory" in str(error):
            raise MemoryError from None
        raise misfit(layout) from None


def _records_together(layout: Layout) -> int:
    lines = layout.body.count(b"\n") + 1
    return max(_LEAST, min(_TOGETHER // len(layout.header), _BYTES * lines // len(layout.body)))


def _kind(column: pd.Series[Any]) -> str:
    """Of a part of a column, as it was read: "text", "truth" or "number"."""
    return {"b": "truth", "i": "number", "u": "number", "f": "number"}.get(column.dtype.kind, "text")


@final
class _Numbers:
    """Columns that are all numbers so far, or all truth values. Their arrays grow into memory that is taken as it is used."""

    def __init__(self, layout: Layout, names: list[str], *, coded: bool) -> None:
        columns = len(layout.header)
        most = min(layout.body.count(b"\n") + 1, MOST_VALUES // columns + 1)
        self.names = names
        self.doubtful: list[str] = []  # columns that may hold identifiers, which shows in their text only
        self._coded = coded
        self._arrays = {name: np.empty(most) for name in names}
        self._kinds: dict[str, set[str]] = {name: set() for name in names}
        self._records = 0

    def add(self, part: pd.DataFrame) -> None:
        """Add the records of a part; a column that turns out to be text is let go."""
        start, self._records = self._records, self._records + len(part)
        for name in list(self._arrays):
            column = part[name]
            self._kinds[name].add(_kind(column))
            if self._kinds[name] in ({"number"}, {"truth"}):
                self._arrays[name][start : self._records] = column.to_numpy()
                if name not in self.doubtful and self._doubts(column):
                    self.doubtful.append(name)
            else:
                del self._arrays[name]

    def _doubts(self, column: pd.Series[Any]) -> bool:
        """The parser makes floats of codes, and of large whole numbers floats or integers."""
        whole = self._coded and column.dtype.kind == "f" and bool((column == np.floor(column)).any())
        return whole or bool(column.max() > _LARGE or column.min() < -_LARGE)

    def drop(self, names: set[str]) -> None:
        """Let these columns go, because they are text."""
        for name in names:
            self._arrays.pop(name, None)

    def no_numbers(self) -> list[str]:
        """The columns that turned out to be text."""
        return [name for name in self.names if name not in self._arrays]

    def arrays(self, declared: frozenset[str]) -> dict[str, Database]:
        """Those that are declared to hold numbers, or hold one at all."""
        cut = {name: array[: self._records] for name, array in self._arrays.items()}
        return {name: array for name, array in cut.items() if name in declared or not np.isnan(array).all()}


@final
class _Words:
    """Columns of text, in the file's order: each is kept as long as it fits into what those before it leave."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self._columns = {name: TextColumn() for name in names}

    def add(self, part: pd.DataFrame) -> None:
        """Add the records of a part; a column that has become too large is let go."""
        left = MOST_TEXT_BYTES
        for name, column in list(self._columns.items()):
            if column.add(part[name], left):
                left -= column.takes
            else:
                del self._columns[name]

    def arrays(self, left: int) -> dict[str, Database]:
        """Those that are not empty, as long as they fit into so many bytes together."""
        arrays = {}
        for name, column in self._columns.items():
            if column.width and column.takes <= left:
                left -= column.takes
                arrays[name] = column.array()
        self._columns.clear()
        return arrays
