"""The process that parses one file: it is given a line of JSON on what to do and the bytes, and gives back a line of JSON and the
bytes of arrays."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.people import CODE, KEY
from dpcore.base.plain import from_plain
from dpcore.errors import TableError
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.records import read_as_declared, read_columns
from pages.files.large_files import LARGE_COLUMNS, LargeFileError, as_small, count, reads_small
from pages.files.persons import people_of_text

# Large text files, as the app's own process reads small ones; and whose each row of one is.


Answer = tuple[dict[str, Any], list[NDArray[Any]]]


def read(content: bytes, form: dict[str, Any], numbers: list[str]) -> Answer:
    """The names as the file has them, and those and the values of the columns that are not empty."""
    names, values = read_columns(content, from_plain(Format, form), frozenset(numbers))
    return {"names": names, "read": list(values)}, list(values.values())


def declared(content: bytes, form: dict[str, Any], numbers: list[str], words: dict[str, int]) -> Answer:
    """The columns of a file that was read before, as they are declared."""
    values = read_as_declared(content, from_plain(Format, form), frozenset(numbers), words)
    return {"read": list(values)}, list(values.values())


def people(content: bytes, form: dict[str, Any], column: str, rows: int, codes: list[str]) -> Answer:
    """Code and key of the person of each of the first so many rows; one of the ``codes`` names nobody."""
    whose = people_of_text(content, from_plain(Format, form), column, rows, codes)
    return {}, [whose[CODE].copy(), whose[KEY].copy()]


MOST_MEMORY = 560 * 2**20  # beyond what this process takes before it sees the file
LITTLE_MEMORY = 200 * 2**20  # the same of a file that is read as a small one, beyond the packages that read it
LITTLE_SECONDS = 10  # of processor time, with those in which the packages load
_OF_PARQUET, _OF_TEXT = ("pyarrow.parquet", "pyarrow.compute"), ("pandas", "pyarrow.compute")
_PACKAGES = {
    "parquet": _OF_PARQUET,
    "parquet names": _OF_PARQUET,
    "text": _OF_TEXT,
    "declared text": _OF_TEXT,
    "people": _OF_TEXT,
}
Reader = Callable[..., tuple[dict[str, Any], Sequence[NDArray[Any]]]]


def _reader(name: str) -> Reader:
    from pages.files import parquet, workbook

    readers: dict[str, Reader] = {
        "parquet": parquet.read,
        "parquet names": parquet.names,
        "sheets": workbook.sheets,
        "seen sheets": workbook.seen,
        "sheet": workbook.read,
        "first rows": workbook.first_rows,
        "text": read,
        "declared text": declared,
        "people": people,
    }
    return readers[name]


def limit_as_small() -> None:
    """Limit this process to the memory and the processor time of a small file, if the system knows such limits."""
    limit_memory(LITTLE_MEMORY)
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (LITTLE_SECONDS, LITTLE_SECONDS))


def limit_memory(most: int = MOST_MEMORY) -> None:
    """From now on this process can take so much more; where the system knows no such limit, it has none."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as sizes:
            taken = int(sizes.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + most, taken + most))
    except (ImportError, OSError):
        return


def answer(reader: Reader, content: bytes, *options: Any) -> tuple[dict[str, Any], Sequence[NDArray[Any]]]:
    """What the reader says; a refusal is a problem and its remedy, and so is memory that runs out."""
    try:
        said, arrays = reader(content, *options)
    except TableError as error:
        return {"problem": error.problem, "remedy": error.remedy, "arrays": []}, []
    except MemoryError:
        if reads_small():
            raise LargeFileError from None
        problem = "The file takes more memory than there is for one."
        return {"problem": problem, "remedy": "Leave out columns or rows that are not needed.", "arrays": []}, []
    return said | {"arrays": [(array.dtype.str, len(array)) for array in arrays]}, arrays


def _load_packages(name: str) -> None:
    """Load the packages of a kind of file, as far as they are installed, so that they are no part of what it takes."""
    for package in _PACKAGES.get(name, ()):
        with suppress(ImportError):
            import_module(package)


def main() -> None:
    """Read all of the input, and write the answer."""
    name, small, *options = json.loads(sys.stdin.buffer.readline())
    reader = _reader(name)
    if small:
        _load_packages(name)
        limit_as_small()
    else:
        limit_memory()
    try:
        with as_small() if small else nullcontext():
            said, arrays = answer(reader, sys.stdin.buffer.read(), *options)
            count(sum(array.nbytes for array in arrays), LARGE_COLUMNS)
    except LargeFileError:
        said, arrays = {"large": True}, []
    sys.stdout.buffer.write(json.dumps(said).encode() + b"\n")
    for array in arrays:
        if array.nbytes:
            sys.stdout.buffer.write(np.ascontiguousarray(array).view(np.uint8).data)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
