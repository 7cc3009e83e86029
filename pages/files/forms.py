"""How a file is read, of any kind: what is proposed to its holder, and a constant once that is confirmed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, final

import pyarrow as pa

from dpcore.base.plain import to_plain
from dpcore.errors import InvalidValueError, TableError
from pages.files.csv_columns import detection
from pages.files.csv_columns.file_content import refuse_sizes
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.header_lines import HeaderLines
from pages.files.csv_columns.records import names_in
from pages.files.limits import LARGE, Answer, in_turn
from pages.files.parquet import ENCRYPTED, PLAIN
from pages.files.parser_process import ASKED

# A file is parsed in a process of its own: what takes too much, lasts too long or crashes ends there, and is a sentence here.


MOST_SECONDS = 30.0
_few_at_a_time = threading.BoundedSemaphore(2)  # processes for files that are taken to be small
# Addresses are limited: one thread and one arena, and large blocks are returned instead of leaving holes in the heap.
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "ARROW_IO_THREADS", "MALLOC_ARENA_MAX")
_SINGLE = dict.fromkeys(_THREADS, "1") | {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_MMAP_THRESHOLD_": "131072"}


def parsed(content: bytes, reader: str, *options: Any) -> Answer:
    """What a reader of ``parser_process`` says of a file, as JSON, and its cells; TableError for what it refuses.

    The options are plain data. A file is first read within small limits. If these are too tight, it is large, whatever it says
    of itself: then it waits until no other large one is read.
    """
    if len(content) <= LARGE:
        with _few_at_a_time:
            found = _asked(content, [reader, True, *options])
        if found is not None:
            return found
    with in_turn(LARGE + 1):
        found = _asked(content, [reader, False, *options])
    if found is None:
        raise broken()
    return found


def _asked(content: bytes, asked: list[Any]) -> Answer | None:
    """What a process answers; None where it ended without an answer, or found the file to be large."""
    command = [sys.executable, "-P", "-m", "pages.files.parser_process"]
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH"))))
    env = os.environ | _SINGLE | {"PYTHONPATH": path, ASKED: json.dumps(asked)}
    try:
        done = subprocess.run(
            command, input=content, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=MOST_SECONDS, env=env, check=True
        )
    except subprocess.SubprocessError:
        return None
    end = done.stdout.index(b"\n")
    said = json.loads(done.stdout[:end])
    if said.get("large"):
        return None
    if "problem" in said:
        raise TableError(said["problem"], said["remedy"])
    return said, _cells(pa.py_buffer(done.stdout).slice(end + 1)) if said["cells"] else None


def _cells(stream: Any) -> Any:
    """The table of strings that a process writes; TableError for anything else."""
    try:
        table = pa.ipc.open_stream(stream).read_all()
        table.validate(full=True)
    except (pa.ArrowException, OSError):
        raise broken() from None
    if any(kind != pa.string() for kind in table.schema.types):
        raise broken()
    return table


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
    written: ClassVar[Format] = Format()  # how its cells have numbers


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


def proposed(content: bytes) -> tuple[Seen, ...]:
    """The ways to read a file, by its first bytes and whatever its name; TableError, in a sentence, where there is none."""
    refuse_sizes(content)
    if content.startswith((PLAIN, ENCRYPTED)):
        return (Seen(Parquet()),)
    if content.startswith(_WORKBOOKS):
        return _sheets(content)
    with in_turn(len(content)):
        form = detection.detected(content)
        names = tuple[str, ...]()
        with suppress(TableError):  # which reading it says then
            names = tuple(names_in(content, form))
        return (Seen(form, names, in_doubt=detection.in_doubt(content, form)),)


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
    return [" | ".join(row) for row in parsed(content, "first rows", form.name)[0]["rows"][:most]]


_RECORDS = 2  # below a name, which a table has at least


def best(ways: Sequence[Seen]) -> Seen:
    """The sheet with most columns, of those that have records; of equally many the one with most rows."""
    return max(ways, key=lambda way: (way.rows > _RECORDS, way.columns, way.rows))
