"""How a file is read, of any kind: what is proposed to its holder, and a constant once that is confirmed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.plain import to_plain
from dpcore.errors import InvalidValueError, TableError
from pages.files.csv_columns import detection
from pages.files.csv_columns.file_content import refuse_sizes
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.header_lines import HeaderLines
from pages.files.csv_columns.records import names_in
from pages.files.large_files import LargeFileError, one_at_a_time, reads_small
from pages.files.parquet import ENCRYPTED, PLAIN

# A file is parsed in a process of its own: what takes too much, lasts too long or crashes ends there, and is a sentence here.


MOST_SECONDS = 30.0
_few_at_a_time = threading.BoundedSemaphore(2)  # processes for files that are taken to be small
_SINGLE = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1") | {"ARROW_DEFAULT_MEMORY_POOL": "system"}
_KIND = re.compile(r"[<>|=][biufU]\d{1,9}")
Answer = tuple[dict[str, Any], list[NDArray[Any]]]


def parsed(content: bytes, reader: str, *options: Any) -> Answer:
    """What a reader of ``parser_process`` says of a file, as JSON, and its arrays; TableError for what it refuses.

    The options are plain data. No array holds anything but numbers, truth values and characters: nothing is unpickled.
    LargeFileError if the file is read as a small one, and takes more than one may.
    """
    if not reads_small():
        found = _asked(content, json.dumps([reader, False, *options]))
        if found is None:
            raise broken()
        return found
    with _few_at_a_time:
        found = _asked(content, json.dumps([reader, True, *options]))
    if found is None:
        raise LargeFileError
    return found


def _asked(content: bytes, line: str) -> Answer | None:
    """What a process answers; None where it ended without an answer, or found the file to be large."""
    command = [sys.executable, "-P", "-m", "pages.files.parser_process"]
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    child = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | _SINGLE | {"PYTHONPATH": path},
    )
    assert child.stdin is not None
    assert isinstance(child.stdout, BufferedReader)
    late = threading.Timer(MOST_SECONDS, child.kill)
    giving = threading.Thread(target=_give, args=(child.stdin, line.encode() + b"\n", content))
    try:
        late.start()
        giving.start()
        return _answer(child.stdout)
    finally:
        late.cancel()
        child.kill()
        giving.join()
        child.stdout.close()
        child.wait()


def _give(pipe: IO[bytes], asked: bytes, content: bytes) -> None:
    with suppress(BrokenPipeError), pipe:
        pipe.write(asked)
        pipe.write(content)


def _answer(pipe: BufferedReader) -> Answer | None:
    line = pipe.readline()
    if not line.endswith(b"\n"):
        return None
    said = json.loads(line)
    if "large" in said:
        return None
    if "problem" in said:
        raise TableError(said["problem"], said["remedy"])
    return said, [_array(pipe, kind, size) for kind, size in said["arrays"]]


def _array(pipe: BufferedReader, kind: str, size: int) -> NDArray[Any]:
    if not _KIND.fullmatch(kind):
        raise broken()
    array = np.empty(size, dtype=kind)
    if not array.nbytes:
        return array
    room, filled = array.view(np.uint8).data, 0
    while filled < len(room):
        got = pipe.readinto(room[filled:])
        if not got:
            raise broken()
        filled += got
    return array


def broken() -> TableError:
    """What is said where the process ended without an answer."""
    return TableError(
        "The file is broken, or it takes more memory or time to read than there is for one.",
        "Open it and save it again, without the columns and rows that are not needed, or save it as CSV.",
    )


_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


@final
@dataclass(frozen=True, slots=True)
class Parquet:
    """A Parquet file, which says itself how each of its columns is written."""

    words: ClassVar[str] = "a Parquet file, with dates as text such as 2024-01-31"


@final
@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a workbook. ``decimal`` and ``thousands``: the marks in numbers that its cells hold as text, as in a CSV."""

    name: str
    names: HeaderLines = field(default_factory=HeaderLines)  # of its columns
    decimal: str = "."
    thousands: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise InvalidValueError("name of a sheet", "a text", self.name)
        Format(decimal=self.decimal, thousands=self.thousands)

    @property
    def written(self) -> Format:
        """How the CSV is written that the sheet is read as."""
        return Format(decimal=self.decimal, thousands=self.thousands)

    @property
    def words(self) -> str:
        """The sheet with its name, where its names are, what its dates become, and how numbers are written that are text."""
        marks = "" if self.written == Format() else f", {self.written.numbers_in_words} where numbers are text"
        return f"the sheet “{self.name}” of a workbook, {self.names.words}, with dates as text such as 2024-01-31{marks}"


Form = Format | Parquet | Sheet
_KINDS: dict[str, type[Form]] = {"text": Format, "parquet": Parquet, "sheet": Sheet}


def to_json(form: Form) -> dict[str, Any]:
    """Its kind, and its fields by name."""
    kind = next(kind for kind, known in _KINDS.items() if isinstance(form, known))
    return {"kind": kind, **to_plain(form)}


# What is proposed to a file's holder.


@final
@dataclass(frozen=True, slots=True)
class Seen:
    """A way to read a file, the names that its columns then have, and the rows and columns of a sheet; 0 of what is not known.

    ``in_doubt``: whether 1.234 could as well be a whole number.
    """

    form: Form
    names: tuple[str, ...] = ()
    rows: int = 0
    columns: int = 0
    in_doubt: bool = False


@one_at_a_time
def proposed(content: bytes) -> tuple[Seen, ...]:
    """The ways to read a file, by its first bytes and whatever its name; TableError, in a sentence, where there is none."""
    refuse_sizes(content)
    if content.startswith((PLAIN, ENCRYPTED)):
        return (Seen(Parquet()),)
    if content.startswith(_WORKBOOKS):
        return _sheets(content)
    form = detection.detected(content)
    return (Seen(form, names_under(content, form), in_doubt=detection.in_doubt(content, form)),)


def names_under(content: bytes, form: Format) -> tuple[str, ...]:
    """The names that the columns of a text have; none where it has none."""
    try:
        return tuple(names_in(content, form))
    except TableError:
        return ()


def _sheets(content: bytes) -> tuple[Seen, ...]:
    """What can be said of each sheet; of their names alone, where all of them together are too much to look at."""
    try:
        found = parsed(content, "seen sheets")[0]["sheets"]
    except TableError:
        return tuple(Seen(Sheet(name)) for name in parsed(content, "sheets")[0]["sheets"])
    return tuple(_sheet(**one) for one in found)


def _sheet(name: str, rows: int, columns: int, first: int, lines: int, names: list[str], marks: list[str]) -> Seen:
    return Seen(Sheet(name, HeaderLines(first, lines), *marks), tuple(names), rows, columns)


def first_lines(content: bytes, form: Form, most: int) -> list[str]:
    """The first lines of a text, or of a sheet with a bar between its cells, as they are; none of a Parquet file."""
    if isinstance(form, Format):
        return detection.first_lines(content, form, most)
    if isinstance(form, Parquet):
        return []
    return [" | ".join(row) for row in first_rows_of_sheet(content, form.name)["rows"][:most]]


@one_at_a_time
def first_rows_of_sheet(content: bytes, name: str) -> dict[str, Any]:
    """The ``rows`` of a sheet as texts, and the ``merged`` cells in them."""
    return parsed(content, "first rows", name)[0]


_RECORDS = 2  # below a name, which a table has at least


def best(ways: Sequence[Seen]) -> Seen:
    """The sheet with most columns, of those that have records; of equally many the one with most rows."""
    return max(ways, key=lambda way: (way.rows > _RECORDS, way.columns, way.rows))
