"""The process that parses one file: it gets JSON on what to do, and the bytes, and gives back a line of JSON and cells.

Cells are a stream of Arrow, all of them strings: nothing is unpickled.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.abc import MetaPathFinder
from typing import Any

from dpcore.base.plain import from_plain
from dpcore.errors import TableError
from pages.files.limits import MOST_UNPACKED, Answer, UnreadableError

ASKED = "DPCORE_PARSE"  # the variable with what to do: a command line is seen by everybody on a computer
MOST_MEMORY = 560 * 2**20  # beyond what this process takes before it sees the file
LITTLE_MEMORY = 200 * 2**20  # the same of a file that is read as a small one
LITTLE_SECONDS = 10  # of processor time, with those in which the packages load
_PACKAGES = {"parquet": ("pyarrow.parquet", "Parquet files"), "text": ("pyarrow.csv", "text files")}
_WORKBOOKS = ("python_calamine", "Excel and ODS workbooks")
Reader = Callable[..., Answer]


def _reader(name: str) -> Reader:
    package, files = _PACKAGES.get(name, _WORKBOOKS)
    try:
        import_module(package)
    except ImportError:
        own = package.partition(".")[0].replace("_", "-")
        problem = f"This server cannot read {files}, because its package {own} is not installed."
        remedy = "Save the table as CSV and upload that, or ask whoever runs this server to install the package."
        raise TableError(problem, remedy) from None
    from pages.files import parquet, workbook

    readers: dict[str, Reader] = {
        "parquet": parquet.read,
        "sheets": workbook.sheets,
        "seen sheets": workbook.seen,
        "sheet": workbook.read,
        "first rows": workbook.first_rows,
        "text": text,
    }
    return readers[name]


def text(content: bytes, form: dict[str, Any]) -> Answer:
    """The names of a text file, and its cells."""
    import pyarrow as pa

    from pages.files.csv_columns.format import Format
    from pages.files.csv_columns.records import read_cells

    cells = read_cells(content, from_plain(Format, form))
    return {"names": cells.names}, pa.table(cells.columns)


def limit_memory(most: int = MOST_MEMORY) -> None:
    """From now on this process can take so much more; where the system knows no such limit, it has none."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as sizes:
            taken = int(sizes.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + most, taken + most))
    except (ImportError, OSError):
        return


def limit_as_small() -> None:
    """Limit this process to the memory and the processor time of a small file, if the system knows such limits."""
    limit_memory(LITTLE_MEMORY)
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (LITTLE_SECONDS, LITTLE_SECONDS))


def answer(reader: Reader, content: bytes, *options: Any, small: bool = False) -> Answer:
    """What the reader says; a refusal is a problem and its remedy, and so is memory that runs out.

    A small file is told to be large if memory may have run out, or if a column ``failed`` to be read.
    """
    try:
        said, cells = reader(content, *options)
        said["large"] = small and said.get("failed", False)
    except TableError as error:
        said, cells = {"problem": error.problem, "remedy": error.remedy}, None
        said["large"] = small and isinstance(error, UnreadableError)
    except MemoryError:
        said, cells = {"problem": "The file takes more memory than there is for one."}, None
        said |= {"remedy": "Leave out columns or rows that are not needed.", "large": small}
    return said | {"cells": cells is not None}, cells


def _answer(reader: Reader, content: bytes, options: list[Any], *, small: bool) -> Answer:
    """What the reader says; at once that a file is large if its directory says so, because to fail would take seconds."""
    from pages.files.workbook import stated_size

    if small and LITTLE_MEMORY // 2 < stated_size(content) <= MOST_UNPACKED:
        return {"large": True, "cells": False}, None
    return answer(reader, content, *options, small=small)


class _WithoutPandas(MetaPathFinder):
    """Refuses pandas, which PyArrow would load for every list that it takes: 0.4 s."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "pandas":
            raise ImportError


def main() -> None:
    """Read all of the input, and write the answer."""
    name, small, *options = json.loads(os.environ[ASKED])
    if name != "text":  # only that reader needs pandas
        sys.meta_path.insert(0, _WithoutPandas())
    try:
        reader = _reader(name)
    except TableError as error:
        said, cells = {"problem": error.problem, "remedy": error.remedy, "cells": False}, None
    else:
        if small:
            limit_as_small()
        else:
            limit_memory()
        said, cells = _answer(reader, sys.stdin.buffer.read(), options, small=small)
    sys.stdout.buffer.write(json.dumps(said).encode() + b"\n")
    if cells is not None:
        ipc = import_module("pyarrow.ipc")
        with ipc.new_stream(sys.stdout.buffer, cells.schema) as stream:
            stream.write_table(cells)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
